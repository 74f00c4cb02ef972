//! Everything that is derived from one state of the working table.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use throng_contract::{DataShape, Help};
use throng_data::formats::{Defect, Frame, InputError, Read, ReadOptions, Source, read_dataset};
use throng_data::{Dataset, Dictionary, ItemId, Role};
use throng_measure::Profile;

use super::Workspace;
use super::load::Basis;
use crate::platform::problem::Problem;
use crate::workbench::data::overview::DataProblem;
use crate::workbench::data::summary::{self, Counted, DataSummary};
use crate::workbench::reading::{Assignment, Reading};
use crate::workbench::working_table::WorkingTable;

/// What a file of the columns of an edited table ends with.
pub const FRAME: &str = "frame";

/// One state of the data.
#[derive(Debug)]
pub struct Snapshot {
    /// The state of the table it belongs to.
    pub revision: u64,
    /// The cells.
    pub working_table: Arc<WorkingTable>,
    /// What the user said about reading them.
    pub reading: Reading,
    /// Which column plays which role.
    pub assignment: Assignment,
    /// The file a job reads; none when the working table has to be written for it.
    file: Option<PathBuf>,
    /// Where the working table was written for a job; it may be gone with the job.
    written: Mutex<Option<PathBuf>>,
    /// How a job reads it.
    pub options: ReadOptions,
    /// The data, if it can be read.
    pub data: Option<Read>,
    /// Why it cannot.
    pub problem: Option<DataProblem>,
    /// What the data screen shows.
    pub summary: DataSummary,
    /// People and events of each item.
    pub tally: Vec<Tally>,
    /// Items by number of people, the most frequent first.
    pub frequent: Vec<ItemId>,
    /// Which items and people there are.
    pub names: Names,
}

/// Fingerprints of the names that inputs are validated against: where they are the same, so is the result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Names {
    /// Of the items.
    pub items: u64,
    /// Of the people.
    pub subjects: u64,
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
    /// Derives everything; what an earlier state has of columns that did not change is taken over.
    pub(super) fn make(workspace: &Workspace, basis: Basis, earlier: Option<&Snapshot>) -> Self {
        let progress = &workspace.progress;
        let assignment = Assignment::of(&basis.working_table, &basis.reading);
        let mut options = assignment.options(&basis.working_table, &basis.reading);
        let roles_given = basis.working_table.delimiter.is_none() && !basis.reading.roles.is_empty();
        let anew = basis.defect.is_none() && (basis.edited || !assignment.plain || roles_given);
        let complete = assignment.is_table()
            || (assignment.item().is_some() && (assignment.is_wide() || assignment.subject().is_some()));
        let working = anew && complete;
        let source = if working {
            // What is said of the file is not said of its columns.
            options =
                ReadOptions { delimiter: None, encoding: None, sheet: None, no_header: false, ..options };
            Source::frame(&workspace.label, basis.working_table.frame(assignment.used()))
        } else if basis.working_table.delimiter.is_some() {
            Source::frame(&workspace.label, basis.working_table.whole_frame())
        } else {
            // A form without columns knows its roles itself.
            options = ReadOptions { sets: options.sets, ..basis.reading.written() };
            basis.source.clone()
        };
        let (mut data, problem) = match &basis.defect {
            Some(defect) => (None, Some(defect.clone())),
            None => match read_dataset(&source, &options, progress) {
                Ok(read) => (Some(read), None),
                Err(error) => (None, Some(told(error, Path::new(source.name()), &workspace.label))),
            },
        };
        if let Some(table) = data.as_mut().and_then(|read| read.dataset.attributes.as_mut()) {
            for column in &mut table.columns {
                let at = basis.working_table.position(&column.name);
                column.role = at.and_then(|at| assignment.role(at).of_attribute());
            }
        }
        let file = if working { None } else { basis.source.path().map(Path::to_path_buf) };
        let dataset = data.as_ref().map(|read| &read.dataset);
        let (profile, (tally, names)) = rayon::join(
            || dataset.map(|data| Profile::of(data, 0)),
            || (dataset.map(tally).unwrap_or_default(), dataset.map(Names::of).unwrap_or_default()),
        );
        let mut frequent: Vec<ItemId> = (0..tally.len() as ItemId).collect();
        if let Some(read) = &data {
            let name = |item: &ItemId| read.dataset.items.name(*item);
            let people = |item: &ItemId| tally[*item as usize].people;
            frequent.sort_by(|a, b| people(b).cmp(&people(a)).then_with(|| name(a).cmp(name(b))));
        }
        let counted = data.as_ref().zip(profile.as_ref()).map(|(read, profile)| Counted {
            read,
            profile,
            tally: &tally,
            frequent: &frequent,
        });
        let summary = summary::summarise(&basis.working_table, &assignment, counted, earlier);
        let (working_table, reading, revision) = (basis.working_table, basis.reading, basis.revision);
        Snapshot {
            revision,
            working_table,
            reading,
            assignment,
            file,
            written: Mutex::default(),
            options,
            data,
            problem,
            summary,
            tally,
            frequent,
            names,
        }
    }

    /// The name that says which form the file has which a job reads.
    pub fn file_name(&self) -> String {
        let name =
            self.file.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| format!("working.{FRAME}"))
    }

    /// The data's file as it came; none where it was edited, or is read in a way that no command can say.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// What a job reads of the working table.
    fn frame(&self) -> Frame {
        self.working_table.frame(self.assignment.used())
    }

    /// The same as a CSV file, for people.
    pub fn rendered(&self) -> Vec<u8> {
        self.frame().to_csv()
    }

    /// Puts the file that a job reads where it wants it: the data as it came, or the columns of the working table.
    pub fn lay_out(&self, target: &Path) -> Result<(), Problem> {
        // Files are replaced, never written over, so that a link keeps what was there.
        let linked = |file: &PathBuf| fs::hard_link(file, target).is_ok();
        if let Some(file) = &self.file {
            if !linked(file) {
                fs::copy(file, target)?;
            }
            return Ok(());
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if !written.as_ref().is_some_and(linked) {
            self.frame().write(BufWriter::new(File::create_new(target)?))?;
            *written = Some(target.to_owned());
        }
        Ok(())
    }

    /// What the data are, if they can be read.
    pub fn shape(&self) -> Option<DataShape> {
        self.data.as_ref().map(|read| read.dataset.shape())
    }

    /// Roles of the columns of a table that have one.
    pub fn column_roles(&self) -> Vec<(String, Role)> {
        let columns = self.working_table.columns.iter().enumerate();
        let role = |at: usize| self.assignment.role(at).of_attribute();
        columns.filter_map(|(at, column)| Some((column.name.clone(), role(at)?))).collect()
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
fn told(error: InputError, file: &Path, label: &str) -> DataProblem {
    let choose = match *error.defect {
        Defect::MissingColumn { role, .. } | Defect::AmbiguousColumn { role, .. } => {
            Some(Help::words(format!("choose the column that is the {}", in_words(role))))
        }
        Defect::SameColumn { .. } => Some("give each role a column of its own".into()),
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

impl Names {
    fn of(data: &Dataset) -> Self {
        let print = |names: &Dictionary| {
            let mut hasher = DefaultHasher::new();
            names.names().for_each(|name| name.hash(&mut hasher));
            hasher.finish()
        };
        Names { items: print(&data.items), subjects: print(&data.subjects) }
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
