//! What holds for every measure there is: changing nothing is best, and every number lies on its scale.

#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::{Better, DescriptorKind, Progress, Scale, Settings};
use throng_data::{
    Body, Column, ColumnValues, Coordinates, Cover, Dataset, Dictionary, EventKind, EventsBuilder,
    GeneralisedItem, Hierarchy, Inputs, ItemId, Places, RecodedTable, Release, Role, Table, Taxonomy,
};
use throng_measure::{ALL, Comparison, Measure, MeasureError, OnChunks, Readings};
use throng_methods::Task;

const LETTERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn taxonomy() -> Taxonomy {
    let paths =
        ["a;ab;abc;any", "b;ab;abc;any", "c;cc;abc;any", "d;de;def;any", "e;de;def;any", "f;ff;def;any"];
    Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap()
}

/// People with one or two records, whose events have rising times.
fn dataset(people: &[Vec<Vec<ItemId>>]) -> Dataset {
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    for (subject, records) in (0..).zip(people) {
        for record in records {
            builder.push(subject, record, &(0..record.len() as i64).collect::<Vec<_>>());
        }
    }
    let items: Dictionary = LETTERS.into_iter().collect();
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let points = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [5.0, 3.0], [4.0, 4.0]];
    Dataset {
        subjects: names.iter().map(String::as_str).collect(),
        items: items.into(),
        events: builder.finish(people.len()),
        places: Some(Places { system: Coordinates::Plane, points, categories: None }),
        own_categories: None,
        attributes: None,
    }
}

/// The release of every method that can be asked for with these values and feasible on the data.
fn releases(data: &Dataset, taxonomy: &Taxonomy, progress: &Progress) -> Vec<(&'static str, Release)> {
    let values = [
        ("k", "2"),
        ("m", "2"),
        ("l", "2"),
        ("clusters", "2"),
        ("L", "2"),
        ("K", "2"),
        ("C", "0.6"),
        ("K-prime", "2"),
        ("epsilon", "0.5"),
        ("window", "10"),
        ("max-suppressed", "100%"),
        ("infeasible", "drop"),
    ];
    let sets = |sets: &[&[u32]]| sets.iter().map(|set| data.items.named(set)).collect::<Vec<_>>();
    let inputs = Inputs {
        taxonomy: Some(taxonomy.clone()),
        constraints: Some(sets(&[&[0, 1, 2], &[3, 4, 5]])),
        sensitive_items: data.items.named(&[5]),
        patterns: sets(&[&[0, 3], &[1, 4]]),
        alphabet: Some(["a", "b", "c", "d", "e", "f", "x"].map(str::to_owned).to_vec()),
        ..Inputs::default()
    };
    let mut made = Vec::new();
    for method in throng_methods::ALL.iter().filter(|method| method.descriptor().fits(&data.shape()).is_ok())
    {
        let descriptor = method.descriptor();
        if descriptor.fits(&data.shape()).is_err() {
            continue;
        }
        let known = values.into_iter().filter(|(name, _)| descriptor.param(name).is_some());
        let Ok(settings) = Settings::parse(descriptor, known) else { continue };
        let task = Task { inputs: &inputs, seed: 1, ..Task::new(data, &settings, progress) };
        if let Ok(outcome) = method.anonymize(&task) {
            made.push((descriptor.name, outcome.release));
        }
    }
    made
}

fn ask(measure: &dyn Measure, on: &Comparison<'_>) -> Result<Readings, MeasureError> {
    let descriptor = measure.descriptor();
    let values = [
        ("min-support", "2"),
        ("projections", "3"),
        ("drawn", "30"),
        ("rank-from", "0"),
        ("rank-to", "4"),
        ("top", "6"),
    ];
    let known = values.into_iter().filter(|(name, _)| descriptor.param(name).is_some());
    measure.measure(on, &Settings::parse(descriptor, known).unwrap())
}

fn scales(measure: &dyn Measure) -> &'static [Scale] {
    measure.descriptor().gauge.unwrap().scales
}

/// The scales of the readings, which come in the order of the descriptor.
fn read<'a>(measure: &dyn Measure, readings: &'a Readings) -> Vec<(&'static Scale, &'a f64)> {
    let mut scales = scales(measure).iter();
    let known =
        |name: &str| panic!("{} has no scale {name}, or not in this place", measure.descriptor().name);
    readings
        .iter()
        .map(|(name, value)| (scales.find(|scale| scale.name == *name).unwrap_or_else(|| known(name)), value))
        .collect()
}

