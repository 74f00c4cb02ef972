//! NGRAMS: what it spends, what it counts, what it makes up.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use throng_contract::{Failing, Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs, ItemId, Nature};
use throng_methods::sequence::Ngrams;
use throng_methods::sequence::ngrams::{
    DiscreteLaplace, Expand, Growth, Lengths, Sequences, Silence, Tree, anonymize, threshold,
};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_models::{Budget, BudgetLedger, DifferentialPrivacy, Evidence, Promise};

/// Records of each person, over the items `a`, `b`, `c`.
type People = Vec<Vec<String>>;

const LETTERS: [&str; 3] = ["a", "b", "c"];

/// The data of these people, with `a`, `b`, `c` numbered 0, 1, 2 whatever comes first.
fn dataset(people: &People) -> (Dataset, Vec<u32>) {
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let records = people
        .iter()
        .zip(&names)
        .flat_map(|(records, name)| records.iter().map(|record| (name.as_str(), letters(record))));
    let data = Dataset::from_records(EventKind::Sequence, records);
    let symbols = data.items.names().map(|name| LETTERS.iter().position(|l| *l == name).unwrap() as u32);
    let symbols = symbols.collect();
    (data, symbols)
}

fn letters(word: &str) -> Vec<&str> {
    word.split("").filter(|letter| !letter.is_empty()).collect()
}

fn taken(people: &People, l_max: u32) -> Sequences {
    let (data, symbols) = dataset(people);
    Sequences::collect(&data.events, &symbols, 3, l_max, Variant::Sound)
}

fn run(people: &People, given: &[(&str, &str)], seed: u64, variant: Variant) -> Result<Outcome, MethodError> {
    let (data, _) = dataset(people);
    let settings = Settings::parse(Ngrams.descriptor(), given.iter().copied())?;
    let progress = Progress::silent();
    let inputs = Inputs { alphabet: Some(LETTERS.map(str::to_owned).to_vec()), ..Inputs::default() };
    let task = Task { seed, variant, inputs: &inputs, ..Task::new(&data, &settings, &progress) };
    Ngrams.anonymize(&task)
}

fn holds(outcome: &Outcome, epsilon: &str) -> bool {
    let settings = Settings::parse(DifferentialPrivacy.descriptor(), [("epsilon", epsilon)]).unwrap();
    let evidence = Evidence { ledger: outcome.ledger.as_ref(), ..Evidence::of(&outcome.release) };
    DifferentialPrivacy.check(&evidence, &settings, 10, &Progress::silent()).unwrap().holds
}

