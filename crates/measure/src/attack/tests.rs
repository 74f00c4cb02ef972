//! Crowds of small data that were worked out by hand, of large data, and of none.

mod one_by_one;

use std::sync::Arc;

use throng_contract::{Fraction, Progress, Settings};
use throng_data::{
    Dataset, Dictionary, EventKind, Events, EventsBuilder, GeneralisedItem, ItemId, Nature, Release,
};

use super::curve::{MAX_TARGETS, before_and_after, curve};
use super::*;

const ITEMS: u32 = 7;
const PLAN: Plan = Plan { known: 4, below: 5, targets: None, confidence: Fraction::ONE };

fn events(kind: EventKind, timed: bool, people: &[Vec<Vec<(ItemId, i64)>>]) -> Events {
    let mut builder = EventsBuilder::new(kind, timed && kind == EventKind::Sequence);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            let mut record = record.clone();
            record.sort_by_key(|(_, time)| *time);
            let (items, times): (Vec<ItemId>, Vec<i64>) = record.into_iter().unzip();
            builder.push(subject as u32, &items, &times);
        }
    }
    builder.finish(people.len())
}

fn names() -> Arc<Dictionary> {
    Arc::new(["a", "b", "c", "d", "e", "f", "g"].into_iter().collect())
}

/// Items fall into groups, and two groups may overlap; the items of group 0 are suppressed, and so are events after
/// the fourth.
fn coarsened(original: &Events, group: &[u32], overlap: bool, times: bool) -> Release {
    let kept = original.retain(|_, position, item| group[item as usize] > 0 && position < 4);
    let recoded = kept.recode(|item| group[item as usize] - 1, times);
    let mut release = Release::identity(names(), recoded);
    let stands_for = |number: u32, item: ItemId| {
        group[item as usize] == number || overlap && number == 1 && group[item as usize] == 2
    };
    release.alphabet = (1..=3)
        .map(|number| GeneralisedItem::of((0..ITEMS).filter(|item| stands_for(number, *item)).collect()))
        .collect();
    release
}

type People = Vec<Vec<Vec<(ItemId, i64)>>>;

/// Vector `attack-unicity`: 2^2-anonymous, and every three events are unique.
#[test]
fn three_of_four_points_single_out_what_two_do_not() {
    let data = Dataset::from_words(["abc", "abd", "acd", "bcd"]);
    for attacker in Attacker::panel(&data.events) {
        let attack =
            attack(&Scene::original(&data.events), &attacker, &PLAN, 7, &Progress::silent()).unwrap();
        assert_eq!((attack.people, attack.targets, attack.sampled), (4, 4, false));
        let singled_out: Vec<f64> = attack.points.iter().map(|point| point.singled_out.share).collect();
        assert_eq!(singled_out, [0.0, 0.0, 1.0, 1.0], "{}", attacker.in_words(EventKind::Sequence));
        assert_eq!(attack.points[1].reidentified.mean, 0.5);
        assert_eq!(attack.points[2].crowds.largest, 1);
    }
    let curve = curve(&data.events, 4, 7, &Progress::silent()).unwrap();
    assert!(curve.points.iter().all(|point| point.below_5.count == 4) && !curve.times);
}

#[test]
fn each_attacker_knows_what_the_name_says() {
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    builder.push(0, &[0, 1, 2, 1, 3], &[]);
    builder.push(0, &[3], &[]);
    builder.push(1, &[2], &[]);
    builder.push(2, &[2, 0], &[]);
    let original = builder.finish(3);
    let ground = |seed| Ground { events: &original, secret: &[], seed };
    let learn = |knows, known: usize, seed| {
        let target = ground(seed).learn(&[0], &Attacker { knows, ..Attacker::PLAIN }, 4).remove(0);
        target.first(known).into_iter().map(|clue| clue.item).collect::<Vec<ItemId>>()
    };
    // Seeds differ in the record that is drawn.
    let long = (0..20).find(|seed| learn(catalogue::RANDOM, 4, *seed).len() == 4).unwrap();
    // Items 1 and 3 are had twice, and 2 by most people.
    assert_eq!(learn(catalogue::FREQUENT, 2, long), [1, 3]);
    assert_eq!(learn(catalogue::FREQUENT, 3, long), [1, 2, 3]);
    assert_eq!(learn(catalogue::RARE, 2, long), [1, 3]);
    assert_eq!(learn(catalogue::RARE, 4, long), [0, 1, 2, 3]);
    let rows = [[0, 1], [1, 2]];
    assert!(rows.contains(&learn(catalogue::CONSECUTIVE, 2, long).try_into().unwrap()));
}

