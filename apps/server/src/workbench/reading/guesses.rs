//! What values say of columns: whether a row is a person, whether cells hold sets, what an attribute is.

use std::collections::BTreeSet;

use throng_data::recognize::direct_identifier;

use super::{ColumnRole, LOOKED_AT};
use crate::workbench::data::summary::kind_of;
use crate::workbench::working_table::{WorkingColumn, WorkingTable};

/// Whether a file without items has a row for each person: no person has two rows, or many columns say neither who nor when.
pub(super) fn looks_like_people(working_table: &WorkingTable, person: Option<usize>) -> bool {
    match person {
        Some(person) => !repeats(working_table, person),
        None => {
            let columns = &working_table.columns;
            let values = |column: &WorkingColumn| {
                let codes = 0..column.values.len() as u32;
                kind_of(codes.map(|code| column.values.name(code)))
            };
            columns.len() > 3 && !columns.iter().any(|column| values(column) == "time")
        }
    }
}

/// What may separate the items of a cell.
const SEPARATORS: [char; 4] = [';', '|', ',', ' '];

/// The first column whose cells hold sets of items, and what separates them.
pub(super) fn set_column(working_table: &WorkingTable) -> Option<(usize, char)> {
    (0..working_table.columns.len()).find_map(|column| Some((column, separator_of(working_table, column)?)))
}

/// Different cells from which on a column may hold sets.
const FEWEST_SETS: usize = 10;

/// What separates the items of a column's cells, if they are sets: their parts come back, there are more different cells than parts, some cells have
/// few parts and others many, and none twice. A phrase that many people share is no set.
pub(super) fn separator_of(working_table: &WorkingTable, column: usize) -> Option<char> {
    let text = |row: usize| working_table.columns[column].text(row).trim();
    let cells: Vec<&str> = working_table.rows().take(LOOKED_AT).map(text).collect();
    if matches!(kind_of(cells.iter().copied()), "time" | "number" | "empty") {
        return None;
    }
    let distinct: BTreeSet<&str> = cells.iter().copied().collect();
    let sets = |separator: &char| {
        let (mut lengths, mut kinds, mut total, mut twice) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
        for cell in &cells {
            let parts: Vec<&str> =
                cell.split(*separator).map(str::trim).filter(|part| !part.is_empty()).collect();
            let own: BTreeSet<&str> = parts.iter().copied().collect();
            twice += usize::from(own.len() < parts.len());
            lengths.insert(parts.len());
            total += parts.len();
            kinds.extend(own);
        }
        lengths.len() >= 3
            && kinds.len() * 2 <= total
            && kinds.len() < distinct.len()
            && twice * 20 <= cells.len()
    };
    SEPARATORS.into_iter().find(sets).filter(|_| distinct.len() >= FEWEST_SETS)
}

/// Whether a column has the same value in two rows.
pub(super) fn repeats(working_table: &WorkingTable, column: usize) -> bool {
    working_table.tally(column).iter().any(|rows| *rows > 1)
}

/// What an attribute is, until the user says so, and why: a column that identifies people directly names them; an attacker may know any other.
pub(super) fn guess_attribute(working_table: &WorkingTable, column: usize) -> (ColumnRole, String) {
    let name = &working_table.columns[column].name;
    let cells = working_table.rows().map(|row| working_table.columns[column].text(row));
    match direct_identifier(name, cells) {
        Some(found) => (ColumnRole::Identifying, found.reason),
        None => (ColumnRole::QuasiIdentifying, String::new()),
    }
}
