//! Every method keeps what it promises, on thousands of random tables, for any number of threads.

use throng_methods::table::{BottomUp, ClusterRows, Incognito, Mondrian, TopDown};
use throng_methods::{Method, MethodError, Variant};

use crate::table::draw::{Draw, World};
use crate::table::judge::{groups, judge};

const WORLDS: u64 = 2_500;

/// Runs a method on many worlds; at least a third of them must give a release.
fn keeps(method: &(dyn Method + Sync), lines: bool, variant: Variant, more: impl Fn(&mut World, &mut Draw)) {
    let mut released = 0;
    for number in 0..WORLDS {
        let mut world = World::draw(number, 14, lines);
        more(&mut world, &mut Draw::new(number ^ 0xfeed));
        match world.run(method, variant) {
            Ok(outcome) => {
                released += 1;
                if let Err(why) = judge(&world, &outcome) {
                    panic!("{why}\n{world}");
                }
            }
            Err(MethodError::Infeasible { .. }) => {
                let whole = whole_table_is_good(&world);
                assert!(!whole || world.setting("max-suppressed").is_some(), "a false refusal\n{world}");
            }
            Err(error) => panic!("{error}\n{world}"),
        }
    }
    assert!(released > WORLDS / 3, "only {released} releases were judged");
}

/// Whether one group of everybody would keep the promise.
fn whole_table_is_good(world: &World) -> bool {
    let mut bare = world.clone();
    bare.settings.retain(|(name, _)| ["k", "l", "form", "c"].contains(&name.as_str()));
    bare.run(&ClusterRows, Variant::AsPrinted).is_ok()
}

#[test]
fn incognito_keeps_its_promises() {
    keeps(&Incognito, false, Variant::Sound, |world, draw| {
        let metric = draw.one(&["ncp", "dm", "c-avg", "height"]);
        world.settings.push(("metric".to_owned(), metric.to_owned()));
        if draw.chance(2) {
            let share = draw.one(&["10%", "30%", "1/2"]);
            world.settings.push(("max-suppressed".to_owned(), share.to_owned()));
        }
    });
}

#[test]
fn mondrian_keeps_its_promises() {
    keeps(&Mondrian, true, Variant::Sound, |world, draw| {
        world.settings.push(("relaxed".to_owned(), draw.chance(2).to_string()));
        let along = if draw.chance(3) { "order" } else { "hierarchy" };
        world.settings.push(("along".to_owned(), along.to_owned()));
    });
}

#[test]
fn top_down_keeps_its_promises() {
    keeps(&TopDown, true, Variant::Sound, |world, draw| {
        if draw.chance(2) {
            world.settings.push(("class".to_owned(), draw.one(&["kept", "s0", "unsaid"]).to_string()));
        }
        world.settings.push(("score-form".to_owned(), draw.one(&["2005", "2007"]).to_string()));
    });
}

#[test]
fn bottom_up_keeps_its_promises() {
    keeps(&BottomUp, false, Variant::Sound, |_, _| {});
}

#[test]
fn cluster_keeps_its_promises() {
    keeps(&ClusterRows, true, Variant::Sound, |_, _| {});
    keeps(&ClusterRows, true, Variant::AsPrinted, |_, _| {});
}

/// Thousands of rows: several buckets, several threads.
#[test]
fn larger_tables_keep_them_too_with_any_number_of_threads() {
    let methods: [&(dyn Method + Sync); 5] = [&Incognito, &Mondrian, &TopDown, &BottomUp, &ClusterRows];
    for number in 0..12 {
        let mut world = World::draw(number, 9_000, false);
        while world.rows() < 4_000 {
            world = World::draw(world.seed + 1_000, 9_000, false);
        }
        for method in methods {
            let table = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| world.run(method, Variant::Sound))
            };
            match (table(1), table(4)) {
                (Ok(one), Ok(four)) => {
                    judge(&world, &one).unwrap_or_else(|why| panic!("{why}"));
                    assert!(!groups(one.release.table().unwrap()).is_empty());
                    assert_eq!(one.release.table(), four.release.table(), "{}", method.descriptor().name);
                }
                (Err(one), Err(four)) => assert_eq!(one, four),
                _ => panic!("{} depends on the number of threads", method.descriptor().name),
            }
        }
    }
}
