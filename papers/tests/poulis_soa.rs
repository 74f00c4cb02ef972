//! [PSLG-SOA] Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Select-Organize-Anonymize: a framework for trajectory
//! data anonymization.

use throng_contract::{Progress, Settings};
use throng_data::{Coordinates, Dataset, Inputs, ItemId, Places, Release};
use throng_measure::distance;
use throng_methods::sequence::organize::keys::Keys;
use throng_methods::sequence::organize::order::{cut, gray_order, gray_rank};
use throng_methods::sequence::{Sga, Zga};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_models::{Evidence, KlmAnonymity, Promise, Verdict};

/// Figure 1a, recovered from Figures 2c and 3d; f and g are sensitive.
const FIGURE_1A: [&str; 6] = ["dace", "baec", "adef", "bdec", "dgc", "de"];

/// The map is lost; these cells have the Z-order a, b, d, e, c of Figure 1b and the neighbours that Example 7 needs.
const FIGURE_1B: [(&str, [f64; 2]); 5] =
    [("a", [0.0, 0.0]), ("b", [1.0, 0.0]), ("d", [0.0, 3.0]), ("e", [2.0, 4.0]), ("c", [3.0, 5.0])];

fn on_the_map(words: &[&str], map: &[(&str, [f64; 2])]) -> Dataset {
    let mut data = Dataset::from_words(words.iter().copied());
    // Sensitive places are never merged, so it does not matter where they are.
    let position =
        |name: &str| map.iter().find(|(place, _)| *place == name).map_or([9.0, 9.0], |(_, at)| *at);
    let points = data.items.names().map(position).collect();
    data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
    data
}

fn sensitive() -> Inputs {
    Inputs { sensitive_items: vec!["f".to_owned(), "g".to_owned()], ..Inputs::default() }
}

