//! What a method costs by itself, without checking and writing:
//! `cargo run --release -p throng-methods --example method_speed -- FILE METHOD [places=FILE] [sensitive=FILE] [records=FILE] [value=COLUMN=VALUE] [out=FILE] [PARAM=VALUE]...`.
//!
//! Prints the seconds of reading and of the method, and a number that releases and reasons which differ do not share.

use std::hash::{BuildHasher, Hash, Hasher};
use std::io::Write;
use std::time::Instant;

use foldhash::fast::FixedState;
use throng_contract::{Progress, Settings};
use throng_data::Inputs;
use throng_data::formats::{
    Format, ReadOptions, Source, read_dataset, read_items, read_places, read_records,
};
use throng_methods::{ALL, Outcome, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, method, rest @ ..] = &words[..] else { return Err("a file and a method are needed".into()) };
    let method = ALL.iter().find(|known| known.descriptor().name == method).ok_or("no such method")?;
    let progress = Progress::silent();
    let mut given: Vec<(&str, &str)> = rest.iter().filter_map(|word| word.split_once('=')).collect();
    let mut taken = |name: &str| {
        let at = given.iter().position(|(given, _)| *given == name)?;
        Some(given.remove(at).1)
    };
    let start = Instant::now();
    let format = taken("format").and_then(Format::parse);
    let options = ReadOptions { format, ..ReadOptions::default() };
    let mut data = read_dataset(&Source::parse(file), &options, &progress)?.dataset;
    let mut inputs = Inputs::default();
    if let Some(file) = taken("places") {
        data.places = Some(read_places(&Source::parse(file), &data.items, &progress)?);
    }
    if let Some(file) = taken("sensitive") {
        inputs.sensitive_items = read_items(&Source::parse(file), &data.items)?;
    }
    if let Some(file) = taken("records") {
        let options = ReadOptions::default();
        data.attributes = Some(read_records(&Source::parse(file), &options, &data.subjects, &progress)?);
    }
    if let Some((column, value)) = taken("value").and_then(|given| given.split_once('=')) {
        inputs.sensitive_values.push((column.to_owned(), value.to_owned()));
    }
    let out = taken("out");
    let read = start.elapsed().as_secs_f64();
    let settings = Settings::parse(method.descriptor(), given.iter().copied())?;
    let start = Instant::now();
    let outcome = method.anonymize(&Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) })?;
    let seconds = start.elapsed().as_secs_f64();
    writeln!(std::io::stdout(), "read {read:.3} s, method {seconds:.3} s, {:016x}", fingerprint(&outcome))?;
    if let Some(file) = out {
        let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
        for record in 0..outcome.release.records() {
            writeln!(out, "{}", outcome.release.names_of(record).join(" "))?;
        }
    }
    Ok(())
}

fn fingerprint(outcome: &Outcome) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    for item in &outcome.release.alphabet {
        item.members.hash(&mut hasher);
    }
    outcome.release.events().items().hash(&mut hasher);
    for step in &outcome.explanation.steps {
        (step.action, &step.items, &step.pattern, step.support, &step.details).hash(&mut hasher);
    }
    hasher.finish()
}
