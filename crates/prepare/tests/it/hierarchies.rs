//! Hierarchies by rule: every one of them is a tree that holds the values it was made for.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use throng_data::{ColumnKind, Coordinates, Hierarchy, Places};
use throng_prepare::hierarchies::{Generated, Plan, Rule, Values};

/// The tree of the lines, over the values.
fn tree(made: &Generated, names: &[String], kind: ColumnKind) -> Hierarchy {
    let width = made.paths[0].len();
    assert!(made.paths.iter().all(|path| path.len() == width && path[width - 1] == "*"));
    let tree = Hierarchy::from_paths(made.paths.iter().map(|path| path.iter().map(String::as_str))).unwrap();
    tree.over(names, kind).unwrap().0
}

fn values<'a>(
    names: &'a [String],
    people: &[u64],
    kind: ColumnKind,
    places: Option<&'a Places>,
) -> Values<'a> {
    let people = (0..names.len()).map(|at| people[at % people.len()]).collect();
    Values {
        names: names.iter().map(String::as_str).collect(),
        people,
        kind,
        places,
        categories: None,
        listed: false,
    }
}

/// Children of any node that is neither a leaf nor above one.
fn most_children(tree: &Hierarchy) -> usize {
    let nodes = 0..tree.tree().nodes() as u32;
    let inner =
        nodes.filter(|node| tree.tree().children(*node).iter().any(|child| !tree.tree().is_leaf(*child)));
    inner.map(|node| tree.tree().children(node).len()).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn numbers_find_their_interval(
        numbers in prop::collection::btree_set((-2000_i32..2000, 0_u32..3), 1..40),
        people in prop::collection::vec(0_u64..50, 1..5),
        (bins, fan_out) in (1_usize..30, 2_usize..5),
        depth in any::<bool>(),
    ) {
        let names: BTreeSet<String> =
            numbers.iter().map(|(digits, point)| (f64::from(*digits) / 10_f64.powi(*point as i32)).to_string()).collect();
        let names: Vec<String> = names.into_iter().collect();
        let rule = if depth { Rule::Depth } else { Rule::Width };
        let plan = Plan { fan_out, bins, ..Plan::new(rule) };
        let made = plan.generate(&values(&names, &people, ColumnKind::Number, None)).unwrap();
        prop_assert!(made.paths.len() <= bins && made.from_data.is_some());
        prop_assert!(most_children(&tree(&made, &names, ColumnKind::Number)) <= fan_out);
    }

    #[test]
    fn names_find_their_group(
        names in prop::collection::btree_set("[a-c.+;]{1,3}", 1..40),
        people in prop::collection::vec(0_u64..50, 1..5),
        fan_out in 2_usize..6,
        rule in prop::sample::select(vec![Rule::Name, Rule::Frequency, Rule::ZOrder, Rule::Prefix]),
    ) {
        let names: Vec<String> = names.into_iter().collect();
        let points = (0..names.len()).map(|at| [(at * 7 % 5) as f64, (at * 3 % 11) as f64]).collect();
        let places = Places { system: Coordinates::Plane, points, categories: None };
        let plan = Plan { fan_out, ..Plan::new(rule) };
        let made = plan.generate(&values(&names, &people, ColumnKind::Category, Some(&places))).unwrap();
        prop_assert_eq!(made.paths.len(), names.len());
        let tree = tree(&made, &names, ColumnKind::Category);
        if rule != Rule::Prefix {
            prop_assert!(most_children(&tree) <= fan_out);
        }
    }
}

proptest! {
    // Every case lists all days of some years.
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn days_find_their_month(days in prop::collection::btree_set((1895_i32..1905, 1_u32..13, 1_u32..29), 1..5)) {
        let names: Vec<String> = days.iter().map(|(year, month, day)| format!("{year}-{month:02}-{day:02}")).collect();
        let made = Plan::new(Rule::Calendar).generate(&values(&names, &[1], ColumnKind::Date, None)).unwrap();
        let tree = tree(&made, &names, ColumnKind::Date);
        for name in &names {
            let leaf = tree.tree().find(name).unwrap();
            prop_assert_eq!(tree.tree().name(tree.at(leaf, 1)), &name[..7]);
            prop_assert_eq!(tree.tree().name(tree.at(leaf, 3)), &name[..4]);
        }
    }
}
