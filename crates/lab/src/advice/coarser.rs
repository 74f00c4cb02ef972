//! The same data with coarser items: places in cells, items as their groups. What a publisher would prepare first.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use throng_data::{Coordinates, Dataset, Dictionary, Inputs, ItemId, Places, Taxonomy};
use throng_prepare::events::{Mapping, Steps, reshape};
use throng_prepare::units::Distance;

use throng_data::load::Loaded;

/// So many places become one on average in the finest cells that are worth trying.
const TOGETHER: f64 = 4.0;

/// How many sizes of cells, or levels of a taxonomy, are tried.
const LEVELS: usize = 4;

/// The fewest cells that still tell places apart.
const FEWEST_CELLS: f64 = 4.0;

/// One way to make items coarser.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Coarsening {
    /// Places of a square cell become one, of such a side: what `throng prepare events --cell SIDE --collapse` does.
    Cells(Distance),
    /// Items become the groups of their taxonomy, so many levels up.
    Groups(usize),
}

impl Coarsening {
    /// The flags of `throng prepare events` that do it.
    pub fn flags(&self) -> Option<Vec<String>> {
        match self {
            Coarsening::Cells(side) => {
                Some(["--cell".to_owned(), side.to_string(), "--collapse".to_owned()].to_vec())
            }
            Coarsening::Groups(_) => None,
        }
    }

    /// The data with coarser items, and what was done in words; nothing where it cannot be done, or lists of items that go with the data
    /// would have to be made coarser, too.
    pub fn apply(&self, loaded: &Loaded) -> Option<(Loaded, String)> {
        let given = &loaded.inputs;
        let lists = given.constraints.is_some() || given.policy.is_some() || given.alphabet.is_some();
        let patterns = !given.patterns.is_empty() || given.person_patterns.is_some();
        if lists || patterns || !given.sensitive_items.is_empty() || given.costs.is_some() {
            return None;
        }
        match (self, &given.taxonomy) {
            (Coarsening::Cells(side), _) => in_cells(loaded, *side),
            (Coarsening::Groups(up), Some(taxonomy)) => as_groups(loaded, taxonomy, *up),
            (Coarsening::Groups(_), None) => None,
        }
    }
}

impl fmt::Display for Coarsening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coarsening::Cells(side) => write!(f, "cells of {side}"),
            Coarsening::Groups(1) => write!(f, "groups of items"),
            Coarsening::Groups(up) => write!(f, "groups of items, {up} levels up"),
        }
    }
}

/// What can be tried on such data, the finest first.
pub(crate) fn coarsenings(data: &Dataset, taxonomy: Option<&Taxonomy>) -> Vec<Coarsening> {
    match (&data.places, taxonomy) {
        (Some(places), _) => sides(places).into_iter().map(Coarsening::Cells).collect(),
        (None, Some(_)) => (1..=LEVELS).map(Coarsening::Groups).collect(),
        (None, None) => Vec::new(),
    }
}

/// The data with coarser items and what was done, where something can be done.
pub(crate) fn coarser(loaded: &Loaded) -> Option<(Loaded, String)> {
    let all = coarsenings(&loaded.data, loaded.inputs.taxonomy.as_ref());
    all.iter().find_map(|coarsening| coarsening.apply(loaded))
}

/// Sides of cells among 1, 2, 5, 10, ...: from the first at which places begin to share cells, to the last that leaves a few of them.
fn sides(places: &Places) -> Vec<Distance> {
    let ends = |axis: usize| {
        let values = places.points.iter().map(|point| point[axis]);
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((low, high), (left, right)) = (ends(0), ends(1));
    let corner = [low, left];
    let (tall, wide) =
        (places.system.distance(corner, [high, left]), places.system.distance(corner, [low, right]));
    let area = tall.max(wide / 1_000.0) * wide.max(tall / 1_000.0);
    let count = places.points.len() as f64;
    if !(area.is_finite() && area > 0.0 && count >= TOGETHER * FEWEST_CELLS) {
        return Vec::new();
    }
    let finest = (area * TOGETHER / count).sqrt();
    let mut side = 10_f64.powf(finest.log10().floor());
    let mut found = Vec::new();
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        // As the digits 1, 2 and 5 are written.
        let told: f64 = format!("{side:.9}").parse().unwrap_or(side);
        let cells = ((tall / told).floor() + 1.0) * ((wide / told).floor() + 1.0);
        if cells < FEWEST_CELLS || found.len() == LEVELS {
            break;
        }
        if told >= finest {
            found.push(match places.system {
                Coordinates::Degrees => Distance::Metres(told),
                Coordinates::Plane => Distance::Plane(told),
            });
        }
        side = told * factor;
    }
    found
}

/// Places of a cell become one.
fn in_cells(loaded: &Loaded, side: Distance) -> Option<(Loaded, String)> {
    let steps = Steps { items: Some(Mapping::Cells(side)), collapse: true, ..Steps::default() };
    let (mut data, _) = reshape(&loaded.data, &steps).ok()?;
    let before = loaded.data.items.len();
    if data.items.len() < 2 || data.items.len() >= before {
        return None;
    }
    if data.events.kind() == throng_data::EventKind::Set {
        data.events = data.events.as_sets();
    }
    let what = format!(
        "put the {before} places into {} cells of {side} first (`throng prepare events --cell {side} --collapse`)",
        data.items.len()
    );
    let inputs = Inputs { taxonomy: None, queries: None, ..loaded.inputs.clone() };
    Some((of_data(loaded, data, inputs), what))
}

