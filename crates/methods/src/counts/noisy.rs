//! Publishes how many people visited an item or moved between two, with noise: differential privacy.
//!
//! # Reference
//! DMNS06: Dwork, McSherry, Nissim, Smith. Calibrating Noise to Sensitivity in Private Data Analysis. TCC 2006.
//! # Guarantees
//! The release satisfies `dp` with the given epsilon, for people. Of each person at most `cells` cells of a table are counted, the first
//! that came about, each once; so a person changes the counts of a table by at most `cells` altogether. Discrete Laplace
//! noise of scale `cells / e` on *every* cell of the public list of items, visited or not, costs `e`. Two tables share epsilon: the
//! [`BudgetLedger`] has one path through both. Which cells are published depends on noisy counts only: those above a limit
//! that about one empty cell of a table gets over. So no delta is needed, and the list of published cells tells nothing beside.
//!
//! This holds while the noise is secret, and for what is published. Times are not counted: which of them could occur is seldom
//! public.
//! # Cost
//! One pass, and one draw of noise for each cell of the public list: for moves the square of its length.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, settings};
use throng_data::{CountCell, CountTable, Counts, ItemId, Nature, Release, Suppression};
use throng_models::{Budget, BudgetLedger, EPSILON, LedgerError};

use super::{Wanted, counting, tally};
use crate::sequence::ngrams::{Alphabet, DiscreteLaplace, Noise};
use crate::{Explanation, Method, MethodError, Outcome, Task};

/// More cells than noise should be drawn for.
const MOST_CELLS: u64 = 1 << 26;

settings! {
    /// What the method is asked for.
    struct Asked {
        epsilon: f64 = EPSILON,
        cells: u64 = Key::integer(
            "cells",
            1..=1000,
            "cells of a person that are counted in a table; more of them need more noise",
        )
        .or("5"),
        wanted: Wanted,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "dp-counts",
    purpose: "publish noisy counts of people at items and between them, differentially private",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[Need::required(Input::Alphabet)],
    params: Asked::ALL,
    keeps: Some("dp"),
    product: Some(Product::of(BodyKind::Counts).synthetic().at(0.0, 0.0, 0.3)),
    paper: "DMNS06",
    example: "throng anonymize clicks/events.csv --method dp-counts --epsilon 1 --alphabet clicks/alphabet.csv -o release",
    notes: "Counts with noise, no records. Of each person the first cells of a table are counted, `cells` of them. The alphabet \
            must be public knowledge, not collected from the data. Counts that are not above the noise are withheld. The noise \
            is drawn from a secret of 256 bits, afresh for every release. Every further release of the same people adds its \
            epsilon. Times are not counted.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Counts with noise.
#[derive(Debug, Clone, Copy)]
pub struct NoisyCounts;

impl Method for NoisyCounts {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        anonymize(task, &mut DiscreteLaplace::of(task))
    }
}

/// The method with noise from elsewhere.
pub fn anonymize(task: &Task<'_>, noise: &mut dyn Noise) -> Result<Outcome, MethodError> {
    let asked = Asked::of(task.settings);
    let missing = MethodError::MissingInput { method: DESCRIPTOR.name, input: Input::Alphabet };
    let alphabet = Alphabet::new(task.inputs.alphabet.as_ref().ok_or(missing)?, &task.data.items)?;
    let (counting, notes) = counting(task, asked.wanted, 0)?;
    let most = asked.cells;
    let tables: Vec<CountTable> =
        counting.visits.then_some(CountTable::Visits).into_iter().chain(counting.moves).collect();
    // In the order of names, which says nothing; numbers of the data say what came first.
    let mut items = alphabet.items.clone();
    items.sort_by(|a, b| alphabet.base.name(*a).cmp(alphabet.base.name(*b)));
    let size = items.len() as u64;
    let sizes: Vec<u64> = tables.iter().map(|table| cells_in(*table, size)).collect();
    if sizes.iter().sum::<u64>() > MOST_CELLS {
        return Err(MethodError::Infeasible {
            why: format!(
                "a list of {size} items has more cells than the {MOST_CELLS} that noise is drawn for"
            ),
            help:
                "count visits alone with {tables visits}, or make items coarser with {throng prepare events}"
                    .into(),
        });
    }
    let exact: BTreeMap<CountCell, u64> = tally(task, counting, most as usize)?.into_iter().collect();
    let mut ledger = BudgetLedger::new(Budget::within(asked.epsilon), 1);
    let share = ledger.left(None).share(tables.len() as u64);
    let mut before = None;
    let mut cells = Vec::new();
    for (table, size) in tables.into_iter().zip(sizes) {
        before = Some(ledger.spend(before, share).map_err(refused)?);
        let limit = most as f64 * (size as f64 / 2.0).max(1.0).ln() / share.epsilon();
        let phase = task.progress.phase("drawing noise", Some(size));
        for item in &items {
            let others: &[ItemId] = if table == CountTable::Visits { &[] } else { &items };
            let ends = others.iter().filter(|to| *to != item).map(|to| Some(*to));
            let ends: Vec<Option<ItemId>> =
                if table == CountTable::Visits { vec![None] } else { ends.collect() };
            for to in &ends {
                let cell = CountCell { table, item: *item, to: *to, time: None };
                let people = exact.get(&cell).copied().unwrap_or(0);
                let noisy = (people as i64).saturating_add(noise.draw(most, share));
                if noisy > 0 && noisy as f64 > limit {
                    cells.push((cell, noisy as u64));
                }
            }
            phase.advance(ends.len() as u64)?;
        }
    }
    cells.sort_unstable();
    let events = &task.data.events;
    let counts = Counts { kind: events.kind(), cells, bin: 0 };
    let suppression = Suppression { events_before: events.len() as u64, ..Suppression::default() };
    let base = Arc::new(alphabet.base);
    let release = Release { suppression, ..Release::of_counts(base, counts, Nature::Synthetic) };
    Ok(Outcome {
        release,
        explanation: Explanation::default(),
        notes,
        public_notes: vec![
            "counts with noise, not records: a count may be off by several times the number of cells of a person over epsilon",
            "of each person only the first cells of a table were counted; a cell that is not listed did not stand out from the noise",
            "the guarantee rests on noise that stays secret: the seed is not published, nor is any exact number of the data",
        ],
        ledger: Some(ledger),
        also: Vec::new(),
    })
}

/// How many cells a table over so many items has; a move to the same item is none.
fn cells_in(table: CountTable, items: u64) -> u64 {
    match table {
        CountTable::Visits => items,
        CountTable::Moves | CountTable::Ends => items.saturating_mul(items.saturating_sub(1)),
    }
}

fn refused(error: LedgerError) -> MethodError {
    MethodError::Infeasible { why: error.to_string(), help: "give a larger `epsilon`".into() }
}
