//! Cars on a road network of Oldenburg's size: the first trip as cells of a grid, a week of driving as raw points.
//!
//! People drive from home to work, and later in the week between home, work and shops, always on the quickest way. They are
//! seen at every junction, with the time. The cells of the first trip alone have the size, the lengths and the different
//! subtrajectories of the papers' Oldenburg set; the points are what `prepare` makes regions of.
//!
//! # Reference
//! \[PSLG14\] section 5 and Figure 10: trips on the Oldenburg map in a 1000x1000 square, divided into 100 regions; 18,143
//! trajectories of mean length 4.72. \[PMPG08\] Table 1: car trips through 8 to 113 regions of interest, 6 to 9 each.

use std::fmt::Write as _;

use super::city::{attraction, cell_at, cell_names, destinations, grid_tables, near};
use super::draw::{Draw, Weighted};
use super::network::{JUNCTIONS, Network};
use super::roads::MAP;
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const OLDENBURG: World = World {
    name: "oldenburg",
    purpose: "cars on a road network: raw points of a week, and the first trip as cells",
    files: &[
        ("events.csv", "subject,item: the cells that the first trip passes, in order"),
        ("points.csv", "subject,time,x,y: every junction passed in the week, with the second"),
        ("nodes.csv", "node,x,y: junctions and bends of the roads"),
        ("edges.csv", "from,to: stretches of road between nodes"),
        ("places.csv", "item,x,y: the centre of each cell on a 1000 x 1000 map"),
        ("taxonomy.csv", "cell;neighbourhood;quarter;city: five members a node"),
        ("constraints.csv", "the old town and four districts, one a line: a partition of the cells"),
        ("sensitive.csv", "cells with a clinic, one a line"),
    ],
    attributes: &[],
    subjects: 18_143,
    sizes: None,
    character: Character {
        subjects: 18_143,
        items: 100,
        noun: "places",
        events: 84_969,
        longest: 10,
        singled_out_by_2: 0.1,
        singled_out_by_4: 5.9,
    },
    stage: |_| Box::new(Cars::new()),
};

/// How far people go to work, and to a shop, in length of ordinary street. The first sets the mean length.
const COMMUTE: f64 = 560.0;
const ERRAND: f64 = 300.0;

/// The longest way.
const FARTHEST: f64 = 900.0;

/// Cells of a first outing: the papers' counts of subtrajectories are those of records that end there.
const MAX_CELLS: u64 = 10;

/// Further trips in a week: the fewest, and how many more there may be.
const OUTINGS: (u32, u32) = (2, 4);

/// Seconds for a unit of ordinary street, and between two trips.
const PACE: f64 = 2.0;
const STAY: u32 = 36_000;

struct Cars {
    network: Network,
    cells: Vec<u8>,
    names: Vec<String>,
    /// Coordinates of each junction as they are written.
    spots: Vec<String>,
    homes: Weighted,
    jobs: Vec<Weighted>,
    shops: Vec<Weighted>,
}

impl Cars {
    fn new() -> Self {
        let network = Network::new();
        let junctions = &network.points[..JUNCTIONS];
        let cells = junctions.iter().map(|[x, y]| cell_at(*x, *y)).collect();
        let spots = junctions.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let centre = [0.5 * MAP, 0.5 * MAP];
        let homes = attraction(junctions, |point| 1.0 + near(point, centre, 300.0));
        let offices = attraction(junctions, |point| 1.0 + near(point, centre, 150.0));
        let markets = attraction(junctions, |point| 0.5 + near(point, centre, 80.0));
        let cost = |from: usize, to: usize| network.cost(from, to);
        let jobs = destinations(cost, &offices, COMMUTE, FARTHEST);
        let shops = destinations(cost, &markets, ERRAND, FARTHEST);
        Cars { homes: Weighted::new(homes), cells, names: cell_names(), spots, jobs, shops, network }
    }
}

impl Population for Cars {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let (mut nodes, mut edges) = (String::from("node,x,y\n"), String::from("from,to\n"));
        for (node, [x, y]) in self.network.points.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(nodes, "{node},{x:.1},{y:.1}");
        }
        for [from, to] in &self.network.edges {
            let _ = writeln!(edges, "{from},{to}");
        }
        let mut tables = grid_tables(&self.names);
        tables.extend([("nodes.csv", nodes), ("edges.csv", edges)]);
        tables
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item"), ("points.csv", "subject,time,x,y")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let home = self.homes.draw(draw);
        let work = self.jobs[home].draw(draw);
        // The first outing is to work, to a shop, or to work and a shop after it.
        let mut stops = match draw.below(20) {
            0..11 => vec![work],
            11..16 => vec![self.shops[home].draw(draw)],
            _ => vec![work, self.shops[work].draw(draw)],
        };
        let outing = stops.len();
        for _ in 0..OUTINGS.0 + draw.below(OUTINGS.1 + 1) {
            let last = *stops.last().unwrap_or(&home);
            stops.push(match last == home {
                _ if draw.chance(0.3) => self.shops[last].draw(draw),
                true => work,
                false => home,
            });
        }
        let mut second = draw.below(STAY);
        let (mut here, mut events, mut last_cell) = (home, 0, None);
        let mut digits = itoa::Buffer::new();
        for (number, stop) in stops.into_iter().enumerate() {
            push_row(&mut rows[1], &[subject, digits.format(second), &self.spots[here]]);
            for junction in std::iter::once(here).chain(self.network.way(here, stop)) {
                if junction != here {
                    second += 1 + (PACE * self.network.cost(here, junction)) as u32;
                    here = junction;
                    push_row(&mut rows[1], &[subject, digits.format(second), &self.spots[here]]);
                }
                let cell = self.cells[here];
                if number < outing && events < MAX_CELLS && last_cell != Some(cell) {
                    last_cell = Some(cell);
                    events += 1;
                    push_row(&mut rows[0], &[subject, &self.names[usize::from(cell)]]);
                }
            }
            second += 1 + draw.below(STAY);
        }
        events
    }
}
