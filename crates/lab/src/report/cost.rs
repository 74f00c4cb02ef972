//! What the release lost: sizes before and after, what was taken away, and what the measures say.

use throng_contract::{Better, Scale};
use throng_data::Nature;

use super::html::{self, Cell, Table, paragraph, prose};
use crate::catalogue;
use crate::manifest::Manifest;
use crate::plot::{escape, figures, grouped, percent};

pub(super) fn section(manifest: &Manifest) -> String {
    let mut content = sizes(manifest);
    content.push_str("<h3>What was suppressed</h3>\n");
    content.push_str(&suppressed(manifest));
    if !manifest.measures.is_empty() {
        content.push_str("<h3>What it is still good for</h3>\n");
        content.push_str(&measures(manifest));
    }
    html::section("cost", "What it cost", &content)
}

fn sizes(manifest: &Manifest) -> String {
    let counts = &manifest.counts;
    let exact = |count: Option<u64>| count.map_or_else(|| "not published".to_owned(), grouped);
    let mut table = Table::new("Sizes before and after", &["", "Data", "Release"]);
    let mut row = |what: &str, before: &str, after: &str| {
        table.row(&Cell::Text(what), &[Cell::Number(before), Cell::Number(after)]);
    };
    if manifest.nature == Nature::Synthetic {
        row("People", &exact(counts.subjects), "nobody: synthetic");
        row("Records", "", &grouped(counts.records));
    } else {
        row("People", &exact(counts.subjects), &exact(counts.subjects));
        row("Records", &grouped(counts.records), &grouped(counts.records));
    }
    row("Events", &exact(counts.events_before), &grouped(counts.events_after));
    row("Distinct items", &exact(counts.items_before), &grouped(counts.items_after));
    table.render()
}

fn suppressed(manifest: &Manifest) -> String {
    match &manifest.suppression {
        None => paragraph("Not published: what noise took away would tell what was there."),
        Some(lost) if lost.events == 0 && lost.items == 0 => {
            paragraph("Nothing. Every event is still there, some made coarser.")
        }
        Some(lost) => {
            let mut table = Table::new("What was suppressed", &[]);
            let mut row = |what: &str, number: &str| table.row(&Cell::Text(what), &[Cell::Number(number)]);
            row("Events removed", &format!("{} ({})", grouped(lost.events), percent(lost.events_share)));
            row("Items that no longer occur", &grouped(lost.items));
            row("Records left without events", &grouped(lost.emptied_records));
            format!(
                "{}{}",
                table.render(),
                paragraph("Suppressed is not missing: these events were there, and were taken out.")
            )
        }
    }
}

fn measures(manifest: &Manifest) -> String {
    let mut table = Table::new("Measures", &["Measure", "Value", "Better is"]);
    // In the order of the catalogue, where a scale may speak of the one before it; unknown ones last.
    let scales: Vec<&Scale> = scales().collect();
    let place = |name: &str| scales.iter().position(|scale| scale.name == name).unwrap_or(scales.len());
    let mut readings: Vec<(&String, &f64)> = manifest.measures.iter().collect();
    readings.sort_by_key(|(name, _)| place(name));
    for (name, value) in readings {
        let scale = scales.get(place(name));
        let better = match scale.map(|scale| scale.better) {
            Some(Better::Low) => "low",
            Some(Better::High) => "high",
            Some(Better::Neither) | None => "",
        };
        let help =
            scale.map_or_else(String::new, |scale| format!("<br><small>{}</small>", prose(scale.help)));
        let lead = format!("{}{help}", escape(&sentence(name)));
        table.row(&Cell::Html(&lead), &[Cell::Number(&figures(*value)), Cell::Text(better)]);
    }
    table.render()
}

/// How to read the numbers of all measures.
fn scales() -> impl Iterator<Item = &'static Scale> {
    catalogue::measures().filter_map(|measure| measure.descriptor().gauge).flat_map(|gauge| gauge.scales)
}

/// `members_per_event` as `Members per event`.
fn sentence(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
