//! Clusters of people, what their cells and items are like, and what a merge does to the whole.
//!
//! The loss of the columns is the mean over people of the mean NCP of their cells. It is kept as a sum over clusters, and a merge
//! changes it by what the two clusters lose more.

use super::likeness::{Likeness, Sets};
use crate::table::cluster::neighbours::{Costs, Region};
use crate::table::quasi::Quasi;

/// Sums of losses this much above a bound are rounding.
const ROUNDING: f64 = 1e-9;

/// People who are published alike.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    /// Who they are, ascending.
    pub people: Vec<u32>,
    region: Region,
    /// NCP of each person's row.
    loss: f64,
    /// What they have.
    sets: Sets,
    /// The largest distance among them.
    spread: f64,
}

/// All clusters. A cluster that was merged into another leaves its place empty.
#[derive(Debug)]
pub(super) struct Clusters<'a> {
    costs: Costs<'a>,
    quasi: &'a [Quasi],
    likeness: &'a Likeness,
    places: Vec<Option<Cluster>>,
    alive: usize,
    people: u64,
    /// The sum of everybody's NCP.
    lost: f64,
    /// What the sum may become.
    most: f64,
}

impl<'a> Clusters<'a> {
    /// The clusters of these people. `most` is the largest mean loss that a merge may lead to.
    pub fn new(quasi: &'a [Quasi], likeness: &'a Likeness, groups: Vec<Vec<u32>>, most: Option<f64>) -> Self {
        let costs = Costs::new(quasi);
        let people = groups.iter().map(Vec::len).sum::<usize>();
        let most = most.map_or(f64::INFINITY, |most| most * people as f64);
        let mut clusters = Clusters {
            costs,
            quasi,
            likeness,
            places: Vec::new(),
            alive: 0,
            people: people as u64,
            lost: 0.0,
            most,
        };
        for mut people in groups.into_iter().filter(|group| !group.is_empty()) {
            people.sort_unstable();
            let row = |person: u32| -> Vec<u32> {
                quasi.iter().map(|quasi| quasi.codes[person as usize]).collect()
            };
            let mut region = clusters.costs.region(&row(people[0]));
            people[1..].iter().for_each(|person| clusters.costs.cover(&mut region, &row(*person)));
            let loss = clusters.costs.loss(&region) / quasi.len() as f64;
            let sets = likeness.sets(&people);
            let spread = likeness.within(&sets);
            clusters.lost += loss * people.len() as f64;
            clusters.places.push(Some(Cluster { people, region, loss, sets, spread }));
        }
        clusters.alive = clusters.places.len();
        clusters
    }

    /// The number of a cluster is below this.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// The numbers of all clusters, ascending.
    pub fn alive(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.places).filter(|(_, cluster)| cluster.is_some()).map(|(number, _)| number)
    }

    /// Whether a cluster was not merged into another.
    pub fn is_alive(&self, cluster: u32) -> bool {
        self.places[cluster as usize].is_some()
    }

    fn at(&self, cluster: u32) -> &Cluster {
        self.places[cluster as usize].as_ref().expect("a cluster is asked for only while it is there")
    }

    /// The people of a cluster, ascending.
    pub fn people(&self, cluster: u32) -> &[u32] {
        &self.at(cluster).people
    }

    /// NCP of each row of a cluster.
    pub fn loss(&self, cluster: u32) -> f64 {
        self.at(cluster).loss
    }

    /// The largest distance among the people of a cluster.
    pub fn spread(&self, cluster: u32) -> f64 {
        self.at(cluster).spread
    }

    /// The largest distance among the people of two clusters.
    pub fn spread_joined(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (self.at(a), self.at(b));
        self.likeness.between(&a.sets, &b.sets, a.spread.max(b.spread))
    }

    /// Mean NCP of everybody's rows.
    pub fn mean_loss(&self) -> f64 {
        self.lost / self.people.max(1) as f64
    }

    /// Whether the bound is kept as it is.
    pub fn is_within_bound(&self) -> bool {
        self.lost <= self.most + ROUNDING * self.people as f64
    }

    /// NCP of each row if two clusters were one.
    pub fn loss_joined(&self, a: u32, b: u32) -> f64 {
        self.costs.loss_joined(&self.at(a).region, &self.at(b).region) / self.quasi.len() as f64
    }

    /// What each row of a cluster loses at least together with one that reaches so far.
    pub fn at_least(&self, cluster: u32, reach: &[(u32, u32)]) -> f64 {
        self.costs.at_least(&self.at(cluster).region, reach) / self.quasi.len() as f64
    }

    /// Whether two clusters may be merged without leaving the bound.
    pub fn fits(&self, a: u32, b: u32) -> bool {
        if self.most == f64::INFINITY {
            return true;
        }
        self.lost + self.grows_by(a, b) <= self.most + ROUNDING * self.people as f64
    }

    /// Whether a cluster may be merged with some other if its rows then lose so much: the other's rows lose no less than before.
    pub fn might_fit(&self, cluster: u32, loss: f64) -> bool {
        let Cluster { people, loss: before, .. } = self.at(cluster);
        self.lost + people.len() as f64 * (loss - before) <= self.most + ROUNDING * self.people as f64
    }

    fn grows_by(&self, a: u32, b: u32) -> f64 {
        let joined = self.loss_joined(a, b);
        let (a, b) = (self.at(a), self.at(b));
        a.people.len() as f64 * (joined - a.loss) + b.people.len() as f64 * (joined - b.loss)
    }

    /// Merges one cluster into another.
    pub fn merge(&mut self, kept: u32, gone: u32) {
        let (grown, spread) = (self.grows_by(kept, gone), self.spread_joined(kept, gone));
        let Some(other) = self.places[gone as usize].take() else { return };
        self.alive -= 1;
        self.lost += grown;
        let Some(cluster) = self.places[kept as usize].as_mut() else { return };
        self.costs.join(&mut cluster.region, &other.region);
        cluster.loss = self.costs.loss(&cluster.region) / self.quasi.len() as f64;
        cluster.sets = self.likeness.joined(&cluster.sets, &other.sets);
        cluster.spread = spread;
        cluster.people.extend(other.people);
        cluster.people.sort_unstable();
    }

    /// Smallest and largest code of each column of a cluster.
    pub fn bounds(&self, cluster: u32) -> &[(u32, u32)] {
        self.at(cluster).region.bounds()
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.quasi.len()
    }

    /// Different values of a column.
    pub fn width(&self, column: usize) -> f64 {
        self.quasi[column].len().max(1) as f64
    }

    /// The people of all clusters, cluster by cluster.
    pub fn into_groups(self) -> Vec<Vec<u32>> {
        self.places.into_iter().flatten().map(|cluster| cluster.people).collect()
    }
}
