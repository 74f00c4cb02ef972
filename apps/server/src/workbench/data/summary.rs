//! What a state of the data is: its columns, its sizes, and the data in a sentence.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use throng_contract::DataKind;
use throng_data::formats::{Format, Read, Shape, TimeKind, TimeReader};
use throng_data::{EventKind, ItemId, Role, Table};
use throng_measure::Profile;
use utoipa::ToSchema;

use crate::workbench::data::histogram::{self, Bar, Histogram};
use crate::workbench::format::{count, counted};
use crate::workbench::reading::{Assignment, ColumnRole};
use crate::workbench::snapshots::{Snapshot, Tally};
use crate::workbench::working_table::{WorkingColumn, WorkingTable};

/// Items in the list of the most frequent ones.
const TOP: usize = 20;

/// A column of the data or of the records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ColumnView)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// What its name suggests.
    pub guessed_role: ColumnRole,
    /// What the user said it is; `none` is withheld. Absent until the user confirms it: the guess is used until then.
    pub role: Option<ColumnRole>,
    /// `number`, `time`, `text` or `empty`; of a table `number`, `date` or `category`.
    pub kind: String,
    /// The type that the user said the column of a table has.
    #[serde(default)]
    pub said_kind: Option<String>,
    /// Distinct values.
    pub distinct: u64,
    /// Empty cells.
    pub missing: u64,
    /// What some values look like, without the values.
    pub example_shapes: Vec<String>,
    /// Why it was guessed to be what it is.
    #[serde(default)]
    pub reason: String,
    /// The first values, for the publisher who says what the column is.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// The columns that are used, by role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RolesView)]
pub struct RoleColumns {
    /// The person.
    pub subject: Option<String>,
    /// The record.
    pub record: Option<String>,
    /// The item.
    pub item: Option<String>,
    /// The time.
    pub time: Option<String>,
}

/// Sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    /// People.
    pub subjects: u64,
    /// Records.
    pub records: u64,
    /// Events.
    pub events: u64,
    /// Distinct items.
    pub items: u64,
}

/// An item and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TopItem {
    /// Its name.
    pub item: String,
    /// Number of people.
    pub people: u64,
    /// Number of events.
    pub events: u64,
}

/// What is known of a state of the data.
#[derive(Debug, Clone, Default)]
pub struct DataSummary {
    /// Columns of the table.
    pub columns: Vec<ColumnSummary>,
    /// The columns that are used.
    pub roles: RoleColumns,
    /// The form of the file.
    pub format: String,
    /// The data in a sentence; empty while it cannot be read.
    pub sentence: String,
    /// Sizes, if the data can be read.
    pub counts: Option<Counts>,
    /// What the data is, if it can be read.
    pub kind: Option<DataKind>,
    /// How long records are.
    pub lengths: Option<Histogram>,
    /// The most frequent items, by people.
    pub top_items: Vec<TopItem>,
    /// When events happened.
    pub times: Option<Histogram>,
}

/// Data that could be read, and what was counted in them.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// The data.
    pub read: &'a Read,
    /// Their sizes.
    pub profile: &'a Profile,
    /// People and events of each item.
    pub tally: &'a [Tally],
    /// Items by number of people, the most frequent first.
    pub frequent: &'a [ItemId],
}

