//! The command line as a whole: all subcommands, the flags they share, and how a wrong one is reported.

use std::ffi::OsString;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_contract::{Class, Failure};

use crate::commands;
use crate::failure::Stop;

const ABOUT: &str = "Publish person-level data so that nobody can be singled out";

const EXAMPLES: &str = "\
Examples:
  throng demo                                     the whole way, on a sample city
  throng generate city -o city                    sample data to play with
  throng inspect city/events.csv                  what an attacker could do today
  throng methods                                  what there is to choose from
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release
  throng verify release --promise km -k 5 -m 2

Exit codes: 0 ok, 1 internal, 2 usage, 3 bad input, 4 infeasible, 5 the promise does not hold,
6 judged in part, 7 refused, 130 interrupted.";

/// The whole command line, built from the table of commands.
pub fn command() -> Command {
    Command::new("throng")
        .bin_name("throng")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .max_term_width(100)
        .args(shared())
        .subcommands(commands::ALL.iter().map(|entry| (entry.command)()))
}

/// Flags that mean the same in every command.
fn shared() -> [Arg; 7] {
    [
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Print the result as one JSON object")
            .global(true),
        Arg::new("progress")
            .long("progress")
            .value_name("HOW")
            .value_parser(PossibleValuesParser::new(["auto", "json", "none"]))
            .default_value("auto")
            .help("Bars on a terminal, one JSON object a line on standard error, or nothing")
            .global(true),
        Arg::new("quiet")
            .short('q')
            .long("quiet")
            .action(ArgAction::SetTrue)
            .help("No messages and no progress; errors are still printed")
            .global(true),
        Arg::new("jobs")
            .long("jobs")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..=1024))
            .help("Number of threads [default: all cores]; the result does not depend on it")
            .global(true),
        Arg::new("limit")
            .long("limit")
            .value_name("NAME=N")
            .action(ArgAction::Append)
            .help("Set a limit: unpacked, whole, row, columns, depth, places, ledger")
            .global(true),
        // For children of the workbench.
        Arg::new("own-memory")
            .long("own-memory")
            .value_name("BYTES")
            .value_parser(value_parser!(u64).range(1..))
            .hide(true)
            .help("Most memory that this process may use"),
        // For children of the workbench, which must not outlive it.
        Arg::new("with-parent")
            .long("with-parent")
            .action(ArgAction::SetTrue)
            .hide(true)
            .help("End when standard input does"),
    ]
    .map(|arg| arg.help_heading("Shared options"))
}

/// Parses the arguments; help and version texts come back as [`Stop::Text`].
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<ArgMatches, Stop> {
    let arguments: Vec<OsString> = arguments.collect();
    command().try_get_matches_from(&arguments).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Stop::Text(error.render().ansi().to_string()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Stop::usage("a command is missing", "start with `throng demo`, or see `throng --help`")
        }
        _ => Stop::Failure(usage_failure(&error, &help_for(&arguments))),
    })
}

/// Says what clap found wrong in the form all our errors have.
fn usage_failure(error: &clap::Error, help: &str) -> Failure {
    let text = error.render().to_string();
    let message: Vec<&str> = text
        .trim_start_matches("error: ")
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .filter(|line| !line.starts_with("[possible values"))
        .collect();
    // Rendered texts quote names like 'this'; ours quote them like `this`.
    let message = message.join(" ").replace('\'', "`").trim_end_matches(':').to_owned();
    let suggestion =
        [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand]
            .into_iter()
            .find_map(|kind| match error.get(kind)? {
                ContextValue::String(name) => Some(name.clone()),
                ContextValue::Strings(names) => names.first().cloned(),
                _ => None,
            });
    let help = match (suggestion, error.get(ContextKind::ValidValue)) {
        (Some(name), _) => format!("did you mean `{name}`?"),
        (None, Some(ContextValue::Strings(valid))) if !valid.is_empty() => {
            format!("choose one of {}", valid.join(", "))
        }
        _ => format!("see `{help}`"),
    };
    Failure::new(Class::Usage, message).with_help(help)
}

/// The help text that belongs to what was typed: that of the command named, and of the one below it.
fn help_for(arguments: &[OsString]) -> String {
    let mut at = command();
    let mut names = vec!["throng".to_owned()];
    for typed in arguments.iter().skip(1).filter_map(|typed| typed.to_str()) {
        if let Some(below) = at.find_subcommand(typed).cloned() {
            names.push(below.get_name().to_owned());
            at = below;
        }
    }
    format!("{} --help", names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches flags of the catalogue that collide with each other or with our own.
    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
