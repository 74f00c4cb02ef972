//! Publishes every column on one level of its hierarchy: the best of all combinations of levels.
//!
//! # Reference
//! LDR05: LeFevre, DeWitt, Ramakrishnan. Incognito: efficient full-domain k-anonymity. SIGMOD 2005.
//! # Guarantees
//! The release satisfies `k`, and `l-diversity` and `t-closeness` where they were asked for. Among all combinations of levels that
//! keep the promises within the budget of suppressed rows, none has a lower cost in the chosen metric.
//! # Cost
//! Rows with equal values are counted once. Each node that is looked at rolls up the groups of a node below it; a budget, and demands
//! that are not monotone under one, make more nodes be looked at.
//! # Departs from the paper
//! * A subset of the columns is a node whose other columns are at their roots, so subsets share one lattice with the whole. Subsets
//!   of one and two columns are settled first, as printed; larger ones cost more to settle than they rule out, so the rest is
//!   settled by binary search along chains.
//! * The paper gives all minimal nodes. With a budget the best node need not be minimal: we walk on while a lower bound of the cost
//!   allows for a better one.
//! * With a budget, entropy and recursive diversity are no more monotone than t-closeness: a merge may spoil a good group, and all
//!   of it has to be suppressed. Only sizes and distinct values are tagged upwards then.
//! * A suppressed row loses all its cells: one that kept its sensitive value would single out a person who fits no group.

mod frequency;
mod levels;
mod search;

use throng_contract::{
    BodyKind, Choice, DataKind, Descriptor, DescriptorKind, Fraction, Input, Key, Need, Product, settings,
};
use throng_data::Cover;

use self::frequency::{Scratch, Tuples};
use self::levels::{Column, Lattice};
pub use self::search::Metric;
use self::search::Search;
use super::demands::Demands;
use super::params::{BOUNDS, Bounds, K, OfSecrets};
use super::quasi::{Quasi, Sets, Wanted};
use super::release::{Cells, by_code};
use crate::{Explanation, Method, MethodError, Outcome, Task};

const MAX_SUPPRESSED: Key<Fraction> =
    Key::share("max-suppressed", "largest share of rows that may be suppressed").or("0");

const METRIC: Key<Metric> = Key::choice(
    "metric",
    "what the best combination of levels has least of: NCP, discernibility, average group size, or height",
)
.or("ncp");

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = K,
        max_suppressed: Fraction = MAX_SUPPRESSED,
        metric: Metric = METRIC,
        of_secrets: OfSecrets,
        bounds: Bounds = BOUNDS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "incognito",
    purpose: "publish every column on one level of its hierarchy, the best of all combinations of levels",
    takes: &[DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    keeps: Some("k"),
    product: Some(Product::of(BodyKind::Table)),
    paper: "LDR05",
    example: "throng anonymize patients/patients.csv --schema patients/schema.toml --method incognito -k 5 -o release",
    notes: "Numbers and dates need a hierarchy; a category without one is kept or suppressed as a whole. Every value is published in \
            one way everywhere, which suits tables that are joined or compared later; `mondrian` and `cluster` keep more.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Incognito: full-domain generalisation at least cost.
#[derive(Debug, Clone, Copy)]
pub struct Incognito;

impl Method for Incognito {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let wanted =
            Wanted { k: asked.k, bounds: asked.bounds, along_order: false, sets: Sets::AllOrNothing };
        let quasi = Quasi::read(task, wanted)?;
        quasi.iter().try_for_each(|quasi| quasi.needs_hierarchy(DESCRIPTOR.name))?;
        let demands = Demands::new(asked.k, &asked.of_secrets, task.data)?;
        let people = task.data.subjects.len() as u64;
        let budget = asked.max_suppressed.floor_of(people);
        // Where a share of the rows may go, what all rows together lack need not be lacking in what is left.
        if let Some(why) = demands.infeasible(people).filter(|_| budget == 0 || people < u64::from(demands.k))
        {
            return Err(why);
        }

        let columns: Vec<Column> = quasi.iter().map(Column::new).collect::<Result<_, _>>()?;
        let lattice = Lattice::new(&columns)?;
        let (tuples, bottom) = {
            let _phase = task.progress.phase("collapse equal rows", None);
            Tuples::collapse(&quasi, &demands)
        };
        task.progress.check()?;
        let found = {
            let phase = task.progress.phase("walk combinations of levels", Some(lattice.len() as u64));
            let search =
                Search::new(&columns, &lattice, (&tuples, bottom.clone()), &demands, asked.metric, budget);
            search.run(&phase)?
        };
        let found = found.ok_or_else(|| MethodError::Infeasible {
            why: format!("no combination of levels keeps the promise with at most {budget} rows suppressed"),
            help: "raise `max-suppressed`, or lower `k`, `l` or raise `t`".into(),
        })?;

        let levels = lattice.levels(found.node);
        let (frequency, group) = bottom.rolled_up(&tuples, &columns, &levels, &mut Scratch::default());
        let fails = frequency.failing(&demands, budget > 0);
        let of_person = (0..).zip(&tuples.of_person);
        let suppressed: Vec<u32> = of_person
            .filter(|(_, tuple)| fails[group[**tuple as usize] as usize])
            .map(|(person, _)| person)
            .collect();
        let cells = quasi
            .iter()
            .zip(&columns)
            .zip(&levels)
            .map(|((quasi, column), level)| cells(quasi, column, *level));
        let release = by_code(task, &quasi, cells.collect(), &suppressed);
        let mut notes: Vec<String> = quasi
            .iter()
            .zip(&columns)
            .zip(&levels)
            .map(|((quasi, column), level)| {
                format!("`{}` is published on level {level} of {}", quasi.name, column.levels.len() - 1)
            })
            .collect();
        notes.push(format!(
            "best of {} combinations of levels by {}, {} of which were counted",
            lattice.len(),
            asked.metric.word(),
            found.counted
        ));
        if !suppressed.is_empty() {
            notes.push(format!("{} of {people} rows were suppressed", suppressed.len()));
        }
        Ok(Outcome {
            release,
            explanation: Explanation::default(),
            notes: demands.with_notes(notes),
            public_notes: Vec::new(),
            ledger: None,
            also: demands.also(),
        })
    }
}

/// What every code of a column is published as.
fn cells(quasi: &Quasi, column: &Column, level: usize) -> Cells {
    let groups = &column.levels[level];
    let mut covers: Vec<Option<Cover>> = vec![None; groups.groups as usize];
    for (code, group) in (0..).zip(&groups.group) {
        covers[*group as usize].get_or_insert_with(|| Column::cell(quasi, level, code));
    }
    Cells { covers: covers.into_iter().flatten().collect(), of_code: groups.group.clone() }
}
