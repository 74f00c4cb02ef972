//! Playing the attacker of a table: given some values of a person, how many rows fit, and what would be learned.

use std::collections::BTreeMap;

use throng_data::{ColumnKind, Cover, Dataset, RecodedColumn, RecodedTable, Release, Role, position};

use super::{ClueRequest, PlayAnswer, SharedItem, SharedSecret, short};
use crate::problem::Problem;

/// Values told of those who fit.
const MOST_SHARED: usize = 12;

/// Looks for every row that fits, in the data or in a release.
pub fn play(data: &Dataset, release: Option<&Release>, know: &[ClueRequest]) -> Result<PlayAnswer, Problem> {
    let nothing = || Problem::conflict("the release is no table").at("release");
    let table = match release {
        Some(release) => release.table.clone().ok_or_else(nothing)?,
        None => RecodedTable::identity(data.attributes.as_ref().ok_or_else(nothing)?),
    };
    let people = data.subjects.len();
    if table.columns.iter().any(|column| column.cells.len() != people) {
        return Err(Problem::wrong("the release is of other people than the data").at("release"));
    }
    // A suppressed row shows nothing, and nobody is found in it.
    let mut fits: Vec<bool> = (0..people).map(|person| !table.is_suppressed(person)).collect();
    for clue in know {
        let name = clue.column.as_deref().unwrap_or_default();
        let wrong = |what: &str| Problem::wrong(what).at("know");
        let Some(column) = table.column(name) else { return Err(wrong("no such column is published")) };
        let covers: Vec<bool> =
            column.covers.iter().map(|cover| holds(cover, &clue.item, column.kind)).collect();
        fits.iter_mut().zip(&column.cells).for_each(|(fits, cell)| *fits &= covers[*cell as usize]);
    }
    let known = |column: &&RecodedColumn| know.iter().any(|clue| clue.column.as_ref() == Some(&column.name));
    let matches = fits.iter().filter(|fits| **fits).count() as u64;
    let secrets = table.with_role(Role::Sensitive).filter(|column| !known(column));
    let mut sensitive: Vec<SharedSecret> = secrets
        .flat_map(|column| {
            let attribute = short(&column.name);
            counted(column, &fits).map(move |(value, people)| SharedSecret {
                attribute: Some(attribute.clone()),
                value,
                people,
                share: people as f64 / matches.max(1) as f64,
            })
        })
        .collect();
    sensitive.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.value.cmp(&b.value)));
    sensitive.truncate(MOST_SHARED);
    let others = table.with_role(Role::QuasiIdentifying).filter(|column| !known(column));
    let mut shared: Vec<SharedItem> = others
        .filter_map(|column| {
            let (value, people) = counted(column, &fits).max_by_key(|(_, people)| *people)?;
            Some(SharedItem { item: format!("{} {value}", short(&column.name)), people })
        })
        .collect();
    shared.sort_by_key(|shared| std::cmp::Reverse(shared.people));
    let is_sensitive = table.with_role(Role::Sensitive).next().is_some();
    Ok(PlayAnswer {
        matches,
        of: people as u64,
        shared_items: shared,
        sensitive: is_sensitive.then_some(sensitive),
    })
}

/// The values of a column among those who fit, with their people.
fn counted(column: &RecodedColumn, fits: &[bool]) -> impl Iterator<Item = (String, u64)> + use<> {
    let mut people: BTreeMap<String, u64> = BTreeMap::new();
    for (cell, _) in column.cells.iter().zip(fits).filter(|(_, fits)| **fits) {
        *people.entry(short(&column.covers[*cell as usize].render())).or_default() += 1;
    }
    people.into_iter()
}

/// Whether a cell may stand for a value; a suppressed one may stand for any.
fn holds(cover: &Cover, value: &str, kind: ColumnKind) -> bool {
    match cover {
        Cover::Value(own) => own == value,
        Cover::Node { members, .. } => members.iter().any(|member| member == value),
        Cover::Set(members) => members.iter().any(|member| member == value),
        Cover::Range { low, high } => {
            let at = |text: &str| position(text, kind);
            match (at(low), at(value), at(high)) {
                (Some(low), Some(value), Some(high)) => (low..=high).contains(&value),
                _ => false,
            }
        }
        Cover::Suppressed => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_what_it_may_stand_for() {
        let range = Cover::Range { low: "20".to_owned(), high: "29".to_owned() };
        assert!(holds(&range, "25", ColumnKind::Number) && !holds(&range, "30", ColumnKind::Number));
        assert!(!holds(&range, "text", ColumnKind::Number));
        let set = Cover::Set(vec!["a".to_owned(), "b".to_owned()]);
        assert!(holds(&set, "b", ColumnKind::Category) && !holds(&set, "c", ColumnKind::Category));
        assert!(holds(&Cover::Suppressed, "anything", ColumnKind::Category));
    }
}
