//! One level of the search: the sequences of one size.

use throng_contract::{Cancelled, Progress};
use throng_mine::doublets::DoubletTable;

use super::super::requirement::{Requirement, Sensitive};
use super::suffixes::{Batch, Suffixes};
use super::tree::Tree;
use super::{NONE, Pruning, ViolatingSets};

/// What the records of one first doublet gave.
#[derive(Default)]
pub(super) struct Found {
    pub violating: ViolatingSets,
    /// How many non-violating extensions each node of this root has, and which, node after node.
    pub counts: Vec<u32>,
    pub extensions: Vec<u32>,
    /// How many records contain each extended node.
    pub records: Vec<u32>,
}

/// A gathered record that contains the sequence at hand, and where its remaining visits begin.
#[derive(Clone, Copy, Default)]
struct Place {
    row: u32,
    next: u32,
}

/// A node of the tree of non-violating sequences, and where its sequence occurs.
#[derive(Clone, Copy)]
struct Prefix<'p> {
    /// Size of the sequence.
    size: usize,
    /// Its number among the nodes of that size.
    node: usize,
    places: &'p [Place],
}

/// Memory of one thread; counters and numbers are cleared after each use.
pub(super) struct Scratch<'a> {
    block: Block<'a>,
    /// The number of a doublet among the second doublets at hand, or `NONE`.
    second: Vec<u32>,
    /// The number of a second doublet among the siblings at hand, or `NONE`.
    sibling: Vec<u32>,
    people: Vec<u32>,
    records: Vec<u32>,
    last: Vec<u32>,
    holders: Vec<u32>,
    touched: Vec<u32>,
}

/// What the records of one first doublet go on with, as numbers of second doublets.
#[derive(Default)]
struct Block<'a> {
    starts: Vec<u32>,
    visits: Vec<u32>,
    person: Vec<u32>,
    held: Vec<&'a [u32]>,
}

impl Scratch<'_> {
    pub fn new(doublets: usize, values: usize) -> Self {
        Scratch {
            block: Block::default(),
            second: vec![NONE; doublets],
            sibling: vec![NONE; doublets],
            people: vec![0; doublets],
            records: vec![0; doublets],
            last: vec![NONE; doublets],
            holders: vec![0; doublets * values],
            touched: Vec::new(),
        }
    }

    fn enter(&mut self, siblings: &[u32]) {
        for (number, doublet) in siblings.iter().enumerate() {
            self.sibling[self.second[*doublet as usize] as usize] = number as u32;
        }
    }

    fn leave(&mut self, siblings: &[u32]) {
        for doublet in siblings {
            self.sibling[self.second[*doublet as usize] as usize] = NONE;
        }
    }
}

impl Block<'_> {
    /// The numbers of the second doublets that a place goes on with.
    fn rest(&self, place: &Place) -> &[u32] {
        &self.visits[place.next as usize..self.starts[place.row as usize + 1] as usize]
    }
}

/// One level of the search.
pub(super) struct Scan<'a> {
    pub table: &'a DoubletTable,
    pub sensitive: &'a Sensitive,
    pub requirement: &'a Requirement,
    pub pruning: Pruning,
    pub progress: &'a Progress,
    pub tree: &'a Tree,
    pub violating: &'a ViolatingSets,
    /// Where the violating sequences of the level before begin.
    pub level_start: usize,
    /// Size of the sequences looked for.
    pub size: usize,
    /// Whether another level will need the non-violating ones.
    pub keep: bool,
}

impl<'a> Scan<'a> {
    /// All sequences of the wanted size that begin with a doublet of the batch, first doublet after first doublet.
    pub fn batch(&self, scratch: &mut Scratch<'a>, batch: &Batch) -> Result<Vec<Found>, Cancelled> {
        let suffixes = Suffixes::copy(self.table, self.sensitive, batch, self.size - 1);
        let first = &self.tree.first;
        let roots = first.partition_point(|doublet| *doublet < batch.doublets.start)
            ..first.partition_point(|doublet| *doublet < batch.doublets.end);
        roots.map(|number| self.root(scratch, &suffixes, number)).collect()
    }

