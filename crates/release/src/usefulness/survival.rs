//! What is left of the data, in shares that anyone can read. For the publisher: they are counted in the data.
//!
//! # Guarantees
//! Same data, release and seed, same shares, with any number of threads.
//! # Cost
//! One pass for what is counted of everybody. Frequent pairs and COUNT queries are looked up among [`PEOPLE`] people at most, and
//! at most [`EVENTS`] events; where records were taken apart they are drawn among these and counted among all.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use throng_contract::{Failure, Progress, Threshold, Value};
use throng_data::{
    Body, Chunks, Cover, Dataset, EventKind, Events, EventsBuilder, ItemId, Mixed, Query, RecodedTable,
    Records, Release, Role, Rows,
};
use throng_measure::answers::answers;
use throng_measure::counting::{Meaning, SetModel, count};
use throng_measure::counts::Kept;
use throng_measure::workload::{Drawing, draw_queries};
use throng_measure::{Comparison, Shape};
use throng_mine::{Patterns, Search};

use crate::exact::suppressed;
use crate::made::Checked;
use crate::sample;

/// At most so many people are looked at for pairs and queries.
const PEOPLE: usize = 2_000;
/// And at most so many events.
const EVENTS: usize = 100_000;
/// How many queries are drawn where no workload was given, and how many of a workload are asked.
const QUERIES: usize = 200;
/// How many of the most frequent pairs are looked for.
const PAIRS: usize = 200;

/// Something of the data, and which share of it is left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Survived {
    /// What: `events`, `items`, `rows`, `cells`, `patterns`, `queries`, of chunks `limits`, or of counts `visits` and `moves`.
    pub what: String,
    /// The share that is left.
    pub share: f64,
    /// The same in words that stand behind a percentage.
    pub about: String,
}

impl Survived {
    pub(super) fn new(what: &str, share: f64, about: &str) -> Self {
        Survived { what: what.to_owned(), share, about: about.to_owned() }
    }

    /// In words: `83% of the events`.
    pub fn in_words(&self) -> String {
        let points = match self.share * 100.0 {
            points if points > 0.0 && points < 1.0 => "less than 1".to_owned(),
            points => format!("{points:.0}"),
        };
        format!("{points}% {}", self.about)
    }
}

/// What is left of the data in a release whose records stand for people.
pub(super) fn survived(made: &Checked, progress: &Progress) -> Result<Vec<Survived>, Failure> {
    let (data, release) = (&made.loaded.data, &made.outcome.release);
    if let Some(chunks) = release.body.chunks() {
        return of_chunks(made, chunks, progress);
    }
    let mut found = Vec::new();
    if let Some(table) = release.table() {
        found.extend(of_cells(table, release.people()));
    }
    match release.event_kind() {
        EventKind::Absent => {}
        EventKind::Sequence | EventKind::Set => {
            if let Some(lost) = suppressed(made) {
                found.push(Survived::new("events", 1.0 - lost.events_share(), "of the events are there"));
            }
            let shape = Shape::of(&data.events, release);
            if shape.original_items > 0 {
                let share = shape.intact_items as f64 / shape.original_items as f64;
                let noun = if data.places.is_some() { "places" } else { "items" };
                found.push(Survived::new(
                    "items",
                    share,
                    &format!("of the {noun} are told apart from all others"),
                ));
            }
        }
    }
    let (data, release) = sampled(data, release, made.seed);
    let quiet = progress.muted();
    let on = Comparison {
        inputs: &made.loaded.inputs,
        seed: made.seed,
        aligned: true,
        ..Comparison::of(&data, &release, &quiet)
    };
    if let Some(share) = of_pairs(&on)? {
        let order = if data.events.kind() == EventKind::Set { "pairs" } else { "pairs in order" };
        found.push(Survived::new("patterns", share, &format!("of frequent {order} are still found")));
    }
    if let Some(share) = of_queries(&on)? {
        found.push(Survived::new("queries", share, "of COUNT queries are answered to within half"));
    }
    Ok(found)
}

