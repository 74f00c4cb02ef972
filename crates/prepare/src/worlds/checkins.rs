//! Check-ins in the towns of New York, with the size and record length of the Gowalla cut of the papers.
//!
//! People check in near home and elsewhere in their part of the state, and rarely anywhere. Some places are more popular than
//! others; most people check in a few times and few often. The number of different subtrajectories of each size is about
//! that of the papers' data.
//!
//! # Reference
//! \[PSLG14\] section 5: check-ins of 86,061 people in 662 places of New York and nearby, mean length 3.92; a
//! taxonomy with six descendants a node.

use std::fmt::Write as _;

use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::towns::{GROUPS, REGIONS, TOWNS};
use super::{Character, Population, World};

pub(super) const CHECKINS: World = World {
    name: "checkins",
    purpose: "check-ins at towns' places with categories, like the Gowalla set",
    files: &[
        ("events.csv", "subject,item: the places a person checked in at, in order"),
        ("places.csv", "item,lat,lon,category: where and what each place is"),
        ("taxonomy.csv", "place;kind in region;kind;group;place: at most six members a node"),
        ("constraints.csv", "regions of the state, one a line: a partition of the places"),
        ("sensitive.csv", "clinics, one a line"),
    ],
    attributes: &[],
    subjects: 86_061,
    sizes: None,
    character: Character {
        subjects: 86_061,
        items: 662,
        noun: "places",
        events: 337_998,
        longest: 18,
        singled_out_by_2: 6.8,
        singled_out_by_4: 70.5,
    },
    stage: |_| Box::new(Checkins::new()),
};

/// The map is the same whatever the seed of the people.
const MAP_SEED: u64 = 662;

/// How many people check in often, how often at least, and how often at most.
const OFTEN: f64 = 0.0145;
const MIN_OFTEN: u32 = 8;
const MAX_CHECKINS: u32 = 18;

/// How often others check in after the first time, on average.
const RARELY: f64 = 2.78;

/// How often people check in anywhere, and in their part of the state; else it is near home.
const ANYWHERE: f64 = 0.05;
const IN_REGION: f64 = 0.5;

/// How often people go to a place they know.
const RETURNS: f64 = 0.1;

struct Place {
    town: usize,
    lat: f64,
    lon: f64,
    /// Position among all kinds of all groups.
    kind: usize,
    name: String,
    popularity: f64,
}

struct Checkins {
    places: Vec<Place>,
    homes: Weighted,
    /// For a home near each place, the places of its town.
    around: Vec<Weighted>,
    /// The first place of each town.
    first: Vec<usize>,
    /// The places of each region, and where people go in it.
    regions: Vec<(Vec<usize>, Weighted)>,
    /// Where people go in the whole state.
    anywhere: Weighted,
}

impl Checkins {
    fn new() -> Self {
        let places = lay_out_places();
        let mut first = vec![0];
        for town in &TOWNS {
            first.push(first[first.len() - 1] + town.places);
        }
        let of_town = |town: usize| first[town]..first[town + 1];
        let around = places
            .iter()
            .map(|home| {
                Weighted::new(
                    of_town(home.town).map(|place| places[place].popularity * nearness(home, &places[place])),
                )
            })
            .collect();
        let regions = (0..REGIONS.len())
            .map(|region| {
                let inside: Vec<usize> =
                    (0..places.len()).filter(|place| TOWNS[places[*place].town].region == region).collect();
                let weights = Weighted::new(inside.iter().map(|place| places[*place].popularity));
                (inside, weights)
            })
            .collect();
        Checkins {
            homes: Weighted::new(places.iter().map(|place| {
                let town = &TOWNS[place.town];
                town.people / town.places as f64
            })),
            anywhere: Weighted::new(places.iter().map(|place| place.popularity)),
            around,
            first,
            regions,
            places,
        }
    }

