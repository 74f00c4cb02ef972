//! Possible datasets of a release whose records were taken apart, as files, and what they answer.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{Source, read_queries, render_query, write_field};
use throng_data::{Dictionary, ItemId, Query, StagedDir, StagingError};
use throng_measure::chunk_supports::{Support, supports_of_released};
use throng_measure::reconstruction::people;

use throng_release::directory::CLUSTERS;
use throng_release::manifest::Manifest;
use throng_release::published::Published;

/// The file of answers.
const ANSWERS: &str = "answers.csv";

/// What to draw, and where it goes.
#[derive(Debug, Clone)]
pub struct Reconstruction {
    /// The release directory.
    pub release: PathBuf,
    /// The directory to make.
    pub out: PathBuf,
    /// How many datasets are drawn.
    pub count: u32,
    /// Seed of the drawing: the same seed draws the same datasets.
    pub seed: u64,
    /// COUNT queries for items, to be answered.
    pub queries: Option<Source>,
    /// Whether an earlier directory of that name may be replaced.
    pub force: bool,
}

/// What was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconstructed {
    /// How many people each dataset has.
    pub people: u64,
    /// The files inside the directory, each a dataset.
    pub files: Vec<String>,
    /// The file inside the directory with what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
}

/// A folder without clusters is no release that was taken apart: its files are not read as if it were.
fn refuse_other_folders(directory: &Path) -> Result<(), Failure> {
    let is_release = Manifest::read(directory).is_ok_and(|manifest| manifest.is_some());
    let message = match () {
        () if directory.join(CLUSTERS).is_file() => return Ok(()),
        () if is_release => format!("the records of `{}` were not taken apart", directory.display()),
        () if directory.is_dir() => {
            format!("`{}` is no release: it holds no {CLUSTERS}", directory.display())
        }
        () => format!("there is no directory `{}`", directory.display()),
    };
    let class = if is_release { Class::Usage } else { Class::BadInput };
    Err(Failure::new(class, message)
        .with_help("give a directory that {throng anonymize --method disassociation} wrote"))
}

/// Reads the files of the release, whatever its manifest says, and draws.
pub fn reconstruct(asked: &Reconstruction, progress: &Progress) -> Result<Reconstructed, Failure> {
    refuse_other_folders(&asked.release)?;
    let published = Published::read(&asked.release, progress)?;
    let Some(read) = &published.chunks else {
        let message = format!("the records of `{}` were not taken apart", asked.release.display());
        return Err(Failure::new(Class::Usage, message)
            .with_help("give a directory that {throng anonymize --method disassociation} wrote"));
    };
    let mut asked_for = match &asked.queries {
        Some(source) => Some(Asked::read(source, &published.data.items)?),
        None => None,
    };
    let files: Vec<String> = (1..=asked.count).map(|number| format!("dataset-{number}.csv")).collect();
    // More or fewer datasets of an earlier drawing may be replaced as well.
    let ours: Vec<String> =
        (1..=asked.count.max(1000)).map(|number| format!("dataset-{number}.csv")).collect();
    let ours: Vec<&str> = ours.iter().map(String::as_str).chain([ANSWERS]).collect();
    let staged = StagedDir::create(&asked.out, asked.force, &ours)?;
    let mut cells = Vec::with_capacity(published.data.items.len());
    for name in published.data.items.names() {
        let mut cell = Vec::new();
        write_field(&mut cell, name).map_err(|error| StagingError::io(&asked.out, error))?;
        cells.push(cell);
    }
    let phase = progress.phase("draw possible datasets", Some(u64::from(asked.count)));
    for (draw, name) in (0_u64..).zip(&files) {
        let path = staged.path().join(name);
        let drawn = people(&read.chunks, asked.seed.wrapping_add(draw));
        write(&path, &drawn, &cells).map_err(|error| StagingError::io(&path, error))?;
        if let Some(asked_for) = &mut asked_for {
            asked_for.count(&drawn);
        }
        phase.advance(1)?;
    }
    drop(phase);
    let answers = asked_for.is_some().then(|| ANSWERS.to_owned());
    if let Some(asked_for) = asked_for {
        let path = staged.path().join(ANSWERS);
        let supports = supports_of_released(&read.chunks, asked_for.sets.clone(), progress)?;
        let written = asked_for.write(&path, &supports, asked.count);
        written.map_err(|error| StagingError::io(&path, error))?;
    }
    staged.publish()?;
    Ok(Reconstructed { people: read.chunks.people(), files, answers })
}

/// Queries, and how many people answered them in the datasets that were drawn.
struct Asked {
    queries: Vec<Query>,
    /// The items of each; `None` where the release does not name them all.
    sets: Vec<Option<Vec<ItemId>>>,
    people: Vec<u64>,
}

impl Asked {
    fn read(source: &Source, items: &Dictionary) -> Result<Self, Failure> {
        let queries = read_queries(source)?;
        if queries.iter().any(|query| !query.cells.is_empty()) {
            let message = format!("`{}` asks for columns, and such a release has items alone", source.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("leave these queries out; {throng workload --sets} draws queries for items"));
        }
        let set = |query: &Query| query.items.iter().map(|item| items.find(item)).collect();
        let sets: Vec<Option<Vec<ItemId>>> = queries.iter().map(set).collect();
        Ok(Asked { people: vec![0; queries.len()], queries, sets })
    }

    /// Adds the people of a dataset who have all that is asked for.
    fn count(&mut self, drawn: &[Vec<ItemId>]) {
        let wanted = self.sets.iter().flatten().flatten();
        let mut holders: BTreeMap<ItemId, Vec<u32>> = wanted.map(|item| (*item, Vec::new())).collect();
        for (person, items) in (0..).zip(drawn) {
            for item in items {
                if let Some(people) = holders.get_mut(item) {
                    people.push(person);
                }
            }
        }
        for (people, set) in self.people.iter_mut().zip(&self.sets) {
            let Some(set) = set else { continue };
            let mut lists: Vec<&Vec<u32>> = set.iter().map(|item| &holders[item]).collect();
            lists.sort_by_key(|list| list.len());
            let Some((fewest, others)) = lists.split_first() else { continue };
            let has_all = |person: &&u32| others.iter().all(|list| list.binary_search(person).is_ok());
            *people += fewest.iter().filter(has_all).count() as u64;
        }
    }

    fn write(&self, path: &Path, supports: &[Support], draws: u32) -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(b"query,lower,estimate,upper,average\n")?;
        for ((query, support), people) in self.queries.iter().zip(supports).zip(&self.people) {
            write_field(&mut file, &render_query(query))?;
            let average = *people as f64 / f64::from(draws.max(1));
            writeln!(file, ",{},{:.2},{},{average:.2}", support.lower, support.estimate, support.upper)?;
        }
        file.flush()
    }
}

fn write(path: &Path, people: &[Vec<ItemId>], cells: &[Vec<u8>]) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path)?);
    file.write_all(b"subject,item\n")?;
    let mut digits = itoa::Buffer::new();
    for (number, items) in people.iter().enumerate() {
        let number = digits.format(number + 1);
        for item in items {
            file.write_all(number.as_bytes())?;
            file.write_all(b",")?;
            file.write_all(&cells[*item as usize])?;
            file.write_all(b"\n")?;
        }
    }
    file.flush()
}
