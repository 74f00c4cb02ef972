//! The flag that says how usefulness is graded: one for every command that grades a release.

use clap::ArgMatches;
use throng_lab::Limits;

use crate::failure::Stop;

/// The limits that were given, in place of others.
pub fn apply(matches: &ArgMatches, limits: &mut Limits) -> Result<(), Stop> {
    if let Some(given) = matches.get_many::<String>("usefulness") {
        *limits = Limits::parse(given.map(String::as_str))?;
    }
    Ok(())
}
