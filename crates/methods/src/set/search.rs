//! Looks for sets of nodes that too few people have, or too many with one secret, and raises the cut until there is none.
//!
//! Sets are visited in the papers' order, which is depth first along the numbers of the nodes: what is more general comes
//! first. A set that is rare although its nodes lie above the cut cannot be helped by anything below them, so all nodes that are
//! not below the cut take part ([`Reach::NotBelow`]). With secrets that is not so: a union may be worse than its
//! parts, and only nodes of the cut itself are judged ([`Reach::OnCut`]), again and again until nothing changes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use throng_contract::Progress;

use super::books::Books;
use super::cut::{Cut, Side};
use super::tree::{ROOT, Tree};
use crate::{MethodError, Reason};

/// What every set that occurs has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// People who have it.
    pub k: u64,
    /// At most one in so many of them has any one secret.
    pub l: u64,
}

impl Demand {
    /// Whether so many people, so many of them with one secret, are enough.
    pub fn is_met_by(self, (people, worst): (u64, u64)) -> bool {
        people >= self.k && worst.saturating_mul(self.l) <= people
    }
}

/// Which nodes are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// All that might be published.
    NotBelow,
    /// Those that are.
    OnCut,
}

/// A search and the cut it moves.
pub struct Search<'a> {
    /// Supports.
    pub books: Books<'a>,
    /// The cut so far.
    pub cut: Cut,
    /// What was done and why.
    pub steps: Vec<Reason>,
    pub(super) tree: &'a Tree,
    pub(super) demand: Demand,
    pub(super) m: usize,
    pub(super) reach: Reach,
    /// The part that each node belongs to: sets within one part are known to be safe.
    pub(super) parts: Option<&'a [u32]>,
    /// Nothing above this node may be published; [`ROOT`] allows everything.
    pub(super) top: u32,
    /// Whether one look is all there is, as the papers have it.
    pub(super) once: bool,
    /// Only whether there is such a set is asked.
    pub(super) only_ask: bool,
    pub(super) found: bool,
    pub(super) progress: &'a Progress,
}

/// A node above all parts.
pub(super) const SPANS: u32 = u32::MAX;

impl<'a> Search<'a> {
    /// Begins with every item as it is.
    pub fn new(books: Books<'a>, demand: Demand, m: usize, reach: Reach, progress: &'a Progress) -> Self {
        let tree = books.tree();
        let cut = Cut::leaves(tree, books.occurrences());
        Search {
            books,
            cut,
            steps: Vec::new(),
            tree,
            demand,
            m,
            reach,
            parts: None,
            top: ROOT,
            once: reach == Reach::NotBelow,
            only_ask: false,
            found: false,
            progress,
        }
    }

    /// Apriori: sets of one node, then of two, and so on, each size once; until nothing changes if only nodes on the
    /// cut are judged.
    pub fn by_size(&mut self) -> Result<(), MethodError> {
        loop {
            let before = self.steps.len();
            for size in 1..=self.m {
                self.size(size)?;
                if self.found {
                    return Ok(());
                }
            }
            if self.once || self.steps.len() == before {
                return Ok(());
            }
        }
    }

    /// Direct: sets of all sizes in one go. Of sets that can be extended the extensions are judged.
    pub fn at_once(&mut self) -> Result<(), MethodError> {
        loop {
            let before = self.steps.len();
            let phase = self.progress.phase("look at all sets", Some(self.tree.nodes() as u64));
            for node in 0..self.tree.nodes() as u32 {
                if self.is_judged(node) {
                    if node == ROOT && self.tree.nodes() > 1 {
                        self.judge(&[node], self.books.alone(node))?;
                    } else {
                        let rows = self.books.rows_with(node).to_vec();
                        self.deeper(&mut vec![node], &rows, self.books.alone(node))?;
                    }
                }
                phase.advance(1)?;
            }
            if self.once || self.steps.len() == before {
                return Ok(());
            }
        }
    }

