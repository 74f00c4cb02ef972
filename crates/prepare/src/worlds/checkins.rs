//! Check-ins in the towns of New York, with the size and record length of the Gowalla cut of the papers.
//!
//! People check in near home most of the time, go to the next larger town now and then, and rarely to one of
//! the state's few great destinations. A few places are very popular and most are not; a few people check in
//! very often and most do not. People return to places they know.
//!
//! # Reference
//! \[PSLG14\] section 5: check-ins of 86,061 people in 662 places of New York and nearby, mean length 3.92; a
//! taxonomy with six descendants a node.

use std::fmt::Write as _;

use super::draw::{Draw, Weighted};
use super::stream::push_row;
use super::towns::{DESTINATIONS, GROUPS, MANHATTAN, REGIONS, TOWNS};
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
        events: 337_556,
        longest: 50,
        singled_out_by_2: 0.3,
        singled_out_by_4: 5.7,
    },
    stage: |_| Box::new(Checkins::new()),
};

/// The map is the same whatever the seed of the people.
const MAP_SEED: u64 = 662;

/// Nobody checks in more often.
const MOST: u32 = 50;

/// Sets the mean number of check-ins.
const LENGTH_SHIFT: f64 = 3.36;

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
    lengths: Weighted,
    homes: Weighted,
    /// For a home near each place, the places of its town.
    around: Vec<Weighted>,
    /// The first place of each town.
    first: Vec<usize>,
    /// Where people who know a town go in it.
    visits: Vec<Weighted>,
    /// Where strangers go in it.
    sights: Vec<Weighted>,
    destinations: Weighted,
    /// Which part of Manhattan its people walk to.
    boulevards: Weighted,
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
        let visits = (0..TOWNS.len())
            .map(|town| Weighted::new(of_town(town).map(|place| places[place].popularity)))
            .collect();
        let sights = (0..TOWNS.len())
            .map(|town| {
                // Strangers go to the best known places only.
                let fame = |place: usize| places[place].popularity * places[place].popularity;
                Weighted::new(of_town(town).map(|place| fame(place) * fame(place)))
            })
            .collect();
        let crowd = |towns: &[usize]| Weighted::new(towns.iter().map(|town| TOWNS[*town].people));
        Checkins {
            lengths: Weighted::heavy_tail(MOST, LENGTH_SHIFT),
            homes: Weighted::new(places.iter().map(|place| {
                let town = &TOWNS[place.town];
                town.people / town.places as f64
            })),
            destinations: crowd(&DESTINATIONS),
            boulevards: crowd(&MANHATTAN),
            around,
            first,
            visits,
            sights,
            places,
        }
    }

    /// Where somebody who lives near `home` checks in next.
    fn next(&self, home: usize, draw: &mut Draw) -> usize {
        let own = self.places[home].town;
        let chance = draw.unit();
        let (town, places) = if chance < 0.02 {
            let town = DESTINATIONS[self.destinations.draw(draw)];
            (town, &self.sights[town])
        } else if chance < 0.17 {
            (TOWNS[own].hub, &self.sights[TOWNS[own].hub])
        } else if chance < 0.38 && MANHATTAN.contains(&own) {
            let town = MANHATTAN[self.boulevards.draw(draw)];
            (town, &self.visits[town])
        } else {
            (own, &self.around[home])
        };
        self.first[town] + places.draw(draw)
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
        let length = self.lengths.draw(draw) + 1;
        let mut known = [0_usize; MOST as usize];
        for event in 0..length {
            let returns = event > 0 && draw.chance(0.25);
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
            let popularity = 1.0 / (rank as f64 + 1.0);
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
