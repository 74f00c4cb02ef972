//! Maps before and after, in the public and in the publisher's form.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::atlas::{Atlas, Released, View};
use super::html::{self, Cell, Table, code, paragraph, shortened};
use crate::plot::{Area, Map, Spot, escape, grouped, map};

/// At most so many areas are drawn, those with the most visits.
const AREAS: usize = 300;
/// Up to so many areas are numbered.
const NUMBERED: usize = 60;
/// Rows of the table behind a map.
const ROWS: usize = 200;
/// How places look that were kept, that too few people visited, that were suppressed, and that became one.
const KEPT: usize = 0;
const RARE: usize = 4;
const SUPPRESSED: usize = 5;
const MERGED: usize = 10;

/// Released places for everybody: no counts before, positions on a wide net.
pub(super) fn publishable(atlas: &Atlas) -> String {
    let view = atlas.public();
    if knots(&view) < 2 {
        return String::new();
    }
    let mut places: BTreeMap<[u64; 2], Vec<&str>> = BTreeMap::new();
    for (place, at) in atlas.places.iter().zip(&view.at) {
        if let Some(at) = at {
            places.entry(at.map(f64::to_bits)).or_default().push(&place.name);
        }
    }
    let most = places.values().map(Vec::len).max().unwrap_or(1) as f64;
    let spots = places.iter().map(|(at, names)| Spot {
        at: at.map(f64::from_bits),
        look: KEPT,
        weight: if most > 1.0 { names.len() as f64 / most } else { 0.15 },
        label: named(names),
    });
    let before = Map {
        id: "map-before".to_owned(),
        title: "Places before".to_owned(),
        description: format!("{} places that the release names.", grouped(named_places(atlas))),
        extent: view.extent,
        areas: Vec::new(),
        spots: spots.collect(),
    };
    let after = released(atlas, &view, "map-after", |item| item.visits);
    let content = format!(
        "{}<div class=\"pair\">\n{}{}</div>\n<p class=\"soft\">Positions are moved to a wide net, and only places named in the \
         release are shown: how many people visited a place before is not told.</p>\n{}",
        paragraph(
            "Where the places are that the release names, and which of them became one. An area says: one of the places marked \
             in it, nothing in between."
        ),
        figure(&before, "Before: the places, without counts"),
        figure(&after.map, &format!("After: {}", after.caption)),
        table(atlas, "Visits in the release", |item| grouped(item.visits))
    );
    html::section("maps", "Where it was", &content)
}

/// All places for the publisher: people before and after, positions as they are.
pub(super) fn internal(atlas: &Atlas, crowd: u64) -> String {
    let view = atlas.exact();
    if knots(&view) < 2 {
        return String::new();
    }
    let most = atlas.places.iter().filter_map(|place| place.people).max().unwrap_or(1).max(1) as f64;
    let spots = atlas.places.iter().zip(&view.at).filter_map(|(place, at)| {
        let people = place.people.unwrap_or(0);
        Some(Spot {
            at: (*at)?,
            look: if place.people.is_some() && people < crowd { RARE } else { KEPT },
            weight: people as f64 / most,
            label: match people {
                1 => format!("{}: 1 person", place.name),
                people => format!("{}: {} people", place.name, grouped(people)),
            },
        })
    });
    let rare = atlas.places.iter().filter(|place| place.people.is_some_and(|people| people < crowd)).count();
    let before = Map {
        id: "map-before".to_owned(),
        title: "Places before, by number of people".to_owned(),
        description: format!("{rare} of the places were visited by fewer than {crowd} people."),
        extent: view.extent,
        areas: Vec::new(),
        spots: merged_spots(spots.collect(), view.moved),
    };
    let mut after = released(atlas, &view, "map-after", |item| item.people);
    let gone = atlas.places.iter().zip(&view.at).filter(|(place, _)| !place.released);
    after.map.spots.extend(gone.filter_map(|(place, at)| {
        Some(Spot { at: (*at)?, look: SUPPRESSED, weight: 0.1, label: format!("{}: suppressed", place.name) })
    }));
    let known = atlas.places.iter().any(|place| place.people.is_some());
    let caption = if known {
        format!("Before: larger means more people; rings mark places that fewer than {crowd} visited")
    } else {
        "Before: the places; give the original data to see how many people visited them".to_owned()
    };
    let content = format!(
        "<div class=\"pair\">\n{}{}</div>\n{}{}",
        figure(&before, &caption),
        figure(&after.map, &format!("After: {}; crosses are suppressed places", after.caption)),
        if view.moved {
            paragraph("There are many places: those close together share a mark.")
        } else {
            String::new()
        },
        table(atlas, "People in the release", |item| grouped(item.people))
    );
    html::section("maps", "Where it was, with counts", &content)
}

struct Drawn {
    map: Map,
    caption: String,
}

