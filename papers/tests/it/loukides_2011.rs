//! LGM11: Loukides, Gkoulalas-Divanis, Malin. COAT: constraint-based anonymization of transactions. Knowledge and
//! Information Systems 28(2), 2011; and GL12: Gkoulalas-Divanis, Loukides. Utility-guided clustering-based transaction data
//! anonymization. Trans. Data Privacy 5(1), 2012. One small example, worked out by hand.

use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs};
use throng_methods::{Outcome, Task, Variant, find};

const RECORDS: [&str; 8] = ["abc", "acd", "abe", "bdf", "cef", "ade", "bcf", "af"];

fn letters(word: &str) -> Vec<String> {
    word.chars().map(|letter| letter.to_string()).collect()
}

fn data() -> Dataset {
    let records: Vec<(String, Vec<String>)> =
        RECORDS.iter().enumerate().map(|(at, word)| (format!("t{at}"), letters(word))).collect();
    let borrowed = records.iter().map(|(name, items)| (name.as_str(), items.iter().map(String::as_str)));
    Dataset::from_records(EventKind::Set, borrowed)
}

fn run(
    method: &str,
    given: &[(&str, &str)],
    utility: Option<&[&str]>,
    variant: Variant,
) -> (Dataset, Outcome) {
    let data = data();
    let method = find(method).expect("the method is registered");
    let settings = Settings::parse(method.descriptor(), given.iter().copied()).expect("in range");
    let sets = |words: &[&str]| words.iter().map(|word| letters(word)).collect::<Vec<_>>();
    let inputs = Inputs {
        policy: Some(sets(&["ab", "cd", "bdf"])),
        constraints: utility.map(sets),
        ..Inputs::default()
    };
    let progress = Progress::silent();
    let task = Task { inputs: &inputs, variant, ..Task::new(&data, &settings, &progress) };
    let outcome = method.anonymize(&task).expect("the example can be anonymised");
    (data, outcome)
}

/// The two groups of each step, in the order of the step.
fn steps(data: &Dataset, outcome: &Outcome) -> Vec<String> {
    let group = |items: &Vec<u32>| items.iter().map(|item| data.items.name(*item)).collect::<String>();
    let step = |items: &Vec<Vec<u32>>| items.iter().map(group).collect::<Vec<_>>().join("+");
    outcome
        .explanation
        .steps
        .iter()
        .map(|reason| format!("{} {}", reason.action, step(&reason.items)))
        .collect()
}

fn written(outcome: &Outcome) -> Vec<String> {
    let release = &outcome.release;
    (0..release.records())
        .map(|record| {
            let mut names = release.names_of(record);
            names.sort();
            names.join(" ")
        })
        .collect()
}

#[test]
fn coat_joins_b_with_c_then_d_with_e_and_f() {
    for variant in Variant::ALL {
        let given = [("k", "3"), ("max-suppressed", "0%")];
        let (data, outcome) = run("coat", &given, Some(&["abc", "def"]), variant);
        assert_eq!(steps(&data, &outcome), ["merge b+c", "merge d+e", "merge f+de"]);
        let expected = [
            "a {b|c}",
            "a {b|c} {d|e|f}",
            "a {b|c} {d|e|f}",
            "{b|c} {d|e|f}",
            "{b|c} {d|e|f}",
            "a {d|e|f}",
            "{b|c} {d|e|f}",
            "a {d|e|f}",
        ];
        assert_eq!(written(&outcome), expected);
    }
}

#[test]
fn pcta_may_join_any_two() {
    let (data, outcome) = run("pcta", &[("k", "3")], None, Variant::Sound);
    // Which of the two that are joined is named first says nothing.
    assert_eq!(steps(&data, &outcome), ["merge a+d", "merge b+c", "merge f+e", "merge ad+bc"]);
    let both = "{a|b|c|d} {e|f}";
    assert_eq!(written(&outcome), ["{a|b|c|d}", "{a|b|c|d}", both, both, both, both, both, both]);
}

/// No one has `a` and `b` together, so the support of both is 0, which is allowed; but only one person has `a`.
#[test]
fn a_constraint_without_support_is_judged_by_its_parts() {
    let records = [("t1", vec!["a"]), ("t2", vec!["b", "c"]), ("t3", vec!["b", "c"])];
    let data = Dataset::from_records(EventKind::Set, records);
    let method = find("pcta").expect("the method is registered");
    let settings = Settings::parse(method.descriptor(), [("k", "2")]).expect("in range");
    let inputs = Inputs { policy: Some(vec![letters("ab")]), ..Inputs::default() };
    let progress = Progress::silent();
    let outcome = method
        .anonymize(&Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) })
        .expect("three people are enough");
    assert!(outcome.release.names_of(0)[0].contains('|'), "{:?}", outcome.release.names_of(0));
}
