//! The patterns of one length that say too much: too few people have them, or too many of those carry a secret.
//!
//! Each record yields every distinct subsequence of its image once, by way of its leftmost embedding. While the counters
//! of all patterns fit the cache, records are walked once; beyond that, work is split by what patterns begin with. Both
//! give the same answer with any number of threads.

mod counter;
mod growth;
mod order;
mod places;
mod ranks;
mod runs;

use std::ops::Range;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Events;
use throng_models::choices::SecretForm;

use self::counter::Counter;
use self::growth::{Growth, Harvest};
use self::places::Layout;
use self::ranks::{Images, Ranks};
use self::runs::Runs;
use super::groups::Groups;
use crate::MethodError;

/// What every pattern that occurs must meet.
#[derive(Debug, Clone, Copy)]
pub struct Requirement<'a> {
    /// So many people must have it.
    pub k: u64,
    /// So few of them may carry any one secret.
    pub diversity: Option<&'a Diversity>,
}

impl Requirement<'_> {
    /// Whether `people` people, of whom `carriers[s]` carry secret `s`, are too few or too alike.
    pub fn is_broken_by(&self, people: u64, carriers: &[u32]) -> bool {
        people < self.k || self.diversity.is_some_and(|diversity| diversity.is_broken_by(people, carriers))
    }

    /// How many secrets there are.
    fn kinds(&self) -> usize {
        self.diversity.map_or(0, |diversity| diversity.kinds)
    }
}

/// Which people carry which secrets, and how many of a pattern's people may.
#[derive(Debug, Clone)]
pub struct Diversity {
    /// `secrets[offsets[p]..offsets[p + 1]]` are the secrets of person `p`.
    pub offsets: Vec<u32>,
    /// Secrets, numbered `0..kinds`.
    pub secrets: Vec<u32>,
    /// How many secrets there are.
    pub kinds: usize,
    /// The parameter `l`.
    pub l: u64,
    /// How `l` is read.
    pub form: SecretForm,
}

impl Diversity {
    /// Who carries which sensitive items in the records that are theirs, for one person after the other.
    pub fn of_people(
        events: &Events,
        records_of_people: impl Iterator<Item = Range<usize>>,
        sensitive: &[bool],
        l: u64,
        form: SecretForm,
    ) -> Self {
        let mut number = vec![u32::MAX; sensitive.len()];
        let mut kinds = 0;
        for (item, _) in sensitive.iter().enumerate().filter(|(_, sensitive)| **sensitive) {
            number[item] = kinds;
            kinds += 1;
        }
        let mut offsets = vec![0_u32];
        let mut secrets = Vec::new();
        for records in records_of_people {
            let start = secrets.len();
            for record in records {
                let carried = events.record(record).iter().map(|item| number[*item as usize]);
                secrets.extend(carried.filter(|secret| *secret != u32::MAX));
            }
            if secrets.len() > start + 1 {
                secrets[start..].sort_unstable();
                let mut distinct = secrets.split_off(start);
                distinct.dedup();
                secrets.extend(distinct);
            }
            offsets.push(secrets.len() as u32);
        }
        Diversity { offsets, secrets, kinds: kinds as usize, l, form }
    }

    /// The same for some of the people, numbered anew in their order.
    pub fn among(&self, people: &[u32]) -> Self {
        let mut offsets = Vec::with_capacity(people.len() + 1);
        offsets.push(0_u32);
        let mut secrets = Vec::new();
        for person in people {
            secrets.extend_from_slice(self.of(*person));
            offsets.push(secrets.len() as u32);
        }
        Diversity { offsets, secrets, kinds: self.kinds, l: self.l, form: self.form }
    }

    #[inline]
    fn of(&self, person: u32) -> &[u32] {
        &self.secrets[self.offsets[person as usize] as usize..self.offsets[person as usize + 1] as usize]
    }

    fn is_broken_by(&self, people: u64, carriers: &[u32]) -> bool {
        carriers.iter().any(|count| match self.form {
            SecretForm::Ratio => u64::from(*count) * self.l > people,
            SecretForm::Count => u64::from(*count) > self.l,
        })
    }

    /// How many people are enough for a pattern of whom no secret has more than so many carriers; nothing if no number is.
    pub fn enough_for(&self, most_carriers: u32) -> Option<u64> {
        match self.form {
            SecretForm::Ratio => u64::from(most_carriers).checked_mul(self.l),
            SecretForm::Count => (u64::from(most_carriers) <= self.l).then_some(0),
        }
    }

