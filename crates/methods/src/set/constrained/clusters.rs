//! Items that are published as one, and how many people have them.

use throng_data::ItemId;

use crate::set::baskets::{Baskets, NONE};
use crate::set::index::Index;

/// A partition of the items that occur, without those that are suppressed. A cluster goes by its lowest item.
#[derive(Debug)]
pub(super) struct Clusters {
    index: Index,
    cluster_of: Vec<u32>,
    members: Vec<Vec<ItemId>>,
    /// The rows that hold an item of the cluster, ascending.
    rows: Vec<Vec<u32>>,
    people: Vec<u64>,
    /// For some clusters: how many people have it in a record with each other cluster.
    lines: Vec<Option<Vec<u32>>>,
    kept_lines: usize,
}

/// Counters of all lines together, at most.
const COUNTERS: usize = 1 << 27;

impl Clusters {
    /// Every item that occurs by itself.
    pub fn singletons(baskets: Baskets, items: usize) -> Self {
        let index = Index::new(baskets, items, 0);
        let rows: Vec<Vec<u32>> = (0..items as u32).map(|item| index.rows_with(item).to_vec()).collect();
        let people = rows.iter().map(|rows| index.people_of(rows).0).collect();
        let occurs = |item: u32| !rows[item as usize].is_empty();
        let cluster_of = (0..items as u32).map(|item| if occurs(item) { item } else { NONE }).collect();
        let members =
            (0..items as u32).map(|item| if occurs(item) { vec![item] } else { Vec::new() }).collect();
        Clusters { index, cluster_of, members, rows, people, lines: vec![None; items], kept_lines: 0 }
    }

    /// The cluster of an item; `None` when it is suppressed.
    pub fn of(&self, item: ItemId) -> Option<u32> {
        Some(self.cluster_of[item as usize]).filter(|cluster| *cluster != NONE)
    }

    /// The items of a cluster, ascending.
    pub fn members(&self, cluster: u32) -> &[ItemId] {
        &self.members[cluster as usize]
    }

