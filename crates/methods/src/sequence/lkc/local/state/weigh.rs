//! What a suppression would do, and whether it is allowed.

use super::neighbourhood::Neighbourhood;
use super::offer::{Offer, Standing, Worth};
use super::trial::Trial;
use super::{Loss, State, meet, without};

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
        let cleared = self.cleared_by(doublet, touched, |_, _| {});
        worth(cleared, touched)
    }

    /// `None` when the offer is allowed: no sequence violates afterwards that does not contain one known before.
    /// Otherwise, the doublets that this depends on.
    pub(super) fn refusal(&self, offer: &Offer, near: &mut Neighbourhood) -> Option<Vec<u32>> {
        let doublet = offer.doublet;
        // What is suppressed everywhere is in no sequence any more.
        let touched = &self.violated[offer.within? as usize];
        let mut cleared: Vec<u32> = Vec::new();
        let mut uncovered: Vec<(u32, Vec<u32>)> = Vec::new();
        self.cleared_by(doublet, touched, |set, left| {
            cleared.push(set);
            if !left.is_empty() {
                uncovered.push((set, left));
            }
        });
        near.gather(self, doublet);
        let trial = Trial { state: self, doublet, touched, cleared: &cleared, near };
        let allowed = trial.is_safe()
            && uncovered.iter().all(|(set, left)| {
                trial.uncovers_nothing(&mut self.violating.get(*set as usize).to_vec(), 0, left)
            });
        if allowed {
            return None;
        }
        // Sequences that matter lie in touched records, or contain one that would be cleared while people keep it. Only
        // a suppression of a doublet they could contain changes anything about them.
        let records = touched.iter().chain(uncovered.iter().flat_map(|(_, left)| left));
        let mut depends_on: Vec<u32> =
            records.flat_map(|record| &self.rows[*record as usize]).copied().collect();
        depends_on.sort_unstable();
        depends_on.dedup();
        Some(depends_on)
    }

    /// How many violating sequences are cleared when the doublet goes from these records; each is told, in ascending
    /// order, with the records it keeps.
    pub(super) fn cleared_by(
        &self,
        doublet: u32,
        touched: &[u32],
        mut tell: impl FnMut(u32, Vec<u32>),
    ) -> u32 {
        let mut cleared = 0;
        for set in &self.violating_with[doublet as usize] {
            let records = &self.violated[*set as usize];
            if !self.alive[*set as usize] || !meet(records, touched) {
                continue;
            }
            let left: Vec<u32> = without(records, touched).collect();
            if !self.is_violated(left.iter().copied()) {
                cleared += 1;
                tell(*set, left);
            }
        }
        cleared
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
