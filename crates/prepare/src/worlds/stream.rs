//! Writes a population to files of any size in constant memory, on all cores, in the order of the people.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use throng_contract::{Phase, Progress};
use throng_data::StagingError;

use super::draw::Draw;
use super::{Population, WorldError};

/// People generated together. Any value gives the same bytes.
const CHUNK: u64 = 4096;

/// Chunks in flight for each thread.
const CHUNKS_A_THREAD: u64 = 4;

/// The rows of consecutive people, one buffer for each file.
struct Chunk {
    rows: Vec<Vec<u8>>,
    events: u64,
    longest: u64,
}

/// Writes the people `0..subjects`; returns the number of events, and of the longest record's events.
pub(super) fn write(
    population: &dyn Population,
    subjects: u64,
    seed: u64,
    dir: &Path,
    progress: &Progress,
) -> Result<(u64, u64), WorldError> {
    let mut files = Vec::new();
    for (name, header) in population.streams() {
        let path = dir.join(name);
        let file = File::create(&path).map_err(|cause| StagingError::io(&path, cause))?;
        let mut file = OutputFile { path, writer: BufWriter::new(file) };
        if !header.is_empty() {
            file.write(header.as_bytes())?;
            file.write(b"\n")?;
        }
        files.push(file);
    }
    let phase = progress.phase("people", Some(subjects));
    let batch = CHUNK * CHUNKS_A_THREAD * rayon::current_num_threads() as u64;
    let (mut events, mut longest) = (0, 0);
    let mut finished: Vec<Chunk> = Vec::new();
    let mut next = 0;
    while next < subjects || !finished.is_empty() {
        let upto = subjects.min(next + batch);
        // The previous batch is written while this one is made.
        let (written, made) = rayon::join(
            || {
                finished.iter().try_for_each(|chunk| {
                    files.iter_mut().zip(&chunk.rows).try_for_each(|(file, rows)| file.write(rows))
                })
            },
            || live_together(population, next..upto, seed, &phase),
        );
        written?;
        finished = made?;
        for chunk in &finished {
            events += chunk.events;
            longest = longest.max(chunk.longest);
        }
        next = upto;
    }
    files.into_iter().try_for_each(OutputFile::finish)?;
    Ok((events, longest))
}

fn live_together(
    population: &dyn Population,
    people: std::ops::Range<u64>,
    seed: u64,
    phase: &Phase<'_>,
) -> Result<Vec<Chunk>, WorldError> {
    let starts: Vec<u64> = people.clone().step_by(CHUNK as usize).collect();
    starts
        .into_par_iter()
        .map(|start| {
            let upto = people.end.min(start + CHUNK);
            let mut chunk =
                Chunk { rows: vec![Vec::new(); population.streams().len()], events: 0, longest: 0 };
            let mut name = String::new();
            for person in start..upto {
                name_person(person, &mut name);
                let lived = population.live(&name, &mut Draw::new(seed, person), &mut chunk.rows);
                chunk.events += lived;
                chunk.longest = chunk.longest.max(lived);
            }
            phase.advance(upto - start)?;
            Ok(chunk)
        })
        .collect()
}

/// `p000001` and so on: a name that does not depend on how many people there are.
fn name_person(person: u64, name: &mut String) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(person + 1);
    name.clear();
    name.push('p');
    name.extend(std::iter::repeat_n('0', 6_usize.saturating_sub(digits.len())));
    name.push_str(digits);
}

/// Appends a row of a CSV file; no field of a world needs quotes.
pub(super) fn push_row(rows: &mut Vec<u8>, fields: &[&str]) {
    for (position, field) in fields.iter().enumerate() {
        if position > 0 {
            rows.push(b',');
        }
        rows.extend_from_slice(field.as_bytes());
    }
    rows.push(b'\n');
}

struct OutputFile {
    path: PathBuf,
    writer: BufWriter<File>,
}

impl OutputFile {
    fn write(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        Ok(self.writer.write_all(bytes).map_err(|cause| StagingError::io(&self.path, cause))?)
    }

    fn finish(mut self) -> Result<(), WorldError> {
        Ok(self.writer.flush().map_err(|cause| StagingError::io(&self.path, cause))?)
    }
}
