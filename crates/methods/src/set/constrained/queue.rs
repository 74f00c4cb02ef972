//! The sets that must not single anybody out, by what they have become.
//!
//! Sets whose items are published alike are one entry. A merge renames one of its two clusters in the entries that have it: the
//! one that fewer entries have. The entries of the other keep their names, and only their supports are looked at. Sets
//! that no person has stay: a merge may bring them to life.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;
use throng_data::ItemId;

use super::clusters::Clusters;
use super::line::Line;

/// Sets in order: the most frequent one first that some people have, but too few.
#[derive(Debug)]
pub(super) struct Queue {
    k: u64,
    sets: Vec<Vec<ItemId>>,
    entries: Vec<Entry>,
    /// Entries that are not settled, by image.
    by_image: HashTable<u32>,
    hasher: FixedState,
    /// The name of every cluster in images, and whose name it is.
    name_of: Vec<u32>,
    cluster_of: Vec<u32>,
    /// The entries that have a name; settled ones may still be listed.
    of_name: Vec<Vec<u32>>,
    open: BTreeSet<(Reverse<u64>, u32)>,
}

#[derive(Debug)]
struct Entry {
    /// The names of its clusters, ascending.
    image: Vec<u32>,
    support: u64,
    /// The first of the sets that look like this.
    set: u32,
    /// Enough people have it, or another entry stands for it.
    settled: bool,
}

impl Queue {
    /// Sets in their order: smaller ones first, then by name. Those that `k` people have stay safe and are left out.
    pub fn new(sets: Vec<Vec<ItemId>>, clusters: &Clusters, items: usize, k: u64) -> Self {
        let images: Vec<Vec<u32>> = sets.iter().map(|set| clusters.image(set)).collect();
        let supports = supports(&images, clusters, items, k);
        let mut queue = Queue {
            k,
            sets,
            entries: Vec::new(),
            by_image: HashTable::new(),
            hasher: FixedState::with_seed(0),
            name_of: (0..items as u32).collect(),
            cluster_of: (0..items as u32).collect(),
            of_name: vec![Vec::new(); items],
            open: BTreeSet::new(),
        };
        for (set, (image, support)) in images.into_iter().zip(supports).enumerate() {
            if support < k && !image.is_empty() {
                let number = queue.entries.len() as u32;
                image.iter().for_each(|name| queue.of_name[*name as usize].push(number));
                queue.entries.push(Entry { image, support, set: set as u32, settled: false });
                queue.enter(number);
            }
        }
        queue
    }

    /// The set to protect next.
    pub fn first(&self) -> Option<&[ItemId]> {
        let (_, set) = self.open.first()?;
        Some(&self.sets[*set as usize])
    }

    /// How many sets are too rare now.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Two clusters became `kept`. `line` is used for counting.
    pub fn merged(&mut self, kept: u32, gone: u32, clusters: &Clusters, line: &mut Line) {
        let names = [kept, gone].map(|cluster| self.name_of[cluster as usize]);
        let [stays, goes] = match names.map(|name| self.of_name[name as usize].len()) {
            [of_kept, of_gone] if of_kept >= of_gone => names,
            _ => [names[1], names[0]],
        };
        self.name_of[kept as usize] = stays;
        self.cluster_of[stays as usize] = kept;
        line.fill(clusters, kept);
        let mut listed = std::mem::take(&mut self.of_name[stays as usize]);
        listed.retain(|number| !self.entries[*number as usize].settled);
        for number in &listed {
            // Who has both names is renamed below.
            if !self.entries[*number as usize].image.contains(&goes) {
                self.recount(*number, stays, clusters, line);
            }
        }
        for number in std::mem::take(&mut self.of_name[goes as usize]) {
            if self.entries[number as usize].settled {
                continue;
            }
            self.leave(number);
            let image = &mut self.entries[number as usize].image;
            image.retain(|name| *name != goes);
            if !image.contains(&stays) {
                image.push(stays);
                image.sort_unstable();
                listed.push(number);
            }
            self.renew(number, clusters, Some((stays, line)));
        }
        self.of_name[stays as usize] = listed;
    }

    /// A cluster was suppressed.
    pub fn suppressed(&mut self, gone: u32, clusters: &Clusters) {
        let name = self.name_of[gone as usize];
        for number in std::mem::take(&mut self.of_name[name as usize]) {
            if !self.entries[number as usize].settled {
                self.leave(number);
                self.entries[number as usize].image.retain(|other| *other != name);
                self.renew(number, clusters, None);
            }
        }
    }

