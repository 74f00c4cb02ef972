//! How far apart two groups of places are, in space and in meaning.
//!
//! The papers define the distance of two places but not of two groups of them; average linkage agrees with the
//! papers' own loss (the mean distance of a place to the members of its group), so it is the default.

use rayon::prelude::*;
use throng_contract::choices;
use throng_data::{ItemId, NodeId, Places, Point, Taxonomy};

use super::groups::Groups;
use super::kin::Kin;
use super::neighbours::{Neighbours, apart};

choices! {
    /// How the distance of two groups follows from the distances of their members.
    pub enum Linkage {
        /// The mean over all pairs.
        Average = "average",
        /// The distance of the mean points.
        Centroid = "centroid",
        /// The closest pair.
        Single = "single",
        /// The farthest pair.
        Complete = "complete",
    }
}

/// Up to this many items all distances are kept (32 MB); beyond, they are computed when asked for.
const MATRIX_ITEMS: usize = 2_048;

/// Beyond that many items, so many members stand for a larger group when its distances are computed.
const REPRESENTATIVES: usize = 16;

/// Distances between the groups of a partition, kept in step with its merges.
#[derive(Debug)]
pub struct Proximity<'a> {
    space: Option<Space<'a>>,
    meaning: Option<Meaning<'a>>,
}

#[derive(Debug)]
struct Space<'a> {
    places: &'a Places,
    linkage: Linkage,
    centroids: Vec<[f64; 2]>,
    /// Each item's point on a sphere or plane, as far as distances need it.
    points: Vec<Point>,
    /// Each item's point in space, when there are neighbours to be found.
    in_space: Vec<[f64; 3]>,
    /// Row-major distances between groups; empty when there are too many items to keep them.
    matrix: Vec<f64>,
    /// Where groups are, when there are too many items to look at all: never farther apart than the groups.
    neighbours: Option<Neighbours>,
    items: usize,
}

#[derive(Debug)]
struct Meaning<'a> {
    taxonomy: &'a Taxonomy,
    /// The lowest common ancestor of each group.
    nodes: Vec<NodeId>,
    /// Where groups are in the taxonomy, when nothing else counts.
    kin: Option<Kin>,
}

impl<'a> Proximity<'a> {
    /// Distances of singleton groups. Without places every two groups are at distance 1; with a taxonomy (and the
    /// leaf of each item) the distance is multiplied by the share of the taxonomy's leaves a merged group would span.
    pub fn new(places: Option<(&'a Places, Linkage)>, taxonomy: Option<(&'a Taxonomy, Vec<NodeId>)>) -> Self {
        let alone = places.is_none();
        let meaning = |(taxonomy, nodes): (&'a Taxonomy, Vec<NodeId>)| Meaning {
            kin: alone.then(|| Kin::new(taxonomy, &nodes)),
            taxonomy,
            nodes,
        };
        let space = |(places, linkage): (&'a Places, Linkage)| {
            let matrix = Distances::of(places, linkage).map_or(Vec::new(), |distances| distances.matrix);
            Space::new(places, linkage, matrix, places.points.len() > MATRIX_ITEMS)
        };
        Proximity { space: places.map(space), meaning: taxonomy.map(meaning) }
    }

    /// Distances of singleton groups of some items, as if all of them were there. `places` are those of `some` items, of whom there are
    /// `all` with the distances `known`.
    pub fn among(
        places: &'a Places,
        linkage: Linkage,
        some: &[ItemId],
        all: usize,
        known: Option<&Distances>,
    ) -> Self {
        let matrix = known.map_or(Vec::new(), |known| known.among(some));
        Proximity { space: Some(Space::new(places, linkage, matrix, all > MATRIX_ITEMS)), meaning: None }
    }

    /// The distance of two groups.
    pub fn between(&self, groups: &Groups, a: u32, b: u32) -> f64 {
        let distance = self.space.as_ref().map_or(1.0, |space| space.between(groups, a, b));
        distance * self.meaning.as_ref().map_or(1.0, |meaning| meaning.dissimilarity(a, b))
    }

