//! The checker of `mi`, person by person, on sequences short enough to do the sum by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Events, EventsBuilder, GeneralisedItem, Inputs, Release};
use throng_models::{CheckError, Evidence, MutualInformation, Promise, Verdict};

/// A release of these words: a capital letter stands for the letter and its neighbour (`A` for a and b, `C` for c and d), others for themselves.
fn release_of(data: &Dataset, words: &[&str]) -> Release {
    let alphabet = ["a", "b", "c", "d", "A", "C"];
    let find = |name: &str| data.items.find(name);
    let members = |name: &str| match name {
        "A" => ["a", "b"].into_iter().filter_map(find).collect(),
        "C" => ["c", "d"].into_iter().filter_map(find).collect(),
        other => find(other).into_iter().collect::<Vec<u32>>(),
    };
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (person, word) in words.iter().enumerate() {
        let place =
            |letter: char| alphabet.iter().position(|name| name.starts_with(letter)).expect("a letter");
        let items: Vec<u32> = word.chars().map(|letter| place(letter) as u32).collect();
        builder.push(person as u32, &items, &[]);
    }
    let events: Events = builder.finish(words.len());
    let mut release = Release::identity(Arc::clone(&data.items), events);
    release.alphabet = alphabet.iter().map(|name| GeneralisedItem::of(members(name))).collect();
    release
}

fn inputs(patterns: &[&str]) -> Inputs {
    let letters = |word: &&str| word.chars().map(|letter| letter.to_string()).collect();
    Inputs { patterns: patterns.iter().map(letters).collect(), ..Inputs::default() }
}

fn check(data: &Dataset, words: &[&str], inputs: &Inputs, given: &[(&str, &str)], list: usize) -> Verdict {
    let release = release_of(data, words);
    let given = [("window", "3")].iter().chain(given).copied();
    let settings = Settings::parse(MutualInformation.descriptor(), given).expect("in range");
    let evidence = Evidence { original: Some(data), inputs, ..Evidence::of(&release) };
    MutualInformation.check(&evidence, &settings, list, &Progress::silent()).expect("it can be judged")
}

fn holds(data: &Dataset, words: &[&str], patterns: &[&str], given: &[(&str, &str)]) -> bool {
    check(data, words, &inputs(patterns), given, 10).holds
}

fn reason(verdict: &Verdict) -> Option<&str> {
    verdict.violations[0].details.get("reason").map(String::as_str)
}

/// `ab` and `cd`, once each: one bit to learn. As `A` and `C` they are still told apart; `ab` and `ba` are not.
#[test]
fn what_is_learned_is_what_images_tell_apart() {
    let data = Dataset::from_words(["abcd"]);
    assert!(!holds(&data, &["abcd"], &["ab", "cd"], &[("epsilon", "0.5")]));
    assert!(!holds(&data, &["AACC"], &["ab", "cd"], &[("epsilon", "0.5")]));
    let verdict = check(&data, &["AACC"], &inputs(&["ab", "cd"]), &[("epsilon", "0.5")], 10);
    assert_eq!(verdict.violations[0].details["bits"], "1.000000");
    assert_eq!(verdict.violations[0].details["allowed"], "0.500000");
    assert_eq!(reason(&verdict), None);
    // a and b look alike: nothing is learned.
    assert!(holds(&data, &["AAcd"], &["a", "b"], &[("epsilon", "0")]));
    assert!(!holds(&data, &["abcd"], &["a", "b"], &[("epsilon", "0")]));
    // All that there is to learn may be learned.
    assert!(holds(&data, &["abcd"], &["a", "b"], &[("epsilon", "1")]));
}

/// Four patterns, two bits; half of that is one bit.
#[test]
fn a_share_is_of_what_there_is_to_learn_and_bits_are_bits() {
    let data = Dataset::from_words(["abcd"]);
    let patterns = ["a", "b", "c", "d"];
    assert!(holds(&data, &["AACC"], &patterns, &[("epsilon", "0.5")]));
    assert!(!holds(&data, &["AACC"], &patterns, &[("epsilon", "0.49")]));
    assert!(holds(&data, &["AACC"], &patterns, &[("epsilon", "1"), ("unit", "bits")]));
    assert!(!holds(&data, &["AACC"], &patterns, &[("epsilon", "0.99"), ("unit", "bits")]));
    assert!(!holds(&data, &["abcd"], &patterns, &[("epsilon", "1"), ("unit", "bits")]));
}

/// An item that is published in two ways says where it is which; an event that is missing is published in no way.
#[test]
fn one_item_has_one_image_and_no_event_is_missing() {
    let data = Dataset::from_words(["aab", "cd"]);
    let judge = |words: &[&str; 2]| check(&data, words, &inputs(&["a", "b"]), &[("epsilon", "1")], 10);
    assert!(judge(&["AAA", "cd"]).holds);
    for words in [["AaA", "cd"], ["aAA", "cd"], ["AA", "cd"], ["AAA", "c"]] {
        let verdict = judge(&words);
        assert!(!verdict.holds, "{words:?}");
        assert_eq!(reason(&verdict), Some("an item is published in two ways, or events are missing"));
    }
    // Twice wrong is not right.
    let twice = Dataset::from_words(["aaab"]);
    assert!(!check(&twice, &["AaaA"], &inputs(&["a", "b"]), &[("epsilon", "1")], 10).holds);
    assert!(!check(&twice, &["AaA"], &inputs(&["a", "b"]), &[("epsilon", "1")], 10).holds);
}

