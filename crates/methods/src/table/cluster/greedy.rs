//! The greedy clustering of one bucket of rows.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use throng_contract::{Cancelled, Progress};

use super::super::demands::{Counter, Demands};
use super::super::rows::Layout;
use super::neighbours::{Costs, Region};

/// People who are published alike.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// Their rows, by place in the bucket they came from or, later, in the whole.
    pub rows: Vec<u32>,
    /// The smallest cells that cover them.
    pub region: Region,
    /// Whether they satisfy all demands.
    pub good: bool,
}

/// What clustering needs to know.
#[derive(Clone, Copy)]
pub struct Greedy<'a> {
    /// What merging costs.
    pub costs: &'a Costs<'a>,
    /// What is asked of a cluster.
    pub demands: &'a Demands,
    /// How rows lie in memory.
    pub layout: Layout,
    /// Whether clusters grow by the person who widens them least, and not by the person nearest to the seed.
    pub grows: bool,
}

/// A growing cluster looks at so many times as many people as it needs.
const NEAR: usize = 4;

impl Greedy<'_> {
    /// Clusters the rows `begin..end` of all rows: a seed and the people who join it, again and again; a person who is left
    /// joins the cluster that widens least.
    pub fn clusters(
        &self,
        words: &[u32],
        (begin, end): (usize, usize),
        random: &mut ChaCha8Rng,
        progress: &Progress,
    ) -> Result<Vec<Cluster>, Cancelled> {
        let k = self.demands.k as usize;
        let mut left: Vec<u32> = (begin as u32..end as u32).collect();
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut near: Vec<(f64, u32, u32)> = Vec::new();
        let mut farthest: Option<u32> = None;
        while left.len() >= k {
            progress.check()?;
            let chosen = farthest.and_then(|far| left.iter().position(|row| *row == far));
            let at = chosen.unwrap_or_else(|| below(random, left.len()));
            let seed = left.swap_remove(at);
            let row = self.row(words, seed);
            near.clear();
            let mut most: Option<(f64, u32)> = None;
            for (place, other) in (0..).zip(&left) {
                let candidate = self.row(words, *other);
                let distance = self.costs.pair(row, candidate);
                near.push((distance, candidate[self.layout.stride - 1], place));
                if most.is_none_or(|(far, _)| distance > far) {
                    most = Some((distance, *other));
                }
            }
            farthest = most.filter(|_| self.grows).map(|(_, row)| row);
            let order = |a: &(f64, u32, u32), b: &(f64, u32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            let wanted = if self.grows { NEAR * k } else { k - 1 };
            if !self.demands.only_size() {
                near.sort_unstable_by(order);
            } else if near.len() > wanted {
                near.select_nth_unstable_by(wanted, order);
                near.truncate(wanted);
            }
            if self.grows {
                self.grow(words, row, &left, &mut near);
            }
            let (taken, good) = self.choose(words, seed, &left, &near);
            let mut region = self.costs.region(row);
            let mut rows = vec![seed];
            let mut places: Vec<u32> = taken;
            places.sort_unstable_by(|a, b| b.cmp(a));
            for place in places {
                let other = left.swap_remove(place as usize);
                self.costs.cover(&mut region, self.row(words, other));
                rows.push(other);
            }
            clusters.push(Cluster { rows, region, good });
        }
        self.assign(words, left, &mut clusters);
        Ok(clusters)
    }

    fn row<'w>(&self, words: &'w [u32], row: u32) -> &'w [u32] {
        &words[row as usize * self.layout.stride..][..self.layout.stride]
    }

    /// Brings those to the front who should join a seed: one after another, always the person who widens the cluster least.
    fn grow(&self, words: &[u32], seed: &[u32], left: &[u32], near: &mut [(f64, u32, u32)]) {
        let k = self.demands.k as usize;
        let among = near.len().min(NEAR * k);
        let mut region = self.costs.region(seed);
        for next in 0..among.min(k - 1) {
            let mut best: Option<((f64, f64, u32), usize)> = None;
            for (at, (distance, person, place)) in near[..among].iter().enumerate().skip(next) {
                let row = self.row(words, left[*place as usize]);
                let key = (self.costs.loss_with(&region, row), *distance, *person);
                if best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, at));
                }
            }
            if let Some((_, at)) = best {
                near.swap(next, at);
                self.costs.cover(&mut region, self.row(words, left[near[next].2 as usize]));
            }
        }
    }

    /// The places of the rows to take: the first k-1, then those that bring sensitive values the cluster has too few
    /// of, until the demands are met.
    fn choose(&self, words: &[u32], seed: u32, left: &[u32], near: &[(f64, u32, u32)]) -> (Vec<u32>, bool) {
        let k = self.demands.k as usize;
        let mut taken: Vec<u32> = near.iter().take(k - 1).map(|(_, _, place)| *place).collect();
        if self.demands.only_size() {
            return (taken, true);
        }
        let mut members: Vec<u32> = taken.iter().map(|place| left[*place as usize]).chain([seed]).collect();
        let mut counter = Counter::default();
        let mut good = self.good(words, &members, &mut counter);
        // No more than a few times k: a cluster that is still not good enough is merged later.
        let most = (4 * k).max(64);
        for (_, _, place) in near.iter().skip(k - 1) {
            if good || members.len() >= most {
                break;
            }
            let row = left[*place as usize];
            if self.brings(words, &members, row) {
                taken.push(*place);
                members.push(row);
                good = self.good(words, &members, &mut counter);
            }
        }
        (taken, good)
    }

    /// Whether a row has a sensitive value that is rarer in the cluster than among all people.
    fn brings(&self, words: &[u32], members: &[u32], row: u32) -> bool {
        let people = words.len() / self.layout.stride;
        self.demands.secrets.iter().enumerate().any(|(number, secret)| {
            let at = self.layout.quasi + number;
            let value = self.row(words, row)[at];
            let here = members.iter().filter(|member| self.row(words, **member)[at] == value).count();
            here as u64 * (people as u64) < u64::from(secret.overall[value as usize]) * members.len() as u64
        })
    }

    /// Whether rows satisfy all demands.
    pub fn good(&self, words: &[u32], rows: &[u32], counter: &mut Counter) -> bool {
        rows.len() >= self.demands.k as usize
            && self.demands.secrets.iter().enumerate().all(|(number, secret)| {
                let at = self.layout.quasi + number;
                let values = counter.tally(rows.iter().map(|row| self.row(words, *row)[at]));
                self.demands.known_diverse(secret, values)
                    && self.demands.close(secret, values, &secret.overall)
            })
    }

    /// Gives every row that is left to the cluster that loses least by it.
    pub fn assign(&self, words: &[u32], left: Vec<u32>, clusters: &mut Vec<Cluster>) {
        for row in left {
            let codes = self.row(words, row);
            let increase = |cluster: &Cluster| {
                let before = self.costs.loss(&cluster.region) * cluster.rows.len() as f64;
                self.costs.loss_with(&cluster.region, codes) * (cluster.rows.len() + 1) as f64 - before
            };
            let mut best: Option<(f64, usize)> = None;
            for (number, cluster) in clusters.iter().enumerate() {
                let more = increase(cluster);
                if best.is_none_or(|(least, _)| more < least) {
                    best = Some((more, number));
                }
            }
            match best {
                Some((_, number)) => {
                    let cluster = &mut clusters[number];
                    self.costs.cover(&mut cluster.region, codes);
                    cluster.rows.push(row);
                    if !self.demands.only_size() {
                        cluster.good = self.good(words, &cluster.rows, &mut Counter::default());
                    }
                }
                None => {
                    let good = self.good(words, &[row], &mut Counter::default());
                    clusters.push(Cluster { rows: vec![row], region: self.costs.region(codes), good });
                }
            }
        }
    }

    /// Merges every cluster that is not good enough with the one that is cheapest to merge with, until all are, or one is left.
    pub fn repair(
        &self,
        words: &[u32],
        clusters: &mut Vec<Cluster>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let mut counter = Counter::default();
        while let Some(bad) = clusters.iter().position(|cluster| !cluster.good) {
            progress.check()?;
            if clusters.len() == 1 {
                return Ok(());
            }
            let Cluster { rows, region, .. } = clusters.swap_remove(bad);
            let total = |region: &Region, rows: usize| self.costs.loss(region) * rows as f64;
            let own = total(&region, rows.len());
            let mut best: Option<(f64, usize)> = None;
            for (number, cluster) in clusters.iter().enumerate() {
                let all = (rows.len() + cluster.rows.len()) as f64;
                let more = self.costs.loss_joined(&cluster.region, &region) * all
                    - total(&cluster.region, cluster.rows.len())
                    - own;
                if best.is_none_or(|(least, _)| more < least) {
                    best = Some((more, number));
                }
            }
            if let Some((_, number)) = best {
                let cluster = &mut clusters[number];
                self.costs.join(&mut cluster.region, &region);
                cluster.rows.extend(rows);
                cluster.good = self.good(words, &cluster.rows, &mut counter);
            }
        }
        Ok(())
    }
}

/// A random number below `limit`.
fn below(random: &mut ChaCha8Rng, limit: usize) -> usize {
    ((u128::from(random.next_u64()) * limit as u128) >> 64) as usize
}