    /// The group nearest to `group` among those that `allowed` lets through: ties go to the group with fewer people,
    /// then to the one that occurs first.
    pub fn nearest(
        &self,
        groups: &Groups,
        group: u32,
        allowed: impl Fn(u32) -> bool + Sync,
    ) -> Option<(u32, f64)> {
        let measure = |other: u32| (other, self.between(groups, group, other));
        let closer = |a: &(u32, f64), b: &(u32, f64)| {
            coarse(a.1)
                .total_cmp(&coarse(b.1))
                .then_with(|| (groups.support(a.0), a.0).cmp(&(groups.support(b.0), b.0)))
        };
        let candidate = |other: u32| other != group && !groups.members(other).is_empty() && allowed(other);
        if let (Some(space @ Space { neighbours: Some(neighbours), .. }), None) = (&self.space, &self.meaning)
        {
            let mut best: Option<(u32, f64)> = None;
            neighbours.near(group, &mut |other| {
                let limit = best.map_or(f64::INFINITY, |(_, distance)| distance);
                if !candidate(other) || neighbours.is_beyond(space.at_least(groups, group, other), limit) {
                    return limit;
                }
                best = best.into_iter().chain([measure(other)]).min_by(closer);
                best.map_or(f64::INFINITY, |(_, distance)| distance)
            });
            return best;
        }
        if let Some(Meaning { taxonomy, nodes, kin: Some(kin) }) = &self.meaning {
            let mut best: Option<(u32, f64)> = None;
            kin.near(taxonomy, nodes[group as usize], &mut |other| {
                let offer = candidate(other).then(|| measure(other));
                best = best.into_iter().chain(offer).min_by(closer);
                best.is_some()
            });
            return best;
        }
        let candidates: Vec<u32> = groups.all().filter(|other| candidate(*other)).collect();
        if self.space.as_ref().is_some_and(|space| space.matrix.is_empty()) {
            candidates.par_iter().map(|other| measure(*other)).min_by(closer)
        } else {
            candidates.into_iter().map(measure).min_by(closer)
        }
    }

    /// Takes note that `a` and `b` are about to become one group. To be called before [`Groups::merge`].
    pub fn merge(&mut self, groups: &Groups, a: u32, b: u32) {
        if let Some(space) = &mut self.space {
            space.merge(groups, a, b);
        }
        if let Some(meaning) = &mut self.meaning {
            let (kept, gone) = (a.min(b), a.max(b));
            let [from, other] = [kept, gone].map(|group| meaning.nodes[group as usize]);
            let to = meaning.taxonomy.lca(from, other);
            if let Some(kin) = &mut meaning.kin {
                kin.place(kept, from, to);
                kin.forget(gone, other);
            }
            meaning.nodes[kept as usize] = to;
        }
    }
}

/// The distances of all pairs of items, row by row.
#[derive(Debug)]
pub struct Distances {
    items: usize,
    matrix: Vec<f64>,
}

impl Distances {
    /// All distances, unless there are too many or none are needed. Each is computed once and mirrored.
    pub fn of(places: &Places, linkage: Linkage) -> Option<Self> {
        let items = places.points.len();
        if items > MATRIX_ITEMS || linkage == Linkage::Centroid {
            return None;
        }
        let rows: Vec<Vec<f64>> = (0..items as ItemId)
            .into_par_iter()
            .map(|a| (a..items as ItemId).map(|b| places.distance(a, b)).collect())
            .collect();
        let mut matrix = vec![0.0; items * items];
        for (a, row) in rows.iter().enumerate() {
            for (step, distance) in row.iter().enumerate() {
                matrix[a * items + a + step] = *distance;
                matrix[(a + step) * items + a] = *distance;
            }
        }
        Some(Distances { items, matrix })
    }

    /// The distances among some items.
    fn among(&self, some: &[ItemId]) -> Vec<f64> {
        let row = |a: &ItemId| &self.matrix[*a as usize * self.items..(*a as usize + 1) * self.items];
        some.iter().flat_map(|a| some.iter().map(|b| row(a)[*b as usize])).collect()
    }
}

/// A distance without its last twelve bits, so that sums taken in another order still tie.
fn coarse(distance: f64) -> f64 {
    f64::from_bits((distance.to_bits() + (1 << 11)) & !((1 << 12) - 1))
}

impl<'a> Space<'a> {
    /// `matrix` are all distances; without them, they are computed when asked for.
    fn new(places: &'a Places, linkage: Linkage, matrix: Vec<f64>, many: bool) -> Self {
        let items = places.points.len();
        // The mean and the farthest of all pairs are no less than the distance of the middles; the closest pair may be.
        let find = many && linkage != Linkage::Single;
        let in_space: Vec<[f64; 3]> = match find {
            true => places.points.iter().map(|point| places.system.in_space(*point)).collect(),
            false => Vec::new(),
        };
        let points = places.points.iter().map(|point| places.system.prepared(*point)).collect();
        let neighbours = find.then(|| Neighbours::new(in_space.clone()));
        Space {
            places,
            linkage,
            centroids: places.points.clone(),
            points,
            in_space,
            matrix,
            neighbours,
            items,
        }
    }

