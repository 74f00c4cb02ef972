//! `report.html`: one self-contained page for the public.
//!
//! No network, no script; light or dark as the reader prefers; prints well. It says what is promised in plain words,
//! who checked it, what was lost, what an attacker could do before and after, and what is *not* promised. Everything
//! comes from the manifest, which holds nothing that may not be published.

mod curve;

use std::fmt::{Display, Write};

use throng_contract::Descriptor;
use throng_data::Nature;
use throng_methods::Variant;
use throng_models::Promise;

use crate::manifest::Manifest;

const PAGE: &str = include_str!("report/page.html");

/// The page for a release.
pub(crate) fn render(manifest: &Manifest, promise: &dyn Promise) -> String {
    let secret = promise.rests_on_secret_noise();
    let slots: [(&str, String); 12] = [
        ("{{statement}}", escape(&manifest.promise.statement)),
        ("{{promise}}", code(&written(&manifest.promise.name, &manifest.promise.parameters))),
        ("{{method}}", code(&written(&manifest.method.name, &manifest.method.parameters))),
        ("{{paper}}", escape(&manifest.method.paper)),
        ("{{variant}}", variant_word(manifest.method.variant).to_owned()),
        ("{{verdict}}", verdict(manifest.verdict.checked, secret)),
        ("{{recorded}}", if secret { PUBLIC } else { ALL }.to_owned()),
        ("{{losses}}", losses(manifest)),
        ("{{risk}}", risk(manifest)),
        ("{{generalised}}", generalised(manifest)),
        ("{{limits}}", limits(manifest, promise.descriptor())),
        ("{{program}}", escape(&manifest.program)),
    ];
    fill(PAGE, &slots)
}

/// What the manifest records of how a release was made; and what of it may be told where noise hides people.
const ALL: &str = "Parameters, seed, and the fingerprints of all files";
const PUBLIC: &str = "Parameters, and the fingerprints of the released files,";

/// What was checked. A promise about noise cannot be seen in the files, and the page must not pretend it can.
fn verdict(checked: u64, secret: bool) -> String {
    let checked = grouped(checked);
    if secret {
        format!(
            "<p><span class=verdict>The budget was kept.</span> The method paid for each of {checked} groups of noisy counts \
             from a ledger, whose paths were added up again before anything was written. The released files alone prove \
             nothing: nobody can see in them how much noise was drawn. This promise has to be trusted to whoever ran the \
             program.</p>"
        )
    } else {
        format!(
            "<p><span class=verdict>The promise holds.</span> The promise's own checker went through {checked} distinct \
             cases of the\nfinished release and found none that breaks it. The checker shares no counting code with the \
             method that made the release,\nand counts people, not rows. Anyone can repeat the check with \
             <code>throng verify</code>.</p>"
        )
    }
}

/// Puts every slot's text in its place, in one pass: a value that looks like a slot is left alone.
fn fill(page: &str, slots: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(page.len() * 2);
    let mut rest = page;
    while let Some(start) = rest.find("{{") {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        match slots.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                text.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                text.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    text.push_str(rest);
    text
}

fn written(name: &str, parameters: &std::collections::BTreeMap<String, serde_json::Value>) -> String {
    let mut text = name.to_owned();
    for (name, value) in parameters {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = write!(text, " {name}={value}");
    }
    text
}

fn variant_word(variant: Variant) -> &'static str {
    match variant {
        Variant::Sound => "sound",
        Variant::AsPrinted => "as printed",
    }
}

fn losses(manifest: &Manifest) -> String {
    let counts = &manifest.counts;
    let exact = |count: Option<u64>| count.map_or_else(|| "not published".to_owned(), grouped);
    let mut rows = String::new();
    let mut row = |what: &str, before: &dyn Display, after: &dyn Display| {
        let _ = writeln!(rows, "<tr><th scope=row>{what}<td>{before}<td>{after}");
    };
    if manifest.nature == Nature::Synthetic {
        row("People", &exact(counts.subjects), &"nobody: synthetic");
        row("Records", &"", &grouped(counts.records));
    } else {
        row("People", &exact(counts.subjects), &exact(counts.subjects));
        row("Records", &grouped(counts.records), &grouped(counts.records));
    }
    row("Events", &exact(counts.events_before), &grouped(counts.events_after));
    row("Distinct items", &exact(counts.items_before), &grouped(counts.items_after));
    if let Some(lost) = &manifest.suppression {
        row("Events removed", &"", &format!("{} ({})", grouped(lost.events), percent(lost.events_share)));
        row("Items removed", &"", &grouped(lost.items));
        row("Records left without events", &"", &grouped(lost.emptied_records));
    }
    for (name, value) in &manifest.measures {
        row(&escape(&sentence(name)), &"", &number(*value));
    }
    format!("<table><thead><tr><th><th>Data<th>Release<tbody>\n{rows}</table>")
}

