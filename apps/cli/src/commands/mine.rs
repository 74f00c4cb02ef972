//! `throng mine`: sequences and sets of items that many people share, and subgraphs.

mod subgraphs;

use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use throng_contract::Threshold;
use throng_data::EventKind;
use throng_data::formats::read_dataset;
use throng_mine::{Form, Format, Keep, Miner, Search, miner, write};

use crate::failure::Stop;
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng mine patterns city/events.csv --min-support 1%
  throng mine patterns city/events.csv --min-support 50 --top 20 --min-length 2
  throng mine maximal city/events.csv --min-support 5% --format spmf > maximal.txt
  throng mine closed city/events.csv --min-support 0.1% --time-limit 10 --json
  throng generate baskets -o baskets
  throng mine itemsets baskets/baskets.dat --min-support 2% --keep closed --top 20

Patterns are those of the people in the data: rare ones are not safe to publish.";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("mine")
        .about("Find sequences and sets of items that many people share, or subgraphs")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(miner::ALL.iter().map(|miner| kind(*miner)))
        .subcommand(subgraphs::command())
        .after_help(EXAMPLES)
}

fn kind(miner: &dyn Miner) -> Command {
    let number = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u32).range(1..)).help(help)
    };
    let keep = Arg::new("keep")
        .long("keep")
        .value_name("WHICH")
        .value_parser(PossibleValuesParser::new(["frequent", "closed", "maximal"]))
        .default_value("frequent")
        .help("Frequent: all; closed: no superset has the same support; maximal: no superset is frequent");
    Command::new(miner.name())
        .about(miner.purpose())
        .arg(reading::data())
        .arg(
            Arg::new("min-support")
                .long("min-support")
                .value_name("PEOPLE")
                .value_parser(threshold)
                .default_value("1%")
                .help("How many people must have a pattern: a number such as 30, or a share such as 1%"),
        )
        .args(miner.lets_choose().then_some(keep))
        .arg(number("min-length", "Leave out shorter patterns"))
        .arg(number("max-length", "Leave out longer patterns"))
        .arg(number("top", "Only so many patterns, those of most people"))
        .arg(time_limit())
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(["text", "spmf", "json"]))
                .default_value("text")
                .help("How patterns are written; `--json` is short for `--format json`"),
        )
        .args(reading::flags())
        .after_help(EXAMPLES)
}

fn time_limit() -> Arg {
    Arg::new("time-limit")
        .long("time-limit")
        .value_name("SECONDS")
        .value_parser(seconds)
        .help("Stop searching after so long and give what was found, marked as incomplete")
}

fn threshold(text: &str) -> Result<Threshold, String> {
    match text.parse() {
        Ok(Threshold::Absolute(0)) | Err(()) => {
            Err("expected a number of people such as 30, or a share of them such as 1%".to_owned())
        }
        Ok(threshold) => Ok(threshold),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds above 0, such as 10 or 0.5".to_owned())
}

/// Reads the data, mines it, and prints the patterns.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Stop::usage("what to mine is missing", "see `throng mine --help`"));
    };
    if name == "subgraphs" {
        return subgraphs::run(matches, session);
    }
    let Some(miner) = miner::find(name) else {
        return Err(Stop::usage(format!("there is no miner `{name}`"), "see `throng mine --help`"));
    };
    let form = miner.form();
    // Only miners that let the user choose take the flag.
    let keep = match matches.try_get_one::<String>("keep").ok().flatten().map(String::as_str) {
        Some("closed") => Keep::Closed,
        Some("maximal") => Keep::Maximal,
        _ => miner.keep(),
    };
    let search = search(matches, keep)?;
    let source = reading::data_source(matches);
    let data = read_dataset(&source, &reading::options(matches)?, &session.progress)?.dataset;
    if form == Form::Sequences && data.events.kind() == EventKind::Set {
        let help = "mine sets with `throng mine itemsets`, or give events with an order";
        return Err(Stop::usage(format!("`{}` holds sets, whose items have no order", source.name()), help));
    }

    let limit = matches.get_one::<Duration>("time-limit").copied();
    let began = Instant::now();
    let stop = || limit.is_some_and(|limit| began.elapsed() >= limit);
    let patterns = miner.mine(&search, &data.events, &stop, &session.progress)?;
    if !patterns.complete {
        session.say("stopped at the time limit: patterns may be missing\n");
    }
    let format = match matches.get_one::<String>("format").map(String::as_str) {
        _ if session.json => Format::Json,
        Some("json") => Format::Json,
        Some("spmf") => Format::Spmf,
        _ => Format::Text,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out, &patterns, &data.items, form, keep, format)
        .and_then(|()| out.flush())
        .map_err(|error| Stop::writing(&error))
}

fn search(matches: &ArgMatches, keep: Keep) -> Result<Search, Stop> {
    let number = |name: &str| matches.get_one::<u32>(name).map(|number| *number as usize);
    let (shortest, longest) = (number("min-length").unwrap_or(1), number("max-length").unwrap_or(usize::MAX));
    if shortest > longest {
        let message = format!("`--min-length {shortest}` is more than `--max-length {longest}`");
        return Err(Stop::usage(message, "swap them"));
    }
    let min_support = matches.get_one::<Threshold>("min-support").copied().unwrap_or(Threshold::Absolute(1));
    let lengths = shortest..=longest;
    Ok(Search { lengths, top: number("top"), keep, ..Search::new(min_support) })
}
