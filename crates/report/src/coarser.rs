//! Items that stand for several: how many, how large, and which. Why they were merged is not told: it would say more of
//! those who were in the way than the release does.

use std::collections::BTreeMap;
use std::fmt::Write;

use throng_data::EventKind;

use super::html::{self, Cell, Table, code, listed, paragraph, shortened};
use crate::plot::{Axis, Chart, ChartKind, Series, figure, grouped};
use throng_release::manifest::{GeneralisedEntry, Manifest};

/// At most so many generalised items are listed; the manifest has all of them.
const ITEMS: usize = 200;
/// Of each so many members.
const MEMBERS: usize = 30;

pub(super) fn section(manifest: &Manifest) -> String {
    let mut columns_first = String::new();
    if !manifest.table.is_empty() {
        columns_first = html::section("columns", "Columns, and what cells stand for", &columns(manifest));
        if manifest.kind == EventKind::Absent {
            return html::section("coarser", "Columns, and what cells stand for", &columns(manifest));
        }
    }
    let entries = &manifest.generalised;
    let content = if entries.is_empty() {
        paragraph("None: every released item stands for itself.")
    } else {
        let intact = manifest.counts.items_after.saturating_sub(entries.len() as u64);
        let mut text = format!(
            "<p>An item written {}, or listed below under a name of its own, stands for {}. Released items of this \
             kind: {}. Released items that stand for themselves: {}.</p>\n",
            code("{a|b}"),
            match manifest.kind {
                EventKind::Set => "some of its members, at least one",
                EventKind::Sequence | EventKind::Absent => "one of its members",
            },
            grouped(entries.len() as u64),
            grouped(intact)
        );
        text.push_str(&figure(&sizes(entries, intact)));
        text.push_str(&table(entries));
        text
    };
    columns_first + &html::section("coarser", "Items that were made coarser", &content)
}

/// The columns of a table, and the names in their cells that stand for several values.
fn columns(manifest: &Manifest) -> String {
    let mut text = format!(
        "<p>A cell is a value, a range {}, one of several values {}, a name that is explained below, or {}: nothing is said. A cell \
         stands for exactly one of the values it covers; an empty cell is a missing value.</p>\n",
        code("[19,22]"),
        code("{a|b}"),
        code("*")
    );
    let mut table = Table::new("Columns", &["Column", "Role", "Type"]);
    for column in &manifest.table {
        table.row(
            &Cell::Text(&column.name),
            &[Cell::Text(column.role.name()), Cell::Text(column.kind.name())],
        );
    }
    text.push_str(&table.render());
    for column in manifest.table.iter().filter(|column| !column.nodes.is_empty()) {
        let mut table =
            Table::new(&format!("Names in column {}", column.name), &["Name", "Stands for one of", "Values"])
                .tall();
        for node in column.nodes.iter().take(ITEMS) {
            let count = grouped(node.members.len() as u64);
            table.row(
                &Cell::Text(&node.node),
                &[Cell::Html(&listed(&node.members, MEMBERS, ", ")), Cell::Number(&count)],
            );
        }
        text.push_str(&table.render());
    }
    text
}

/// How many released items stand for how many original ones.
fn sizes(entries: &[GeneralisedEntry], intact: u64) -> Chart {
    let mut by_size: BTreeMap<usize, u64> = BTreeMap::new();
    for entry in entries {
        *by_size.entry(bin(entry.members.len())).or_default() += 1;
    }
    if intact > 0 {
        *by_size.entry(1).or_default() += intact;
    }
    let names = by_size.keys().map(|from| bin_name(*from));
    let largest = entries.iter().map(|entry| entry.members.len()).max().unwrap_or(1);
    let points = by_size.values().enumerate().map(|(place, count)| (place as f64, Some(*count as f64)));
    Chart {
        id: "sizes".to_owned(),
        title: "Released items by how many original items they stand for".to_owned(),
        description: format!(
            "{} items stand for themselves; the largest of the others stands for {} items.",
            grouped(intact),
            grouped(largest as u64)
        ),
        form: ChartKind::Bars,
        x: Axis::categories("Original items behind a released one", names),
        y: Axis::from_zero("Released items"),
        series: vec![Series::of("Released items", points)],
    }
}

/// One by one up to twelve, then doubling.
fn bin(size: usize) -> usize {
    if size <= 12 { size } else { 13 * (1_usize << ((size / 13).ilog2())) }
}

fn bin_name(from: usize) -> String {
    if from <= 12 { from.to_string() } else { format!("{from}–{}", 2 * from - 1) }
}

fn table(entries: &[GeneralisedEntry]) -> String {
    let mut table = Table::new("Items that stand for several", &["No.", "Stands for one of", "Items"]).tall();
    for (index, entry) in entries.iter().take(ITEMS).enumerate() {
        let mut members = listed(&entry.members, MEMBERS, ", ");
        if entry.item.starts_with(|c| c != '{') {
            members = format!("{}: {members}", code(&shortened(&entry.item, entry.members.len())));
        }
        let count = grouped(entry.members.len() as u64);
        let number = (index + 1).to_string();
        table.row(&Cell::Number(&number), &[Cell::Html(&members), Cell::Number(&count)]);
    }
    let mut text = table.render();
    if entries.len() > ITEMS {
        let more = grouped((entries.len() - ITEMS) as u64);
        let _ = writeln!(text, "<p>… and {more} more, listed in {}.</p>", code("manifest.json"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_every_size_once() {
        for size in 1..5_000 {
            let from = bin(size);
            let to = if from <= 12 { from } else { 2 * from - 1 };
            assert!((from..=to).contains(&size), "{size} is not in {from}..={to}");
        }
        assert_eq!([12, 13, 26, 60].map(|size| bin_name(bin(size))), ["12", "13–25", "26–51", "52–103"]);
    }
}
