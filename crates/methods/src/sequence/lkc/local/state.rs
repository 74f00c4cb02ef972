//! The table while it is being suppressed, and what each possible suppression would do to it.

mod trial;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_mine::doublets::{DoubletTable, FrequentSet};

use super::super::requirement::{Requirement, Sensitive};
use super::super::tournament::Tournament;
use super::super::violating::ViolatingSets;
use trial::Trial;

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

/// A suppression that could be made: of a doublet, in the records of a violating sequence or everywhere.
#[derive(Clone, Copy)]
struct Offer {
    doublet: u32,
    within: Option<u32>,
}

/// What an offer would do.
#[derive(Clone, Copy)]
struct Worth {
    cleared: u32,
    loss: u64,
}

/// What an offer would do (`None`: it is not allowed, or clears nothing), and the doublets that this depends on.
struct Weighed {
    worth: Option<Worth>,
    /// `None` when the offer is quicker weighed again than looked up here.
    depends_on: Option<Vec<u32>>,
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
    /// Violating sequences not yet cleared.
    alive: Vec<bool>,
    /// Violating and frequent sequences by doublet, and violating ones by first doublet.
    violating_with: Vec<Vec<u32>>,
    violating_from: Vec<Vec<u32>>,
    frequent_with: Vec<Vec<u32>>,
    /// Supports of the frequent sequences now.
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
        State {
            table,
            sensitive,
            requirement,
            violating,
            frequent,
            loss,
            rows: (0..table.records() as u32).map(|record| table.record(record).to_vec()).collect(),
            holders: (0..table.len() as u32).map(|doublet| table.holders(doublet).to_vec()).collect(),
            alive: vec![true; violating.len()],
            violating_with,
            violating_from,
            frequent_with,
            supports: frequent.iter().map(|set| set.support).collect(),
        }
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
        let mut weighed: Vec<Weighed> = offers
            .par_iter()
            .map(|offer| progress.check().map(|()| self.weigh(offer)))
            .collect::<Result<_, Cancelled>>()?;
        let mut tournament = Tournament::new(offers.len(), |a, b| beats(&offers, &weighed, a, b));
        let mut steps = Vec::new();
        while let Some(winner) = tournament.winner() {
            let offer = offers[winner as usize];
            if weighed[winner as usize].worth.is_none() {
                break;
            }
            let (step, neighbours) = self.apply(&offer);
            phase.advance(u64::from(step.cleared))?;
            steps.push(step);
            let stale: Vec<u32> = neighbours
                .iter()
                .flat_map(|doublet| &offers_of[*doublet as usize])
                .copied()
                .filter(|number| {
                    let depends_on = &weighed[*number as usize].depends_on;
                    depends_on.as_ref().is_none_or(|list| list.binary_search(&offer.doublet).is_ok())
                })
                .collect();
            let fresh: Vec<Weighed> = stale
                .par_iter()
                .map(|number| progress.check().map(|()| self.weigh(&offers[*number as usize])))
                .collect::<Result<_, Cancelled>>()?;
            for (number, fresh) in stale.iter().zip(fresh) {
                weighed[*number as usize] = fresh;
            }
            for number in &stale {
                tournament.replay(*number, |a, b| beats(&offers, &weighed, a, b));
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

    /// Finds out what an offer would do.
    fn weigh(&self, offer: &Offer) -> Weighed {
        let Offer { doublet, within } = *offer;
        let violating =
            || self.violating_with[doublet as usize].iter().filter(|set| self.alive[**set as usize]);
        let Some(set) = within else {
            let cleared = violating().count() as u32;
            let loss = self.cost(doublet, &self.holders[doublet as usize]);
            return Weighed { worth: (cleared > 0).then_some(Worth { cleared, loss }), depends_on: None };
        };
        if !self.alive[set as usize] {
            // Cleared for good: nothing can bring it back.
            return Weighed { worth: None, depends_on: Some(Vec::new()) };
        }
        let touched = self.records_with(self.violating.get(set as usize));
        let mut cleared: Vec<u32> = Vec::new();
        let mut uncovered: Vec<(u32, Vec<u32>)> = Vec::new();
        for other in violating() {
            let records = self.records_with(self.violating.get(*other as usize));
            let left: Vec<u32> = without(&records, &touched).collect();
            if !self.is_violated(left.iter().copied()) {
                cleared.push(*other);
                if !left.is_empty() {
                    uncovered.push((*other, left));
                }
            }
        }
        let trial = Trial { state: self, doublet, touched: &touched, cleared: &cleared };
        let holders = &self.holders[doublet as usize];
        let safe = trial.is_safe(&mut vec![doublet], 0, holders)
            && uncovered.iter().all(|(other, left)| {
                trial.uncovers_nothing(&mut self.violating.get(*other as usize).to_vec(), 0, left)
            });
        let worth = safe.then(|| Worth { cleared: cleared.len() as u32, loss: self.cost(doublet, &touched) });
        // Sequences that matter lie in touched records, or contain one that would be cleared while people keep it. Only
        // a suppression of a doublet they could contain changes anything about them.
        let records = touched.iter().chain(uncovered.iter().flat_map(|(_, left)| left));
        let mut depends_on: Vec<u32> =
            records.flat_map(|record| &self.rows[*record as usize]).copied().collect();
        depends_on.sort_unstable();
        depends_on.dedup();
        Weighed { worth, depends_on: Some(depends_on) }
    }

    fn cost(&self, doublet: u32, touched: &[u32]) -> u64 {
        let Loss::Patterns { min_support } = self.loss else { return touched.len() as u64 };
        let ends = |number: &&u32| {
            let number = **number as usize;
            if self.supports[number] < min_support {
                return false;
            }
            let records = self.records_with(&self.frequent[number].doublets);
            let left: Vec<u32> = without(&records, touched).collect();
            self.table.people_of(&left) < min_support
        };
        self.frequent_with[doublet as usize].iter().filter(ends).count() as u64
    }

    /// Suppresses; returns what was done, and every doublet that shared a record with the suppressed one: only what is
    /// offered for those can be worth something else now.
    fn apply(&mut self, offer: &Offer) -> (Step, Vec<u32>) {
        let doublet = offer.doublet;
        let before = std::mem::take(&mut self.holders[doublet as usize]);
        let mut neighbours: Vec<u32> =
            before.iter().flat_map(|record| &self.rows[*record as usize]).copied().collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        self.holders[doublet as usize] = before;

        let records = match offer.within {
            Some(set) => self.records_with(self.violating.get(set as usize)),
            None => self.holders[doublet as usize].clone(),
        };
        let first_alive =
            || self.violating_with[doublet as usize].iter().find(|set| self.alive[**set as usize]);
        let example = offer.within.or_else(|| first_alive().copied()).unwrap_or(0) as usize;
        let evidence = self.sensitive.count(self.table, self.records_with(self.violating.get(example)));

        for record in &records {
            self.rows[*record as usize].retain(|other| *other != doublet);
        }
        let holders = std::mem::take(&mut self.holders[doublet as usize]);
        self.holders[doublet as usize] = without(&holders, &records).collect();
        let mut cleared = 0;
        for at in 0..self.violating_with[doublet as usize].len() {
            let set = self.violating_with[doublet as usize][at] as usize;
            if self.alive[set] && !self.is_violated(self.records_with(self.violating.get(set)).into_iter()) {
                self.alive[set] = false;
                cleared += 1;
            }
        }
        for number in &self.frequent_with[doublet as usize] {
            let records = self.records_with(&self.frequent[*number as usize].doublets);
            self.supports[*number as usize] = self.table.people_of(&records);
        }
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
fn without<'a>(list: &'a [u32], other: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    list.iter().copied().filter(|record| other.binary_search(record).is_err())
}

/// More sequences cleared for each unit of loss; local before global, then less loss, then the earlier doublet.
fn beats(offers: &[Offer], weighed: &[Weighed], a: u32, b: u32) -> bool {
    let (worth_a, worth_b) = match (weighed[a as usize].worth, weighed[b as usize].worth) {
        (Some(worth_a), Some(worth_b)) => (worth_a, worth_b),
        (one, other) => return (one.is_some(), b) > (other.is_some(), a),
    };
    let (offer_a, offer_b) = (offers[a as usize], offers[b as usize]);
    let value = |of: Worth, against: Worth| u128::from(of.cleared) * (u128::from(against.loss) + 1);
    let order = value(worth_a, worth_b)
        .cmp(&value(worth_b, worth_a))
        .then(offer_a.within.is_some().cmp(&offer_b.within.is_some()))
        .then(worth_b.loss.cmp(&worth_a.loss))
        .then(offer_b.doublet.cmp(&offer_a.doublet))
        .then(b.cmp(&a));
    order.is_gt()
}
