//! Which published records hold something that fits a clue.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Events;

use super::knowledge::Clue;
use super::listing::list_records;
use super::posting::Posting;
use crate::cover::Cover;

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