/// How often each gram of up to `n_max` symbols occurs, the end included, by trying every place.
fn grams_of(people: &People, l_max: usize, n_max: usize) -> BTreeMap<Vec<u32>, i64> {
    let mut counts = BTreeMap::new();
    for records in people {
        let Some(record) = records.iter().find(|record| !record.is_empty()) else { continue };
        let mut symbols: Vec<u32> =
            record.bytes().take(l_max).map(|letter| u32::from(letter - b'a')).collect();
        symbols.push(3);
        for start in 0..symbols.len() - 1 {
            for end in start + 1..=symbols.len().min(start + n_max) {
                *counts.entry(symbols[start..end].to_vec()).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// All counts of a tree above 0, by gram.
fn counts_in(tree: &Tree) -> BTreeMap<Vec<u32>, i64> {
    let mut counts = BTreeMap::new();
    for node in 0..tree.nodes().len() {
        for (symbol, count) in tree.noisy_bins(node).iter().enumerate().filter(|(_, count)| **count > 0) {
            let mut gram = tree.gram(node);
            gram.push(symbol as u32);
            counts.insert(gram, *count);
        }
    }
    counts
}

/// A tree without noise, and with so much budget that every gram that occurs is followed.
fn exact(people: &People, l_max: u32, n_max: u32) -> Tree {
    let mut ledger = BudgetLedger::new(Budget::within(1000.0), 1);
    let sequences = taken(people, l_max);
    let growth = Growth { n_max, expand: Expand::All };
    Tree::explore(&sequences, growth, None, &mut ledger, &mut Silence, &Progress::silent()).unwrap()
}

/// Every word of up to four letters over `a` and `b`, the empty one included.
fn all_words() -> Vec<String> {
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let until = words.len();
        for word in from..until {
            for letter in ["a", "b"] {
                words.push(format!("{}{letter}", words[word]));
            }
        }
        from = until;
    }
    words
}

#[test]
fn one_person_changes_the_counts_of_a_level_by_at_most_l_max() {
    let words = all_words();
    assert_eq!(words.len(), 31);
    let crowd: People = vec![vec!["abba".to_owned()], vec!["ba".to_owned(), "aab".to_owned()]];
    let (l_max, n_max) = (3, 3);
    let without = counts_in(&exact(&crowd, l_max, n_max));
    let mut largest = 0;
    for first in &words {
        for second in ["", "abab"] {
            let mut with_one = crowd.clone();
            with_one.push(vec![first.clone(), second.to_owned()]);
            let with = counts_in(&exact(&with_one, l_max, n_max));
            for level in 1..=n_max as usize {
                let grams = with.keys().chain(without.keys()).filter(|gram| gram.len() == level);
                let distinct: std::collections::BTreeSet<_> = grams.collect();
                let count = |counts: &BTreeMap<Vec<u32>, i64>, gram| counts.get(gram).copied().unwrap_or(0);
                let change: i64 =
                    distinct.into_iter().map(|gram| (count(&with, gram) - count(&without, gram)).abs()).sum();
                assert!(change <= i64::from(l_max), "{first}, {second}: {change} at level {level}");
                largest = largest.max(change);
            }
        }
    }
    assert_eq!(largest, 3, "the bound is reached");
}

fn people() -> impl Strategy<Value = People> {
    let records = prop::collection::vec("[abc]{0,7}", 1..3);
    prop::collection::vec(records, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn without_noise_all_grams_are_counted_exactly(people in people(), l_max in 2_u32..6, n_max in 1_u32..5) {
        let n_max = n_max.min(l_max);
        let tree = exact(&people, l_max, n_max);
        prop_assert_eq!(counts_in(&tree), grams_of(&people, l_max as usize, n_max as usize));
    }

    #[test]
    fn no_path_and_no_person_costs_more_than_epsilon(
        people in people(), epsilon in 0.001_f64..20.0, l_max in 1_u32..6, n_max in 1_u32..6, seed in 0_u64..1000,
        all: bool, opened: bool
    ) {
        let n_max = n_max.min(l_max);
        let budget = Budget::within(epsilon);
        let mut ledger = BudgetLedger::new(budget, 1);
        let mut noise = DiscreteLaplace::new(seed);
        let expand = if all { Expand::All } else { Expand::Frequent };
        let mut sequences = taken(&people, l_max);
        let mut starts = None;
        if opened {
            sequences = sequences.opened();
            starts = Some(Lengths::count(&sequences, &mut ledger, &mut noise).unwrap().1);
        }
        // The number of sequences and their lengths, of which a person changes one each.
        let first: u64 = ledger.spendings().iter().map(|spending| spending.amount.steps()).sum();
        let silent = Progress::silent();
        let tree = Tree::explore(&sequences, Growth { n_max, expand }, starts, &mut ledger, &mut noise, &silent).unwrap();
        let mut along = Vec::new();
        for (number, node) in tree.nodes().iter().enumerate() {
            if let Some((parent, symbol)) = node.parent.filter(|(_, symbol)| Some(*symbol) != sequences.start()) {
                let count = tree.noisy_bins(parent as usize)[symbol as usize] as f64;
                let limit = threshold(&sequences, tree.nodes()[parent as usize].budget);
                prop_assert!(count > limit || (all && parent == 0 && count > 0.0), "{:?}", tree.gram(number));
            }
            let before = node.parent.map_or(first, |(parent, _)| along[parent as usize]);
            along.push(before + node.budget.steps());
            prop_assert!(*along.last().unwrap() <= budget.steps());
            prop_assert_eq!(ledger.spendings()[node.entry.index()].amount, node.budget);
        }
        prop_assert_eq!(ledger.spendings().len(), tree.nodes().len() + if opened { 2 } else { 0 });
        // Walk a person's grams: what they change by one costs its budget over l_max, and all of it at most epsilon.
        for sequence in sequences.symbols().split(|symbol| *symbol == sequences.end()) {
            let mut spent = 0;
            for start in 0..sequence.len() {
                let mut node = Some(0);
                for symbol in sequence[start..].iter().chain([&sequences.end()]) {
                    let Some(here) = node else { break };
                    spent += tree.nodes()[here].budget.steps();
                    node = tree.child(here, *symbol);
                }
            }
            let places = u64::from(sequences.places());
            prop_assert!(spent + places * first <= places * budget.steps());
        }
    }

    #[test]
    fn synthetic_sequences_are_short_and_from_the_alphabet(
        people in people(), seed in 0_u64..1000, sampler in prop::sample::select(vec!["start", "grams"])
    ) {
        let given = [("epsilon", "5"), ("l-max", "4"), ("n-max", "3"), ("drawn-records", "7"), ("sampler", sampler)];
        let outcome = run(&people, &given, seed, Variant::Sound).unwrap();
        let release = &outcome.release;
        prop_assert_eq!(release.nature, Nature::Synthetic);
        prop_assert_eq!(release.people(), release.records());
        prop_assert!(sampler == "grams" || release.records() == 7);
        for record in 0..release.records() {
            let names = release.names_of(record);
            prop_assert!((1..=4).contains(&names.len()));
            prop_assert!(names.iter().all(|name| LETTERS.contains(&name.as_str())));
        }
        let (data, _) = dataset(&people);
        let kept: usize = people
            .iter()
            .filter_map(|records| records.iter().find(|record| !record.is_empty()))
            .map(|record| record.len().min(4))
            .sum();
        prop_assert_eq!(release.suppression.events as usize, data.events.len() - kept);
        prop_assert!(holds(&outcome, "5"));
    }
}

/// A walk that many people share, and its second half: enough for the noise not to drown it.
fn crowd() -> People {
    let mut people: People = (0..3000).map(|_| vec!["abc".to_owned()]).collect();
    people.extend((0..1000).map(|_| vec!["bc".to_owned(), "aaaa".to_owned()]));
    people
}

#[test]
fn frequent_runs_survive_the_noise_and_later_records_are_not_counted() {
    for sampler in ["start", "grams"] {
        let given = [("epsilon", "2"), ("l-max", "5"), ("sampler", sampler)];
        let outcome = run(&crowd(), &given, 9, Variant::Sound).unwrap();
        let mut found = BTreeMap::new();
        for record in 0..outcome.release.records() {
            *found.entry(outcome.release.names_of(record).concat()).or_insert(0_i64) += 1;
        }
        let runs = |part: &str| -> i64 {
            found.iter().map(|(word, times)| word.matches(part).count() as i64 * times).sum()
        };
        assert!((runs("abc") - 3000).abs() < 300, "{sampler}: {found:?}");
        assert!((runs("bc") - 4000).abs() < 400, "{sampler}: {found:?}");
        assert!(runs("aa") < 200, "{sampler}: {found:?}");
        assert_eq!(outcome.release.suppression.emptied_records, 1000);
    }
}

/// Walks of many lengths, where what comes next depends on what came before.
fn walks(number: u32) -> People {
    let walk = |person: u32| {
        let length = 2 + person % 7 + u32::from(person.is_multiple_of(5)) * 3;
        let step = |place: u32| (person + place * (1 + person % 2)) % 3;
        vec![(0..length).map(|place| LETTERS[step(place) as usize]).collect::<String>()]
    };
    (0..number).map(walk).collect()
}

fn mean_length(people: &People) -> f64 {
    people.iter().map(|records| records[0].len()).sum::<usize>() as f64 / people.len() as f64
}

#[test]
fn sequences_are_about_as_long_as_they_were() {
    for (number, epsilon, off) in [(3000, "100", 0.02), (20_000, "1", 0.03), (20_000, "0.1", 0.06)] {
        let people = walks(number);
        let outcome = run(&people, &[("epsilon", epsilon), ("l-max", "15")], 4, Variant::Sound).unwrap();
        let release = outcome.release.events();
        let (before, after) = (mean_length(&people), release.len() as f64 / release.records() as f64);
        assert!((after / before - 1.0).abs() < off, "{number}, {epsilon}: {before} became {after}");
    }
}

#[test]
fn without_noise_there_are_no_more_records_than_people() {
    let people = walks(3000);
    let (data, _) = dataset(&people);
    let settings = Settings::parse(Ngrams.descriptor(), [("epsilon", "10"), ("l-max", "15")]).unwrap();
    let progress = Progress::silent();
    let inputs = Inputs { alphabet: Some(LETTERS.map(str::to_owned).to_vec()), ..Inputs::default() };
    let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
    let records = anonymize(&task, &mut Silence).unwrap().release.records();
    // A tenth of epsilon is 1; ln 100 is 4.6.
    assert_eq!(records, 2995);
}

/// Never more would tell the number of people; more than one in a hundred would break what is said.
#[test]
fn there_are_hardly_ever_more_records_than_people() {
    let people = walks(300);
    let given = [("epsilon", "2"), ("l-max", "6"), ("n-max", "2")];
    let records = |seed| run(&people, &given, seed, Variant::Sound).unwrap().release.records();
    let more = (0..400).filter(|seed| records(*seed) > people.len()).count();
    assert!(more <= 8, "{more} of 400 releases have more records than people");
}

#[test]
fn the_letter_of_the_paper_does_not_protect_people_with_several_records() {
    let several = run(&crowd(), &[("epsilon", "1")], 1, Variant::AsPrinted).unwrap();
    assert!(!holds(&several, "1"));
    assert!(holds(&several, "2"), "two records cost twice as much");
    let one_each: People = crowd().into_iter().map(|records| records[..1].to_vec()).collect();
    assert!(holds(&run(&one_each, &[("epsilon", "1")], 1, Variant::AsPrinted).unwrap(), "1"));
}

#[test]
fn the_same_seed_gives_the_same_release_with_any_number_of_threads() {
    let items = |threads: usize, seed| -> Vec<ItemId> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let given = [("epsilon", "0.5"), ("l-max", "5")];
        let outcome = pool.install(|| run(&crowd(), &given, seed, Variant::Sound)).unwrap();
        outcome.release.events().items().to_vec()
    };
    assert_eq!(items(1, 5), items(4, 5));
    assert_ne!(items(1, 5), items(1, 6));
}

#[test]
fn notes_and_steps_hold_no_exact_count() {
    let outcome = run(&crowd(), &[("epsilon", "0.5"), ("l-max", "5")], 3, Variant::Sound).unwrap();
    for exact in ["4000", "3000", "1000"] {
        assert!(outcome.notes.iter().all(|note| !note.contains(exact)), "{:?}", outcome.notes);
    }
    assert!(outcome.public_notes.iter().any(|note| note.contains("the seed is not published")));
    assert!(!outcome.explanation.steps.is_empty());
    assert!(outcome.explanation.steps.iter().all(|step| step.action == "expand" && step.support > 0));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let people = vec![vec!["abc".to_owned()]];
    for epsilon in ["0", "-1", "NaN", "0.00001"] {
        let error = run(&people, &[("epsilon", epsilon)], 0, Variant::Sound).unwrap_err();
        assert_eq!(error.class().code(), 2, "{error}");
        assert!(error.to_string().contains("must be a number from 0.0001 to 1000"), "{error}");
    }
    let error = run(&people, &[], 0, Variant::Sound).unwrap_err();
    assert_eq!(error.class().code(), 2, "{error}");
    let error = run(&people, &[("epsilon", "1"), ("l-max", "4")], 0, Variant::Sound).unwrap_err();
    assert_eq!(error.to_string(), "runs of 5 events cannot occur in sequences of at most 4");

    let data = Dataset::from_words(["ab", "ax"]);
    let settings = Settings::parse(Ngrams.descriptor(), [("epsilon", "1")]).unwrap();
    let progress = Progress::silent();
    let refuse = |alphabet: Option<&[String]>| {
        let inputs = Inputs { alphabet: alphabet.map(<[String]>::to_vec), ..Inputs::default() };
        let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        Ngrams.anonymize(&task).unwrap_err()
    };
    assert!(matches!(refuse(None), MethodError::MissingInput { .. }));
    let error = refuse(Some(&["a".to_owned()]));
    assert_eq!(error.to_string(), "2 of the 3 items of the data, `b` first, are not in the public alphabet");
    assert_eq!(error.class().code(), 3);
    let error = refuse(Some(&[]));
    assert_eq!((error.to_string().as_str(), error.class().code()), ("the public alphabet has no item", 3));
}

#[test]
fn an_empty_dataset_is_accepted_and_items_that_no_person_has_may_come_up() {
    let given = [("epsilon", "0.1"), ("l-max", "5"), ("sampler", "grams")];
    let outcome = run(&Vec::new(), &given, 4, Variant::Sound).unwrap();
    assert!(!outcome.release.events().is_empty(), "noise alone makes sequences");
    assert_eq!(outcome.release.suppression.events_before, 0);
}

#[test]
fn cancelling_stops_it() {
    let (data, _) = dataset(&crowd());
    let settings = Settings::parse(Ngrams.descriptor(), [("epsilon", "1")]).unwrap();
    let progress = Progress::silent();
    progress.cancel();
    let inputs = Inputs { alphabet: Some(LETTERS.map(str::to_owned).to_vec()), ..Inputs::default() };
    let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
    assert!(matches!(Ngrams.anonymize(&task), Err(MethodError::Cancelled(_))));
}
