//! What a publisher reads after a release was written, on one screen.

use std::path::Path;

use throng_lab::Finished;
use throng_lab::manifest::{Manifest, SuppressionEntry};

use crate::layout::{BOLD, Side, Table, count, counted, number, percent};

/// The promise, what it cost, and where the files are. A release that is in a ledger has a number there.
pub fn of(finished: &Finished, directory: &Path, ledger: Option<(&Path, u64)>) -> String {
    let manifest = &finished.manifest;
    let (before, counts) = (&finished.made.loaded.data.events, &manifest.counts);
    let mut text = format!(
        "{BOLD}{}{BOLD:#} ({}): {}, {}\n\n",
        manifest.method.name,
        parameters(manifest),
        counted(before.subjects() as u64, "person", "people"),
        counted(before.len() as u64, "event", "events"),
    );
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("promise", manifest.promise.statement.clone());
    row("verified", verified(finished));
    // The publisher may know what the manifest has to keep to itself.
    let items_before = counts.items_before.unwrap_or(finished.made.loaded.data.items.len() as u64);
    let merged = counted(manifest.generalised.len() as u64, "stands", "stand");
    row(
        "items",
        format!("{} became {}; {merged} for several", count(items_before), count(counts.items_after)),
    );
    row("suppressed", suppressed(&SuppressionEntry::of(finished.made.outcome.release.suppression)));
    if !manifest.measures.is_empty() {
        row("cost", cost(manifest));
    }
    for (name, line) in attacker(manifest) {
        row(name, line);
    }
    for note in &finished.notes {
        row("note", note.clone());
    }
    row(
        "ledger",
        match ledger {
            Some((path, number)) => format!("number {number} in {}", path.display()),
            None => "left out: later releases of these people will not be compared with this one".to_owned(),
        },
    );
    let took: Vec<String> = finished
        .timings
        .iter()
        .map(|timing| format!("{} {:.2} s", timing.step, timing.took.as_secs_f64()))
        .collect();
    row("took", took.join(", "));
    text.push_str(&table.render());
    text.push('\n');
    text.push_str(&files(manifest, directory));
    text
}

fn parameters(manifest: &Manifest) -> String {
    let values = manifest.promise.parameters.iter().map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name} = {text}"),
        None => format!("{name} = {value}"),
    });
    values.collect::<Vec<_>>().join(", ")
}

fn verified(finished: &Finished) -> String {
    let manifest = &finished.manifest;
    if finished.made.outcome.ledger.is_some() {
        return format!(
            "by its ledger: the budget of {} was kept; the output alone proves nothing",
            counted(manifest.verdict.checked, "group of noisy counts", "groups of noisy counts")
        );
    }
    format!(
        "by the checker of `{}`, which shares no code with the method: {} looked at, none broken",
        manifest.promise.name,
        counted(manifest.verdict.checked, "case", "cases")
    )
}

fn suppressed(suppression: &SuppressionEntry) -> String {
    if suppression.events == 0 {
        return "nothing".to_owned();
    }
    format!(
        "{} ({}), {} altogether; {} emptied",
        counted(suppression.events, "event", "events"),
        percent(suppression.events_share),
        counted(suppression.items, "item", "items"),
        counted(suppression.emptied_records, "record", "records"),
    )
}

/// The measures by name; how many items stand for several was said already.
fn cost(manifest: &Manifest) -> String {
    let told = manifest.measures.iter().filter(|(name, _)| *name != "generalised_items");
    told.map(|(name, value)| format!("{} {}", name.replace('_', " "), number(*value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Who is singled out, before and after; nothing when nobody stands behind the records.
fn attacker(manifest: &Manifest) -> Vec<(&'static str, String)> {
    let points = &manifest.risk.points;
    if points.is_empty() {
        return Vec::new();
    }
    let list = |values: Vec<String>| values.join(" / ");
    let known = list(points.iter().map(|point| point.known.to_string()).collect());
    let before = list(points.iter().map(|point| percent(point.before.singled_out)).collect());
    let after = list(points.iter().map(|point| percent(point.after.singled_out)).collect());
    vec![
        ("attacker", format!("knowing {known} events singles out {after} of the people")),
        ("", format!("with the data as they were {before}")),
    ]
}

fn files(manifest: &Manifest, directory: &Path) -> String {
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    for (name, what) in manifest.outputs.iter().map(|file| (file.name.as_str(), file.role.as_str())) {
        let what = match what {
            "release" => "the released events",
            "records" => "the published attributes",
            "report" => "a page to publish with them",
            other => other,
        };
        table.row([directory.join(name).display().to_string(), what.to_owned()]);
    }
    table.row([
        directory.join("manifest.json").display().to_string(),
        "promise, method and evidence".to_owned(),
    ]);
    table.render()
}