#[test]
fn the_identity_changes_no_risk_and_one_item_for_all_hides_everyone() {
    let words: Vec<String> = (0..30_u32).map(|n| format!("{}{}", n % 10, n % 7)).collect();
    let data = Dataset::from_words(words.iter().map(String::as_str));
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    let both =
        |release: &Release| before_and_after(&data.events, release, &[], 4, 1, &Progress::silent()).unwrap();
    let (before, after) = both(&release);
    assert_eq!(before, after);
    assert!(before.points[1].singled_out.count > 0);
    let everything = GeneralisedItem::of((0..data.items.len() as ItemId).collect());
    release.alphabet = vec![everything];
    let events = data.events.recode(|_| 0, false);
    release.body = release.body.with_events(|_| events);
    assert!(both(&release).1.points.iter().all(|point| point.below_20.count == 0));
}

#[test]
fn where_times_are_published_attackers_know_them() {
    // All go the same way, each at times of their own.
    let people: People = (0..6_i64).map(|n| vec![vec![(0, n), (1, n + 1)]]).collect();
    let original = events(EventKind::Sequence, true, &people);
    let release = Release::identity(names(), original.clone());
    let (before, after) = before_and_after(&original, &release, &[], 4, 1, &Progress::silent()).unwrap();
    assert!(before.times && before.points[0].singled_out.share == 1.0 && before == after);
    let timeless = Release::identity(names(), original.clone().without_times());
    let (before, after) = before_and_after(&original, &timeless, &[], 4, 1, &Progress::silent()).unwrap();
    // The data as they were had times, whatever is published: the release must not look as safe as the data.
    assert!(before.times && before.points[0].singled_out.share == 1.0);
    assert!(!after.times && after.points[3].singled_out.share == 0.0);
    assert!(curve(&original, 4, 1, &Progress::silent()).unwrap().times);
}

/// Published columns are known, too: a person fits only if they agree as well.
#[test]
fn people_who_differ_in_a_published_column_do_not_fit() {
    let data = Dataset::from_words(["ab", "ab", "ab", "ab", "c", "ab"]);
    let release = Release::identity(data.items.clone(), data.events.clone());
    let singled_out = |columns: &[u32]| {
        let (before, after) =
            before_and_after(&data.events, &release, columns, 4, 1, &Progress::silent()).unwrap();
        assert_eq!(before, after);
        after.points[0].singled_out.count
    };
    assert_eq!(singled_out(&[]), 1);
    assert_eq!(singled_out(&[7; 6]), 1, "a column in which all agree tells nothing");
    assert_eq!(singled_out(&[0, 0, 1, 1, 0, 2]), 2);
    assert_eq!(singled_out(&[0, 1, 2, 3, 4, 5]), 6);
}

#[test]
fn a_release_alone_is_attacked_with_what_it_shows() {
    let data = Dataset::from_words(["ab", "ab", "cd", "cd", "ad"]);
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    release.alphabet = vec![GeneralisedItem::of(vec![0, 2]), GeneralisedItem::of(vec![1, 3])];
    let events = data.events.recode(|item| item % 2, false);
    release.body = release.body.with_events(|_| events);
    let attack = attack(&Scene::released(&release), &Attacker::PLAIN, &PLAN, 0, &Progress::silent()).unwrap();
    assert_eq!(attack.points[3].crowds.smallest, 5);
}

#[test]
fn large_crowds_are_sampled_with_intervals_and_the_same_seed_gives_the_same_answer() {
    let people: People = (0..5_000_u32)
        .map(|n| vec![[n % 7, n % 5, n % 3, n % 4].map(|item| (item, 0)).to_vec(), vec![]])
        .collect();
    let original = events(EventKind::Sequence, false, &people);
    let first = curve(&original, 4, 3, &Progress::silent()).unwrap();
    assert_eq!((first.people, first.targets, first.sampled), (5_000, MAX_TARGETS as u64, true));
    assert!(first.points.iter().all(|point| point.singled_out.interval.is_some()));
    let settings = Settings::parse(&ATTACKER, [("known", "3")]).unwrap();
    let all = |seed| -> Vec<AttackResult> {
        let scene = Scene::original(&original);
        let plan = Plan::of(&settings);
        let attack = |attacker| attack(&scene, attacker, &plan, seed, &Progress::silent()).unwrap();
        Attacker::panel(&original).iter().map(attack).collect()
    };
    let attacks = all(3);
    assert!(attacks.iter().all(|attack| attack.points[2].reidentified.interval.is_some()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| curve(&original, 4, 3, &Progress::silent())).unwrap(), first);
    assert_eq!(pool.install(|| all(3)), attacks);
    assert_ne!(all(4), attacks);
}

