//! Items that stand for several: how many, how large, which, and for the sake of what.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use super::html::{self, Cell, Table, code, listed, paragraph, shortened};
use crate::manifest::{GeneralisedEntry, Manifest};
use crate::plot::{Axis, Chart, Form, Series, figure, grouped};

/// At most so many generalised items are listed; the manifest has all of them.
const ITEMS: usize = 200;
/// Of each so many members, and so many patterns that forced it.
const MEMBERS: usize = 30;
const PATTERNS: usize = 5;

pub(super) fn section(manifest: &Manifest) -> String {
    let entries = &manifest.generalised;
    let content = if entries.is_empty() {
        paragraph("None: every released item is an original one.")
    } else {
        let intact = manifest.counts.items_after.saturating_sub(entries.len() as u64);
        let mut text = format!(
            "<p>An item written {} says that exactly one of its members was there. Released items of this kind: {}. Released \
             items that stand for themselves: {}.</p>\n",
            code("{a|b}"),
            grouped(entries.len() as u64),
            grouped(intact)
        );
        text.push_str(&figure(&sizes(entries, intact)));
        text.push_str(&table(entries));
        text
    };
    html::section("coarser", "Items that were made coarser", &content)
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
        form: Form::Bars,
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
    let numbers: HashMap<&str, usize> =
        entries.iter().enumerate().map(|(index, entry)| (entry.item.as_str(), index + 1)).collect();
    let reasons = entries.iter().any(|entry| entry.because.iter().any(|pattern| is_telling(entry, pattern)));
    let mut head = vec!["No.", "Stands for one of", "Items"];
    if reasons {
        head.push("Merged for the sake of");
    }
    let mut table = Table::new("Items that stand for several", &head).tall();
    for (index, entry) in entries.iter().take(ITEMS).enumerate() {
        let mut members = listed(&entry.members, MEMBERS, ", ");
        if entry.item.starts_with(|c| c != '{') {
            members = format!("{}: {members}", code(&shortened(&entry.item, entry.members.len())));
        }
        let because = because(entry, &numbers);
        let count = grouped(entry.members.len() as u64);
        let number = (index + 1).to_string();
        let cells = [Cell::Html(&members), Cell::Number(&count), Cell::Html(&because)];
        table.row(&Cell::Number(&number), &cells[..if reasons { 3 } else { 2 }]);
    }
    let mut text = table.render();
    if entries.len() > ITEMS {
        let more = grouped((entries.len() - ITEMS) as u64);
        let _ = writeln!(text, "<p>… and {more} more, listed in {}.</p>", code("manifest.json"));
    }
    if reasons {
        text.push_str(
            "<p class=\"soft\">Patterns that were too rare, in released words; numbers stand for the items of this \
             table.</p>\n",
        );
    }
    text
}

fn is_telling(entry: &GeneralisedEntry, pattern: &[String]) -> bool {
    pattern.iter().any(|item| *item != entry.item)
}

/// The first patterns that forced an item, with generalised items by their number.
fn because(entry: &GeneralisedEntry, numbers: &HashMap<&str, usize>) -> String {
    let word = |item: &String| match numbers.get(item.as_str()) {
        Some(number) => format!("no.\u{a0}{number}"),
        None => code(&shortened(item, 1)),
    };
    let pattern = |pattern: &&Vec<String>| pattern.iter().map(word).collect::<Vec<_>>().join(" → ");
    // That an item was too rare by itself says nothing new about it.
    let telling: Vec<&Vec<String>> =
        entry.because.iter().filter(|pattern| is_telling(entry, pattern)).collect();
    let mut patterns: Vec<String> = telling.iter().take(PATTERNS).map(pattern).collect();
    if telling.len() > PATTERNS {
        patterns.push(format!("… and {} more", grouped((telling.len() - PATTERNS) as u64)));
    }
    patterns.join("<br>")
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
