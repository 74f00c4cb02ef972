//! Minimal violating sequences: the shortest pieces of knowledge that break the promise.
//!
//! Level by level, as in Algorithm 1 of the paper. Non-violating sequences form a tree: the children of a sequence are
//! its non-violating extensions. To find those of size `n`, the records of each first doublet are sent down the tree to
//! the nodes of size `n - 1`, where followers that are also siblings are counted, which is the paper's self-join.
//!
//! # Cost
//! A record of `l` events takes at most `l choose n` steps at level `n`; memory holds the non-violating sequences,
//! at most one for every `K` of those steps.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_mine::doublets::DoubletTable;

use super::requirement::{Requirement, Sensitive};

/// Which candidates are ruled out by smaller violating sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Every part must be non-violating: finds exactly the minimal violating sequences.
    AllParts,
    /// As printed: no part one smaller may have been *found* violating. Parts that were never candidates slip
    /// through, and from size four on some sequences are found that are not minimal.
    LastLevel,
}

/// Sequences of doublets that break the promise, smaller ones first, then in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViolatingSets {
    doublets: Vec<u32>,
    ends: Vec<usize>,
    people: Vec<u32>,
    most_holders: Vec<u32>,
}

impl ViolatingSets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The doublets of a sequence, ascending.
    pub fn get(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.doublets[start..self.ends[at]]
    }

    /// All sequences, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        (0..self.len()).map(|at| self.get(at))
    }

    /// How many people fit, and how many of them hold the sensitive value that most of them hold.
    pub fn evidence(&self, at: usize) -> (u32, u32) {
        (self.people[at], self.most_holders[at])
    }

    fn push(&mut self, doublets: &[u32], last: u32, people: u32, most_holders: u32) {
        self.doublets.extend_from_slice(doublets);
        self.doublets.push(last);
        self.ends.push(self.doublets.len());
        self.people.push(people);
        self.most_holders.push(most_holders);
    }

    fn append(&mut self, other: &ViolatingSets) {
        let shift = self.doublets.len();
        self.doublets.extend_from_slice(&other.doublets);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
        self.people.extend_from_slice(&other.people);
        self.most_holders.extend_from_slice(&other.most_holders);
    }

    /// Whether the ascending sequence is among those from position `from` on, which must all have its size.
    fn contains(&self, from: usize, wanted: &[u32]) -> bool {
        let (mut low, mut high) = (from, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(wanted) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }
}

/// The violating sequences of up to L doublets that contain no smaller one (with [`Pruning::AllParts`]).
pub fn minimal_violating(
    table: &DoubletTable,
    sensitive: &Sensitive,
    requirement: &Requirement,
    pruning: Pruning,
    progress: &Progress,
) -> Result<ViolatingSets, Cancelled> {
    let mut violating = ViolatingSets::default();
    let mut tree = Tree::default();
    let counted: Vec<(u32, u32)> = (0..table.len() as u32)
        .into_par_iter()
        .map(|doublet| sensitive.count(table, table.holders(doublet).iter().copied()))
        .collect();
    for (doublet, (people, most_holders)) in counted.into_iter().enumerate() {
        if people == 0 {
            continue;
        }
        if requirement.is_violated(people, most_holders) {
            violating.push(&[], doublet as u32, people, most_holders);
        } else {
            tree.first.push(doublet as u32);
        }
    }

    let longest = requirement.length.min(table.longest());
    let mut level_start = 0;
    for size in 2..=longest {
        if tree.level(size - 1).is_empty() {
            break;
        }
        let name = format!("find violating sequences of {size}");
        let phase = progress.phase(&name, Some(tree.first.len() as u64));
        let scan = Scan {
            table,
            sensitive,
            requirement,
            pruning,
            progress,
            tree: &tree,
            violating: &violating,
            level_start,
            size,
            keep: size < longest,
        };
        let roots = tree.first.par_iter().enumerate();
        let found: Vec<Found> = roots
            .map_init(
                || Scratch::new(table.len(), sensitive.values()),
                |scratch, (number, first)| {
                    phase.advance(1)?;
                    scan.root(scratch, number, *first)
                },
            )
            .collect::<Result<_, Cancelled>>()?;
        level_start = violating.len();
        for part in &found {
            violating.append(&part.violating);
        }
        if size < longest {
            tree.grow(&found);
        }
    }
    Ok(violating)
}

