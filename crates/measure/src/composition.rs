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
//! Where records were taken apart, people are looked for in worlds that could have been published as both releases (`worlds`). Of a table every
//! published column is known but the sensitive ones: two tables are compared group by group (`tables`), and where there are events beside the
//! columns, or in the other release, the crowd is those of the group whom the events fit. Counts are subtracted from each other (`counts`).
//!
//! # Reference
//! GKS08: Ganta, Kasiviswanathan, Smith. Composition attacks and auxiliary information in data privacy. KDD 2008.
//! # Guarantees
//! Same data, releases and seed, same numbers, with any number of threads. The crowd in both is never larger than either.
//! # Suppression
//! As in [`mod@crate::attack`]: of the known events the attacker uses as many as the target's own released records can hold.
//! # Cost
//! A list of people for every released item; for each of at most [`MAX_TARGETS`] targets the shortest list of a known
//! item is walked until `k` people were found. One pass over the events for the items.
//! # Departs from the paper
//! It intersects sensitive values only; crowds and items are added.

mod book;
mod broken;
mod counts;
mod demand;
mod groups;
mod items;
mod knowledge;
mod tables;
mod twins;
mod values;
mod worlds;

use rayon::prelude::*;
use serde::Serialize;
use throng_contract::{Cancelled, Progress};
use throng_data::{Dataset, EventKind, Release, Table};

use self::book::Book;
pub use self::counts::CountsTogether;
pub use self::demand::{Demand, Form as DiversityForm};
use self::groups::{Groups, NOWHERE};
pub use self::items::{Items, PinnedItem};
use self::knowledge::{Target, draw};
pub use self::tables::{Moved, TablesTogether, ValuesTogether};
use self::twins::Twins;
use self::values::Values;
use crate::attack::Share;

/// Up to so many people all are targets; above, so many are drawn.
pub const MAX_TARGETS: usize = 2_000;
/// The most events an attacker may know: every choice of them is tried against a record that lost some.
pub const MAX_KNOWN: usize = 6;

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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// The crowd that both releases promise.
    pub k: u32,
    /// Up to how many events the attacker knows, at most [`MAX_KNOWN`].
    pub most_known: usize,
    /// Up to how many known events both promises speak of.
    pub promised: u64,
    /// What both promise of sensitive values.
    pub demand: Demand,
    /// Seed of targets and of what is known.
    pub seed: u64,
}

impl Question {
    /// The same with a crowd of at least two, and no more known events than are tried.
    fn within_limits(&self) -> Self {
        Question { k: self.k.max(2), most_known: self.most_known.clamp(1, MAX_KNOWN), ..*self }
    }
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
    /// Up to how many known events both promises speak of.
    pub promised: u64,
    /// Over how many possible worlds crowds are averages, where records were taken apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worlds: Option<u64>,
    /// One point for each number of known events, from 1; from 0 where a release has a table, whose columns are known in every point.
    pub points: Vec<Joint>,
    /// Generalised items of the same event side by side; `None` when the two were not made from the same records, or when
    /// it is not known which record is which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
    /// What the groups of two tables give away; `None` where a release has no table, or events beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablesTogether>,
    /// What two releases of counts give away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountsTogether>,
    /// Parts of the two releases that were not compared, in plain words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_compared: Vec<String>,
}

impl Composition {
    /// The answer before anything was found.
    fn of(people: u64, targets: u64, sampled: bool, k: u64, question: &Question) -> Self {
        Composition {
            people,
            targets,
            sampled,
            k,
            promised: question.promised,
            worlds: None,
            points: Vec::new(),
            items: None,
            tables: None,
            counts: None,
            not_compared: Vec::new(),
        }
    }
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
    /// Targets whom no one else fits in both.
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
    let question = &question.within_limits();
    let Question { k, most_known, .. } = *question;
    let twins = Twins::of(first, second);
    let sides = [first, second];
    if let [Some(one), Some(two)] = sides.map(|side| side.release.body.counts()) {
        return counts::intersect(sides, [one, two], &twins, question, progress);
    }
    if let [Some(one), Some(two)] = sides.map(|side| side.release.table())
        && sides.iter().all(|side| side.release.event_kind() == EventKind::Absent)
    {
        return tables::intersect(sides, [one, two], &twins, question, progress);
    }
    if [first, second].iter().all(|side| side.release.body.chunks().is_some()) {
        return in_worlds(first, second, &twins, question, progress);
    }
    let books = [Book::of(first, progress)?, Book::of(second, progress)?];
    let groups = sides.map(|side| side.release.table().map(|table| Groups::of(table, side.release.people())));
    // Columns alone are knowledge, too.
    let least_known = usize::from(groups.iter().all(Option::is_none));
    let people = twins.with_events(first, second);
    let targets = draw(first, second, &people, most_known, question.seed);
    let sampled = targets.len() < people.len();
    let values = Values::shared(first, second);

