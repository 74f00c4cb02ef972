//! The ledger in plain words.

mod together;
pub use self::together::attacked;
use std::path::Path;

use throng_lab::ledger::{Attacked, Chain, Earlier, Entry, Evidence, Named, Overlap, Recorded};

use crate::layout::{BOLD, Side, Table, count, counted, percent, wrap};

/// Where running text ends.
const PAGE: usize = 98;

/// Every release, a line each.
pub fn list(chain: &Chain, path: &Path) -> String {
    if chain.entries.is_empty() {
        return format!("No release is recorded in {}\n", path.display());
    }
    // Names of datasets are shown where there are any.
    let named = chain.entries.iter().any(|entry| entry.dataset.is_some());
    let mut header = vec!["", "WHEN", "PEOPLE", "PROMISE", "METHOD", "DIRECTORY"];
    let mut columns = vec![Side::Right, Side::Left, Side::Right, Side::Left, Side::Left, Side::Left];
    if named {
        header.insert(2, "DATASET");
        columns.insert(2, Side::Left);
    }
    let mut table = Table::new(&columns).header(header);
    for entry in &chain.entries {
        let trial = if entry.trial { " (trial)" } else { "" };
        let mut row = vec![
            entry.number.to_string(),
            day(&entry.when).to_owned(),
            count(entry.counts.people),
            promise(&entry.promise),
            entry.method.name.clone(),
            format!("{}{trial}", entry.directory),
        ];
        if named {
            row.insert(2, entry.dataset.clone().unwrap_or_default());
        }
        table.row(row);
    }
    table.render()
}

/// All that is recorded of one release, and which others have people of it.
pub fn entry(entry: &Entry, chain: &Chain) -> String {
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("recorded", format!("{} by {}", entry.when, entry.program));
    if let Some(dataset) = &entry.dataset {
        row("dataset", dataset.clone());
    }
    if entry.trial {
        row("trial", "recorded, and not published: later releases are not compared with it".to_owned());
    }
    row("promise", promise(&entry.promise));
    row("method", promise(&entry.method));
    if let Some(epsilon) = entry.epsilon {
        row("budget", format!("epsilon {epsilon} of every person"));
    }
    row("seed", entry.seed.map_or_else(|| "kept secret".to_owned(), |seed| seed.to_string()));
    row(
        "sizes",
        format!(
            "{}, {}; {} became {}",
            counted(entry.counts.people, "person", "people"),
            counted(entry.counts.records, "record", "records"),
            counted(entry.counts.events_before, "event", "events"),
            count(entry.counts.events_after)
        ),
    );
    if !entry.columns.is_empty() {
        row("columns", entry.columns.join(", "));
    }
    for file in &entry.inputs {
        let path = file.path.as_deref().unwrap_or("standard input or a pipe");
        row(&file.role, path.to_owned());
    }
    row("directory", entry.directory.clone());
    row("release", format!("{}{}", entry.release.path, fingerprint(entry.release.sha256.as_deref())));
    if let Some(file) = &entry.linkage {
        row("linkage", file.path.clone());
    }
    for other in chain.entries.iter().filter(|other| other.number != entry.number) {
        let sketches = entry.sketch.as_ref().zip(other.sketch.as_ref());
        let overlap = sketches.and_then(|(this, other)| this.overlap(other));
        if let Some(evidence) = Evidence::between(entry, other, overlap) {
            let name = if evidence.is_enough() { "same people" } else { "same numbers" };
            row(name, format!("release {}: {}", other.number, shared(overlap, evidence)));
        }
    }
    format!("{BOLD}release {}{BOLD:#}\n{}", entry.number, table.render())
}

/// Whether the ledger is as it was written.
pub fn checked(chain: &Chain, path: &Path, set_aside: Option<&Path>) -> String {
    let mut text = String::new();
    if let Some(aside) = set_aside {
        text.push_str(&format!("The torn last line was moved to {}\n", aside.display()));
    }
    if chain.is_whole() {
        let lines = counted(chain.lines, "line", "lines");
        text.push_str(&format!("{lines} in {}, each as it was written\n", path.display()));
        return text;
    }
    text.push_str(&format!("{BOLD}{} is not as it was written{BOLD:#}\n", path.display()));
    for (line, fault) in &chain.faults {
        text.push_str(&format!("  line {line} {fault}\n"));
    }
    if let Some(bytes) = chain.torn {
        text.push_str(&format!(
            "  line {} is torn: {} without an end. `throng ledger check --mend` sets it aside\n",
            chain.lines + 1,
            counted(bytes, "byte", "bytes")
        ));
    }
    text
}

