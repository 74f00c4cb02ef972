use proptest::collection::vec;
use proptest::prelude::*;
use throng_data::{Dataset, Dictionary, EventKind, EventsBuilder, GeneralisedItem, Release};

use super::*;

/// SEQANON's Figure 4c: {a|b|c} for a, b and c, the others intact.
fn figure_4c() -> (Dataset, Release) {
    let data = Dataset::from_words(["dace", "baec", "ade", "bdec", "dc", "de"]);
    let id = |name: &str| data.items.find(name).unwrap();
    let groups = [vec![id("a"), id("b"), id("c")], vec![id("d")], vec![id("e")]];
    let image = |item| groups.iter().position(|group| group.contains(&item)).unwrap() as ItemId;
    let mut release = Release::identity(data.items.clone(), data.events.recode(image, false));
    release.alphabet = groups.iter().map(|group| GeneralisedItem::of(group.clone())).collect();
    (data, release)
}

#[test]
fn the_estimates_of_figure_4c_are_those_of_all_ways_to_fill_it_in() {
    // Vector count-estimates: a 67/27, b 67/27, de 4, da 11/9, ec 2/3.
    let (data, release) = figure_4c();
    let pattern = |word: &str| -> Vec<ItemId> {
        word.chars().map(|c| data.items.find(&c.to_string()).unwrap()).collect()
    };
    let patterns = ["a", "b", "de", "da", "ec"].map(pattern);
    let progress = Progress::silent();
    let actual = count(&data.events, &Meaning::identity(5), &patterns, &progress).unwrap();
    assert_eq!(actual.iter().map(|people| people.possible).collect::<Vec<_>>(), [3, 2, 4, 1, 2]);
    assert!(actual.iter().all(|people| people.expected == people.possible as f64));
    let after = count(release.events(), &Meaning::of(&release), &patterns, &progress).unwrap();
    for (people, expected) in after.iter().zip([67.0 / 27.0, 67.0 / 27.0, 4.0, 11.0 / 9.0, 2.0 / 3.0]) {
        assert!((people.expected - expected).abs() < 1e-12, "{people:?} {expected}");
    }
    // The counterpart of a is {a|b|c}, which five people have.
    assert_eq!(after[0].possible, 5);
}

/// All ways to choose a member for each event of a release.
fn worlds(release: &Release) -> Vec<Vec<ItemId>> {
    let mut worlds: Vec<Vec<ItemId>> = vec![Vec::new()];
    for item in release.events().items() {
        let members = &release.alphabet[*item as usize].members;
        let extended = worlds.iter().flat_map(|world| {
            members.iter().map(move |member| world.iter().copied().chain([*member]).collect())
        });
        worlds = extended.collect();
    }
    worlds
}

