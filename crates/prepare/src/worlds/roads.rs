//! The road network of the synthetic city: junctions, streets, and the quickest way between any two.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::draw::Draw;

/// Junctions along each side of the city.
const SIDE: usize = 20;

/// Number of junctions.
pub(super) const JUNCTIONS: usize = SIDE * SIDE;

/// Side of the square map.
pub(super) const MAP: f64 = 1000.0;

/// The city is the same whatever the seed of its people.
const MAP_SEED: u64 = 1842;

/// A square city whose streets are a bent lattice, with faster avenues and slow lanes.
pub(super) struct Roads {
    /// Where each junction is.
    pub(super) points: Vec<[f64; 2]>,
    /// Travel costs between all pairs, in length of ordinary street.
    costs: Vec<f64>,
    /// The next junction on the quickest way, for each destination and each junction.
    steps: Vec<u16>,
}

impl Roads {
    pub(super) fn new() -> Self {
        let mut draw = Draw::new(MAP_SEED, 0);
        let spacing = MAP / SIDE as f64;
        let points: Vec<[f64; 2]> = (0..JUNCTIONS)
            .map(|junction| {
                [junction % SIDE, junction / SIDE]
                    .map(|step| (step as f64 + 0.5 + 0.6 * (draw.unit() - 0.5)) * spacing)
            })
            .collect();
        let mut streets: Vec<Vec<(usize, f64)>> = vec![Vec::new(); JUNCTIONS];
        for junction in 0..JUNCTIONS {
            let (column, row) = (junction % SIDE, junction / SIDE);
            let east = (column + 1 < SIDE).then_some((junction + 1, row));
            let south = (row + 1 < SIDE).then_some((junction + SIDE, column));
            for (other, line) in east.into_iter().chain(south) {
                // Every fifth line is an avenue; one street in six is a lane that people avoid.
                let lane = draw.chance(1.0 / 6.0);
                let slowness = if line % 5 == 2 {
                    0.5
                } else if lane {
                    4.0
                } else {
                    1.0
                };
                let cost = slowness * distance(points[junction], points[other]);
                streets[junction].push((other, cost));
                streets[other].push((junction, cost));
            }
        }
        let mut roads = Roads {
            points,
            costs: vec![f64::INFINITY; JUNCTIONS * JUNCTIONS],
            steps: vec![0; JUNCTIONS * JUNCTIONS],
        };
        let rows = roads.costs.chunks_exact_mut(JUNCTIONS).zip(roads.steps.chunks_exact_mut(JUNCTIONS));
        rows.enumerate()
            .for_each(|(destination, (costs, steps))| ways_to(destination, &streets, costs, steps));
        roads
    }

    /// The travel cost between two junctions.
    pub(super) fn cost(&self, from: usize, to: usize) -> f64 {
        self.costs[to * JUNCTIONS + from]
    }

    /// The junctions after `from` on the quickest way to `to`, which is the last.
    pub(super) fn way(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let steps = &self.steps[to * JUNCTIONS..(to + 1) * JUNCTIONS];
        std::iter::successors(Some(from), move |here| (*here != to).then(|| usize::from(steps[*here])))
            .skip(1)
    }
}

/// Straight distance on the map.
pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// Dijkstra from the destination outwards, to junctions whose costs are infinite yet; streets run both ways at the same cost.
pub(super) fn ways_to(
    destination: usize,
    streets: &[Vec<(usize, f64)>],
    costs: &mut [f64],
    steps: &mut [u16],
) {
    costs[destination] = 0.0;
    steps[destination] = destination as u16;
    // Costs are positive, so their bit patterns have their order.
    let mut queue = BinaryHeap::from([(Reverse(0_u64), destination)]);
    while let Some((Reverse(bits), junction)) = queue.pop() {
        let cost = f64::from_bits(bits);
        if cost > costs[junction] {
            continue;
        }
        for (other, length) in &streets[junction] {
            if cost + length < costs[*other] {
                costs[*other] = cost + length;
                steps[*other] = junction as u16;
                queue.push((Reverse((cost + length).to_bits()), *other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_junction_is_reached_along_streets_at_the_stated_cost() {
        let roads = Roads::new();
        for (from, to) in [(0, JUNCTIONS - 1), (SIDE - 1, 7 * SIDE), (210, 210)] {
            let mut here = from;
            let mut cost = 0.0;
            for next in roads.way(from, to) {
                assert!(here.abs_diff(next) == 1 || here.abs_diff(next) == SIDE);
                cost += roads.cost(here, next);
                here = next;
            }
            assert_eq!(here, to);
            assert!((cost - roads.cost(from, to)).abs() < 1e-9 * (1.0 + cost));
        }
    }

    #[test]
    fn junctions_stay_on_the_map() {
        assert!(Roads::new().points.iter().flatten().all(|x| (0.0..MAP).contains(x)));
    }
}
