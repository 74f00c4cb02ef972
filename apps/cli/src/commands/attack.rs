//! `throng attack`: what attackers who know some events or columns of a person can do, before and after.

mod page;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use throng_contract::Input;
use throng_lab::{Attacking, Files, catalogue};
use throng_measure::attack::ATTACKER;

use super::{path, seed};
use crate::failure::Stop;
use crate::session::Session;
use crate::{columns, flags, help, reading};

const EXAMPLES: &str = "\
Examples:
  throng attack city/events.csv                             several attackers, on the data
  throng attack city/events.csv --release release           the same, before and after
  throng attack metro/events.csv --times exact --known 3    one attacker, who knows times
  throng attack metro/events.csv --records metro/records.csv --sensitive-values 'status=*'
  throng attack examples/trips.csv --know 'Station > Market'    play the attacker yourself
  throng attack metro/events.csv --records metro/records.csv --quasi status    and columns
  throng attack patients/patients.csv --schema patients/schema.toml    a table
  throng attack patients/patients.csv --schema patients/schema.toml --know 'sex=F, age=34'

The answers are about single people: they are for the publisher, and are printed only.";

/// What `--help` explains; `--help-all` explains the other options.
const ESSENTIAL: [&str; 11] = [
    "data",
    "release",
    "linkage",
    "know",
    "knows",
    "unordered",
    "times",
    "known",
    "records",
    "quasi",
    "sensitive-values",
];

/// Name, flags and help.
pub fn command() -> Command {
    help::essential(declared(), &ESSENTIAL)
}

fn declared() -> Command {
    let directory = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf)).help(help)
    };
    Command::new("attack")
        .about("Show what attackers who know a part of a person can do, before and after")
        .arg(reading::data().help("The original events, or a release directory to be attacked alone"))
        .arg(directory(
            "release",
            "DIR",
            "A release of the data, to be attacked with knowledge from the data",
        ))
        .arg(directory(
            "linkage",
            "FILE",
            "Which record of the release is whose, as `anonymize --linkage` wrote it",
        ))
        .arg(
            directory(
                "beside",
                "DIR",
                "A second release of the same people, with columns: both are taken together",
            )
            .requires_all(["release", "linkage", "beside-linkage"]),
        )
        .arg(directory("beside-linkage", "FILE", "Which record of that release is whose").requires("beside"))
        .arg(
            Arg::new("know")
                .long("know")
                .value_name("WHAT")
                .help("Play the attacker: `a > b`, `a@12 > b@15` with times; of a table `age=34,sex=F`"),
        )
        .arg(
            Arg::new("list")
                .long("list")
                .value_name("N")
                .value_parser(value_parser!(u32))
                .default_value("10")
                .help("With --know: name at most so many items that those who fit have in common"),
        )
        .arg(seed())
        .args(flags::of_params(&catalogue::params_of(&ATTACKER)))
        .args(flags::of_inputs(&inputs()))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

fn inputs() -> Vec<Input> {
    ATTACKER.needs.iter().map(|need| need.input).collect()
}

/// Attacks, or plays one attacker, and tells.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let given = flags::given(matches, &catalogue::params_of(&ATTACKER));
    let mut files = Files { read: reading::options(matches)?, ..Files::of(reading::data_source(matches)) };
    columns::apply(matches, &mut files)?;
    let attacking = Attacking {
        files: flags::inputs(matches, files),
        release: path(matches, "release"),
        linkage: path(matches, "linkage").map(|path| reading::source(&path)),
        beside: path(matches, "beside")
            .zip(path(matches, "beside-linkage").map(|path| reading::source(&path))),
        settings: given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        seed: matches.get_one("seed").copied().unwrap_or(0),
    };
    if let Some(know) = matches.get_one::<String>("know") {
        let list = matches.get_one::<u32>("list").map_or(10, |list| *list as usize);
        let answered = throng_lab::play(&attacking, know, list, &session.progress)?;
        return match session.json {
            true => session.print_json("throng-attack-query/1", &answered),
            false => session.print(&page::answered(&answered)),
        };
    }
    let attacked = throng_lab::attack(&attacking, &session.progress)?;
    match session.json {
        true => session.print_json("throng-attack/1", &attacked),
        false => session.print(&page::attacked(&attacked)),
    }
}
