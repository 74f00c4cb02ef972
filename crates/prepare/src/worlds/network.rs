//! The road network of the Oldenburg world, with the published size of that of the papers' generator: 6,105 nodes and 7,035
//! edges. It is drawn, not surveyed: junctions of a bent lattice, and streets between them with nodes where they bend.

use rayon::prelude::*;

use super::draw::Draw;
use super::roads::{MAP, distance, ways_to};

/// Junctions along each side of the map.
const SIDE: usize = 32;

/// Number of junctions, which are the first nodes.
pub(super) const JUNCTIONS: usize = SIDE * SIDE;

/// Nodes of the network, junctions and bends.
const NODES: usize = 6_105;

/// Stretches between neighbouring nodes.
const EDGES: usize = 7_035;

/// The network is the same whatever the seed of its people.
const MAP_SEED: u64 = 6_105;

/// Junctions, bends and stretches, and the quickest way between any two junctions.
pub(super) struct Network {
    /// Where each node is; junctions come first.
    pub(super) points: Vec<[f64; 2]>,
    /// The stretches, as pairs of nodes.
    pub(super) edges: Vec<[usize; 2]>,
    /// For each destination, costs from all junctions and the next junction on the quickest way.
    ways: Vec<(Vec<f64>, Vec<u16>)>,
}

impl Network {
    pub(super) fn new() -> Self {
        let mut draw = Draw::new(MAP_SEED, 0);
        let spacing = MAP / SIDE as f64;
        let mut points: Vec<[f64; 2]> = (0..JUNCTIONS)
            .map(|junction| {
                [junction % SIDE, junction / SIDE]
                    .map(|step| (step as f64 + 0.5 + 0.6 * (draw.unit() - 0.5)) * spacing)
            })
            .collect();
        let mut streets = lattice();
        // A street for every stretch but those that bends add; no two of those left out meet.
        let bends = NODES - JUNCTIONS;
        let too_many = streets.len() - (EDGES - bends);
        for number in (0..too_many).rev() {
            streets.remove((2 * number + 1) * streets.len() / (2 * too_many));
        }
        let mut edges = Vec::with_capacity(EDGES);
        let mut neighbours: Vec<Vec<(usize, f64)>> = vec![Vec::new(); JUNCTIONS];
        let count = streets.len();
        for (number, [from, to, line]) in streets.into_iter().enumerate() {
            // Every sixth line is an avenue; one street in six is a lane that people avoid.
            let lane = draw.chance(1.0 / 6.0);
            let slowness = match line % 6 {
                3 => 0.75,
                _ if lane => 4.0,
                _ => 1.0,
            };
            let cost = slowness * distance(points[from], points[to]);
            neighbours[from].push((to, cost));
            neighbours[to].push((from, cost));
            let here = bends * (number + 1) / count - bends * number / count;
            let mut last = from;
            for bend in 0..here {
                let share = (bend + 1) as f64 / (here + 1) as f64;
                let point = [0, 1].map(|axis| {
                    let straight = points[from][axis] + share * (points[to][axis] - points[from][axis]);
                    straight + 0.1 * (draw.unit() - 0.5) * spacing
                });
                edges.push([last, points.len()]);
                last = points.len();
                points.push(point);
            }
            edges.push([last, to]);
        }
        let ways = |to: usize| {
            let (mut costs, mut steps) = (vec![f64::INFINITY; JUNCTIONS], vec![0; JUNCTIONS]);
            ways_to(to, &neighbours, &mut costs, &mut steps);
            (costs, steps)
        };
        let ways = (0..JUNCTIONS).into_par_iter().map(ways).collect();
        Network { points, edges, ways }
    }

    /// The travel cost between two junctions, in length of ordinary street.
    pub(super) fn cost(&self, from: usize, to: usize) -> f64 {
        self.ways[to].0[from]
    }

    /// The junctions after `from` on the quickest way to `to`, which is the last.
    pub(super) fn way(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let steps = &self.ways[to].1;
        std::iter::successors(Some(from), move |here| (*here != to).then(|| usize::from(steps[*here])))
            .skip(1)
    }
}

/// The streets of a lattice: two junctions, and the line that it is part of.
fn lattice() -> Vec<[usize; 3]> {
    let mut streets = Vec::new();
    for junction in 0..JUNCTIONS {
        let (column, row) = (junction % SIDE, junction / SIDE);
        if column + 1 < SIDE {
            streets.push([junction, junction + 1, row]);
        }
        if row + 1 < SIDE {
            streets.push([junction, junction + SIDE, column]);
        }
    }
    streets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_published_size_and_lies_on_the_map() {
        let network = Network::new();
        assert_eq!((network.points.len(), network.edges.len()), (NODES, EDGES));
        assert!(network.points.iter().flatten().all(|x| (0.0..MAP).contains(x)));
    }

    #[test]
    fn every_junction_is_reached_from_every_other_at_the_stated_cost() {
        let network = Network::new();
        for from in 0..JUNCTIONS {
            assert!((0..JUNCTIONS).all(|to| network.cost(from, to).is_finite()));
        }
        for (from, to) in [(0, JUNCTIONS - 1), (SIDE - 1, 7 * SIDE), (210, 210)] {
            let (mut here, mut cost) = (from, 0.0);
            for next in network.way(from, to) {
                cost += network.cost(here, next);
                here = next;
            }
            assert_eq!(here, to);
            assert!((cost - network.cost(from, to)).abs() < 1e-9 * (1.0 + cost));
        }
    }
}
