//! Cuts the people into ever smaller boxes, and publishes each box by its bounds.
//!
//! # Reference
//! LDR06: LeFevre, DeWitt, Ramakrishnan. Mondrian multidimensional k-anonymity. ICDE 2006.
//! # Guarantees
//! The release satisfies `k`, and `l-diversity` and `t-closeness` where they were asked for: a cut is made only if all its parts
//! satisfy them. Every cell covers its original value and is no wider than its group.
//! # Cost
//! Every cut walks the rows of its box once for each way to cut that is tried; boxes are cut in parallel. Rows are moved, so that
//! a box is one stretch of memory.
//! # Departs from the paper
//! * A column with a hierarchy is cut into the children of the lowest node that covers the box, as most descriptions have it; the
//!   paper has orders only. `along order` takes hierarchies for orders: numbers become ranges, categories sets.
//! * Missing values are cut off from numbers first where both sides are large enough; else a cell over both says nothing.

use rayon::prelude::*;
use throng_contract::{
    BodyKind, Cancelled, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Phase, Product, choices,
    settings,
};

use super::demands::{Counter, Demands};
use super::params::{BOUNDS, Bounds, K, OfSecrets};
use super::quasi::{Quasi, Sets, Shape, Wanted};
use super::release::by_group;
use super::rows::Layout;
use crate::{Explanation, Method, MethodError, Outcome, Task};

/// Boxes with fewer rows are cut by one thread.
const ALONE: usize = 4_096;

const RELAXED: Key<bool> = Key::switch(
    "relaxed",
    "share people with the median value out between both sides, so that boxes overlap and get smaller",
);

choices! {
    /// What columns that have a hierarchy are cut along.
    enum Along {
        /// Its nodes.
        Hierarchy = "hierarchy",
        /// The order of its leaves.
        Order = "order",
    }
}

