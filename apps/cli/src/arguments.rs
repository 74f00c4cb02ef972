//! The command line as a whole: all subcommands, the flags they share, and how a wrong one is reported.

use std::ffi::OsString;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_contract::{Class, Failure};
use throng_lab::catalogue;

use crate::commands;
use crate::failure::Stop;
use crate::help::{self, Length};

const ABOUT: &str = "Publish person-level data so that no person can be singled out";

const EXAMPLES: &str = "\
Examples:
  throng demo                      every step, on a sample city
  throng generate city -o city     sample data
  throng inspect city/events.csv   what the data are, and what an attacker could do with them today
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release

One command: `throng COMMAND --help`. Exit codes: `throng --help-all`.";

const ALL_EXAMPLES: &str = "\
Examples:
  throng demo                      every step, on a sample city
  throng generate city -o city     sample data
  throng inspect city/events.csv   what the data are, and what an attacker could do with them today
  throng methods                   what there is to choose from
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release
  throng verify release --promise km -k 5 -m 2

Exit codes: 0 ok, 1 internal, 2 usage, 3 bad input, 4 infeasible, 5 the promise does not hold,
6 partly verified, 7 refused, 130 interrupted.";

/// The whole command line, built from the table of commands.
pub fn command() -> Command {
    Command::new("throng")
        .bin_name("throng")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(EXAMPLES)
        .after_long_help(ALL_EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .max_term_width(100)
        .args(help::flags())
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
            .help("Set a limit, for example columns=200000; `--limit x=1` lists all")
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
    .map(|arg| arg.help_heading(help::SHARED_OPTIONS))
}

/// Parses the arguments; help and version texts come back as [`Stop::Text`].
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<ArgMatches, Stop> {
    let arguments: Vec<OsString> = arguments.collect();
    command().try_get_matches_from(&arguments).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp => help_asked(&arguments),
        ErrorKind::DisplayVersion => Stop::Text(error.render().ansi().to_string()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Stop::usage("a command is missing", "start with `throng demo`, or see `throng --help`")
        }
        _ => Stop::Failure(usage_failure(&error, &Typed::of(&arguments))),
    })
}

/// The help that was asked for: of one value that was named, or of the command.
fn help_asked(arguments: &[OsString]) -> Stop {
    let typed = Typed::of(arguments);
    let length = Length::of(&typed.words);
    if length != Length::All {
        match topic_help(arguments, &typed) {
            Ok(Some(text)) => return Stop::Text(text),
            Ok(None) => {}
            Err(stop) => return stop,
        }
    }
    let mut program = command();
    program.build();
    let below = |at: &Command, name: &String| at.find_subcommand(name).cloned();
    let asked = typed.names.iter().skip(1).try_fold(program.clone(), |at, name| below(&at, name));
    Stop::Text(help::text(&asked.unwrap_or(program), length).ansi().to_string())
}

/// The help of the method, promise, measure or world that the command line names beside the flag of the help.
fn topic_help(arguments: &[OsString], typed: &Typed) -> Result<Option<String>, Stop> {
    let entry = commands::ALL.iter().find(|entry| Some((entry.command)().get_name()) == typed.name());
    let Some(topic) = entry.and_then(|entry| entry.topic) else { return Ok(None) };
    let rest = arguments.iter().filter(|word| !word.to_str().is_some_and(help::is_flag));
    let rest: Vec<&OsString> = rest.collect();
    if let Err(error) = command().try_get_matches_from(&rest)
        && error.kind() == ErrorKind::InvalidValue
    {
        return Err(Stop::Failure(usage_failure(&error, typed)));
    }
    // What else is missing does not matter to the help.
    let Ok(matches) = command().ignore_errors(true).try_get_matches_from(&rest) else { return Ok(None) };
    let named = matches.subcommand().and_then(|(_, matches)| matches.get_many::<String>(topic.argument));
    let texts: Vec<String> =
        named.into_iter().flatten().map(|name| (topic.describe)(name)).collect::<Result<_, _>>()?;
    Ok((!texts.is_empty()).then(|| texts.join("\n")))
}

/// Says what clap found wrong in the form all our errors have.
fn usage_failure(error: &clap::Error, typed: &Typed) -> Failure {
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
        _ => {
            let example = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::Strings(missing))
                    if error.kind() == ErrorKind::MissingRequiredArgument =>
                {
                    typed.example(missing)
                }
                _ => None,
            };
            let example = example.map_or_else(String::new, |line| format!("for example `{line}`; "));
            format!("{example}see `{} --help`", typed.names.join(" "))
        }
    };
    Failure::new(Class::Usage, message).with_help(help)
}

/// What was typed: the command, the one below it, and the words behind.
struct Typed {
    names: Vec<String>,
    command: Command,
    words: Vec<String>,
}

impl Typed {
    /// The command, where one was typed.
    fn name(&self) -> Option<&str> {
        self.names.get(1).map(String::as_str)
    }

    fn of(arguments: &[OsString]) -> Self {
        let (mut names, mut at) = (vec!["throng".to_owned()], command());
        let words: Vec<String> =
            arguments.iter().skip(1).filter_map(|typed| typed.to_str()).map(str::to_owned).collect();
        for word in &words {
            if let Some(below) = at.find_subcommand(word).cloned() {
                names.push(below.get_name().to_owned());
                at = below;
            }
        }
        Typed { names, command: at, words }
    }

    /// A line that has what is missing: of the method that was named, or of the command's own help.
    fn example(&self, missing: &[String]) -> Option<String> {
        let named = self.words.iter().position(|word| word == "--method");
        let method = named.and_then(|at| catalogue::method(self.words.get(at + 1)?).ok());
        if let Some(method) = method.filter(|_| self.command.get_name() == "anonymize") {
            return Some(method.descriptor().example.to_owned());
        }
        let help = self.command.get_after_long_help().or(self.command.get_after_help())?;
        let help = help.to_string().replace("\\\n", " ");
        let start = format!("{} ", self.names.join(" "));
        // What stands behind a command in words is set apart by three blanks or more.
        let lines = help.lines().map(str::trim).filter(|line| line.starts_with(&start));
        let lines: Vec<&str> =
            lines.map(|line| line.split_once("   ").map_or(line, |(line, _)| line)).collect();
        let has = |line: &str, flag: &str| {
            let arg = self.command.get_arguments().find(|arg| arg.get_long() == flag.strip_prefix("--"));
            let short = arg.and_then(Arg::get_short).map(|letter| format!("-{letter}"));
            line.split(' ').any(|word| word == flag || Some(word) == short.as_deref())
        };
        let flags: Vec<&str> = missing.iter().filter_map(|name| name.split(' ').next()).collect();
        let flags: Vec<&str> = flags.into_iter().filter(|flag| flag.starts_with("--")).collect();
        let best = lines.iter().find(|line| flags.iter().all(|flag| has(line, flag)));
        let line = best.or(lines.first())?;
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    }
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
