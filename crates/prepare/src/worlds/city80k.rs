//! Citizens of a metropolitan area with 26 blocks, seen by the hour for a day, with the size of the papers' City80K.
//!
//! The area is two rows of blocks. Everybody takes one of 24 ways along the rows, a block an hour for seven to nine
//! hours, and now and then passes through the other row instead: ways are shared by many and two detours by some, but three
//! are nearly one's own. Most leave in the morning. Everybody has a status; one in five is on welfare, more in the east
//! than in the west.
//!
//! # Reference
//! \[MFD\] section 4: 80,000 citizens, 26 blocks x 24 hours, 8 blocks on average, a status with five values of which
//! one is sensitive and held by a fifth.

use std::fmt::Write as _;

use throng_data::Role;

use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const CITY80K: World = World {
    name: "city80k",
    purpose: "a day in 26 city blocks by the hour, with a sensitive status, like City80K",
    files: &[
        ("events.csv", "subject,item,time: the block a person is seen in, with the hour (1 to 24)"),
        ("records.csv", "subject,status: full-time, part-time, student, retired or on-welfare (sensitive)"),
        ("places.csv", "item,x,y: where each block is, in blocks"),
    ],
    attributes: &[("status", Role::Sensitive)],
    subjects: 80_000,
    sizes: None,
    character: Character {
        subjects: 80_000,
        items: 26,
        noun: "blocks",
        events: 640_173,
        longest: 9,
        singled_out_by_2: 0.0,
        singled_out_by_4: 0.0,
    },
    stage: |_| Box::new(Citizens::new()),
};

/// Two rows of blocks, lettered from the west: the first row `A` to `M`, the second `N` to `Z`.
const COLUMNS: usize = 13;
const BLOCKS: usize = 2 * COLUMNS;

/// Ways through the city.
const WAYS: usize = 24;

/// How often a person is in the other row.
const DETOUR: f64 = 0.2;

/// Hours under way: the fewest, and how many more there may be.
const HOURS: (u32, u32) = (7, 2);

const STATUSES: [&str; 5] = ["full-time", "part-time", "student", "retired", "on-welfare"];

/// A way along a row from one block on, east or west, turning at the ends.
struct Way {
    leaves: u32,
    row: usize,
    columns: Vec<usize>,
}

impl Way {
    /// The number spreads ways over blocks, directions and the hours from five on, so that the last ends with the day.
    fn numbered(number: usize) -> Self {
        let (mut column, mut east) = (5 * number % COLUMNS, number % 4 < 2);
        let most = HOURS.0 + HOURS.1;
        let columns = (0..most).map(|_| {
            let here = column;
            east = if east { column + 1 < COLUMNS } else { column == 0 };
            column = if east { column + 1 } else { column - 1 };
            here
        });
        Way { leaves: 5 + 2 * (number as u32 % 6), row: number / 6 % 2, columns: columns.collect() }
    }

    /// How many take it: more in the morning.
    fn weight(&self) -> f64 {
        let hours = f64::from(self.leaves) - 7.0;
        1.0 + 2.0 / (1.0 + hours * hours / 8.0)
    }
}

struct Citizens {
    ways: Vec<Way>,
    choice: Weighted,
    /// Who lives in each column.
    residents: Vec<Weighted>,
}

impl Citizens {
    fn new() -> Self {
        let ways: Vec<Way> = (0..WAYS).map(Way::numbered).collect();
        let residents = (0..COLUMNS).map(|column| {
            let poverty = column as f64 / (COLUMNS - 1) as f64;
            Weighted::new([45.0, 16.0, 15.0, 15.0, 18.0 + 8.0 * poverty])
        });
        Citizens { choice: Weighted::new(ways.iter().map(Way::weight)), residents: residents.collect(), ways }
    }
}

fn name(block: usize) -> char {
    char::from(b'A' + block as u8)
}

impl Population for Citizens {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let mut places = String::from("item,x,y\n");
        for block in 0..BLOCKS {
            // Writing to a string cannot fail.
            let _ = writeln!(places, "{},{},{}", name(block), block % COLUMNS, block / COLUMNS);
        }
        vec![("places.csv", places)]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item,time"), ("records.csv", "subject,status")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let way = &self.ways[self.choice.draw(draw)];
        let status = STATUSES[self.residents[way.columns[0]].draw(draw)];
        push_row(&mut rows[1], &[subject, status]);
        let hours = HOURS.0 + draw.below(HOURS.1 + 1);
        let (mut digits, mut letter) = (itoa::Buffer::new(), [0; 4]);
        for (hour, column) in (way.leaves..way.leaves + hours).zip(&way.columns) {
            let row = if draw.chance(DETOUR) { 1 - way.row } else { way.row };
            let block = name(row * COLUMNS + column).encode_utf8(&mut letter);
            push_row(&mut rows[0], &[subject, block, digits.format(hour)]);
        }
        u64::from(hours)
    }
}
