//! DiffPart: what it spends, what it counts, what it makes up.

use std::collections::BTreeMap;

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Dataset, Inputs, Nature};
use throng_methods::sequence::ngrams::{Noise, Silence};
use throng_methods::set::DiffPart;
use throng_methods::set::diffpart::anonymize;
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_models::{Budget, DifferentialPrivacy, Evidence, Promise};

use crate::set::world::{ITEMS, People, dataset, people, run};

/// The public list has an item that no person has.
fn inputs() -> Inputs {
    let alphabet = ITEMS.iter().chain(&["z"]).map(|name| (*name).to_owned()).collect();
    Inputs { alphabet: Some(alphabet), ..Inputs::default() }
}

fn with_noise(data: &Dataset, given: &[(&str, &str)], noise: &mut dyn Noise) -> Result<Outcome, MethodError> {
    let settings = Settings::parse(DiffPart.descriptor(), given.iter().copied()).unwrap();
    let (progress, inputs) = (Progress::silent(), inputs());
    anonymize(&Task { inputs: &inputs, ..Task::new(data, &settings, &progress) }, noise)
}

fn holds(outcome: &Outcome, epsilon: &str) -> bool {
    let settings = Settings::parse(DifferentialPrivacy.descriptor(), [("epsilon", epsilon)]).unwrap();
    let evidence = Evidence { ledger: outcome.ledger.as_ref(), ..Evidence::of(&outcome.release) };
    DifferentialPrivacy.check(&evidence, &settings, 10, &Progress::silent()).unwrap().holds
}

/// How often each set of names occurs.
fn tally(records: impl Iterator<Item = Vec<String>>) -> BTreeMap<Vec<String>, usize> {
    let mut counts = BTreeMap::new();
    for mut record in records {
        record.sort();
        *counts.entry(record).or_insert(0) += 1;
    }
    counts
}

fn released(outcome: &Outcome) -> BTreeMap<Vec<String>, usize> {
    tally((0..outcome.release.records()).map(|record| outcome.release.names_of(record)))
}

/// Writes down what it was asked for, and adds nothing.
#[derive(Default)]
struct Listener(Vec<(u64, Budget)>);

impl Noise for Listener {
    fn draw(&mut self, sensitivity: u64, budget: Budget) -> i64 {
        self.0.push((sensitivity, budget));
        0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_path_that_ends_in_a_set_spends_the_budget_exactly(
        people in people(12), seed in any::<u64>(), fan_out in 2..5_usize, epsilon in 0..4_usize, c in 1..4_usize,
    ) {
        let data = dataset(&people);
        let (fan_out, c, epsilon) = (fan_out.to_string(), c.to_string(), ["0.1", "0.7", "2", "30"][epsilon]);
        let given = [("epsilon", epsilon), ("fan-out", &*fan_out), ("c1", &*c), ("c2", &*c)];
        let settings = Settings::parse(DiffPart.descriptor(), given).unwrap();
        let (progress, inputs) = (Progress::silent(), inputs());
        let task = Task { inputs: &inputs, seed, ..Task::new(&data, &settings, &progress) };
        let outcome = DiffPart.anonymize(&task).unwrap();
        prop_assert!(holds(&outcome, epsilon));
        let ledger = outcome.ledger.as_ref().unwrap();
        let goes_on: Vec<usize> =
            ledger.spendings().iter().filter_map(|spending| Some(spending.after?.index())).collect();
        for (number, spending) in ledger.spendings().iter().enumerate() {
            prop_assert!(spending.along <= ledger.budget());
            // Half of the budget at most goes into dividing; the last answer takes all that is left.
            let last = spending.along == ledger.budget();
            prop_assert!(last || spending.along <= ledger.budget().share(2));
            prop_assert!(!last || !goes_on.contains(&number));
        }
        prop_assert_eq!(ledger.records_per_person(), 1);
        prop_assert_eq!(outcome.release.nature, Nature::Synthetic);
        let again = DiffPart.anonymize(&task).unwrap();
        prop_assert_eq!(released(&outcome), released(&again));
    }

    #[test]
    fn without_noise_the_sets_are_those_of_the_data(people in people(12), fan_out in 2..8_usize) {
        let data = dataset(&people);
        let fan_out = fan_out.to_string();
        let given = [("epsilon", "1"), ("fan-out", &*fan_out), ("c1", "0.0001"), ("c2", "0.0001")];
        let outcome = with_noise(&data, &given, &mut Silence).unwrap();
        let first = |person: usize| {
            let record = data.events.records_of(person).find(|record| !data.events.span(*record).is_empty())?;
            Some(data.names_of(record).into_iter().map(str::to_owned).collect())
        };
        prop_assert_eq!(released(&outcome), tally((0..data.events.subjects()).filter_map(first)));
    }
}

#[test]
fn parts_without_people_are_asked_about_like_all_others() {
    // Nothing is divided twice: the first division has 7 parts, whatever people there are.
    let ask = |people: &People| {
        let mut listener = Listener::default();
        with_noise(&dataset(people), &[("epsilon", "1"), ("fan-out", "3"), ("c1", "100")], &mut listener)
            .unwrap();
        listener.0
    };
    let without_people = ask(&vec![vec![vec![]]]);
    assert_eq!(without_people.len(), 7);
    assert!(without_people.iter().all(|(sensitivity, _)| *sensitivity == 1));
    assert_eq!(ask(&vec![vec![vec![0, 3]]; 9]), without_people);
}

#[test]
fn several_records_of_a_person_are_refused_as_printed() {
    let data = dataset(&vec![vec![vec![0], vec![1]], vec![vec![2]]]);
    let of = |variant| run(&data, "diffpart", &[("epsilon", "1")], variant, &inputs()).unwrap();
    assert!(holds(&of(Variant::Sound), "1"));
    assert!(!holds(&of(Variant::AsPrinted), "1"));
}

#[test]
fn the_list_must_be_public_and_complete() {
    let data = dataset(&vec![vec![vec![0]]]);
    let refusal = |inputs: &Inputs| {
        run(&data, "diffpart", &[("epsilon", "1")], Variant::Sound, inputs).unwrap_err().to_string()
    };
    assert_eq!(refusal(&Inputs::default()), "`diffpart` needs a public list of all items");
    let other = Inputs { alphabet: Some(vec!["x".to_owned()]), ..Inputs::default() };
    assert_eq!(refusal(&other), "1 of the 1 items of the data, `a` first, are not in the public alphabet");
    let single = Inputs { alphabet: Some(vec!["a".to_owned()]), ..Inputs::default() };
    let outcome = run(&data, "diffpart", &[("epsilon", "900")], Variant::Sound, &single).unwrap();
    assert_eq!(released(&outcome), BTreeMap::from([(vec!["a".to_owned()], 1)]));
}