/// Everything the screen shows of a state of the data. What an earlier state knows of a column that did not change holds.
pub fn summarise(
    working_table: &WorkingTable,
    assignment: &Assignment,
    counted: Option<Counted<'_>>,
    earlier: Option<&Snapshot>,
) -> DataSummary {
    let data = counted.map(|counted| counted.read);
    let name = |column: Option<usize>| column.map(|column| working_table.columns[column].name.clone());
    let columns: Vec<ColumnSummary> = (0..working_table.columns.len())
        .into_par_iter()
        .map(|column| {
            let (guessed_role, role) = (assignment.guessed[column], assignment.said[column]);
            let known = earlier.filter(|earlier| working_table.same_cells(&earlier.working_table, column));
            match known.and_then(|earlier| earlier.summary.columns.get(column)) {
                Some(view) => {
                    let name = working_table.columns[column].name.clone();
                    ColumnSummary { name, guessed_role, role, ..view.clone() }
                }
                None => column_view(
                    &working_table.columns[column],
                    &working_table.tally(column),
                    guessed_role,
                    role,
                ),
            }
        })
        .collect();
    let roles = RoleColumns {
        subject: name(assignment.subject()),
        record: name(assignment.record()),
        item: name(assignment.item()),
        time: name(assignment.time()),
    };
    let format = match (data, working_table.delimiter) {
        (Some(read), _) => as_stored(read.shape.format, working_table).name(),
        (None, Some(_)) => "long-csv",
        (None, None) => "unknown",
    };
    let mut columns = columns;
    for (view, reason) in columns.iter_mut().zip(&assignment.reasons) {
        view.reason.clone_from(reason);
    }
    if let Some(table) = data.and_then(|read| read.dataset.attributes.as_ref()) {
        for view in &mut columns {
            if let Some(column) = table.column(&view.name) {
                view.kind = column.kind().name().to_owned();
            }
        }
    }
    let mut summary = DataSummary { columns, format: format.to_owned(), ..DataSummary::default() };
    if let Some(Counted { read, profile, tally, frequent }) = counted {
        summary.sentence = match &read.dataset.attributes {
            Some(table) if assignment.is_table() => table_sentence(profile.subjects, table),
            Some(table) if assignment.is_mixed() => {
                let columns = columns_sentence(table);
                format!("{} {columns}", sentence(profile, roles.item.as_deref()))
            }
            _ => sentence(profile, roles.item.as_deref()),
        };
        summary.counts = Some(Counts {
            subjects: profile.subjects,
            records: profile.records,
            events: profile.events,
            items: profile.items,
        });
        summary.kind = Some(match (profile.kind, profile.times) {
            (EventKind::Absent, _) => DataKind::Table,
            (EventKind::Set, _) => DataKind::Sets,
            (EventKind::Sequence, Some(_)) => DataKind::Timed,
            (EventKind::Sequence, None) => DataKind::Sequences,
        });
        summary.lengths = (!assignment.is_table()).then(|| lengths(profile));
        let top = frequent.iter().take(TOP).filter(|item| tally[**item as usize].people > 0);
        summary.top_items = top
            .map(|item| TopItem {
                item: read.dataset.items.name(*item).to_owned(),
                people: tally[*item as usize].people,
                events: tally[*item as usize].events,
            })
            .collect();
        let kind = read.shape.time;
        summary.times = read
            .dataset
            .events
            .times()
            .map(|times| histogram::of_times(times, is_date(kind), |at| time(at, kind)));
    }
    summary.roles = roles;
    summary
}

/// The form of the file: that of a table is said, whatever it is stored as.
fn as_stored(read: Format, working_table: &WorkingTable) -> Format {
    working_table.stored.filter(|_| read != Format::Table).unwrap_or(read)
}

fn column_view(
    column: &WorkingColumn,
    tally: &[u64],
    guessed: ColumnRole,
    role: Option<ColumnRole>,
) -> ColumnSummary {
    let present = || {
        let used = (0_u32..).zip(tally).filter(|(_, count)| **count > 0);
        used.map(|(code, _)| column.values.name(code))
    };
    let missing = column.values.find("").map_or(0, |code| tally[code as usize]);
    let distinct = present().filter(|value| !value.is_empty()).count() as u64;
    let mut shapes: Vec<String> = Vec::new();
    for value in present().filter(|value| !value.is_empty()).take(100) {
        let shape = Shape::of(value).to_string();
        if shapes.len() < 3 && !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    let short = |value: &str| -> String { value.chars().take(40).collect() };
    let examples = present().filter(|value| !value.is_empty()).take(4).map(short).collect();
    ColumnSummary {
        name: column.name.clone(),
        guessed_role: guessed,
        role,
        kind: kind_of(present().filter(|value| !value.is_empty())).to_owned(),
        said_kind: None,
        distinct,
        missing,
        example_shapes: shapes,
        reason: String::new(),
        examples,
    }
}

/// What all values of a column are; those that are missing say nothing.
pub fn kind_of<'a>(values: impl Iterator<Item = &'a str> + Clone) -> &'static str {
    let mut values = values.filter(|value| !value.is_empty());
    let Some(first) = values.clone().next() else { return "empty" };
    if values.clone().all(|value| value.parse::<f64>().is_ok_and(f64::is_finite)) {
        return "number";
    }
    match TimeReader::for_file(first, None) {
        Ok(reader) if values.all(|value| reader.read(value).is_ok()) => "time",
        _ => "text",
    }
}

