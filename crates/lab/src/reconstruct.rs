//! Possible datasets of a release whose records were taken apart, as files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;
use throng_contract::{Class, Failure, Progress};
use throng_data::formats::write_field;
use throng_data::{ItemId, StagedDir, StagingError};
use throng_measure::reconstruction::people;

use crate::published::Published;

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
}

/// Reads the files of the release, whatever its manifest says, and draws.
pub fn reconstruct(asked: &Reconstruction, progress: &Progress) -> Result<Reconstructed, Failure> {
    let published = Published::read(&asked.release, progress)?;
    let Some(read) = &published.chunks else {
        let message = format!("the records of `{}` were not taken apart", asked.release.display());
        return Err(Failure::new(Class::Usage, message)
            .with_help("give a directory that `throng anonymize --method disassociation` wrote"));
    };
    let files: Vec<String> = (1..=asked.count).map(|number| format!("dataset-{number}.csv")).collect();
    // More or fewer datasets of an earlier drawing may be replaced as well.
    let ours: Vec<String> =
        (1..=asked.count.max(1000)).map(|number| format!("dataset-{number}.csv")).collect();
    let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
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
        phase.advance(1)?;
    }
    staged.publish()?;
    Ok(Reconstructed { people: read.chunks.people(), files })
}

fn write(path: &std::path::Path, people: &[Vec<ItemId>], cells: &[Vec<u8>]) -> std::io::Result<()> {
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
