//! Whether chunks hold what people have, where the data are at hand.
//!
//! An item of a person stands in one place: the nearest chunk on the way up from the person's cluster. So a tree of clusters is walked from the
//! top, with a table of where each item stands now, and every person is looked at once.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;
use throng_data::{ChunkKind, Dataset, ItemId, Layout, Release};

use super::Broken;

/// No chunk, or no number.
const NONE: u32 = u32::MAX;

/// Compares every chunk with the people of its cluster, and counts sensitive items in each cluster.
pub(super) fn judge(
    layout: &Layout<'_>,
    release: &Release,
    original: &Dataset,
    cluster_of: &[u32],
    hidden: &BTreeSet<ItemId>,
    l: u64,
) -> Vec<Broken> {
    let whole = |support, needed, why| vec![Broken { items: Vec::new(), support, needed, cluster: 0, why }];
    let sets = Sets { original, number: numbers(release, original) };
    let subjects = original.events.subjects();
    let people = (0..subjects).into_par_iter().filter(|person| !sets.is_empty(*person)).count() as u64;
    if layout.chunks.people() != people || cluster_of.len() != subjects {
        let why = "the clusters count other people than the data has: a person counts once";
        return whole(people, layout.chunks.people(), why);
    }
    let clusters = layout.span.len();
    let lost =
        cluster_of.iter().zip(0..).any(|(at, person)| *at as usize >= clusters && !sets.is_empty(person));
    if lost {
        return whole(0, 1, "a person with items is in no cluster");
    }
    let members = Grouped::of(cluster_of, clusters);
    let one_size = |cluster: &u32| members.of_group(*cluster).len() as u64 == layout.size(*cluster);
    if !layout.simple.iter().all(one_size) {
        return whole(0, 0, "a cluster has other people than it says");
    }
    let parents: Vec<u32> =
        layout.chunks.clusters().iter().map(|cluster| cluster.parent.unwrap_or(NONE)).collect();
    let forest = Forest { layout, members, children: Grouped::of(&parents, clusters) };
    let roots: Vec<u32> = (0..clusters as u32).filter(|cluster| parents[*cluster as usize] == NONE).collect();
    roots
        .into_par_iter()
        .map_init(
            || Walk::new(&forest, &sets, hidden, l, release.alphabet.len()),
            |walk, root| {
                walk.tree(root);
                std::mem::take(&mut walk.found)
            },
        )
        .flatten_iter()
        .collect()
}

/// The number of each original item in the release.
fn numbers(release: &Release, original: &Dataset) -> Vec<u32> {
    let mut number = vec![NONE; original.items.len()];
    for (released, item) in (0..).zip(&release.alphabet) {
        for member in &item.members {
            if let Some(at) = original.items.find(release.base.name(*member)) {
                number[at as usize] = released;
            }
        }
    }
    number
}

/// What people have, in the numbers of the release.
struct Sets<'a> {
    original: &'a Dataset,
    number: Vec<u32>,
}

impl Sets<'_> {
    fn items(&self, person: usize) -> impl Iterator<Item = ItemId> {
        let events = &self.original.events;
        let items = events.records_of(person).flat_map(|record| events.record(record));
        items.map(|item| self.number[*item as usize]).filter(|number| *number != NONE)
    }

    fn is_empty(&self, person: usize) -> bool {
        self.items(person).next().is_none()
    }

    /// The items of a person, ascending.
    fn collect(&self, person: usize, set: &mut Vec<ItemId>) {
        set.clear();
        set.extend(self.items(person));
        set.sort_unstable();
        set.dedup();
    }
}

/// Numbers by the group that each is in, ascending.
struct Grouped {
    ends: Vec<usize>,
    numbers: Vec<u32>,
}

impl Grouped {
    /// What is in a group beyond the last is left out.
    fn of(group: &[u32], groups: usize) -> Self {
        let mut ends = vec![0_usize; groups + 1];
        for at in group.iter().filter(|at| (**at as usize) < groups) {
            ends[*at as usize + 1] += 1;
        }
        for at in 0..groups {
            ends[at + 1] += ends[at];
        }
        let mut next = ends.clone();
        let mut numbers = vec![0; ends[groups]];
        for (number, at) in (0..).zip(group).filter(|(_, at)| (**at as usize) < groups) {
            numbers[next[*at as usize]] = number;
            next[*at as usize] += 1;
        }
        Grouped { ends, numbers }
    }

    fn of_group(&self, group: u32) -> &[u32] {
        &self.numbers[self.ends[group as usize]..self.ends[group as usize + 1]]
    }
}

/// The trees of clusters, and the people of each cluster.
struct Forest<'a> {
    layout: &'a Layout<'a>,
    members: Grouped,
    children: Grouped,
}

/// What the people of a cluster have of a chunk, one part after another.
#[derive(Default)]
struct Held {
    chunk: u32,
    /// Whose parts they are.
    people: Vec<u32>,
    /// Where each part begins.
    begins: Vec<usize>,
    items: Vec<ItemId>,
}

impl Held {
    fn add(&mut self, person: u32, item: ItemId) {
        if self.people.last() != Some(&person) {
            self.people.push(person);
            self.begins.push(self.items.len());
        }
        self.items.push(item);
    }