fn run(
    method: &dyn Method,
    data: &Dataset,
    given: &[(&str, &str)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    let settings =
        Settings::parse(method.descriptor(), given.iter().copied()).expect("parameters are in range");
    let inputs = sensitive();
    let progress = Progress::silent();
    method.anonymize(&Task { inputs: &inputs, variant, ..Task::new(data, &settings, &progress) })
}

fn released(outcome: &Outcome) -> Vec<String> {
    (0..outcome.release.events.records()).map(|record| outcome.release.names_of(record).join(" ")).collect()
}

fn judge(release: &Release, k: u64, l: u64, m: u64, form: &str) -> Verdict {
    let [k, l, m] = [k, l, m].map(|value| value.to_string());
    let given = [("k", k.as_str()), ("l", l.as_str()), ("m", m.as_str()), ("form", form)];
    let settings = Settings::parse(KlmAnonymity.descriptor(), given).expect("parameters are in range");
    let inputs = sensitive();
    let evidence = Evidence { inputs: &inputs, ..Evidence::of(release) };
    KlmAnonymity.check(&evidence, &settings, 100, &Progress::silent()).expect("nobody cancels")
}

fn judge_words(words: &[&str], k: u64, l: u64, m: u64, form: &str) -> Verdict {
    let data = Dataset::from_words(words.iter().copied());
    judge(&Release::identity(data.items, data.events), k, l, m, form)
}

#[test]
fn example_3_one_known_place_is_safe_and_two_are_not() {
    assert!(judge_words(&FIGURE_1A, 2, 2, 1, "ratio").holds);
    let verdict = judge_words(&FIGURE_1A, 2, 2, 2, "ratio");
    // The paper blames (a, d) on its sensitive place; its support of 1 is enough.
    assert!(verdict.violations.iter().any(|v| v.pattern == ["a", "d"] && v.support == 1));
}

#[test]
fn example_4_distances() {
    let points = vec![[0.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let places = Places { system: Coordinates::Plane, points, categories: None };
    assert!((distance::location(&places, 0, &[0, 1, 2]) - 2.0 / 3.0).abs() < 1e-12);
    assert!((distance::location(&places, 2, &[0, 1, 2]) - 1.0).abs() < 1e-12);
}

#[test]
fn figure_1b_z_values() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let z = data.places.as_ref().unwrap().z_values();
    let of = |name| z[data.items.find(name).unwrap() as usize];
    assert_eq!(["a", "b", "d", "e", "c"].map(of), [0, 1, 10, 36, 39]);
}

#[test]
fn section_3_gray_ranks_of_three_keys() {
    let rank = |key: u64| gray_rank(&[key << 61])[0] >> 61;
    assert_eq!([0b001, 0b011, 0b101].map(rank), [1, 2, 6]);
}

#[test]
fn example_5_figure_2_keys_and_gray_order() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let columns = |names: [&str; 5]| names.map(|name| data.items.find(name).unwrap());
    let clusters = |names| {
        let keys = Keys::of_items(&data.events, &columns(names), data.items.len());
        let order = gray_order(&keys, 6);
        cut(6, 2)
            .into_iter()
            .map(|range| order[range].iter().map(|t| t + 1).collect())
            .collect::<Vec<Vec<u32>>>()
    };
    let keys = Keys::of_items(&data.events, &columns(["c", "e", "b", "d", "a"]), data.items.len());
    let bits = |t| keys.of(t).iter().map(|column| 1 << (4 - column)).sum();
    let bits: Vec<u64> = (0..6).map(bits).collect();
    assert_eq!(bits, [0b11011, 0b11101, 0b01011, 0b11110, 0b10010, 0b01010]);
    assert_eq!(clusters(["c", "e", "b", "d", "a"]), [[6, 3, 1], [4, 2, 5]]);
    // The figure's columns are not the Z-order of the text, which gives other clusters.
    assert_eq!(clusters(["c", "e", "d", "b", "a"]), [[6, 3, 2], [4, 1, 5]]);
}

#[test]
fn example_6_figure_3_sga() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let given = [("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "2"), ("itineraries", "2")];
    for variant in [Variant::Sound, Variant::AsPrinted] {
        let outcome = run(&Sga, &data, &given, variant).unwrap();
        assert_eq!(
            released(&outcome),
            [
                "{a|c|d|e} {a|c|d|e} {a|c|d|e} {a|c|d|e}",
                "{a|b|d} {a|b|d} e c",
                "{a|c|d|e} {a|c|d|e} {a|c|d|e} f",
                "{a|b|d} {a|b|d} e c",
                "{a|c|d|e} g {a|c|d|e}",
                "{a|b|d} e",
            ]
        );
        assert!(judge(&outcome.release, 2, 2, 2, "ratio").holds);
    }
}

#[test]
fn example_7_figure_4_lm_anon() {
    // The cluster {t4, t2, t5} alone.
    let data = on_the_map(&["baec", "bdec", "dgc"], &FIGURE_1B);
    let given = [("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "1")];
    let outcome = run(&Zga, &data, &given, Variant::AsPrinted).unwrap();
    assert_eq!(released(&outcome), ["{a|b|d} {a|b|d} e c", "{a|b|d} {a|b|d} e c", "{a|b|d} g c"]);
    let steps = &outcome.explanation.steps;
    let name =
        |items: &Vec<ItemId>| throng_data::render_item(items.iter().map(|item| data.items.name(*item)));
    let merged: Vec<Vec<String>> = steps.iter().map(|step| step.items.iter().map(name).collect()).collect();
    assert_eq!(merged, [["a", "b"], ["{a|b}", "d"]]);
    assert_eq!(
        (steps[0].pattern.iter().map(name).collect::<Vec<_>>(), steps[0].support),
        (vec!["a".to_owned()], 1)
    );
}

#[test]
fn example_5_figure_2c_zga_first_cluster() {
    // The cluster {t6, t3, t1} of Figure 2 alone; which clusters ZGA forms depends on the order of key bits.
    let data = on_the_map(&["de", "adef", "dace"], &FIGURE_1B);
    let outcome =
        run(&Zga, &data, &[("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "1")], Variant::Sound).unwrap();
    assert_eq!(
        released(&outcome),
        ["{a|c|d|e} {a|c|d|e}", "{a|c|d|e} {a|c|d|e} {a|c|d|e} f", "{a|c|d|e} {a|c|d|e} {a|c|d|e} {a|c|d|e}"]
    );
}

#[test]
fn definition_3_counts_where_the_text_claims_a_share() {
    // Two people, both with f: the letter is content, the attacker is certain.
    assert!(judge_words(&["af", "af"], 2, 2, 1, "count").holds);
    let verdict = judge_words(&["af", "af"], 2, 2, 1, "ratio");
    assert_eq!(verdict.violations[0].details["confidence"], "2/2");
    // 3 of 103 people: hardly a guess, yet the letter objects.
    let crowd: Vec<&str> = std::iter::repeat_n("a", 100).chain(["af"; 3]).collect();
    assert!(!judge_words(&crowd, 2, 2, 1, "count").holds);
    assert!(judge_words(&crowd, 2, 2, 1, "ratio").holds);
    // The letter holds for two clusters and not for their union.
    assert!(judge_words(&["af", "a"], 2, 1, 1, "count").holds);
    assert!(!judge_words(&["af", "a", "af", "a"], 2, 1, 1, "count").holds);
    // "m locations" must be "up to m": nobody shares the lone a.
    assert!(!judge_words(&["a", "bc", "bc", "f"], 2, 2, 2, "ratio").holds);
}

#[test]
fn lm_anon_never_looks_back() {
    let map = [("a", [0.0, 0.0]), ("b", [1.0, 0.0]), ("c", [3.0, 2.0]), ("d", [2.0, 2.0])];
    let data = on_the_map(&["af", "ab", "bbf", "c", "d"], &map);
    let given = [("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "1")];
    let printed = run(&Zga, &data, &given, Variant::AsPrinted).unwrap();
    assert_eq!(released(&printed), ["{a|b} f", "{a|b} {a|b}", "{a|b} {a|b} f", "{c|d}", "{c|d}"]);
    let verdict = judge(&printed.release, 2, 2, 2, "ratio");
    let broken = &verdict.violations[0];
    assert_eq!(
        (broken.pattern.as_slice(), broken.details["confidence"].as_str()),
        (&["{a|b}".to_owned()][..], "2/3")
    );
    let sound = run(&Zga, &data, &given, Variant::Sound).unwrap();
    assert_eq!(released(&sound)[..2], ["{a|b|c|d} f", "{a|b|c|d} {a|b|c|d}"]);
    assert!(judge(&sound.release, 2, 2, 2, "ratio").holds);
}

#[test]
fn lm_anon_does_not_end_when_a_secret_is_too_common() {
    let data = on_the_map(&["af", "bf"], &FIGURE_1B);
    let given = [("k", "2"), ("l", "2"), ("m", "1"), ("clusters", "1")];
    for variant in [Variant::Sound, Variant::AsPrinted] {
        assert!(matches!(run(&Zga, &data, &given, variant), Err(MethodError::Infeasible { .. })));
    }
}