/// The released items: places that were kept, and areas around places that became one.
fn released(atlas: &Atlas, view: &View, id: &str, weight: impl Fn(&Released) -> u64) -> Drawn {
    let most = atlas.items.iter().map(&weight).max().unwrap_or(1).max(1) as f64;
    let general: Vec<(usize, &Released)> =
        atlas.items.iter().filter(|item| item.general).enumerate().collect();
    let mut drawn = general.clone();
    drawn.sort_by_key(|(number, item)| (std::cmp::Reverse(item.visits), *number));
    drawn.truncate(AREAS);
    drawn.sort_by_key(|(number, _)| *number);
    let mut areas = Vec::new();
    let mut spots: Vec<Spot> = Vec::new();
    for (number, item) in &drawn {
        let mut places: Vec<[f64; 2]> = item.members.iter().filter_map(|place| view.at[*place]).collect();
        places.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        places.dedup();
        let label = format!("no. {}: {}", number + 1, shortened(&item.item, item.members.len()));
        let name = if drawn.len() <= NUMBERED { (number + 1).to_string() } else { String::new() };
        spots.extend(places.iter().map(|at| Spot {
            at: *at,
            look: MERGED + number,
            weight: 0.02,
            label: label.clone(),
        }));
        areas.push(Area { places, look: MERGED + number, name, label });
    }
    let kept = atlas.items.iter().filter(|item| !item.general);
    spots.extend(kept.filter_map(|item| {
        let at = view.at[*item.members.first()?]?;
        let weight = weight(item) as f64 / most;
        Some(Spot { at, look: KEPT, weight, label: shortened(&item.item, 1) })
    }));
    let spots = merged_spots(spots, view.moved);
    let cut = match general.len().saturating_sub(AREAS) {
        0 => String::new(),
        more => format!("; {} areas with fewer visits are not drawn", grouped(more as u64)),
    };
    let caption = match general.len() {
        0 => "every place stands for itself; larger means more often".to_owned(),
        _ => format!(
            "discs are places kept as they were, larger means more often; each hatched area is one released item, its number \
             as in the table of coarser items{cut}"
        ),
    };
    let intact = atlas.items.len() - general.len();
    let description = format!(
        "{} places were kept as they were. {} areas each stand for one of several places.",
        grouped(intact as u64),
        grouped(general.len() as u64)
    );
    let title = "Places after".to_owned();
    Drawn { map: Map { id: id.to_owned(), title, description, extent: view.extent, areas, spots }, caption }
}

/// Of places that look alike on one knot, the one with the largest weight: the others lie under it.
fn merged_spots(spots: Vec<Spot>, moved: bool) -> Vec<Spot> {
    if !moved {
        return spots;
    }
    let mut kept: BTreeMap<(usize, [u64; 2]), Spot> = BTreeMap::new();
    for spot in spots {
        let key = (spot.look, spot.at.map(f64::to_bits));
        match kept.get_mut(&key) {
            Some(known) if known.weight >= spot.weight => {}
            Some(known) => *known = spot,
            None => {
                kept.insert(key, spot);
            }
        }
    }
    kept.into_values().collect()
}

fn knots(view: &View) -> usize {
    let mut knots: Vec<[u64; 2]> = view.at.iter().flatten().map(|at| at.map(f64::to_bits)).collect();
    knots.sort_unstable();
    knots.dedup();
    knots.len()
}

fn named_places(atlas: &Atlas) -> u64 {
    atlas.places.iter().filter(|place| place.released).count() as u64
}

fn named(names: &[&str]) -> String {
    const MAX_NAMES: usize = 6;
    let mut text = names.iter().take(MAX_NAMES).map(|name| shortened(name, 1)).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_NAMES {
        let _ = write!(text, " and {} more", names.len() - MAX_NAMES);
    }
    text
}

fn figure(drawing: &Map, caption: &str) -> String {
    format!("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", map(drawing), escape(caption))
}

/// The released items behind the map, most visited first.
fn table(atlas: &Atlas, count: &str, number: impl Fn(&Released) -> String) -> String {
    let mut general = 0;
    let mut rows: Vec<(String, &Released)> = Vec::new();
    for item in &atlas.items {
        general += usize::from(item.general);
        let name = match item.general {
            true => format!("no. {general}: {}", code(&shortened(&item.item, item.members.len()))),
            false => code(&shortened(&item.item, 1)),
        };
        rows.push((name, item));
    }
    rows.sort_by(|a, b| b.1.visits.cmp(&a.1.visits).then_with(|| a.1.item.cmp(&b.1.item)));
    let mut table = Table::new("Released places", &["Released item", "Places", count]).tall();
    for (name, item) in rows.iter().take(ROWS) {
        let places = grouped(item.members.len() as u64);
        table.row(&Cell::Html(name), &[Cell::Number(&places), Cell::Number(&number(item))]);
    }
    let more = match rows.len().saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("<p>… and {} more.</p>\n", grouped(more as u64)),
    };
    format!(
        "<details class=\"numbers\"><summary>The numbers behind the maps</summary>\n{}{more}</details>\n",
        table.render()
    )
}
