//! How fast a file of events is read: `cargo run --release -p throng-data --example read_speed -- FILE`.

use std::io::Write;
use std::time::Instant;

use throng_contract::{Failure, Progress};
use throng_data::formats::{ReadOptions, Source, read_dataset};

fn main() -> Result<(), std::io::Error> {
    let mut out = std::io::stdout().lock();
    for file in std::env::args().skip(1) {
        let start = Instant::now();
        match read_dataset(&Source::parse(&file), &ReadOptions::default(), &Progress::silent()) {
            Ok(read) => {
                let seconds = start.elapsed().as_secs_f64();
                let megabytes = read.shape.bytes as f64 / 1e6;
                let (events, subjects) = (read.dataset.events.len(), read.dataset.events.subjects());
                let speed = megabytes / seconds;
                writeln!(
                    out,
                    "{file}: {events} events, {subjects} subjects, {seconds:.2} s, {speed:.0} MB/s"
                )?;
            }
            Err(error) => {
                let failure = Failure::from(error);
                writeln!(out, "error: {failure}")?;
            }
        }
    }
    Ok(())
}
