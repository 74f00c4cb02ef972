//! Crowds of random data against counting people one by one.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

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
            let crowd =
                Crowd::of(scene.published(), &attacker, clues, u32::MAX, &Progress::silent()).unwrap();
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
