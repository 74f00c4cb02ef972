//! Everyone who fits what is known.

use std::ops::ControlFlow;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{EventKind, Events, ItemId};

use super::ENOUGH;
use super::knowledge::Known;
use super::posting::Posting;
use crate::cover::Cover;

/// Records are listed in blocks of this size.
const BLOCK: usize = 1 << 16;

/// Published records, with the records of every item that targets are known by.
#[derive(Debug)]
pub(super) struct Crowd<'a> {
    events: &'a Events,
    cover: &'a Cover,
    postings: Vec<Posting>,
    /// By original item, for items that are known: the posting of the records with a released item that may stand for
    /// it. Items that are released as one share a posting.
    places: Vec<Option<usize>>,
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
        let mut postings = list_records(events, &released, progress)?;

        let mut places = vec![None; known.last().map_or(0, |item| *item as usize + 1)];
        for item in known {
            let covers: Vec<usize> =
                cover.of_item(item).iter().filter_map(|cover| released.binary_search(cover).ok()).collect();
            let place = match covers.as_slice() {
                [only] => *only,
                several => {
                    let sets: Vec<&Posting> = several.iter().map(|place| &postings[*place]).collect();
                    let union = Posting::union(&sets, events.records());
                    postings.push(union);
                    postings.len() - 1
                }
            };
            places[item as usize] = Some(place);
        }
        Ok(Crowd { events, cover, postings, places })
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
        if known.is_empty() {
            let has_record = |subject: &usize| !self.events.records_of(*subject).is_empty();
            return (0..self.events.subjects()).filter(has_record).take(ENOUGH as usize).count() as u32;
        }
        let mut places: Vec<usize> = known.iter().filter_map(|item| self.places[*item as usize]).collect();
        places.sort_by_key(|place| (self.postings[*place].len(), *place));
        places.dedup();
        let postings: Vec<&Posting> = places.iter().map(|place| &self.postings[*place]).collect();
        let mut people = 0;
        // Records of one person lie next to each other: those before this one are counted.
        let mut counted = 0;
        let _ = Posting::each_common(&postings, |record| {
            let record = record as usize;
            if record >= counted && (known.len() == 1 || self.fits(record, known)) {
                people += 1;
                if people == ENOUGH {
                    return ControlFlow::Break(());
                }
                counted = self.events.records_of(self.events.subject_of(record)).end;
            }
            ControlFlow::Continue(())
        });
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
) -> Result<Vec<Posting>, Cancelled> {
    const UNKNOWN: u32 = u32::MAX;
    let alphabet = events.items().par_iter().max().map_or(0, |item| *item as usize + 1);
    let mut places = vec![UNKNOWN; alphabet];
    for (place, item) in (0..).zip(released) {
        if let Some(known) = places.get_mut(*item as usize) {
            *known = place;
        }
    }
    let blocks: Vec<Vec<Vec<u32>>> = (0..events.records().div_ceil(BLOCK))
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
            Ok(lists)
        })
        .collect::<Result<_, Cancelled>>()?;
    let join = |place: usize| {
        let ascending = blocks.iter().flat_map(|lists| &lists[place]).copied().collect();
        Posting::new(ascending, events.records())
    };
    Ok((0..released.len()).into_par_iter().map(join).collect())
}
