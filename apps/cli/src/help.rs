//! Help of three lengths: `-h` lists the essential options, `--help` adds examples and the names of all other options, `--help-all`
//! explains every option. With the name of a method, promise, measure or world, `--help` describes that one.
//!
//! An option that is not essential is marked with [`more`]; manual pages and completions have them all.

use std::fmt::Write;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};

use crate::commands::{self, Group};
use crate::layout::wrap;

/// Heading of the parameters of methods, promises or measures, which the help of each one explains.
pub const SHARED_PARAMS: &str = "Method parameters, methods in brackets";

/// Heading of the options that all commands have.
pub const SHARED_OPTIONS: &str = "Shared options";

/// Columns of the texts that are laid out here; clap's are as wide.
const WIDTH: usize = 100;

/// Behind all other options.
const LAST: usize = 1000;

/// What the shortest help ends with.
const LONGER: &str = "Examples, and the names of other options: `--help`";

/// How much help was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// `-h`.
    Short,
    /// `--help`.
    Screen,
    /// `--help-all`.
    All,
}

impl Length {
    /// The length that the words of a command line ask for.
    pub fn of(words: &[String]) -> Self {
        let has = |flag: &str| words.iter().any(|word| word == flag);
        match (has("--help-all"), has("--help")) {
            (true, _) => Length::All,
            (false, true) => Length::Screen,
            (false, false) => Length::Short,
        }
    }
}

/// Whether a word asks for help, and says nothing else.
pub fn is_flag(word: &str) -> bool {
    ["-h", "--help", "--help-all"].contains(&word)
}

/// The flags that ask for help.
pub fn flags() -> [Arg; 2] {
    [
        Arg::new("help").short('h').long("help").action(ArgAction::Help).help("Print help; `-h` is shorter"),
        Arg::new("help-all").long("help-all").action(ArgAction::HelpLong).help("Explain every option"),
    ]
    .map(|arg| arg.global(true).display_order(LAST))
}

/// Leaves an option to `--help-all`.
pub fn more(arg: Arg) -> Arg {
    arg.hide_short_help(true)
}

/// Leaves all options of a command to `--help-all` but the essential ones.
pub fn essential(command: Command, essential: &[&str]) -> Command {
    command.mut_args(|arg| if essential.contains(&arg.get_id().as_str()) { arg } else { more(arg) })
}

/// The help of a command, which has been built.
pub fn text(command: &Command, length: Length) -> StyledStr {
    let mut command = command.clone();
    let screen = command.get_after_help().cloned();
    let after = match length {
        Length::Short => Some(LONGER.into()),
        Length::Screen => screen,
        Length::All => command.get_after_long_help().cloned().or(screen),
    };
    command = command.after_long_help(None).after_help(after.unwrap_or_default());
    command = command.mut_args(|arg| match length {
        Length::All => arg.hide_short_help(false),
        _ if arg.get_help_heading() == Some(SHARED_OPTIONS) => more(arg),
        _ => arg,
    });
    let rest = if length == Length::Screen { left_out(&command) } else { String::new() };
    let mut groups = String::new();
    if command.get_name() == "throng" {
        groups = by_group(&command);
        // They are listed in the template.
        command =
            command.override_usage("throng [OPTIONS] <COMMAND>").mut_subcommands(|below| below.hide(true));
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{{all-args}}{rest}{{after-help}}"
    );
    command.help_template(template).render_help()
}

/// The commands by group, one line each.
fn by_group(program: &Command) -> String {
    let style = program.get_styles();
    let (heading, name) = (style.get_header(), style.get_literal());
    let listed = program.get_subcommands().filter(|command| !command.is_hide_set());
    let width = listed.map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for group in Group::LISTED {
        let _ = writeln!(text, "{heading}{}:{heading:#}", group.heading());
        for entry in commands::ALL.iter().filter(|entry| entry.group == group) {
            let command = (entry.command)();
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name}{:width$}{name:#}  {about}", command.get_name());
        }
    }
    text.push('\n');
    text
}

/// The names of the options that only `--help-all` explains, by heading.
fn left_out(command: &Command) -> String {
    let mut sections: Vec<(&str, Vec<String>)> = Vec::new();
    for arg in command.get_arguments().filter(|arg| arg.is_hide_short_help_set() && !arg.is_hide_set()) {
        let heading = arg.get_help_heading().unwrap_or("Options");
        if heading == SHARED_PARAMS {
            continue;
        }
        let flag = match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => continue,
        };
        match sections.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, flags)) => flags.push(flag),
            None => sections.push((heading, vec![flag])),
        }
    }
    if sections.is_empty() {
        return String::new();
    }
    let style = command.get_styles().get_header();
    let mut text = format!("\n\n{style}More, with `--help-all`:{style:#}\n");
    let width = sections.iter().map(|(heading, _)| heading.len()).max().unwrap_or(0);
    for (heading, flags) in sections {
        let mut lead = heading;
        for line in wrap(&flags.join(" "), WIDTH - width - 4) {
            let _ = writeln!(text, "  {lead:width$}  {line}");
            lead = "";
        }
    }
    text.truncate(text.trim_end().len());
    text
}