    let phase = progress.phase("attack both", Some(targets.len() as u64));
    let found: Vec<Vec<TargetCrowds>> = targets
        .par_iter()
        .map(|target| {
            let crowds = Crowds { books: &books, groups: &groups, twins: &twins };
            let found = (least_known..=most_known).map(|known| find(&crowds, &values, target, known, k));
            let found = found.collect();
            phase.advance(1)?;
            Ok(found)
        })
        .collect::<Result<_, Cancelled>>()?;
    drop(phase);

    let share = |point: usize, is: &dyn Fn(&TargetCrowds) -> bool| {
        let count = found.iter().filter(|found| is(&found[point])).count() as u64;
        Share::new(count, targets.len() as u64, sampled)
    };
    let points = (0..=most_known - least_known).map(|point| Joint {
        known: (point + least_known) as u64,
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
        points: points.collect(),
        items: items::compare(first, second, &people, progress)?,
        ..Composition::of(people.len() as u64, targets.len() as u64, sampled, u64::from(k), question)
    })
}

/// The same where the records of both were taken apart.
fn in_worlds(
    first: &Side<'_>,
    second: &Side<'_>,
    twins: &Twins,
    question: &Question,
    progress: &Progress,
) -> Result<Composition, Cancelled> {
    let Question { k, most_known, seed, .. } = *question;
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
        worlds: Some(worlds::WORLDS as u64),
        points: points.collect(),
        ..Composition::of(people.len() as u64, targets.len() as u64, sampled, u64::from(k), question)
    })
}

/// What was found about one target; crowds are counted up to `k`.
struct TargetCrowds {
    crowds: [u32; 2],
    joint: u32,
    learned: Vec<bool>,
}

/// Who fits in each release: by events, by the group of a table, or by both.
struct Crowds<'a> {
    books: &'a [Book<'a>; 2],
    groups: &'a [Option<Groups>; 2],
    twins: &'a Twins,
}

impl Crowds<'_> {
    /// Who fits, ascending.
    fn crowd<'b>(
        &'b self,
        side: usize,
        group: Option<u32>,
        known: &'b [u32],
    ) -> Box<dyn Iterator<Item = u32> + 'b> {
        let groups = self.groups[side].as_ref();
        match (groups, group) {
            (Some(groups), Some(group)) if groups.people(group).len() <= self.books[side].reach(known) => {
                let fits = move |person: &u32| self.books[side].fits(*person as usize, known);
                Box::new(groups.people(group).iter().copied().filter(fits))
            }
            (Some(groups), Some(group)) => {
                let same = move |person: &u32| groups.group(*person) == group;
                Box::new(self.books[side].crowd(known).filter(same))
            }
            _ => self.books[side].crowd(known),
        }
    }

    fn fits(&self, side: usize, group: Option<u32>, known: &[u32], person: u32) -> bool {
        let same = match (&self.groups[side], group) {
            (Some(groups), Some(group)) => groups.group(person) == group,
            _ => true,
        };
        same && self.books[side].fits(person as usize, known)
    }

    /// How many people have to be looked at to find a crowd.
    fn reach(&self, side: usize, group: Option<u32>, known: &[u32]) -> usize {
        let by_events = self.books[side].reach(known);
        match (&self.groups[side], group) {
            (Some(groups), Some(group)) => groups.people(group).len().min(by_events),
            _ => by_events,
        }
    }
}

fn find(crowds: &Crowds<'_>, values: &Values, target: &Target, known: usize, k: u32) -> TargetCrowds {
    let usable = [0, 1].map(|side: usize| {
        crowds.books[side].usable(target.subjects[side] as usize, &target.known[side].first(known))
    });
    // A suppressed row says nothing of its columns.
    let group = |side: usize| {
        let groups = crowds.groups[side].as_ref()?;
        Some(groups.group(target.subjects[side])).filter(|group| *group != NOWHERE)
    };
    let group = [group(0), group(1)];
    let sizes = [0, 1]
        .map(|side: usize| crowds.crowd(side, group[side], &usable[side]).take(k as usize).count() as u32);
    // The shorter list is walked; the other release is asked about each of its people.
    let reach = |side: usize| crowds.reach(side, group[side], &usable[side]);
    let from = usize::from(reach(1) < reach(0));
    let other = 1 - from;
    let fits_both = |person: &u32| {
        let twin = crowds.twins.other(from, *person);
        twin.is_some_and(|twin| crowds.fits(other, group[other], &usable[other], twin))
    };
    let joint =
        crowds.crowd(from, group[from], &usable[from]).filter(fits_both).take(k as usize).count() as u32;
    let learned = values.learned(|side| crowds.crowd(side, group[side], &usable[side]));
    TargetCrowds { crowds: sizes, joint, learned }
}

#[cfg(test)]
mod tests;
