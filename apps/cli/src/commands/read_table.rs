//! `throng read-table`: reads a file for the workbench, which limits what it may cost. Not for people, and not in the help.

use std::io;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::path;
use crate::failure::Stop;
use crate::session::Session;

/// Name, flags and help.
pub fn command() -> Command {
    let parser = value_parser!(PathBuf);
    Command::new(throng_server::READ_TABLE)
        .about("The cells of a file, for the workbench")
        .hide(true)
        .arg(Arg::new("file").value_name("FILE").required(true).value_parser(parser))
}

/// Reads the file and prints the table.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let file = path(matches, "file").unwrap_or_default();
    Ok(throng_server::read_for_parent(&file, io::stdout().lock(), &session.progress)?)
}
