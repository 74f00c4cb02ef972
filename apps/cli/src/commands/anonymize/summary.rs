//! What a publisher reads after a release was written, on one screen.

use std::path::Path;

use clap::builder::styling::Style;
use throng_lab::manifest::Manifest;
use throng_lab::{ColumnsVerdict, Exact, Grade, Lost, Made, Risk, Survived, TableRisk, Usefulness};

use crate::layout::{BAD, BOLD, DOUBTFUL, GOOD, Side, Table, count, counted, number, percent};

/// The promise, what it cost, and where the files are. A release that is in a ledger has a number there.
pub fn of(finished: &Made, directory: &Path, ledger: Option<(&Path, u64)>) -> String {
    let manifest = &finished.manifest;
    let (exact, counts) = (&finished.exact, &manifest.counts);
    let before = &finished.checked.loaded.data.events;
    let size = match manifest.table.len() {
        0 => counted(before.len() as u64, "event", "events"),
        columns => counted(columns as u64, "published column", "published columns"),
    };
    let mut text = format!(
        "{BOLD}{}{BOLD:#} ({}): {}, {size}\n\n",
        manifest.method.name,
        parameters(manifest),
        counted(before.subjects() as u64, "person", "people"),
    );
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("promise", manifest.promise.statement.clone());
    row("verified", verified(finished));
    for also in &manifest.also {
        let by = format!("by the checker of `{}`", also.promise.name);
        let answer = match also.verdict.holds {
            true => format!("{GOOD}holds{GOOD:#}"),
            false => format!("{BAD}does not hold{BAD:#} for attackers who know the published columns"),
        };
        row("also", format!("{} {answer}: {by}", also.promise.statement));
    }
    if let Some(columns) = &manifest.columns_verdict {
        row("columns", in_columns(columns));
    }
    if !manifest.accepted_identifiers.is_empty() {
        let named = manifest.accepted_identifiers.iter();
        let named: Vec<String> = named.map(|one| format!("`{}` ({})", one.column, one.holds)).collect();
        let named = named.join(", ");
        row(
            "identifiers",
            format!(
                "{BAD}published{BAD:#}: {named}; the promise does not protect a person who is named there"
            ),
        );
    }
    if let Some(usefulness) = &manifest.usefulness {
        row("usefulness", useful(usefulness));
    }
    if !exact.survived.is_empty() {
        row("left", exact.survived.iter().map(Survived::in_words).collect::<Vec<_>>().join(", "));
    }
    for advice in &exact.advice {
        row("to change", format!("{}: {}", advice.change, advice.effect));
    }
    if let Some(form) = &manifest.form {
        let of = counted(counts.items_after, "item", "items");
        row("rows", format!("{} of {of}, and no records", counted(form.rows, "count", "counts")));
    } else if manifest.table.is_empty() {
        let merged = counted(manifest.generalised.len() as u64, "stands", "stand");
        let items_before = exact.counts.items_before.unwrap_or_default();
        row(
            "items",
            format!("{} became {}; {merged} for several", count(items_before), count(counts.items_after)),
        );
    }
    if let Some(lost) = &exact.suppression {
        row("suppressed", suppressed(lost));
    }
    if !exact.measures.is_empty() {
        row("cost", cost(exact));
    }
    for (name, line) in attacker(&exact.risk) {
        row(name, line);
    }
    for note in &exact.notes {
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

fn verified(finished: &Made) -> String {
    let (manifest, checked) = (&finished.manifest, finished.checked.verdict.checked);
    if finished.checked.outcome.ledger.is_some() {
        return format!(
            "{GOOD}holds{GOOD:#}: by its ledger, the budget of {} was kept; the output alone proves nothing",
            counted(checked, "group of noisy counts", "groups of noisy counts")
        );
    }
    let cases = counted(checked, "case", "cases");
    let by = format!("by the checker of `{}`, which shares no code with the method", manifest.promise.name);
    match &manifest.columns_verdict {
        Some(columns) if !columns.covered => {
            format!("{BAD}{}{BAD:#}: {by}, {cases} looked at, none broken", lowered(&columns.statement))
        }
        _ => format!("{GOOD}holds{GOOD:#}: {by}: {cases} looked at, none broken"),
    }
}

/// A sentence as a part of another one.
fn lowered(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// What the published columns give away.
fn in_columns(columns: &ColumnsVerdict) -> String {
    if columns.covered {
        return columns.statement.clone();
    }
    let breaks = match &columns.breaks[..] {
        [] => String::new(),
        names => format!("attackers who know them break `{}`; ", names.join("`, `")),
    };
    format!(
        "{BAD}exposed{BAD:#}: {breaks}by them alone {} in groups of fewer than {}, {} alone; accepted by `--accept-exposed-columns`",
        counted(columns.people_below, "person is", "people are"),
        columns.crowd,
        count(columns.unique)
    )
}

/// The second verdict: what it is still good for.
fn useful(usefulness: &Usefulness) -> String {
    let style = style_of(usefulness.grade);
    format!("{style}{}{style:#}: {}", usefulness.grade.name(), usefulness.reasons.join("; "))
}

/// How a grade looks.
pub fn style_of(grade: Grade) -> Style {
    match grade {
        Grade::Good => GOOD,
        Grade::Limited => DOUBTFUL,
        Grade::Poor => BAD,
    }
}

fn suppressed(lost: &Lost) -> String {
    if lost.rows > 0 {
        return format!("{}: nothing is said of these people", counted(lost.rows, "row", "rows"));
    }
    if lost.events == 0 {
        return "nothing".to_owned();
    }
    format!(
        "{} ({}), {} altogether; {} emptied",
        counted(lost.events, "event", "events"),
        percent(lost.events_share),
        counted(lost.items, "item", "items"),
        counted(lost.emptied_records, "record", "records"),
    )
}

/// The measures by name; how many items stand for several was said already.
fn cost(exact: &Exact) -> String {
    let told = exact.measures.iter().filter(|(name, _)| *name != "generalised_items");
    told.map(|(name, value)| format!("{} {}", name.replace('_', " "), number(*value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Who is singled out, before and after; nothing when no person stands behind the records.
fn attacker(risk: &Risk) -> Vec<(&'static str, String)> {
    let points = &risk.points;
    if points.is_empty() {
        return Vec::new();
    }
    let list = |values: Vec<String>| values.join(" / ");
    let known = list(points.iter().map(|point| point.known.to_string()).collect());
    let before = list(points.iter().map(|point| percent(point.before.singled_out)).collect());
    let after = list(points.iter().map(|point| percent(point.after.singled_out)).collect());
    if let Some(table) = &risk.table {
        return of_table(table, &known, &before, &after);
    }
    let columns = if risk.columns { " and the published columns" } else { "" };
    let times = match (risk.times_before, risk.times) {
        (true, false) => ", where events have times",
        _ => "",
    };
    vec![
        ("attacker", format!("knowing {known} events{columns} singles out {after} of the people")),
        ("", format!("with the data as they were{times} {before}")),
    ]
}

/// The same of a table, with the risks from an attacker who knows all columns.
fn of_table(table: &TableRisk, known: &str, before: &str, after: &str) -> Vec<(&'static str, String)> {
    let share = |share: Option<f64>| share.map_or_else(String::new, percent);
    let TableRisk { before: data, after: release, by_chance, .. } = table;
    let mut rows = vec![
        ("attacker", format!("knowing {known} columns singles out {after} of the people")),
        ("", format!("with the data as they were {before}")),
        (
            "risk",
            format!(
                "prosecutor up to {}, journalist up to {}, marketer {}",
                share(release.prosecutor),
                share(release.journalist),
                percent(release.marketer)
            ),
        ),
        ("", format!("with the data as they were {} and {}", share(data.prosecutor), percent(data.marketer))),
    ];
    if let (Some(data), Some(release)) = (&data.disclosure, &release.disclosure) {
        rows.push((
            "disclosure",
            format!(
                "a sensitive value is guessed with {} confidence on average, before {}, {} by its frequency alone; certain of {} of \
                 the people, before {}",
                percent(release.confidence),
                percent(data.confidence),
                share(*by_chance),
                share(release.certain),
                share(data.certain)
            ),
        ));
    }
    rows
}

fn files(manifest: &Manifest, directory: &Path) -> String {
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    for (name, what) in manifest.outputs.iter().map(|file| (file.name.as_str(), file.role.as_str())) {
        let what = match what {
            "release" if name.starts_with("counts.") => "the published counts",
            "release for spreadsheets" if name == "counts.spreadsheet.csv" => {
                "the published counts, safe to open in a spreadsheet"
            }
            "release" => "the released events",
            "items" => "what the coarser items stand for",
            "items for spreadsheets" => "the same, safe to open in a spreadsheet",
            "records" if !manifest.table.is_empty() => "the released table",
            "records" => "the published attributes",
            "release for spreadsheets" => "the released events, safe to open in a spreadsheet",
            "records for spreadsheets" => "the published attributes, safe to open in a spreadsheet",
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
