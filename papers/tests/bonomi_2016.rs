//! [BFJ16] Bonomi, Fan, Jin. An information theoretic approach to individual sequential data sanitization. WSDM 2016.

use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs, ItemId, NodeId, Taxonomy};
use throng_methods::sequence::mutual_information::channel::Person;
use throng_methods::sequence::mutual_information::common_image;
use throng_methods::sequence::mutual_information::cost::{CostFunction, Costs};
use throng_methods::sequence::mutual_information::occurrences::occurrences;
use throng_methods::{MethodError, Outcome, Task, Variant, find};
use throng_models::{Evidence, MutualInformation, Promise};

/// Figure 2 is lost; the text names Alcohol and Snack. Milk and Cheese are put below a node of their own.
const FIGURE_2: [&str; 6] = [
    "Wine;Alcohol;All",
    "Beer;Alcohol;All",
    "Cookies;Snack;All",
    "Chips;Snack;All",
    "Milk;Dairy;All",
    "Cheese;Dairy;All",
];

fn figure_2() -> Taxonomy {
    Taxonomy::from_paths(FIGURE_2.map(|path| path.split(';'))).expect("it is a tree")
}

fn one_person(sequence: &[&'static str]) -> Dataset {
    Dataset::from_records(EventKind::Sequence, [("me", sequence.iter().copied())])
}

/// All six products as one person's sequence, so that every product has a number.
fn products() -> (Dataset, Vec<NodeId>) {
    let data = one_person(&["Wine", "Beer", "Cookies", "Chips", "Milk", "Cheese"]);
    let leaves = figure_2().align(&data.items).expect("every product is a leaf");
    (data, leaves)
}

fn pattern(data: &Dataset, names: &[&str]) -> Vec<ItemId> {
    names.iter().map(|name| data.items.find(name).expect("a known product")).collect()
}

#[test]
fn definition_1_two_occurrences() {
    assert_eq!(occurrences(&["a", "a", "b"], &["a", "b"], 2), 2);
}

#[test]
fn example_1_which_patterns_may_hide_behind_a_general_one() {
    let tree = figure_2();
    let [alcohol, all] = ["Alcohol", "All"].map(|name| tree.find(name).unwrap());
    let fits = |names: [&str; 2]| {
        names.iter().zip([alcohol, all]).all(|(name, node)| tree.lca(tree.find(name).unwrap(), node) == node)
    };
    let candidates = [["Beer", "Chips"], ["Wine", "Cheese"], ["Cookies", "Milk"]].map(fits);
    assert_eq!(candidates, [true, true, false]);
}

#[test]
fn example_2_costs_lie_between_nothing_and_one() {
    // The printed 08 is 0.8 and belongs to the figure's own table of costs; what holds for every function is the scale.
    let tree = figure_2();
    let [cookies, snack] = ["Cookies", "Snack"].map(|name| tree.find(name).unwrap());
    for function in [CostFunction::Linear, CostFunction::Exponential, CostFunction::InformationLoss] {
        let costs = Costs { taxonomy: &tree, function, weights: None };
        assert_eq!((costs.of(cookies, cookies), costs.of(cookies, tree.root())), (0.0, 1.0));
        assert!(costs.of(cookies, snack) > 0.0 && costs.of(cookies, snack) < 1.0);
    }
}

#[test]
fn example_3_refining_cookies_takes_chips_along() {
    // One pattern is nothing to tell apart, so refinement goes on to the leaves; the first step is at Snack's level.
    let data = one_person(&["Cookies", "Cookies", "Cookies", "Chips", "Wine", "Beer", "Milk", "Cheese"]);
    let hidden = [pattern(&data, &["Cookies", "Wine"]), pattern(&data, &["Chips", "Wine"])];
    let outcome = sanitize("mi-top-down", &data, &hidden, &[("epsilon", "0")], Variant::Sound).unwrap();
    let released = outcome.release.names_of(0);
    assert_eq!(released[0], "{Chips|Cookies}");
    assert_eq!(released[3], "{Chips|Cookies}");
}

#[test]
fn example_4_least_common_generalised_patterns() {
    let (data, leaves) = products();
    let tree = figure_2();
    let lcgp = |first: &[&str], second: &[&str]| {
        let (first, second) = (pattern(&data, first), pattern(&data, second));
        let image = common_image(&tree, &leaves, &first, &second);
        let read = |pattern: &[ItemId]| -> Vec<String> {
            pattern.iter().map(|item| tree.name(image[*item as usize]).to_owned()).collect()
        };
        assert_eq!(read(&first), read(&second));
        read(&first)
    };
    // The text says Cereal where Cookies is meant.
    assert_eq!(lcgp(&["Beer", "Chips"], &["Milk", "Cookies"]), ["All", "Snack"]);
    assert_eq!(lcgp(&["Beer", "Chips"], &["Wine", "Beer"]), ["All", "All"]);
}

fn sanitize(
    method: &str,
    data: &Dataset,
    patterns: &[Vec<ItemId>],
    given: &[(&str, &str)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    let method = find(method).expect("a known method");
    let settings =
        Settings::parse(method.descriptor(), given.iter().copied()).expect("parameters are in range");
    let patterns = patterns.iter().map(|pattern| data.items.named(pattern)).collect();
    let inputs = Inputs { taxonomy: Some(figure_2()), patterns, ..Inputs::default() };
    let progress = Progress::silent();
    method.anonymize(&Task { inputs: &inputs, variant, ..Task::new(data, &settings, &progress) })
}

#[test]
fn lemma_1_fails_when_published_patterns_are_counted_in_the_published_sequence() {
    let data = one_person(&["Milk", "Beer", "Wine"]);
    let patterns = [pattern(&data, &["Milk", "Wine"]), pattern(&data, &["Beer", "Wine"])];
    let tree = figure_2();
    let leaves = tree.align(&data.items).unwrap();
    let person = Person::new(vec![data.events.record(0)], &patterns, 2, 3);
    let alcohol = tree.find("Alcohol").unwrap();
    let coarse: Vec<NodeId> =
        leaves.iter().map(|leaf| if tree.parent(*leaf) == Some(alcohol) { alcohol } else { *leaf }).collect();
    assert!((person.entropy() - 1.0).abs() < 1e-12);
    assert!((person.information_as_printed(&leaves) - 1.0).abs() < 1e-12);
    // Coarser, yet more than there is to learn.
    assert!((person.information_as_printed(&coarse) - 1.084_963).abs() < 1e-6);
    assert!(
        (person.information(&leaves) - 1.0).abs() < 1e-12
            && (person.information(&coarse) - 1.0).abs() < 1e-12
    );
}

#[test]
fn section_3_the_root_is_not_always_safe() {
    // "Always feasible at the root" fails for patterns of two lengths: one bit remains.
    let data = one_person(&["Milk", "Beer", "Wine"]);
    let patterns = [pattern(&data, &["Milk"]), pattern(&data, &["Beer", "Wine"])];
    for method in ["mi-top-down", "mi-bottom-up"] {
        let error = sanitize(method, &data, &patterns, &[("epsilon", "0.5")], Variant::Sound).unwrap_err();
        assert!(error.to_string().contains("1.000 bits"), "{error}");
        assert!(sanitize(method, &data, &patterns, &[("epsilon", "1")], Variant::Sound).is_ok());
    }
}

#[test]
fn both_algorithms_keep_the_promise_on_a_small_basket() {
    let data =
        one_person(&["Beer", "Chips", "Wine", "Cheese", "Cookies", "Milk", "Beer", "Chips", "Wine", "Milk"]);
    let named = [["Beer", "Chips"], ["Wine", "Cheese"], ["Cookies", "Milk"]];
    let patterns = named.map(|names| pattern(&data, &names));
    let words = named.iter().map(|names| names.map(str::to_owned).to_vec()).collect();
    let inputs = Inputs { patterns: words, ..Inputs::default() };
    for method in ["mi-top-down", "mi-bottom-up"] {
        for epsilon in ["0", "0.3", "0.8"] {
            let given = [("epsilon", epsilon), ("window", "3")];
            let outcome = sanitize(method, &data, &patterns, &given, Variant::Sound).unwrap();
            let settings = Settings::parse(MutualInformation.descriptor(), given).unwrap();
            let evidence =
                Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(&outcome.release) };
            let verdict = MutualInformation.check(&evidence, &settings, 1, &Progress::silent()).unwrap();
            assert!(verdict.holds, "{method} {epsilon}");
            // What was published as it is would tell everything.
            let raw = throng_data::Release::identity(data.items.clone(), data.events.clone());
            let evidence = Evidence { release: &raw, ..evidence };
            assert!(!MutualInformation.check(&evidence, &settings, 1, &Progress::silent()).unwrap().holds);
        }
    }
}
