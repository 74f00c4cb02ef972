//! The attacker takes the noise away: differential privacy rests on noise that cannot be drawn again.

use crate::program::Desk;
use crate::published::Published;

const RUN: &str =
    "anonymize clicks.csv --method ngrams --alphabet alphabet.csv --epsilon 1 --l-max 4 --n-max 2";

fn clicks() -> Desk {
    let desk = Desk::new();
    let rows: String = (0..200)
        .map(|person| {
            format!("p{person},{}\np{person},{}\n", ["a", "b"][person % 2], ["b", "c"][person % 3 / 2])
        })
        .collect();
    desk.write("clicks.csv", &format!("subject,item\n{rows}")).write("alphabet.csv", "a\nb\nc\n");
    desk
}

/// The page of 0.1.0 always sent seed 0. Numbers that can be tried one after the other hide nothing.
#[test]
fn a_seed_that_can_be_guessed_is_refused() {
    let desk = clicks();
    for seed in ["0", "42", "4294967295"] {
        let ran = desk.run(&format!("{RUN} --seed {seed} -o out"));
        assert_eq!(ran.code, 7, "{seed}: {}", ran.stderr);
        assert!(!desk.path("out").exists());
    }
}

#[test]
fn noise_is_drawn_afresh_and_its_secret_stays_in_the_kept_run() {
    let desk = clicks();
    desk.ok(&format!("{RUN} --keep-run kept -o first"));
    desk.ok(&format!("{RUN} -o second"));
    let (first, second) = (Published::of(&desk, "first"), Published::of(&desk, "second"));
    assert_ne!(first.crowd(), second.crowd());
    assert!(first.manifest()["method"].get("seed").is_none_or(serde_json::Value::is_null));
    let recipe = desk.read("kept/recipe.toml");
    let secret = recipe.lines().find_map(|line| line.strip_prefix("salt = ")).unwrap().trim_matches('"');
    assert_eq!(secret.len(), 64, "{recipe}");
    assert!(!first.everything().contains(secret));
}
