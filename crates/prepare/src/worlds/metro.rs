//! Passengers of a metro with 65 stations, seen for an hour, with the size of the papers' Metro100K.
//!
//! Everybody makes one trip on the quickest way, by trains that run on a timetable, and is seen at each station
//! with the minute. Trains are few enough that many people share one, so that whole stretches of trips are frequent.
//! Everybody has a status; one in five is on welfare, more in some neighbourhoods than in others.
//!
//! # Reference
//! \[MFD\] section 4: 100,000 passengers, 65 stations x 60 minutes, 8 stations on average, a status with five
//! values of which one is sensitive and held by a fifth.

use std::fmt::Write as _;

use throng_data::Role;

use super::draw::{Draw, Weighted};
use super::lines::{Metro, STATIONS};
use super::stream::push_row;
use super::{Character, Population, World};

pub(super) const METRO: World = World {
    name: "metro",
    purpose: "timed metro trips with a sensitive status, like Metro100K",
    files: &[
        ("events.csv", "subject,item,time: the stations of a trip, with the minute (1 to 60)"),
        ("records.csv", "subject,status: full-time, part-time, student, retired or on-welfare (sensitive)"),
        ("places.csv", "item,x,y: where each station is, in kilometres"),
    ],
    attributes: &[("status", Role::Sensitive)],
    subjects: 100_000,
    sizes: None,
    character: Character {
        subjects: 100_000,
        items: 65,
        noun: "stations",
        events: 800_552,
        longest: 30,
        singled_out_by_2: 0.0,
        singled_out_by_4: 0.1,
    },
    stage: |_| Box::new(Passengers::new()),
};

/// The hour that is watched.
const MINUTES: u32 = 60;

/// How long trips are, in minutes; sets the mean number of stations.
const REACH: f64 = 9.8;

/// Minutes that are left for waiting when a trip begins.
const WAIT: u32 = 8;

const STATUSES: [&str; 5] = ["full-time", "part-time", "student", "retired", "on-welfare"];

struct Passengers {
    metro: Metro,
    origins: Weighted,
    /// Where people of each station go.
    destinations: Vec<Weighted>,
    /// Who lives at each station.
    residents: Vec<Weighted>,
}

impl Passengers {
    fn new() -> Self {
        let metro = Metro::new();
        let [centre_x, centre_y] = [9.0, 7.0];
        let pull: Vec<f64> = metro
            .points
            .iter()
            .map(|[x, y]| {
                let (east, north) = (x - centre_x, y - centre_y);
                0.1 + 1.0 / (1.0 + (east * east + north * north) / 6.0)
            })
            .collect();
        let destinations = (0..STATIONS).map(|from| {
            Weighted::new((0..STATIONS).map(|to| {
                let minutes = f64::from(metro.minutes(from, to)) / REACH;
                // Few travel to the next stop, and few across the whole town.
                if from == to {
                    0.0
                } else {
                    pull[to] * minutes / (1.0 + minutes * minutes * minutes * minutes)
                }
            }))
        });
        let residents = metro.points.iter().map(|[x, y]| {
            // The east is poorer than the west, and students live near the centre.
            let (poverty, campus) = (x / 19.0, 1.0 / (1.0 + (y - centre_y) * (y - centre_y) / 8.0));
            Weighted::new([46.0, 16.0, 8.0 + 16.0 * campus, 15.0, 13.0 + 26.0 * poverty])
        });
        Passengers {
            origins: Weighted::new(pull.iter().map(|pull| 0.4 + pull)),
            destinations: destinations.collect(),
            residents: residents.collect(),
            metro,
        }
    }
}

impl Population for Passengers {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let mut places = String::from("item,x,y\n");
        for (name, [x, y]) in self.metro.names.iter().zip(&self.metro.points) {
            // Writing to a string cannot fail.
            let _ = writeln!(places, "{name},{x:.3},{y:.3}");
        }
        vec![("places.csv", places)]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item,time"), ("records.csv", "subject,status")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let home = self.origins.draw(draw);
        let status = STATUSES[self.residents[home].draw(draw)];
        push_row(&mut rows[1], &[subject, status]);
        let goal = self.destinations[home].draw(draw);
        // Trips begin early enough to end within the hour, but for long waits on the way.
        let latest = MINUTES.saturating_sub(self.metro.minutes(home, goal) + WAIT).max(1);
        let mut events = 0;
        let mut digits = itoa::Buffer::new();
        self.metro.travel(home, goal, 1 + draw.below(latest), |station, minute| {
            if minute <= MINUTES {
                push_row(&mut rows[0], &[subject, &self.metro.names[station], digits.format(minute)]);
                events += 1;
            }
        });
        events
    }
}
