//! Everyone who fits what is known.

use rayon::prelude::*;
use roaring::RoaringBitmap;
use throng_contract::{Cancelled, Progress};
use throng_data::{EventKind, Events, ItemId};

use super::ENOUGH;
use super::knowledge::Known;
use crate::cover::Cover;

/// Records are listed in blocks of this size, that of a container of the bitmaps.
const BLOCK: usize = 1 << 16;

/// Published records, with the records of every item that targets are known by.
#[derive(Debug)]
pub(super) struct Crowd<'a> {
    events: &'a Events,
    cover: &'a Cover,
    /// By original item: the records with a released item that may stand for it. Only for items that are known.
    records: Vec<Option<RoaringBitmap>>,
}

impl<'a> Crowd<'a> {
    /// Lists the records of all items that are known of some target.
    pub fn of(
        events: &'a Events,
        cover: &'a Cover,
        targets: &[Known],
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut known: Vec<ItemId> = targets.iter().flat_map(Known::items).collect();
        known.sort_unstable();
        known.dedup();
        let mut released: Vec<ItemId> = known.iter().flat_map(|item| cover.of_item(*item)).copied().collect();
        released.sort_unstable();
        released.dedup();
        let lists = list_records(events, &released, progress)?;

        let mut records = vec![None; known.last().map_or(0, |item| *item as usize + 1)];
        for item in known {
            let mut all = RoaringBitmap::new();
            for cover in cover.of_item(item) {
                if let Ok(place) = released.binary_search(cover) {
                    all |= &lists[place];
                }
            }
            records[item as usize] = Some(all);
        }
        Ok(Crowd { events, cover, records })
    }

    /// As many of the known events as a published record can hold, in order; the first such choice.
    pub fn usable(&self, record: usize, known: &[ItemId]) -> Vec<ItemId> {
        let choose = |choice: u32| -> Vec<ItemId> {
            (0..known.len()).filter(|place| choice & (1 << place) != 0).map(|place| known[place]).collect()
        };
        let mut choices: Vec<u32> = (0..1 << known.len()).collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.count_ones()));
        let fits = |choice: &u32| self.fits(record, &choose(*choice));
        choices.into_iter().find(fits).map(choose).unwrap_or_default()
    }

    /// How many people have a record that fits, at most [`ENOUGH`]; any record fits when nothing is known.
    pub fn size(&self, known: &[ItemId]) -> u32 {
        let mut lists: Vec<&RoaringBitmap> =
            known.iter().filter_map(|item| self.records[*item as usize].as_ref()).collect();
        lists.sort_by_key(|list| list.len());
        match lists.as_slice() {
            [] => self.count_people(0..self.events.records() as u32, known),
            [only] => self.count_people(only.iter(), known),
            [rarest, others @ ..] => {
                let mut candidates = *rarest & others[0];
                for other in &others[1..] {
                    candidates &= *other;
                }
                self.count_people(candidates.iter(), known)
            }
        }
    }

    fn count_people(&self, candidates: impl Iterator<Item = u32>, known: &[ItemId]) -> u32 {
        let mut people = 0;
        // Records of one person lie next to each other: those up to here are counted.
        let mut counted = 0;
        for record in candidates.map(|record| record as usize) {
            if record >= counted && (known.len() < 2 || self.fits(record, known)) {
                people += 1;
                if people == ENOUGH {
                    break;
                }
                counted = self.events.records_of(self.events.subject_of(record)).end;
            }
        }
        people
    }

    /// Whether a record holds the known events: in order and one each, or, in a set, all of them.
    fn fits(&self, record: usize, known: &[ItemId]) -> bool {
        let mut events = self.events.record(record);
        for item in known {
            match events.iter().position(|event| self.cover.covers(*event, *item)) {
                Some(place) if self.events.kind() == EventKind::Sequence => events = &events[place + 1..],
                Some(_) => {}
                None => return false,
            }
        }
        true
    }
}

/// The records of each of some released items, which are given in ascending order.
fn list_records(
    events: &Events,
    released: &[ItemId],
    progress: &Progress,
) -> Result<Vec<RoaringBitmap>, Cancelled> {
    const UNKNOWN: u32 = u32::MAX;
    let alphabet = events.items().par_iter().max().map_or(0, |item| *item as usize + 1);
    let mut places = vec![UNKNOWN; alphabet];
    for (place, item) in (0..).zip(released) {
        if let Some(known) = places.get_mut(*item as usize) {
            *known = place;
        }
    }
    let blocks: Vec<Vec<RoaringBitmap>> = (0..events.records().div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            progress.check()?;
            let mut lists: Vec<Vec<u32>> = vec![Vec::new(); released.len()];
            for record in block * BLOCK..((block + 1) * BLOCK).min(events.records()) {
                for item in events.record(record) {
                    let place = places[*item as usize];
                    if place != UNKNOWN && lists[place as usize].last() != Some(&(record as u32)) {
                        lists[place as usize].push(record as u32);
                    }
                }
            }
            Ok(lists.into_iter().map(ascending).collect())
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut lists = vec![RoaringBitmap::new(); released.len()];
    for block in blocks {
        for (list, part) in lists.iter_mut().zip(block) {
            *list |= part;
        }
    }
    Ok(lists)
}

fn ascending(records: Vec<u32>) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(records).expect("records are visited once each, in ascending order")
}
