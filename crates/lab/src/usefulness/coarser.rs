//! The same data with coarser items: places in cells, items as their groups. What a publisher would prepare first.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_data::{Coordinates, Dataset, Dictionary, Inputs, ItemId, Places, Taxonomy};

use crate::load::Loaded;

/// So many places become one, on average.
const TOGETHER: usize = 4;

/// The data with coarser items and what was done, where something can be done. Lists of items that go with the data would have to be
/// made coarser, too: where there is one, nothing is.
pub(crate) fn coarser(loaded: &Loaded) -> Option<(Loaded, String)> {
    let given = &loaded.inputs;
    let lists = given.constraints.is_some() || given.policy.is_some() || given.alphabet.is_some();
    if lists || !given.sensitive_items.is_empty() || !given.patterns.is_empty() || given.costs.is_some() {
        return None;
    }
    match (&loaded.data.places, &given.taxonomy) {
        (Some(places), _) => in_cells(loaded, places),
        (None, Some(taxonomy)) => as_groups(loaded, taxonomy),
        (None, None) => None,
    }
}

/// Places of a cell of a grid become one.
fn in_cells(loaded: &Loaded, places: &Places) -> Option<(Loaded, String)> {
    let across = (places.points.len() / TOGETHER).isqrt();
    if across < 2 {
        return None;
    }
    let ends = |axis: usize| {
        let values = places.points.iter().map(|point| point[axis]);
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (first, second) = (ends(0), ends(1));
    let cell = |value: f64, (low, high): (f64, f64)| {
        if high > low { (((value - low) / (high - low) * across as f64) as usize).min(across - 1) } else { 0 }
    };
    let of = |point: &[f64; 2]| (cell(point[0], first), cell(point[1], second));
    let mut members: BTreeMap<(usize, usize), Vec<ItemId>> = BTreeMap::new();
    for (item, point) in (0..).zip(&places.points) {
        members.entry(of(point)).or_default().push(item);
    }
    let mean = |items: &Vec<ItemId>| {
        let sum = items.iter().fold([0.0, 0.0], |sum: [f64; 2], item| {
            let point = places.points[*item as usize];
            [sum[0] + point[0], sum[1] + point[1]]
        });
        sum.map(|sum| sum / items.len() as f64)
    };
    let points = members.values().map(mean).collect();
    let name = |(row, column): &(usize, usize)| format!("cell {row} {column}");
    let side = places
        .system
        .distance([first.0, second.0], [first.0 + (first.1 - first.0) / across as f64, second.0]);
    let size = match places.system {
        Coordinates::Degrees if side >= 1_000.0 => format!(" of about {:.1} km", side / 1_000.0),
        Coordinates::Degrees => format!(" of about {side:.0} m"),
        Coordinates::Plane => String::new(),
    };
    let what = format!("put the {} places into {} cells{size} first", places.points.len(), members.len());
    let names: Vec<String> = members.keys().map(name).collect();
    let groups: Vec<&Vec<ItemId>> = members.values().collect();
    let data = recoded(&loaded.data, &names, &groups);
    let places = Places { system: places.system, points, categories: None };
    let inputs = Inputs { taxonomy: None, queries: None, ..loaded.inputs.clone() };
    Some((of_data(loaded, Dataset { places: Some(places), ..data }, inputs), what))
}

/// Items become their parents in the taxonomy.
fn as_groups(loaded: &Loaded, taxonomy: &Taxonomy) -> Option<(Loaded, String)> {
    let leaves = taxonomy.align(&loaded.data.items).ok()?;
    let mut members: BTreeMap<u32, Vec<ItemId>> = BTreeMap::new();
    for (item, leaf) in (0..).zip(&leaves) {
        let parent = taxonomy.parent(*leaf).filter(|parent| *parent != taxonomy.root()).unwrap_or(*leaf);
        members.entry(parent).or_default().push(item);
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
        assert_eq!((coarse.data.items.len(), what.as_str()), (4, "put the 16 places into 4 cells first"));
        assert_eq!(coarse.data.names_of(1), ["cell 1 1", "cell 0 0"]);
        assert_eq!(coarse.data.places.unwrap().points[0], [0.5, 0.5]);
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