/// The same where records were taken apart. Pairs and queries are drawn among a few people.
fn of_chunks(made: &Checked, chunks: &Chunks, progress: &Progress) -> Result<Vec<Survived>, Failure> {
    let data = &made.loaded.data;
    let few = sample::draw(data, most_people(data), made.seed);
    let few = few.map_or(Cow::Borrowed(data), |people| Cow::Owned(some_people(data, &people)));
    let quiet = progress.muted();
    let release = &made.outcome.release;
    let on =
        Comparison { inputs: &made.loaded.inputs, seed: made.seed, ..Comparison::of(&few, release, &quiet) };
    let pairs: Vec<Vec<ItemId>> = frequent_pairs(&on)?
        .into_iter()
        .flat_map(|found| found.iter().map(|pair| pair.items.to_vec()).collect::<Vec<_>>())
        .collect();
    super::chunks::survived(made, chunks, &pairs, &asked(&on), &quiet)
}

/// What is left of visits and moves in a release of counts. A table of which no cell is left does not show in the release; where it was
/// asked for, all of it was lost.
pub(super) fn of_counts(made: &Checked, progress: &Progress) -> Result<Vec<Survived>, Failure> {
    let kept = Kept::of(&made.loaded.data, &made.outcome.release, progress)?;
    let Some(Kept { visits, moves, .. }) = kept else { return Ok(Vec::new()) };
    let moves = moves.or_else(|| asks_for_moves(made).then_some(0.0));
    let share = |what: &str, share: Option<f64>| {
        share.map(|share| Survived::new(what, share, &format!("of the {what} are in a published count")))
    };
    Ok(share("visits", visits).into_iter().chain(share("moves", moves)).collect())
}

/// Whether moves were to be counted, and at least one person moved.
fn asks_for_moves(made: &Checked) -> bool {
    let setting = |name: &str| made.settings.get(name);
    let events = &made.loaded.data.events;
    let tables = setting("tables").is_some_and(|tables| *tables != Value::Choice("visits"));
    let timeless = setting("bin").is_none_or(|bin| *bin == Value::Integer(0));
    let moved = |record: usize| events.record(record).windows(2).any(|pair| pair[0] != pair[1]);
    tables && timeless && events.kind() == EventKind::Sequence && (0..events.records()).any(moved)
}

/// Rows of which something is said, and quasi-identifying cells that are values.
fn of_cells(table: &RecodedTable, people: usize) -> Vec<Survived> {
    if people == 0 {
        return Vec::new();
    }
    let silent = (0..people).filter(|person| table.is_suppressed(*person)).count();
    let (mut cells, mut intact) = (0_usize, 0_usize);
    for column in table.with_role(Role::QuasiIdentifying) {
        let is_value: Vec<bool> =
            column.covers.iter().map(|cover| matches!(cover, Cover::Value(_))).collect();
        cells += column.cells.len();
        intact += column.cells.iter().filter(|cover| is_value[**cover as usize]).count();
    }
    let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    vec![
        Survived::new("rows", share(people - silent, people), "of the rows are there"),
        Survived::new("cells", share(intact, cells), "of the quasi-identifying cells are as they were"),
    ]
}

/// A few people of the data and of the release, in the same places; everybody where there are few.
fn sampled<'a>(data: &'a Dataset, release: &'a Release, seed: u64) -> (Cow<'a, Dataset>, Cow<'a, Release>) {
    let Some(people) = sample::draw(data, most_people(data), seed) else {
        return (Cow::Borrowed(data), Cow::Borrowed(release));
    };
    let original = some_people(data, &people);
    let body = match &release.body {
        Body::Records(records) => Body::Records(Records {
            events: picked(&records.events, &people),
            attributes: records.attributes.as_ref().map(|table| table.pick(&people)),
        }),
        Body::Table(rows) => Body::Table(Rows::of(rows.table.pick(&people), people.len())),
        Body::Mixed(mixed) => {
            Body::Mixed(Mixed { events: picked(&mixed.events, &people), table: mixed.table.pick(&people) })
        }
        whole @ (Body::Chunks(_) | Body::Counts(_)) => whole.clone(),
    };
    let release = Release { body, ..release.clone() };
    (Cow::Owned(original), Cow::Owned(release))
}

