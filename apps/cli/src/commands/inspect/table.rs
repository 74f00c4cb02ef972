//! The findings about a table, as text.

use std::collections::BTreeMap;

use throng_data::recognize::DirectIdentifier;
use throng_measure::table_profile::{Exposure, TableProfile};

use crate::layout::{BOLD, Side, Table, count, counted, percent};

/// A sentence, the columns, and the attacker.
pub fn of(profile: &TableProfile) -> String {
    let mut text = format!(
        "{BOLD}{}, {}; one row a person{BOLD:#}\n\n",
        counted(profile.people, "person", "people"),
        counted(profile.columns.len() as u64, "column", "columns"),
    );
    text.push_str(&columns(profile));
    let Exposure { unique, below_5 } = profile.together;
    text.push_str(&format!(
        "\n{BOLD}What an attacker could do today{BOLD:#}, who knows {} of a person\n  Singled out: {}. In a group of fewer than 5: \
         {}.\n",
        profile.known.join(", "),
        percent(unique),
        percent(below_5)
    ));
    text
}

/// The columns that identify people directly, and why.
pub fn identifiers(found: &BTreeMap<String, DirectIdentifier>) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[Side::Left, Side::Left, Side::Left]).indent(2);
    for (column, identifier) in found {
        table.row([column.clone(), identifier.kind.words().to_owned(), identifier.reason.clone()]);
    }
    format!(
        "\n{BOLD}Columns that identify people directly{BOLD:#}: give them the role `identifying`; a release refuses them\n{}",
        table.render()
    )
}

/// The same of columns that lie beside events.
pub fn beside(profile: &TableProfile) -> String {
    let Exposure { unique, below_5 } = profile.together;
    format!(
        "\n{BOLD}Columns of the people{BOLD:#}\n{}  Knowing {} alone: {} are singled out, {} are in a group of fewer than 5.\n",
        columns(profile),
        profile.known.join(", "),
        percent(unique),
        percent(below_5)
    )
}

fn columns(profile: &TableProfile) -> String {
    let sides = [Side::Left, Side::Left, Side::Left, Side::Right, Side::Right, Side::Right];
    let mut table = Table::new(&sides).indent(2);
    table.row(["column", "type", "role", "values", "missing", "unique by it"].map(str::to_owned));
    for column in &profile.columns {
        table.row([
            column.name.clone(),
            column.kind.name().to_owned(),
            column.role.map_or("none: withheld", |role| role.name()).to_owned(),
            count(column.distinct),
            count(column.missing),
            percent(column.alone.unique),
        ]);
    }
    table.render()
}
