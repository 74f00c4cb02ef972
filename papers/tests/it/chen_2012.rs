//! CAC12: Chen, Acs, Castelluccia. Differentially private sequential data publication via variable-length n-grams.
//! CCS 2012. The examples follow the construction of Section 4, without noise.

use std::collections::BTreeMap;

use throng_contract::{Progress, Settings, Value};
use throng_data::{Dataset, Inputs, Nature};
use throng_methods::sequence::Ngrams;
use throng_methods::sequence::ngrams::{
    Expand, Grams, Growth, Noise, Sequences, Silence, Tree, anonymize, consistent, synthesise, threshold,
};
use throng_methods::{Method, Task, Variant};
use throng_models::{Budget, BudgetLedger, DifferentialPrivacy, Evidence, Promise};

const WORDS: [&str; 4] = ["ABC", "AB", "BC", "ABC"];
const ALPHABET: u32 = 3;
const L_MAX: u32 = 3;
/// Grams of up to two symbols, after every item.
const ALL: Growth = Growth { n_max: 2, expand: Expand::All };

/// Items are numbered by first appearance: A is 0, B is 1, C is 2. The end, `&`, is 3.
fn symbols(word: &str) -> Vec<u32> {
    word.chars().filter_map(|c| "ABC&".find(c)).map(|place| place as u32).collect()
}

fn counted() -> (Sequences, Tree, BudgetLedger) {
    let data = Dataset::from_words(WORDS);
    let sequences = Sequences::collect(&data.events, &[0, 1, 2], ALPHABET, L_MAX, Variant::Sound);
    let mut ledger = BudgetLedger::new(Budget::within(1.0), 1);
    let tree = Tree::explore(&sequences, ALL, None, &mut ledger, &mut Silence, &Progress::silent())
        .expect("an epsilon of 1 can be divided by two");
    (sequences, tree, ledger)
}

#[test]
fn the_root_gets_half_of_the_budget_and_its_threshold_follows() {
    let (sequences, tree, ledger) = counted();
    assert_eq!(tree.nodes()[0].budget.epsilon(), 0.5);
    assert!((threshold(&sequences, tree.nodes()[0].budget) - 4.158_883_083).abs() < 1e-9);
    assert!(tree.nodes()[1..].iter().all(|node| node.budget.epsilon() == 0.5 && node.height == 1));
    assert!(tree.nodes()[1..].iter().all(|node| ledger.left(Some(node.entry)) == Budget::default()));
}

/// Adds nothing, and writes down what one sequence may change and what is paid for each count.
#[derive(Default)]
struct Listener(Vec<(u64, Budget)>);

impl Noise for Listener {
    fn draw(&mut self, sensitivity: u64, budget: Budget) -> i64 {
        self.0.push((sensitivity, budget));
        0
    }
}

/// One sequence has at most `l_max` = 3 places on each level, which is what noise is scaled by; without it, all counts change by that much.
#[test]
fn a_sequence_changes_each_level_by_three_at_most() {
    let data = Dataset::from_words(WORDS);
    let sequences = Sequences::collect(&data.events, &[0, 1, 2], ALPHABET, L_MAX, Variant::Sound);
    let mut ledger = BudgetLedger::new(Budget::within(1.0), 1);
    let mut noise = Listener::default();
    Tree::explore(&sequences, ALL, None, &mut ledger, &mut noise, &Progress::silent())
        .expect("an epsilon of 1 can be divided by two");
    assert!(noise.0.iter().all(|(sensitivity, budget)| (*sensitivity, budget.epsilon()) == (3, 0.5)));
    // The root's three items, and four bins after each of them: what is known to be 0 needs no noise.
    assert_eq!(noise.0.len(), 3 + 3 * 4);
    let counts = |words: &[&str]| {
        let data = Dataset::from_words(words.iter().copied());
        let numbers: Vec<u32> =
            data.items.names().filter_map(|name| "ABC".find(name)).map(|number| number as u32).collect();
        let sequences = Sequences::collect(&data.events, &numbers, ALPHABET, L_MAX, Variant::Sound);
        let mut ledger = BudgetLedger::new(Budget::within(1.0), 1);
        let tree = Tree::explore(&sequences, ALL, None, &mut ledger, &mut Silence, &Progress::silent())
            .expect("an epsilon of 1 can be divided by two");
        let bins = |node: usize| (tree.gram(node), tree.noisy_bins(node).to_vec());
        (0..tree.nodes().len()).map(bins).collect::<BTreeMap<Vec<u32>, Vec<i64>>>()
    };
    let all = counts(&WORDS);
    for (left_out, word) in WORDS.iter().enumerate() {
        let rest: Vec<&str> = (0..WORDS.len()).filter(|at| *at != left_out).map(|at| WORDS[at]).collect();
        let without = counts(&rest);
        for depth in 0..2 {
            let level = all.iter().filter(|(gram, _)| gram.len() == depth);
            let changed = level.map(|(gram, bins)| {
                let less = without.get(gram).cloned().unwrap_or_else(|| vec![0; bins.len()]);
                bins.iter().zip(less).map(|(more, less)| (more - less).abs()).sum::<i64>()
            });
            assert_eq!(changed.sum::<i64>(), word.len() as i64, "{left_out} {depth}");
        }
    }
}

