//! The sets that must not single anybody out, by what they have become.
//!
//! Sets whose items are published alike are one entry. After a merge only the entries with one of the two clusters are
//! looked at again. Sets that nobody has stay: a merge may bring them to life.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rayon::prelude::*;
use throng_data::ItemId;

use super::clusters::Clusters;

/// Sets in order: the most frequent one first that some people have, but too few.
#[derive(Debug)]
pub(super) struct Queue {
    k: u64,
    sets: Vec<Vec<ItemId>>,
    entries: Vec<Entry>,
    by_image: HashMap<Vec<u32>, u32, FixedState>,
    of_cluster: Vec<Vec<u32>>,
    open: BTreeSet<(Reverse<u64>, u32, u32)>,
}

#[derive(Debug)]
struct Entry {
    image: Vec<u32>,
    support: u64,
    /// The first of the sets that look like this.
    set: u32,
    gone: bool,
}

impl Queue {
    /// Sets in their order: smaller ones first, then by name. Those that `k` people have stay safe and are left out.
    pub fn new(sets: Vec<Vec<ItemId>>, clusters: &mut Clusters, items: usize, k: u64) -> Self {
        let images: Vec<Vec<u32>> = sets.iter().map(|set| clusters.image(set)).collect();
        let supports = supports(&images, clusters, items, k);
        let mut queue = Queue {
            k,
            sets,
            entries: Vec::new(),
            by_image: HashMap::with_hasher(FixedState::with_seed(0)),
            of_cluster: vec![Vec::new(); items],
            open: BTreeSet::new(),
        };
        for (set, (image, support)) in images.into_iter().zip(supports).enumerate() {
            if support < k && !image.is_empty() {
                queue.enter(image, support, set as u32);
            }
        }
        queue
    }

    /// The set to protect next.
    pub fn first(&self) -> Option<&[ItemId]> {
        let (_, set, _) = self.open.first()?;
        Some(&self.sets[*set as usize])
    }

    /// How many sets are too rare now.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Two clusters became `kept`, or `gone` was suppressed.
    pub fn changed(&mut self, kept: Option<u32>, gone: u32, clusters: &mut Clusters) {
        let mut touched = std::mem::take(&mut self.of_cluster[gone as usize]);
        if let Some(kept) = kept {
            touched.append(&mut self.of_cluster[kept as usize]);
        }
        let mut renewed: Vec<(u32, Vec<u32>)> = Vec::new();
        for number in touched {
            let entry = &mut self.entries[number as usize];
            if std::mem::replace(&mut entry.gone, true) {
                continue;
            }
            self.open.remove(&(Reverse(entry.support), entry.set, number));
            let mut image = std::mem::take(&mut entry.image);
            self.by_image.remove(&image);
            image.retain(|cluster| *cluster != gone && Some(*cluster) != kept);
            image.extend(kept);
            image.sort_unstable();
            if !image.is_empty() {
                renewed.push((entry.set, image));
            }
        }
        renewed.sort_unstable();
        for (set, image) in renewed {
            match self.by_image.get(&image) {
                Some(known) => self.stand_for(*known, set),
                None => {
                    let support = clusters.support(&image, self.k);
                    if support < self.k {
                        self.enter(image, support, set);
                    }
                }
            }
        }
    }

    /// Of several sets that look alike the first stands for the others.
    fn stand_for(&mut self, number: u32, set: u32) {
        let entry = &mut self.entries[number as usize];
        if set < entry.set {
            if self.open.remove(&(Reverse(entry.support), entry.set, number)) {
                self.open.insert((Reverse(entry.support), set, number));
            }
            entry.set = set;
        }
    }

    fn enter(&mut self, image: Vec<u32>, support: u64, set: u32) {
        let number = self.entries.len() as u32;
        for cluster in &image {
            self.of_cluster[*cluster as usize].push(number);
        }
        if support > 0 {
            self.open.insert((Reverse(support), set, number));
        }
        self.by_image.insert(image.clone(), number);
        self.entries.push(Entry { image, support, set, gone: false });
    }
}

/// The supports of all images. Pairs are most of them: a line for each first element, made and dropped again.
fn supports(images: &[Vec<u32>], clusters: &mut Clusters, items: usize, k: u64) -> Vec<u64> {
    let mut pairs: Vec<Vec<usize>> = vec![Vec::new(); items];
    let mut supports = vec![0; images.len()];
    for (number, image) in images.iter().enumerate() {
        match image.as_slice() {
            [first, _] => pairs[*first as usize].push(number),
            _ => supports[number] = clusters.support(image, k),
        }
    }
    let shared = &*clusters;
    let counted: Vec<Vec<(usize, u64)>> = pairs
        .par_iter()
        .enumerate()
        .map(|(first, numbers)| {
            if numbers.is_empty() {
                return Vec::new();
            }
            let line = shared.beside(first as u32);
            numbers.iter().map(|number| (*number, u64::from(line[images[*number][1] as usize]))).collect()
        })
        .collect();
    for (number, support) in counted.into_iter().flatten() {
        supports[number] = support;
    }
    supports
}