    /// Where a person who lives near `home` checks in next.
    fn next(&self, home: usize, draw: &mut Draw) -> usize {
        let town = self.places[home].town;
        let chance = draw.unit();
        if chance < ANYWHERE {
            self.anywhere.draw(draw)
        } else if chance < ANYWHERE + IN_REGION {
            let (inside, weights) = &self.regions[TOWNS[town].region];
            inside[weights.draw(draw)]
        } else {
            self.first[town] + self.around[home].draw(draw)
        }
    }

    /// How often a person checks in: a few times, or, one in seventy, many times.
    fn length(draw: &mut Draw) -> usize {
        let length = if draw.chance(OFTEN) {
            MIN_OFTEN + draw.below(MAX_CHECKINS - MIN_OFTEN + 1)
        } else {
            1 + draw.poisson(RARELY)
        };
        length.min(MAX_CHECKINS) as usize
    }
}

impl Population for Checkins {
    fn tables(&self) -> Vec<(&'static str, String)> {
        let mut places = String::from("item,lat,lon,category\n");
        let mut taxonomy = String::new();
        let mut sensitive = String::new();
        let mut regions = vec![Vec::new(); REGIONS.len()];
        for Place { town, lat, lon, kind, name, .. } in &self.places {
            let (group, kinds) = GROUPS[kind / 6];
            let (kind, region) = (kinds[kind % 6], TOWNS[*town].region);
            // Writing to a string cannot fail.
            let _ = writeln!(places, "{name},{lat:.5},{lon:.5},{kind}");
            let _ = writeln!(taxonomy, "{name};{kind}-{};{kind};{group};place", REGIONS[region]);
            if kind == "clinic" {
                let _ = writeln!(sensitive, "{name}");
            }
            regions[region].push(name.as_str());
        }
        let constraints: String = regions.iter().map(|places| places.join(",") + "\n").collect();
        vec![
            ("places.csv", places),
            ("taxonomy.csv", taxonomy),
            ("constraints.csv", constraints),
            ("sensitive.csv", sensitive),
        ]
    }

    fn streams(&self) -> &'static [(&'static str, &'static str)] {
        &[("events.csv", "subject,item")]
    }

    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64 {
        let home = self.homes.draw(draw);
        let length = Self::length(draw);
        let mut known = [0_usize; MAX_CHECKINS as usize];
        for event in 0..length {
            let returns = event > 0 && draw.chance(RETURNS);
            let place =
                if returns { known[draw.below(event as u32) as usize] } else { self.next(home, draw) };
            known[event] = place;
            push_row(&mut rows[0], &[subject, &self.places[place].name]);
        }
        length as u64
    }
}

/// Spreads each town's places around its middle, denser towards it, and deals kinds out evenly in each region.
fn lay_out_places() -> Vec<Place> {
    let mut draw = Draw::new(MAP_SEED, 0);
    let mut dealt = [0_usize; REGIONS.len()];
    let kinds: Vec<Vec<usize>> = REGIONS.iter().map(|_| shuffled(GROUPS.len() * 6, &mut draw)).collect();
    let mut places = Vec::new();
    for (number, town) in TOWNS.iter().enumerate() {
        for rank in 0..town.places {
            let mut offset = || (draw.unit() + draw.unit() - 1.0) * town.spread;
            let (lat, lon) = (town.lat + offset(), town.lon + offset());
            let deal = &kinds[town.region];
            let kind = deal[dealt[town.region] % deal.len()];
            dealt[town.region] += 1;
            let name = format!("v{:03}", places.len() + 1);
            let popularity = 1.0 / (rank as f64 + 1.0).sqrt();
            places.push(Place { town: number, lat, lon, kind, name, popularity });
        }
    }
    places
}

fn shuffled(count: usize, draw: &mut Draw) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, draw.below(last as u32 + 1) as usize);
    }
    order
}

/// How willingly people go from one place to another of their town: a half at a kilometre.
fn nearness(a: &Place, b: &Place) -> f64 {
    // At 41 to 43 degrees north a degree of longitude is three quarters of one of latitude, which is 111 km.
    let (north, east) = ((a.lat - b.lat) * 111.0, (a.lon - b.lon) * 83.0);
    1.0 / (1.0 + north * north + east * east)
}
