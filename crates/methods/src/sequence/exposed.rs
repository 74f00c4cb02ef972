//! The patterns of one length that say too much: too few people have them, or too many of those carry a secret.
//!
//! Each record yields every distinct subsequence of its image once, by way of its leftmost embedding. While the counters
//! of all patterns fit the cache, records are walked once; beyond that, work is split by the first element of the
//! pattern. Both give the same answer with any number of threads.

mod counter;

use std::ops::Range;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Events;

use self::counter::{Counter, Ranks};
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
    pub form: Form,
}

/// The two readings of `l`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// At most one in `l` people carries a given secret: what the paper claims.
    Ratio,
    /// At most `l` people carry a given secret: what the paper's definition says.
    Count,
}

impl Diversity {
    /// Who carries which sensitive items in the records that are theirs, for one person after the other.
    pub fn of_people(
        events: &Events,
        records_of_people: impl Iterator<Item = Range<usize>>,
        sensitive: &[bool],
        l: u64,
        form: Form,
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
            secrets[start..].sort_unstable();
            let mut distinct = secrets.split_off(start);
            distinct.dedup();
            secrets.extend(distinct);
            offsets.push(secrets.len() as u32);
        }
        Diversity { offsets, secrets, kinds: kinds as usize, l, form }
    }

    fn of(&self, person: u32) -> &[u32] {
        &self.secrets[self.offsets[person as usize] as usize..self.offsets[person as usize + 1] as usize]
    }

    fn is_broken_by(&self, people: u64, carriers: &[u32]) -> bool {
        carriers.iter().any(|count| match self.form {
            Form::Ratio => u64::from(*count) * self.l > people,
            Form::Count => u64::from(*count) > self.l,
        })
    }

    /// Adds a person's secrets to the tally.
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
            help: "lower `m`, or coarsen the places with `throng prepare`".to_owned(),
        });
    }
    Ok(())
}

/// A pattern that occurs and does not meet the requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExposedPattern {
    /// Its groups, in order.
    pub groups: Vec<u32>,
    /// Its people.
    pub support: u64,
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
) -> Result<Vec<ExposedPattern>, Cancelled> {
    let scan = Scan { events, groups, ranks: Ranks::of(groups), size, requirement };
    let mut found = match scan.ranks.len().checked_pow(size as u32) {
        _ if size == 1 => scan.single_groups(),
        Some(patterns) if patterns <= ONE_PASS => scan.in_one_pass(progress, phase)?,
        _ => scan.by_first_group(progress, phase)?,
    };
    let order = in_order(events, groups, &found, size);
    let mut exposed = |at: u32| {
        let found = &mut found[at as usize];
        ExposedPattern { groups: std::mem::take(&mut found.groups), support: found.support }
    };
    Ok(order.into_iter().map(&mut exposed).collect())
}

/// Patterns of up to so many groups are sorted by one number for all their positions.
const PACKED: usize = 4;

/// The places of found patterns in the list, lowest support first, then by first occurrence. No two occur at the same positions of the same
/// record, so that the order is one.
fn in_order(events: &Events, groups: &Groups, found: &[Found], size: usize) -> Vec<u32> {
    let key = |found: &Found| (found.support << u32::BITS) | u64::from(found.first_record);
    let numbered = || found.par_iter().enumerate();
    if size <= PACKED {
        let packed = |image: &mut Vec<u32>, (at, found): (usize, &Found)| {
            let positions = positions(events, groups, image, found);
            let packed = positions.fold(0_u128, |packed, at| (packed << u32::BITS) | u128::from(at));
            (key(found), packed, at as u32)
        };
        let mut order: Vec<(u64, u128, u32)> = numbered().map_init(Vec::new, packed).collect();
        order.par_sort_unstable();
        return order.into_iter().map(|(_, _, at)| at).collect();
    }
    let listed = |image: &mut Vec<u32>, (at, found): (usize, &Found)| {
        (key(found), positions(events, groups, image, found).collect::<Vec<u32>>(), at as u32)
    };
    let mut order: Vec<(u64, Vec<u32>, u32)> = numbered().map_init(Vec::new, listed).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, _, at)| at).collect()
}

/// Up to this many possible patterns the counters of all of them stay in the cache.
const ONE_PASS: usize = 1 << 14;

/// People between two looks at the cancel flag.
const STRETCH: usize = 1 << 12;

struct Scan<'a> {
    events: &'a Events,
    groups: &'a Groups,
    ranks: Ranks,
    size: usize,
    requirement: Requirement<'a>,
}

