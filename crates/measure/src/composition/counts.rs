//! Two releases of counts: one is subtracted from the other.
//!
//! Where nearly the same people are counted twice, the difference of two counts is the count of those who came, went or changed. A cell
//! that one release withholds is told by the other, up to those few.
//!
//! # Guarantees
//! Exact, over all cells that either release publishes.
//! # Cost
//! One look-up for each cell, and one pass over the events of each data to count what is withheld.

use std::collections::BTreeMap;

use serde::Serialize;
use throng_contract::{Cancelled, Progress};
use throng_data::{CountCell, CountTable, Counting, Counts};

use super::{Composition, Question, Side, Twins};

/// What two releases of counts give away together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CountsTogether {
    /// Cells that both publish.
    pub cells: u64,
    /// Of these, cells whose counts differ by 1 to `k - 1` people: a count of so few follows by subtraction.
    pub differ_by_few: u64,
    /// Cells that one release withholds and the other publishes, with fewer than `k` people in between: what is withheld follows, up to those
    /// few.
    pub told: u64,
    /// Cells that only one release publishes.
    pub in_one: u64,
    /// Whether spans of time are different, so that cells with times were not compared.
    pub other_spans: bool,
}

/// A cell by the names of its items.
type Named<'a> = (CountTable, &'a str, Option<&'a str>, Option<i64>);

/// Runs the attack.
pub(super) fn intersect(
    sides: [&Side<'_>; 2],
    counts: [&Counts; 2],
    twins: &Twins,
    question: &Question,
    progress: &Progress,
) -> Result<Composition, Cancelled> {
    let k = u64::from(question.k);
    let other_spans = counts[0].bin != counts[1].bin;
    let mut cells: BTreeMap<Named<'_>, [Option<u64>; 2]> = BTreeMap::new();
    for side in 0..2 {
        let release = sides[side].release;
        let name = |item: u32| {
            release.alphabet[item as usize].members.first().map_or("", |member| release.base.name(*member))
        };
        for (cell, people) in &counts[side].cells {
            if other_spans && cell.time.is_some() {
                continue;
            }
            let named = (cell.table, name(cell.item), cell.to.map(name), cell.time);
            cells.entry(named).or_default()[side] = Some(*people);
        }
    }
    let mut told = CountsTogether { cells: 0, differ_by_few: 0, told: 0, in_one: 0, other_spans };
    let mut withheld: [Vec<(Named<'_>, u64)>; 2] = [Vec::new(), Vec::new()];
    for (cell, pair) in &cells {
        match pair {
            [Some(one), Some(two)] => {
                told.cells += 1;
                told.differ_by_few += u64::from((1..k).contains(&one.abs_diff(*two)));
            }
            [Some(one), None] => withheld[1].push((*cell, *one)),
            [None, Some(two)] => withheld[0].push((*cell, *two)),
            [None, None] => {}
        }
    }
    for side in 0..2 {
        told.in_one += withheld[side].len() as u64;
        told.told +=
            told_by_the_other(sides[side], counts[side], counts[1 - side], &withheld[side], k, progress)?;
    }
    let in_both = twins.pairs().count() as u64;
    Ok(Composition { counts: Some(told), ..Composition::of(in_both, in_both, false, k, question) })
}

/// How many cells that a release withholds are told by the count that the other publishes: the data have people in the cell, and fewer
/// than `k` more or less.
fn told_by_the_other(
    side: &Side<'_>,
    own: &Counts,
    other: &Counts,
    withheld: &[(Named<'_>, u64)],
    k: u64,
    progress: &Progress,
) -> Result<u64, Cancelled> {
    if withheld.is_empty() {
        return Ok(0);
    }
    // A release that withholds all of a table does not show that it was counted.
    let (mine, theirs) = (Counting::of(own), Counting::of(other));
    let counting = Counting {
        visits: mine.visits || theirs.visits,
        moves: mine.moves.or(theirs.moves),
        bin: if mine.bin == 0 { theirs.bin } else { mine.bin },
    };
    let items = &side.original.items;
    let mut people: BTreeMap<CountCell, u64> = BTreeMap::new();
    for person in 0..side.original.events.subjects() {
        if person % 4096 == 0 {
            progress.check()?;
        }
        for cell in counting.cells_of(&side.original.events, person) {
            *people.entry(cell).or_default() += 1;
        }
    }
    let count = |(table, item, to, time): &Named<'_>| -> Option<u64> {
        let to = match to {
            Some(to) => Some(items.find(to)?),
            None => None,
        };
        people.get(&CountCell { table: *table, item: items.find(item)?, to, time: *time }).copied()
    };
    let is_told = |(cell, published): &&(Named<'_>, u64)| {
        count(cell).is_some_and(|withheld| withheld > 0 && withheld.abs_diff(*published) < k)
    };
    Ok(withheld.iter().filter(is_told).count() as u64)
}
