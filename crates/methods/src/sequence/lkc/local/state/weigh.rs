//! What a suppression would do, and whether it is allowed.

use super::desk::Desk;
use super::offer::{Offer, Standing, Worth};
use super::trial::Trial;
use super::{Loss, State, meet, without};

/// Looking whether two lists meet costs as much as so many looks into a sequence.
const MEETING: usize = 8;

impl State<'_> {
    /// What an offer would do if it is allowed.
    pub(super) fn weigh(&self, offer: &Offer) -> Standing {
        let doublet = offer.doublet;
        let worth = |cleared: u32, touched: &[u32]| match cleared {
            0 => Standing::Nothing,
            _ => Standing::Worth(Worth { cleared, loss: self.cost(doublet, touched) }),
        };
        let Some(set) = offer.within else {
            return worth(self.alive_with[doublet as usize], &self.holders[doublet as usize]);
        };
        if !self.alive[set as usize] {
            return Standing::Nothing;
        }
        let touched = &self.violated[set as usize];
        let cleared = self.cleared_by(doublet, touched, |_| {});
        worth(cleared, touched)
    }

    /// `None` when the offer is allowed: no sequence violates afterwards that does not contain one known before.
    /// Otherwise, the doublets that this depends on.
    pub(super) fn refusal(&self, offer: &Offer, desk: &mut Desk) -> Option<Vec<u32>> {
        let doublet = offer.doublet;
        // What is suppressed everywhere is in no sequence any more.
        let touched = &self.violated[offer.within? as usize];
        let mut cleared: Vec<u32> = Vec::new();
        let mut uncovered: Vec<(u32, Vec<u32>)> = Vec::new();
        self.cleared_by(doublet, touched, |set| {
            cleared.push(set);
            let mut left = without(&self.violated[set as usize], touched).peekable();
            if left.peek().is_some() {
                uncovered.push((set, left.collect()));
            }
        });
        let Desk { neighbourhoods, marks } = desk;
        let near = neighbourhoods.of(self, doublet);
        let trial = Trial { state: self, doublet, touched, cleared: &cleared, near };
        let allowed = trial.is_safe(marks)
            && uncovered.iter().all(|(set, left)| {
                trial.uncovers_nothing(&mut self.violating.get(*set as usize).to_vec(), 0, left)
            });
        if allowed {
            return None;
        }
        // Sequences that matter lie in touched records, or contain one that would be cleared while people keep it. Only
        // a suppression of a doublet they could contain changes anything about them.
        let records = touched.iter().chain(uncovered.iter().flat_map(|(_, left)| left));
        let mut depends_on: Vec<u32> = Vec::new();
        for doublet in records.flat_map(|record| self.rows.get(*record)) {
            if !marks.met.has(*doublet) {
                marks.met.set(*doublet);
                depends_on.push(*doublet);
            }
        }
        depends_on.iter().for_each(|doublet| marks.met.unset(*doublet));
        depends_on.sort_unstable();
        Some(depends_on)
    }

    /// How many violating sequences are cleared when the doublet goes from these records; each is told, in ascending
    /// order.
    fn cleared_by(&self, doublet: u32, touched: &[u32], mut tell: impl FnMut(u32)) -> u32 {
        let mut cleared = 0;
        for set in self.sets_that_meet(doublet, touched) {
            if !self.is_violated(without(&self.violated[set as usize], touched)) {
                cleared += 1;
                tell(set);
            }
        }
        cleared
    }

    /// The violating sequences of a doublet that lie in some of these records, ascending: looked up among all of the
    /// doublet, or by record, whichever are fewer.
    pub(super) fn sets_that_meet(&self, doublet: u32, touched: &[u32]) -> Vec<u32> {
        let all = &self.violating_with[doublet as usize];
        let alive = |set: &u32| self.alive[*set as usize];
        let listed: usize = touched.iter().map(|record| self.sets_of[*record as usize].len()).sum();
        if listed >= all.len() * MEETING {
            let meets = |set: &u32| alive(set) && meet(&self.violated[*set as usize], touched);
            return all.iter().copied().filter(meets).collect();
        }
        let of_records = touched.iter().flat_map(|record| &self.sets_of[*record as usize]).copied();
        let holds = |set: &u32| alive(set) && self.violating.get(*set as usize).contains(&doublet);
        let mut sets: Vec<u32> = of_records.filter(holds).collect();
        sets.sort_unstable();
        sets.dedup();
        sets
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
}