    fn between(&self, groups: &Groups, a: u32, b: u32) -> f64 {
        if self.linkage == Linkage::Centroid {
            return self.places.system.distance(self.centroids[a as usize], self.centroids[b as usize]);
        }
        if !self.matrix.is_empty() {
            return self.matrix[a as usize * self.items + b as usize];
        }
        let (first, second) = (groups.members(a), groups.members(b));
        let apart = |x: ItemId, y: ItemId| self.points[x as usize].distance(&self.points[y as usize]);
        let pairs = || representatives(first).flat_map(|x| representatives(second).map(move |y| apart(x, y)));
        self.join(pairs(), representatives(first).len() * representatives(second).len())
    }

    /// A distance that two groups are at least apart, without looking at angles: straight through the earth.
    fn at_least(&self, groups: &Groups, a: u32, b: u32) -> f64 {
        let (first, second) = (groups.members(a), groups.members(b));
        // Of two single items it was looked at already.
        if self.linkage == Linkage::Centroid || first.len() * second.len() == 1 {
            return 0.0;
        }
        let apart = |x: ItemId, y: ItemId| apart(self.in_space[x as usize], self.in_space[y as usize]);
        let pairs = || representatives(first).flat_map(|x| representatives(second).map(move |y| apart(x, y)));
        self.join(pairs(), representatives(first).len() * representatives(second).len())
    }

    /// The distance of two groups from those of their members.
    fn join(&self, pairs: impl Iterator<Item = f64>, count: usize) -> f64 {
        match self.linkage {
            Linkage::Single => pairs.fold(f64::INFINITY, f64::min),
            Linkage::Complete => pairs.fold(0.0, f64::max),
            Linkage::Average | Linkage::Centroid => pairs.sum::<f64>() / count as f64,
        }
    }

    fn merge(&mut self, groups: &Groups, a: u32, b: u32) {
        let (size_a, size_b) = (groups.members(a).len() as f64, groups.members(b).len() as f64);
        let weigh = |of_a: f64, of_b: f64| (size_a * of_a + size_b * of_b) / (size_a + size_b);
        let (kept, a, b) = (a.min(b) as usize, a as usize, b as usize);
        let (from_a, from_b) = (self.centroids[a], self.centroids[b]);
        self.centroids[kept] = [weigh(from_a[0], from_b[0]), weigh(from_a[1], from_b[1])];
        self.move_neighbours(groups, kept, a.max(b));
        if self.matrix.is_empty() {
            return;
        }
        for other in 0..self.items {
            let (of_a, of_b) = (self.matrix[a * self.items + other], self.matrix[b * self.items + other]);
            let joined = match self.linkage {
                Linkage::Single => of_a.min(of_b),
                Linkage::Complete => of_a.max(of_b),
                Linkage::Average | Linkage::Centroid => weigh(of_a, of_b),
            };
            self.matrix[kept * self.items + other] = joined;
            self.matrix[other * self.items + kept] = joined;
        }
    }
}

impl Space<'_> {
    /// Two groups are about to become one.
    fn move_neighbours(&mut self, groups: &Groups, kept: usize, gone: usize) {
        let Some(neighbours) = &mut self.neighbours else { return };
        if neighbours.is_worn() {
            neighbours.build(groups.all().collect());
        }
        let system = self.places.system;
        let position = match self.linkage {
            Linkage::Centroid => system.in_space(self.centroids[kept]),
            _ => {
                let mut members = [groups.members(kept as u32), groups.members(gone as u32)].concat();
                members.sort_unstable();
                let members = representatives(&members);
                let count = members.len() as f64;
                let mut middle = [0.0; 3];
                for item in members {
                    let point = self.in_space[item as usize];
                    (0..3).for_each(|axis| middle[axis] += point[axis]);
                }
                middle.map(|sum| sum / count)
            }
        };
        neighbours.place(kept as u32, position);
        neighbours.forget(gone as u32);
    }
}

/// The members of a small group, or some of a large one, evenly along its list.
fn representatives(members: &[ItemId]) -> impl ExactSizeIterator<Item = ItemId> {
    let count = members.len().min(REPRESENTATIVES);
    (0..count).map(move |number| members[number * members.len() / count])
}

impl Meaning<'_> {
    /// The share of the taxonomy's leaves below the lowest node that spans both groups.
    fn dissimilarity(&self, a: u32, b: u32) -> f64 {
        let node = self.taxonomy.lca(self.nodes[a as usize], self.nodes[b as usize]);
        f64::from(self.taxonomy.leaf_count(node)) / f64::from(self.taxonomy.leaves())
    }
}

#[cfg(test)]
mod tests;
