//! The attacker of differential privacy: knows everybody but one person, and looks beside the noisy records for something
//! that was counted without noise.

use serde_json::Value;

use crate::program::Desk;
use crate::published::Published;

/// What may differ: what anybody can count in the released records, and fingerprints under a fresh key.
const MAY_DIFFER: [&str; 6] =
    ["counts.records", "counts.events", "counts.items", "outputs.", "inputs.", "usefulness."];

fn released(people: usize) -> Value {
    let desk = Desk::new();
    let rows: String =
        (0..people).map(|person| format!("p{person},{}\np{person},b\n", ["a", "c"][person % 2])).collect();
    desk.write("clicks.csv", &format!("subject,item\n{rows}")).write("alphabet.csv", "a\nb\nc\n");
    desk.ok(
        "anonymize clicks.csv --method ngrams --alphabet alphabet.csv --epsilon 1 --l-max 4 --n-max 2 -o out",
    );
    Published::of(&desk, "out").manifest()
}

fn leaves(path: &str, value: &Value, into: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(&format!("{path}{name}."), value, into))
        }
        Value::Array(values) => values.iter().for_each(|value| leaves(path, value, into)),
        leaf => into.push((path.trim_end_matches('.').to_owned(), leaf.to_string())),
    }
}

#[test]
fn with_and_without_a_person_a_manifest_says_the_same() {
    let told = |people: usize| {
        let mut all = Vec::new();
        leaves("", &released(people), &mut all);
        all.retain(|(path, _)| !MAY_DIFFER.iter().any(|prefix| path.starts_with(prefix)));
        all
    };
    let with = told(1_237);
    assert_eq!(with, told(1_236));
    assert!(!with.iter().any(|(_, value)| value.contains("1237") || value.contains("1,237")), "{with:?}");
}
