//! TMK08: Terrovitis, Mamoulis, Kalnis. Privacy-preserving anonymization of set-valued data. VLDB 2008; and TMK11, the same
//! authors' Local and global recoding methods, VLDB Journal 20(1), 2011. The papers' toy, recomputed, and what their
//! algorithms have to mind.

use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, GeneralisedItem, Inputs, Release, Taxonomy};
use throng_measure::Comparison;
use throng_methods::set::parts_alone;
use throng_methods::{Method, Outcome, Task, Variant, find};
use throng_models::{Evidence, KlmAnonymity, KmAnonymity, Promise};

fn data(records: &[&str]) -> Dataset {
    let names: Vec<String> = (1..=records.len()).map(|number| format!("t{number}")).collect();
    let split = names.iter().zip(records).map(|(name, record)| (name.as_str(), record.split(' ')));
    Dataset::from_records(EventKind::Set, split)
}

fn taxonomy(paths: &[&str]) -> Inputs {
    let tree =
        Taxonomy::from_paths(paths.iter().map(|path| path.split(';'))).expect("the toy's taxonomy is a tree");
    Inputs { taxonomy: Some(tree), ..Inputs::default() }
}

fn toy() -> Inputs {
    taxonomy(&["a1;A;ALL", "a2;A;ALL", "b1;B;ALL", "b2;B;ALL"])
}

fn settings(method: &dyn Method, given: &[(&str, &str)]) -> Settings {
    Settings::parse(method.descriptor(), given.iter().copied()).expect("the toy's parameters are in range")
}

fn run(method: &str, data: &Dataset, given: &[(&str, &str)], inputs: &Inputs) -> Outcome {
    let method = find(method).expect("the method is registered");
    let (settings, progress) = (settings(method, given), Progress::silent());
    method
        .anonymize(&Task { inputs, ..Task::new(data, &settings, &progress) })
        .expect("the toy can be anonymised")
}

/// The records as printed, items sorted.
fn written(release: &Release) -> Vec<String> {
    (0..release.records())
        .map(|record| {
            let mut names = release.names_of(record);
            names.sort();
            names.join(" ")
        })
        .collect()
}

fn keeps_km(release: &Release, k: &str, m: &str) -> bool {
    let settings = Settings::parse(KmAnonymity.descriptor(), [("k", k), ("m", m)]).expect("in range");
    let verdict = KmAnonymity.check(&Evidence::of(release), &settings, 1, &Progress::silent());
    verdict.expect("km needs nothing else").holds
}

const TOY: [&str; 4] = ["a1 b1 b2", "a2 b1", "a2 b1 b2", "a1 a2 b2"];

#[test]
fn the_toy_becomes_a_b1_b2_and_nothing_cheaper_will_do() {
    let data = data(&TOY);
    for method in ["apriori", "da", "oa", "vpa", "lra"] {
        let outcome = run(method, &data, &[("k", "2"), ("m", "2")], &toy());
        assert_eq!(written(&outcome.release), ["A b1 b2", "A b1", "A b1 b2", "A b2"], "{method}");
        // 5 of 11 occurrences lose 2 of 4 leaves: 10/44 = 5/22.
        assert!(outcome.notes[0].ends_with("(NCP) is 0.227273"), "{:?}", outcome.notes);
        assert!(keeps_km(&outcome.release, "2", "2"));
    }
}

/// What each cut of the toy costs: 1, 1/2, 5/22, 3/11 and nothing. Of those that will do, `A, b1, b2` costs least.
#[test]
fn the_cuts_of_the_toy_cost_as_computed() {
    let (data, inputs, progress) = (data(&TOY), toy(), Progress::silent());
    let tree = inputs.taxonomy.as_ref().expect("the toy has a taxonomy");
    let cuts: [(&[&str], f64); 5] = [
        (&["ALL"], 1.0),
        (&["A", "B"], 0.5),
        (&["A", "b1", "b2"], 5.0 / 22.0),
        (&["B", "a1", "a2"], 3.0 / 11.0),
        (&["a1", "a2", "b1", "b2"], 0.0),
    ];
    for (cut, cost) in cuts {
        let below = |node: &str| {
            let leaves = tree.leaves_under(tree.find(node).expect("a node"));
            leaves.into_iter().filter_map(|leaf| data.items.find(tree.name(leaf))).collect::<Vec<_>>()
        };
        let alphabet: Vec<GeneralisedItem> = cut
            .iter()
            .map(|node| GeneralisedItem {
                label: Some((*node).to_owned()),
                ..GeneralisedItem::of(below(node))
            })
            .collect();
        let image = |item| alphabet.iter().position(|node| node.covers(item)).expect("a cut") as u32;
        let events = data.events.recode(image, false).as_sets();
        let release = Release { alphabet: alphabet.clone(), ..Release::identity(data.items.clone(), events) };
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let measure = throng_measure::find("ncp").expect("a measure");
        let settings = Settings::parse(measure.descriptor(), []).expect("defaults");
        let ncp = measure.measure(&on, &settings).expect("readings")[0].1;
        assert!((ncp - cost).abs() < 1e-12, "{cut:?} costs {ncp}");
    }
}

