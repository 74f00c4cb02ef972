//! The ledger in plain words.

use std::path::Path;

use throng_lab::ledger::{Attacked, Chain, Earlier, Entry, Evidence, Named, Overlap, Recorded};
use throng_measure::Composition;
use throng_measure::composition::{CountsTogether, TablesTogether};

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

/// What two releases give away together.
pub fn attacked(first: &str, second: &str, found: &Composition) -> String {
    let mut text = String::new();
    if let Some(counts) = &found.counts {
        return counts_of_both(first, second, found, counts);
    }
    if found.targets == 0 {
        paragraph(&mut text, "No person is in both, so there is no one to look for.", "  ");
        return text;
    }
    let sampled = if found.sampled { ", drawn at random" } else { "" };
    let looked_for = counted(found.targets, "person", "people");
    let knows = match &found.tables {
        Some(_) => "who knows every published column that is not sensitive".to_owned(),
        None if found.points.first().is_some_and(|point| point.known == 0) => {
            "who knows the published columns that are not sensitive, and so many events".to_owned()
        }
        None => "who knows so many events".to_owned(),
    };
    paragraph(
        &mut text,
        &format!(
            "{} in both; {looked_for} looked for{sampled}. Share of them whom fewer than {} people fit, for an attacker \
             {knows}:",
            counted(found.people, "person is", "people are"),
            found.k
        ),
        "  ",
    );
    let sides = [Side::Right; 6];
    let header = ["KNOWN", "in A", "in B", "in BOTH", "lost", "alone in both"];
    let mut table = Table::new(&sides).header(header).indent(2);
    for point in &found.points {
        table.row([
            if found.tables.is_some() { "columns".to_owned() } else { point.known.to_string() },
            percent(point.below_in_first.share),
            percent(point.below_in_second.share),
            percent(point.below_in_both.share),
            percent(point.lost.share),
            percent(point.singled_out.share),
        ]);
    }
    text.push_str(&table.render());
    paragraph(
        &mut text,
        &format!(
            "A is {first}, B is {second}. In both: an attacker who can tell which records of the two are one person's. \
             Lost: {} or more people fit in each alone, but fewer in both.",
            found.k
        ),
        "  ",
    );
    if let Some(worlds) = found.worlds {
        paragraph(
            &mut text,
            &format!(
                "Records were taken apart: a crowd is how many people have what is known, on average over {worlds} possible \
                 worlds that fit A, B, or both. Who is in which cluster is taken to be known."
            ),
            "  ",
        );
    }
    if let Some(items) = found.items.as_ref().filter(|items| items.narrowed > 0) {
        let narrowed =
            counted(items.narrowed, "event that both generalise is", "events that both generalise are");
        paragraph(
            &mut text,
            &format!("{narrowed} narrowed down by the other; {} to a single item.", count(items.pinned)),
            "  ",
        );
        for example in &items.examples {
            let (first, second) = (short(&example.first), short(&example.second));
            text.push_str(&format!("    {first} and {second} is {}\n", short(&example.item)));
        }
    }
    if let Some(tables) = &found.tables {
        text.push_str(&tables_of_both(tables, found.k));
        return text + &left_out(found);
    }
    for point in &found.points {
        for learned in point.learned.iter().filter(|learned| learned.targets.count > 0) {
            paragraph(
                &mut text,
                &format!(
                    "Knowing {}, `{}` of {} of them follows from both, and from neither alone.",
                    counted(point.known, "event", "events"),
                    learned.column,
                    percent(learned.targets.share)
                ),
                "  ",
            );
        }
    }
    text + &left_out(found)
}

/// What the groups of two tables give away of sensitive columns, and of people who are in one of them.
fn tables_of_both(tables: &TablesTogether, k: u64) -> String {
    let mut text = String::new();
    for values in &tables.values {
        let column = &values.column;
        if values.certain.count > 0 {
            let what = format!(
                "`{column}` of {} of them ({}) is certain from the values that both groups have in common, and from neither alone. No row has to be \
                 tied to another for that.",
                percent(values.certain.share),
                counted(values.certain.count, "person", "people")
            );
            paragraph(&mut text, &what, "  ");
        }
        if values.certain_by_rows.count > values.certain.count {
            let what = format!(
                "`{column}` of {} of them ({}) is certain to an attacker who can tell which rows of the two are one person's.",
                percent(values.certain_by_rows.share),
                counted(values.certain_by_rows.count, "person", "people")
            );
            paragraph(&mut text, &what, "  ");
        }
        if values.promise_lost.count > 0 {
            let what = format!(
                "`{column}` of {} of them ({}) is less varied among the people in both groups than each release promises.",
                percent(values.promise_lost.share),
                counted(values.promise_lost.count, "person", "people")
            );
            paragraph(&mut text, &what, "  ");
        }
    }
    for (moved, where_) in [(&tables.left, "A alone"), (&tables.joined, "B alone")] {
        if moved.exposed.count > 0 {
            let what = format!(
                "{} in {where_}; {} of them can be told from the other rows of their group, which leaves fewer than {k} people or fewer values \
                 than promised.",
                counted(moved.people, "person is", "people are"),
                count(moved.exposed.count)
            );
            paragraph(&mut text, &what, "  ");
        }
    }
    text
}

/// What two releases of counts give away.
fn counts_of_both(first: &str, second: &str, found: &Composition, counts: &CountsTogether) -> String {
    let mut text = String::new();
    let k = found.k;
    let both = format!(
        "A is {first}, B is {second}; {} in the data of both. {} in both releases, and {} of them differ by 1 to {} people: a count of so few follows by \
         subtraction. {} in one release alone; {} of them withheld in the other, whose data have people there, fewer than {k} more or less.",
        counted(found.people, "person is", "people are"),
        counted(counts.cells, "count is", "counts are"),
        count(counts.differ_by_few),
        k - 1,
        counted(counts.in_one, "count is", "counts are"),
        count(counts.told)
    );
    paragraph(&mut text, &both, "  ");
    if counts.other_spans {
        paragraph(&mut text, "Counts with times were not compared: the spans of time are different.", "  ");
    }
    text
}

/// What was not compared.
fn left_out(found: &Composition) -> String {
    let mut text = String::new();
    for what in &found.not_compared {
        paragraph(&mut text, &format!("Not compared: {what}."), "  ");
    }
    text
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
