//! The table while it is being suppressed, and what each possible suppression would do to it.

mod desk;
mod neighbourhood;
mod offer;
mod rows;
mod trial;
mod weigh;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_mine::doublets::{DoubletTable, FrequentSet};

use super::super::requirement::{Requirement, Sensitive};
use super::super::tournament::Tournament;
use super::super::violating::ViolatingSets;
use desk::{Bits, Desk};
use offer::{Offer, Offers, Standing, beats};
use rows::Rows;

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

/// What a suppression brought about.
struct Applied {
    step: Step,
    /// The doublets, ascending, that were in the records that changed, or in those of a sequence that was cleared.
    neighbours: Vec<u32>,
    /// Offers that may be worth something else now.
    stale: Vec<u32>,
}

/// The records as they are now.
pub struct State<'a> {
    table: &'a DoubletTable,
    sensitive: &'a Sensitive,
    requirement: &'a Requirement,
    violating: &'a ViolatingSets,
    frequent: &'a [FrequentSet],
    loss: Loss,
    rows: Rows,
    /// One bit for each record whose person has a sensitive value.
    secret: Bits,
    holders: Vec<Vec<u32>>,
    /// Violating sequences not yet cleared, their records, and how many there are of each doublet.
    alive: Vec<bool>,
    violated: Vec<Vec<u32>>,
    alive_with: Vec<u32>,
    /// Violating and frequent sequences by doublet, and violating ones by first doublet.
    violating_with: Vec<Vec<u32>>,
    violating_from: Vec<Vec<u32>>,
    frequent_with: Vec<Vec<u32>>,
    /// By record, the violating sequences it holds, ascending; some may be cleared.
    sets_of: Vec<Vec<u32>>,
    /// Supports of the frequent sequences, as they are now where a suppression is weighed by them.
    supports: Vec<u64>,
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
            rows: Rows::of(table),
            secret: Bits::new(table.records()),
            holders: (0..table.len() as u32).map(|doublet| table.holders(doublet).to_vec()).collect(),
            alive: vec![true; violating.len()],
            violated: Vec::new(),
            alive_with: violating_with.iter().map(|sets| sets.len() as u32).collect(),
            violating_with,
            violating_from,
            frequent_with,
            sets_of: vec![Vec::new(); table.records()],
            supports: frequent.iter().map(|set| set.support).collect(),
        };
        for record in (0..table.records() as u32).filter(|at| !sensitive.of(table.person(*at)).is_empty()) {
            state.secret.set(record);
        }
        let records = |set| state.records_with(violating.get(set));
        state.violated = (0..violating.len()).into_par_iter().map(records).collect();
        for (set, records) in (0..).zip(&state.violated) {
            records.iter().for_each(|record| state.sets_of[*record as usize].push(set));
        }
        state
    }

    /// Makes the best suppression until no violating sequence is left. Ends, because every step clears at least one
    /// and none adds one.
    pub fn run(&mut self, progress: &Progress) -> Result<Vec<Step>, Cancelled> {
        let offers = Offers::of(self.violating, self.table.len());
        let phase = progress.phase("suppress locally", Some(self.violating.len() as u64));
        let mut standings: Vec<Standing> = offers
            .all
            .par_iter()
            .map(|offer| progress.check().map(|()| self.weigh(offer)))
            .collect::<Result<_, Cancelled>>()?;
        let mut tournament = Tournament::new(offers.all.len(), |a, b| beats(&offers.all, &standings, a, b));
        let mut desk = Desk::new(self);
        // By doublet, the offers that were refused.
        let mut refused: Vec<Vec<u32>> = vec![Vec::new(); self.table.len()];
        let mut steps = Vec::new();
        while let Some(winner) = tournament.winner() {
            let offer = offers.all[winner as usize];
            if !matches!(standings[winner as usize], Standing::Worth(_)) {
                break;
            }
            if let Some(until) = self.refusal(&offer, &mut desk) {
                progress.check()?;
                standings[winner as usize] = Standing::Refused { until };
                refused[offer.doublet as usize].push(winner);
                tournament.replay(winner, |a, b| beats(&offers.all, &standings, a, b));
                continue;
            }
            let Applied { step, neighbours, mut stale } = self.apply(&offer, &offers);
            phase.advance(u64::from(step.cleared))?;
            desk.neighbourhoods.forget(step.doublet, &step.records, &neighbours, &self.secret);
            stale.retain(|number| matches!(standings[*number as usize], Standing::Worth(_)));
            for doublet in &neighbours {
                refused[*doublet as usize].retain(|number| {
                    let waits = standings[*number as usize].waits_for(step.doublet);
                    stale.extend(waits.then_some(*number));
                    !waits
                });
            }
            for number in stale {
                standings[number as usize] = self.weigh(&offers.all[number as usize]);
                tournament.replay(number, |a, b| beats(&offers.all, &standings, a, b));
            }
            steps.push(step);
        }
        Ok(steps)
    }

    /// Whether a record still has a doublet.
    pub fn keeps(&self, record: u32, doublet: u32) -> bool {
        self.rows.get(record).binary_search(&doublet).is_ok()
    }

    /// How supports of frequent sequences that still occur have sunk: how many sequences, mean and worst in percent.
    pub fn drift(&mut self) -> Option<(usize, f64, f64)> {
        let all: Vec<u32> = (0..self.frequent.len() as u32).collect();
        self.count_frequent(&all);
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

    fn apply(&mut self, offer: &Offer, offers: &Offers) -> Applied {
        let doublet = offer.doublet;
        let records = match offer.within {
            Some(set) => self.violated[set as usize].clone(),
            None => self.holders[doublet as usize].clone(),
        };
        let first_alive =
            || self.violating_with[doublet as usize].iter().find(|set| self.alive[**set as usize]);
        let example = offer.within.or_else(|| first_alive().copied()).unwrap_or(0) as usize;
        let evidence = self.sensitive.count(self.table, self.violated[example].iter().copied());

        let changed = self.sets_that_meet(doublet, &records);
        let mut stale = match self.loss {
            Loss::Instances => self.depending_on(&changed, offers),
            Loss::Patterns { .. } => Vec::new(),
        };
        stale.extend(offers.everywhere(doublet));
        let mut neighbours: Vec<u32> = Vec::new();
        for record in &records {
            neighbours.extend(self.rows.get(*record));
            self.rows.remove(*record, doublet);
            self.sets_of[*record as usize]
                .retain(|set| !self.violating.get(*set as usize).contains(&doublet));
        }
        self.holders[doublet as usize] = without(&self.holders[doublet as usize], &records).collect();
        let mut cleared = 0;
        for set in changed {
            let left: Vec<u32> = without(&self.violated[set as usize], &records).collect();
            if !self.is_violated(left.iter().copied()) {
                cleared += 1;
                self.clear(set, &left);
                neighbours.extend(left.iter().flat_map(|record| self.rows.get(*record)));
                stale.extend(offers.within(set, self.violating.get(set as usize).len()));
            }
            self.violated[set as usize] = left;
        }
        let alive = &self.alive;
        self.violating_with[doublet as usize].retain(|set| alive[*set as usize]);
        neighbours.sort_unstable();
        neighbours.dedup();
        if matches!(self.loss, Loss::Patterns { .. }) {
            // What anything costs may have changed wherever records did.
            self.count_frequent(&self.frequent_with[doublet as usize].clone());
            let hopeful = |set: &u32| self.alive[*set as usize];
            for neighbour in &neighbours {
                let sets = self.violating_with[*neighbour as usize].iter().copied().filter(hopeful);
                stale.extend(sets.filter_map(|set| offers.one(self.violating, set, *neighbour)));
                stale.extend(offers.everywhere(*neighbour));
            }
        }
        stale.sort_unstable();
        stale.dedup();
        let everywhere = self.holders[doublet as usize].is_empty();
        let step = Step { everywhere, doublet, records, cleared, example, evidence };
        Applied { step, neighbours, stale }
    }

    /// A violating sequence is none any more; `left` are the records that still hold it.
    fn clear(&mut self, set: u32, left: &[u32]) {
        self.alive[set as usize] = false;
        for member in self.violating.get(set as usize) {
            self.alive_with[*member as usize] -= 1;
        }
        for record in left {
            self.sets_of[*record as usize].retain(|other| *other != set);
        }
    }

    /// The offers that would clear something else, or cost something else, once these sequences lose records: those of
    /// their own doublets that touch a record of theirs.
    fn depending_on(&self, changed: &[u32], offers: &Offers) -> Vec<u32> {
        let mut depending = Vec::new();
        for set in changed {
            let members = self.violating.get(*set as usize);
            depending.extend(members.iter().filter_map(|member| offers.everywhere(*member)));
            let mut near: Vec<u32> = self.violated[*set as usize]
                .iter()
                .flat_map(|record| &self.sets_of[*record as usize])
                .copied()
                .collect();
            near.sort_unstable();
            near.dedup();
            for other in near {
                depending
                    .extend(members.iter().filter_map(|member| offers.one(self.violating, other, *member)));
            }
        }
        depending
    }

    /// Counts the people of frequent sequences again.
    fn count_frequent(&mut self, numbers: &[u32]) {
        for number in numbers {
            let records = self.records_with(&self.frequent[*number as usize].doublets);
            self.supports[*number as usize] = self.table.people_of(&records);
        }
    }

    /// The records that contain all the doublets, ascending.
    fn records_with(&self, doublets: &[u32]) -> Vec<u32> {
        let rarest =
            doublets.iter().map(|doublet| &self.holders[*doublet as usize]).min_by_key(|list| list.len());
        let holds = |record: &u32| doublets.iter().all(|doublet| self.keeps(*record, *doublet));
        rarest.into_iter().flatten().copied().filter(holds).collect()
    }

    /// Counts, among the people of ascending records, everybody and the holders of the value most of them hold.
    fn count(&self, records: impl Iterator<Item = u32>) -> (u32, u32) {
        if !self.table.one_record_each() {
            return self.sensitive.count(self.table, records);
        }
        // Few have anything sensitive: for the others there is nothing to look up.
        let mut people = 0;
        let holding = records.inspect(|_| people += 1).filter(|record| self.secret.has(*record));
        let (_, most_holders) = self.sensitive.count(self.table, holding);
        (people, most_holders)
    }

    /// Whether the people of these records are some, but too few, or give a sensitive value away.
    fn is_violated(&self, records: impl Iterator<Item = u32>) -> bool {
        let (people, most_holders) = self.count(records);
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