impl Scan<'_> {
    /// Single groups know their people; only those that break the requirement are looked up in the records.
    fn single_groups(&self) -> Vec<Found> {
        let kinds = self.requirement.diversity.map_or(0, |diversity| diversity.kinds);
        let broken = self.groups.all().filter(|group| {
            let mut carriers = vec![0; kinds];
            if let Some(diversity) = self.requirement.diversity {
                for person in self.groups.people(*group) {
                    diversity.tally(*person, &mut carriers);
                }
            }
            self.requirement.is_broken_by(self.groups.support(*group), &carriers)
        });
        let first_record = |group: u32| {
            let first = self.groups.people(group).first().map_or(0, |person| *person as usize);
            let mut records = self.events.records_of(first);
            records.find(|record| {
                self.events.record(*record).iter().any(|item| self.groups.of(*item) == Some(group))
            })
        };
        broken
            .map(|group| Found {
                groups: vec![group],
                support: self.groups.support(group),
                first_record: first_record(group).unwrap_or(0) as u32,
            })
            .collect()
    }

    /// Walks the records once. People are split among the threads; their counts add up whatever the split.
    fn in_one_pass(&self, progress: &Progress, phase: &str) -> Result<Vec<Found>, Cancelled> {
        let people = self.events.subjects();
        let phase = progress.phase(phase, Some(people as u64));
        let new = || Counter::new(&self.ranks, None, self.size, self.requirement);
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
        Ok(counted?.drain())
    }

    /// Walks the people of each group, for patterns that begin with it: one small counter at a time, and no locks.
    fn by_first_group(&self, progress: &Progress, phase: &str) -> Result<Vec<Found>, Cancelled> {
        let firsts: Vec<u32> = self.groups.all().collect();
        let total = firsts.iter().map(|group| self.groups.support(*group)).sum();
        let phase = progress.phase(phase, Some(total));
        let found: Result<Vec<Vec<Found>>, Cancelled> = firsts
            .par_iter()
            .map_init(
                || Counter::new(&self.ranks, Some(0), self.size, self.requirement),
                |counter, first| {
                    counter.begin_with(*first);
                    for stretch in self.groups.people(*first).chunks(STRETCH) {
                        phase.advance(stretch.len() as u64)?;
                        for person in stretch {
                            for record in self.events.records_of(*person as usize) {
                                counter.add_record(
                                    self.groups,
                                    self.events.record(record),
                                    *person,
                                    record as u32,
                                );
                            }
                        }
                    }
                    Ok(counter.drain())
                },
            )
            .collect();
        Ok(found?.into_iter().flatten().collect())
    }
}

/// A pattern on its way out, with what decides ties.
struct Found {
    groups: Vec<u32>,
    support: u64,
    first_record: u32,
}

/// Where a pattern is in the record in which it is found first; `image` is room for that record.
fn positions<'a>(
    events: &Events,
    groups: &Groups,
    image: &'a mut Vec<u32>,
    found: &'a Found,
) -> impl Iterator<Item = u32> + use<'a> {
    groups.image_of(events.record(found.first_record as usize), image);
    leftmost(image, &found.groups)
}

/// The positions of a pattern's leftmost embedding in an image that contains it.
fn leftmost<'a>(image: &'a [u32], pattern: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut at = 0;
    pattern.iter().map(move |group| {
        while at < image.len() && image[at] != *group {
            at += 1;
        }
        at += 1;
        at as u32 - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_data::{Dataset, EventKind};

    fn exposed_words(data: &Dataset, size: usize, k: u64) -> Vec<(String, u64)> {
        let groups = Groups::singletons(&data.events, data.items.len());
        let requirement = Requirement { k, diversity: None };
        exposed_patterns(&data.events, &groups, size, requirement, &Progress::silent(), "count")
            .unwrap()
            .into_iter()
            .map(|found| (found.groups.iter().map(|group| data.items.name(*group)).collect(), found.support))
            .collect()
    }

    #[test]
    fn ties_come_in_order_of_first_occurrence() {
        let data = Dataset::from_words(["dace", "baec", "ade", "bdec", "dc", "de"]);
        let expected = ["da", "ce", "ba", "ad", "bd"].map(|word| (word.to_owned(), 1));
        assert_eq!(exposed_words(&data, 2, 2), expected);
        assert_eq!(exposed_words(&data, 1, 3), [("b".to_owned(), 2)]);
    }

    #[test]
    fn repeats_within_a_person_count_once() {
        let records = [("p", "abab"), ("p", "ab"), ("q", "ba")];
        let data = Dataset::from_records(
            EventKind::Sequence,
            records.map(|(subject, word)| (subject, word.split("").filter(|letter| !letter.is_empty()))),
        );
        assert_eq!(
            exposed_words(&data, 2, 9),
            [("ab", 1), ("aa", 1), ("bb", 1), ("ba", 2)].map(|(word, people)| (word.to_owned(), people))
        );
    }

    #[test]
    fn a_long_record_over_few_items_is_quick() {
        let long = "abc".repeat(5_000);
        let data = Dataset::from_words([long.as_str()]);
        assert_eq!(exposed_words(&data, 4, 2).len(), 81);
    }
}