/// Non-violating sequences. A node of size `n` is a position in `level(n)`, which holds its last doublet.
#[derive(Default)]
struct Tree {
    first: Vec<u32>,
    /// `deeper[n - 2]` are the nodes of size `n`.
    deeper: Vec<Vec<u32>>,
    /// `children[n - 1][p]..children[n - 1][p + 1]` are the positions of the children of the node `p` of size `n`.
    children: Vec<Vec<u32>>,
}

impl Tree {
    fn level(&self, size: usize) -> &[u32] {
        if size == 1 { &self.first } else { &self.deeper[size - 2] }
    }

    /// The doublets that extend a node, with the position of the first of them in the next level.
    fn extensions(&self, size: usize, node: usize) -> (usize, &[u32]) {
        let offsets = &self.children[size - 1];
        let (start, end) = (offsets[node] as usize, offsets[node + 1] as usize);
        (start, &self.level(size + 1)[start..end])
    }

    /// Whether the ascending sequence is a node.
    fn contains(&self, sequence: impl IntoIterator<Item = u32>) -> bool {
        let mut sequence = sequence.into_iter();
        let Some(first) = sequence.next() else { return true };
        let Ok(mut node) = self.first.binary_search(&first) else { return false };
        for (step, doublet) in sequence.enumerate() {
            let (start, extensions) = self.extensions(step + 1, node);
            let Ok(position) = extensions.binary_search(&doublet) else { return false };
            node = start + position;
        }
        true
    }

    fn grow(&mut self, found: &[Found]) {
        let mut offsets = vec![0_u32];
        let mut total = 0;
        for count in found.iter().flat_map(|part| &part.counts) {
            total += count;
            offsets.push(total);
        }
        self.children.push(offsets);
        self.deeper.push(found.iter().flat_map(|part| part.extensions.iter().copied()).collect());
    }
}

/// What the records of one first doublet gave.
#[derive(Default)]
struct Found {
    violating: ViolatingSets,
    /// How many non-violating extensions each node of this root has, and which, node after node.
    counts: Vec<u32>,
    extensions: Vec<u32>,
}

/// A record that contains the sequence at hand, and where in it the remaining doublets begin.
#[derive(Clone, Copy, Default)]
struct Place {
    record: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;

/// Counters of one thread, all zero between uses.
struct Scratch {
    /// The number of a doublet among the siblings at hand, or `NONE`.
    sibling: Vec<u32>,
    people: Vec<u32>,
    last: Vec<u32>,
    holders: Vec<u32>,
    touched: Vec<u32>,
}

impl Scratch {
    fn new(doublets: usize, values: usize) -> Self {
        Scratch {
            sibling: vec![NONE; doublets],
            people: vec![0; doublets],
            last: vec![NONE; doublets],
            holders: vec![0; doublets * values],
            touched: Vec::new(),
        }
    }

    fn enter(&mut self, siblings: &[u32]) {
        for (number, doublet) in siblings.iter().enumerate() {
            self.sibling[*doublet as usize] = number as u32;
        }
    }

    fn leave(&mut self, siblings: &[u32]) {
        for doublet in siblings {
            self.sibling[*doublet as usize] = NONE;
        }
    }
}

/// One level of the search.
struct Scan<'a> {
    table: &'a DoubletTable,
    sensitive: &'a Sensitive,
    requirement: &'a Requirement,
    pruning: Pruning,
    progress: &'a Progress,
    tree: &'a Tree,
    violating: &'a ViolatingSets,
    /// Where the violating sequences of the level before begin.
    level_start: usize,
    /// Size of the sequences looked for.
    size: usize,
    /// Whether another level will need the non-violating ones.
    keep: bool,
}

