//! One query of an attacker of a table: which rows fit, and what they have in common.

use std::collections::BTreeMap;

use throng_data::{ColumnKind, Cover, RecodedColumn, RecodedTable, Role, position};

use crate::attack::{Common, Played};

/// A cell of a person that the attacker knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellClue {
    /// The column.
    pub column: String,
    /// Its value, as the data write it.
    pub value: String,
}

/// What a query tells.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedTable {
    /// Published rows, the suppressed ones included.
    pub of: u64,
    /// How many of them fit.
    pub people: u64,
    /// How many of the known cells were used; the columns of the others are not published.
    pub used: u64,
    /// The most common value of each further column that may be known, the most common first.
    pub columns: Vec<Held>,
    /// Sensitive values, the most common first.
    pub secrets: Vec<Held>,
}

/// A value that several rows have.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Its column.
    pub column: String,
    /// The value, as published.
    pub value: String,
    /// How many of those who fit have it.
    pub people: u64,
    /// Their share: the confidence with which it can be said of the target.
    pub share: f64,
}

/// Looks for every row that fits what is known. A suppressed row shows nothing, and fits no one.
pub fn play_table(table: &RecodedTable, know: &[CellClue]) -> PlayedTable {
    let rows = table.columns.first().map_or(0, |column| column.cells.len());
    let mut fits: Vec<bool> = (0..rows).map(|row| !table.is_suppressed(row)).collect();
    let mut used = 0;
    for clue in know {
        let Some(column) = table.column(&clue.column) else { continue };
        let covers: Vec<bool> =
            column.covers.iter().map(|cover| holds(cover, &clue.value, column.kind)).collect();
        fits.iter_mut().zip(&column.cells).for_each(|(fits, cell)| *fits &= covers[*cell as usize]);
        used += 1;
    }
    let people = fits.iter().filter(|fits| **fits).count() as u64;
    let unknown = |column: &&RecodedColumn| know.iter().all(|clue| clue.column != column.name);
    let others = table.columns.iter().filter(|column| column.role != Role::Sensitive).filter(unknown);
    let mut columns: Vec<Held> =
        others.filter_map(|column| held(column, &fits, people).into_iter().next()).collect();
    columns.sort_by_key(|held| std::cmp::Reverse(held.people));
    let secrets = table.with_role(Role::Sensitive).filter(unknown);
    let mut secrets: Vec<Held> = secrets.flat_map(|column| held(column, &fits, people)).collect();
    secrets.sort_by_key(|held| std::cmp::Reverse(held.people));
    PlayedTable { of: rows as u64, people, used, columns, secrets }
}

impl PlayedTable {
    /// The same in the words of [`Played`]: a value as `column=value`, at most `list` of them that are not sensitive.
    pub fn told(&self, list: usize) -> Played {
        let common = |held: &Held| Common {
            name: format!("{}={}", held.column, held.value),
            people: held.people,
            share: held.share,
        };
        Played {
            of: self.of,
            people: self.people,
            used: self.used,
            items: self.columns.iter().take(list).map(common).collect(),
            secrets: self.secrets.iter().map(common).collect(),
        }
    }
}

/// The values of a column among those who fit, the most common first, by name among equals.
fn held(column: &RecodedColumn, fits: &[bool], people: u64) -> Vec<Held> {
    let mut by_cover = vec![0_u64; column.covers.len()];
    for (cell, _) in column.cells.iter().zip(fits).filter(|(_, fits)| **fits) {
        by_cover[*cell as usize] += 1;
    }
    // Covers may be listed twice.
    let mut count: BTreeMap<String, u64> = BTreeMap::new();
    for (cover, held) in column.covers.iter().zip(by_cover).filter(|(_, held)| *held > 0) {
        *count.entry(cover.render()).or_default() += held;
    }
    let mut values: Vec<Held> = count
        .into_iter()
        .map(|(value, held)| Held {
            column: column.name.clone(),
            value,
            people: held,
            share: held as f64 / people.max(1) as f64,
        })
        .collect();
    values.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.value.cmp(&b.value)));
    values
}

/// Whether a cell may stand for a value; a suppressed one may stand for any.
fn holds(cover: &Cover, value: &str, kind: ColumnKind) -> bool {
    let at = |text: &str| position(text, kind);
    let same = |own: &str| own == value || at(own).zip(at(value)).is_some_and(|(own, value)| own == value);
    let between = |low: &str, high: &str| match (at(low), at(value), at(high)) {
        (Some(low), Some(value), Some(high)) => (low..=high).contains(&value),
        _ => false,
    };
    match cover {
        Cover::Value(own) => same(own),
        // A name above intervals stands for those intervals.
        Cover::Node { members, .. } => members.iter().any(|member| match Cover::parse(member) {
            Some(Cover::Range { low, high }) => same(member) || between(&low, &high),
            _ => same(member),
        }),
        Cover::Set(members) => members.iter().any(|member| same(member)),
        Cover::Range { low, high } => between(low, high),
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
        let above =
            Cover::Node { name: "young".to_owned(), members: ["[0,9]".into(), "[10,19]".into()].into() };
        assert!(holds(&above, "12", ColumnKind::Number) && !holds(&above, "20", ColumnKind::Number));
        assert!(holds(&Cover::Value("34".to_owned()), "34.0", ColumnKind::Number));
    }

    #[test]
    fn those_who_fit_tell_what_they_have_in_common() {
        let column = |name: &str, role, values: &[&str]| RecodedColumn {
            name: name.to_owned(),
            role,
            kind: ColumnKind::Category,
            covers: values.iter().map(|value| Cover::parse(value).unwrap()).collect(),
            cells: (0..values.len() as u32).collect(),
        };
        let table = RecodedTable {
            columns: vec![
                column("sex", Role::QuasiIdentifying, &["F", "{F|M}", "M", "*"]),
                column("town", Role::QuasiIdentifying, &["A", "A", "B", "*"]),
                column("ill", Role::Sensitive, &["flu", "flu", "cold", "*"]),
            ],
        };
        let know = [CellClue { column: "sex".to_owned(), value: "F".to_owned() }];
        let told = play_table(&table, &know).told(10);
        assert_eq!((told.of, told.people, told.used), (4, 2, 1));
        let named = |common: &Common| (common.name.clone(), common.people);
        assert_eq!(told.items.iter().map(named).collect::<Vec<_>>(), [("town=A".to_owned(), 2)]);
        assert_eq!(told.secrets.iter().map(named).collect::<Vec<_>>(), [("ill=flu".to_owned(), 2)]);
    }
}
