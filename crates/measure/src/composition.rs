//! What two releases of the same people give away together.
//!
//! Each release may hide a person in a crowd of `k`; the crowds are different ones, and the person is in both. The attack
//! here is that of someone who holds both releases and knows some events of a *target* in each: the same events where both
//! were made from the same data, otherwise as many in the data of each.
//!
//! * **Crowds**: how many people fit in the first release, in the second, and in both at once. The last number is what is
//!   left to an attacker who can tell which records of the two releases are one person's - by rare records that look alike,
//!   by published attributes, or by asking around. It is the worst case, not a forecast.
//! * **Items**: where an event stands as `{a|b}` in one release and as `{b|c}` in the other, it was `b`. The same attacker
//!   reads it off two records.
//! * **Values**: of a published attribute the crowd in each release leaves some values; only those in both are possible. No
//!   record needs to be tied to another one for that.
//!
//! Where records were taken apart, people are looked for in worlds that could have been published as both releases (`worlds`).
//!
//! # Reference
//! GKS08: Ganta, Kasiviswanathan, Smith. Composition attacks and auxiliary information in data privacy. KDD 2008.
//! # Guarantees
//! Same data, releases and seed, same numbers, with any number of threads. The crowd in both is never larger than either.
//! # Suppression
//! As in [`mod@crate::attack`]: of the known events the attacker uses as many as the target's own released records can hold.
//! # Cost
//! A list of people for every released item; for each of at most [`MOST_TARGETS`] targets the shortest list of a known
//! item is walked until `k` people were found. One pass over the events for the items.
//! # Departs from the paper
//! It intersects sensitive values only; crowds and items are added.

mod book;
mod items;
mod knowledge;
mod values;
mod worlds;

use rayon::prelude::*;
use serde::Serialize;
use throng_contract::{Cancelled, Progress};
use throng_data::{Dataset, Release, Table};

use self::book::Book;
pub use self::items::{Items, PinnedItem};
use self::knowledge::{Target, draw};
use self::values::Values;
use crate::attack::Share;

/// Up to so many people all are targets; above, so many are drawn.
pub const MOST_TARGETS: usize = 2_000;
/// The most events an attacker may know: every choice of them is tried against a record that lost some.
pub const MOST_KNOWN: usize = 6;

/// One of the two releases.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The data it was made from.
    pub original: &'a Dataset,
    /// The release, over the items and the subjects of its data.
    pub release: &'a Release,
    /// The attributes published with it, a row for each subject.
    pub attributes: Option<&'a Table>,
    /// Whether each record stands at the place of its original; otherwise only its person is known.
    pub by_record: bool,
}

/// What to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The crowd that both releases promise.
    pub k: u32,
    /// Up to how many events the attacker knows, at most [`MOST_KNOWN`].
    pub most_known: usize,
    /// Seed of targets and of what is known.
    pub seed: u64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Composition {
    /// People with events in both.
    pub people: u64,
    /// People looked for.
    pub targets: u64,
    /// Whether the targets are a sample.
    pub sampled: bool,
    /// The crowd that was asked for.
    pub k: u64,
    /// Over how many possible worlds crowds are averages, where records were taken apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worlds: Option<u64>,
    /// One point for each number of known events, from 1.
    pub points: Vec<Joint>,
    /// Generalised items of the same event side by side; `None` when the two were not made from the same records, or when
    /// it is not known which record is which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Joint {
    /// How many events of the target are known.
    pub known: u64,
    /// Targets in a crowd of fewer than `k` in the first release.
    pub below_in_first: Share,
    /// The same in the second.
    pub below_in_second: Share,
    /// Targets whom fewer than `k` people fit in both.
    pub below_in_both: Share,
    /// Those of them who were in crowds of `k` and more in each release alone.
    pub lost: Share,
    /// Targets whom nobody else fits in both.
    pub singled_out: Share,
    /// For each attribute that both publish: targets with several possible values in each release alone, and one in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<Learned>,
}

/// How often an attribute's value follows from both releases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Learned {
    /// The attribute.
    pub column: String,
    /// Targets whose value it gives away.
    pub targets: Share,
}

