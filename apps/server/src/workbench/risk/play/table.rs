//! Playing the attacker of a table: given some values of a person, how many rows fit, and what would be learned.

use throng_data::{Dataset, RecodedTable, Release, Role};
use throng_measure::attack::table::{CellClue, Held, play_table};

use super::{ClueRequest, PlayAnswer, SharedItem, SharedSecret, short};
use crate::platform::problem::Problem;

/// Values told of those who fit.
const MAX_SHARED: usize = 12;

/// Looks for every row that fits, in the data or in a release.
pub fn play(data: &Dataset, release: Option<&Release>, know: &[ClueRequest]) -> Result<PlayAnswer, Problem> {
    let nothing = || Problem::conflict("the release is no table").at("release");
    let table = match release {
        Some(release) => release.table().cloned().ok_or_else(nothing)?,
        None => RecodedTable::identity(data.attributes.as_ref().ok_or_else(nothing)?),
    };
    if table.columns.iter().any(|column| column.cells.len() != data.subjects.len()) {
        return Err(Problem::wrong("the release is of other people than the data").at("release"));
    }
    let clue = |clue: &ClueRequest| {
        let column = clue.column.clone().unwrap_or_default();
        match table.column(&column) {
            Some(_) => Ok(CellClue { column, value: clue.item.clone() }),
            None => Err(Problem::wrong("no such column is published").at("know")),
        }
    };
    let know: Vec<CellClue> = know.iter().map(clue).collect::<Result<_, Problem>>()?;
    let played = play_table(&table, &know);
    let item = |held: &Held| SharedItem {
        item: format!("{} {}", short(&held.column), short(&held.value)),
        people: held.people,
    };
    let secret = |held: &Held| SharedSecret {
        attribute: Some(short(&held.column)),
        value: short(&held.value),
        people: held.people,
        share: held.share,
    };
    let is_sensitive = table.with_role(Role::Sensitive).next().is_some();
    Ok(PlayAnswer {
        matches: played.people,
        of: played.of,
        shared_items: played.columns.iter().map(item).collect(),
        sensitive: is_sensitive.then(|| played.secrets.iter().take(MAX_SHARED).map(secret).collect()),
    })
}