#[test]
fn every_measure_is_described() {
    let mut names = Vec::new();
    let mut scale_names = Vec::new();
    for measure in ALL {
        let descriptor = measure.descriptor();
        assert_eq!(descriptor.kind, DescriptorKind::Measure);
        assert!(!scales(*measure).is_empty(), "{}", descriptor.name);
        assert!(descriptor.example.starts_with("throng measure "), "{}", descriptor.name);
        names.push(descriptor.name);
        for scale in scales(*measure) {
            assert!(scale.min < scale.max, "{}", scale.name);
            scale_names.push(scale.name);
        }
    }
    // A table of all numbers names each column by its scale alone.
    for mut list in [names, scale_names] {
        let all = list.len();
        list.sort_unstable();
        list.dedup();
        assert_eq!(list.len(), all);
    }
}

#[test]
fn nothing_at_all_can_be_measured() {
    let (data, progress, taxonomy) = (dataset(&[]), Progress::silent(), taxonomy());
    let release = Release::identity(data.items.clone(), data.events.clone());
    let inputs = Inputs { taxonomy: Some(taxonomy), ..Inputs::default() };
    let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
    for measure in ALL {
        match ask(*measure, &on) {
            Ok(readings) => assert!(readings.iter().all(|(_, value)| value.is_finite())),
            Err(error) => assert!(matches!(error, MeasureError::NotApplicable { .. }), "{error}"),
        }
    }
}

/// What depends on how alike people are in the data: then even changing nothing does not score best.
const RELATIVE_TO_THE_DATA: [&str; 5] = ["accuracy", "c_avg", "dm", "dm_share", "largest_class"];

/// What a coarser release may even better: a classifier learns less noise.
const MAY_IMPROVE: [&str; 1] = ["accuracy"];