/// The attributes of people as columns, without their roles.
pub fn attribute_views(table: &[WorkingColumn]) -> Vec<ColumnSummary> {
    let view = |column: &WorkingColumn| {
        let mut tally = vec![0; column.values.len()];
        column.codes.iter().for_each(|code| tally[*code as usize] += 1);
        column_view(column, &tally, ColumnRole::None, None)
    };
    table.iter().map(view).collect()
}

/// The same columns with the roles that the user gave them.
pub fn roled(mut columns: Vec<ColumnSummary>, roles: &BTreeMap<String, ColumnRole>) -> Vec<ColumnSummary> {
    columns.iter_mut().for_each(|column| column.role = roles.get(&column.name).copied());
    columns
}

fn sentence(profile: &Profile, item: Option<&str>) -> String {
    let lower = item.unwrap_or_default().to_lowercase();
    let (items, events) = match lower.as_str() {
        "place" | "location" | "poi" | "region" => (["place", "places"], ["visit", "visits"]),
        _ => (["item", "items"], ["event", "events"]),
    };
    let order = match (profile.kind, profile.times) {
        (EventKind::Set | EventKind::Absent, _) => "without order",
        (EventKind::Sequence, Some(_)) => "in order of time",
        (EventKind::Sequence, None) => "in order",
    };
    format!(
        "{}, {}, {}; {:.2} a record on average, {order}.",
        counted(profile.subjects, "person", "people"),
        counted(profile.items, items[0], items[1]),
        counted(profile.events, events[0], events[1]),
        profile.lengths.mean,
    )
}

/// People, and what is known of them.
fn table_sentence(people: u64, table: &Table) -> String {
    let people = counted(people, "person", "people");
    match columns_by_role(table) {
        roles if roles.is_empty() => format!("{people}, a row each; no column has a role yet."),
        roles => format!("{people}, a row each; {roles}."),
    }
}

/// What is known of people beside their items.
fn columns_sentence(table: &Table) -> String {
    match columns_by_role(table) {
        roles if roles.is_empty() => "No column beside them has a role yet.".to_owned(),
        roles => format!("Beside them {roles}."),
    }
}

fn columns_by_role(table: &Table) -> String {
    let with = |role: Role| table.columns.iter().filter(|column| column.role == Some(role)).count() as u64;
    let roles = [
        (with(Role::QuasiIdentifying), "may identify together"),
        (with(Role::Sensitive), "must not be inferred"),
        (with(Role::Insensitive), "published as they are"),
    ];
    let parts: Vec<String> = roles
        .into_iter()
        .filter(|(columns, _)| *columns > 0)
        .map(|(columns, what)| format!("{} {what}", counted(columns, "column", "columns")))
        .collect();
    parts.join(", ")
}

fn lengths(profile: &Profile) -> Histogram {
    let bars = profile.lengths.histogram.iter().map(|bin| Bar {
        label: if bin.from == bin.to {
            count(bin.from)
        } else {
            format!("{} to {}", count(bin.from), count(bin.to))
        },
        from: Some(bin.from as f64),
        // A range ends where the next one begins, and the last one with the longest record.
        to: Some((bin.to.min(profile.lengths.max) + 1) as f64),
        count: bin.records,
        people: None,
    });
    Histogram {
        column: "length".to_owned(),
        total: profile.records,
        bars: bars.collect(),
        other: None,
        calendar: false,
    }
}

/// Whether the file means dates by its times, and not plain numbers.
fn is_date(kind: Option<TimeKind>) -> bool {
    !matches!(kind, None | Some(TimeKind::Whole | TimeKind::Fraction | TimeKind::Clock))
}

/// A time as the file means it: a plain number, or a date.
fn time(value: i64, kind: Option<TimeKind>) -> String {
    match is_date(kind) {
        false => value.to_string(),
        true => jiff::Timestamp::from_second(value).map_or_else(|_| value.to_string(), |at| at.to_string()),
    }
}
