//! The cheapest cut of all, by trying them in order of their cost: for small hierarchies, and to judge the others by.
//!
//! # Reference
//! TMK08: Terrovitis, Mamoulis, Kalnis. Privacy-preserving anonymization of set-valued data. VLDB 2008. Algorithm OA.
//! # Guarantees
//! The release satisfies `km` (`klm`), and no cut that does loses less (NCP over the items that occur); among equals the
//! one whose nodes come first.
//! # Cost
//! In the worst case every cut is judged, and there are exponentially many: hierarchies with more than 200,000 cuts are
//! refused. A taxonomy of 40 items in groups of ten has 17 cuts, one of 34 items in pairs 131,073.
//! # Departs from the paper
//! The paper goes through cuts level by level and remembers the best so far; in order of cost the first that will do is
//! the best, and none above it is looked at. A cut is judged by itself: that a cut below it will do or not says nothing
//! where secrets matter.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use throng_contract::{Descriptor, Input, Need, Progress};

use super::apriori::{APRIORI, LM_APRIORI};
use super::cut::{Cut, Side};
use super::job::{Job, Part};
use super::params::{ByCuts, DiverseByCuts};
use super::search::{Reach, Search};
use super::tree::Tree;
use crate::{Method, MethodError, Outcome, Task};

/// The most cuts that are tried.
const MAX_CUTS: u64 = 200_000;

static OPTIMAL: Descriptor = Descriptor {
    name: "oa",
    purpose: "find the cheapest generalisation of all, for taxonomies of a few dozen items",
    example: "throng anonymize patients/codes.csv --sets --taxonomy patients/codes-taxonomy.csv --method oa -k 5 -m 2 -o release",
    notes: "Refuses hierarchies with more than 200,000 cuts. An item is published the same way for everybody.",
    ..APRIORI
};

static LM_OPTIMAL: Descriptor = Descriptor {
    name: "lm-oa",
    purpose: "like oa, and at most one in l of those who fit has any one sensitive item",
    needs: &[Need::optional(Input::Taxonomy), Need::required(Input::SensitiveItems)],
    example: "throng anonymize patients/codes.csv --sets --taxonomy patients/codes-taxonomy.csv \
              --sensitive patients/codes-sensitive.csv --method lm-oa -k 5 -l 2 -m 2 -o release",
    ..LM_APRIORI
};

/// OA.
#[derive(Debug, Clone, Copy)]
pub struct Optimal;

/// OA with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmOptimal;

impl Method for Optimal {
    fn descriptor(&self) -> &'static Descriptor {
        &OPTIMAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = ByCuts::of(task.settings);
        run(&Job::new(OPTIMAL.name, task, asked.crowd, asked.fan_out)?, task.progress)
    }
}

impl Method for LmOptimal {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_OPTIMAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = DiverseByCuts::of(task.settings);
        run(&Job::new(LM_OPTIMAL.name, task, asked.crowd, asked.fan_out)?, task.progress)
    }
}

fn run(job: &Job<'_>, progress: &Progress) -> Result<Outcome, MethodError> {
    if let Some(outcome) = job.nothing_to_do() {
        return Ok(outcome);
    }
    job.check(&job.leaves)?;
    if cuts(&job.tree) > MAX_CUTS {
        return Err(MethodError::Infeasible {
            why: format!(
                "the hierarchy over {} items has more than {MAX_CUTS} cuts, too many to try one by one",
                job.tree.leaf_of().len()
            ),
            help: "use `apriori`, which looks for a good one, or a taxonomy with larger groups".into(),
        });
    }
    let quiet = progress.muted();
    let mut search =
        Search { only_ask: true, reach: Reach::OnCut, progress: &quiet, ..job.search(&job.leaves) };
    let phase = progress.phase("try cuts", None);
    let first = search.cut.clone();
    let mut seen: BTreeSet<Vec<u32>> = BTreeSet::from([first.nodes()]);
    let mut open = BinaryHeap::from([Reverse((0, first.nodes()))]);
    while let Some(Reverse((_, nodes))) = open.pop() {
        phase.advance(1)?;
        search.cut = through(&first, &job.tree, &nodes);
        search.found = false;
        search.by_size()?;
        if !search.found {
            break;
        }
        for parent in ripe(&search.cut, &job.tree) {
            let mut higher = search.cut.clone();
            higher.raise(&job.tree, parent);
            if seen.insert(higher.nodes()) {
                open.push(Reverse((higher.cost(), higher.nodes())));
            }
        }
    }
    Ok(job.publish(vec![Part::from(search)], &vec![0; job.leaves.crowds()]))
}

/// How many cuts a hierarchy has, as far as that fits.
fn cuts(tree: &Tree) -> u64 {
    let mut below = vec![1_u64; tree.nodes()];
    // Children have higher numbers than their parents.
    for node in (0..tree.nodes() as u32).rev().filter(|node| !tree.is_leaf(*node)) {
        let product =
            tree.children(node).iter().fold(1_u64, |all, child| all.saturating_mul(below[*child as usize]));
        below[node as usize] = product.saturating_add(1);
    }
    below.first().copied().unwrap_or(1)
}

fn through(leaves: &Cut, tree: &Tree, nodes: &[u32]) -> Cut {
    let mut cut = leaves.clone();
    nodes.iter().filter(|node| !tree.is_leaf(**node)).for_each(|node| cut.raise(tree, *node));
    cut
}

/// The nodes whose children are all on the cut.
fn ripe(cut: &Cut, tree: &Tree) -> Vec<u32> {
    let on = |node: &u32| cut.side(*node) == Side::On;
    (0..tree.nodes() as u32)
        .filter(|node| !tree.is_leaf(*node) && tree.children(*node).iter().all(on))
        .collect()
}