/// Runs the attack.
pub fn intersect(
    first: &Side<'_>,
    second: &Side<'_>,
    question: &Question,
    progress: &Progress,
) -> Result<Composition, Cancelled> {
    let most_known = question.most_known.clamp(1, MOST_KNOWN);
    let k = question.k.max(2);
    let twins = Twins::of(first, second);
    if [first, second].iter().all(|side| side.release.form.chunks().is_some()) {
        return in_worlds(first, second, &twins, k, most_known, question.seed, progress);
    }
    let books = [Book::of(first, progress)?, Book::of(second, progress)?];
    let people = twins.with_events(first, second);
    let targets = draw(first, second, &people, most_known, question.seed);
    let sampled = targets.len() < people.len();
    let values = Values::shared(first, second);

    let phase = progress.phase("attack both", Some(targets.len() as u64));
    let found: Vec<Vec<Found>> = targets
        .par_iter()
        .map(|target| {
            let found = (1..=most_known).map(|known| find(&books, &twins, &values, target, known, k));
            let found = found.collect();
            phase.advance(1)?;
            Ok(found)
        })
        .collect::<Result<_, Cancelled>>()?;
    drop(phase);

    let share = |point: usize, is: &dyn Fn(&Found) -> bool| {
        let count = found.iter().filter(|found| is(&found[point])).count() as u64;
        Share::new(count, targets.len() as u64, sampled)
    };
    let points = (0..most_known).map(|point| Joint {
        known: point as u64 + 1,
        below_in_first: share(point, &|found| found.crowds[0] < k),
        below_in_second: share(point, &|found| found.crowds[1] < k),
        below_in_both: share(point, &|found| found.joint < k),
        lost: share(point, &|found| found.joint < k && found.crowds.iter().all(|crowd| *crowd >= k)),
        singled_out: share(point, &|found| found.joint == 1),
        learned: values
            .columns()
            .enumerate()
            .map(|(column, name)| Learned {
                column: name.to_owned(),
                targets: share(point, &|found| found.learned[column]),
            })
            .collect(),
    });
    Ok(Composition {
        people: people.len() as u64,
        targets: targets.len() as u64,
        sampled,
        k: u64::from(k),
        worlds: None,
        points: points.collect(),
        items: items::compare(first, second, &people, progress)?,
    })
}

/// The same where the records of both were taken apart.
fn in_worlds(
    first: &Side<'_>,
    second: &Side<'_>,
    twins: &Twins,
    k: u32,
    most_known: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Composition, Cancelled> {
    let people = twins.with_events(first, second);
    let targets = draw(first, second, &people, most_known, seed);
    let sampled = targets.len() < people.len();
    let phase = progress.phase("draw possible worlds", None);
    let crowds = worlds::crowds([first, second], &people, &targets, most_known, seed, progress)?;
    drop(phase);
    let points = (0..most_known).map(|point| {
        let share = |is: &dyn Fn([u32; 3]) -> bool| {
            let of = |target: usize| [0, 1, 2].map(|which: usize| crowds[which][target][point]);
            let count = (0..targets.len()).filter(|target| is(of(*target))).count() as u64;
            Share::new(count, targets.len() as u64, sampled)
        };
        Joint {
            known: point as u64 + 1,
            below_in_first: share(&|[first, ..]| first < k),
            below_in_second: share(&|[_, second, _]| second < k),
            below_in_both: share(&|[.., both]| both < k),
            lost: share(&|[first, second, both]| both < k && first >= k && second >= k),
            singled_out: share(&|[.., both]| both == 1),
            learned: Vec::new(),
        }
    });
    Ok(Composition {
        people: people.len() as u64,
        targets: targets.len() as u64,
        sampled,
        k: u64::from(k),
        worlds: Some(worlds::WORLDS as u64),
        points: points.collect(),
        items: None,
    })
}

/// What was found about one target; crowds are counted up to `k`.
struct Found {
    crowds: [u32; 2],
    joint: u32,
    learned: Vec<bool>,
}

fn find(
    books: &[Book<'_>; 2],
    twins: &Twins,
    values: &Values,
    target: &Target,
    known: usize,
    k: u32,
) -> Found {
    let usable = [0, 1]
        .map(|side| books[side].usable(target.subjects[side] as usize, &target.known[side].first(known)));
    let crowds = [0, 1].map(|side| books[side].crowd(&usable[side]).take(k as usize).count() as u32);
    // The shorter list is walked; the other release is asked about each of its people.
    let from = usize::from(books[1].reach(&usable[1]) < books[0].reach(&usable[0]));
    let other = 1 - from;
    let fits_both = |person: &u32| {
        twins.other(from, *person).is_some_and(|twin| books[other].fits(twin as usize, &usable[other]))
    };
    let joint = books[from].crowd(&usable[from]).filter(fits_both).take(k as usize).count() as u32;
    let learned = values.learned([0, 1].map(|side| (&books[side], usable[side].as_slice())));
    Found { crowds, joint, learned }
}

/// Who of one release is who in the other: people with the same name.
struct Twins {
    others: [Vec<Option<u32>>; 2],
}

impl Twins {
    fn of(first: &Side<'_>, second: &Side<'_>) -> Self {
        let find = |here: &Side<'_>, there: &Side<'_>| {
            here.original.subjects.names().map(|name| there.original.subjects.find(name)).collect()
        };
        Twins { others: [find(first, second), find(second, first)] }
    }

    fn other(&self, side: usize, person: u32) -> Option<u32> {
        self.others[side][person as usize]
    }

    /// People with events in the data of both and a record in each release.
    fn with_events(&self, first: &Side<'_>, second: &Side<'_>) -> Vec<[u32; 2]> {
        let there = |side: &Side<'_>, person: u32| {
            let records = side.original.events.records_of(person as usize);
            let offsets = side.original.events.record_offsets();
            offsets[records.start] < offsets[records.end]
                && !side.release.events.records_of(person as usize).is_empty()
        };
        let pairs = (0..).zip(&self.others[0]).filter_map(|(person, other)| Some([person, (*other)?]));
        pairs.filter(|pair| there(first, pair[0]) && there(second, pair[1])).collect()
    }
}

#[cfg(test)]
mod tests;