    /// All clusters, by lowest item.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.members.len() as u32).filter(|cluster| !self.members[*cluster as usize].is_empty())
    }

    /// People who have an item of the cluster.
    pub fn people(&self, cluster: u32) -> u64 {
        self.people[cluster as usize]
    }

    /// The clusters of some items, ascending, each once.
    pub fn image(&self, items: &[ItemId]) -> Vec<u32> {
        let mut image: Vec<u32> = items.iter().filter_map(|item| self.of(*item)).collect();
        image.sort_unstable();
        image.dedup();
        image
    }

    /// People who have all the clusters in one record; of three and more clusters counted up to `enough`.
    pub fn support(&mut self, image: &[u32], enough: u64) -> u64 {
        match image {
            [] => 0,
            [only] => self.people(*only),
            [first, second] => {
                let (asked, other) = match self.lines[*second as usize] {
                    Some(_) => (*second, *first),
                    None => (*first, *second),
                };
                u64::from(self.line(asked)[other as usize])
            }
            _ => self.people_with_all(image, enough),
        }
    }

    fn people_with_all(&self, image: &[u32], enough: u64) -> u64 {
        let mut lists: Vec<&[u32]> =
            image.iter().map(|cluster| self.rows[*cluster as usize].as_slice()).collect();
        lists.sort_by_key(|list| list.len());
        let Some((rarest, others)) = lists.split_first() else { return 0 };
        let (mut people, mut last) = (0, usize::MAX);
        for row in *rarest {
            let crowd = self.index.crowd(*row);
            if crowd != last && others.iter().all(|list| list.binary_search(row).is_ok()) {
                last = crowd;
                people += u64::from(self.index.baskets().weight(crowd));
                if people >= enough {
                    break;
                }
            }
        }
        people
    }

    /// How many people have the cluster in a record with each other cluster.
    pub fn line(&mut self, cluster: u32) -> &[u32] {
        if self.lines[cluster as usize].is_none() {
            if (self.kept_lines + 1).saturating_mul(self.members.len()) > COUNTERS {
                self.lines.fill(None);
                self.kept_lines = 0;
            }
            self.kept_lines += 1;
            let line = self.beside(cluster);
            self.lines[cluster as usize] = Some(line);
        }
        self.lines[cluster as usize].as_deref().unwrap_or_default()
    }

    /// Counts the line of a cluster: one look at every record that has it.
    pub fn beside(&self, cluster: u32) -> Vec<u32> {
        let mut people = vec![0_u32; self.members.len()];
        let mut last = vec![NONE; self.members.len()];
        for row in &self.rows[cluster as usize] {
            let crowd = self.index.crowd(*row);
            for item in self.index.baskets().row(*row as usize) {
                let other = self.cluster_of[*item as usize];
                if other != NONE && last[other as usize] != crowd as u32 {
                    last[other as usize] = crowd as u32;
                    people[other as usize] += self.index.baskets().weight(crowd);
                }
            }
        }
        people
    }

    /// People who have an item of one or the other. Somebody with one in one record and the other in another counts twice.
    pub fn people_of_both(&mut self, cluster: u32, other: u32) -> u64 {
        let together = u64::from(self.line(cluster)[other as usize]);
        self.people(cluster) + self.people(other) - together
    }

    /// Makes two clusters one; the one with the lower number is left.
    pub fn merge(&mut self, a: u32, b: u32) -> u32 {
        let (kept, gone) = (a.min(b), a.max(b));
        let moved = std::mem::take(&mut self.members[gone as usize]);
        for item in &moved {
            self.cluster_of[*item as usize] = kept;
        }
        self.members[kept as usize].extend(moved);
        self.members[kept as usize].sort_unstable();
        let others = std::mem::take(&mut self.rows[gone as usize]);
        self.rows[kept as usize] = union(&self.rows[kept as usize], &others);
        self.people[kept as usize] = self.index.people_of(&self.rows[kept as usize]).0;
        self.people[gone as usize] = 0;
        let line = self.beside(kept);
        for (other, kept_line) in self.lines.iter_mut().enumerate() {
            if let Some(kept_line) = kept_line {
                kept_line[kept as usize] = line[other];
                kept_line[gone as usize] = 0;
            }
        }
        self.kept_lines += usize::from(self.lines[kept as usize].is_none());
        self.kept_lines -= usize::from(self.lines[gone as usize].take().is_some());
        self.lines[kept as usize] = Some(line);
        kept
    }

    /// Takes a cluster out of the release.
    pub fn suppress(&mut self, cluster: u32) {
        for item in std::mem::take(&mut self.members[cluster as usize]) {
            self.cluster_of[item as usize] = NONE;
        }
        self.rows[cluster as usize] = Vec::new();
        self.people[cluster as usize] = 0;
        self.kept_lines -= usize::from(self.lines[cluster as usize].take().is_some());
        for line in self.lines.iter_mut().flatten() {
            line[cluster as usize] = 0;
        }
    }

    /// What the records show of some clusters: every different part of `image` that a record holds.
    pub fn shares(&self, image: &[u32]) -> Vec<Vec<u32>> {
        let mut rows: Vec<u32> =
            image.iter().flat_map(|cluster| self.rows[*cluster as usize].iter().copied()).collect();
        rows.sort_unstable();
        rows.dedup();
        let share = |row: &u32| {
            let held = self.image(self.index.baskets().row(*row as usize));
            held.into_iter().filter(|cluster| image.contains(cluster)).collect::<Vec<u32>>()
        };
        let mut shares: Vec<Vec<u32>> = rows.iter().map(share).collect();
        shares.sort_unstable();
        shares.dedup();
        shares
    }
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut both = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        both.push(a[i].min(b[j]));
        let (from_a, from_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(from_a);
        j += usize::from(from_b);
    }
    both.extend_from_slice(&a[i..]);
    both.extend_from_slice(&b[j..]);
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::baskets::plain;
    use throng_data::{Dataset, EventKind};

    fn clusters(records: &[(&str, &str)]) -> Clusters {
        let split =
            records.iter().map(|(who, word)| (*who, word.split("").filter(|letter| !letter.is_empty())));
        let data = Dataset::from_records(EventKind::Set, split);
        Clusters::singletons(Baskets::of(&data.events, &plain(data.items.len()), &[]), data.items.len())
    }

    #[test]
    fn lines_follow_merges_and_suppression() {
        // Items a=0 b=1 c=2 d=3.
        let records = [("p", "abc"), ("q", "acd"), ("r", "bd"), ("s", "ab"), ("s", "cd"), ("t", "d")];
        let mut clusters = clusters(&records);
        assert_eq!(clusters.line(0), [3, 2, 2, 1]);
        assert_eq!((clusters.support(&[0, 1], 9), clusters.support(&[0, 2, 3], 9)), (2, 1));
        assert_eq!(clusters.merge(2, 1), 1);
        for cluster in [0, 1, 3] {
            assert_eq!(clusters.line(cluster).to_vec(), clusters.beside(cluster), "{cluster}");
        }
        assert_eq!(
            (clusters.people(1), clusters.support(&[0, 1], 9), clusters.support(&[1, 3], 9)),
            (4, 3, 3)
        );
        assert_eq!(clusters.people_of_both(0, 3), 3 + 4 - 1);
        clusters.suppress(0);
        assert_eq!(clusters.line(1), [0, 4, 0, 3]);
        assert_eq!(clusters.image(&[0, 1, 2]), [1]);
        assert_eq!(clusters.shares(&[1, 3]), [vec![1], vec![1, 3], vec![3]]);
    }
}