/// How many people are looked at.
fn most_people(data: &Dataset) -> usize {
    match data.events.len() {
        events if events > EVENTS => (data.events.subjects() * EVENTS / events).clamp(1, PEOPLE),
        _ => PEOPLE,
    }
}

fn some_people(data: &Dataset, people: &[u32]) -> Dataset {
    Dataset {
        subjects: people.iter().map(|person| data.subjects.name(*person)).collect(),
        events: picked(&data.events, people),
        attributes: data.attributes.as_ref().map(|table| table.pick(people)),
        items: data.items.clone(),
        places: data.places.clone(),
        own_categories: data.own_categories.clone(),
    }
}

fn picked(events: &Events, people: &[u32]) -> Events {
    if events.kind() == EventKind::Absent {
        return EventsBuilder::absent(people.len());
    }
    let mut builder = EventsBuilder::new(events.kind(), false);
    for (subject, person) in (0..).zip(people) {
        for record in events.records_of(*person as usize) {
            builder.push(subject, events.record(record), &[]);
        }
    }
    builder.finish(people.len())
}

/// The most frequent pairs; `None` where nothing is paired.
fn frequent_pairs(on: &Comparison<'_>) -> Result<Option<Patterns>, Failure> {
    let events = &on.original.events;
    let needed = (events.subjects() as u64).div_ceil(100).max(2);
    let search = Search { lengths: 2..=2, top: Some(PAIRS), ..Search::new(Threshold::Absolute(needed)) };
    let found = match events.kind() {
        EventKind::Absent => return Ok(None),
        EventKind::Sequence => search.sequences(events, &|| false, on.progress)?,
        EventKind::Set => search.itemsets(events, &|| false, on.progress)?,
    };
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// The share of frequent pairs that at least half as many people have in the release, on average over all ways to fill it in.
fn of_pairs(on: &Comparison<'_>) -> Result<Option<f64>, Failure> {
    let Some(found) = frequent_pairs(on)? else { return Ok(None) };
    let pairs: Vec<Vec<ItemId>> = found.iter().map(|pair| pair.items.to_vec()).collect();
    let people = count(on.release.events(), &Meaning::of(on.release), &pairs, on.progress)?;
    let kept = found.iter().zip(people).filter(|(pair, people)| 2.0 * people.expected >= pair.support as f64);
    Ok(Some(kept.count() as f64 / pairs.len() as f64))
}

/// The queries that are asked: some of a workload, or drawn ones.
fn asked(on: &Comparison<'_>) -> Vec<Query> {
    match &on.inputs.queries {
        Some(given) => given[..given.len().min(QUERIES)].to_vec(),
        None => {
            let drawing = Drawing { queries: QUERIES, sizes: 1..=2, columns: 0..=0, seed: on.seed };
            draw_queries(on.original, &drawing)
        }
    }
}

/// The share of COUNT queries, of those that match at least one person, whose answer is off by half of it at most.
fn of_queries(on: &Comparison<'_>) -> Result<Option<f64>, Failure> {
    let queries = asked(on);
    on.progress.check()?;
    // A workload that asks for columns which are not there says nothing of the release.
    let Ok(answers) = answers(on, &queries, SetModel::Subset) else {
        on.progress.check()?;
        return Ok(None);
    };
    let (mut asked, mut right) = (0_u64, 0_u64);
    for answer in answers.iter().filter(|answer| answer.actual > 0) {
        let actual = answer.actual as f64;
        asked += 1;
        right += u64::from(2.0 * (actual - answer.estimate).abs() <= actual);
    }
    Ok((asked > 0).then(|| right as f64 / asked as f64))
}
