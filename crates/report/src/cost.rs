//! What the release lost: its sizes, what was taken away, what it is still good for, and what the measures say.

use std::collections::BTreeMap;

use throng_contract::{Better, Scale};
use throng_data::{EventKind, Nature};

use super::Evidence;
use super::html::{self, Cell, Table, paragraph, prose};
use crate::plot::{escape, figures, grouped, percent};
use throng_release::catalogue;
use throng_release::exact::Exact;
use throng_release::manifest::{Manifest, SuppressionEntry};
use throng_release::rounding::Rounding;
use throng_release::usefulness::{Grade, Survived};

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let mut content = sizes(evidence);
    content.push_str("<h3>What was suppressed</h3>\n");
    content.push_str(&suppressed(evidence));
    content.push_str("<h3>What it is still good for</h3>\n");
    content.push_str(&useful(evidence.manifest));
    content.push_str(&evidence.exact.map_or_else(String::new, left));
    let readings = evidence.exact.map_or(&evidence.manifest.measures, |exact| &exact.measures);
    if !readings.is_empty() {
        content.push_str(&measures(readings));
    }
    if evidence.exact.is_none() {
        content.push_str(&rounded(evidence.manifest));
    }
    html::section("cost", "What it cost", &content)
}

/// Sizes of the release, and of the data where the reader may know them.
fn sizes(evidence: &Evidence<'_>) -> String {
    let manifest = evidence.manifest;
    let counts = evidence.exact.map_or(&manifest.counts, |exact| &exact.counts);
    let told = counts.events_before.is_some();
    let head: &[&str] = if told { &["", "Data", "Release"] } else { &["", "Release"] };
    let mut table = Table::new("Sizes", head);
    let mut row = |what: &str, before: Option<u64>, after: &str| {
        let before = before.map_or_else(String::new, grouped);
        let cells = [Cell::Number(&before), Cell::Number(after)];
        table.row(&Cell::Text(what), if told { &cells } else { &cells[1..] });
    };
    let synthetic = manifest.nature == Nature::Synthetic;
    let people = match (synthetic, counts.subjects) {
        (true, _) => "none: synthetic".to_owned(),
        (false, Some(people)) => grouped(people),
        (false, None) => "not published".to_owned(),
    };
    if let Some(form) = manifest.form.as_ref().filter(|form| form.name == "counts") {
        row("People", counts.subjects, "not published");
        row("Counts", None, &grouped(form.rows));
        row("Distinct items", counts.items_before, &grouped(counts.items_after));
        return table.render();
    }
    row("People", counts.subjects, &people);
    row("Records", Some(counts.records).filter(|_| !synthetic), &grouped(counts.records));
    if manifest.kind != EventKind::Absent {
        row("Records without events", None, &grouped(counts.empty_records));
        row("Events", counts.events_before, &grouped(counts.events_after));
        row("Distinct items", counts.items_before, &grouped(counts.items_after));
    }
    table.render()
}

fn suppressed(evidence: &Evidence<'_>) -> String {
    const MEANING: &str = "Suppressed is not missing: these events were there, and were taken out. An event that was made coarser \
                           is not suppressed.";
    let manifest = evidence.manifest;
    if manifest.form.as_ref().is_some_and(|form| form.name == "counts") {
        return paragraph(
            "There are no records, and so no events that could have been suppressed. A cell without a count has too few people, or \
             none; which it is is not told.",
        );
    }
    if manifest.kind == EventKind::Absent {
        return match manifest.suppression.map_or(0, |lost| lost.rows) {
            0 => paragraph("Nothing: every row is still there, some of its cells made coarser."),
            rows => format!(
                "{}{}",
                paragraph(&format!(
                    "{} rows: nothing is said of these people, in any column.",
                    grouped(rows)
                )),
                paragraph("A suppressed row keeps its number. Suppressed (`*`) is not missing (empty)."),
            ),
        };
    }
    if let Some(lost) = evidence.exact.and_then(|exact| exact.suppression.as_ref()) {
        let mut table = Table::new("What was suppressed", &[]);
        let mut row = |what: &str, number: &str| table.row(&Cell::Text(what), &[Cell::Number(number)]);
        row("Events suppressed", &format!("{} ({})", grouped(lost.events), percent(lost.events_share)));
        row("Items that no longer occur", &grouped(lost.items));
        row("Records left without events", &grouped(lost.emptied_records));
        return format!("{}{}", table.render(), paragraph(MEANING));
    }
    match &manifest.suppression {
        None if manifest.nature == Nature::Synthetic => paragraph(
            "Nothing can be said: records were drawn from a model, and stand for none of the data's.",
        ),
        None => paragraph("Not published."),
        Some(SuppressionEntry { any: false, .. }) if manifest.generalised.is_empty() => {
            paragraph("Nothing: every event of the data is still there.")
        }
        Some(SuppressionEntry { any: false, .. }) => {
            paragraph("Nothing: every event of the data is still there, some made coarser.")
        }
        Some(SuppressionEntry { events_share: Some(share), .. }) => format!(
            "{}{}",
            paragraph(&format!("{} of the events.", in_steps(*share, manifest.rounding.as_ref()))),
            paragraph(MEANING)
        ),
        Some(SuppressionEntry { events_share: None, .. }) => {
            format!("{}{}", paragraph("Some events; how many is withheld."), paragraph(MEANING))
        }
    }
}