    /// All sequences of the wanted size that begin with one doublet.
    fn root(
        &self,
        scratch: &mut Scratch<'a>,
        suffixes: &Suffixes<'a>,
        root: usize,
    ) -> Result<Found, Cancelled> {
        self.progress.check()?;
        let mut found = Found::default();
        let first = self.tree.first[root];
        let mut path = vec![first];
        if self.size == 2 {
            // Every safe doublet is a sibling, and the numbering is the same for all roots.
            self.gather(&mut scratch.block, &self.tree.number_of_first, suffixes.of(first));
            let places = self.all_places(&scratch.block);
            self.count(scratch, &self.tree.identity, &places);
            self.judge(scratch, &path, &self.tree.first, &mut found);
        } else {
            let (_, seconds) = self.tree.extensions(1, root);
            for (number, doublet) in seconds.iter().enumerate() {
                scratch.second[*doublet as usize] = number as u32;
            }
            self.gather(&mut scratch.block, &scratch.second, suffixes.of(first));
            let places = self.all_places(&scratch.block);
            let prefix = Prefix { size: 1, node: root, places: &places };
            self.descend(scratch, prefix, &mut path, &mut found)?;
            for doublet in seconds {
                scratch.second[*doublet as usize] = NONE;
            }
        }
        Ok(found)
    }

