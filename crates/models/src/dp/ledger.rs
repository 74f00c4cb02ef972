//! Privacy budgets, exact, and a ledger that refuses to overspend.

use thiserror::Error;

/// A part of a privacy budget: a whole number of steps of epsilon = 2^-32, so that sums and splits are exact.
///
/// Every rounding is downwards: less is spent than was allowed, never more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(u64);

impl Budget {
    /// Steps that make an epsilon of 1.
    pub const STEPS: u64 = 1 << 32;

    /// The largest budget within `epsilon`; nothing for what is not a positive number.
    pub fn within(epsilon: f64) -> Self {
        // Multiplying by a power of two is exact, and the conversion cuts the rest off.
        Budget((epsilon * Budget::STEPS as f64) as u64)
    }

    /// As a number, for people and for thresholds; a ledger never calculates with it.
    pub fn epsilon(self) -> f64 {
        self.0 as f64 / Budget::STEPS as f64
    }

    /// How many steps of 2^-32 it has.
    pub fn steps(self) -> u64 {
        self.0
    }

    /// One of `parts` equal parts.
    #[must_use]
    pub fn share(self, parts: u64) -> Self {
        Budget(self.0 / parts.max(1))
    }
}

/// What a person loses by taking part: every noisy answer, on the path that leads to it.
///
/// One thing a person did is asked about along a single path - first "how often `a`", then "how often `a b`" - so the
/// budget adds up along paths, and paths beside each other speak of different things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetLedger {
    budget: Budget,
    records_per_person: u64,
    spendings: Vec<Spending>,
}

/// An entry of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry(u32);

impl Entry {
    /// Its place in [`BudgetLedger::spendings`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One noisy answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// The answer before it on its path; always an earlier entry.
    pub after: Option<Entry>,
    /// What it costs.
    pub amount: Budget,
    /// What its path costs up to here.
    pub along: Budget,
}

impl BudgetLedger {
    /// A ledger with nothing spent. The budget is for one record; `records_per_person` of a person's are counted.
    pub fn new(budget: Budget, records_per_person: u64) -> Self {
        BudgetLedger { budget, records_per_person, spendings: Vec::new() }
    }

    /// What may be spent on a path.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// How many records of one person the answers may count.
    pub fn records_per_person(&self) -> u64 {
        self.records_per_person
    }

    /// All entries, in the order in which they were made.
    pub fn spendings(&self) -> &[Spending] {
        &self.spendings
    }

    /// What is left for a path that goes on from an entry; nothing for an entry of another ledger.
    pub fn left(&self, after: Option<Entry>) -> Budget {
        let spent = match after {
            None => Some(Budget::default()),
            Some(entry) => self.spendings.get(entry.index()).map(|spending| spending.along),
        };
        spent.map_or_else(Budget::default, |spent| Budget(self.budget.0.saturating_sub(spent.0)))
    }

    /// Pays for an answer, or refuses.
    pub fn spend(&mut self, after: Option<Entry>, amount: Budget) -> Result<Entry, LedgerError> {
        let left = self.left(after);
        if amount == Budget::default() {
            return Err(LedgerError::Nothing);
        }
        if amount > left {
            return Err(LedgerError::Overspent { asked: amount, left });
        }
        let entry = Entry(u32::try_from(self.spendings.len()).map_err(|_| LedgerError::Full)?);
        let along = Budget(self.budget.0 - left.0 + amount.0);
        self.spendings.push(Spending { after, amount, along });
        Ok(entry)
    }
}

/// Why a ledger refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LedgerError {
    /// The path has not so much left.
    #[error("an answer for epsilon {} was asked for, and {} is left", asked.epsilon(), left.epsilon())]
    Overspent {
        /// What was asked for.
        asked: Budget,
        /// What is left on the path.
        left: Budget,
    },
    /// An answer for nothing would be all noise.
    #[error("the privacy budget is too small to be divided further")]
    Nothing,
    /// There is no room for another entry.
    #[error("the privacy ledger is full")]
    Full,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_exact_and_rounded_down() {
        assert_eq!(Budget::within(0.5).steps(), 1 << 31);
        let tenth = Budget::within(0.1);
        assert!(tenth.epsilon() <= 0.1 && tenth.epsilon() > 0.1 - 1e-9);
        for nothing in [0.0, -1.0, f64::NAN, 1e-11] {
            assert_eq!(Budget::within(nothing), Budget::default());
        }
        assert!(tenth.share(3).steps() * 3 <= tenth.steps());
    }

    #[test]
    fn a_ledger_refuses_to_go_over_the_budget_of_a_path() {
        let budget = Budget::within(1.0);
        let mut ledger = BudgetLedger::new(budget, 1);
        let root = ledger.spend(None, budget.share(2)).unwrap();
        // Two paths beside each other may both go on.
        let left = ledger.spend(Some(root), budget.share(2)).unwrap();
        ledger.spend(Some(root), budget.share(4)).unwrap();
        assert_eq!(ledger.left(Some(left)), Budget::default());
        let refused = ledger.spend(Some(left), Budget(1)).unwrap_err();
        assert_eq!(refused, LedgerError::Overspent { asked: Budget(1), left: Budget(0) });
        let over = Budget(budget.share(2).steps() + 1);
        assert!(matches!(ledger.spend(Some(root), over), Err(LedgerError::Overspent { .. })));
        assert_eq!(ledger.spend(Some(root), Budget(0)), Err(LedgerError::Nothing));
        assert_eq!(ledger.spendings().len(), 3, "what was refused is not in the books");
        assert!(ledger.spend(Some(Entry(99)), Budget(1)).is_err(), "an entry of another ledger");
    }
}
