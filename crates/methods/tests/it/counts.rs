//! Counts of people: what is published, that no more can be worked out, and what noise costs.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{CountTable, Dataset, EventKind, EventsBuilder, Inputs, Nature};
use throng_methods::counts::{Counted, NoisyCounts, noisy_counts};
use throng_methods::sequence::ngrams::Silence;
use throng_methods::{Method, MethodError, Outcome, Task};
use throng_models::{DifferentialPrivacy, Evidence, KCounts, Promise};

/// Records of each person, a letter an item.
type People = Vec<Vec<String>>;
/// Table, item, end, people.
type Told = BTreeMap<(&'static str, String, String), u64>;

fn dataset(people: &People) -> Dataset {
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let records = people
        .iter()
        .zip(&names)
        .flat_map(|(records, name)| records.iter().map(move |record| (name.as_str(), letters(record))));
    Dataset::from_records(EventKind::Sequence, records)
}

fn letters(word: &str) -> Vec<&str> {
    word.split("").filter(|letter| !letter.is_empty()).collect()
}

fn run(method: &dyn Method, data: &Dataset, given: &[(&str, &str)]) -> Result<Outcome, MethodError> {
    let settings = Settings::parse(method.descriptor(), given.iter().copied())?;
    let progress = Progress::silent();
    let inputs =
        Inputs { alphabet: Some(["a", "b", "c", "d"].map(str::to_owned).to_vec()), ..Inputs::default() };
    method.anonymize(&Task { inputs: &inputs, ..Task::new(data, &settings, &progress) })
}

fn told(outcome: &Outcome) -> Told {
    let release = &outcome.release;
    let counts = release.body.counts().unwrap();
    let name = |item: Option<u32>| item.map(|item| release.name(item)).unwrap_or_default();
    counts
        .cells
        .iter()
        .map(|(cell, people)| ((cell.table.name(), name(Some(cell.item)), name(cell.to)), *people))
        .collect()
}

/// Who is in each cell, by trying every place of every record.
fn oracle(people: &People, moves: &'static str) -> BTreeMap<(&'static str, String, String), BTreeSet<usize>> {
    let mut cells: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
    for (person, records) in people.iter().enumerate() {
        for record in records {
            let letters = letters(record);
            for (place, item) in letters.iter().enumerate() {
                let mut put = |table, to: &str| {
                    cells.entry((table, (*item).to_owned(), to.to_owned())).or_default().insert(person);
                };
                put("visits", "");
                for (other, to) in letters.iter().enumerate() {
                    let is_move = match moves {
                        "moves" => other == place + 1,
                        _ => place == 0 && other == letters.len() - 1,
                    };
                    if is_move && to != item {
                        put(moves, to);
                    }
                }
            }
        }
    }
    cells
}

fn people() -> impl Strategy<Value = People> {
    let records = prop::collection::vec("[abcd]{0,5}", 1..3);
    prop::collection::vec(records, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cells_of_k_people_are_published_exactly_and_no_others(people in people(), k in 1_u64..5, ends: bool) {
        let data = dataset(&people);
        let (word, table) = if ends { ("ends", "ends") } else { ("steps", "moves") };
        let outcome = run(&Counted, &data, &[("k", &k.to_string()), ("moves", word)]).unwrap();
        let expected: Told = oracle(&people, table)
            .into_iter()
            .map(|(cell, people)| (cell, people.len() as u64))
            .filter(|(_, people)| *people >= k)
            .collect();
        prop_assert_eq!(told(&outcome), expected);
        let settings = Settings::parse(KCounts.descriptor(), [("k", k.to_string().as_str())]).unwrap();
        let evidence = Evidence { original: Some(&data), ..Evidence::of(&outcome.release) };
        prop_assert!(KCounts.check(&evidence, &settings, 5, &Progress::silent()).unwrap().holds);
    }

    /// The promise's own argument: leave everybody only what is published, and the same counts are published again, with
    /// no person in a cell that is not.
    #[test]
    fn data_without_anybody_in_a_withheld_cell_give_the_same_release(people in people(), k in 1_u64..5, ends: bool) {
        let data = dataset(&people);
        let (word, table) = if ends { ("ends", "ends") } else { ("steps", "moves") };
        let given = [("k", k.to_string()), ("moves", word.to_owned())];
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let published = told(&run(&Counted, &data, &given).unwrap());
        let mut world: People = vec![Vec::new(); people.len()];
        for ((_, item, to), inside) in
            oracle(&people, table).into_iter().filter(|(cell, _)| published.contains_key(cell))
        {
            inside.into_iter().for_each(|person| world[person].push(format!("{item}{to}")));
        }
        let everything: Told = oracle(&world, table)
            .into_iter()
            .map(|(cell, people)| (cell, people.len() as u64))
            .collect();
        prop_assert_eq!(everything, published);
    }

    #[test]
    fn without_noise_each_person_counts_in_the_first_cells(people in people(), cells in 1_usize..4) {
        let data = dataset(&people);
        let settings =
            Settings::parse(NoisyCounts.descriptor(), [("epsilon", "1000"), ("cells", &cells.to_string())]).unwrap();
        let progress = Progress::silent();
        let alphabet = Some(["d", "c", "b", "a"].map(str::to_owned).to_vec());
        let inputs = Inputs { alphabet, ..Inputs::default() };
        let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        let outcome = noisy_counts(&task, &mut Silence).unwrap();
        prop_assert_eq!(outcome.release.nature, Nature::Synthetic);
        let told = told(&outcome);
        // A person adds at most so much to each table, and never more than they are.
        for table in ["visits", "moves"] {
            let sum: u64 = told.iter().filter(|((name, ..), _)| *name == table).map(|(_, people)| people).sum();
            prop_assert!(sum <= (people.len() * cells) as u64);
        }
        let all = oracle(&people, "moves");
        prop_assert!(told.iter().all(|(cell, people)| *people <= all[cell].len() as u64));
        if cells == 3 {
            // No person has a first visit too many to count: with three cells all people with an item are there.
            let first: usize = people.iter().filter(|records| records.iter().any(|record| !record.is_empty())).count();
            let most = told.iter().filter(|((name, ..), _)| *name == "visits").map(|(_, people)| people).sum::<u64>();
            prop_assert!(most >= first as u64);
        }
        let promised = settings.for_promise(DifferentialPrivacy.descriptor()).unwrap();
        let evidence = Evidence { ledger: outcome.ledger.as_ref(), ..Evidence::of(&outcome.release) };
        let verdict = DifferentialPrivacy.check(&evidence, &promised, 5, &progress).unwrap();
        prop_assert!(verdict.holds && verdict.checked == 2);
    }
}

#[test]
fn frequent_cells_survive_the_noise_and_empty_ones_hardly_ever_show() {
    let people: People = (0..4000).map(|person| vec![["ab", "ba"][person % 2].to_owned()]).collect();
    let data = dataset(&people);
    let mut false_cells = 0;
    for seed in 0..50 {
        let settings = Settings::parse(NoisyCounts.descriptor(), [("epsilon", "1")]).unwrap();
        let progress = Progress::silent();
        let alphabet = Some(["a", "b", "c", "d"].map(str::to_owned).to_vec());
        let inputs = Inputs { alphabet, ..Inputs::default() };
        let task = Task { seed, inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        let told = told(&NoisyCounts.anonymize(&task).unwrap());
        for (cell, expected) in
            [(("visits", "a", ""), 4000), (("moves", "a", "b"), 2000), (("moves", "b", "a"), 2000)]
        {
            let found = told[&(cell.0, cell.1.to_owned(), cell.2.to_owned())];
            assert!(found.abs_diff(expected) < 200, "{cell:?}: {found}");
        }
        false_cells += told.len() - 4;
    }
    // About one in each of two tables.
    assert!(false_cells < 150, "{false_cells} in 50 releases");
}

#[test]
fn visits_by_time_stand_alone() {
    let mut data = dataset(&["ab", "ab", "ba"].map(|word| vec![word.to_owned()]).to_vec());
    let mut events = EventsBuilder::new(EventKind::Sequence, true);
    for (person, items) in [(0, [0, 1]), (1, [0, 1]), (2, [1, 0])] {
        events.push(person, &items, &[3, 9]);
    }
    data.events = events.finish(3);
    let outcome = run(&Counted, &data, &[("k", "2"), ("bin", "10")]).unwrap();
    let counts = outcome.release.body.counts().unwrap();
    assert!(counts.has(CountTable::Visits) && !counts.has(CountTable::Moves));
    assert!(counts.cells.iter().all(|(cell, people)| cell.time == Some(0) && *people == 3));
    assert!(outcome.notes[0].contains("moves were left out"), "{:?}", outcome.notes);
}

#[test]
fn what_cannot_be_counted_is_refused_with_a_way_out() {
    let data = dataset(&vec![vec!["ab".to_owned()]]);
    let refuse = |data: &Dataset, given: &[(&str, &str)]| {
        let error = run(&Counted, data, given).unwrap_err();
        assert!(matches!(error, MethodError::Usage { .. }), "{error}");
        error.to_string()
    };
    assert_eq!(refuse(&data, &[("bin", "60")]), "there are no times to count visits by");
    let sets = Dataset::from_records(EventKind::Set, [("p", ["a", "b"])]);
    assert_eq!(
        refuse(&sets, &[("tables", "moves")]),
        "sets have no order, so there are no moves from one item to another"
    );
    let visits = told(&run(&Counted, &sets, &[("k", "1")]).unwrap());
    assert_eq!(visits.len(), 2);
}