fn risk(manifest: &Manifest) -> String {
    let risk = &manifest.risk;
    if risk.points.is_empty() {
        return "<p>No record of this release stands for a person, so no attack on one was simulated.</p>"
            .to_owned();
    }
    let mut rows = String::new();
    for point in &risk.points {
        let _ = write!(rows, "<tr><th scope=row>{}", point.known);
        for crowds in [point.before, point.after] {
            let _ = write!(rows, "<td>{}<td>{}", percent(crowds.singled_out), percent(crowds.below_5));
        }
        rows.push('\n');
    }
    let sample = if risk.sampled { "a sample of " } else { "all " };
    format!(
        "{}\n<table><thead><tr><th rowspan=2>Events known<th colspan=2>In the data<th colspan=2>In the release\n\
         <tr><th>singled out<th>fewer than 5 fit<th>singled out<th>fewer than 5 fit<tbody>\n{rows}</table>\n\
         <p class=soft>Simulated for {sample}{} people, whose known events were drawn at random.</p>",
        curve::svg(&risk.points),
        grouped(risk.targets)
    )
}

/// At most so many generalised items are listed on the page; the manifest has all of them.
const LISTED: usize = 200;

fn generalised(manifest: &Manifest) -> String {
    if manifest.generalised.is_empty() {
        return "<p>Every released item is an original one.</p>".to_owned();
    }
    let mut rows = String::new();
    for entry in manifest.generalised.iter().take(LISTED) {
        let because: Vec<String> = entry.because.iter().map(|pattern| code(&pattern.join(" > "))).collect();
        let _ = writeln!(
            rows,
            "<tr><td>{}<td>{}<td>{}",
            code(&entry.item),
            entry.members.len(),
            because.join("<br>")
        );
    }
    let more = match manifest.generalised.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("<p>… and {} more, listed in <code>manifest.json</code>.</p>", grouped(more as u64)),
    };
    format!(
        "<table><thead><tr><th>Released item<th>Stands for one of<th>Merged for the sake of<tbody>\n{rows}</table>{more}"
    )
}

fn limits(manifest: &Manifest, promise: &Descriptor) -> String {
    let mut list = String::new();
    let mut item = |text: &str| {
        let _ = writeln!(list, "<li>{}", escape(text));
    };
    if !promise.notes.is_empty() {
        item(promise.notes);
    }
    if manifest.columns.is_empty() {
        item("No attribute of a person is part of this release.");
    } else {
        item(&format!(
            "These attribute columns are published with the events: {}.",
            manifest.columns.join(", ")
        ));
    }
    manifest.notes.iter().for_each(|note| item(note));
    list
}

/// Text made safe for an HTML page.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// `1234567` as `1 234 567`, with spaces that do not break.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value == 0.0 {
        "0 %".to_owned()
    } else if value < 0.1 {
        "below 0.1 %".to_owned()
    } else {
        format!("{value:.1} %")
    }
}

/// `members_per_event` as `Members per event`.
fn sentence(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_shares_rounded_for_people() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(999), "999");
        assert_eq!([percent(0.0), percent(0.00001), percent(0.1234)], ["0 %", "below 0.1 %", "12.3 %"]);
    }

    #[test]
    fn values_are_escaped_and_never_taken_for_slots() {
        assert_eq!(escape("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
        let slots = [("{{a}}", "{{b}}".to_owned()), ("{{b}}", "x".to_owned())];
        assert_eq!(fill("{{a}}-{{b}}-{{c}}", &slots), "{{b}}-x-{{c}}");
    }
}
