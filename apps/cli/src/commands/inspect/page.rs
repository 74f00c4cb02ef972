//! The findings as text: a sentence, a table, two histograms, and the attacker.

use throng_contract::shell_line;
use throng_data::EventKind;
use throng_data::formats::{ReadShape, TimeKind};
use throng_measure::attack::curve::RiskCurve;
use throng_measure::profile::{Lengths, MIN_PEOPLE, Profile};

use super::{Inspected, Speed, table};
use crate::layout::{BOLD, Side, Table, bar, count, counted, percent, size};

const BAR: usize = 30;

/// Everything, top to bottom.
pub fn of(found: &Inspected<'_>) -> String {
    let words = Words::of(found);
    let mut text = format!("{BOLD}{}{BOLD:#}\n\n", sentence(found.profile, &words));
    text.push_str(&facts(found, &words));
    text.push_str(&lengths(&found.profile.lengths, found.profile.records));
    text.push_str(&frequent(found.profile, &words));
    if let Some(table) = found.table {
        text.push_str(&table::beside(table));
    }
    text.push_str(&attacker(found.risk, found.profile.kind, &words));
    text.push_str(&decided(&found.shape.notes));
    text.push_str(&next(found));
    text
}

/// What the reader decided without a flag.
pub fn decided(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let notes: Vec<String> = notes.iter().map(|note| format!("  {note}\n")).collect();
    format!("\n{BOLD}Decided while reading{BOLD:#}\n{}", notes.concat())
}

/// The same file on the command line, with everything that was found said.
fn next(found: &Inspected<'_>) -> String {
    let flags = &found.found.flags;
    let mut words = vec!["throng", "recommend", found.source];
    words.extend(flags.iter().map(String::as_str));
    words.extend(["--promise", "km", "-k", "5", "-m", "2", "--keep", "counts"]);
    format!("\n{BOLD}Next{BOLD:#}\n  {}\n", shell_line(words))
}

