//! `docs/THREATS.md` names a test for everything it claims. Each of them is there.

use std::fs;
use std::path::Path;

/// Names as `attacks/order.rs::a_right_guess_gives_other_bytes`; tests of pages as `browser/x.test.mjs::title`.
fn named(document: &str) -> Vec<(String, String)> {
    let quoted = document.split('`').skip(1).step_by(2);
    quoted
        .filter_map(|text| text.split_once("::"))
        .map(|(file, test)| (file.to_owned(), test.to_owned()))
        .collect()
}

#[test]
fn every_test_that_the_document_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = fs::read_to_string(root.join("docs/THREATS.md")).unwrap();
    let tests = named(&document);
    assert!(tests.len() >= 20, "only {} tests are named", tests.len());
    for (file, test) in &tests {
        let source = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_there = match file.ends_with(".rs") {
            true => source.contains(&format!("fn {test}(")),
            false => source.contains(test.as_str()),
        };
        assert!(is_there, "{file} has no test `{test}`");
    }
}

#[test]
fn every_attack_is_in_the_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = fs::read_to_string(root.join("docs/THREATS.md")).unwrap();
    for entry in fs::read_dir(root.join("attacks")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !["README.md", "main.rs", "published.rs", "threats.rs"].contains(&name.as_str()) {
            assert!(document.contains(&format!("attacks/{name}::")), "{name} is not in docs/THREATS.md");
        }
    }
}
