//! Puts the blocks of a file together, in file order, into one dataset.
//!
//! Numbers of subjects and items follow first appearance in the file, whatever the blocks were. When the rows of
//! each record lie together, as in most files, the columns are used as they came; when they are scattered, as in a log in time
//! order, people are dealt to shards, and each shard is grouped by itself.

use std::sync::Arc;

use rayon::prelude::*;

use super::belongings::Belongings;
use super::columns::{Columns, SHARDS};
use super::error::Defect;
use super::gather::gather;
pub(super) use super::shard::Keying;
use super::shard::{Grouped, Shard};
use super::time::TimeReader;
use crate::{Dataset, Dictionary, EventKind, Events, ItemId};

/// The events of a file so far.
#[derive(Debug)]
pub(super) struct Assembly {
    keying: Keying,
    kind: EventKind,
    timed: bool,
    items: Dictionary,
    /// One, or [`SHARDS`] of them.
    shards: Vec<Shard>,
    /// The shard of each subject, by first appearance; empty while there is one shard.
    order: Vec<u8>,
    /// Blocks that wait until there are enough for every shard to be worth the visit.
    waiting: Vec<Columns>,
    /// Columns that belong to people or items, if any are wanted.
    belongings: Option<Belongings>,
    /// [`TELLING`] and [`WORTH_A_VISIT`]; smaller in tests.
    telling: usize,
    worth_a_visit: usize,
}

/// Events that wait before shards are visited.
const WORTH_A_VISIT: usize = 1 << 20;

/// Runs in a first block from which it tells how rows lie: fewer than a block of [`BLOCK`](super::block::BLOCK) bytes has where they
/// are scattered, even if rows are long.
const TELLING: usize = 1 << 11;

impl Assembly {
    pub fn new(keying: Keying, kind: EventKind, timed: bool) -> Self {
        let shards = vec![Shard::new(keying, timed)];
        Assembly {
            keying,
            kind,
            timed,
            items: Dictionary::new(),
            shards,
            order: Vec::new(),
            waiting: Vec::new(),
            belongings: None,
            telling: TELLING,
            worth_a_visit: WORTH_A_VISIT,
        }
    }

    /// Keeps the values of further columns, too.
    pub fn keep(&mut self, belongings: Belongings) {
        self.belongings = Some(belongings);
    }

    /// What was kept of further columns.
    pub fn take_belongings(&mut self) -> Option<Belongings> {
        self.belongings.take()
    }

