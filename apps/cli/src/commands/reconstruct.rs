//! `throng reconstruct`: possible datasets of a release whose records were taken apart.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_data::formats::Source;
use throng_lab::reconstruct::{Reconstructed, Reconstruction, reconstruct};

use super::{force, path};
use crate::failure::Stop;
use crate::layout::counted;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate baskets -o baskets
  throng anonymize baskets/events.csv --sets --method disassociation -o release
  throng reconstruct release -o possible --count 5
  throng mine itemsets possible/dataset-1.csv --sets --min-support 5%
  throng workload baskets/events.csv --sets -o queries.txt --queries 50 --sizes 1..2
  throng reconstruct release -o answered --count 5 --queries queries.txt

Every dataset could have been published as this release, and none is the original. Supports of items
in one chunk are those of the data; across chunks they are as chance makes them, so averages over
several datasets tell more than one.

Queries are answered in answers.csv: lower and upper hold in every possible dataset, the
estimate is read off the chunks alone, and the average is over the datasets drawn.";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("reconstruct")
        .about("Draw possible datasets from a release whose records were taken apart")
        .arg(
            Arg::new("release")
                .value_name("RELEASE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("A release directory of the method `disassociation`"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The directory to make, with a file for each dataset"),
        )
        .arg(
            Arg::new("count")
                .long("count")
                .value_name("R")
                .value_parser(value_parser!(u32).range(1..=100_000))
                .default_value("1")
                .help("How many datasets to draw"),
        )
        .arg(
            Arg::new("queries")
                .long("queries")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Answer these COUNT queries for items, one a line"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("0")
                .help("The same seed draws the same datasets"),
        )
        .arg(force("Replace an earlier directory of datasets"))
        .after_help(EXAMPLES)
}

#[derive(Serialize)]
struct Answer<'a> {
    directory: &'a std::path::Path,
    #[serde(flatten)]
    drawn: &'a Reconstructed,
}

/// Reads the release, draws, and writes.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let asked = Reconstruction {
        release: path(matches, "release").unwrap_or_default(),
        out: path(matches, "output").unwrap_or_default(),
        count: matches.get_one("count").copied().unwrap_or(1),
        seed: matches.get_one("seed").copied().unwrap_or(0),
        queries: path(matches, "queries").map(Source::file),
        force: matches.get_flag("force"),
    };
    let drawn = reconstruct(&asked, &session.progress)?;
    if session.json {
        return session.print_json("throng-reconstruct/1", &Answer { directory: &asked.out, drawn: &drawn });
    }
    session.say(&format!(
        "{} of {} each, written to {}\n",
        counted(drawn.files.len(), "possible dataset", "possible datasets"),
        counted(drawn.people as usize, "person", "people"),
        asked.out.display()
    ));
    if let Some(answers) = &drawn.answers {
        session.say(&format!("answers are in {}\n", asked.out.join(answers).display()));
    }
    Ok(())
}