/// Which cuts of the toy will do: `ALL`; `A, B`; `A, b1, b2`; and neither the items themselves nor `B, a1, a2`.
#[test]
fn the_cuts_of_the_toy_are_judged_as_computed() {
    let data = data(&TOY);
    let cuts = [
        (["ALL", "ALL", "ALL", "ALL"], true),
        (["A", "A", "B", "B"], true),
        (["A", "A", "b1", "b2"], true),
        (["a1", "a2", "B", "B"], false),
        (["a1", "a2", "b1", "b2"], false),
    ];
    for (images, safe) in cuts {
        let image =
            |item: &str| images[["a1", "a2", "b1", "b2"].iter().position(|leaf| *leaf == item).unwrap_or(0)];
        let recoded: Vec<String> =
            TOY.iter().map(|record| record.split(' ').map(image).collect::<Vec<_>>().join(" ")).collect();
        let recoded: Vec<&str> = recoded.iter().map(String::as_str).collect();
        let cut = self::data(&recoded);
        let release = Release::identity(cut.items.clone(), cut.events.clone());
        assert_eq!(keeps_km(&release, "2", "2"), safe, "{images:?}");
    }
    assert_eq!(data.items.len(), 4);
}

/// Each part by itself is safe, and the pairs across are not: the search over whole records is not optional.
#[test]
fn safe_parts_are_not_safe_together() {
    let data = data(&["a1 b1", "a1 b2", "a2 b1", "a2 b2"]);
    let method = find("vpa").expect("the method is registered");
    let (settings, progress) = (settings(method, &[("k", "2"), ("m", "2")]), Progress::silent());
    let inputs = toy();
    let alone = parts_alone(&Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) });
    let alone = alone.expect("each part is safe").release;
    assert_eq!(written(&alone), ["a1 b1", "a1 b2", "a2 b1", "a2 b2"]);
    assert!(keeps_km(&alone, "2", "1") && !keeps_km(&alone, "2", "2"));
    let whole = run("vpa", &data, &[("k", "2"), ("m", "2")], &inputs).release;
    assert_eq!(written(&whole), ["A b1", "A b2", "A b1", "A b2"]);
    assert!(keeps_km(&whole, "2", "2"));
}

/// `P(S|a) = P(S|b) = 1/2`, and 2/3 for either of them: what was safe need not stay safe when it is generalised.
#[test]
fn diversity_of_sets_is_not_monotone() {
    let judge = |records: &[&str], l: &str| {
        let data = data(records);
        let release = Release::identity(data.items.clone(), data.events.clone());
        let settings =
            Settings::parse(KlmAnonymity.descriptor(), [("k", "1"), ("l", l), ("m", "1")]).expect("in range");
        let inputs = Inputs { sensitive_items: vec!["S".to_owned()], ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        KlmAnonymity.check(&evidence, &settings, 10, &Progress::silent()).expect("klm needs nothing else")
    };
    let apart = ["a S", "a b", "b S"];
    assert!(judge(&apart, "2").holds);
    // One half each, neither more nor less: one in three is exceeded.
    let found = judge(&apart, "3").violations;
    let of: Vec<(&str, &str)> = found
        .iter()
        .map(|broken| (broken.pattern[0].as_str(), broken.details["confidence"].as_str()))
        .collect();
    assert_eq!(of, [("a", "1/2"), ("b", "1/2")]);
    let merged = judge(&["ab S", "ab", "ab S"], "2");
    assert!(!merged.holds);
    assert_eq!(merged.violations[0].details["confidence"], "2/3");
}

/// After `a` and `b` became one for the pairs' sake, one look at single items is not enough.
#[test]
fn looking_once_leaves_a_secret_too_likely() {
    let data = data(&["f", "a b d", "f d", "e a b", "e"]);
    let mut inputs = taxonomy(&[
        "a;ab;abcd;all",
        "b;ab;abcd;all",
        "c;cd;abcd;all",
        "d;cd;abcd;all",
        "e;ef;all",
        "f;ef;all",
    ]);
    inputs.sensitive_items = vec!["f".to_owned()];
    let holds = |variant| {
        let method = find("lm-apriori").expect("the method is registered");
        let given = [("k", "2"), ("l", "2"), ("m", "2")];
        let (settings, progress) = (settings(method, &given), Progress::silent());
        let task = Task { inputs: &inputs, variant, ..Task::new(&data, &settings, &progress) };
        let release = method.anonymize(&task).expect("the data can be anonymised").release;
        let settings = Settings::parse(KlmAnonymity.descriptor(), given).expect("in range");
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        KlmAnonymity
            .check(&evidence, &settings, 1, &Progress::silent())
            .expect("klm needs nothing else")
            .holds
    };
    assert!(!holds(Variant::AsPrinted));
    assert!(holds(Variant::Sound));
}
