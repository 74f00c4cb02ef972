//! The attacker links the chunks of a disassociated release (specification 13.4, the cover problem).
//!
//! Of `n` people in a cluster `x` have one item and `y` another. However the chunks belong together, `x + y - n` people have both.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::Desk;

/// All that is known of the release is its two files: how surely an item follows from an item of another chunk of its cluster, at most.
fn surest_link(desk: &Desk) -> f64 {
    let clusters = desk.read("out/clusters.csv");
    let sizes: BTreeMap<&str, f64> = clusters
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| (row[0], row[2].parse().unwrap()))
        .collect();
    let release = desk.read("out/release.csv");
    let mut supports: BTreeMap<(&str, &str, &str), BTreeSet<&str>> = BTreeMap::new();
    for row in release.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        if fields[2] == "record" {
            supports.entry((fields[0], fields[1], fields[4])).or_default().insert(fields[3]);
        }
    }
    let mut surest = 0.0_f64;
    for ((cluster, chunk, _), x) in &supports {
        for ((other, other_chunk, _), y) in &supports {
            if cluster == other && chunk != other_chunk {
                let both = x.len() as f64 + y.len() as f64 - sizes[cluster];
                surest = surest.max(both / y.len() as f64);
            }
        }
    }
    surest
}

/// The specification's baskets: everybody with `y` has `a`, and the chunks are apart because of `z`.
fn baskets() -> Desk {
    let desk = Desk::new();
    let rows: String = ["az", "az", "az", "azy", "ay", "ay"]
        .iter()
        .enumerate()
        .flat_map(|(person, items)| items.chars().map(move |item| format!("p{person},{item}\n")))
        .collect();
    desk.write("baskets.csv", &format!("subject,item\n{rows}"));
    desk
}

#[test]
fn supports_link_items_of_different_chunks_succeeds_and_is_not_covered() {
    let desk = baskets();
    desk.ok("anonymize baskets.csv --sets --method disassociation -k 3 -m 2 -o out");
    assert_eq!(surest_link(&desk), 1.0, "everyone who has `y` has `a`");
}

#[test]
fn safe_bounds_what_follows_from_supports() {
    let desk = baskets();
    desk.ok("anonymize baskets.csv --sets --method disassociation -k 3 -m 2 --safe -o out");
    assert!(surest_link(&desk) <= 0.5, "{}", surest_link(&desk));
}

/// Shares of people whom attackers find alone, by how many items they know, as the program reports them.
fn singled_out(desk: &Desk, arguments: &str) -> Vec<f64> {
    let answer: serde_json::Value =
        serde_json::from_str(&desk.ok(&format!("{arguments} --json")).stdout).unwrap();
    let points = answer["attackers"][0]["after"]["points"].as_array().unwrap();
    points.iter().map(|point| point["singled_out"]["share"].as_f64().unwrap()).collect()
}

#[test]
fn attackers_reckon_with_possible_datasets() {
    let desk = baskets();
    desk.ok("anonymize baskets.csv --sets --method disassociation -k 3 -m 2 -o out");
    let alone = "attack baskets.csv --sets --release out --knows random --known 2 --worlds 30";
    let found = singled_out(&desk, alone);
    assert_eq!(found[0], 0.0, "whatever one item is known, three people have it in every dataset");
    assert_eq!(found, singled_out(&desk, alone), "the same datasets are drawn again");
    let without_data = singled_out(&desk, "attack out --knows random --known 2 --worlds 30");
    assert_eq!(without_data.len(), 2);
    let told = desk.ok(alone).stdout;
    assert!(told.contains("30 times") && told.contains("up to 100%"), "{told}");
}
