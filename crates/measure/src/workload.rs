//! COUNT queries: "how many people have these items, in this order?", or "these values?", or both.
//!
//! Queries are drawn from the data, so that their answers are not all 0: a random record, and a random part of it. Of a table a
//! random row, and random quasi-identifying columns: a category is asked for as it is in the row, a number or date between that of
//! the row and that of another, so that queries are narrow and wide.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5 draws 100 queries
//! of one or two locations.
//! # Guarantees
//! The same data, settings and seed give the same queries. A frequent pattern may be drawn several times, unless all
//! different patterns have the same chance.

mod asked;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use throng_data::{ColumnKind, Dataset, Domain, EventKind, Events, ItemId, Query, Role, Wanted};

pub(crate) use self::asked::Drawn;
pub use self::asked::{DRAWN, EVENLY, Evenly, LONGEST, SHORTEST};
use crate::answers::numbered;
use crate::{Comparison, MeasureError};

/// Patterns of the data beyond this number are not listed.
const MAX_LISTED: u64 = 5_000_000;

/// Draws from all different patterns of such sizes, each with the same chance. `None` where there are too many to list.
fn draw_evenly(
    events: &Events,
    queries: usize,
    sizes: RangeInclusive<usize>,
    seed: u64,
) -> Option<Vec<Vec<ItemId>>> {
    let ways = |length: usize, size: usize| {
        let factors = (0..size).map(|place| (length - place) as f64 / (place + 1) as f64);
        factors.product::<f64>().round() as u64
    };
    let mut patterns: BTreeSet<Vec<ItemId>> = BTreeSet::new();
    let mut listed = 0_u64;
    for record in 0..events.records() {
        let items = events.record(record);
        for size in *sizes.start()..=(*sizes.end()).min(items.len()) {
            listed = listed.saturating_add(ways(items.len(), size));
            if listed > MAX_LISTED {
                return None;
            }
            let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
            for _ in 0..size {
                let longer = |places: &Vec<usize>| {
                    let from = places.last().map_or(0, |last| last + 1);
                    (from..items.len())
                        .map(|place| [places.as_slice(), &[place]].concat())
                        .collect::<Vec<_>>()
                };
                chosen = chosen.iter().flat_map(longer).collect();
            }
            patterns.extend(chosen.iter().map(|places| places.iter().map(|place| items[*place]).collect()));
        }
    }
    let patterns: Vec<Vec<ItemId>> = patterns.into_iter().collect();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let queries = if patterns.is_empty() { 0 } else { queries };
    Some(
        (0..queries)
            .map(|_| patterns[generator.random_range(0..patterns.len() as u64) as usize].clone())
            .collect(),
    )
}

/// The queries that are to be drawn, as items; `None` where they are to be drawn from records.
fn drawn_evenly(
    on: &Comparison<'_>,
    how: Drawn,
    measure: &'static str,
) -> Result<Option<Vec<Vec<ItemId>>>, MeasureError> {
    let refuse = |reason| MeasureError::NotApplicable { measure, reason };
    let (shortest, longest) = how.sizes().into_inner();
    if shortest > longest {
        return Err(refuse("the shortest query would be longer than the longest"));
    }
    if how.evenly_over == Evenly::Records || on.original.events.kind() == EventKind::Absent {
        return Ok(None);
    }
    let drawn = how.drawn as usize;
    draw_evenly(&on.original.events, drawn, shortest..=longest, on.seed)
        .ok_or_else(|| refuse("the data have too many patterns of that size to draw evenly from all of them"))
        .map(Some)
}

/// Draws queries of so many items from the records that have as many; none if there is no such record.
pub fn draw(events: &Events, queries: usize, sizes: RangeInclusive<usize>, seed: u64) -> Vec<Vec<ItemId>> {
    draw_from(events, queries, sizes, seed).into_iter().map(|(_, items)| items).collect()
}