/// A share that was rounded, as the range that it stands for: "about 0 %" would say that nothing was suppressed.
fn in_steps(share: f64, rounding: Option<&Rounding>) -> String {
    let Some(Rounding::Step(step)) = rounding else { return format!("About {}", percent(share)) };
    match (share - step / 2.0, share + step / 2.0) {
        (low, high) if low <= 0.0 => format!("Less than {}", percent(high)),
        (low, high) if high >= 1.0 => format!("More than {}", percent(low)),
        (low, high) => format!("Between {} and {}", percent(low), percent(high)),
    }
}

/// The grade, as prominent as the promise's own verdict.
fn useful(manifest: &Manifest) -> String {
    let Some(usefulness) = &manifest.usefulness else { return String::new() };
    let class = match usefulness.grade {
        Grade::Good => "verdict",
        Grade::Limited | Grade::Poor => "verdict doubtful",
    };
    format!(
        "<p><span class=\"{class}\">Usefulness: {}.</span> {}</p>\n",
        usefulness.grade.name(),
        escape(&sentence_of(&usefulness.reasons))
    )
}

/// What is left of the data and what would help, for the publisher.
fn left(exact: &Exact) -> String {
    if exact.survived.is_empty() {
        return String::new();
    }
    let shares: Vec<String> = exact.survived.iter().map(Survived::in_words).collect();
    let mut text = paragraph(&format!("Left of the data: {}.", shares.join(", ")));
    if !exact.advice.is_empty() {
        text.push_str("<p>What would help:</p>\n<ul>\n");
        for advice in &exact.advice {
            let change = sentence_of(&[format!("{}: {}", advice.change, advice.effect)]);
            text.push_str(&format!("<li>{}</li>\n", escape(&change)));
        }
        text.push_str("</ul>\n");
    }
    text
}

fn sentence_of(reasons: &[String]) -> String {
    let text = reasons.join("; ");
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}

/// How exact the numbers above are.
fn rounded(manifest: &Manifest) -> String {
    match &manifest.rounding {
        None => String::new(),
        Some(Rounding::Step(step)) => format!(
            "<p class=\"soft\">What was counted by comparing with the data is rounded to steps of {}; distances in a unit are not \
             told. Exact numbers would give away the counts of merged items.</p>\n",
            percent(*step)
        ),
        Some(Rounding::Withheld(why)) => format!(
            "<p class=\"soft\">What would have to be counted by comparing with the data is withheld: {}.</p>\n",
            escape(why)
        ),
    }
}

fn measures(values: &BTreeMap<String, f64>) -> String {
    let mut table = Table::new("Measures", &["Measure", "Value", "Better is"]);
    // In the order of the catalogue, where a scale may speak of the one before it; unknown ones last.
    let scales: Vec<&Scale> = scales().collect();
    let place = |name: &str| scales.iter().position(|scale| scale.name == name).unwrap_or(scales.len());
    let mut readings: Vec<(&String, &f64)> = values.iter().collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// "About 0 %" was said where 1.8 % were suppressed.
    #[test]
    fn a_share_in_steps_is_told_as_the_range_it_stands_for() {
        let rounding = Rounding::Step(0.05);
        let told =
            |exact: f64| in_steps(rounding.share(exact).unwrap(), Some(&rounding)).replace('\u{a0}', " ");
        assert_eq!(
            [0.018, 0.13, 0.99].map(told),
            ["Less than 2.5 %", "Between 12.5 % and 17.5 %", "More than 97.5 %"]
        );
    }
}
