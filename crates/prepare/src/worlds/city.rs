//! A city of commuters on a grid of 100 places, with the size, the record lengths and the different subtrajectories of the
//! Oldenburg set.
//!
//! People live at a junction of a road network, travel to work and run errands on the quickest way, and are
//! seen in every cell of a 10x10 grid that they pass. Nearby places are thus often visited by the same people
//! and far ones rarely, as in real cities; the centre is busier than the outskirts.
//!
//! # Reference
//! \[PSLG14\] section 5 and Figure 10: trips on the Oldenburg map in a 1000x1000 square, divided into 100 regions; 18,143
//! trajectories of mean length 4.72; a taxonomy with five descendants a node.

use std::fmt::Write as _;

use super::draw::{Draw, Weighted};
use super::roads::{MAP, Roads, distance};
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const CITY: World = World {
    name: "city",
    purpose: "commuters passing through a city's grid cells, like the Oldenburg set",
    files: &[
        ("events.csv", "subject,item: the cells a person passes, in order"),
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
        events: 85_745,
        longest: 10,
        singled_out_by_2: 0.2,
        singled_out_by_4: 5.4,
    },
    stage: |_| Box::new(City::new()),
};

/// Cells along each side of the map.
const SIDE: usize = 10;

/// Cells with a clinic: one a quarter, and the hospital.
const CLINICS: [usize; 5] = [22, 27, 58, 61, 75];

/// How far people go to work, and for an errand, in length of ordinary street. The first sets the mean length.
const COMMUTE: f64 = 540.0;
const ERRAND: f64 = 200.0;

/// The longest way.
const FARTHEST: f64 = 700.0;

/// Cells of a record: the paper's counts of different subtrajectories are those of records that end there.
const MAX_CELLS: u64 = 10;

struct City {
    roads: Roads,
    cells: Vec<u8>,
    names: Vec<String>,
    homes: Weighted,
    /// Where people of each junction work.
    jobs: Vec<Weighted>,
    /// Where people at each junction run errands.
    errands: Vec<Weighted>,
}

impl City {
    fn new() -> Self {
        let roads = Roads::new();
        let cells = roads.points.iter().map(|[x, y]| cell_at(*x, *y)).collect();
        let centre = [0.47 * MAP, 0.53 * MAP];
        let markets = [[0.22 * MAP, 0.25 * MAP], [0.78 * MAP, 0.3 * MAP], [0.7 * MAP, 0.8 * MAP]];
        let homes = attraction(&roads.points, |point| {
            let centrality = near(point, centre, 300.0);
            0.2 + centrality * centrality
        });
        let offices = attraction(&roads.points, |point| {
            let local: f64 = markets.iter().map(|market| near(point, *market, 60.0)).sum();
            0.05 + near(point, centre, 120.0) + 0.5 * local
        });
        let shops = attraction(&roads.points, |point| {
            let local: f64 = markets.iter().map(|market| near(point, *market, 60.0)).sum();
            0.05 + near(point, centre, 60.0) + local
        });
        let cost = |from: usize, to: usize| roads.cost(from, to);
        let jobs = destinations(cost, &offices, COMMUTE, FARTHEST);
        let errands = destinations(cost, &shops, ERRAND, FARTHEST);
        City { homes: Weighted::new(homes), cells, names: cell_names(), jobs, errands, roads }
    }
}

impl Population for City {
    fn tables(&self) -> Vec<(&'static str, String)> {
        grid_tables(&self.names)
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let home = self.homes.draw(draw);
        let (works, shops) = match draw.below(20) {
            0..11 => (true, false),
            11..16 => (false, true),
            _ => (true, true),
        };
        let mut here = home;
        let mut last_cell = None;
        let mut events = 0;
        let mut see = |junction: usize| {
            let cell = self.cells[junction];
            if events < MAX_CELLS && last_cell != Some(cell) {
                last_cell = Some(cell);
                events += 1;
                push_row(&mut rows[0], &[subject, &self.names[usize::from(cell)]]);
            }
        };
        see(home);
        for destinations in
            [works.then_some(&self.jobs), shops.then_some(&self.errands)].into_iter().flatten()
        {
            let destination = destinations[here].draw(draw);
            self.roads.way(here, destination).for_each(&mut see);
            here = destination;
        }
        events
    }
}