    /// Whether there is no record so far.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.shards.iter().all(|shard| shard.records() == 0)
    }

    /// How many buckets blocks should deal their runs to; other blocks are dealt again here.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Adds the next block of the file; gives back blocks that are done with, to be used again.
    pub fn append(&mut self, columns: Columns) -> Vec<Columns> {
        if let Some(belongings) = &mut self.belongings {
            match self.keying {
                Keying::Anonymous => belongings.join_rows(&columns.kept, columns.runs()),
                _ => belongings.join(&columns.kept),
            }
        }
        if self.is_empty() && self.scattered(&columns) {
            self.shards = (0..SHARDS).map(|_| Shard::new(self.keying, self.timed)).collect();
        }
        if self.shards.len() == 1 {
            let image = self.image(&columns);
            for bucket in &columns.buckets {
                self.shards[0].append(bucket, &image, |_| ());
            }
            return vec![columns];
        }
        self.waiting.push(columns.dealt());
        if self.waiting.iter().map(Columns::events).sum::<usize>() < self.worth_a_visit {
            return Vec::new();
        }
        self.visit_shards()
    }

    /// The number in the file of each item of a block.
    fn image(&mut self, columns: &Columns) -> Vec<ItemId> {
        columns.items.names().map(|name| self.items.intern(name)).collect()
    }

    /// Lets every shard take what waits for it.
    fn visit_shards(&mut self) -> Vec<Columns> {
        let waiting = std::mem::take(&mut self.waiting);
        let images: Vec<Vec<ItemId>> = waiting.iter().map(|columns| self.image(columns)).collect();
        let visit = |(number, shard): (usize, &mut Shard)| {
            let mut met = Vec::new();
            for (block, (columns, image)) in waiting.iter().zip(&images).enumerate() {
                shard.append(&columns.buckets[number], image, |run| met.push((block, run, number as u8)));
            }
            met
        };
        let mut met: Vec<(usize, u32, u8)> =
            self.shards.par_iter_mut().enumerate().flat_map_iter(visit).collect();
        met.par_sort_unstable();
        self.order.extend(met.iter().map(|(_, _, shard)| *shard));
        waiting
    }

    /// The dataset: records of a subject side by side, events of a record side by side and in order.
    pub fn finish(self) -> Dataset {
        self.in_order(None)
    }

    /// [`Assembly::finish`] of events whose times were read by `times`.
    pub fn finish_timed(mut self, times: Option<&TimeReader>) -> Result<Dataset, Defect> {
        if !self.waiting.is_empty() {
            self.visit_shards();
        }
        if let Some(reader) = times {
            reader.settle(self.shards.iter_mut().flat_map(Shard::times_mut))?;
        }
        Ok(self.in_order(times))
    }

    fn in_order(mut self, reader: Option<&TimeReader>) -> Dataset {
        if !self.waiting.is_empty() {
            self.visit_shards();
        }
        let kind = self.kind;
        let mut parts: Vec<Grouped> = self.shards.into_par_iter().map(|shard| shard.finish(kind)).collect();
        let mut whole = match parts.len() {
            1 => parts.swap_remove(0),
            _ => gather(&parts, &self.order),
        };
        if let (Some(reader), Some(times)) = (reader, &mut whole.times) {
            reader.coarsen(times);
        }
        whole.subjects.settle();
        let Grouped { subjects, subject_records, record_events, ids, times } = whole;
        let events = Events::from_parts(kind, subject_records, record_events, ids, times);
        Dataset {
            subjects,
            items: Arc::new(self.items),
            events,
            places: None,
            own_categories: None,
            attributes: None,
        }
    }

    /// Whether the rows of a person are apart, to judge by the first block: then runs are short.
    fn scattered(&self, columns: &Columns) -> bool {
        matches!(self.keying, Keying::Subject | Keying::SubjectAndRecord)
            && columns.runs() >= self.telling
            && columns.runs() * 2 > columns.events()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Events of a block: person, record, item, time.
    type Rows = Vec<(u8, u8, u8, i64)>;

    fn assembled(blocks: &[Rows], keying: Keying, telling: usize, worth_a_visit: usize) -> (Dataset, usize) {
        let mut assembly = Assembly::new(keying, EventKind::Sequence, true);
        (assembly.telling, assembly.worth_a_visit) = (telling, worth_a_visit);
        for rows in blocks {
            let mut columns = Columns::new(assembly.shards());
            for (person, record, item, time) in rows {
                columns.continue_run(&format!("p{person}"), &format!("r{record}"));
                columns.push_at(&format!("i{item}"), *time);
            }
            assembly.append(columns);
        }
        let shards = assembly.shards();
        (assembly.finish(), shards)
    }

    proptest! {
        #[test]
        fn shards_give_what_one_group_gives(
            blocks in prop::collection::vec(
                prop::collection::vec((0..200_u8, 0..3_u8, 0..9_u8, 0..20_i64), 1..60),
                1..8,
            ),
            worth_a_visit in 0..100_usize,
            named in any::<bool>(),
        ) {
            let keying = if named { Keying::SubjectAndRecord } else { Keying::Subject };
            let (whole, one) = assembled(&blocks, keying, usize::MAX, worth_a_visit);
            let (sharded, _) = assembled(&blocks, keying, 0, worth_a_visit);
            prop_assert_eq!(one, 1);
            prop_assert_eq!(&whole.events, &sharded.events);
            prop_assert!(whole.subjects.names().eq(sharded.subjects.names()));
            prop_assert!(whole.items.names().eq(sharded.items.names()));
            for name in whole.subjects.names() {
                prop_assert_eq!(whole.subjects.find(name), sharded.subjects.find(name));
            }
        }
    }

    #[test]
    fn a_log_in_time_order_is_sharded_and_a_file_by_person_is_not() {
        let log: Rows = (0..40).map(|row| (row % 20, 0, 1, 0)).collect();
        let by_person: Rows = (0..40).map(|row| (row / 4, 0, 1, 0)).collect();
        assert_eq!(assembled(&[log], Keying::Subject, 10, 0).1, SHARDS);
        assert_eq!(assembled(&[by_person], Keying::Subject, 10, 0).1, 1);
    }
}