    /// Numbers what follows the first doublet, leaving out what cannot be part of a candidate.
    fn gather<'s>(
        &self,
        block: &mut Block<'a>,
        number: &[u32],
        suffixes: impl Iterator<Item = (u32, &'a [u32], &'s [u32])>,
    ) {
        block.starts.clear();
        block.visits.clear();
        block.person.clear();
        block.held.clear();
        block.starts.push(0);
        for (person, held, suffix) in suffixes {
            let before = block.visits.len();
            let numbers = suffix.iter().map(|doublet| number[*doublet as usize]);
            block.visits.extend(numbers.filter(|number| *number != NONE));
            if block.visits.len() - before + 1 < self.size {
                block.visits.truncate(before);
                continue;
            }
            block.starts.push(block.visits.len() as u32);
            block.person.push(person);
            block.held.push(held);
        }
    }

    fn all_places(&self, block: &Block<'_>) -> Vec<Place> {
        let starts = block.starts.iter().take(block.person.len()).enumerate();
        starts.map(|(row, start)| Place { row: row as u32, next: *start }).collect()
    }

    /// Sends the places of a node on to its children, down to those that are one smaller than wanted.
    fn descend(
        &self,
        scratch: &mut Scratch<'a>,
        prefix: Prefix<'_>,
        path: &mut Vec<u32>,
        found: &mut Found,
    ) -> Result<(), Cancelled> {
        self.progress.check()?;
        let (start, children) = self.tree.extensions(prefix.size, prefix.node);
        scratch.enter(children);
        let (ends, moved) = distribute(scratch, children.len(), prefix.places);
        let sibling = std::mem::take(&mut scratch.sibling);
        let parents = prefix.size + 2 == self.size;
        let mut from = 0;
        if parents {
            for (child, end) in children.iter().zip(ends) {
                path.push(*child);
                self.count(scratch, &sibling, &moved[from..end as usize]);
                self.judge(scratch, path, children, found);
                path.pop();
                from = end as usize;
            }
            scratch.sibling = sibling;
            scratch.leave(children);
        } else {
            scratch.sibling = sibling;
            scratch.leave(children);
            for (number, (child, end)) in children.iter().zip(ends).enumerate() {
                path.push(*child);
                let places = &moved[from..end as usize];
                self.descend(
                    scratch,
                    Prefix { size: prefix.size + 1, node: start + number, places },
                    path,
                    found,
                )?;
                path.pop();
                from = end as usize;
            }
        }
        Ok(())
    }

    /// Counts people and holders of each sibling that follows.
    fn count(&self, scratch: &mut Scratch<'a>, sibling: &[u32], places: &[Place]) {
        let values = self.sensitive.values();
        let Scratch { block, people, records, last, holders, touched, .. } = scratch;
        for place in places {
            let person = block.person[place.row as usize];
            let held = block.held[place.row as usize];
            for second in block.rest(place) {
                let sibling = sibling[*second as usize];
                if sibling == NONE {
                    continue;
                }
                if records[sibling as usize] == 0 {
                    touched.push(sibling);
                }
                records[sibling as usize] += 1;
                if last[sibling as usize] == person {
                    continue;
                }
                last[sibling as usize] = person;
                people[sibling as usize] += 1;
                for value in held {
                    holders[sibling as usize * values + *value as usize] += 1;
                }
            }
        }
    }

    /// Sorts the counted candidates into violating and non-violating ones, and clears the counters.
    fn judge(&self, scratch: &mut Scratch<'a>, path: &[u32], siblings: &[u32], found: &mut Found) {
        let values = self.sensitive.values();
        let mut touched = std::mem::take(&mut scratch.touched);
        touched.sort_unstable();
        let kept_before = found.extensions.len();
        for sibling in &touched {
            let number = *sibling as usize;
            let people = std::mem::take(&mut scratch.people[number]);
            let records = std::mem::take(&mut scratch.records[number]);
            scratch.last[number] = NONE;
            let holders = &mut scratch.holders[number * values..(number + 1) * values];
            let most_holders = holders.iter().copied().max().unwrap_or(0);
            holders.fill(0);
            let doublet = siblings[number];
            if !self.is_candidate(path, doublet, records) {
                continue;
            }
            if self.requirement.is_violated(people, most_holders) {
                found.violating.push(path, doublet, people, most_holders);
            } else if self.keep {
                found.extensions.push(doublet);
                found.records.push(records);
            }
        }
        touched.clear();
        scratch.touched = touched;
        found.counts.push((found.extensions.len() - kept_before) as u32);
    }

    /// Whether no part that lacks one doublet speaks against the sequence.
    fn is_candidate(&self, path: &[u32], doublet: u32, records: u32) -> bool {
        let part = |left_out: usize| {
            let before = path[..left_out].iter().chain(&path[left_out + 1..]);
            before.copied().chain([doublet])
        };
        match self.pruning {
            Pruning::AllParts => {
                let rules_out = |in_part: Option<u32>| in_part.is_none_or(|in_part| in_part == records);
                !rules_out(self.tree.records(path.iter().copied()))
                    && (0..path.len()).all(|left_out| !rules_out(self.tree.records(part(left_out))))
            }
            // Siblings only were counted: the path, and the path with its last doublet replaced, are non-violating.
            Pruning::LastLevel => (0..path.len() - 1).all(|left_out| {
                !self.violating.contains(self.level_start, &part(left_out).collect::<Vec<u32>>())
            }),
        }
    }
}

/// Sorts places by the child they continue with; returns where each child's places end.
fn distribute(scratch: &Scratch<'_>, children: usize, places: &[Place]) -> (Vec<u32>, Vec<Place>) {
    let (block, sibling) = (&scratch.block, &scratch.sibling);
    let mut ends = vec![0_u32; children + 1];
    for place in places {
        for second in block.rest(place) {
            let child = sibling[*second as usize];
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
        for (next, second) in (place.next + 1..).zip(block.rest(place)) {
            let child = sibling[*second as usize];
            if child != NONE {
                let slot = &mut ends[child as usize];
                moved[*slot as usize] = Place { row: place.row, next };
                *slot += 1;
            }
        }
    }
    ends.truncate(children);
    (ends, moved)
}