/// What a publisher has to know when people are released again; nothing when they are not.
pub fn warnings(recorded: &Recorded) -> String {
    let mut text = String::new();
    if !recorded.earlier.is_empty() {
        paragraph(
            &mut text,
            "warning: people of this release were released before, and promises do not add up. An attacker with two \
             releases may find smaller crowds than either of them promises.",
            "",
        );
    }
    for earlier in &recorded.earlier {
        text.push_str(&earlier_release(earlier, recorded.number));
    }
    if !recorded.doubtful.is_empty() {
        let numbers: Vec<String> =
            recorded.doubtful.iter().map(|earlier| earlier.number.to_string()).collect();
        paragraph(
            &mut text,
            &format!(
                "note: in release {} of the ledger people go by the same numbers, in another file. That is no evidence that they are \
                 the same people, and nothing was added up. Say with `--dataset NAME` which data are which.",
                numbers.join(", ")
            ),
            "",
        );
    }
    if let Some(epsilon) = recorded.epsilon {
        paragraph(
            &mut text,
            &format!(
                "Privacy budgets add up: all releases of these people together cost epsilon {epsilon} of a person."
            ),
            "  ",
        );
    }
    if !recorded.unknown.is_empty() {
        let numbers: Vec<String> = recorded.unknown.iter().map(u64::to_string).collect();
        paragraph(
            &mut text,
            &format!(
                "note: whether people of this release are in release {} of the ledger cannot be told: too few could be \
                 compared, or the key of the ledger was another one.",
                numbers.join(", ")
            ),
            "",
        );
    }
    if recorded.faults > 0 {
        paragraph(&mut text, "warning: the ledger is not as it was written; see `throng ledger check`", "");
    }
    text
}

fn earlier_release(earlier: &Earlier, number: u64) -> String {
    let mut text = String::new();
    paragraph(
        &mut text,
        &format!(
            "Release {} of {} (`{}`, {}): {}.",
            earlier.number,
            day(&earlier.when),
            earlier.method.name,
            promise(&earlier.promise),
            shared(earlier.overlap, earlier.evidence)
        ),
        "  ",
    );
    text.push_str(&format!("  {}\n", earlier.directory));
    match &earlier.attack {
        Attacked::Done(found) => {
            text.push_str(&attacked(
                &format!("release {}", earlier.number),
                &format!("release {number}"),
                found,
            ));
        }
        Attacked::Not(why) => paragraph(&mut text, &format!("They were not attacked together: {why}."), "  "),
    }
    text
}

/// How two releases were found to have the same people, and how sure that is.
fn shared(overlap: Option<Overlap>, evidence: Evidence) -> String {
    let what = if evidence == Evidence::SameNumbers { "numbers" } else { "names" };
    let people = overlap.filter(|overlap| overlap.is_some()).map(|overlap| {
        let [low, high] = overlap.interval;
        match overlap.exact {
            true => format!("{} of the people go by the same {what}", percent(overlap.share)),
            false => format!(
                "about {} of the people go by the same {what} ({} to {})",
                percent(overlap.share),
                percent(low),
                percent(high)
            ),
        }
    });
    let found = match evidence {
        Evidence::SameFile => Some("made from the same file"),
        Evidence::SameDataset => Some("of the same dataset, as its publisher says"),
        Evidence::SameNames | Evidence::SameNumbers => None,
    };
    [found.map(str::to_owned), people].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The beginning of a generalised item with many members.
fn short(name: &str) -> String {
    match name.chars().count() {
        0..=40 => name.to_owned(),
        _ => format!("{}...", name.chars().take(37).collect::<String>()),
    }
}

/// `km k=5 m=2`.
fn promise(named: &Named) -> String {
    let values = named.parameters.iter().map(|(name, value)| match value.as_str() {
        Some(text) => format!(" {name}={text}"),
        None => format!(" {name}={value}"),
    });
    format!("{}{}", named.name, values.collect::<String>())
}

fn day(when: &str) -> &str {
    when.get(..10).unwrap_or(when)
}

fn fingerprint(sha256: Option<&str>) -> String {
    sha256.map(|sha256| format!(" (SHA-256 {}...)", sha256.get(..12).unwrap_or(sha256))).unwrap_or_default()
}

fn paragraph(text: &mut String, words: &str, indent: &str) {
    text.push('\n');
    for line in wrap(words, PAGE - indent.len()) {
        text.push_str(&format!("{indent}{line}\n"));
    }
}