const ALONG: Key<Along> = Key::choice(
    "along",
    "cut columns that have a hierarchy into its nodes, or in their order into ranges and sets",
)
.or("hierarchy");

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = K,
        relaxed: bool = RELAXED,
        along: Along = ALONG,
        of_secrets: OfSecrets,
        bounds: Bounds = BOUNDS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "mondrian",
    purpose: "cut the people into ever smaller boxes of at least k, and publish each box by its bounds",
    takes: &[DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    keeps: Some("k"),
    product: Some(Product::of(BodyKind::Table)),
    paper: "LDR06",
    example: "throng anonymize patients/patients.csv --schema patients/schema.toml --method mondrian -k 5 -o release",
    notes: "Fast, and a good first try. The same value may be published in different ways in different rows.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Mondrian: multidimensional cuts at medians.
#[derive(Debug, Clone, Copy)]
pub struct Mondrian;

impl Method for Mondrian {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let wanted = Wanted {
            k: asked.k,
            bounds: asked.bounds,
            along_order: asked.along == Along::Order,
            sets: Sets::Some,
        };
        let quasi = Quasi::read(task, wanted)?;
        let demands = Demands::new(asked.k, &asked.of_secrets, task.data)?;
        if let Some(why) = demands.infeasible(task.data.subjects.len() as u64) {
            return Err(why);
        }
        let (layout, mut words) = Layout::rows(&quasi, &demands);
        let sizes = {
            let phase = task.progress.phase("cut into boxes", Some(layout.count(&words) as u64));
            let cuts = Cuts { quasi: &quasi, demands: &demands, layout, relaxed: asked.relaxed };
            cuts.boxes(&mut words, &phase)?
        };
        let phase = task.progress.phase("write cells", None);
        let release = by_group(task, &quasi, layout, &words, &sizes);
        drop(phase);
        let notes = vec![format!("{} people were cut into {} boxes", layout.count(&words), sizes.len())];
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

/// How boxes are cut.
#[derive(Clone, Copy)]
pub(super) struct Cuts<'a> {
    pub quasi: &'a [Quasi],
    pub demands: &'a Demands,
    pub layout: Layout,
    pub relaxed: bool,
}

impl Cuts<'_> {
    /// Cuts as often as allowed and gives the sizes of the boxes, in the order in which their rows lie.
    pub fn boxes(&self, words: &mut [u32], phase: &Phase<'_>) -> Result<Vec<usize>, Cancelled> {
        if self.layout.count(words) >= ALONE {
            phase.advance(0)?;
            let Some(parts) = self.cut(words) else { return self.whole(words, phase) };
            let mut rest = words;
            let mut pieces = Vec::with_capacity(parts.len());
            for part in parts {
                let (piece, after) = rest.split_at_mut(part * self.layout.stride);
                pieces.push(piece);
                rest = after;
            }
            let boxes: Result<Vec<Vec<usize>>, Cancelled> =
                pieces.into_par_iter().map(|piece| self.boxes(piece, phase)).collect();
            return Ok(boxes?.concat());
        }
        let mut sizes = Vec::new();
        self.small_boxes(words, &mut sizes);
        phase.advance(self.layout.count(words) as u64)?;
        Ok(sizes)
    }

    fn whole(&self, words: &[u32], phase: &Phase<'_>) -> Result<Vec<usize>, Cancelled> {
        let size = self.layout.count(words);
        phase.advance(size as u64)?;
        Ok(vec![size])
    }

    fn small_boxes(&self, words: &mut [u32], sizes: &mut Vec<usize>) {
        match self.cut(words) {
            None => sizes.push(self.layout.count(words)),
            Some(parts) => {
                let mut rest = words;
                for part in parts {
                    let (piece, after) = rest.split_at_mut(part * self.layout.stride);
                    self.small_boxes(piece, sizes);
                    rest = after;
                }
            }
        }
    }

    /// Cuts a box along the widest column that allows it: the sizes of the parts, whose rows now lie next to each other.
    fn cut(&self, words: &mut [u32]) -> Option<Vec<usize>> {
        let least = self.demands.k as usize;
        if self.layout.count(words) < least.saturating_mul(2) {
            return None;
        }
        let bounds = self.layout.bounds(words);
        let mut columns: Vec<(f64, usize)> = bounds
            .iter()
            .enumerate()
            .filter(|(_, (low, high))| low < high)
            .map(|(at, (low, high))| (self.quasi[at].spread(*low, *high), at))
            .collect();
        columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut counter = Counter::default();
        columns.into_iter().find_map(|(_, at)| {
            let parts = self.cut_along(words, at, bounds[at])?;
            let mut begin = 0;
            let good = parts.iter().all(|part| {
                let piece = &words[begin * self.layout.stride..(begin + part) * self.layout.stride];
                begin += part;
                self.layout.meets(piece, self.demands, &mut counter)
            });
            good.then_some(parts)
        })
    }

    /// Sorts the rows of a box into the parts of a cut along one column, if all of them are large enough.
    fn cut_along(&self, words: &mut [u32], at: usize, (low, high): (u32, u32)) -> Option<Vec<usize>> {
        let least = self.demands.k as usize;
        match &self.quasi[at].shape {
            Shape::Tree(tree) => {
                let node = tree.node(low, high);
                let names = tree.hierarchy.tree();
                let children = names.children(node);
                let depth = names.depth(node) as usize + 1;
                let first = tree.ordinal(tree.ancestor(low, depth));
                let parts = tree.ordinal(tree.ancestor(high, depth)) - first + 1;
                debug_assert!(parts <= children.len());
                let part = |row: &[u32]| tree.ordinal(tree.ancestor(row[at], depth)) - first;
                let mut counts = vec![0; parts];
                self.layout.iter(words).for_each(|row| counts[part(row)] += 1);
                if counts.iter().any(|count| (1..least).contains(count)) {
                    return None;
                }
                let mut counts = self.layout.scatter(words, parts, part);
                counts.retain(|count| *count > 0);
                Some(counts)
            }
            Shape::Line(line) if line.is_missing(high) => {
                self.cut_below(words, at, high).or_else(|| self.cut_at_median(words, at))
            }
            _ => self.cut_at_median(words, at),
        }
    }

    /// Cuts into rows below a code and the others.
    fn cut_below(&self, words: &mut [u32], at: usize, code: u32) -> Option<Vec<usize>> {
        let (all, least) = (self.layout.count(words), self.demands.k as usize);
        let below = self.layout.iter(words).filter(|row| row[at] < code).count();
        if below < least || all - below < least {
            return None;
        }
        self.layout.partition(words, |row| row[at] < code);
        Some(vec![below, all - below])
    }

    /// Cuts at the median: strictly, on the side of it that leaves both parts large enough and more alike; or in two halves, people
    /// with the median value on both sides.
    fn cut_at_median(&self, words: &mut [u32], at: usize) -> Option<Vec<usize>> {
        let (all, least) = (self.layout.count(words), self.demands.k as usize);
        let mut codes: Vec<u32> = self.layout.iter(words).map(|row| row[at]).collect();
        let (_, median, _) = codes.select_nth_unstable((all - 1) / 2);
        let median = *median;
        if !self.relaxed
            && let Shape::Line(line) = &self.quasi[at].shape
            && let parts @ Some(_) = self.cut_beside(words, at, line.cell(median))
        {
            return parts;
        }
        let below = self.layout.iter(words).filter(|row| row[at] < median).count();
        let upto = below + self.layout.iter(words).filter(|row| row[at] == median).count();
        if self.relaxed {
            let mut first = all.div_ceil(2).clamp(below, upto) - below;
            let left = below + first;
            if left < least || all - left < least {
                return None;
            }
            // Decided before rows move: ties go first to the person who comes first.
            let counts = self.layout.scatter(words, 3, |row| match row[at].cmp(&median) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            });
            first += counts[0];
            return Some(vec![first, all - first]);
        }
        self.cut_beside(words, at, (median, median))
    }

    /// Cuts before the first or after the last of some codes that lie together, on the side that leaves both parts large enough and more alike.
    fn cut_beside(&self, words: &mut [u32], at: usize, (first, last): (u32, u32)) -> Option<Vec<usize>> {
        let (all, least) = (self.layout.count(words), self.demands.k as usize);
        let below = self.layout.iter(words).filter(|row| row[at] < first).count();
        let upto = self.layout.iter(words).filter(|row| row[at] <= last).count();
        let fits = |left: usize| left >= least && all - left >= least;
        let even = |left: usize| left.abs_diff(all - left);
        let left = match (fits(upto), fits(below)) {
            (true, true) if even(below) < even(upto) => below,
            (true, _) => upto,
            (false, true) => below,
            (false, false) => return None,
        };
        let limit = if left == upto { last + 1 } else { first };
        self.layout.partition(words, |row| row[at] < limit);
        Some(vec![left, all - left])
    }
}