    /// Adds a person's secrets to the tally.
    #[inline]
    pub fn tally(&self, person: u32, carriers: &mut [u32]) {
        for secret in self.of(person) {
            carriers[*secret as usize] += 1;
        }
    }
}

/// Patterns are counted under one 128-bit number each; alphabets beyond any city's would not fit.
pub fn check_size(places: usize, m: usize) -> Result<(), MethodError> {
    if m > 1 && (places as u128).checked_pow(m as u32 - 1).is_none() {
        return Err(MethodError::Usage {
            what: format!("{places} places with m = {m} make more itineraries than can be counted"),
            help: "lower `m`, or coarsen the places with {throng prepare}".into(),
        });
    }
    Ok(())
}

/// A pattern that occurs and does not meet the requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExposedPattern<'a> {
    /// Its groups, in order.
    pub groups: &'a [u32],
    /// Its people.
    pub support: u64,
}

/// Patterns of one length that occur and do not meet the requirement, in the order in which they are treated.
#[derive(Debug)]
pub struct Exposed {
    ranks: Ranks,
    kept: Kept,
}

/// What is kept of the patterns.
#[derive(Debug)]
enum Kept {
    /// The groups of each, and their order.
    Listed { found: Found, order: Vec<u32> },
    /// Where each is found first, in order: its groups are read there.
    Placed { numbers: Runs, layout: Layout, images: Images },
}

impl Exposed {
    /// How many there are.
    pub fn count(&self) -> usize {
        match &self.kept {
            Kept::Listed { order, .. } => order.len(),
            Kept::Placed { numbers, .. } => numbers.len(),
        }
    }

    /// Shows the patterns, lowest support first, then by first occurrence, until one gives an error.
    pub fn try_each<E>(&self, mut show: impl FnMut(ExposedPattern<'_>) -> Result<(), E>) -> Result<(), E> {
        match &self.kept {
            Kept::Listed { found, order } => order.iter().try_for_each(|at| {
                let at = *at as usize;
                show(ExposedPattern { groups: found.pattern(at), support: u64::from(found.supports[at]) })
            }),
            Kept::Placed { numbers, layout, images } => {
                let mut groups = Vec::new();
                numbers.iter().try_for_each(|number| {
                    let image = images.of_record(layout.record(number));
                    groups.clear();
                    groups.extend(layout.positions(number).map(|at| self.ranks.group(image[at])));
                    show(ExposedPattern { groups: &groups, support: layout.support(number) })
                })
            }
        }
    }
}

/// Patterns of `size` groups that occur and break the requirement, lowest support first, then by first occurrence.
///
/// `phase` names the work to the observer.
pub fn exposed_patterns(
    events: &Events,
    groups: &Groups,
    size: usize,
    requirement: Requirement<'_>,
    progress: &Progress,
    phase: &str,
) -> Result<Exposed, Cancelled> {
    let ranks = Ranks::of(groups);
    let scan = Scan { events, groups, ranks: &ranks, size, requirement };
    let listed = |found: Found, images: Option<&Images>| {
        let order = order::by_first_occurrence(events, groups, images.map(|images| (&ranks, images)), &found);
        Kept::Listed { found, order }
    };
    let kept = match ranks.len().checked_pow(size as u32) {
        _ if size == 1 => listed(scan.single_groups(), None),
        Some(patterns) if patterns <= ONE_PASS => listed(scan.in_one_pass(progress, phase)?, None),
        _ => {
            let images = Images::of(events, groups, &ranks);
            let layout = Layout::of(size, scan.most_people(), events.records(), images.longest());
            let Harvest { placed, listed: found } = scan.by_first_group(&images, layout, progress, phase)?;
            match layout {
                Some(layout) => Kept::Placed { numbers: placed.finish(), layout, images },
                None => listed(found, Some(&images)),
            }
        }
    };
    Ok(Exposed { ranks, kept })
}

/// Up to this many possible patterns the counters of all of them stay in the cache.
const ONE_PASS: usize = 1 << 14;

/// People between two looks at the cancel flag.
const STRETCH: usize = 1 << 12;

struct Scan<'a> {
    events: &'a Events,
    groups: &'a Groups,
    ranks: &'a Ranks,
    size: usize,
    requirement: Requirement<'a>,
}

