//! `throng man`: manual pages, one for the program and one for each command.

use std::fs;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use clap_mangen::Man;
use throng_contract::{Class, Failure};

use super::{ALL, output, path};
use crate::arguments;
use crate::failure::Stop;
use crate::layout::counted;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng man > throng.1                 the page of the program
  throng man methods > methods.1        the page of one command
  throng man -o man1                    all pages, into a directory";

/// Name, flags and help.
pub fn command() -> Command {
    // `man` itself is left out: naming it here would build this command without end.
    let names = ALL.iter().filter(|entry| !std::ptr::fn_addr_eq(entry.command, command as fn() -> Command));
    let names: Vec<String> = names.map(|entry| (entry.command)().get_name().to_owned()).collect();
    Command::new("man")
        .about("Print or write manual pages")
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("The command whose page to print [default: the program itself]"),
        )
        .arg(output("Write the pages of all commands into this directory").conflicts_with("command"))
        .after_help(EXAMPLES)
}

/// Prints one page, or writes all.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let mut program = arguments::command();
    program.build();
    if let Some(directory) = path(matches, "output") {
        return write_all(&program, &directory, session);
    }
    let wanted = matches.get_one::<String>("command");
    let subject = wanted.and_then(|name| program.find_subcommand(name)).unwrap_or(&program);
    session.print(&String::from_utf8_lossy(&page(subject)?))
}

fn write_all(program: &Command, directory: &Path, session: &Session) -> Result<(), Stop> {
    let refused = |what: &Path, error: std::io::Error| {
        Failure::new(Class::BadInput, format!("`{}` cannot be written: {error}", what.display()))
            .with_help("choose a directory you may write to with `-o DIR`")
    };
    fs::create_dir_all(directory).map_err(|error| refused(directory, error))?;
    let mut pages = vec![program];
    let mut next = 0;
    while let Some(command) = pages.get(next) {
        pages.extend(command.get_subcommands());
        next += 1;
    }
    for command in &pages {
        let path = directory.join(format!("{}.1", page_name(command)));
        fs::write(&path, page(command)?).map_err(|error| refused(&path, error))?;
    }
    let written = counted(pages.len() as u64, "page", "pages");
    session.say(&format!("wrote {written} to {}\n", directory.display()));
    Ok(())
}

fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn page(command: &Command) -> Result<Vec<u8>, Stop> {
    let mut text = Vec::new();
    Man::new(command.clone().name(page_name(command)))
        .render(&mut text)
        .map_err(|error| Stop::writing(&error))?;
    Ok(text)
}
