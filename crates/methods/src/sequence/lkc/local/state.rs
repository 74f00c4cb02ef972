//! The table while it is being suppressed, and what each possible suppression would do to it.

mod neighbourhood;
mod offer;
mod trial;
mod weigh;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_mine::doublets::{DoubletTable, FrequentSet};

use super::super::requirement::{Requirement, Sensitive};
use super::super::tournament::Tournament;
use super::super::violating::ViolatingSets;
use neighbourhood::Neighbourhood;
use offer::{Offer, Standing, beats};

/// What a suppression costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The events it deletes.
    Instances,
    /// The frequent sequences it makes infrequent.
    Patterns {
        /// People that make a sequence frequent.
        min_support: u64,
    },
}

/// A suppression that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Whether no record kept the doublet.
    pub everywhere: bool,
    /// What was suppressed.
    pub doublet: u32,
    /// Where.
    pub records: Vec<u32>,
    /// How many violating sequences it cleared.
    pub cleared: u32,
    /// One of them, with its people and the holders of their most common sensitive value.
    pub example: usize,
    /// See `example`.
    pub evidence: (u32, u32),
}

/// The records as they are now.
pub struct State<'a> {
    table: &'a DoubletTable,
    sensitive: &'a Sensitive,
    requirement: &'a Requirement,
    violating: &'a ViolatingSets,
    frequent: &'a [FrequentSet],
    loss: Loss,
    rows: Vec<Vec<u32>>,
    holders: Vec<Vec<u32>>,
    /// Violating sequences not yet cleared, their records, and how many there are of each doublet.
    alive: Vec<bool>,
    violated: Vec<Vec<u32>>,
    alive_with: Vec<u32>,
    /// Violating and frequent sequences by doublet, and violating ones by first doublet.
    violating_with: Vec<Vec<u32>>,
    violating_from: Vec<Vec<u32>>,
    frequent_with: Vec<Vec<u32>>,
    /// Supports of the frequent sequences now.
    supports: Vec<u64>,
    /// How many were made.
    suppressions: usize,
}

impl<'a> State<'a> {
    /// Nothing suppressed yet.
    pub fn new(
        table: &'a DoubletTable,
        sensitive: &'a Sensitive,
        requirement: &'a Requirement,
        violating: &'a ViolatingSets,
        frequent: &'a [FrequentSet],
        loss: Loss,
    ) -> Self {
        let mut violating_with = vec![Vec::new(); table.len()];
        let mut violating_from = vec![Vec::new(); table.len()];
        for (number, set) in violating.iter().enumerate() {
            violating_from[set[0] as usize].push(number as u32);
            set.iter().for_each(|doublet| violating_with[*doublet as usize].push(number as u32));
        }
        let mut frequent_with = vec![Vec::new(); table.len()];
        for (number, set) in frequent.iter().enumerate() {
            set.doublets.iter().for_each(|doublet| frequent_with[*doublet as usize].push(number as u32));
        }
        let mut state = State {
            table,
            sensitive,
            requirement,
            violating,
            frequent,
            loss,
            rows: (0..table.records() as u32).map(|record| table.record(record).to_vec()).collect(),
            holders: (0..table.len() as u32).map(|doublet| table.holders(doublet).to_vec()).collect(),
            alive: vec![true; violating.len()],
            violated: Vec::new(),
            alive_with: violating_with.iter().map(|sets| sets.len() as u32).collect(),
            violating_with,
            violating_from,
            frequent_with,
            supports: frequent.iter().map(|set| set.support).collect(),
            suppressions: 0,
        };
        let records = |set| state.records_with(violating.get(set));
        state.violated = (0..violating.len()).into_par_iter().map(records).collect();
        state
    }

    /// Makes the best suppression until no violating sequence is left. Ends, because every step clears at least one
    /// and none adds one.
    pub fn run(&mut self, progress: &Progress) -> Result<Vec<Step>, Cancelled> {
        let mut offers: Vec<Offer> = Vec::new();
        for (number, set) in self.violating.iter().enumerate() {
            offers.extend(set.iter().map(|doublet| Offer { doublet: *doublet, within: Some(number as u32) }));
        }
        let everywhere =
            (0..self.table.len() as u32).filter(|at| !self.violating_with[*at as usize].is_empty());
        offers.extend(everywhere.map(|doublet| Offer { doublet, within: None }));
        let mut offers_of: Vec<Vec<u32>> = vec![Vec::new(); self.table.len()];
        for (number, offer) in offers.iter().enumerate() {
            offers_of[offer.doublet as usize].push(number as u32);
        }

        let phase = progress.phase("suppress locally", Some(self.violating.len() as u64));
        let mut standings: Vec<Standing> = offers
            .par_iter()
            .map(|offer| progress.check().map(|()| self.weigh(offer)))
            .collect::<Result<_, Cancelled>>()?;
        let mut tournament = Tournament::new(offers.len(), |a, b| beats(&offers, &standings, a, b));
        let mut near = Neighbourhood::default();
        let mut steps = Vec::new();
        while let Some(winner) = tournament.winner() {
            let offer = offers[winner as usize];
            if !matches!(standings[winner as usize], Standing::Worth(_)) {
                break;
            }
            if let Some(until) = self.refusal(&offer, &mut near) {
                progress.check()?;
                standings[winner as usize] = Standing::Refused { until };
                tournament.replay(winner, |a, b| beats(&offers, &standings, a, b));
                continue;
            }
            let (step, neighbours) = self.apply(&offer);
            phase.advance(u64::from(step.cleared))?;
            steps.push(step);
            for number in neighbours.iter().flat_map(|doublet| &offers_of[*doublet as usize]) {
                let standing = &mut standings[*number as usize];
                let stale = match standing {
                    Standing::Worth(_) => true,
                    Standing::Refused { until } => until.binary_search(&offer.doublet).is_ok(),
                    Standing::Nothing => false,
                };
                if stale {
                    *standing = self.weigh(&offers[*number as usize]);
                    tournament.replay(*number, |a, b| beats(&offers, &standings, a, b));
                }
            }
        }
        Ok(steps)
    }

