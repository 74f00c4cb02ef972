//! What readers find in the columns of a working table.

use throng_data::formats::{Format, ReadOptions};
use throng_data::recognize::{FoundRole, Question, recognize_columns};

use super::{ColumnRole, LOOKED_AT};
use crate::workbench::working_table::WorkingTable;

/// Roles of events, in the order in which the reader looks for them.
pub(super) const EVENT_ROLES: [(ColumnRole, FoundRole); 4] = [
    (ColumnRole::Subject, FoundRole::Subject),
    (ColumnRole::Record, FoundRole::Record),
    (ColumnRole::Item, FoundRole::Item),
    (ColumnRole::Time, FoundRole::Time),
];

/// Columns of the events that belong to the person or to the item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Belonging {
    /// Those that never change for a person.
    pub attributes: Vec<usize>,
    /// The two coordinates of an item.
    pub coordinates: Option<[usize; 2]>,
    /// Whether they are x and y of a plane.
    pub plane: bool,
    /// The category of an item.
    pub category: Option<usize>,
}

/// What readers find in the columns: those of the roles of events, why each column is what it is, and what is unclear.
pub(super) struct FoundColumns {
    pub columns: [Option<usize>; 4],
    pub belonging: Belonging,
    pub reasons: Vec<String>,
    pub question: Option<Question>,
}

/// Asks as the command line would.
pub(super) fn found(working_table: &WorkingTable, names: &[String], options: &ReadOptions) -> FoundColumns {
    let text = |row: usize| working_table.columns.iter().map(|column| column.text(row).to_owned()).collect();
    let rows: Vec<Vec<String>> = working_table.rows().take(LOOKED_AT).map(text).collect();
    let whole = working_table.len() <= rows.len();
    let proposal = recognize_columns(names.to_vec(), rows, whole, Format::LongCsv, options);
    let column =
        |(_, role): (ColumnRole, FoundRole)| proposal.columns.iter().position(|column| column.role == role);
    let at = |role: FoundRole| proposal.columns.iter().position(|column| column.role == role);
    let pair = |first, second| Some([at(first)?, at(second)?]);
    let degrees = pair(FoundRole::Lat, FoundRole::Lon);
    let attribute = |column: &usize| proposal.columns[*column].role == FoundRole::Attribute;
    let belonging = Belonging {
        attributes: (0..proposal.columns.len()).filter(attribute).collect(),
        coordinates: degrees.or_else(|| pair(FoundRole::X, FoundRole::Y)),
        plane: degrees.is_none(),
        category: at(FoundRole::Category),
    };
    FoundColumns {
        columns: EVENT_ROLES.map(column),
        belonging,
        reasons: proposal.columns.iter().map(|column| column.reason.clone()).collect(),
        question: proposal.question,
    }
}
