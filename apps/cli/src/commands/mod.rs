//! One file for each command, and the table that names them.

mod anonymize;
mod attack;
mod cell;
mod compare;
mod completions;
mod constraints;
mod demo;
mod generate;
mod hierarchy;
mod inspect;
mod ledger;
mod man;
mod measure;
mod methods;
mod mine;
mod policy;
mod prepare;
mod read_table;
pub mod read_workbook;
mod recommend;
mod reconstruct;
mod report;
mod serve;
mod verify;
mod workload;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::failure::Stop;
use crate::session::Session;

/// A command: how it is parsed, and what it does.
pub struct Entry {
    /// Name, flags and help.
    pub command: fn() -> Command,
    /// What it does.
    pub run: fn(&ArgMatches, &Session) -> Result<(), Stop>,
}

/// Every command, in the order of the help text.
pub const ALL: &[Entry] = &[
    Entry { command: demo::command, run: demo::run },
    Entry { command: generate::command, run: generate::run },
    Entry { command: inspect::command, run: inspect::run },
    Entry { command: prepare::command, run: prepare::run },
    Entry { command: hierarchy::command, run: hierarchy::run },
    Entry { command: hierarchy::taxonomy_command, run: hierarchy::run },
    Entry { command: constraints::command, run: constraints::run },
    Entry { command: policy::command, run: policy::run },
    Entry { command: reconstruct::command, run: reconstruct::run },
    Entry { command: methods::command, run: methods::run },
    Entry { command: recommend::command, run: recommend::run },
    Entry { command: anonymize::command, run: anonymize::run },
    Entry { command: verify::command, run: verify::run },
    Entry { command: measure::command, run: measure::run },
    Entry { command: workload::command, run: workload::run },
    Entry { command: attack::command, run: attack::run },
    Entry { command: report::command, run: report::run },
    Entry { command: ledger::command, run: ledger::run },
    Entry { command: compare::command, run: compare::run },
    Entry { command: mine::command, run: mine::run },
    Entry { command: serve::command, run: serve::run },
    Entry { command: serve::open_command, run: serve::run },
    Entry { command: completions::command, run: completions::run },
    Entry { command: man::command, run: man::run },
    Entry { command: cell::command, run: cell::run },
    Entry { command: read_table::command, run: read_table::run },
    Entry { command: read_workbook::command, run: read_workbook::run },
];

/// Runs the command that was asked for.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Stop::usage("a command is missing", "see `throng --help`"));
    };
    match ALL.iter().find(|entry| (entry.command)().get_name() == name) {
        Some(entry) => (entry.run)(matches, session),
        None => Err(Stop::usage(format!("there is no command `{name}`"), "see `throng --help`")),
    }
}

/// `-o DIR`.
fn output(help: &'static str) -> Arg {
    let parser = value_parser!(PathBuf);
    Arg::new("output").short('o').long("output").value_name("DIR").value_parser(parser).help(help)
}

/// `--force`.
fn force(help: &'static str) -> Arg {
    Arg::new("force").long("force").action(ArgAction::SetTrue).help(help)
}

/// `--seed S`.
fn seed() -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("S")
        .value_parser(value_parser!(u64))
        .default_value("0")
        .help("Seed of every random choice")
}

/// A path that was given.
fn path(matches: &ArgMatches, name: &str) -> Option<PathBuf> {
    matches.get_one::<PathBuf>(name).cloned()
}