    /// Whether a record still has a doublet.
    pub fn keeps(&self, record: u32, doublet: u32) -> bool {
        self.rows[record as usize].binary_search(&doublet).is_ok()
    }

    /// How supports of frequent sequences that still occur have sunk: how many sequences, mean and worst in percent.
    pub fn drift(&self) -> Option<(usize, f64, f64)> {
        let sunk: Vec<f64> = self
            .frequent
            .iter()
            .zip(&self.supports)
            .filter(|(_, now)| **now > 0)
            .map(|(set, now)| 100.0 * (1.0 - *now as f64 / set.support as f64))
            .collect();
        let worst = sunk.iter().copied().fold(0.0, f64::max);
        (!sunk.is_empty()).then(|| (sunk.len(), sunk.iter().sum::<f64>() / sunk.len() as f64, worst))
    }

    /// Suppresses; returns what was done, and the doublets, ascending, whose offers can be worth something else now:
    /// those of the records that changed, and of the records of every sequence that was cleared.
    fn apply(&mut self, offer: &Offer) -> (Step, Vec<u32>) {
        let doublet = offer.doublet;
        let records = match offer.within {
            Some(set) => self.violated[set as usize].clone(),
            None => self.holders[doublet as usize].clone(),
        };
        let first_alive =
            || self.violating_with[doublet as usize].iter().find(|set| self.alive[**set as usize]);
        let example = offer.within.or_else(|| first_alive().copied()).unwrap_or(0) as usize;
        let evidence = self.sensitive.count(self.table, self.violated[example].iter().copied());

        let mut neighbours: Vec<u32> = Vec::new();
        for record in &records {
            neighbours.extend(&self.rows[*record as usize]);
            self.rows[*record as usize].retain(|other| *other != doublet);
        }
        self.holders[doublet as usize] = without(&self.holders[doublet as usize], &records).collect();
        let mut gone: Vec<u32> = Vec::new();
        self.cleared_by(doublet, &records, |set, left| {
            neighbours.extend(left.iter().flat_map(|record| &self.rows[*record as usize]));
            gone.push(set);
        });
        let cleared = gone.len() as u32;
        for set in gone {
            self.alive[set as usize] = false;
            for member in self.violating.get(set as usize) {
                self.alive_with[*member as usize] -= 1;
            }
        }
        let alive = &self.alive;
        self.violating_with[doublet as usize].retain(|set| alive[*set as usize]);
        for set in &self.violating_with[doublet as usize] {
            let left = without(&self.violated[*set as usize], &records).collect();
            self.violated[*set as usize] = left;
        }
        for number in &self.frequent_with[doublet as usize] {
            let records = self.records_with(&self.frequent[*number as usize].doublets);
            self.supports[*number as usize] = self.table.people_of(&records);
        }
        self.suppressions += 1;
        neighbours.sort_unstable();
        neighbours.dedup();
        let everywhere = self.holders[doublet as usize].is_empty();
        (Step { everywhere, doublet, records, cleared, example, evidence }, neighbours)
    }

    /// The records that contain all the doublets, ascending.
    fn records_with(&self, doublets: &[u32]) -> Vec<u32> {
        let rarest =
            doublets.iter().map(|doublet| &self.holders[*doublet as usize]).min_by_key(|list| list.len());
        let holds = |record: &u32| doublets.iter().all(|doublet| self.keeps(*record, *doublet));
        rarest.into_iter().flatten().copied().filter(holds).collect()
    }

    /// Whether the people of these records are some, but too few, or give a sensitive value away.
    fn is_violated(&self, records: impl Iterator<Item = u32>) -> bool {
        let (people, most_holders) = self.sensitive.count(self.table, records);
        people > 0 && self.requirement.is_violated(people, most_holders)
    }
}

/// The elements of an ascending list that are not in another.
fn without<'a>(list: &'a [u32], mut other: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    list.iter().copied().filter(move |element| {
        while other.first().is_some_and(|first| first < element) {
            other = &other[1..];
        }
        other.first() != Some(element)
    })
}

/// The elements of an ascending list that are in another.
fn within<'a>(list: &'a [u32], mut other: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    list.iter().copied().filter(move |element| {
        while other.first().is_some_and(|first| first < element) {
            other = &other[1..];
        }
        other.first() == Some(element)
    })
}

/// Whether two ascending lists have an element in common.
fn meet(list: &[u32], other: &[u32]) -> bool {
    within(list, other).next().is_some()
}
