//! LDR05: LeFevre, DeWitt, Ramakrishnan. Incognito: efficient full-domain k-anonymity. SIGMOD 2005. A table of six people in three
//! columns, with levels as the paper has them; its numbers were computed by brute force.

use throng_contract::{Progress, Settings};
use throng_data::{
    Column, ColumnValues, Cover, Dataset, Dictionary, Hierarchy, Inputs, RecodedTable, Release, Role, Table,
};
use throng_measure::Comparison;
use throng_methods::table::Incognito;
use throng_methods::{Method, Outcome, Task};
use throng_models::{Evidence, KAnonymity, LDiversity, Promise};

const ROWS: [[&str; 4]; 6] = [
    ["31", "10115", "F", "flu"],
    ["33", "10117", "F", "flu"],
    ["34", "10115", "M", "cold"],
    ["47", "10243", "F", "asthma"],
    ["45", "10245", "M", "cold"],
    ["49", "10243", "F", "gout"],
];

fn table() -> (Dataset, Inputs) {
    let columns = ["age", "zip", "sex", "illness"].iter().enumerate().map(|(at, name)| {
        let mut values = Dictionary::new();
        let codes = ROWS.iter().map(|row| values.intern(row[at])).collect();
        let role = Some(if at == 3 { Role::Sensitive } else { Role::QuasiIdentifying });
        Column { name: (*name).to_owned(), role, values: ColumnValues::Categories { values, codes } }
    });
    let table = Table { columns: columns.collect() };
    let mut inputs = Inputs::default();
    let ages = ["31;30s;*", "33;30s;*", "34;30s;*", "45;40s;*", "47;40s;*", "49;40s;*"];
    let zips = ["10115;101**;*****", "10117;101**;*****", "10243;102**;*****", "10245;102**;*****"];
    for (name, paths) in [("age", ages.as_slice()), ("zip", &zips), ("sex", &["F;any", "M;any"])] {
        let tree = Hierarchy::from_paths(paths.iter().map(|path| path.split(';'))).expect("a tree");
        inputs.hierarchies.insert(name.to_owned(), tree);
    }
    (Dataset::from_table(["1", "2", "3", "4", "5", "6"].into_iter().collect(), table), inputs)
}

fn run(given: &[(&str, &str)]) -> Outcome {
    let (data, inputs) = table();
    let settings =
        Settings::parse(Incognito.descriptor(), given.iter().copied()).expect("parameters of incognito");
    let progress = Progress::silent();
    Incognito
        .anonymize(&Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) })
        .expect("a release")
}

fn quasi(outcome: &Outcome, row: usize) -> Vec<String> {
    let table = outcome.release.table().expect("a table");
    table.with_role(Role::QuasiIdentifying).map(|column| column.cover(row).render()).collect()
}

/// Two minimal nodes, <1,1,1> and <2,2,0>: discernibility is 18 and 20, and the average size 3/2 times k for both.
#[test]
fn the_best_of_two_minimal_nodes() {
    for metric in ["dm", "height", "ncp", "c-avg"] {
        let outcome = run(&[("k", "2"), ("metric", metric)]);
        assert_eq!(quasi(&outcome, 0), ["30s", "101**", "any"], "{metric}");
        assert_eq!(quasi(&outcome, 3), ["40s", "102**", "any"], "{metric}");
    }
}

/// Only <1,1,1> has two illnesses in each group; <2,2,0> has a group with one.
#[test]
fn diversity_rules_one_of_them_out() {
    let outcome = run(&[("k", "2"), ("l", "2")]);
    assert_eq!(quasi(&outcome, 0), ["30s", "101**", "any"]);
    assert_eq!(outcome.also[0].promise, "l-diversity");
}

/// The release of a node: every cell at the level that the node has for its column.
fn node(levels: [usize; 3]) -> Release {
    let (data, inputs) = table();
    let mut released = RecodedTable::identity(data.attributes.as_ref().expect("a table"));
    for (column, level) in released.columns.iter_mut().zip(levels) {
        let hierarchy = &inputs.hierarchies[&column.name];
        let tree = hierarchy.tree();
        for cover in &mut column.covers {
            let Cover::Value(value) = &*cover else { continue };
            let at = hierarchy.at(tree.find(value).expect("a leaf"), level);
            if level > 0 {
                let members = tree.leaves_under(at).into_iter().map(|leaf| tree.name(leaf).to_owned());
                *cover = Cover::Node { name: tree.name(at).to_owned(), members: members.collect() };
            }
        }
    }
    Release::of_table(released, 6)
}

fn keeps(promise: &dyn Promise, release: &Release, given: &[(&str, &str)]) -> bool {
    let settings = Settings::parse(promise.descriptor(), given.iter().copied()).expect("in range");
    let verdict = promise.check(&Evidence::of(release), &settings, 1, &Progress::silent());
    verdict.expect("a table to judge").holds
}

/// `incognito-small`: of the 18 nodes five are 2-anonymous, and two of these minimal.
#[test]
fn every_node_is_judged_as_computed() {
    let all = (0..3).flat_map(|age| (0..3).flat_map(move |zip| (0..2).map(move |sex| [age, zip, sex])));
    let safe: Vec<[usize; 3]> =
        all.filter(|levels| keeps(&KAnonymity, &node(*levels), &[("k", "2")])).collect();
    assert_eq!(safe, [[1, 1, 1], [1, 2, 1], [2, 1, 1], [2, 2, 0], [2, 2, 1]]);
    let below = |one: &[usize; 3], other: &[usize; 3]| one != other && (0..3).all(|at| one[at] <= other[at]);
    let minimal: Vec<&[usize; 3]> =
        safe.iter().filter(|levels| !safe.iter().any(|other| below(other, levels))).collect();
    assert_eq!(minimal, [&[1, 1, 1], &[2, 2, 0]]);
}

/// `incognito-small`: discernibility, average size, precision and diversity of the two.
#[test]
fn what_the_minimal_nodes_cost() {
    let (data, inputs) = table();
    let progress = Progress::silent();
    for (levels, dm, distinct) in [([1, 1, 1], 18.0, 2), ([2, 2, 0], 20.0, 1)] {
        let release = node(levels);
        let on = Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) };
        let read = |measure: &str, scale: &str, given: &[(&str, &str)]| {
            let measure = throng_measure::find(measure).expect("a measure");
            let settings = Settings::parse(measure.descriptor(), given.iter().copied()).expect("in range");
            let readings = measure.measure(&on, &settings).expect("readings");
            readings.into_iter().find(|(name, _)| *name == scale).expect("a reading").1
        };
        assert_eq!(read("discernibility", "dm", &[]), dm);
        assert_eq!(read("average-class", "c_avg", &[("k", "2")]), 1.5);
        assert!((read("precision", "precision", &[]) - 1.0 / 3.0).abs() < 1e-12);
        let diverse = |l: &str| keeps(&LDiversity, &release, &[("l", l)]);
        assert_eq!((diverse("1"), diverse("2"), diverse("3")), (true, distinct == 2, false));
    }
}
