//! What every promise says of itself: in words, in symbols, what it assumes of an attacker and of which releases it speaks. It is printed
//! beside releases, so that a word that changes is looked at.

use std::fmt::Write;

use throng_contract::{BodyKind, Class, Failing, OverParts, Settings};
use throng_data::EventKind;
use throng_models::{ALL, Answer, Assumes, CheckError, Promise, Verdict, find};

/// Each promise with parameters that its words depend on.
const CASES: &[(&str, &[(&str, &str)])] = &[
    ("dp", &[("epsilon", "0.5")]),
    ("disassociated-km", &[("k", "3"), ("m", "2")]),
    ("disassociated-km", &[("k", "1"), ("m", "1"), ("safe", "true"), ("l", "4")]),
    ("k", &[("k", "4")]),
    ("k", &[("k", "1")]),
    ("kkm", &[("k", "4"), ("m", "2")]),
    ("kkm", &[("k", "1"), ("m", "1")]),
    ("k-counts", &[("k", "4")]),
    ("k-counts", &[("k", "1")]),
    ("klm", &[("k", "4"), ("l", "3"), ("m", "2")]),
    ("klm", &[("k", "4"), ("l", "3"), ("m", "1"), ("form", "count")]),
    ("klm-diverse", &[("k", "4"), ("l", "3"), ("m", "2")]),
    ("km", &[("k", "4"), ("m", "2")]),
    ("km", &[("k", "1"), ("m", "1")]),
    ("l-diversity", &[("l", "3")]),
    ("l-diversity", &[("l", "3"), ("form", "entropy")]),
    ("l-diversity", &[("l", "3"), ("form", "recursive"), ("c", "0.5")]),
    ("lkc", &[("L", "2"), ("K", "4"), ("C", "0.25")]),
    ("lkc", &[("L", "1"), ("K", "4"), ("C", "1")]),
    ("mi", &[("epsilon", "0.25"), ("window", "3")]),
    ("mi", &[("epsilon", "0.25"), ("window", "3"), ("unit", "bits"), ("only", "hide")]),
    ("p2k", &[("k", "4")]),
    ("p2k", &[("k", "1"), ("form", "release")]),
    ("p2k", &[("k", "4"), ("form", "original")]),
    ("policy", &[("k", "4")]),
    ("policy", &[("k", "4"), ("m", "2")]),
    ("t-closeness", &[("t", "0.2")]),
    ("t-closeness", &[("t", "0.2"), ("emd", "ordered")]),
];

fn settings(promise: &dyn Promise, given: &[(&str, &str)]) -> Settings {
    Settings::parse(promise.descriptor(), given.iter().copied()).expect("in range")
}

/// `tests/catalogue.txt` is what promises say. After a change that is meant, put what the test prints there.
#[test]
fn promises_say_what_is_written_down() {
    let mut text = String::new();
    for (name, given) in CASES {
        let promise = find(name).unwrap_or_else(|| unreachable!("there is no promise `{name}`"));
        let settings = settings(promise, given);
        let given: Vec<String> = given.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        writeln!(text, "{name}: {}", given.join(", ")).expect("text can be written");
        for kind in [EventKind::Sequence, EventKind::Set] {
            writeln!(text, "  {kind:?}: {}", promise.statement_for(&settings, kind))
                .expect("text can be written");
        }
        writeln!(text, "  symbols: {}", promise.symbols(&settings)).expect("text can be written");
        let Assumes { crowd, known } = promise.assumes(&settings);
        writeln!(text, "  assumes: a crowd of {crowd:?}, {known:?} known").expect("text can be written");
    }
    assert_eq!(text, include_str!("catalogue.txt"), "\n{text}");
}

#[test]
fn every_promise_is_written_down() {
    for promise in ALL {
        let name = promise.descriptor().name;
        assert!(CASES.iter().any(|(other, _)| *other == name), "{name}");
        assert_eq!(find(name).map(|found| found.descriptor().name), Some(name));
    }
    assert!(find("nothing").is_none());
}

