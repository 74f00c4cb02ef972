//! [PSLG14] Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Apriori-based algorithms for k^m-anonymizing trajectory
//! data. Trans. Data Privacy 7(2), 2014.

use throng_contract::{Progress, Settings};
use throng_data::{Coordinates, Dataset, EventKind, Inputs, ItemId, Places, Release, Taxonomy};
use throng_measure::attack::curve::{USUALLY_KNOWN, curve};
use throng_measure::{distance, semantic};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_models::{Evidence, KmAnonymity, Promise, Verdict};

// k^m-anonymity: Figure 1, Definitions 3 and 4, Example 1, section 3.1 -------------------------------------------------

/// Figure 1a. The scan lost it; this is what Figures 4 and 5 and every support in the text imply.
const FIGURE_1A: [&str; 6] = ["dace", "baec", "ade", "bdec", "dc", "de"];

fn judge(data: &Dataset, k: u64, m: u64) -> Verdict {
    let (k, m) = (k.to_string(), m.to_string());
    let settings = Settings::parse(KmAnonymity.descriptor(), [("k", k.as_str()), ("m", m.as_str())])
        .expect("k and m are in range");
    let release = Release::identity(data.items.clone(), data.events.clone());
    KmAnonymity
        .check(&Evidence::of(&release), &settings, usize::MAX, &Progress::silent())
        .expect("nobody cancels")
}

fn judge_words(words: &[&str], k: u64, m: u64) -> Verdict {
    judge(&Dataset::from_words(words.iter().copied()), k, m)
}

/// Supports of all patterns of one size: with `k` above the number of people every pattern is listed.
fn supports(words: &[&str], size: u64) -> Vec<(String, u64)> {
    let verdict = judge_words(words, words.len() as u64 + 1, size);
    let mut supports: Vec<(String, u64)> = verdict
        .violations
        .iter()
        .map(|violation| (violation.pattern.concat(), violation.support))
        .filter(|(pattern, _)| pattern.len() as u64 == size)
        .collect();
    supports.sort();
    supports
}

#[test]
fn figure_1_supports_of_locations() {
    let expected = [("a", 3), ("b", 2), ("c", 4), ("d", 5), ("e", 5)];
    assert_eq!(supports(&FIGURE_1A, 1), expected.map(|(name, support)| (name.to_owned(), support)));
}

#[test]
fn definition_3_support_of_a_then_e_is_three() {
    assert!(supports(&FIGURE_1A, 2).contains(&("ae".to_owned(), 3)));
    // A subtrajectory that is contained several times in a trajectory still counts once.
    assert!(supports(&["aebae"], 2).contains(&("ae".to_owned(), 1)));
}

#[test]
fn example_1_is_anonymous_for_one_known_location_and_not_for_two() {
    assert!(judge_words(&FIGURE_1A, 2, 1).holds);
    let verdict = judge_words(&FIGURE_1A, 2, 2);
    assert!(!verdict.holds);
    let broken: Vec<_> = verdict.violations.iter().map(|v| (v.pattern.concat(), v.support)).collect();
    assert_eq!(broken, ["ad", "ba", "bd", "ce", "da"].map(|pattern| (pattern.to_owned(), 1)));
}

#[test]
fn example_1_every_size_3_subtrajectory_but_one_appears_once() {
    assert!(judge_words(&FIGURE_1A, 1, 3).holds);
    // The text says that every subtrajectory of size 3 appears only once; (b, e, c) is in t2 and in t4.
    let repeated: Vec<_> = supports(&FIGURE_1A, 3).into_iter().filter(|(_, support)| *support > 1).collect();
    assert_eq!(repeated, [("bec".to_owned(), 2)]);
}

#[test]
fn figure_1_as_sets_has_c_and_e_together_three_times() {
    let ordered = supports(&FIGURE_1A, 2);
    assert!(ordered.contains(&("ce".to_owned(), 1)) && ordered.contains(&("ec".to_owned(), 2)));
    let records = FIGURE_1A.map(|word| (word, word.split("").filter(|letter| !letter.is_empty())));
    let verdict = judge(&Dataset::from_records(EventKind::Set, records), 4, 2);
    let pair = verdict.violations.iter().find(|v| v.pattern == ["c", "e"]).unwrap();
    assert_eq!(pair.support, 3);
}

#[test]
fn section_3_1_km_anonymity_is_weaker_than_k_anonymity() {
    let records = ["ade", "ade", "ad"];
    assert!(judge_words(&records, 2, 3).holds);
    // Yet whoever knows that a person visited a, then d, and nothing else, finds one.
    let alone = records.iter().filter(|r| records.iter().filter(|other| other == r).count() < 2);
    assert_eq!(alone.collect::<Vec<_>>(), [&"ad"]);
}

#[test]
fn km_anonymity_says_nothing_about_more_than_m_locations() {
    let records = ["abc", "abd", "acd", "bcd"];
    assert!(judge_words(&records, 2, 2).holds);
    let verdict = judge_words(&records, 2, 3);
    assert_eq!(verdict.violations_total, 4);
    assert!(verdict.violations.iter().all(|v| v.pattern.len() == 3 && v.support == 1));
}