    fn part(&self, at: usize) -> &[ItemId] {
        &self.items[self.begins[at]..self.begins.get(at + 1).copied().unwrap_or(self.items.len())]
    }

    /// Whether a chunk has these parts and no others.
    fn is(&self, layout: &Layout<'_>, chunk: usize) -> bool {
        let parts = layout.chunks.parts(chunk);
        if parts.len() != self.people.len() {
            return false;
        }
        // The method may well have gone through people in their order.
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_unstable_by_key(|at| self.people[*at]);
        let in_order = order.iter().map(|at| self.part(*at));
        if in_order.eq(parts.clone().map(|part| layout.chunks.part(part))) {
            return true;
        }
        let mut held: Vec<&[ItemId]> = order.into_iter().map(|at| self.part(at)).collect();
        let mut parts: Vec<&[ItemId]> = parts.map(|part| layout.chunks.part(part)).collect();
        held.sort_unstable();
        parts.sort_unstable();
        held == parts
    }
}

/// The way down a tree of clusters.
struct Walk<'a> {
    forest: &'a Forest<'a>,
    sets: &'a Sets<'a>,
    hidden: &'a BTreeSet<ItemId>,
    l: u64,
    /// Where each item stands now: a place in `held`.
    place: Vec<u32>,
    /// How many people of the cluster that is looked at have each item of its term chunk.
    count: Vec<u64>,
    /// What is to be put back into `place`.
    before: Vec<(ItemId, u32)>,
    /// The chunks on the way.
    held: Vec<Held>,
    found: Vec<Broken>,
}

/// What was there before a cluster was entered.
struct Entered {
    cluster: u32,
    before: usize,
    held: Range<usize>,
}

impl<'a> Walk<'a> {
    fn new(
        forest: &'a Forest<'a>,
        sets: &'a Sets<'a>,
        hidden: &'a BTreeSet<ItemId>,
        l: u64,
        items: usize,
    ) -> Self {
        Walk {
            forest,
            sets,
            hidden,
            l,
            place: vec![NONE; items],
            count: vec![0; items],
            before: Vec::new(),
            held: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Depth first without recursion: a cluster is met twice, before and after those below it.
    fn tree(&mut self, root: u32) {
        let mut open: Vec<Result<u32, Entered>> = vec![Ok(root)];
        while let Some(next) = open.pop() {
            match next {
                Ok(cluster) => {
                    let entered = self.enter(cluster);
                    open.push(Err(entered));
                    open.extend(self.forest.children.of_group(cluster).iter().rev().map(|child| Ok(*child)));
                    self.people(cluster);
                }
                Err(entered) => self.leave(entered),
            }
        }
    }

    fn enter(&mut self, cluster: u32) -> Entered {
        let (before, first) = (self.before.len(), self.held.len());
        for chunk in &self.forest.layout.of_cluster[cluster as usize] {
            let place = self.held.len() as u32;
            for item in self.forest.layout.domain(*chunk as usize) {
                self.before.push((*item, std::mem::replace(&mut self.place[*item as usize], place)));
            }
            self.held.push(Held { chunk: *chunk, ..Held::default() });
        }
        Entered { cluster, before, held: first..self.held.len() }
    }

    /// Gives what the people of a simple cluster have to the chunks.
    fn people(&mut self, cluster: u32) {
        let Forest { layout, members, .. } = self.forest;
        let mut set = Vec::new();
        for person in members.of_group(cluster) {
            self.sets.collect(*person as usize, &mut set);
            for item in &set {
                let place = self.place[*item as usize];
                let Some(held) = self.held.get_mut(place as usize) else { continue };
                match layout.chunks.kind(held.chunk as usize) {
                    ChunkKind::Term => self.count[*item as usize] += 1,
                    ChunkKind::Record | ChunkKind::Shared => held.add(*person, *item),
                }
            }
        }
    }

    fn leave(&mut self, entered: Entered) {
        let (layout, cluster) = (self.forest.layout, entered.cluster);
        for held in self.held.drain(entered.held) {
            let chunk = held.chunk as usize;
            let mut say = |items: &[ItemId], support, needed, why| {
                self.found.push(Broken { items: items.to_vec(), support, needed, cluster, why });
            };
            if layout.chunks.kind(chunk) != ChunkKind::Term {
                if !held.is(layout, chunk) {
                    let (support, needed) =
                        (held.people.len() as u64, layout.chunks.parts(chunk).len() as u64);
                    say(&[], support, needed, "a chunk holds something else than its people have");
                }
                continue;
            }
            for item in layout.domain(chunk) {
                let count = std::mem::take(&mut self.count[*item as usize]);
                if count == 0 {
                    say(&[*item], 0, 1, "a term chunk names an item that no person has");
                }
                if self.hidden.contains(item) && count.saturating_mul(self.l) > layout.size(cluster) {
                    let needed = layout.size(cluster) / self.l;
                    say(&[*item], count, needed, "too many people of a cluster have a sensitive item");
                }
            }
        }
        for (item, place) in self.before.drain(entered.before..).rev() {
            self.place[item as usize] = place;
        }
    }
}
