use super::*;
use throng_data::{Coordinates, Dataset};

/// Places on a line at 0, 1, 4, 9.
fn line() -> (Dataset, Places) {
    let points = vec![[0.0, 0.0], [1.0, 0.0], [4.0, 0.0], [9.0, 0.0]];
    (Dataset::from_words(["abcd"]), Places { system: Coordinates::Plane, points, categories: None })
}

fn distance_after_merging_a_and_b(linkage: Linkage, keep_matrix: bool) -> f64 {
    let (data, places) = line();
    let mut groups = Groups::singletons(&data.events, 4);
    let mut proximity = Proximity::new(Some((&places, linkage)), None);
    if !keep_matrix {
        proximity.space.as_mut().unwrap().matrix = Vec::new();
    }
    proximity.merge(&groups, 0, 1);
    groups.merge(0, 1);
    proximity.between(&groups, 0, 2)
}

#[test]
fn linkages_differ_as_they_should_with_and_without_the_matrix() {
    for keep in [true, false] {
        assert_eq!(distance_after_merging_a_and_b(Linkage::Average, keep), 3.5);
        assert_eq!(distance_after_merging_a_and_b(Linkage::Centroid, keep), 3.5);
        assert_eq!(distance_after_merging_a_and_b(Linkage::Single, keep), 3.0);
        assert_eq!(distance_after_merging_a_and_b(Linkage::Complete, keep), 4.0);
    }
}

#[test]
fn many_places_have_the_same_neighbours_as_a_look_at_all() {
    let mut state = 9_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let items = MATRIX_ITEMS + 200;
    let names: Vec<String> = (0..items).map(|item| format!("i{item}")).collect();
    let records = names.iter().map(|name| (name.as_str(), [name.as_str()]));
    let data = Dataset::from_records(throng_data::EventKind::Sequence, records);
    for (system, linkage) in [
        (Coordinates::Plane, Linkage::Average),
        (Coordinates::Degrees, Linkage::Average),
        (Coordinates::Degrees, Linkage::Complete),
        (Coordinates::Degrees, Linkage::Centroid),
    ] {
        // Many at the same point, and around the date line.
        let points = (0..items).map(|_| [draw(60) as f64, 180.0 - draw(70) as f64 / 7.0]).collect();
        let places = Places { system, points, categories: None };
        let mut groups = Groups::singletons(&data.events, items);
        let mut indexed = Proximity::new(Some((&places, linkage)), None);
        let mut plain = Proximity::new(Some((&places, linkage)), None);
        plain.space.as_mut().unwrap().neighbours = None;
        for _ in 0..300 {
            let group = groups.of(draw(items as u64) as ItemId).unwrap();
            let allowed = |other: u32| !other.is_multiple_of(5);
            let nearest = indexed.nearest(&groups, group, allowed);
            assert_eq!(nearest, plain.nearest(&groups, group, allowed), "{linkage:?}");
            let (partner, _) = nearest.unwrap();
            indexed.merge(&groups, group, partner);
            plain.merge(&groups, group, partner);
            groups.merge(group, partner);
        }
    }
}

#[test]
fn a_taxonomy_alone_has_the_same_neighbours_as_a_look_at_all() {
    let names: Vec<String> = (0..60).map(|item| format!("i{item}")).collect();
    let records = names.iter().map(|name| (name.as_str(), [name.as_str()]));
    let data = Dataset::from_records(throng_data::EventKind::Sequence, records);
    // Groups of unequal sizes, some of them alone below a node of their own.
    let paths =
        (0..60).map(|item: u32| format!("i{item};a{};b{};c{};r", item % 17, item % 17 / 3, item % 17 / 9));
    let paths: Vec<String> = paths.collect();
    let tree = Taxonomy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
    let leaves = tree.align(&data.items).unwrap();
    let mut groups = Groups::singletons(&data.events, 60);
    let mut indexed = Proximity::new(None, Some((&tree, leaves.clone())));
    let mut plain = Proximity::new(None, Some((&tree, leaves)));
    plain.meaning.as_mut().unwrap().kin = None;
    for step in 0..55_u32 {
        let group = groups.of(step * 7 % 60).unwrap();
        let allowed = |other: u32| !other.is_multiple_of(11);
        let nearest = indexed.nearest(&groups, group, allowed);
        assert_eq!(nearest, plain.nearest(&groups, group, allowed), "{step}");
        let Some((partner, _)) = nearest else { continue };
        indexed.merge(&groups, group, partner);
        plain.merge(&groups, group, partner);
        groups.merge(group, partner);
    }
}

#[test]
fn the_nearest_allowed_group_wins() {
    let (data, places) = line();
    let groups = Groups::singletons(&data.events, 4);
    let proximity = Proximity::new(Some((&places, Linkage::Average)), None);
    assert_eq!(proximity.nearest(&groups, 1, |_| true), Some((0, 1.0)));
    assert_eq!(proximity.nearest(&groups, 1, |group| group != 0), Some((2, 3.0)));
    assert_eq!(proximity.nearest(&groups, 1, |_| false), None);
}

#[test]
fn meaning_can_outweigh_space() {
    let (data, places) = line();
    let tree =
        Taxonomy::from_paths(["a;x;r", "b;y;r", "c;x;r", "d;y;r"].map(|path| path.split(';'))).unwrap();
    let leaves = tree.align(&data.items).unwrap();
    let groups = Groups::singletons(&data.events, 4);
    let proximity = Proximity::new(Some((&places, Linkage::Average)), Some((&tree, leaves)));
    // b is at 1 from a and at 3 from c; both span the whole tree with b.
    assert_eq!(proximity.between(&groups, 0, 1), 1.0);
    assert_eq!(proximity.between(&groups, 0, 2), 2.0);
    assert_eq!(proximity.nearest(&groups, 2, |_| true), Some((0, 2.0)));
}
