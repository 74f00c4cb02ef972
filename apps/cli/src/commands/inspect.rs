//! `throng inspect`: the shape of the data, and what an attacker could do with it today.

mod page;

use std::time::Instant;

use clap::{ArgMatches, Command};
use serde::Serialize;
use throng_data::formats::{ReadShape, read_dataset};
use throng_measure::Profile;
use throng_measure::attack::curve::{RiskCurve, USUALLY_KNOWN, curve};

use super::seed;
use crate::failure::Stop;
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng inspect city/events.csv
  throng inspect city/events.csv --json
  cat city/events.csv | throng inspect - --subject subject --item item";

/// Items named in the list of the most frequent ones.
const FREQUENT: usize = 5;

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("inspect")
        .about("Show the shape of the data and what an attacker could do with it today")
        .arg(reading::data())
        .arg(seed())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Reads the data, looks at it, and tells.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = reading::data_source(matches);
    let options = reading::options(matches)?;
    let began = Instant::now();
    let read = read_dataset(&source, &options, &session.progress)?;
    let speed = Speed::of(read.shape.bytes, began.elapsed().as_secs_f64());
    let profile = Profile::of(&read.dataset, FREQUENT);
    let seed = matches.get_one("seed").copied().unwrap_or(0);
    let risk = curve(&read.dataset.events, USUALLY_KNOWN, seed, &session.progress)?;
    let found =
        Found { source: source.name(), read: speed, shape: &read.shape, profile: &profile, risk: &risk };
    match session.json {
        true => session.print_json("throng-inspect/1", &found),
        false => session.print(&page::of(&found)),
    }
}

/// All that is told.
#[derive(Serialize)]
struct Found<'a> {
    source: &'a str,
    read: Speed,
    shape: &'a ReadShape,
    #[serde(flatten)]
    profile: &'a Profile,
    risk: &'a RiskCurve,
}

/// How fast the file was read.
#[derive(Clone, Copy, Serialize)]
struct Speed {
    /// After decompression.
    bytes: u64,
    seconds: f64,
    mb_per_second: f64,
}

impl Speed {
    fn of(bytes: u64, seconds: f64) -> Self {
        Speed { bytes, seconds, mb_per_second: bytes as f64 / 1e6 / seconds.max(1e-9) }
    }
}
