//! Everything that is derived from one state of the working table.

use std::path::PathBuf;
use std::sync::Arc;

use throng_contract::Progress;
use throng_data::formats::{Defect, InputError, Read, ReadOptions, Source, read_dataset, write_file};
use throng_data::{Dataset, ItemId};
use throng_measure::Profile;

use super::Desk;
use super::load::Basis;
use crate::data_view::DataProblem;
use crate::facts::{self, Facts};
use crate::problem::{self, Problem};
use crate::reading::{Assignment, Reading};
use crate::sheet::{Sheet, write_columns};

/// The working file of an edited table, in the project's folder.
const WORKING: &str = "working.csv";

/// One state of the data.
#[derive(Debug)]
pub struct Snapshot {
    /// The state of the table it belongs to.
    pub revision: u64,
    /// The cells.
    pub sheet: Arc<Sheet>,
    /// What the user said about reading them.
    pub reading: Reading,
    /// Which column plays which role.
    pub assignment: Assignment,
    /// The file a job reads.
    pub file: PathBuf,
    /// How a job reads it.
    pub options: ReadOptions,
    /// The data, if it can be read.
    pub data: Option<Read>,
    /// Why it cannot.
    pub problem: Option<DataProblem>,
    /// What the data screen shows.
    pub facts: Facts,
    /// People and events of each item.
    pub tally: Vec<Tally>,
    /// Items by number of people, the most frequent first.
    pub frequent: Vec<ItemId>,
}

/// How often an item occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of people.
    pub people: u64,
    /// Number of events.
    pub events: u64,
}

impl Snapshot {
    pub(super) fn make(desk: &Desk, basis: Basis) -> Result<Self, Problem> {
        let progress = Progress::observed(desk.watch.clone());
        let assignment = Assignment::of(&basis.sheet, &basis.reading);
        let mut options = assignment.options(&basis.sheet, &basis.reading);
        let source_path = basis.source.path().map(std::path::Path::to_path_buf).unwrap_or_default();
        let roles_given = basis.sheet.delimiter.is_none() && !basis.reading.roles.is_empty();
        let anew = basis.defect.is_none() && (basis.edited || !assignment.plain || roles_given);
        let complete =
            assignment.item().is_some() && (assignment.is_wide() || assignment.subject().is_some());
        let file = if anew && complete {
            let path = desk.folder.join(WORKING);
            write_file(&path, true, |out| {
                write_columns(out, &basis.sheet, &assignment.used(), false).map_err(Into::into)
            })
            .map_err(problem::of)?;
            options.delimiter = Some(b',');
            path
        } else {
            if basis.sheet.delimiter.is_none() {
                // A form without columns knows its roles itself.
                options = ReadOptions::default();
            }
            source_path
        };
        let (data, problem) = match &basis.defect {
            Some(defect) => (None, Some(defect.clone())),
            None => match read_dataset(&Source::file(&file), &options, &progress) {
                Ok(read) => (Some(read), None),
                Err(error) => (None, Some(told(error, &file, &desk.label))),
            },
        };
        let profile = data.as_ref().map(|read| Profile::of(&read.dataset, 0));
        let tally = data.as_ref().map(|read| tally(&read.dataset)).unwrap_or_default();
        let mut frequent: Vec<ItemId> = (0..tally.len() as ItemId).collect();
        if let Some(read) = &data {
            let name = |item: &ItemId| read.dataset.items.name(*item);
            let people = |item: &ItemId| tally[*item as usize].people;
            frequent.sort_by(|a, b| people(b).cmp(&people(a)).then_with(|| name(a).cmp(name(b))));
        }
        let facts =
            facts::facts(&basis.sheet, &assignment, data.as_ref(), profile.as_ref(), &tally, &frequent);
        let (sheet, reading, revision) = (basis.sheet, basis.reading, basis.revision);
        Ok(Snapshot {
            revision,
            sheet,
            reading,
            assignment,
            file,
            options,
            data,
            problem,
            facts,
            tally,
            frequent,
        })
    }

    /// The data, for requests that make no sense without it.
    pub fn need_data(&self) -> Result<&Dataset, Problem> {
        match (&self.data, &self.problem) {
            (Some(read), _) => Ok(&read.dataset),
            (None, Some(problem)) => {
                Err(Problem::conflict(problem.detail.clone()).with_help(problem.help.clone()))
            }
            (None, None) => Err(Problem::conflict("the data cannot be read")),
        }
    }
}

/// A defect with a way out that the screen offers.
fn told(error: InputError, file: &std::path::Path, label: &str) -> DataProblem {
    let choose = match *error.defect {
        Defect::MissingColumn { role, .. } | Defect::AmbiguousColumn { role, .. } => {
            Some(format!("choose the column that is the {}", in_words(role)))
        }
        Defect::SameColumn { .. } => Some("give each role a column of its own".to_owned()),
        _ => None,
    };
    let problem = DataProblem::of(error, file, label);
    DataProblem { help: choose.unwrap_or(problem.help), ..problem }
}

fn in_words(role: &str) -> &str {
    match role {
        "subject" => "person (subject)",
        other => other,
    }
}

fn tally(data: &Dataset) -> Vec<Tally> {
    let events = &data.events;
    let mut tally = vec![Tally::default(); data.items.len()];
    // One more than the last person seen with the item.
    let mut last = vec![0_usize; data.items.len()];
    for person in 0..events.subjects() {
        for record in events.records_of(person) {
            for item in events.record(record) {
                let item = *item as usize;
                tally[item].events += 1;
                if last[item] != person + 1 {
                    last[item] = person + 1;
                    tally[item].people += 1;
                }
            }
        }
    }
    tally
}