// Measures: Definitions 6 and 7, Example 2, and what lies beyond m ------------------------------------------------------

#[test]
fn definition_6_location_and_trajectory_distance() {
    // The text gives d(a, a1) = 1 and d(a, a2) = 2; b is anywhere.
    let (a, a1, a2, b) = (0, 1, 2, 3);
    let points = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [7.0, 7.0]];
    let places = Places { system: Coordinates::Plane, points, categories: None };
    assert_eq!(distance::location(&places, a, &[a, a1, a2]), 1.0);
    assert_eq!(distance::trajectory(&places, [(a, &[a, a1, a2][..]), (b, &[b])]), Some(0.5));
}

#[test]
fn example_2_figure_2_semantic_dissimilarity() {
    let taxonomy = Taxonomy::from_paths(FIGURE_2.map(|path| path.split(';'))).unwrap();
    let of = |names: &[&str]| {
        let nodes: Vec<_> = names.iter().map(|name| taxonomy.find(name).unwrap()).collect();
        semantic::dissimilarity(&taxonomy, &nodes).to_string()
    };
    assert_eq!(of(&["a", "c", "e"]), "0.6");
    assert_eq!(of(&["a", "d"]), "1");
    // Definition 7 speaks of generalised locations; one that is left as it is must cost nothing.
    assert_eq!(of(&["a"]), "0");
}

#[test]
fn three_known_locations_single_out_everyone_in_a_two_to_the_two_anonymous_dataset() {
    let data = Dataset::from_words(["abc", "abd", "acd", "bcd"]);
    let curve = curve(&data.events, USUALLY_KNOWN, 0, &Progress::silent()).unwrap();
    assert_eq!((curve.points[1].singled_out.count, curve.points[2].singled_out.count), (0, 4));
}

// SEQANON, SD-SEQANON, U-SEQANON: Examples 4 and 5, Figures 3 to 5 ------------------------------------------------------

/// The map of Figure 1b is lost; with these positions b is nearest to a, and c nearest to {a, b}, as the text says,
/// whichever way the distance of groups is read.
const FIGURE_1B: [(&str, [f64; 2]); 5] =
    [("a", [0.0, 0.0]), ("b", [1.0, 0.0]), ("c", [0.0, 2.0]), ("d", [3.0, 1.0]), ("e", [5.0, 3.0])];

/// Figure 2.
const FIGURE_2: [&str; 5] = [
    "a;Restaurants;Any",
    "c;Restaurants;Any",
    "e;Restaurants;Any",
    "b;Coffee shops;Any",
    "d;Coffee shops;Any",
];

fn on_the_map(words: &[&str], map: &[(&str, [f64; 2])]) -> Dataset {
    let mut data = Dataset::from_words(words.iter().copied());
    let position =
        |name: &str| map.iter().find(|(place, _)| *place == name).expect("every place is on the map").1;
    let points = data.items.names().map(position).collect();
    data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
    data
}

fn anonymize(
    method: &dyn Method,
    data: &Dataset,
    given: &[(&str, &str)],
    complete: impl for<'a> Fn(Task<'a>) -> Result<Outcome, MethodError>,
) -> Result<Outcome, MethodError> {
    let settings =
        Settings::parse(method.descriptor(), given.iter().copied()).expect("parameters are in range");
    let progress = Progress::silent();
    complete(Task::new(data, &settings, &progress))
}

fn released(outcome: &Outcome) -> Vec<String> {
    (0..outcome.release.events.records()).map(|record| outcome.release.names_of(record).join(" ")).collect()
}

/// The merges of a run, as a reader would write them down.
fn merges(data: &Dataset, outcome: &Outcome) -> Vec<String> {
    let group =
        |items: &Vec<ItemId>| throng_data::render_item(items.iter().map(|item| data.items.name(*item)));
    outcome
        .explanation
        .steps
        .iter()
        .map(|step| step.items.iter().map(group).collect::<Vec<_>>().join(" + "))
        .collect()
}

const FIGURE_4C: [&str; 6] = [
    "d {a|b|c} {a|b|c} e",
    "{a|b|c} {a|b|c} e {a|b|c}",
    "{a|b|c} d e",
    "{a|b|c} d e {a|b|c}",
    "d {a|b|c}",
    "d e",
];

#[test]
fn example_4_figure_4_seqanon() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    for distance in ["average", "single", "complete", "centroid"] {
        for variant in [Variant::Sound, Variant::AsPrinted] {
            let given = [("k", "2"), ("m", "2"), ("distance", distance)];
            let method = &throng_methods::sequence::Seqanon;
            let outcome =
                anonymize(method, &data, &given, |task| method.anonymize(&Task { variant, ..task })).unwrap();
            assert_eq!(merges(&data, &outcome), ["a + b", "{a|b} + c"]);
            assert_eq!(released(&outcome), FIGURE_4C);
            // Figure 4a begins with (d, a), which is the pattern that forces the first merge.
            let first = &outcome.explanation.steps[0];
            let pattern: Vec<&str> = first.pattern.iter().map(|group| data.items.name(group[0])).collect();
            assert_eq!((pattern, first.support, first.needed), (vec!["d", "a"], 1, 2));
        }
    }
}