impl Scan<'_> {
    /// All sequences of the wanted size that begin with one doublet.
    fn root(&self, scratch: &mut Scratch, number: usize, first: u32) -> Result<Found, Cancelled> {
        let mut found = Found::default();
        let places: Vec<Place> = self
            .table
            .holders(first)
            .iter()
            .map(|record| {
                let before = self.table.record(*record).partition_point(|doublet| *doublet <= first);
                Place { record: *record, next: before as u32 }
            })
            .collect();
        let mut path = vec![first];
        if self.size == 2 {
            let siblings = &self.tree.first;
            scratch.enter(siblings);
            self.count(scratch, &places);
            self.judge(scratch, &path, siblings, &mut found);
            scratch.leave(siblings);
        } else {
            self.descend(scratch, 1, number, &places, &mut path, &mut found)?;
        }
        Ok(found)
    }

    /// Sends the places of a node on to its children, down to those that are one smaller than wanted.
    fn descend(
        &self,
        scratch: &mut Scratch,
        size: usize,
        node: usize,
        places: &[Place],
        path: &mut Vec<u32>,
        found: &mut Found,
    ) -> Result<(), Cancelled> {
        self.progress.check()?;
        let (start, children) = self.tree.extensions(size, node);
        scratch.enter(children);
        let (ends, moved) = self.distribute(scratch, children.len(), places);
        let parents = size + 2 == self.size;
        if !parents {
            scratch.leave(children);
        }
        let mut from = 0;
        for (number, (child, end)) in children.iter().zip(ends).enumerate() {
            let places = &moved[from..end as usize];
            path.push(*child);
            if parents {
                self.count(scratch, places);
                self.judge(scratch, path, children, found);
            } else {
                self.descend(scratch, size + 1, start + number, places, path, found)?;
            }
            path.pop();
            from = end as usize;
        }
        if parents {
            scratch.leave(children);
        }
        Ok(())
    }

    /// Sorts places by the child they continue with; returns where each child's places end.
    fn distribute(&self, scratch: &Scratch, children: usize, places: &[Place]) -> (Vec<u32>, Vec<Place>) {
        let mut ends = vec![0_u32; children + 1];
        for place in places {
            for doublet in &self.table.record(place.record)[place.next as usize..] {
                let child = scratch.sibling[*doublet as usize];
                if child != NONE {
                    ends[child as usize + 1] += 1;
                }
            }
        }
        for child in 0..children {
            ends[child + 1] += ends[child];
        }
        let mut moved = vec![Place::default(); ends[children] as usize];
        for place in places {
            let visits = self.table.record(place.record);
            for (next, doublet) in visits.iter().enumerate().skip(place.next as usize) {
                let child = scratch.sibling[*doublet as usize];
                if child != NONE {
                    let slot = &mut ends[child as usize];
                    moved[*slot as usize] = Place { record: place.record, next: next as u32 + 1 };
                    *slot += 1;
                }
            }
        }
        ends.truncate(children);
        (ends, moved)
    }

    /// Counts people and holders of each sibling that follows.
    fn count(&self, scratch: &mut Scratch, places: &[Place]) {
        let values = self.sensitive.values();
        for place in places {
            let person = self.table.person(place.record);
            let held = self.sensitive.of(person);
            for doublet in &self.table.record(place.record)[place.next as usize..] {
                let sibling = scratch.sibling[*doublet as usize];
                if sibling == NONE || scratch.last[sibling as usize] == person {
                    continue;
                }
                if scratch.people[sibling as usize] == 0 {
                    scratch.touched.push(sibling);
                }
                scratch.last[sibling as usize] = person;
                scratch.people[sibling as usize] += 1;
                for value in held {
                    scratch.holders[sibling as usize * values + *value as usize] += 1;
                }
            }
        }
    }

    /// Sorts the counted candidates into violating and non-violating ones, and clears the counters.
    fn judge(&self, scratch: &mut Scratch, path: &[u32], siblings: &[u32], found: &mut Found) {
        let values = self.sensitive.values();
        let mut touched = std::mem::take(&mut scratch.touched);
        touched.sort_unstable();
        let kept_before = found.extensions.len();
        for sibling in &touched {
            let number = *sibling as usize;
            let people = std::mem::take(&mut scratch.people[number]);
            scratch.last[number] = NONE;
            let holders = &mut scratch.holders[number * values..(number + 1) * values];
            let most_holders = holders.iter().copied().max().unwrap_or(0);
            holders.fill(0);
            let doublet = siblings[number];
            if !self.is_candidate(path, doublet) {
                continue;
            }
            if self.requirement.is_violated(people, most_holders) {
                found.violating.push(path, doublet, people, most_holders);
            } else if self.keep {
                found.extensions.push(doublet);
            }
        }
        touched.clear();
        scratch.touched = touched;
        found.counts.push((found.extensions.len() - kept_before) as u32);
    }

    /// Whether no part that lacks one doublet speaks against the sequence. The path itself, and the path with its
    /// last doublet replaced, are nodes: siblings were counted only.
    fn is_candidate(&self, path: &[u32], doublet: u32) -> bool {
        (0..path.len() - 1).all(|left_out| {
            let before = path[..left_out].iter().chain(&path[left_out + 1..]);
            let part = before.copied().chain([doublet]);
            match self.pruning {
                Pruning::AllParts => self.tree.contains(part),
                Pruning::LastLevel => !self.violating.contains(self.level_start, &part.collect::<Vec<u32>>()),
            }
        })
    }
}