    fn deeper(&mut self, set: &mut Vec<u32>, rows: &[u32], tally: (u64, u64)) -> Result<(), MethodError> {
        self.progress.check()?;
        let mut extended = false;
        if set.len() < self.m && tally.0 > 0 {
            let last = set[set.len() - 1];
            let beside = self.books.beside(rows, last);
            for node in last + 1..self.tree.nodes() as u32 {
                let tally = beside.of(node);
                if tally.0 == 0 || !self.is_judged(node) || self.overlaps(set, node) {
                    continue;
                }
                extended = true;
                set.push(node);
                let rows = if set.len() < self.m { self.books.having(rows, node) } else { Vec::new() };
                self.deeper(set, &rows, tally)?;
                set.pop();
                if !set.iter().all(|node| self.is_judged(*node)) {
                    return Ok(());
                }
            }
        }
        // Secrets are not shared the more evenly the fewer people there are, so every set counts.
        if !extended || self.reach == Reach::OnCut {
            self.judge(set, tally)?;
        }
        Ok(())
    }

    /// All sets of one size.
    pub(super) fn size(&mut self, size: usize) -> Result<(), MethodError> {
        let nodes = self.tree.nodes() as u32;
        let name = if size == 1 {
            "look at single items".to_owned()
        } else {
            format!("look at sets of {size} items")
        };
        let phase = self.progress.phase(&name, Some(u64::from(nodes)));
        if size == 1 {
            for node in 0..nodes {
                if self.is_judged(node) {
                    self.judge(&[node], self.books.alone(node))?;
                }
            }
            return Ok(());
        }
        if self.reach == Reach::NotBelow && !self.steps.is_empty() && !self.only_ask {
            self.books.forget_below(&self.cut);
        }
        let mut prepared = 0;
        // The root covers everything: no set has anything beside it.
        for node in u32::from(nodes > 1)..nodes {
            if node >= prepared {
                let (cut, reach) = (&self.cut, self.reach);
                prepared = self.books.prepare(node, |node| judged(cut, reach, node));
            }
            if self.is_judged(node) {
                self.extend(&mut vec![node], None, size)?;
            }
            if self.found {
                return Ok(());
            }
            if !self.only_ask {
                self.books.drop_line(node);
            }
            phase.advance(1)?;
        }
        Ok(())
    }

