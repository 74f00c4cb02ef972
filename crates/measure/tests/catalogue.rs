//! What holds for every measure there is: changing nothing is best, and every number lies on its scale.

#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::{Better, DescriptorKind, Progress, Scale, Settings};
use throng_data::{
    Coordinates, Dataset, Dictionary, EventKind, EventsBuilder, Inputs, ItemId, Places, Release, Taxonomy,
};
use throng_measure::{ALL, Comparison, Measure, MeasureError, Readings};
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
    for method in throng_methods::ALL {
        let descriptor = method.descriptor();
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
    let values = [("min-support", "2"), ("projections", "3"), ("drawn", "30")];
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn changing_nothing_is_best_and_every_number_lies_on_its_scale(
        people in vec(vec(vec(0..6_u32, 0..6), 1..3), 4..12),
    ) {
        let (data, progress, taxonomy) = (dataset(&people), Progress::silent(), taxonomy());
        prop_assume!(!data.events.is_empty());
        let identity = Release::identity(data.items.clone(), data.events.clone());
        let inputs = Inputs { taxonomy: Some(taxonomy.clone()), ..Inputs::default() };
        let of = |release| Comparison { inputs: &inputs, ..Comparison::of(&data, release, &progress) };
        let releases = releases(&data, &taxonomy, &progress);
        for measure in ALL {
            let best = ask(*measure, &of(&identity)).unwrap();
            for (scale, value) in read(*measure, &best) {
                match scale.better {
                    Better::Low => prop_assert_eq!(*value, scale.min, "{}", scale.name),
                    Better::High if scale.max.is_finite() => prop_assert_eq!(*value, scale.max, "{}", scale.name),
                    _ => {}
                }
            }
            for (method, release) in &releases {
                for aligned in [true, false] {
                    let on = Comparison { aligned: aligned && of(release).aligned, ..of(release) };
                    let Ok(readings) = ask(*measure, &on) else { continue };
                    for (scale, value) in read(*measure, &readings) {
                        let name = format!("{} of {method}: {value}", scale.name);
                        prop_assert!(value.is_finite() && (scale.min..=scale.max).contains(value), "{}", name);
                        let identity = best.iter().find(|(best, _)| *best == scale.name).map(|(_, best)| *best);
                        let no_worse = match (scale.better, identity) {
                            (Better::High, Some(best)) => *value <= best,
                            (Better::Low, Some(best)) => *value >= best,
                            _ => true,
                        };
                        prop_assert!(no_worse, "{} is better than changing nothing", name);
                    }
                }
            }
        }
    }
}

#[test]
fn most_methods_take_part() {
    let people: Vec<Vec<Vec<ItemId>>> =
        (0..24).map(|person| vec![vec![person % 4, person % 3 + 2, 1], vec![person % 2]]).collect();
    let made = releases(&dataset(&people), &taxonomy(), &Progress::silent());
    assert!(made.len() >= 7, "{:?}", made.iter().map(|(name, _)| name).collect::<Vec<_>>());
}
