//! Lists the records of many released events in one pass over the data.
//!
//! # Cost
//! Where all items are asked for, every event of the data is listed. Blocks of records are listed by all cores, in two bytes
//! a listed event, and postings are filled from them at their final size: most of them are bits, which need less than that.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Events;

use super::knowledge::Clue;
use super::posting::{Posting, PostingBuilder};

/// Records of a block: as many as sixteen bits can number.
const BLOCK: usize = 1 << 16;

/// The records of each of some released events, which are given in ascending order. With `timed`, events are told apart by
/// their times.
pub(super) fn list_records(
    events: &Events,
    wanted: &[Clue],
    timed: bool,
    progress: &Progress,
) -> Result<Vec<Posting>, Cancelled> {
    let places = Places::of(events, wanted, timed);
    let blocks: Vec<Listed> = (0..events.records().div_ceil(BLOCK))
        .into_par_iter()
        .map_init(
            || Scratch::new(wanted.len()),
            |scratch, block| {
                progress.check()?;
                Ok(scratch.list(events, &places, block * BLOCK))
            },
        )
        .collect::<Result<_, Cancelled>>()?;

    let mut lengths = vec![0_usize; wanted.len()];
    for (place, records) in blocks.iter().flat_map(Listed::runs) {
        lengths[place as usize] += records.len();
    }
    let mut builders: Vec<PostingBuilder> =
        lengths.into_iter().map(|length| PostingBuilder::new(length, events.records())).collect();
    for (block, listed) in blocks.into_iter().enumerate() {
        for (place, records) in listed.runs() {
            builders[place as usize].extend((block * BLOCK) as u32, records);
        }
    }
    Ok(builders.into_iter().map(PostingBuilder::finish).collect())
}

/// Where events stand among those that are wanted.
struct Places<'a> {
    events: &'a Events,
    wanted: &'a [Clue],
    /// The first wanted event of each item, and the end.
    starts: Vec<u32>,
    timed: bool,
}

impl<'a> Places<'a> {
    fn of(events: &'a Events, wanted: &'a [Clue], timed: bool) -> Self {
        let alphabet = events.items().par_iter().max().map_or(0, |item| *item as usize + 1);
        let mut starts = vec![0_u32; alphabet + 1];
        for item in 0..alphabet {
            starts[item + 1] = wanted.partition_point(|event| event.item as usize <= item) as u32;
        }
        Places { events, wanted, starts, timed }
    }

    fn of_event(&self, at: usize) -> Option<u32> {
        let item = self.events.items()[at] as usize;
        let (start, end) = (self.starts[item], self.starts[item + 1]);
        match (self.events.times(), self.timed) {
            _ if start == end => None,
            (Some(times), true) => {
                let of_item = &self.wanted[start as usize..end as usize];
                let found = of_item.binary_search_by_key(&times[at], |event| event.time).ok()?;
                Some(start + found as u32)
            }
            _ => Some(start),
        }
    }
}

/// The records of a block that hold wanted events, by event.
struct Listed {
    /// Each wanted event that occurs in the block, with the end of its records.
    ends: Vec<(u32, u32)>,
    /// Numbers of records in the block, ascending for each event.
    records: Vec<u16>,
}

impl Listed {
    fn runs(&self) -> impl Iterator<Item = (u32, &[u16])> {
        let mut from = 0;
        self.ends.iter().map(move |(place, end)| {
            let records = &self.records[from..*end as usize];
            from = *end as usize;
            (*place, records)
        })
    }
}

/// What a thread needs to list one block after the other.
struct Scratch {
    /// By wanted event: how many records of the block hold it, then where the next of them goes. Zero between blocks.
    counts: Vec<u32>,
    /// By wanted event: one more than the last record of the block that holds it. Zero between blocks.
    last: Vec<u32>,
    /// Wanted event and record, in the order of the data.
    found: Vec<(u32, u16)>,
    /// The wanted events that occur in the block.
    occurring: Vec<u32>,
}

impl Scratch {
    fn new(wanted: usize) -> Self {
        Scratch { counts: vec![0; wanted], last: vec![0; wanted], found: Vec::new(), occurring: Vec::new() }
    }

    /// Lists the block of records that begins with `first`.
    fn list(&mut self, events: &Events, places: &Places<'_>, first: usize) -> Listed {
        self.found.clear();
        self.occurring.clear();
        for record in first..(first + BLOCK).min(events.records()) {
            let number = record - first;
            for at in events.span(record) {
                let Some(place) = places.of_event(at) else { continue };
                let last = &mut self.last[place as usize];
                if *last == number as u32 + 1 {
                    continue;
                }
                if *last == 0 {
                    self.occurring.push(place);
                }
                *last = number as u32 + 1;
                self.counts[place as usize] += 1;
                self.found.push((place, number as u16));
            }
        }
        self.occurring.sort_unstable();
        let mut end = 0;
        let mut ends = Vec::with_capacity(self.occurring.len());
        for place in &self.occurring {
            let count = &mut self.counts[*place as usize];
            let start = end;
            end += *count;
            *count = start;
            ends.push((*place, end));
        }
        let mut records = vec![0_u16; self.found.len()];
        for (place, record) in &self.found {
            let at = &mut self.counts[*place as usize];
            records[*at as usize] = *record;
            *at += 1;
        }
        for place in &self.occurring {
            (self.counts[*place as usize], self.last[*place as usize]) = (0, 0);
        }
        Listed { ends, records }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use throng_data::{EventKind, EventsBuilder};

    use super::*;

    #[test]
    fn records_of_several_blocks_are_listed_once_each_in_order() {
        let mut builder = EventsBuilder::new(EventKind::Sequence, true);
        let records = 2 * BLOCK + 9;
        for record in 0..records {
            let items = [0, (record % 7) as u32, (record % 7) as u32, if record % BLOCK < 2 { 8 } else { 0 }];
            builder.push(record as u32, &items, &[0, 1, 2, (record % 3) as i64]);
        }
        let events = builder.finish(records);
        let clue = |item, time| Clue { item, time };
        let untimed: Vec<Clue> = [0, 3, 8, 9].map(|item| clue(item, 0)).to_vec();
        let timed = vec![clue(0, 0), clue(3, 1), clue(3, 5), clue(8, 0), clue(8, 1)];
        for (wanted, timed) in [(untimed, false), (timed, true)] {
            let listed = list_records(&events, &wanted, timed, &Progress::silent()).unwrap();
            for (clue, posting) in wanted.iter().zip(&listed) {
                let holds = |record: &usize| {
                    let times = events.times_of(*record).unwrap();
                    let mut events = events.record(*record).iter().zip(times);
                    events.any(|(item, time)| *item == clue.item && (!timed || *time == clue.time))
                };
                let expected: BTreeSet<u32> =
                    (0..records).filter(holds).map(|record| record as u32).collect();
                let mut members = Vec::new();
                let _ = Posting::each_common(&[posting], |record| {
                    members.push(record);
                    ControlFlow::Continue(())
                });
                assert_eq!(members, expected.into_iter().collect::<Vec<_>>(), "{clue:?}");
                assert_eq!(posting.len(), members.len());
            }
        }
    }
}
