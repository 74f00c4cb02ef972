//! Generalises each part of the items by itself, then what spans several parts.
//!
//! # Reference
//! TMK11: Terrovitis, Mamoulis, Kalnis. Local and global recoding methods for anonymizing set-valued data. VLDB Journal
//! 20(1), 2011. Algorithm VPA.
//! # Guarantees
//! The release satisfies `km` (`klm` for [`LmVertical`]). Parts that are safe by themselves may not be safe together: of
//! the records `a1 b1`, `a1 b2`, `a2 b1`, `a2 b2` every item is shared by two people and no pair is. So the cuts of the parts
//! are only where the search over whole records begins; it looks at sets from two or more parts, since those of one part
//! stay safe when the cut rises. With sensitive items nothing stays safe, and all sets are looked at.
//! # Cost
//! Apriori on the projection to each part, in parallel, and Apriori once more, with less left to do.
//! # Departs from the paper
//! * A part that cannot be made safe by itself is left to the second search.
//! * See [`super::Apriori`] for what is counted.

use rayon::prelude::*;
use throng_contract::{Descriptor, Input, Key, Need, settings};

use super::apriori::{APRIORI, LM_APRIORI};
use super::baskets::NONE;
use super::cut::Side;
use super::job::{Job, Part};
use super::params::{FAN_OUT, Klm, Km};
use super::search::{Reach, SPANS, Search};
use super::tree::{ROOT, Tree};
use crate::{Method, MethodError, Outcome, Task};

const LEVEL: Key<u64> =
    Key::integer("level", 1..=100, "how many steps below the root the parts begin").or("1");

settings! {
    /// What the method is asked for.
    struct Asked {
        crowd: Km,
        level: u64 = LEVEL,
        fan_out: u64 = FAN_OUT,
    }
}

settings! {
    /// What the method is asked for where items are sensitive.
    struct DiverseAsked {
        crowd: Klm,
        level: u64 = LEVEL,
        fan_out: u64 = FAN_OUT,
    }
}

static VERTICAL: Descriptor = Descriptor {
    name: "vpa",
    purpose: "like apriori, but generalise each part of the taxonomy first and then what spans several parts",
    params: Asked::ALL,
    paper: "TMK11",
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --method vpa -k 5 -m 2 -o release",
    ..APRIORI
};

static LM_VERTICAL: Descriptor = Descriptor {
    name: "lm-vpa",
    purpose: "like vpa, and at most one in l of those who fit has any one sensitive item",
    needs: &[Need::optional(Input::Taxonomy), Need::required(Input::SensitiveItems)],
    params: DiverseAsked::ALL,
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --sensitive baskets/sensitive.csv \
              --method lm-vpa -k 5 -l 2 -m 2 -o release",
    ..LM_APRIORI
};

/// VPA.
#[derive(Debug, Clone, Copy)]
pub struct Vertical;

/// VPA with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmVertical;

impl Method for Vertical {
    fn descriptor(&self) -> &'static Descriptor {
        &VERTICAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        run(&Job::new(VERTICAL.name, task, asked.crowd, asked.fan_out)?, task, asked.level, true)
    }
}

impl Method for LmVertical {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_VERTICAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = DiverseAsked::of(task.settings);
        run(&Job::new(LM_VERTICAL.name, task, asked.crowd, asked.fan_out)?, task, asked.level, true)
    }
}

/// The release after the parts alone, to show that the second search is needed. Keeps no promise.
pub fn parts_alone(task: &Task<'_>) -> Result<Outcome, MethodError> {
    let asked = Asked::of(task.settings);
    run(&Job::new(VERTICAL.name, task, asked.crowd, asked.fan_out)?, task, asked.level, false)
}

fn run(job: &Job<'_>, task: &Task<'_>, level: u64, together: bool) -> Result<Outcome, MethodError> {
    if let Some(outcome) = job.nothing_to_do() {
        return Ok(outcome);
    }
    job.check(&job.leaves)?;
    let tops = tops(&job.tree, level);
    let phase = task.progress.phase("generalise each part", Some(tops.len() as u64));
    let quiet = task.progress.muted();
    let done: Result<Vec<Part>, MethodError> = tops
        .par_iter()
        .map(|top| {
            let own = |leaf: &&u32| job.tree.within(**leaf, *top);
            let projected = job.leaves.map(true, |row, out| out.extend(row.iter().filter(own)));
            let search = job.search(&projected);
            let mut search = Search { top: *top, progress: &quiet, ..search };
            search.by_size()?;
            phase.advance(1)?;
            Ok(Part::from(search))
        })
        .collect();
    drop(phase);
    let parts = part_of(&job.tree, &tops);
    let mut search = job.search(&job.leaves);
    for (part, top) in done?.into_iter().zip(&tops) {
        let inner = |node: &u32| !job.tree.is_leaf(*node) && job.tree.within(*node, *top);
        for node in part.cut.nodes().into_iter().filter(inner) {
            search.cut.raise(&job.tree, node);
        }
        search.steps.extend(part.steps);
    }
    if together {
        if search.reach == Reach::NotBelow {
            search.parts = Some(&parts);
        }
        search.by_size()?;
    }
    debug_assert!(search.cut.side(ROOT) != Side::Below);
    Ok(job.publish(vec![Part::from(search)], &vec![0; job.leaves.crowds()]))
}

/// The nodes at which parts begin: so many steps below the root, or leaves above that.
fn tops(tree: &Tree, level: u64) -> Vec<u32> {
    let mut tops = Vec::new();
    let mut stack = vec![(ROOT, 0)];
    while let Some((node, depth)) = stack.pop() {
        if depth == level || tree.is_leaf(node) {
            tops.push(node);
        } else {
            stack.extend(tree.children(node).iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    tops
}

/// The part of every node; those above the parts span several.
fn part_of(tree: &Tree, tops: &[u32]) -> Vec<u32> {
    let mut part = vec![NONE; tree.nodes()];
    for (number, top) in tops.iter().enumerate() {
        part[*top as usize] = number as u32;
    }
    // Children have higher numbers than their parents.
    for node in 0..tree.nodes() as u32 {
        if let Some(parent) = tree.parent(node)
            && part[node as usize] == NONE
        {
            part[node as usize] = part[parent as usize];
        }
    }
    debug_assert_eq!(SPANS, NONE);
    part
}