/// The curve walks lists until it has found twenty people, the attack counts everybody in blocks of records.
#[test]
fn blocks_of_records_hold_the_same_people_as_lists_of_them() {
    let record = |n: u32, step: u32| -> Vec<(ItemId, i64)> {
        (0..3 + n % 9).map(|place| ((n * n + place * step * (n % 13 + 1)) / 3 % 61, 0)).collect()
    };
    let people: People =
        (0..4_000_u32).map(|n| (0..1 + n % 3).map(|number| record(n, number + 1)).collect()).collect();
    let original = events(EventKind::Sequence, false, &people);
    let curve = curve(&original, 4, 5, &Progress::silent()).unwrap();
    let plan = Plan { targets: Some(MAX_TARGETS), ..PLAN };
    let attack =
        attack(&Scene::original(&original), &Attacker::PLAIN, &plan, 5, &Progress::silent()).unwrap();
    for (point, exact) in curve.points.iter().zip(&attack.points) {
        assert_eq!((point.singled_out, point.below_5), (exact.singled_out, exact.below));
    }
    let shares: Vec<u64> = attack.points.iter().map(|point| point.below.count).collect();
    assert!(shares[3] > 100 && shares[1] < 1_900, "{shares:?}");
}

#[test]
fn a_query_tells_what_those_who_fit_have_in_common() {
    let data = Dataset::from_words(["abc", "abd", "acb", "ba"]);
    let scene = Scene::original(&data.events);
    let names = |item: u32| data.items.name(item).to_owned();
    let clues = |word: &str| -> Vec<Clue> {
        let item = |c: char| data.items.find(&c.to_string()).unwrap_or(99);
        word.chars().map(|c| Clue { item: item(c), time: 0 }).collect()
    };
    let ask = |attacker: &Attacker, word: &str| {
        play(&scene, attacker, &clues(word), &names, 5, &Progress::silent()).unwrap()
    };
    let played = ask(&Attacker::PLAIN, "ab");
    assert_eq!((played.of, played.people, played.used), (4, 3, 2));
    let common: Vec<(&str, u64)> =
        played.items.iter().map(|common| (common.name.as_str(), common.people)).collect();
    assert_eq!(common, [("c", 2), ("d", 1)]);
    assert_eq!(ask(&Attacker { ordered: false, ..Attacker::PLAIN }, "ab").people, 4);
    // `x` does not occur: it is dropped, as an event that was suppressed would be.
    let played = ask(&Attacker::PLAIN, "xd");
    assert_eq!((played.people, played.used), (1, 1));
    assert_eq!(played.items.iter().map(|common| common.share).collect::<Vec<_>>(), [1.0, 1.0]);
}

#[test]
fn synthetic_records_are_of_no_person() {
    let data = Dataset::from_words(["ab", "ba"]);
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    release.nature = Nature::Synthetic;
    let (_, after) = before_and_after(&data.events, &release, &[], 4, 1, &Progress::silent()).unwrap();
    assert!(after.points.is_empty());
    let scene = Scene::release(&data.events, &release, Own::Unknown);
    assert!(attack(&scene, &Attacker::PLAIN, &PLAN, 1, &Progress::silent()).unwrap().points.is_empty());
}

#[test]
fn no_people_is_no_risk_and_cancelling_stops() {
    let no_people = events(EventKind::Sequence, false, &[vec![], vec![vec![]]]);
    let of_no_people = curve(&no_people, 4, 1, &Progress::silent()).unwrap();
    assert!(of_no_people.points.iter().all(|point| point.below_20.share == 0.0));
    let attacked =
        attack(&Scene::original(&no_people), &Attacker::PLAIN, &PLAN, 1, &Progress::silent()).unwrap();
    assert_eq!((attacked.people, attacked.points[0].reidentified.mean), (0, 0.0));
    let progress = Progress::silent();
    progress.cancel();
    assert_eq!(curve(&Dataset::from_words(["ab"]).events, 4, 1, &progress), Err(Cancelled));
}

/// Events were compared with all events before them, for each of a million.
#[test]
fn a_person_with_a_million_events_is_attacked_like_others() {
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    let long: Vec<ItemId> =
        (0..1_000_000_u32).map(|place| place.wrapping_mul(2_654_435_761) % 5_000).collect();
    builder.push(0, &long, &[]);
    builder.push(1, &long[..20], &[]);
    let original = builder.finish(2);
    for knows in [catalogue::FREQUENT, catalogue::RARE] {
        let attacker = Attacker { knows, ..Attacker::PLAIN };
        let attack = attack(&Scene::original(&original), &attacker, &PLAN, 1, &Progress::silent()).unwrap();
        assert_eq!((attack.people, attack.targets), (2, 2));
    }
}
