//! What measures and attacks of tables share.
//!
//! * [`Cells`]: a released column beside the original one; what each released cell covers, and how likely it is what a query asks for.
//! * [`Groups`]: people who look alike in some columns.

mod cells;
mod groups;

pub(crate) use self::cells::{Cells, Wish};
pub(crate) use self::groups::Groups;

use throng_data::{Domain, RecodedColumn, RecodedTable, Role};

use crate::{Comparison, MeasureError};

/// The released table, or the answer that there is none.
pub(crate) fn released<'a>(
    on: &Comparison<'a>,
    measure: &'static str,
) -> Result<&'a RecodedTable, MeasureError> {
    let reason = "it is about the cells of a table";
    on.release.table().ok_or(MeasureError::NotApplicable { measure, reason })
}

/// The quasi-identifying columns beside the original ones. There is at least one, and one row.
pub(crate) fn quasi<'a>(on: &Comparison<'a>, measure: &'static str) -> Result<Vec<Cells<'a>>, MeasureError> {
    let columns = released(on, measure)?.with_role(Role::QuasiIdentifying);
    let cells: Option<Vec<Cells<'a>>> = columns.map(|column| beside(on, column)).collect();
    let reason = "a released column is not in the data";
    let cells = cells.ok_or(MeasureError::NotApplicable { measure, reason })?;
    match cells.first() {
        Some(first) if !first.column.cells.is_empty() => Ok(cells),
        _ => {
            let reason = "there is no quasi-identifying column, or no row";
            Err(MeasureError::NotApplicable { measure, reason })
        }
    }
}

/// A released column beside the original one; `None` when the data have no such column.
pub(crate) fn beside<'a>(on: &Comparison<'a>, column: &'a RecodedColumn) -> Option<Cells<'a>> {
    let original = on.original.attributes.as_ref()?.column(&column.name)?;
    let hierarchy = on.inputs.hierarchies.get(&column.name);
    // A hierarchy that lacks a value of the data was refused before; without it, cells still say what they cover.
    let domain = Domain::of(original, hierarchy).or_else(|_| Domain::of(original, None)).ok()?;
    Some(Cells::new(column, domain))
}
