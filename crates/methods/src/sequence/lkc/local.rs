//! Suppresses timed visits only in the records where they do harm.
//!
//! # Reference
//! (K,C)_L-privacy: Chen, Fung, Mohammed, Desai, Wang. Privacy-preserving trajectory data publishing by local
//! suppression. Information Sciences 231, 2013.
//! # Guarantees
//! The release satisfies the promise `lkc`. What is left was really visited; supports may have sunk, which the notes
//! report.
//! # Cost
//! Every violating sequence offers one local suppression for each of its doublets. What an offer clears and costs is
//! kept up to date; whether it is allowed, which takes longest, is only asked of the best one. After a step only the
//! offers that touch a record of a sequence that changed are weighed again. What else is in the records of a doublet is
//! kept, up to 64 bytes for each event. Tens of thousands of violating sequences take seconds; for millions of them use `lkc`.
//! # Departs from the paper
//! A local suppression is allowed when afterwards every violating sequence still contains one that was known before,
//! which is the same as "no new minimal violating sequence". It is not enough to look at sequences whose people change:
//! when a sequence is cleared because its confidence improves, a longer one whose people stay the same may be left
//! violating, and minimal for the first time. Those are looked at, too.

mod state;

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, Threshold, choices, settings,
};
use throng_mine::doublets::{Ties, maximal};

use super::requirement::{self, Requirement, Sensitive};
use super::violating::{Pruning, minimal_violating};
use super::{FREQUENT, Promised, TIES, notes_on_input, public_notes, reason, release};
use crate::method::{Explanation, Method, MethodError, Outcome, Task};
use state::{Loss, State};

/// The method `lkc-local`: local suppression.
pub struct LkcLocal;

const NAME: &str = "lkc-local";

choices! {
    /// What a suppression costs.
    enum Lost {
        /// The events it deletes.
        Instances = "instances",
        /// The maximal frequent sequences it ends.
        Patterns = "patterns",
    }
}

settings! {
    /// What the method is asked for.
    struct Asked {
        promised: Promised,
        loss: Lost = Key::choice(
            "loss",
            "what a suppression costs: the events it deletes, or the maximal frequent sequences it ends",
        )
        .or("instances"),
        frequent: Threshold = FREQUENT,
        resolve_ties: Ties = TIES,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: NAME,
    purpose: "Suppresses timed visits only in the records where they give a person or a sensitive value away",
    takes: &[DataKind::Timed],
    needs: &[Need::optional(Input::Records), Need::optional(Input::SensitiveValues)],
    params: Asked::ALL,
    keeps: Some("lkc"),
    product: Some(Product::of(BodyKind::Records)),
    paper: "CFMDW13",
    example: "throng anonymize metro/events.csv --records metro/records.csv --method lkc-local --L 2 --K 5 --C 0.6 \
              --sensitive-values status=on-welfare --publish status -o release",
    notes: "Keeps more visits than `lkc`, but changes how many people share a sequence: shares and rules computed from \
            the release are no longer those of the data. The notes of a run say by how much.",
    ..Descriptor::blank(DescriptorKind::Method)
};

impl Method for LkcLocal {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let requirement = Requirement::new(NAME, &asked.promised)?;
        let sensitive = Sensitive::named_by(NAME, task, asked.promised.missing)?;
        let table = requirement::doublets(task, asked.resolve_ties)?;
        requirement::judge_everyone(&requirement, &sensitive, &table)?;
        let violating =
            minimal_violating(&table, &sensitive, &requirement, Pruning::AllParts, task.progress)?;
        let min_support = asked.frequent.of(table.people() as u64);
        let frequent = maximal(&table, min_support, task.progress)?;
        let loss = match asked.loss {
            Lost::Patterns => Loss::Patterns { min_support },
            Lost::Instances => Loss::Instances,
        };
        let mut state = State::new(&table, &sensitive, &requirement, &violating, &frequent, loss);
        let steps = state.run(task.progress)?;

        let mut notes = notes_on_input(task, &table);
        let mut public_notes = public_notes(&requirement, &sensitive);
        public_notes.push(
            "visits were suppressed record by record: shares and rules computed from the release are not those of the data",
        );
        let everywhere = steps.iter().filter(|step| step.everywhere).count();
        notes.push(format!(
            "{} suppressions cleared {} violating sequences; {everywhere} of them removed a timed visit everywhere",
            steps.len(),
            violating.len()
        ));
        notes.extend(state.drift().map(|(sequences, mean, worst)| {
            format!(
                "local suppression changes supports: {sequences} maximal sequences that at least {min_support} people \
                 shared still occur, with on average {mean:.1} % fewer people and at worst {worst:.1} %"
            )
        }));
        let explained = steps
            .iter()
            .map(|step| {
                let (people, most_holders) = step.evidence;
                let pattern = violating.get(step.example);
                let mut reason = reason(&table, &requirement, step.doublet, pattern, people, most_holders);
                reason.details.insert("cleared", step.cleared.to_string());
                reason
                    .details
                    .insert("where", if step.everywhere { "everywhere" } else { "locally" }.to_owned());
                reason.details.insert("records", step.records.len().to_string());
                reason
            })
            .collect();
        let events = table.to_events(|record, doublet| state.keeps(record, doublet));
        Ok(Outcome {
            also: Vec::new(),
            release: release(task, events),
            explanation: Explanation { steps: explained },
            notes,
            public_notes,
            ledger: None,
        })
    }
}