/// The same, with the record that each is from.
fn draw_from(
    events: &Events,
    queries: usize,
    sizes: RangeInclusive<usize>,
    seed: u64,
) -> Vec<(usize, Vec<ItemId>)> {
    let shortest = (*sizes.start()).max(1);
    let long_enough = |record: &u32| events.span(*record as usize).len() >= shortest;
    let records: Vec<u32> = (0..events.records() as u32).filter(long_enough).collect();
    if records.is_empty() || shortest > *sizes.end() {
        return Vec::new();
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |end: usize| generator.random_range(0..end as u64) as usize;
    (0..queries)
        .map(|_| {
            let from = records[below(records.len())] as usize;
            let record = events.record(from);
            let longest = record.len().min(*sizes.end());
            let size = shortest + below(longest - shortest + 1);
            // The beginning of a Fisher-Yates shuffle of the positions.
            let mut positions: Vec<usize> = (0..record.len()).collect();
            for place in 0..size {
                let other = place + below(record.len() - place);
                positions.swap(place, other);
            }
            positions.truncate(size);
            positions.sort_unstable();
            (from, positions.into_iter().map(|position| record[position]).collect())
        })
        .collect()
}

/// What queries to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// How many.
    pub queries: usize,
    /// How many items a query has; of a table, how many columns.
    pub sizes: RangeInclusive<usize>,
    /// How many columns are asked for beside items.
    pub columns: RangeInclusive<usize>,
    /// Seed of every random choice.
    pub seed: u64,
}

/// Draws queries of whatever the data have; none where they have nothing of the sizes asked for.
pub fn draw_queries(data: &Dataset, drawing: &Drawing) -> Vec<Query> {
    let mut cells = CellDrawer::of(data, drawing.seed);
    if data.events.kind() == EventKind::Absent {
        return cells.draw(drawing);
    }
    let drawn = draw_from(&data.events, drawing.queries, drawing.sizes.clone(), drawing.seed);
    drawn
        .into_iter()
        .map(|(record, items)| {
            let items = items.iter().map(|item| data.items.name(*item).to_owned()).collect();
            let columns = cells.number(&drawing.columns);
            Query { items, cells: cells.of_row(data.events.subject_of(record), columns) }
        })
        .collect()
}

/// Draws so many queries of each number of columns and items up to the largest; fewer kinds where the data have no more.
pub fn draw_parts(data: &Dataset, each: usize, largest: usize, seed: u64) -> Vec<Query> {
    let mut queries = Vec::new();
    for columns in 0..=largest {
        for items in 0..=largest {
            let drawing = Drawing { queries: each, sizes: items..=items, columns: columns..=columns, seed };
            match items {
                0 if columns > 0 => {
                    let drawing = Drawing { sizes: columns..=columns, ..drawing };
                    queries.extend(CellDrawer::of(data, seed).draw(&drawing));
                }
                0 => {}
                // Where there are fewer columns, queries would be smaller than asked for.
                _ => {
                    let drawn = draw_queries(data, &drawing).into_iter();
                    queries.extend(drawn.filter(|query| query.cells.len() == columns));
                }
            }
        }
    }
    queries
}

/// Draws conditions on columns.
struct CellDrawer {
    columns: Vec<Domain>,
    rows: usize,
    generator: ChaCha8Rng,
}

