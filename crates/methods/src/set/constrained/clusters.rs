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
}

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
        Clusters { index, cluster_of, members, rows, people }
    }

    /// The rows that hold an item of the cluster, ascending.
    pub fn rows(&self, cluster: u32) -> &[u32] {
        &self.rows[cluster as usize]
    }

    /// The crowd whose a row is, how many people that is, and the row's items.
    #[inline]
    pub fn basket(&self, row: u32) -> (u32, u32, &[ItemId]) {
        let crowd = self.index.crowd(row);
        let baskets = self.index.baskets();
        (crowd as u32, baskets.weight(crowd), baskets.row(row as usize))
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

    /// People who have all the clusters in one record; of two and more clusters counted up to `enough`.
    pub fn support(&self, image: &[u32], enough: u64) -> u64 {
        if let [only] = image {
            return self.people(*only);
        }
        let mut lists: Vec<&[u32]> = image.iter().map(|cluster| self.rows(*cluster)).collect();
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
        kept
    }

    /// Takes a cluster out of the release.
    pub fn suppress(&mut self, cluster: u32) {
        for item in std::mem::take(&mut self.members[cluster as usize]) {
            self.cluster_of[item as usize] = NONE;
        }
        self.rows[cluster as usize] = Vec::new();
        self.people[cluster as usize] = 0;
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
    use super::super::line::Line;
    use super::*;
    use crate::set::baskets::plain;
    use throng_data::{Dataset, EventKind};

    fn clusters(records: &[(&str, &str)]) -> Clusters {
        let split =
            records.iter().map(|(who, word)| (*who, word.split("").filter(|letter| !letter.is_empty())));
        let data = Dataset::from_records(EventKind::Set, split);
        Clusters::singletons(Baskets::of(&data.events, &plain(data.items.len()), &[]), data.items.len())
    }

    fn line(clusters: &Clusters, cluster: u32) -> Vec<u64> {
        let mut line = Line::new(4);
        line.fill(clusters, 3);
        line.fill(clusters, cluster);
        (0..4).map(|other| line.of(other)).collect()
    }

    #[test]
    fn supports_follow_merges_and_suppression() {
        // Items a=0 b=1 c=2 d=3.
        let records = [("p", "abc"), ("q", "acd"), ("r", "bd"), ("s", "ab"), ("s", "cd"), ("t", "d")];
        let mut clusters = clusters(&records);
        assert_eq!(line(&clusters, 0), [3, 2, 2, 1]);
        assert_eq!((clusters.support(&[0, 1], 9), clusters.support(&[0, 2, 3], 9)), (2, 1));
        assert_eq!(clusters.merge(2, 1), 1);
        assert_eq!((line(&clusters, 1), line(&clusters, 3)), (vec![3, 4, 0, 3], vec![1, 3, 0, 4]));
        assert_eq!(
            (clusters.people(1), clusters.support(&[0, 1], 9), clusters.support(&[1, 3], 9)),
            (4, 3, 3)
        );
        clusters.suppress(0);
        assert_eq!(line(&clusters, 1), [0, 4, 0, 3]);
        assert_eq!(clusters.image(&[0, 1, 2]), [1]);
        assert_eq!(clusters.shares(&[1, 3]), [vec![1], vec![1, 3], vec![3]]);
    }
}
