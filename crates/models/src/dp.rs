//! Differential privacy: with or without one person, every release is about equally likely.
//!
//! # Reference
//! DMNS06: Dwork, McSherry, Nissim, Smith. Calibrating Noise to Sensitivity in Private Data Analysis. TCC 2006.
//! CAC12: Chen, Acs, Castelluccia. Differentially Private Sequential Data Publication via Variable-Length N-Grams.
//! CCS 2012.
//! # Guarantees
//! This promise is about *how* a release was made, not about the release: the same file may come from a method that
//! keeps it and from one that copies the data. So the checker looks at the [`BudgetLedger`] in which the method had to pay for
//! each noisy answer, adds every path up again, and compares with the budget of the promise, a person at a time: someone
//! with three counted records spends three times. What it cannot see is whether noise of that size was really drawn,
//! and kept secret. Without the ledger - that is, from the published files - it answers nothing at all.
//! # Cost
//! One addition for each entry of the ledger.

mod ledger;

use std::collections::BTreeMap;

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Key, OverParts, Progress, Settings, settings,
};

use crate::{CheckError, Evidence, Promise, Verdict, Violation};
pub use ledger::{Budget, BudgetLedger, Entry, LedgerError, Spending};

/// The promise `dp`.
pub struct DifferentialPrivacy;

const NAME: &str = "dp";

/// The budget of a person, as methods and the promise ask for it.
pub const EPSILON: Key<f64> = Key::number(
    "epsilon",
    0.0001..=1000.0,
    "privacy budget of a person: the chance of any release changes by a factor of at most e^epsilon",
);

settings! {
    /// What the promise is asked for.
    struct Asked {
        epsilon: f64 = EPSILON,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: NAME,
    purpose: "With or without any one person, every release is about equally likely",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: Asked::ALL,
    paper: "CAC12",
    example: "throng anonymize clicks/events.csv --method ngrams --epsilon 1 --alphabet clicks/alphabet.csv -o private",
    notes: "Not checkable from the output: what is checked, before a release is written, is the ledger of the budget that \
            the method spent. Two releases of the same people cost the sum of their budgets. It says nothing about what \
            the data as a whole show, only about what one person adds. An attacker who learns the seed can take the noise away.",
    over_parts: Some(OverParts::DoesNotFollow),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for DifferentialPrivacy {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "Whether any one person took part or not, with everything they did, changes the chance of every possible \
             release by a factor of at most e^{}.",
            asked.epsilon
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "∀ D, D′ that differ in one person, ∀ O: Pr[M(D) ∈ O] ≤ e^{} · Pr[M(D′) ∈ O], where M is the method with its random \
             choices and O is any set of releases",
            asked.epsilon
        )
    }

    fn rests_on_secret_noise(&self) -> bool {
        true
    }

    fn speaks_of(&self, _: BodyKind) -> bool {
        true
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        progress.check()?;
        let ledger = evidence.ledger.ok_or(CheckError::Missing {
            promise: NAME,
            what: "the ledger of the run that made the release: the output alone cannot show how much noise is in it",
            help: "{throng anonymize} checks the ledger before it writes; ask the publisher how the release was made",
        })?;
        let allowed = Budget::within(asked.epsilon);
        let overspent = overspent(ledger, allowed);
        let violations = overspent.iter().take(list).map(|spent| violation(ledger, allowed, *spent));
        Ok(Verdict {
            promise: NAME,
            holds: overspent.is_empty(),
            checked: ledger.spendings().len() as u64,
            violations: violations.collect(),
            violations_total: overspent.len() as u64,
            ..Verdict::default()
        })
    }
}

/// What each path costs a person that costs more than is allowed, the dearest first. The sums the ledger keeps are
/// not believed.
fn overspent(ledger: &BudgetLedger, allowed: Budget) -> Vec<u128> {
    let mut along: Vec<u128> = Vec::with_capacity(ledger.spendings().len());
    for spending in ledger.spendings() {
        let before = spending.after.map_or(0, |entry| along[entry.index()]);
        along.push(before + u128::from(spending.amount.steps()));
    }
    let records = u128::from(ledger.records_per_person());
    let allowed = u128::from(allowed.steps());
    let mut over: Vec<u128> =
        along.into_iter().map(|spent| spent * records).filter(|spent| *spent > allowed).collect();
    over.sort_unstable_by(|a, b| b.cmp(a));
    over
}

fn violation(ledger: &BudgetLedger, allowed: Budget, spent: u128) -> Violation {
    let spent = spent as f64 / Budget::STEPS as f64;
    Violation {
        pattern: Vec::new(),
        support: 0,
        needed: 0,
        details: BTreeMap::from([
            ("allowed", allowed.epsilon().to_string()),
            ("records-per-person", ledger.records_per_person().to_string()),
            ("spent", spent.to_string()),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Failing;
    use throng_data::{Dataset, Release};

    use super::*;

    fn check(ledger: Option<&BudgetLedger>, epsilon: &str) -> Result<Verdict, CheckError> {
        let data = Dataset::from_words(["ab"]);
        let release = Release::identity(data.items.clone(), data.events.clone());
        let settings = Settings::parse(&DESCRIPTOR, [("epsilon", epsilon)]).unwrap();
        let evidence = Evidence { ledger, ..Evidence::of(&release) };
        DifferentialPrivacy.check(&evidence, &settings, 10, &Progress::silent())
    }

    fn spent(epsilon: f64, records_per_person: u64) -> BudgetLedger {
        let budget = Budget::within(epsilon);
        let mut ledger = BudgetLedger::new(budget, records_per_person);
        let root = ledger.spend(None, budget.share(2)).unwrap();
        ledger.spend(Some(root), budget.share(2)).unwrap();
        ledger.spend(Some(root), budget.share(3)).unwrap();
        ledger
    }

    #[test]
    fn the_output_alone_proves_nothing() {
        let error = check(None, "1").unwrap_err();
        assert_eq!(error.class().code(), 2);
        assert!(error.to_string().contains("the output alone cannot show"), "{error}");
        assert!(error.help().is_some());
    }

    #[test]
    fn a_budget_that_was_kept_holds() {
        let verdict = check(Some(&spent(0.1, 1)), "0.1").unwrap();
        assert!(verdict.holds);
        assert_eq!(verdict.checked, 3);
    }

    #[test]
    fn more_than_was_promised_does_not_hold() {
        let verdict = check(Some(&spent(1.0, 1)), "0.9").unwrap();
        assert!(!verdict.holds);
        assert_eq!(verdict.violations_total, 1, "the other two paths are within 0.9");
        assert_eq!(verdict.violations[0].details["spent"], "1");
    }

    #[test]
    fn several_records_of_a_person_add_up() {
        assert!(check(Some(&spent(0.5, 2)), "1").unwrap().holds);
        assert!(!check(Some(&spent(0.5, 3)), "1").unwrap().holds);
    }
}