/// Files about the cells, which are the same whatever roads lie under them.
pub(super) fn grid_tables(names: &[String]) -> Vec<(&'static str, String)> {
    let mut places = String::from("item,x,y\n");
    let mut taxonomy = String::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let name = cell_name(column, row);
            let [x, y] = [column, row].map(|step| (2 * step + 1) * MAP as usize / (2 * SIDE));
            let (neighbourhood, quarter) = neighbourhood(column, row);
            // Writing to a string cannot fail.
            let _ = writeln!(places, "{name},{x},{y}");
            let _ = writeln!(taxonomy, "{name};{quarter}-{neighbourhood};{quarter};city");
        }
    }
    let mut districts = vec![Vec::new(); 5];
    for (cell, name) in names.iter().enumerate() {
        districts[district(cell % SIDE, cell / SIDE)].push(name.as_str());
    }
    let constraints: String = districts.iter().map(|cells| cells.join(",") + "\n").collect();
    let sensitive: String = CLINICS.iter().map(|cell| format!("{}\n", names[*cell])).collect();
    vec![
        ("places.csv", places),
        ("taxonomy.csv", taxonomy),
        ("constraints.csv", constraints),
        ("sensitive.csv", sensitive),
    ]
}

/// The cells' names, row after row.
pub(super) fn cell_names() -> Vec<String> {
    (0..SIDE * SIDE).map(|cell| cell_name(cell % SIDE, cell / SIDE)).collect()
}

/// How much each junction draws people.
pub(super) fn attraction(junctions: &[[f64; 2]], pull: impl Fn([f64; 2]) -> f64) -> Vec<f64> {
    junctions.iter().map(|point| pull(*point)).collect()
}

/// For each junction, where people there go: to attractive junctions, and rather to near ones.
pub(super) fn destinations(
    cost: impl Fn(usize, usize) -> f64,
    attraction: &[f64],
    reach: f64,
    farthest: f64,
) -> Vec<Weighted> {
    let weight = |from: usize, to: usize| {
        let cost = cost(from, to);
        let (nearness, left) = (fade(cost / reach), (1.0 - cost / farthest).max(0.0));
        if from == to { 0.0 } else { attraction[to] * nearness * nearness * left * left }
    };
    let junctions = attraction.len();
    (0..junctions).map(|from| Weighted::new((0..junctions).map(|to| weight(from, to)))).collect()
}

/// How close two points are, as [`fade`] sees it.
pub(super) fn near(a: [f64; 2], b: [f64; 2], reach: f64) -> f64 {
    fade(distance(a, b) / reach)
}

/// 1 at 0, a half at 1, a tenth at 3: made of exact operations, so the same on every machine.
fn fade(x: f64) -> f64 {
    1.0 / (1.0 + x * x)
}

pub(super) fn cell_at(x: f64, y: f64) -> u8 {
    let step = |position: f64| (position * SIDE as f64 / MAP) as usize;
    (step(y) * SIDE + step(x)) as u8
}

/// As on a town plan: columns `A` to `J`, rows `1` to `10`.
fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'A' + column as u8), row + 1)
}

/// The old town in the middle, and what is left of the four quarters around it.
fn district(column: usize, row: usize) -> usize {
    match (column, row) {
        (3..7, 3..7) => 4,
        _ => row / 5 * 2 + column / 5,
    }
}

/// Each quarter of 5x5 cells is a cross of five in the middle and four corners of five around it.
fn neighbourhood(column: usize, row: usize) -> (&'static str, &'static str) {
    const PLAN: [&[u8; 5]; 5] = [b"aaabb", b"aaxbb", b"dxxxb", b"ddxcc", b"ddccc"];
    let quarter = match (row < 5, column < 5) {
        (true, true) => "north-west",
        (true, false) => "north-east",
        (false, true) => "south-west",
        (false, false) => "south-east",
    };
    let neighbourhood = match PLAN[row % 5][column % 5] {
        b'a' => "1",
        b'b' => "2",
        b'c' => "3",
        b'd' => "4",
        _ => "centre",
    };
    (neighbourhood, quarter)
}
