//! Recipes, comparisons, manifests and ledgers.

use std::path::Path;

use throng_lab::compare::Comparing;
use throng_lab::ledger::Chain;
use throng_lab::{Manifest, Recipe};

/// A recipe: written out, it is the same recipe.
pub fn recipe(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let home = Path::new("/home");
    let Ok(recipe) = Recipe::parse("recipe.toml", text, home) else { return };
    let written = recipe.to_toml();
    match Recipe::parse("again.toml", &written, home) {
        Ok(again) => assert_eq!(again.to_toml(), written),
        Err(error) => unreadable(&written, &error.to_string()),
    }
}

fn unreadable(written: &str, why: &str) {
    assert!(written.is_empty(), "a recipe that was written is not read again: {why}\n{written}");
}

/// A comparison.
pub fn comparison(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(comparing) = Comparing::parse("compare.toml", text, Path::new("/home")) {
        assert_eq!(comparing.text, text);
        assert!(!comparing.methods.is_empty(), "something is compared");
    }
}

/// A manifest: written out, it is the same manifest.
pub fn manifest(bytes: &[u8]) {
    let Ok(manifest) = serde_json::from_slice::<Manifest>(bytes) else { return };
    let written = manifest.to_json();
    let again: Manifest = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(again.to_json(), written);
}

/// The lines of a ledger: nothing is passed over without a word.
pub fn ledger(bytes: &[u8]) {
    let chain = Chain::read(bytes);
    assert!(chain.entries.len() <= chain.lines);
    if chain.is_whole() {
        assert_eq!(chain.entries.len(), chain.lines, "every line of a whole ledger is an entry");
        assert!(bytes.is_empty() || bytes.ends_with(b"\n"));
    }
}
