//! The flag that says how usefulness is graded: one for every command that grades a release.

use clap::{Arg, ArgAction, ArgMatches};
use throng_lab::Limits;

use crate::failure::Stop;

/// `--usefulness NAME=LIMITED,POOR`.
pub fn flag() -> Arg {
    Arg::new("usefulness").long("usefulness").value_name("NAME=LIMITED,POOR").action(ArgAction::Append).help(
        "Thresholds for \"limited\" and \"poor\": events=10%,50%; `throng methods usefulness` lists all",
    )
}

/// The limits that were given, in place of others.
pub fn apply(matches: &ArgMatches, limits: &mut Limits) -> Result<(), Stop> {
    if let Some(given) = matches.get_many::<String>("usefulness") {
        *limits = Limits::parse(given.map(String::as_str))?;
    }
    Ok(())
}
