//! [PSLG14] Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Apriori-based algorithms for k^m-anonymizing trajectory
//! data. Trans. Data Privacy 7(2), 2014.

use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Release};
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
