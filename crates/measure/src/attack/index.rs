//! Which published records hold something that fits a clue.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{Events, ItemId};

use super::knowledge::Clue;
use super::posting::Posting;
use crate::cover::Cover;

/// Records are looked through in blocks of this size.
const BLOCK: usize = 1 << 16;

/// Records by clue, for the clues that attackers have.
#[derive(Debug)]
pub(super) struct Index {
    postings: Vec<Posting>,
    /// Clues in ascending order, with their posting. Clues that the same released events fit share one.
    places: Vec<(Clue, usize)>,
    timed: bool,
}

impl Index {
    /// Lists the records of all clues. With `timed`, an event fits only at the very time of the clue.
    pub fn of(
        events: &Events,
        cover: &Cover,
        clues: impl Iterator<Item = Clue>,
        timed: bool,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let timeless = |clue: Clue| if timed { clue } else { Clue { time: 0, ..clue } };
        let mut clues: Vec<Clue> = clues.map(timeless).collect();
        clues.sort_unstable();
        clues.dedup();
        let released = |clue: Clue| {
            cover.of_item(clue.item).iter().map(move |item| Clue { item: *item, time: clue.time })
        };
        let mut wanted: Vec<Clue> = clues.iter().copied().flat_map(released).collect();
        wanted.par_sort_unstable();
        wanted.dedup();
        let mut postings = list_records(events, &wanted, timed, progress)?;

        let mut places = Vec::with_capacity(clues.len());
        for clue in clues {
            let fitting: Vec<usize> =
                released(clue).filter_map(|event| wanted.binary_search(&event).ok()).collect();
            let place = match fitting.as_slice() {
                [only] => *only,
                several => {
                    let sets: Vec<&Posting> = several.iter().map(|place| &postings[*place]).collect();
                    let union = Posting::union(&sets, events.records());
                    postings.push(union);
                    postings.len() - 1
                }
            };
            places.push((clue, place));
        }
        Ok(Index { postings, places, timed })
    }

    /// The records with an event that fits the clue, one of those the index was made for.
    pub fn records(&self, clue: Clue) -> Option<(usize, &Posting)> {
        let clue = if self.timed { clue } else { Clue { time: 0, ..clue } };
        let at = self.places.binary_search_by_key(&clue, |(clue, _)| *clue).ok()?;
        let place = self.places[at].1;
        Some((place, &self.postings[place]))
    }
}

/// The records of each of some released events, which are given in ascending order.
fn list_records(
    events: &Events,
    wanted: &[Clue],
    timed: bool,
    progress: &Progress,
) -> Result<Vec<Posting>, Cancelled> {
    let alphabet = events.items().par_iter().max().map_or(0, |item| *item as usize + 1);
    let mut starts = vec![0_u32; alphabet + 1];
    for item in 0..alphabet {
        starts[item + 1] = wanted.partition_point(|event| event.item as usize <= item) as u32;
    }
    let place_of = |item: ItemId, at: usize| -> Option<u32> {
        let (start, end) = (starts[item as usize], starts[item as usize + 1]);
        match (events.times(), timed) {
            _ if start == end => None,
            (Some(times), true) => {
                let of_item = &wanted[start as usize..end as usize];
                let found = of_item.binary_search_by_key(&times[at], |event| event.time).ok()?;
                Some(start + found as u32)
            }
            _ => Some(start),
        }
    };
    let blocks: Vec<Vec<(u32, u32)>> = (0..events.records().div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            progress.check()?;
            let mut found = Vec::new();
            for record in block * BLOCK..((block + 1) * BLOCK).min(events.records()) {
                for at in events.span(record) {
                    if let Some(place) = place_of(events.items()[at], at) {
                        found.push((place, record as u32));
                    }
                }
            }
            Ok(found)
        })
        .collect::<Result<_, Cancelled>>()?;

    let mut lengths = vec![0_usize; wanted.len()];
    for (place, _) in blocks.iter().flatten() {
        lengths[*place as usize] += 1;
    }
    let mut lists: Vec<Vec<u32>> = lengths.into_iter().map(Vec::with_capacity).collect();
    for (place, record) in blocks.into_iter().flatten() {
        let list = &mut lists[place as usize];
        if list.last() != Some(&record) {
            list.push(record);
        }
    }
    Ok(lists.into_par_iter().map(|list| Posting::new(list, events.records())).collect())
}
