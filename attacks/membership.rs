//! The attacker wants to know whether a person is in the data at all.
//!
//! The attacker knows a value of the person that few people have (an age, a rare word), and looks for it among the ends of ranges and the members of sets.

use std::collections::BTreeSet;

use crate::program::Desk;

/// Ages that end in 1, 2, 3, 6, 7 or 8, so that no age is a round one; one person has a town of their own.
fn people() -> Desk {
    let desk = Desk::new();
    let towns = ["Alpha", "Beta", "Delta", "Gamma", "Kappa", "Lambda", "Omega", "Sigma"];
    let mut rows = String::from("id,age,town\n");
    for person in 0..160_usize {
        let age = 20 + 10 * (person % 6) + [1, 2, 3, 6, 7, 8][person / 6 % 6];
        let town = if person == 77 { "RAREVAL" } else { towns[person * 3 % 8] };
        rows.push_str(&format!("p{person},{age},{town}\n"));
    }
    desk.write("people.csv", &rows);
    desk
}

/// What a release says: ends of ranges, and words of sets and cells.
fn said(desk: &Desk) -> (Vec<u32>, BTreeSet<String>) {
    let text = desk.read("out/records.csv");
    let (mut ends, mut words) = (Vec::new(), BTreeSet::new());
    for row in text.lines().skip(1) {
        let (age, town) = row.rsplit_once(',').unwrap();
        words.extend(town.trim_matches(['{', '}']).split('|').map(str::to_owned));
        // A range has a comma, so its cell is quoted: `17,"[20,24]"`.
        if let Some(range) = age.split('"').nth(1) {
            ends.extend(range.trim_matches(['[', ']']).split(',').map(|end| end.parse::<u32>().unwrap()));
        }
    }
    assert!(!ends.is_empty(), "{text}");
    (ends, words)
}

fn ages(desk: &Desk) -> BTreeSet<u32> {
    let text = desk.read("people.csv");
    text.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect()
}

fn release(desk: &Desk, method: &str, bounds: &str) {
    desk.ok(&format!("anonymize people.csv --id id --quasi age,town --method {method} -k 5 --bounds {bounds} -o out --force"));
}

#[test]
fn tight_bounds_prove_that_a_value_is_there_succeeds_and_is_not_covered() {
    let desk = people();
    for method in ["mondrian", "cluster"] {
        release(&desk, method, "tight");
        let (ends, words) = said(&desk);
        let ages = ages(&desk);
        assert!(
            ends.iter().all(|end| ages.contains(end)),
            "{method}: both ends are ages of people in the data"
        );
        assert!(words.contains("RAREVAL"), "{method}: its only holder is in the data");
    }
}

#[test]
fn public_bounds_do_not_prove_that_a_value_is_there() {
    let desk = people();
    for method in ["mondrian", "cluster"] {
        release(&desk, method, "public");
        let (ends, words) = said(&desk);
        let ages = ages(&desk);
        assert!(ends.iter().all(|end| !ages.contains(end)), "{method}: {ends:?}");
        assert!(ends.iter().all(|end| [0, 4, 5, 9].contains(&(end % 10))), "{method}: round ends, {ends:?}");
        assert!(!words.contains("RAREVAL"), "{method}: {words:?}");
        desk.ok("verify out");
    }
    assert_eq!(
        desk.run("anonymize people.csv --id id --quasi age,town --method mondrian -k 5 -o default").code,
        0
    );
    assert_eq!(desk.ok("verify default --json").json()["holds"], true);
}