/// What the data's items and events are called.
struct Words {
    item: [&'static str; 2],
    event: [&'static str; 2],
}

impl Words {
    /// A column called `place` or the like makes items places and events visits.
    fn of(found: &Inspected<'_>) -> Self {
        let column = found.shape.roles.item.as_deref().unwrap_or_default().to_lowercase();
        match column.as_str() {
            "place" | "location" | "poi" | "region" => {
                Words { item: ["place", "places"], event: ["visit", "visits"] }
            }
            _ => Words { item: ["item", "items"], event: ["event", "events"] },
        }
    }
}

fn sentence(profile: &Profile, words: &Words) -> String {
    let order = match (profile.kind, profile.times) {
        (EventKind::Set | EventKind::Absent, _) => "without order",
        (EventKind::Sequence, Some(_)) => "in order of time",
        (EventKind::Sequence, None) => "in order",
    };
    format!(
        "{}, {}, {}; {:.2} a record on average, {order}",
        counted(profile.subjects, "person", "people"),
        counted(profile.items, words.item[0], words.item[1]),
        counted(profile.events, words.event[0], words.event[1]),
        profile.lengths.mean,
    )
}

fn facts(found: &Inspected<'_>, words: &Words) -> String {
    let (shape, profile) = (found.shape, found.profile);
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("file", format!("{}, {}", found.source, shape.format.name()));
    row("read", speed(found.read));
    row("columns", columns(shape));
    if !shape.ignored.is_empty() {
        row("ignored", shape.ignored.join(", "));
    }
    row("records", records(profile));
    let lengths = &profile.lengths;
    row(
        "lengths",
        format!(
            "{} to {}; median {}, mean {:.2}",
            count(lengths.min),
            count(lengths.max),
            lengths.median,
            lengths.mean
        ),
    );
    row(words.item[1], items(profile));
    row("repeats", repeats(profile, words));
    if let Some((first, last)) = profile.times {
        row("times", format!("{} to {}", time(first, shape.time), time(last, shape.time)));
    }
    table.render()
}

fn speed(speed: Speed) -> String {
    format!("{} in {:.2} s ({:.0} MB/s)", size(speed.bytes), speed.seconds, speed.mb_per_second)
}

fn columns(shape: &ReadShape) -> String {
    let roles = &shape.roles;
    let named = [
        ("subject", &roles.subject),
        ("record", &roles.record),
        ("item", &roles.item),
        ("time", &roles.time),
    ];
    let named: Vec<String> =
        named.iter().filter_map(|(role, column)| Some(format!("{role} is `{}`", column.as_ref()?))).collect();
    if named.is_empty() { "none: every line is a person of its own".to_owned() } else { named.join(", ") }
}

fn records(profile: &Profile) -> String {
    match profile.records == profile.subjects {
        true => format!("{}, one a person", count(profile.records)),
        false => {
            let each = profile.records as f64 / profile.subjects.max(1) as f64;
            format!("{}, {each:.2} a person on average", count(profile.records))
        }
    }
}

fn items(profile: &Profile) -> String {
    match profile.rare_items {
        0 => format!("{}, each of at least {MIN_PEOPLE} people", count(profile.items)),
        rare => format!(
            "{}, of which {} belong to fewer than {MIN_PEOPLE} people",
            count(profile.items),
            count(rare)
        ),
    }
}

fn repeats(profile: &Profile, words: &Words) -> String {
    if profile.repeated_events == 0 {
        return format!("no record holds {} twice", article(words.item[0]));
    }
    format!(
        "{} hold some {} again: {}",
        counted(profile.records_with_repeats, "record", "records"),
        words.item[0],
        counted(profile.repeated_events, words.event[0], words.event[1]),
    )
}

fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A time as the file means it: a plain number, or a date.
fn time(value: i64, kind: Option<TimeKind>) -> String {
    match kind {
        None | Some(TimeKind::Whole) => value.to_string(),
        Some(TimeKind::Clock) => format!("{}:{:02}:{:02}", value / 3600, value / 60 % 60, value % 60),
        Some(_) => {
            jiff::Timestamp::from_second(value).map_or_else(|_| value.to_string(), |at| at.to_string())
        }
    }
}

fn lengths(lengths: &Lengths, records: u64) -> String {
    let largest = lengths.histogram.iter().map(|bin| bin.records).max().unwrap_or(0).max(1);
    let mut table = Table::new(&[Side::Right, Side::Right, Side::Right, Side::Left]).indent(2);
    for bin in &lengths.histogram {
        let label =
            if bin.from == bin.to { bin.from.to_string() } else { format!("{}-{}", bin.from, bin.to) };
        table.row([
            label,
            count(bin.records),
            percent(bin.records as f64 / records.max(1) as f64),
            bar(bin.records as f64 / largest as f64, BAR),
        ]);
    }
    format!("\n{BOLD}Length of records{BOLD:#}\n{}", table.render())
}

fn frequent(profile: &Profile, words: &Words) -> String {
    if profile.frequent.is_empty() {
        return format!("\nNo {} belongs to {MIN_PEOPLE} people or more, so none is named.\n", words.item[0]);
    }
    let mut table = Table::new(&[Side::Left, Side::Right, Side::Right, Side::Left]).indent(2);
    for entry in &profile.frequent {
        let share = entry.people as f64 / profile.subjects.max(1) as f64;
        table.row([entry.item.clone(), count(entry.people), percent(share), bar(share, BAR)]);
    }
    format!("\n{BOLD}Most frequent {}, by people{BOLD:#}\n{}", words.item[1], table.render())
}

fn attacker(risk: &RiskCurve, kind: EventKind, words: &Words) -> String {
    let columns = [Side::Left, Side::Right, Side::Left, Side::Right, Side::Right];
    let header = ["KNOWING", "SINGLED OUT", "", "AMONG FEWER THAN 5", "THAN 20"];
    let mut table = Table::new(&columns).header(header).indent(2);
    for point in &risk.points {
        table.row([
            counted(point.known, words.event[0], words.event[1]),
            percent(point.singled_out.share),
            format!("{:<BAR$}", bar(point.singled_out.share, BAR)),
            percent(point.below_5.share),
            percent(point.below_20.share),
        ]);
    }
    let who = match risk.sampled {
        true => format!("{} people drawn from {}", count(risk.targets), count(risk.people)),
        false => "all people".to_owned(),
    };
    let sure = risk.points.last().and_then(|point| Some((point, point.singled_out.interval?)));
    let sure = sure.map_or_else(String::new, |(point, [low, high])| {
        let known = counted(point.known, words.event[0], words.event[1]);
        format!("; with 95% confidence, {known} single out {} to {}", percent(low), percent(high))
    });
    let how = match (risk.times, kind) {
        (true, _) => " with their times",
        (false, EventKind::Sequence) => " in order",
        (false, EventKind::Set | EventKind::Absent) => "",
    };
    format!(
        "\n{BOLD}What an attacker could do today{BOLD:#}, who knows {} of a person{how}\n{}  Looked for: {who}{sure}.\n",
        words.event[1],
        table.render()
    )
}
