//! Distances that were worked out by hand, and the largest one against all pairs.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_data::{Dataset, Dictionary, EventKind, EventsBuilder, GeneralisedItem};

use super::*;

fn plane(points: &[[f64; 2]]) -> Places {
    Places { system: Coordinates::Plane, points: points.to_vec(), categories: None }
}

#[test]
fn the_identity_moves_no_one() {
    let data = Dataset::from_words(["ab", "ba", ""]);
    let places = plane(&[[0.0, 0.0], [3.0, 4.0]]);
    let release = Release::identity(data.items.clone(), data.events.clone());
    let loss = dataset(&data.events, &places, &release).unwrap();
    assert_eq!((loss.mean, loss.normalised, loss.largest, loss.records), (0.0, 0.0, 5.0, 2));
}

#[test]
fn suppressed_events_are_counted_and_not_averaged() {
    // a and b become {a|b}; c is gone, and with it the whole third record.
    let data = Dataset::from_words(["ac", "b", "c"]);
    let places = plane(&[[0.0, 0.0], [10.0, 0.0], [2.0, 0.0]]);
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (subject, record) in [&[0][..], &[0], &[]].into_iter().enumerate() {
        builder.push(subject as u32, record, &[]);
    }
    let mut release = Release::identity(data.items.clone(), builder.finish(3));
    release.alphabet = vec![GeneralisedItem::of(vec![0, 2])];
    let loss = dataset(&data.events, &places, &release).unwrap();
    assert_eq!((loss.mean, loss.normalised, loss.largest), (1.0, 0.1, 10.0));
    assert_eq!((loss.records, loss.suppressed_events, loss.emptied_records), (2, 2, 1));
}

#[test]
fn counting_tells_whether_records_need_to_be_matched() {
    // a and c became {a|c} everywhere: 2 and 0 and 2 moved by 1, 0 and 1 on average.
    let data = Dataset::from_words(["ac", "b", "cb"]);
    let places = plane(&[[0.0, 0.0], [2.0, 0.0], [10.0, 0.0]]);
    let mut release = Release::identity(data.items.clone(), data.events.recode(|item| item / 2, false));
    release.alphabet = vec![GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2])];
    let moves = Moves::of(&places, &release);
    let (known, unknown) =
        (moves.loss(&data.events, &release, true, 10.0), moves.loss(&data.events, &release, false, 10.0));
    assert_eq!(known, unknown);
    assert_eq!(known.map(|loss| loss.mean), Some(0.5));
    assert_eq!(moves.inside(&release), 2.0);
    let events = release.events().retain(|record, _, _| record != 1);
    release.body = release.body.with_events(|_| events);
    assert_eq!(moves.loss(&data.events, &release, false, 10.0), None);
}

#[test]
fn synthetic_records_have_no_distance() {
    let data = Dataset::from_words(["ab"]);
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    release.nature = Nature::Synthetic;
    assert_eq!(dataset(&data.events, &plane(&[[0.0, 0.0], [1.0, 0.0]]), &release), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_largest_distance_is_that_of_the_farthest_pair(
        points in vec((-85.0..85.0_f64, -180.0..180.0_f64), 1..30), degrees: bool,
    ) {
        let system = if degrees { Coordinates::Degrees } else { Coordinates::Plane };
        let places = Places {
            system, points: points.iter().map(|(a, b)| [*a, *b]).collect(), categories: None,
        };
        let items: Vec<ItemId> = (0..points.len() as ItemId).collect();
        let mut builder = EventsBuilder::new(EventKind::Sequence, false);
        builder.push(0, &items, &[]);
        let names: Vec<String> = items.iter().map(|item| format!("p{item:02}")).collect();
        let base: Dictionary = names.iter().map(String::as_str).collect();
        let release = Release::identity(Arc::new(base), builder.finish(1));
        let found = dataset(release.events(), &places, &release).unwrap().largest;
        let expected = items.iter().flat_map(|a| items.iter().map(|b| places.distance(*a, *b)))
            .fold(0.0, f64::max);
        prop_assert!((found - expected).abs() <= 1e-6 * expected.max(1.0));
    }
}