/// Items become their ancestors in the taxonomy, so many levels up, below its root.
fn as_groups(loaded: &Loaded, taxonomy: &Taxonomy, up: usize) -> Option<(Loaded, String)> {
    let leaves = taxonomy.align(&loaded.data.items).ok()?;
    let mut members: BTreeMap<u32, Vec<ItemId>> = BTreeMap::new();
    for (item, leaf) in (0..).zip(&leaves) {
        let below = |node: &u32| taxonomy.parent(*node).filter(|parent| *parent != taxonomy.root());
        let ancestor = std::iter::successors(Some(*leaf), below).take(up + 1).last().unwrap_or(*leaf);
        members.entry(ancestor).or_default().push(item);
    }
    if members.len() < 2 || members.len() == leaves.len() {
        return None;
    }
    let path = |node: &u32| {
        let up = std::iter::successors(Some(*node), |node| taxonomy.parent(*node));
        up.map(|node| taxonomy.name(node).to_owned()).collect::<Vec<_>>()
    };
    let paths: Vec<Vec<String>> = members.keys().map(path).collect();
    let tree = Taxonomy::from_paths(paths.iter().map(|path| path.iter().map(String::as_str))).ok()?;
    let names: Vec<String> = members.keys().map(|node| taxonomy.name(*node).to_owned()).collect();
    let groups: Vec<&Vec<ItemId>> = members.values().collect();
    let data = recoded(&loaded.data, &names, &groups);
    let inputs = Inputs { taxonomy: Some(tree), queries: None, ..loaded.inputs.clone() };
    let what = format!("replace the {} items by their {} groups first", leaves.len(), members.len());
    Some((of_data(loaded, data, inputs), what))
}

/// The data with groups in the place of their members.
fn recoded(data: &Dataset, names: &[String], groups: &[&Vec<ItemId>]) -> Dataset {
    let mut image = vec![0; data.items.len()];
    for (group, members) in (0..).zip(groups) {
        members.iter().for_each(|member| image[*member as usize] = group);
    }
    let items: Dictionary = names.iter().map(String::as_str).collect();
    let events = data.events.recode(|item| image[item as usize], true);
    let sets = events.kind() == throng_data::EventKind::Set;
    Dataset {
        subjects: data.subjects.clone(),
        items: Arc::new(items),
        events: if sets { events.as_sets() } else { events },
        places: None,
        own_categories: None,
        attributes: data.attributes.clone(),
    }
}

fn of_data(loaded: &Loaded, data: Dataset, inputs: Inputs) -> Loaded {
    Loaded { data, inputs, named: loaded.named, files: loaded.files.clone(), notes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(data: Dataset, inputs: Inputs) -> Loaded {
        Loaded { data, inputs, named: true, files: Vec::new(), notes: Vec::new() }
    }

    #[test]
    fn places_of_a_cell_become_one() {
        let mut data = Dataset::from_words(["abcdefghijklmnop", "pa"]);
        let points = (0..16).map(|place| [f64::from(place / 4), f64::from(place % 4)]).collect();
        data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
        let (coarse, what) = coarser(&loaded(data, Inputs::default())).unwrap();
        assert_eq!(
            (coarse.data.items.len(), what.as_str()),
            (4, "put the 16 places into 4 cells of 2 first (`throng prepare events --cell 2 --collapse`)")
        );
        assert_eq!(coarse.data.names_of(1), ["r0c1", "r1c0"]);
        assert_eq!(coarse.data.places.unwrap().points.len(), 4);
    }

    #[test]
    fn several_sizes_are_worth_trying_where_there_are_many_places() {
        let points = (0..2_500).map(|place| [f64::from(place / 50), f64::from(place % 50)]).collect();
        let places = Places { system: Coordinates::Plane, points, categories: None };
        let told: Vec<String> = sides(&places).iter().map(Distance::to_string).collect();
        assert_eq!(told, ["2", "5", "10", "20"]);
        let scattered = |count: i32| (0..count).map(|place| [52.0 + f64::from(place) / 1e3, 13.0]).collect();
        let line =
            |count| Places { system: Coordinates::Degrees, points: scattered(count), categories: None };
        assert!(!sides(&line(1_000)).is_empty() && sides(&line(1)).is_empty());
    }

    #[test]
    fn items_become_their_groups_and_lists_forbid_it() {
        let paths = ["a;x;all", "b;x;all", "c;y;all", "d;all"].map(|path| path.split(';'));
        let inputs = Inputs { taxonomy: Some(Taxonomy::from_paths(paths).unwrap()), ..Inputs::default() };
        let data = Dataset::from_words(["abcd"]);
        let (coarse, _) = coarser(&loaded(data.clone(), inputs.clone())).unwrap();
        let mut names = coarse.data.names_of(0);
        names.sort();
        assert_eq!(names, ["d", "x", "x", "y"]);
        assert_eq!(coarse.inputs.taxonomy.unwrap().leaves(), 3);
        let listed = Inputs { sensitive_items: vec!["a".to_owned()], ..inputs };
        assert!(coarser(&loaded(data, listed)).is_none());
    }
}