impl CellDrawer {
    fn of(data: &Dataset, seed: u64) -> Self {
        let columns = data.attributes.iter().flat_map(|table| &table.columns);
        let quasi = columns.filter(|column| column.role == Some(Role::QuasiIdentifying));
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        // Items are drawn from the first stream: asking for columns, too, does not change them.
        generator.set_stream(1);
        CellDrawer {
            columns: quasi.filter_map(|column| Domain::of(column, None).ok()).collect(),
            rows: data.events.subjects(),
            generator,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        self.generator.random_range(0..end as u64) as usize
    }

    /// How many columns to ask for.
    fn number(&mut self, among: &RangeInclusive<usize>) -> usize {
        let most = (*among.end()).min(self.columns.len());
        let least = (*among.start()).min(most);
        least + if most > least { self.below(most - least + 1) } else { 0 }
    }

    fn draw(&mut self, drawing: &Drawing) -> Vec<Query> {
        if self.rows == 0 || self.columns.len() < *drawing.sizes.start() || self.columns.is_empty() {
            return Vec::new();
        }
        let one = |_| {
            let row = self.below(self.rows);
            let columns = self.number(&drawing.sizes).max(1);
            Query { items: Vec::new(), cells: self.of_row(row, columns) }
        };
        (0..drawing.queries).map(one).collect()
    }

    /// What a row has in so many columns, in the order of the columns.
    fn of_row(&mut self, row: usize, columns: usize) -> Vec<(String, Wanted)> {
        let mut places: Vec<usize> = (0..self.columns.len()).collect();
        for place in 0..columns {
            let other = place + self.below(places.len() - place);
            places.swap(place, other);
        }
        places.truncate(columns);
        places.sort_unstable();
        places.into_iter().map(|place| (self.columns[place].name.clone(), self.wanted(place, row))).collect()
    }

    fn wanted(&mut self, place: usize, row: usize) -> Wanted {
        let other = self.below(self.rows);
        let column = &self.columns[place];
        let [one, two] = [row, other].map(|row| column.codes[row]);
        let value = |code: u32| column.values[code as usize].clone();
        let ranges =
            column.kind != ColumnKind::Category && [one, two].iter().all(|code| !value(*code).is_empty());
        match ranges && one != two {
            true => Wanted::Between(value(one.min(two)), value(one.max(two))),
            false => Wanted::Values(vec![value(one)]),
        }
    }
}

/// The queries a measure asks, of whatever kind: those that were given, or drawn ones.
pub(crate) fn asked_of_any(
    on: &Comparison<'_>,
    how: Drawn,
    measure: &'static str,
) -> Result<Vec<Query>, MeasureError> {
    let queries = match &on.inputs.queries {
        Some(queries) => queries.clone(),
        None => match drawn_evenly(on, how, measure)? {
            Some(queries) => {
                let query =
                    |items: Vec<ItemId>| Query { items: on.original.items.named(&items), cells: Vec::new() };
                queries.into_iter().map(query).collect()
            }
            None => {
                let queries = how.drawn as usize;
                let drawing = Drawing { queries, sizes: how.sizes(), columns: 0..=0, seed: on.seed };
                draw_queries(on.original, &drawing)
            }
        },
    };
    if queries.is_empty() {
        let reason = match on.original.events.kind() {
            EventKind::Absent => "there is no query to answer: the data have no quasi-identifying column",
            _ => "there is no query to answer: the data have no events",
        };
        return Err(MeasureError::NotApplicable { measure, reason });
    }
    Ok(queries)
}

/// The queries a measure of ordered patterns asks: those that were given, or drawn ones.
pub(crate) fn asked(
    on: &Comparison<'_>,
    how: Drawn,
    measure: &'static str,
) -> Result<Vec<Vec<ItemId>>, MeasureError> {
    sequences_only(on, measure)?;
    let queries = match &on.inputs.queries {
        Some(queries) => numbered(queries.iter().filter(|query| query.cells.is_empty()), &on.release.base),
        None => match drawn_evenly(on, how, measure)? {
            Some(queries) => queries,
            None => {
                let drawn = how.drawn as usize;
                draw(&on.original.events, drawn, how.sizes(), on.seed)
            }
        },
    };
    if queries.is_empty() {
        let reason = "there is no query to answer: the data have no events";
        return Err(MeasureError::NotApplicable { measure, reason });
    }
    Ok(queries)
}

/// A measure of ordered patterns says nothing about sets.
pub(crate) fn sequences_only(on: &Comparison<'_>, measure: &'static str) -> Result<(), MeasureError> {
    let sequences = [&on.original.events, on.release.events()];
    if sequences.iter().all(|events| events.kind() == EventKind::Sequence) {
        return Ok(());
    }
    Err(MeasureError::NotApplicable {
        measure,
        reason: "it is about the order of events, and sets have none",
    })
}

#[cfg(test)]
mod tests;
