//! Crowds against counting people one by one.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
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

/// Whether a record holds what is known, by trying every way to lay the one into the other.
fn holds(release: &Release, attacker: &Attacker, record: usize, known: &[Clue]) -> bool {
    let items = release.events().record(record);
    let times = release.events().times_of(record).filter(|_| attacker.times.is_some());
    let fits = |place: usize, clue: &Clue| {
        let near = times.is_none_or(|times| times[place].abs_diff(clue.time) <= attacker.times.unwrap_or(0));
        near && release.alphabet[items[place] as usize].covers(clue.item)
    };
    if release.event_kind() == EventKind::Set || times.is_some() && attacker.times == Some(0) {
        return known.iter().all(|clue| (0..items.len()).any(|place| fits(place, clue)));
    }
    fn lay(
        known: &[Clue],
        used: &mut Vec<usize>,
        length: usize,
        ordered: bool,
        fits: &dyn Fn(usize, &Clue) -> bool,
    ) -> bool {
        let Some((first, others)) = known.split_first() else { return true };
        (0..length).any(|place| {
            let free =
                if ordered { used.last().is_none_or(|last| *last < place) } else { !used.contains(&place) };
            if !free || !fits(place, first) {
                return false;
            }
            used.push(place);
            let laid = lay(others, used, length, ordered, fits);
            used.pop();
            laid
        })
    }
    lay(known, &mut Vec::new(), items.len(), attacker.ordered, &fits)
}

fn people_who_fit(release: &Release, attacker: &Attacker, known: &[Clue]) -> u32 {
    let fits = |subject: &usize| {
        release.events().records_of(*subject).any(|record| holds(release, attacker, record, known))
    };
    (0..release.people()).filter(fits).count() as u32
}

fn any_attacker() -> impl Strategy<Value = Attacker> {
    let knows = prop_oneof![
        Just(catalogue::RANDOM),
        Just(catalogue::FREQUENT),
        Just(catalogue::RARE),
        Just(catalogue::CONSECUTIVE)
    ];
    (knows, any::<bool>(), prop_oneof![Just(None), Just(Some(0)), Just(Some(1))])
        .prop_map(|(knows, ordered, times)| Attacker { knows, ordered, times })
}

type People = Vec<Vec<Vec<(ItemId, i64)>>>;

fn any_people() -> impl Strategy<Value = People> {
    vec(vec(vec((0..ITEMS, 0..6_i64), 0..7), 0..3), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn crowds_are_those_of_counting_people_one_by_one(
        people in any_people(), attacker in any_attacker(),
        group in vec(0..4_u32, ITEMS as usize), overlap: bool,
        set: bool, timed: bool, published: bool, linked: bool, seed: u64,
    ) {
        let kind = if set { EventKind::Set } else { EventKind::Sequence };
        let original = events(kind, timed, &people);
        let identity = Release::identity(names(), original.clone());
        let released = coarsened(&original, &group, overlap, published);
        let ground = Ground { events: &original, secret: &[], seed };
        let targets = ground.learn(&ground.people(), &attacker, PLAN.known);
        for (release, own) in [(&identity, Own::Same), (&released, if linked { Own::Same } else { Own::Unknown })] {
            let scene = Scene::release(&original, release, own.clone());
            let raid = raid(&scene, &attacker, &PLAN, u32::MAX, seed, &Progress::silent()).unwrap();
            prop_assert_eq!(&raid.targets, &targets);
            let clues = targets.iter().flat_map(Known::clues);
            let crowd = Crowd::of(
                release.events(), &scene.cover, &attacker, clues, None, u32::MAX, &Progress::silent(),
            ).unwrap();
            for (target, reached) in targets.iter().zip(&raid.reached) {
                let mut last = u32::MAX;
                for known in 1..=PLAN.known {
                    let drawn = target.first(known);
                    let used = crowd.usable(own.of(target.subject), &drawn);
                    let size = people_who_fit(release, &attacker, &used);
                    prop_assert_eq!(reached[known - 1].people, size);
                    if own == Own::Same {
                        let records = release.events().records_of(target.subject as usize);
                        let held = |choice: &[Clue]| {
                            records.clone().any(|record| holds(release, &attacker, record, choice))
                        };
                        prop_assert!(held(&used));
                        prop_assert!(size >= 1);
                        for choice in 0..1_u32 << drawn.len() {
                            let chosen: Vec<Clue> = (0..drawn.len())
                                .filter(|place| choice >> place & 1 == 1)
                                .map(|place| drawn[place])
                                .collect();
                            prop_assert!(chosen.len() <= used.len() || !held(&chosen));
                        }
                    }
                    if std::ptr::eq(release, &identity) {
                        prop_assert_eq!(&used, &drawn);
                        prop_assert!(size <= last);
                        last = size;
                    }
                }
            }
        }
    }

    #[test]
    fn the_curve_is_the_attack_cut_off_at_twenty(
        people in any_people(), group in vec(0..4_u32, ITEMS as usize), seed: u64,
    ) {
        let original = events(EventKind::Sequence, false, &people);
        let release = coarsened(&original, &group, false, false);
        let (before, after) = before_and_after(&original, &release, &[], 4, seed, &Progress::silent()).unwrap();
        for (curve, scene) in [
            (before, Scene::original(&original)),
            (after, Scene::release(&original, &release, Own::Same)),
        ] {
            let attack = attack(&scene, &Attacker::PLAIN, &PLAN, seed, &Progress::silent()).unwrap();
            for (point, exact) in curve.points.iter().zip(&attack.points) {
                prop_assert_eq!((point.singled_out, point.below_5), (exact.singled_out, exact.below));
                let fewer: u64 =
                    exact.crowds.histogram.iter().filter(|bin| bin.to < 20).map(|bin| bin.targets).sum();
                prop_assert_eq!(point.below_20.count, fewer);
            }
        }
    }

    #[test]
    fn secrets_are_guessed_from_the_people_who_fit(people in any_people(), seed: u64) {
        let original = events(EventKind::Sequence, false, &people);
        // People who were at item 0 or 1 want to hide it.
        let secret_of: Vec<Option<u32>> = (0..ITEMS).map(|item| (item < 2).then_some(item)).collect();
        let secrets = Secrets::of_items(vec!["a".into(), "b".into()], &original, &secret_of);
        let scene = Scene::original(&original).hiding(&[0, 1]).with_secrets(secrets.clone(), secrets.clone());
        let raid = raid(&scene, &Attacker::PLAIN, &PLAN, u32::MAX, seed, &Progress::silent()).unwrap();
        let identity = Release::identity(names(), original.clone());
        for (target, reached) in raid.targets.iter().zip(&raid.reached) {
            prop_assert!(target.clues().all(|clue| clue.item > 1));
            for known in 1..=4 {
                let fits = |subject: &u32| {
                    let mut records = original.records_of(*subject as usize);
                    records.any(|record| holds(&identity, &Attacker::PLAIN, record, &target.first(known)))
                };
                let crowd: Vec<u32> = (0..original.subjects() as u32).filter(fits).collect();
                let of = |secret: u32| crowd.iter().filter(|s| secrets.of(**s).contains(&secret)).count() as u32;
                let guess = reached[known - 1].guess.unwrap();
                prop_assert_eq!(guess.people, of(0).max(of(1)));
                prop_assert_eq!(guess.people, of(guess.secret));
            }
        }
    }
}

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
