//! What a release and the earlier ones of the same people give away together, looked at before it is written.

use std::sync::Arc;

use throng_contract::{Class, Failure};
use throng_lab::ledger::{Entry, Ledger, MOST_ATTACKED, Recorded, compare_before_writing};
use throng_lab::{Before, Finished, Recipe, Run, Together};

use crate::failure::Stop;
use crate::reading;
use crate::session::Session;

/// The release that this one is made after, if it is.
pub fn before(
    recipe: &Recipe,
    ledger: Option<&Ledger>,
    session: &Session,
) -> Result<Option<Arc<Before>>, Stop> {
    let Some(directory) = &recipe.after else { return Ok(None) };
    let linkage = recipe.after_linkage.as_ref().map(|path| reading::source(path));
    let data = &recipe.data.files.data;
    let before = Before::read(directory, linkage.as_ref(), ledger, data, &session.progress)?;
    Ok(Some(Arc::new(before)))
}

/// Compares a release with the earlier ones of the same people while it is not written yet, and says what both break together.
pub fn compared(
    ledger: &Ledger,
    run: &Run,
    finished: &Finished,
    drafted: &Entry,
    together: Together,
    session: &Session,
) -> Result<Recorded, Stop> {
    let most = if together == Together::Refuse { usize::MAX } else { MOST_ATTACKED };
    let compared = compare_before_writing(ledger, run, finished, drafted, most, &session.progress)?;
    // A trial is not published.
    if drafted.trial {
        return Ok(compared);
    }
    for earlier in &compared.earlier {
        let broken = earlier.broken();
        let unknown = earlier.not_compared().filter(|_| together == Together::Refuse);
        let (number, directory) = (earlier.number, &earlier.directory);
        let why = match (broken.as_slice(), unknown) {
            ([], None) => continue,
            ([], Some(why)) => {
                format!("cannot be compared with release {number} (`{directory}`) of the same people: {why}")
            }
            (broken, _) => {
                format!(
                    "breaks its promise together with release {number} (`{directory}`): {}",
                    broken.join("; ")
                )
            }
        };
        if together == Together::Refuse {
            return Err(Stop::Failure(
                Failure::new(Class::Refused, format!("nothing was written: the release {why}")).with_help(
                    "make it safe together with a table of before with `--after DIRECTORY`, publish the earlier one again, or say `--together warn`",
                ),
            ));
        }
        session.say(&format!("warning: the release, which is not written yet, {why}\n"));
    }
    Ok(compared)
}
