//! `throng read-workbook`: reads a workbook from standard input for another process of the program, within limits. Not for people, and not in
//! the help.

use std::io;

use clap::{ArgMatches, Command};
use throng_contract::{Class, Failure};
use throng_data::formats::read_workbook_for_parent;

use crate::failure::Stop;
use crate::session::Session;

/// The name of the command.
pub const NAME: &str = "read-workbook";

/// Name and help.
pub fn command() -> Command {
    Command::new(NAME).about("The cells of a workbook, for another process of the program").hide(true)
}

/// Reads the workbook and prints what it holds.
pub fn run(_: &ArgMatches, _: &Session) -> Result<(), Stop> {
    read_workbook_for_parent(io::stdin().lock(), io::stdout().lock()).map_err(|error| {
        Failure::new(Class::Internal, format!("the workbook cannot be handed on: {error}")).into()
    })
}
