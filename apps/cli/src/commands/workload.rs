//! `throng workload`: draws COUNT queries from data, to be edited and asked of releases.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use throng_contract::{Class, Failure, Input};
use throng_data::EventKind;
use throng_data::formats::{render_query, write_file};
use throng_lab::Files;
use throng_measure::attack::ATTACKER;
use throng_measure::workload::{self, Drawing};

use super::{force, path, seed};
use crate::failure::Stop;
use crate::layout::counted;

use crate::session::Session;
use crate::{columns, flags, reading};

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng workload city/events.csv -o queries.txt --queries 1000 --sizes 1..2
  throng workload city/events.csv --queries 5 --sizes 3 --seed 7      on the screen
  throng generate patients -o patients
  throng workload patients/patients.csv --schema patients/schema.toml --sizes 1..3

A query asks how many people have some items: `a > b`, in this order where there is one, gaps allowed. It may ask for
values of columns besides or instead: `a > b; age = 20..29; sex = F|M`. Lines may be changed, removed and added; items
need not occur in the data. Ask them with `throng measure ... --queries FILE`.
Queries are drawn from the data: rare ones are not safe to publish.";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("workload")
        .about("Draw COUNT queries from data")
        .arg(reading::data())
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Where the queries go [default: standard output]"),
        )
        .arg(
            Arg::new("queries")
                .long("queries")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=1_000_000))
                .default_value("1000")
                .help("How many"),
        )
        .arg(
            Arg::new("sizes")
                .long("sizes")
                .value_name("A..B")
                .value_parser(sizes)
                .default_value("1..2")
                .help("How many items a query has, of a table how many columns: a number, or from A to B"),
        )
        .arg(
            Arg::new("columns")
                .long("columns")
                .value_name("A..B")
                .value_parser(numbers)
                .default_value("0")
                .help("How many quasi-identifying columns a query asks for beside items"),
        )
        .arg(seed())
        .arg(force("Replace the file if it exists"))
        .args(flags::of_inputs(&[Input::Records]))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

fn sizes(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    match (from.trim().parse(), to.trim_start_matches('=').trim().parse()) {
        (Ok(from), Ok(to)) if (1..=to).contains(&from) => Ok(from..=to),
        _ => Err("expected a number of items such as 2, or two such as 1..2".to_owned()),
    }
}

fn numbers(text: &str) -> Result<RangeInclusive<usize>, String> {
    if text.trim() == "0" {
        Ok(0..=0)
    } else {
        sizes(text).map_err(|error| error.replace("items", "columns"))
    }
}

/// Reads the data, draws, and writes one query a line.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = reading::data_source(matches);
    let mut files = Files { read: reading::options(matches)?, ..Files::of(source.clone()) };
    columns::apply(matches, &mut files)?;
    // An attacker may know all that can be asked for.
    let data = throng_lab::load(&flags::inputs(matches, files), &ATTACKER, &session.progress)?.data;
    let wanted = matches.get_one::<u32>("queries").map_or(1000, |queries| *queries as usize);
    let sizes = matches.get_one::<RangeInclusive<usize>>("sizes").cloned().unwrap_or(1..=2);
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(0);
    let beside = matches.get_one::<RangeInclusive<usize>>("columns").cloned().unwrap_or(0..=0);
    let drawing = Drawing { queries: wanted, sizes: sizes.clone(), columns: beside, seed };
    let queries = workload::draw_queries(&data, &drawing);
    if queries.is_empty() {
        let message = match data.events.kind() {
            EventKind::Absent => {
                format!("`{}` has fewer than {} quasi-identifying columns", source.name(), sizes.start())
            }
            _ => format!("no record of `{}` has {} events", source.name(), sizes.start()),
        };
        return Err(Failure::new(Class::BadInput, message).with_help("ask for shorter queries").into());
    }
    let mut text = String::new();
    for query in &queries {
        text.push_str(&render_query(query));
        text.push('\n');
    }
    let Some(file) = path(matches, "output") else { return session.print(&text) };
    write_file(&file, matches.get_flag("force"), |out| Ok(out.write_all(text.as_bytes())?))?;
    session.say(&format!("{} written to {}\n", counted(queries.len(), "query", "queries"), file.display()));
    Ok(())
}