/// Changing nothing is best, and every number lies on its scale.
fn judge(
    data: &Dataset,
    inputs: &Inputs,
    identity: &Release,
    releases: &[(&'static str, Release)],
) -> Result<(), TestCaseError> {
    let progress = Progress::silent();
    let of = |release| Comparison { inputs, ..Comparison::of(data, release, &progress) };
    for measure in ALL.iter().filter(|measure| measure.descriptor().fits(&data.shape()).is_ok()) {
        let best = match ask(*measure, &of(identity)) {
            // Some measures are about records that were taken apart, and about nothing else.
            Err(MeasureError::NotApplicable { .. }) if measure.on_chunks() == OnChunks::AsTheyAre => {
                Vec::new()
            }
            // Others are about counts.
            Err(MeasureError::NotApplicable { measure: "counts", .. }) => Vec::new(),
            answer => answer.unwrap(),
        };
        for (scale, value) in read(*measure, &best) {
            prop_assert!((scale.min..=scale.max).contains(value), "{}: {}", scale.name, value);
            match scale.better {
                _ if RELATIVE_TO_THE_DATA.contains(&scale.name) => {}
                Better::Low => prop_assert_eq!(*value, scale.min, "{}", scale.name),
                Better::High if scale.max.is_finite() => {
                    prop_assert_eq!(*value, scale.max, "{}", scale.name);
                }
                _ => {}
            }
        }
        let read_by_it =
            |release: &Release| release.body.has_rows() || measure.on_chunks() == OnChunks::AsTheyAre;
        for (method, release) in releases.iter().filter(|(_, release)| read_by_it(release)) {
            for aligned in [true, false] {
                let on = Comparison { aligned: aligned && of(release).aligned, ..of(release) };
                let Ok(readings) = ask(*measure, &on) else { continue };
                for (scale, value) in read(*measure, &readings) {
                    let name = format!("{} of {method}: {value}", scale.name);
                    prop_assert!(value.is_finite() && (scale.min..=scale.max).contains(value), "{}", name);
                    let identity = best.iter().find(|(best, _)| *best == scale.name).map(|(_, best)| *best);
                    let no_worse = match (scale.better, identity) {
                        _ if MAY_IMPROVE.contains(&scale.name) => true,
                        (Better::High, Some(best)) => *value <= best,
                        (Better::Low, Some(best)) => *value >= best,
                        _ => true,
                    };
                    prop_assert!(no_worse, "{} is better than changing nothing", name);
                }
            }
        }
    }
    Ok(())
}

/// A table of ages, towns and diagnoses, with a hierarchy of the towns.
fn table(rows: &[(u32, u32, u32)]) -> (Dataset, Inputs) {
    let words = |name: &str, role, words: &[&str], codes: Vec<u32>| Column {
        name: name.to_owned(),
        role: Some(role),
        values: ColumnValues::Categories { values: words.iter().copied().collect(), codes },
    };
    let ages = rows.iter().map(|(age, ..)| f64::from(20 + age)).collect();
    let columns = vec![
        Column {
            name: "age".to_owned(),
            role: Some(Role::QuasiIdentifying),
            values: ColumnValues::Numbers(ages),
        },
        words("town", Role::QuasiIdentifying, &LETTERS, rows.iter().map(|(_, town, _)| *town).collect()),
        words("disease", Role::Sensitive, &["cold", "flu"], rows.iter().map(|(.., ill)| *ill).collect()),
    ];
    let subjects: Vec<String> = (0..rows.len()).map(|person| format!("p{person}")).collect();
    let data = Dataset::from_table(subjects.iter().map(String::as_str).collect(), Table { columns });
    let paths =
        ["a;ab;abc;any", "b;ab;abc;any", "c;cc;abc;any", "d;de;def;any", "e;de;def;any", "f;ff;def;any"];
    let towns = Hierarchy::from_paths(paths.map(|path| path.split(';'))).unwrap();
    let inputs = Inputs { hierarchies: BTreeMap::from([("town".to_owned(), towns)]), ..Inputs::default() };
    (data, inputs)
}

/// Ages in tens, towns as nodes and sets, some rows suppressed.
fn coarser(identity: &RecodedTable, suppressed: &[u32]) -> RecodedTable {
    let mut table = identity.clone();
    let tens = |cover: &mut Cover| {
        if let Cover::Value(age) = cover {
            let low = age.parse::<u32>().unwrap() / 10 * 10;
            *cover = Cover::Range { low: low.to_string(), high: (low + 9).to_string() };
        }
    };
    table.columns[0].covers.iter_mut().for_each(tens);
    for cover in &mut table.columns[1].covers {
        let members = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        *cover = match &*cover {
            Cover::Value(town) if town == "a" || town == "b" => {
                Cover::Node { name: "ab".to_owned(), members: members(&["a", "b"]).into() }
            }
            Cover::Value(town) if town == "c" || town == "f" => Cover::Set(members(&["c", "f"])),
            other => other.clone(),
        };
    }
    table.suppress(suppressed);
    table
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn changing_nothing_is_best_for_sequences(people in vec(vec(vec(0..6_u32, 0..6), 1..3), 4..12)) {
        let (data, progress, taxonomy) = (dataset(&people), Progress::silent(), taxonomy());
        prop_assume!(!data.events.is_empty());
        let identity = Release::identity(data.items.clone(), data.events.clone());
        let inputs = Inputs { taxonomy: Some(taxonomy.clone()), ..Inputs::default() };
        judge(&data, &inputs, &identity, &releases(&data, &taxonomy, &progress))?;
    }

    #[test]
    fn changing_nothing_is_best_for_sets(
        people in vec(vec(vec(0..6_u32, 0..6), 1..3), 4..12), lost in 0..6_u32,
    ) {
        let (mut data, progress, taxonomy) = (dataset(&people), Progress::silent(), taxonomy());
        data.events = data.events.as_sets();
        prop_assume!(!data.events.is_empty());
        let identity = Release::identity(data.items.clone(), data.events.clone());
        let inputs = Inputs { taxonomy: Some(taxonomy.clone()), ..Inputs::default() };
        let mut merged = identity.clone();
        let kept = data.events.retain(|_, _, item| item != lost);
        merged.body = Body::of_events(kept.recode(|item| item / 2, false).as_sets());
        merged.alphabet = (0..6).map(|item| GeneralisedItem::of(vec![2 * (item % 3), 2 * (item % 3) + 1])).collect();
        let mut releases = releases(&data, &taxonomy, &progress);
        releases.push(("merged", merged));
        judge(&data, &inputs, &identity, &releases)?;
    }

    #[test]
    fn changing_nothing_is_best_for_tables(
        rows in vec((0..40_u32, 0..6_u32, 0..2_u32), 4..12), suppressed in vec(0..4_u32, 0..3),
    ) {
        let (data, inputs) = table(&rows);
        let identity = RecodedTable::identity(data.attributes.as_ref().unwrap());
        let coarse = Release::of_table(coarser(&identity, &suppressed), rows.len());
        judge(&data, &inputs, &Release::of_table(identity, rows.len()), &[("coarser", coarse)])?;
    }
}

#[test]
fn most_methods_take_part() {
    let people: Vec<Vec<Vec<ItemId>>> =
        (0..24).map(|person| vec![vec![person % 4, person % 3 + 2, 1], vec![person % 2]]).collect();
    let made = releases(&dataset(&people), &taxonomy(), &Progress::silent());
    assert!(made.len() >= 7, "{:?}", made.iter().map(|(name, _)| name).collect::<Vec<_>>());
}