#[test]
fn figure_4c_is_two_to_the_two_anonymous() {
    let words = FIGURE_4C.map(|record| (record, record.split(' ')));
    assert!(judge(&Dataset::from_records(EventKind::Sequence, words), 2, 2).holds);
}

#[test]
fn sd_seqanon_prefers_the_restaurant_over_the_nearer_coffee_shop() {
    // The paper prints no run of SD-SEQANON. With c at 1.5 from a, a + c weighs 1.5 * 3/5, less than a + b with 1 * 1.
    let map = FIGURE_1B.map(|(name, at)| (name, if name == "c" { [0.0, 1.5] } else { at }));
    let data = on_the_map(&FIGURE_1A, &map);
    let taxonomy = Some(Taxonomy::from_paths(FIGURE_2.map(|path| path.split(';'))).unwrap());
    let inputs = Inputs { taxonomy, ..Inputs::default() };
    let method = &throng_methods::sequence::SdSeqanon;
    let outcome = anonymize(method, &data, &[("k", "2"), ("m", "2")], |task| {
        method.anonymize(&Task { inputs: &inputs, ..task })
    })
    .unwrap();
    assert_eq!(merges(&data, &outcome), ["a + c", "{a|c} + b"]);
    assert_eq!(released(&outcome), FIGURE_4C);
}

fn u_seqanon(variant: Variant, max_suppressed: &str) -> (Dataset, Result<Outcome, MethodError>) {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let constraints = ["bc", "ade"].map(|word| word.chars().map(String::from).collect()).to_vec();
    let inputs = Inputs { constraints: Some(constraints), ..Inputs::default() };
    let method = &throng_methods::sequence::USeqanon;
    let given = [("k", "2"), ("m", "2"), ("max-suppressed", max_suppressed)];
    let outcome =
        anonymize(method, &data, &given, |task| method.anonymize(&Task { variant, inputs: &inputs, ..task }));
    (data, outcome)
}

#[test]
fn example_5_figure_5_u_seqanon() {
    for variant in [Variant::Sound, Variant::AsPrinted] {
        let (data, outcome) = u_seqanon(variant, "5%");
        let outcome = outcome.unwrap();
        // Figure 5b: (d, a) merges a and d. Figures 5c and 3c go on to merge e as well, but after {a, d} and {b, c}
        // every pair has two people, so the algorithm leaves e alone.
        assert_eq!(merges(&data, &outcome), ["a + d", "c + b"]);
        assert_eq!(
            released(&outcome),
            [
                "{a|d} {a|d} {b|c} e",
                "{b|c} {a|d} e {b|c}",
                "{a|d} {a|d} e",
                "{b|c} {a|d} e {b|c}",
                "{a|d} {b|c}",
                "{a|d} e",
            ]
        );
    }
}

#[test]
fn figure_5c_is_safe_but_more_general_than_needed() {
    let printed = [
        "{a|d|e} {a|d|e} {b|c} {a|d|e}",
        "{b|c} {a|d|e} {a|d|e} {b|c}",
        "{a|d|e} {a|d|e} {a|d|e}",
        "{b|c} {a|d|e} {a|d|e} {b|c}",
        "{a|d|e} {b|c}",
        "{a|d|e} {a|d|e}",
    ];
    let records = printed.map(|record| (record, record.split(' ')));
    // Two records read the same; the subject is the record's number, not its text.
    let numbered: Vec<(String, Vec<&str>)> =
        records.into_iter().enumerate().map(|(at, (_, items))| (at.to_string(), items.collect())).collect();
    let data = Dataset::from_records(
        EventKind::Sequence,
        numbered.iter().map(|(subject, items)| (subject.as_str(), items.iter().copied())),
    );
    assert!(judge(&data, 2, 2).holds);
}

#[test]
fn section_4_1_seqanon_does_not_end_when_lengths_give_people_away() {
    // (X, X) has support 1 whatever X covers, so the paper's while loop never ends; we say so instead.
    let data = on_the_map(&["ab", "a"], &FIGURE_1B);
    let method = &throng_methods::sequence::Seqanon;
    let infeasible = anonymize(method, &data, &[("k", "2"), ("m", "2")], |task| method.anonymize(&task));
    assert!(matches!(infeasible, Err(MethodError::Infeasible { .. })));
    let given = [("k", "2"), ("m", "2"), ("infeasible", "truncate"), ("max-suppressed", "50%")];
    let truncated = anonymize(method, &data, &given, |task| method.anonymize(&task)).unwrap();
    assert_eq!((released(&truncated), truncated.release.suppression.events), (vec!["a".to_owned(); 2], 1));
}