#[test]
fn promises_speak_of_releases_that_say_something_of_them() {
    let bodies = [BodyKind::Records, BodyKind::Chunks, BodyKind::Counts];
    for promise in ALL {
        let speaks: Vec<bool> = bodies.into_iter().map(|body| promise.speaks_of(body)).collect();
        let expected = match promise.descriptor().name {
            "disassociated-km" => [false, true, false],
            "k-counts" => [false, false, true],
            "dp" => [true, true, true],
            _ => [true, false, false],
        };
        assert_eq!(speaks, expected, "{}", promise.descriptor().name);
    }
}

#[test]
fn what_rests_on_secrets_or_on_the_original_says_so() {
    for promise in ALL {
        let name = promise.descriptor().name;
        assert_eq!(promise.rests_on_secret_noise(), name == "dp", "{name}");
        assert_eq!(promise.needs_original(), name == "mi", "{name}");
        let without: &[(&str, &str)] = if name == "p2k" { &[("form", "release")] } else { &[] };
        assert_eq!(promise.without_original(), without, "{name}");
    }
}

#[test]
fn a_crowd_is_five_where_none_is_promised() {
    assert_eq!(Assumes::default().crowd(), 5);
    assert_eq!(Assumes { crowd: Some(3), known: None }.crowd(), 3);
}

#[test]
fn every_promise_says_whether_it_follows_from_its_parts() {
    let said = |name: &str| {
        let promise = ALL.iter().find(|promise| promise.descriptor().name == name).unwrap();
        promise.descriptor().over_parts.unwrap()
    };
    assert!(ALL.iter().all(|promise| promise.descriptor().over_parts.is_some()));
    assert_eq!(said("km"), OverParts::Follows);
    // A part in which all people have one value is close to itself, and tells all.
    assert!(matches!(said("t-closeness"), OverParts::FollowsWithSame(_)));
    // Three people in each of two parts are withheld twice, and six would be told.
    assert_eq!(said("k-counts"), OverParts::DoesNotFollow);
}

#[test]
fn an_answer_is_no_better_than_what_was_judged() {
    let part = || vec!["something".to_owned()];
    let verdict = |holds, not_judged, violations_total| Verdict {
        holds,
        not_judged,
        violations_total,
        ..Verdict::default()
    };
    assert_eq!(verdict(true, Vec::new(), 0).answer(), Answer::Holds);
    assert_eq!(verdict(true, part(), 0).answer(), Answer::JudgedInPart);
    assert_eq!(verdict(false, Vec::new(), 0).answer(), Answer::DoesNotHold);
    assert_eq!(verdict(false, part(), 0).answer(), Answer::NotJudged);
    for (holds, not_judged, total) in [(true, Vec::new(), 1), (true, part(), 1), (false, part(), 2)] {
        assert_eq!(verdict(holds, not_judged, total).answer(), Answer::DoesNotHold);
    }
    let nothing = Verdict::not_judged("km", "it is too large".to_owned());
    assert_eq!((nothing.answer(), nothing.promise), (Answer::NotJudged, "km"));
    assert_eq!(nothing.not_judged, ["it is too large"]);
}

#[test]
fn what_cannot_be_judged_says_a_way_out() {
    let missing = CheckError::Missing { promise: "km", what: "a file", help: "give one" };
    assert_eq!(
        (missing.class(), missing.help().map(|help| help.to_string()).as_deref()),
        (Class::Usage, Some("give one"))
    );
    let unknown = CheckError::Unknown { what: "sensitive item", name: "x".to_owned() };
    assert_eq!(unknown.class(), Class::BadInput);
    assert!(unknown.help().is_some_and(|help| help.to_string().contains("spelling")));
    let form = CheckError::OtherForm { promise: "km", form: "chunks" };
    assert!(form.help().is_some_and(|help| help.to_string().contains("--promise")));
    let large = CheckError::TooLarge { promise: "km", what: "much".to_owned(), limit: "little".to_owned() };
    assert!(large.help().is_some_and(|help| help.to_string().contains('m')));
}