fn holds(record: &[ItemId], pattern: &[ItemId]) -> bool {
    let mut rest = record.iter();
    pattern.iter().all(|item| rest.any(|other| other == item))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn estimates_are_averages_over_all_ways_to_fill_a_release_in(
        people in vec(vec(vec(0..4_u32, 0..4), 1..3), 1..3),
        members in vec(vec(0..4_u32, 1..4), 4),
        patterns in vec(vec(0..6_u32, 1..4), 1..6),
    ) {
        let mut builder = EventsBuilder::new(EventKind::Sequence, false);
        for (subject, records) in (0..).zip(&people) {
            records.iter().for_each(|record| builder.push(subject, record, &[]));
        }
        let base: Dictionary = ["a", "b", "c", "d"].into_iter().collect();
        let mut release = Release::identity(base.into(), builder.finish(people.len()));
        release.alphabet = members.into_iter().map(GeneralisedItem::of).collect();
        prop_assume!(release.events().len() <= 9);
        let counted =
            count(release.events(), &Meaning::of(&release), &patterns, &Progress::silent()).unwrap();
        let worlds = worlds(&release);
        for (pattern, counted) in patterns.iter().zip(counted) {
            let has = |world: &[ItemId], subject: usize| {
                let mut records = release.events().records_of(subject);
                records.any(|record| holds(&world[release.events().span(record)], pattern))
            };
            let subjects = 0..people.len();
            let total: usize = worlds.iter()
                .map(|world| subjects.clone().filter(|subject| has(world, *subject)).count()).sum();
            let possible = subjects.filter(|subject| worlds.iter().any(|world| has(world, *subject)));
            prop_assert!((counted.expected - total as f64 / worlds.len() as f64).abs() < 1e-9);
            prop_assert_eq!(counted.possible, possible.count() as u64);
        }
    }

    #[test]
    fn estimates_of_sets_are_averages_over_all_parts_of_their_items(
        people in vec(vec(vec(0..4_u32, 0..3), 1..3), 1..3),
        members in vec(vec(0..4_u32, 1..4), 4),
        patterns in vec(vec(0..5_u32, 0..4), 1..6),
        weights in vec(prop::sample::select(vec![0.0, 0.25, 1.0]), 3),
    ) {
        let mut builder = EventsBuilder::new(EventKind::Set, false);
        for (subject, records) in (0..).zip(&people) {
            records.iter().for_each(|record| builder.push(subject, record, &[]));
        }
        let base: Dictionary = ["a", "b", "c", "d"].into_iter().collect();
        let mut release = Release::identity(base.into(), builder.finish(people.len()));
        release.alphabet = members.into_iter().map(GeneralisedItem::of).collect();
        // Every item is any non-empty part of its members: a set of them, as bits.
        let mut worlds: Vec<Vec<u32>> = vec![Vec::new()];
        for item in release.events().items() {
            let all = release.alphabet[*item as usize].members.iter().fold(0_u32, |all, member| all | 1 << member);
            let parts: Vec<u32> = (1..16).filter(|part| part & !all == 0).collect();
            worlds = worlds.iter()
                .flat_map(|world| parts.iter().map(move |part| world.iter().copied().chain([*part]).collect()))
                .collect();
        }
        prop_assume!(worlds.len() <= 20_000);
        let meaning = Meaning::of(&release);
        let plain = count(release.events(), &meaning, &patterns, &Progress::silent()).unwrap();
        let of = |_: usize| weights[..people.len()].to_vec();
        let weighed = count_weighted(release.events(), &meaning, &patterns, Some(&of), &Progress::silent()).unwrap();
        for ((pattern, plain), weighed) in patterns.iter().zip(plain).zip(weighed) {
            let wanted = pattern.iter().fold(0_u32, |wanted, item| wanted | 1 << item);
            let has = |world: &[u32], subject: usize| {
                let mut records = release.events().records_of(subject);
                records.any(|record| {
                    world[release.events().span(record)].iter().fold(0, |held, part| held | part) & wanted == wanted
                })
            };
            let chance = |subject: usize| {
                worlds.iter().filter(|world| has(world, subject)).count() as f64 / worlds.len() as f64
            };
            let chances: Vec<f64> = (0..people.len()).map(chance).collect();
            prop_assert!((plain.expected - chances.iter().sum::<f64>()).abs() < 1e-9);
            prop_assert_eq!(plain.possible, chances.iter().filter(|chance| **chance > 0.0).count() as u64);
            let sum: f64 = chances.iter().zip(&weights).map(|(chance, weight)| chance * weight).sum();
            prop_assert!((weighed.expected - sum).abs() < 1e-9, "{:?} {}", weighed, sum);
        }
    }

    #[test]
    fn marking_and_sorting_unite_alike(records in vec(vec(0..3_u32, 0..3), 0..300)) {
        let mut builder = EventsBuilder::new(EventKind::Sequence, false);
        (0..).zip(&records).for_each(|(subject, record)| builder.push(subject, record, &[]));
        let events = builder.finish(records.len());
        let mut occurrences = vec![0; 3];
        events.items().iter().for_each(|item| occurrences[*item as usize] += 1);
        let index = Index::of(&events, &occurrences, &[true; 3], &[0; 3]);
        let (mut few, mut many) = (Scratch::default(), Scratch::default());
        few.unite(&[0, 2], &index, usize::MAX);
        many.unite(&[0, 2], &index, records.len());
        prop_assert_eq!(few.candidates, many.candidates);
    }
}
