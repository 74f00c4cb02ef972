//! `throng cell`: one cell of a comparison, as its parent orders. Not for people, and not in the help.

use clap::{ArgMatches, Command};
use throng_lab::compare::Order;

use crate::failure::Stop;
use crate::session::Session;

/// Name of the command.
pub const NAME: &str = "cell";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new(NAME).about("One cell of a comparison, as ordered on standard input").hide(true)
}

/// Takes an order, and prints the outcome.
pub fn run(_: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let order = Order::receive(&session.progress)?;
    session.print_object(&order.follow(&session.progress)?)
}
