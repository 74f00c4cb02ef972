//! Depth first over patterns, with the leftmost end of each match.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_contract::{Cancelled, Phase, Progress};

use super::Bounds;
use super::words::{Match, Secrets, Words};
use crate::Violation;

/// The walk over patterns, and what it judges by.
pub(super) struct Judge {
    /// What patterns are made of.
    pub words: Words,
    pub bounds: Bounds,
    pub secrets: Secrets,
    pub keep: usize,
}

/// What was found wrong.
#[derive(Default)]
pub struct Found {
    /// Patterns that were looked at.
    pub checked: u64,
    /// Broken ones.
    pub total: u64,
    /// The first of them, in the order in which they are listed.
    pub worst: Vec<Violation>,
}

/// Memory that one worker uses for pattern after pattern; all zero and empty in between.
struct Scratch {
    /// By length of the pattern: the matches of each class that may come next, and the classes that do.
    levels: Vec<(Vec<Vec<Match>>, Vec<u32>)>,
    /// People with each secret, and the secrets they have.
    carriers: (Vec<u64>, Vec<u32>),
}

impl Judge {
    fn scratch(&self) -> Scratch {
        let level = || (vec![Vec::new(); self.words.cover.len()], Vec::new());
        Scratch {
            levels: (0..=self.bounds.m).map(|_| level()).collect(),
            carriers: (vec![0; self.secrets.words.len()], Vec::new()),
        }
    }

    pub fn walk(&self, progress: &Progress) -> Result<Found, Cancelled> {
        let mut firsts: Vec<Vec<Match>> = vec![Vec::new(); self.words.cover.len()];
        let records = 0..self.words.person_of.len() as u32;
        self.extend(records.map(|record| Match { record, end: 0 }), &mut firsts, &mut Vec::new());
        let total = firsts.iter().map(|matches| matches.len() as u64).sum();
        let phase = progress.phase("check patterns", Some(total));
        let parts: Result<Vec<Found>, Cancelled> = firsts
            .into_par_iter()
            .enumerate()
            .map_init(
                || self.scratch(),
                |scratch, (class, matches)| {
                    let mut found = Found::default();
                    self.descend(&mut vec![class as u32], &matches, &mut found, scratch, &phase)?;
                    phase.advance(matches.len() as u64)?;
                    Ok(found)
                },
            )
            .collect();
        let mut all = Found::default();
        for part in parts? {
            all.checked += part.checked;
            all.total += part.total;
            all.worst.extend(part.worst);
        }
        self.cut(&mut all.worst);
        Ok(all)
    }

    /// Adds the match of each class that can come next to that class's matches; the leftmost one only.
    fn extend(&self, matches: impl Iterator<Item = Match>, next: &mut [Vec<Match>], touched: &mut Vec<u32>) {
        for from in matches {
            self.words.each_next(from, |class, end| {
                let matches = &mut next[class as usize];
                if matches.is_empty() {
                    touched.push(class);
                }
                if matches.last().is_none_or(|last| last.record != from.record) {
                    matches.push(Match { end, ..from });
                }
            });
        }
    }

    fn descend(
        &self,
        pattern: &mut Vec<u32>,
        matches: &[Match],
        found: &mut Found,
        scratch: &mut Scratch,
        phase: &Phase<'_>,
    ) -> Result<(), Cancelled> {
        if matches.is_empty() {
            return Ok(());
        }
        phase.advance(0)?;
        found.checked += 1;
        if let Some(violation) = self.judge(pattern, matches, &mut scratch.carriers) {
            found.total += 1;
            found.worst.push(violation);
            if found.worst.len() >= 2 * self.keep {
                self.cut(&mut found.worst);
            }
        }
        if pattern.len() == self.bounds.m {
            return Ok(());
        }
        let depth = pattern.len();
        let (mut next, mut touched) = std::mem::take(&mut scratch.levels[depth]);
        self.extend(matches.iter().copied(), &mut next, &mut touched);
        touched.sort_unstable();
        let mut outcome = Ok(());
        for class in touched.drain(..) {
            if outcome.is_ok() {
                pattern.push(class);
                outcome = self.descend(pattern, &next[class as usize], found, scratch, phase);
                pattern.pop();
            }
            next[class as usize].clear();
        }
        scratch.levels[depth] = (next, touched);
        outcome
    }

    fn judge(
        &self,
        pattern: &[u32],
        matches: &[Match],
        (carriers, carried): &mut (Vec<u64>, Vec<u32>),
    ) -> Option<Violation> {
        let mut people = 0;
        let mut last = None;
        // Matches are in order of people, so a person's matches are next to each other.
        for found in matches {
            let person = self.words.person_of[found.record as usize];
            if last.replace(person) != Some(person) {
                people += 1;
                for secret in self.secrets.of_person(person as usize) {
                    if carriers[*secret as usize] == 0 {
                        carried.push(*secret);
                    }
                    carriers[*secret as usize] += 1;
                }
            }
        }
        let likeliest = carried
            .drain(..)
            .map(|secret| (std::mem::take(&mut carriers[secret as usize]), secret))
            .max_by_key(|(carriers, secret)| (*carriers, std::cmp::Reverse(*secret)));
        let leak = likeliest.filter(|(carriers, _)| match self.bounds.counts {
            true => *carriers > self.bounds.l,
            false => *carriers * self.bounds.l > people,
        });
        if people >= self.bounds.k && leak.is_none() {
            return None;
        }
        let mut details = BTreeMap::new();
        if let Some((carriers, secret)) = leak {
            details.insert("sensitive", self.secrets.words.name(secret).to_owned());
            details.insert("confidence", format!("{carriers}/{people}"));
        }
        let pattern = pattern.iter().map(|class| self.words.cover.name(*class).to_owned()).collect();
        Some(Violation { pattern, support: people, needed: self.bounds.k, details })
    }

    fn cut(&self, violations: &mut Vec<Violation>) {
        violations.sort_by(|a, b| {
            (a.pattern.len(), a.support, &a.pattern).cmp(&(b.pattern.len(), b.support, &b.pattern))
        });
        violations.truncate(self.keep);
    }
}
