//! `throng completions`: scripts that let a shell complete commands, flags and method names.

use clap::builder::EnumValueParser;
use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;

use crate::arguments;
use crate::failure::Stop;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng completions bash > ~/.local/share/bash-completion/completions/throng
  throng completions zsh > ~/.zfunc/_throng
  throng completions fish > ~/.config/fish/completions/throng.fish";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("completions")
        .about("Print a completion script for a shell")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(EnumValueParser::<Shell>::new())
                .help("The shell to complete in"),
        )
        .after_help(EXAMPLES)
}

/// Prints the script.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let mut script = Vec::new();
    if let Some(shell) = matches.get_one::<Shell>("shell") {
        clap_complete::generate(*shell, &mut arguments::command(), "throng", &mut script);
    }
    session.print(&String::from_utf8_lossy(&script))
}