/// An event that is missing in one record is not made good by one that is missing in another.
#[test]
fn every_record_of_a_person_is_whole() {
    let data = Dataset::from_records(EventKind::Sequence, [("p", ["a", "b"]), ("p", ["a", "b"])]);
    let judge = |records: [&[u32]; 2]| {
        let mut builder = EventsBuilder::new(EventKind::Sequence, false);
        records.iter().for_each(|record| builder.push(0, record, &[]));
        let release = Release::identity(Arc::clone(&data.items), builder.finish(1));
        let given = [("epsilon", "1"), ("window", "3")];
        let settings = Settings::parse(MutualInformation.descriptor(), given).expect("in range");
        let inputs = inputs(&["a", "b"]);
        let evidence = Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(&release) };
        MutualInformation.check(&evidence, &settings, 1, &Progress::silent()).expect("it can be judged").holds
    };
    assert!(judge([&[0, 1], &[0, 1]]));
    assert!(!judge([&[0, 1], &[0]]));
    assert!(!judge([&[0], &[0, 1]]));
    assert!(!judge([&[0], &[0]]));
}

/// Where a person has one of the patterns only, there is nothing to learn, and it may be published: unless it is promised not to be.
#[test]
fn the_only_pattern_is_hidden_if_that_is_promised() {
    let data = Dataset::from_words(["ac", "abab"]);
    let hide = [("epsilon", "1"), ("only", "hide")];
    let patterns = ["a", "b"];
    assert!(holds(&data, &["ac", "abab"], &patterns, &[("epsilon", "1")]));
    let verdict = check(&data, &["ac", "abab"], &inputs(&patterns), &hide, 10);
    assert_eq!((verdict.holds, verdict.violations_total), (false, 1), "the second person has both");
    assert_eq!(reason(&verdict), Some("the only sensitive pattern is published as itself"));
    assert!(holds(&data, &["Ac", "abab"], &patterns, &hide));
    // Of a longer pattern one coarser item is enough.
    let longer = Dataset::from_words(["ac", "bb"]);
    assert!(!holds(&longer, &["ac", "bb"], &["ac", "bc"], &hide));
    assert!(holds(&longer, &["Ac", "bb"], &["ac", "bc"], &hide));
    // Who has none shows none.
    assert!(holds(&Dataset::from_words(["cc", "ab"]), &["cc", "AA"], &patterns, &hide));
}

#[test]
fn a_person_may_have_patterns_of_their_own() {
    let data = Dataset::from_words(["ab", "ab"]);
    let first = data.subjects.name(0).to_owned();
    let own = |patterns: &[&str]| Inputs {
        person_patterns: Some(BTreeMap::from([(first.clone(), inputs(patterns).patterns)])),
        ..inputs(&["a"])
    };
    let judge = |own: &Inputs| check(&data, &["ab", "ab"], own, &[("epsilon", "0.5")], 10);
    assert!(judge(&inputs(&["a"])).holds);
    assert_eq!(judge(&own(&["b"])).violations_total, 1, "of the first alone");
    // What is everybody's already is not counted twice.
    assert!(judge(&own(&["a"])).holds);
    let twice = judge(&own(&["a", "b"]));
    assert_eq!(twice.violations[0].details["bits"], "1.000000");
}

#[test]
fn as_many_cases_are_listed_as_asked_for_and_all_are_counted() {
    let data = Dataset::from_words(["ab", "ab", "ab"]);
    let judge = |list| check(&data, &["ab", "ab", "ab"], &inputs(&["a", "b"]), &[("epsilon", "0.5")], list);
    for (list, listed, total, checked) in
        [(0, 1, 1, 1), (1, 1, 3, 3), (2, 2, 3, 3), (3, 3, 3, 3), (9, 3, 3, 3)]
    {
        let verdict = judge(list);
        assert_eq!(
            (verdict.violations.len(), verdict.violations_total, verdict.checked),
            (listed, total, checked)
        );
        assert!(!verdict.holds);
    }
}

#[test]
fn without_data_or_patterns_nothing_is_judged() {
    let data = Dataset::from_words(["ab"]);
    let release = release_of(&data, &["ab"]);
    let settings = Settings::parse(MutualInformation.descriptor(), [("epsilon", "1"), ("window", "3")])
        .expect("in range");
    let judge = |original, inputs: &Inputs| {
        let evidence = Evidence { original, inputs, ..Evidence::of(&release) };
        MutualInformation.check(&evidence, &settings, 1, &Progress::silent())
    };
    assert!(matches!(judge(None, &inputs(&["a"])), Err(CheckError::Missing { .. })));
    assert!(matches!(judge(Some(&data), &inputs(&[])), Err(CheckError::Missing { .. })));
}