impl Scan<'_> {
    /// Single groups know their people; only those that break the requirement are looked up in the records.
    fn single_groups(&self) -> Found {
        let kinds = self.requirement.kinds();
        let mut found = Found::new(1);
        let mut carriers = vec![0; kinds];
        for group in self.groups.all() {
            if let Some(diversity) = self.requirement.diversity {
                carriers.fill(0);
                for person in self.groups.people(group) {
                    diversity.tally(*person, &mut carriers);
                }
            }
            let support = self.groups.support(group);
            if self.requirement.is_broken_by(support, &carriers) {
                found.push([group], support as u32, self.first_record(group) as u32);
            }
        }
        found
    }

    fn first_record(&self, group: u32) -> usize {
        let first = self.groups.people(group).first().map_or(0, |person| *person as usize);
        let has = |record: &usize| {
            self.events.record(*record).iter().any(|item| self.groups.of(*item) == Some(group))
        };
        self.events.records_of(first).find(has).unwrap_or(0)
    }

    /// Walks the records once. People are split among the threads; their counts add up whatever the split.
    fn in_one_pass(&self, progress: &Progress, phase: &str) -> Result<Found, Cancelled> {
        let people = self.events.subjects();
        let phase = progress.phase(phase, Some(people as u64));
        let new = || Counter::new(self.ranks, self.size, self.requirement);
        let counted = (0..people.div_ceil(STRETCH))
            .into_par_iter()
            .try_fold(new, |mut counter, stretch| {
                let stretch = stretch * STRETCH..people.min((stretch + 1) * STRETCH);
                phase.advance(stretch.len() as u64)?;
                for person in stretch {
                    for record in self.events.records_of(person) {
                        counter.add_record(
                            self.groups,
                            self.events.record(record),
                            person as u32,
                            record as u32,
                        );
                    }
                }
                Ok(counter)
            })
            .try_reduce(new, |mut one, other| {
                one.add_counts(&other);
                Ok(one)
            });
        Ok(counted?.broken())
    }

    /// No more people can have a pattern that breaks the requirement.
    fn most_people(&self) -> u64 {
        let people = self.events.subjects() as u64;
        if self.requirement.diversity.is_some() { people } else { people.min(self.requirement.k) }
    }

    /// Walks the people of each group, for patterns that begin with it: one small counter at a time, and no locks.
    fn by_first_group(
        &self,
        images: &Images,
        layout: Option<Layout>,
        progress: &Progress,
        phase: &str,
    ) -> Result<Harvest, Cancelled> {
        let total = self.groups.all().map(|group| self.groups.support(group)).sum();
        let phase = progress.phase(phase, Some(total));
        // Which thread finds a pattern does not matter: they are put in order in the end.
        (0..self.ranks.len() as u32)
            .into_par_iter()
            .try_fold(
                || Growth::new(self.ranks, images, self.size, self.requirement, layout),
                |mut growth, first| {
                    for stretch in self.groups.people(self.ranks.group(first)).chunks(STRETCH) {
                        phase.advance(stretch.len() as u64)?;
                        for person in stretch {
                            for record in self.events.records_of(*person as usize) {
                                growth.begin(first, *person, record as u32);
                            }
                        }
                    }
                    growth.grow(first);
                    Ok(growth)
                },
            )
            .map(|growth| growth.map(Growth::finish))
            .try_reduce(|| Harvest::new(self.size), |one, other| Ok(one.join(other)))
    }
}

/// Patterns on their way out, with what decides ties.
#[derive(Debug)]
struct Found {
    size: usize,
    /// The groups of all patterns, one after the other.
    groups: Vec<u32>,
    supports: Vec<u32>,
    /// The record in which each pattern is found first.
    records: Vec<u32>,
}

impl Found {
    fn new(size: usize) -> Self {
        Found { size, groups: Vec::new(), supports: Vec::new(), records: Vec::new() }
    }

    /// Adds a pattern, or what is missing of one whose beginning is there already.
    fn push<const REST: usize>(&mut self, rest: [u32; REST], support: u32, record: u32) {
        self.groups.extend(rest);
        self.supports.push(support);
        self.records.push(record);
    }

    fn append(&mut self, mut other: Found) {
        self.groups.append(&mut other.groups);
        self.supports.append(&mut other.supports);
        self.records.append(&mut other.records);
    }

    fn len(&self) -> usize {
        self.supports.len()
    }

    fn pattern(&self, at: usize) -> &[u32] {
        &self.groups[at * self.size..(at + 1) * self.size]
    }
}

#[cfg(test)]
mod tests;