#[test]
fn without_noise_the_counts_are_those_of_the_data() {
    let (_, tree, _) = counted();
    let consistent = consistent(&tree);
    let count = |word: &str| {
        let symbols = symbols(word);
        let (last, first) = symbols.split_last().expect("no gram is empty");
        let node = first.iter().try_fold(0, |node, symbol| tree.child(node, *symbol))?;
        Some(consistent[node * tree.width() + *last as usize])
    };
    let expected = [("A", 3.0), ("B", 4.0), ("C", 3.0), ("AB", 3.0), ("BC", 3.0), ("B&", 1.0), ("C&", 3.0)];
    for (gram, times) in expected {
        assert_eq!(count(gram), Some(times), "{gram}");
    }
    for absent in ["&", "AA", "AC", "A&", "BA", "BB", "CA", "CB", "CC"] {
        assert_eq!(count(absent), Some(0.0), "{absent}");
    }
}

/// 3 * 3 / 4 = 2.25, of which the whole part is kept.
#[test]
fn two_grams_are_joined_to_a_third() {
    let (_, tree, _) = counted();
    let mut grams = Grams::of(&tree, &consistent(&tree));
    assert_eq!(grams.longest(), 2);
    let times = |word: &str| grams.count(grams.find(&symbols(word)).expect("a gram")) as f64;
    assert_eq!(times("AB") * times("BC") / times("B"), 2.25);
    grams.extend(L_MAX, &Progress::silent()).expect("not cancelled");
    let joined = grams.find(&symbols("ABC")).expect("AB and BC share B");
    assert_eq!((grams.longest(), grams.count(joined)), (3, 2));
}

/// Two times ABC uses up two of everything; what is left makes AB and BC.
#[test]
fn without_noise_the_synthetic_sequences_are_the_data() {
    let (_, tree, _) = counted();
    let mut grams = Grams::of(&tree, &consistent(&tree));
    grams.extend(L_MAX, &Progress::silent()).expect("not cancelled");
    let synthetic = synthesise(&grams, &Progress::silent()).expect("not cancelled");
    let made: Vec<_> = synthetic.into_iter().map(|made| (made.symbols, made.copies)).collect();
    assert_eq!(made, [(symbols("ABC"), 2), (symbols("AB"), 1), (symbols("BC"), 1)]);
}

#[test]
fn the_whole_method_keeps_its_budget() {
    let data = Dataset::from_words(WORDS);
    let given = [("epsilon", "1"), ("l-max", "3"), ("n-max", "2"), ("expand", "all"), ("sampler", "grams")];
    let settings = Settings::parse(Ngrams.descriptor(), given).expect("parameters of ngrams");
    let alphabet = ["A", "B", "C"].map(str::to_owned).to_vec();
    let inputs = Inputs { alphabet: Some(alphabet), ..Inputs::default() };
    let progress = Progress::silent();
    let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
    let outcome = anonymize(&task, &mut Silence).expect("the data are fine");
    let words: Vec<String> =
        (0..outcome.release.records()).map(|record| outcome.release.names_of(record).concat()).collect();
    assert_eq!(words, ["ABC", "ABC", "AB", "BC"]);
    assert_eq!(outcome.release.nature, Nature::Synthetic);
    let promised = settings.for_promise(DifferentialPrivacy.descriptor()).expect("epsilon is shared");
    let evidence = Evidence { ledger: outcome.ledger.as_ref(), ..Evidence::of(&outcome.release) };
    let verdict =
        DifferentialPrivacy.check(&evidence, &promised, 10, &progress).expect("the ledger is there");
    assert!(verdict.holds);
    assert_eq!(verdict.checked, 4, "the root, and what follows A, B and C");
}

/// The reference looks into a single item only above the threshold, as into longer runs: no count of four records is above 4.16.
#[test]
fn rare_items_are_not_looked_into() {
    let data = Dataset::from_words(WORDS);
    let sequences = Sequences::collect(&data.events, &[0, 1, 2], ALPHABET, L_MAX, Variant::Sound);
    let mut ledger = BudgetLedger::new(Budget::within(1.0), 1);
    let frequent = Growth { n_max: 2, expand: Expand::Frequent };
    let tree = Tree::explore(&sequences, frequent, None, &mut ledger, &mut Silence, &Progress::silent())
        .expect("an epsilon of 1 can be divided by two");
    assert_eq!((tree.nodes().len(), ledger.spendings().len()), (1, 1));
    // With 1.1 the threshold is 3.78, and B occurs four times.
    let mut ledger = BudgetLedger::new(Budget::within(1.1), 1);
    let tree = Tree::explore(&sequences, frequent, None, &mut ledger, &mut Silence, &Progress::silent())
        .expect("an epsilon of 1.1 can be divided by two");
    assert_eq!((1..tree.nodes().len()).map(|node| tree.gram(node)).collect::<Vec<_>>(), [symbols("B")]);
}

/// The paper's settings (l_max = 20, n_max = 5, epsilon = 0.1) are defaults, but for epsilon, which has none.
#[test]
fn section_6_settings() {
    let settings = Settings::parse(Ngrams.descriptor(), [("epsilon", "0.1")]).expect("defaults for the rest");
    assert_eq!(
        ["l-max", "n-max"].map(|name| settings.get(name)),
        [20, 5].map(Value::Integer).each_ref().map(Some)
    );
}
