//! One file for each command, and the table that names them.

mod anonymize;
mod attack;
mod cell;
mod compare;
mod completions;
mod constraints;
mod demo;
mod generate;
mod group;
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

use std::fs;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::de::DeserializeOwned;

pub use self::group::Group;
use crate::failure::Stop;
use crate::session::Session;

/// A command: where the help lists it, how it is parsed, and what it does.
pub struct CommandEntry {
    /// The heading of the help under which it is listed.
    pub group: Group,
    /// Name, flags and help.
    pub command: fn() -> Command,
    /// What it does.
    pub run: fn(&ArgMatches, &Session) -> Result<(), Stop>,
    /// What its help describes when an argument names it.
    pub topic: Option<Topic>,
}

/// An argument whose values have a help text each: `throng anonymize --method seqanon --help`.
#[derive(Clone, Copy)]
pub struct Topic {
    /// Id of the argument.
    pub argument: &'static str,
    /// The help of one value.
    pub describe: fn(&str) -> Result<String, Stop>,
}

impl CommandEntry {
    const fn new(
        group: Group,
        command: fn() -> Command,
        run: fn(&ArgMatches, &Session) -> Result<(), Stop>,
    ) -> Self {
        CommandEntry { group, command, run, topic: None }
    }

    const fn with_topic(self, argument: &'static str, describe: fn(&str) -> Result<String, Stop>) -> Self {
        CommandEntry { topic: Some(Topic { argument, describe }), ..self }
    }
}

/// Every command, in the order of the help text.
pub const ALL: &[CommandEntry] = &[
    CommandEntry::new(Group::Start, demo::command, demo::run),
    CommandEntry::new(Group::Start, generate::command, generate::run).with_topic("world", generate::describe),
    CommandEntry::new(Group::Start, serve::open_command, serve::run),
    CommandEntry::new(Group::Start, serve::command, serve::run),
    CommandEntry::new(Group::Start, completions::command, completions::run),
    CommandEntry::new(Group::Start, man::command, man::run),
    CommandEntry::new(Group::Look, inspect::command, inspect::run),
    CommandEntry::new(Group::Look, methods::command, methods::run),
    CommandEntry::new(Group::Prepare, prepare::command, prepare::run),
    CommandEntry::new(Group::Prepare, hierarchy::command, hierarchy::run),
    CommandEntry::new(Group::Prepare, hierarchy::taxonomy_command, hierarchy::run),
    CommandEntry::new(Group::Prepare, constraints::command, constraints::run),
    CommandEntry::new(Group::Prepare, policy::command, policy::run),
    CommandEntry::new(Group::Protect, recommend::command, recommend::run),
    CommandEntry::new(Group::Protect, anonymize::command, anonymize::run)
        .with_topic("method", methods::method_help),
    CommandEntry::new(Group::Judge, verify::command, verify::run)
        .with_topic("promise", methods::promise_help),
    CommandEntry::new(Group::Judge, measure::command, measure::run)
        .with_topic("measure", methods::measure_help),
    CommandEntry::new(Group::Judge, workload::command, workload::run),
    CommandEntry::new(Group::Judge, attack::command, attack::run),
    CommandEntry::new(Group::Publish, report::command, report::run),
    CommandEntry::new(Group::Publish, ledger::command, ledger::run),
    CommandEntry::new(Group::Explore, compare::command, compare::run),
    CommandEntry::new(Group::Explore, mine::command, mine::run),
    CommandEntry::new(Group::Explore, reconstruct::command, reconstruct::run),
    CommandEntry::new(Group::Internal, cell::command, cell::run),
    CommandEntry::new(Group::Internal, read_table::command, read_table::run),
    CommandEntry::new(Group::Internal, read_workbook::command, read_workbook::run),
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

/// Id of [`plan`].
const PLAN: &str = "plan";

/// `--plan FILE`: what another process of the program checked and wrote down, in place of all that people say.
fn plan() -> Arg {
    let help = "Do what was planned by the program that starts this one";
    Arg::new(PLAN).long(PLAN).value_name("FILE").value_parser(value_parser!(PathBuf)).hide(true).help(help)
}

/// The plan, if there is one.
fn planned<T: DeserializeOwned>(matches: &ArgMatches) -> Result<Option<T>, Stop> {
    let read = |file: PathBuf| {
        let refused = |why: String| {
            let what = format!("`{}` holds no plan: {why}", file.display());
            Stop::usage(what, "a plan is what the workbench writes for its own jobs; give a recipe instead")
        };
        let text = fs::read(&file).map_err(|error| refused(error.to_string()))?;
        serde_json::from_slice(&text).map_err(|error| refused(error.to_string()))
    };
    path(matches, PLAN).map(read).transpose()
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