    /// All sets of `size` nodes that begin with `set`, which the rows hold.
    fn extend(&mut self, set: &mut Vec<u32>, rows: Option<&[u32]>, size: usize) -> Result<(), MethodError> {
        self.progress.check()?;
        let last = set[set.len() - 1];
        let beside = match rows {
            None => self.books.line(last).clone(),
            Some(rows) => self.books.beside(rows, last),
        };
        for node in last + 1..self.tree.nodes() as u32 {
            let tally = beside.of(node);
            let is_last = set.len() + 1 == size;
            if tally.0 == 0 || (is_last && self.demand.is_met_by(tally)) {
                continue;
            }
            if !self.is_judged(node) || self.overlaps(set, node) {
                continue;
            }
            set.push(node);
            if !is_last {
                let rows = match rows {
                    None => self.books.having(self.books.rows_with(last), node),
                    Some(rows) => self.books.having(rows, node),
                };
                self.extend(set, Some(&rows), size)?;
            } else if self.spans_parts(set) {
                self.judge(set, tally)?;
            }
            set.pop();
            // What was raised may have taken the beginning of the set along.
            if self.found || !set.iter().all(|node| self.is_judged(*node)) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_judged(&self, node: u32) -> bool {
        judged(&self.cut, self.reach, node)
    }

    fn overlaps(&self, set: &[u32], node: u32) -> bool {
        set.iter().any(|other| self.tree.overlap(*other, node))
    }

    fn spans_parts(&self, set: &[u32]) -> bool {
        self.parts.is_none_or(|parts| {
            let first = parts[set[0] as usize];
            first == SPANS || set.iter().any(|node| parts[*node as usize] != first)
        })
    }

    /// Raises the cut if the set is broken.
    pub(super) fn judge(&mut self, set: &[u32], tally: (u64, u64)) -> Result<(), MethodError> {
        if tally.0 == 0 || self.demand.is_met_by(tally) {
            return Ok(());
        }
        if self.only_ask {
            self.found = true;
            return Ok(());
        }
        let Some(repaired) = self.repair(set) else { return self.give_up(set, tally) };
        for node in repaired.into_iter().filter(|node| !set.contains(node)) {
            self.raise(node, set, tally);
        }
        Ok(())
    }

    /// The cheapest way to have every node of the set replaced by itself or something above it so that the set is no longer
    /// broken: by cost, then by the number of items that change, then by the order of nodes.
    ///
    /// Whatever is raised further costs no less, so the first answer in this order is the best.
    fn repair(&mut self, set: &[u32]) -> Option<Vec<u32>> {
        let mut seen: BTreeSet<Vec<u32>> = BTreeSet::from([set.to_vec()]);
        let mut open: BinaryHeap<Reverse<(u64, u64, Vec<u32>)>> =
            BinaryHeap::from([Reverse((0, 0, set.to_vec()))]);
        while let Some(Reverse((_, _, nodes))) = open.pop() {
            if nodes != set && self.demand.is_met_by(self.books.support(&nodes)) {
                return Some(nodes);
            }
            for node in nodes.iter().filter(|node| **node != self.top) {
                let Some(parent) = self.tree.parent(*node) else { continue };
                let mut higher: Vec<u32> =
                    nodes.iter().copied().filter(|other| !self.tree.within(*other, parent)).collect();
                higher.push(parent);
                higher.sort_unstable();
                if seen.insert(higher.clone()) {
                    let changed = || higher.iter().filter(|node| !set.contains(node));
                    let price = changed().map(|node| self.cut.price(self.tree, *node)).sum();
                    let items = changed().map(|node| self.tree.span(*node).len() as u64).sum();
                    open.push(Reverse((price, items, higher)));
                }
            }
        }
        None
    }

    /// No cut below the top helps. In a part of the hierarchy that is left to the search of the whole.
    fn give_up(&mut self, set: &[u32], tally: (u64, u64)) -> Result<(), MethodError> {
        if self.top != ROOT {
            if self.cut.side(self.top) == Side::Above {
                self.raise(self.top, set, tally);
            }
            return Ok(());
        }
        Err(MethodError::Infeasible {
            why: format!(
                "everything as one item is had by {} people, {} of them with the same sensitive item; k = {} and l = {} \
                 need more",
                self.books.alone(ROOT).0,
                self.books.alone(ROOT).1,
                self.demand.k,
                self.demand.l
            ),
            help: "use a smaller `k` or `l`".into(),
        })
    }

    fn raise(&mut self, node: u32, set: &[u32], (people, worst): (u64, u64)) {
        self.cut.raise(self.tree, node);
        let mut details = BTreeMap::new();
        if let Some(label) = self.tree.label(node) {
            details.insert("to", label.to_owned());
        }
        if worst.saturating_mul(self.demand.l) > people {
            details.insert("confidence", format!("{worst}/{people}"));
        }
        let members = |node: &u32| self.tree.members(*node).to_vec();
        self.steps.push(Reason {
            action: "generalise",
            items: vec![members(&node)],
            pattern: set.iter().map(members).collect(),
            support: people,
            needed: self.demand.k,
            details,
        });
    }
}

fn judged(cut: &Cut, reach: Reach, node: u32) -> bool {
    match reach {
        Reach::NotBelow => cut.side(node) != Side::Below,
        Reach::OnCut => cut.side(node) == Side::On,
    }
}
