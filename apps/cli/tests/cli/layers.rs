//! The picture of the layers in the README shows the true edges of the crate graph.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// The edges that `cargo metadata` knows, without development dependencies and without the programs of tests.
fn of_cargo(root: &Path) -> Edges {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root)
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let own = |name: &str| name.strip_prefix("throng-").map(str::to_owned);
    let mut edges = Edges::new();
    for package in metadata["packages"].as_array().unwrap() {
        let Some(name) = own(package["name"].as_str().unwrap()) else { continue };
        if ["papers", "trials", "fuzz"].contains(&name.as_str()) {
            continue;
        }
        let uses = package["dependencies"].as_array().unwrap().iter();
        let uses = uses.filter(|used| used["kind"].is_null()).filter_map(|used| own(used["name"].as_str()?));
        edges.insert(name, uses.collect());
    }
    edges
}

/// All that a crate uses, by way of others or not.
fn reached(edges: &Edges, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<String> = edges.get(from).into_iter().flatten().cloned().collect();
    while let Some(next) = waiting.pop() {
        if found.insert(next.clone()) {
            waiting.extend(edges.get(&next).into_iter().flatten().cloned());
        }
    }
    found
}

/// The edges without those that follow from others.
fn reduced(edges: &Edges) -> BTreeSet<(String, String)> {
    let mut kept = BTreeSet::new();
    for (from, uses) in edges {
        for to in uses {
            let implied = uses.iter().any(|other| other != to && reached(edges, other).contains(to));
            if !implied {
                kept.insert((from.clone(), to.clone()));
            }
        }
    }
    kept
}

/// The edges of the picture: `a --> b --> c`.
fn of_readme(root: &Path) -> BTreeSet<(String, String)> {
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let picture = readme.split("```mermaid").nth(1).unwrap().split("```").next().unwrap();
    let mut edges = BTreeSet::new();
    for line in picture.lines() {
        let names: Vec<&str> = line.split("-->").map(str::trim).collect();
        edges.extend(names.windows(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())));
    }
    edges
}

#[test]
fn the_picture_of_the_readme_shows_the_edges_of_the_crate_graph() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = of_cargo(&root);
    assert_eq!(of_readme(&root), reduced(&crates));
    let models = reached(&crates, "models");
    assert!(
        !models.contains("methods") && !models.contains("mine"),
        "checkers share no counting with methods"
    );
}
