//! LDR05: LeFevre, DeWitt, Ramakrishnan. Incognito: efficient full-domain k-anonymity. SIGMOD 2005. A table of six people in three
//! columns, with levels as the paper has them; its numbers were computed by brute force.

use throng_contract::{Progress, Settings};
use throng_data::{Column, ColumnValues, Dataset, Dictionary, Hierarchy, Inputs, Role, Table};
use throng_methods::table::Incognito;
use throng_methods::{Method, Outcome, Task};

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
    let table = outcome.release.table.as_ref().expect("a table");
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