    /// The support of an entry that has the name `stays`, whose cluster has grown.
    fn recount(&mut self, number: u32, stays: u32, clusters: &Clusters, line: &Line) {
        let support = self.support(number, clusters, Some((stays, line)));
        let entry = &mut self.entries[number as usize];
        if support == entry.support {
            return;
        }
        self.open.remove(&(Reverse(entry.support), entry.set));
        entry.support = support;
        if support >= self.k {
            self.leave(number);
            self.entries[number as usize].settled = true;
        } else {
            self.open_if_rare(number);
        }
    }

    /// Puts an entry with a changed image back, unless it is empty, safe, or like another one.
    fn renew(&mut self, number: u32, clusters: &Clusters, grown: Option<(u32, &Line)>) {
        let entry = &self.entries[number as usize];
        let alike = self.find(&entry.image);
        let settled = match alike {
            _ if entry.image.is_empty() => true,
            Some(known) => {
                self.stand_for(known, entry.set);
                true
            }
            None => {
                let support = self.support(number, clusters, grown);
                self.entries[number as usize].support = support;
                support >= self.k
            }
        };
        if settled {
            self.entries[number as usize].settled = true;
        } else {
            self.enter(number);
        }
    }

    fn support(&self, number: u32, clusters: &Clusters, grown: Option<(u32, &Line)>) -> u64 {
        let cluster = |name: u32| self.cluster_of[name as usize];
        let image = &self.entries[number as usize].image;
        match (image.as_slice(), grown) {
            ([a, b], Some((name, line))) if *a == name => line.of(cluster(*b)),
            ([a, b], Some((name, line))) if *b == name => line.of(cluster(*a)),
            _ => clusters.support(&image.iter().map(|name| cluster(*name)).collect::<Vec<_>>(), self.k),
        }
    }

    /// Of several sets that look alike the first stands for the others.
    fn stand_for(&mut self, number: u32, set: u32) {
        let entry = &mut self.entries[number as usize];
        if set < entry.set {
            self.open.remove(&(Reverse(entry.support), entry.set));
            entry.set = set;
            self.open_if_rare(number);
        }
    }

    fn open_if_rare(&mut self, number: u32) {
        let entry = &self.entries[number as usize];
        if entry.support > 0 {
            self.open.insert((Reverse(entry.support), entry.set));
        }
    }

    fn hash(&self, image: &[u32]) -> u64 {
        self.hasher.hash_one(image)
    }

    fn find(&self, image: &[u32]) -> Option<u32> {
        let same = |number: &u32| self.entries[*number as usize].image == image;
        self.by_image.find(self.hash(image), same).copied()
    }

    fn enter(&mut self, number: u32) {
        let hash = self.hash(&self.entries[number as usize].image);
        let (entries, hasher) = (&self.entries, &self.hasher);
        let rehash = |number: &u32| hasher.hash_one(entries[*number as usize].image.as_slice());
        self.by_image.insert_unique(hash, number, rehash);
        self.open_if_rare(number);
    }

    fn leave(&mut self, number: u32) {
        let hash = self.hash(&self.entries[number as usize].image);
        if let Ok(found) = self.by_image.find_entry(hash, |other| *other == number) {
            found.remove();
        }
        let entry = &self.entries[number as usize];
        self.open.remove(&(Reverse(entry.support), entry.set));
    }
}

/// The supports of all images. Pairs are most of them: a line for each first element.
fn supports(images: &[Vec<u32>], clusters: &Clusters, items: usize, k: u64) -> Vec<u64> {
    let mut pairs: Vec<Vec<usize>> = vec![Vec::new(); items];
    let mut supports = vec![0; images.len()];
    for (number, image) in images.iter().enumerate() {
        match image.as_slice() {
            [first, _] => pairs[*first as usize].push(number),
            _ => supports[number] = clusters.support(image, k),
        }
    }
    let counted: Vec<Vec<(usize, u64)>> = pairs
        .par_iter()
        .enumerate()
        .map_init(
            || Line::new(items),
            |line, (first, numbers)| {
                if numbers.is_empty() {
                    return Vec::new();
                }
                line.fill(clusters, first as u32);
                numbers.iter().map(|number| (*number, line.of(images[*number][1]))).collect()
            },
        )
        .collect();
    for (number, support) in counted.into_iter().flatten() {
        supports[number] = support;
    }
    supports
}
