//! Worlds with columns of people: a table alone, or columns beside events.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::{Rng, RngExt};
use throng_data::Role;

use super::parts::{sequences, taxonomy};
use super::{ITEMS, SECRETS};
use crate::world::World;

/// One row a person: an age, a town, perhaps a job; an illness is sensitive.
pub(super) fn tabled(world: &mut World, random: &mut impl Rng) {
    let people = random.random_range(2..=12);
    let job = random.random_bool(0.5);
    let blanks = random.random_bool(0.4);
    let towns = ["Ulm", "Bonn", "Kiel", "Trier"];
    let mut table = String::from("id,age,town,job,illness\n");
    for person in 0..people {
        let missing = |random: &mut _| Rng::next_u32(random) % 12 == 0;
        // One person has an age, or nothing would say that ages are numbers.
        let age = if person > 0 && missing(random) {
            String::new()
        } else {
            random.random_range(20..=59).to_string()
        };
        let town = if missing(random) { "" } else { towns[random.random_range(0..towns.len())] };
        let job = ["cook", "nurse", "judge"][random.random_range(0..3)];
        let illness = if blanks && random.random_bool(0.3) {
            ""
        } else {
            ["flu", "gout", "cold"][random.random_range(0..3)]
        };
        writeln!(table, "p{person},{age},{town},{job},{illness}").expect("a String takes everything");
    }
    world.events = table;
    let mut role = |column: &str, role: Role| world.roles.push((column.to_owned(), role));
    role("id", Role::Identifying);
    role("age", Role::QuasiIdentifying);
    role("town", Role::QuasiIdentifying);
    role("illness", Role::Sensitive);
    if job {
        role("job", Role::QuasiIdentifying);
    }
    let needed = ["incognito", "bottom-up"].contains(&world.method);
    if needed || random.random_bool(0.5) {
        let ages = "[20,29];[20,39];*\n[30,39];[20,39];*\n[40,49];[40,59];*\n[50,59];[40,59];*\n";
        world.hierarchies.push(("age".to_owned(), ages.to_owned()));
    }
    if random.random_bool(0.7) {
        let towns = "Ulm;south;*\nTrier;south;*\nBonn;north;*\nKiel;north;*\n";
        world.hierarchies.push(("town".to_owned(), towns.to_owned()));
    }
    world.set("k", random.random_range(1..=4));
    world.set("missing", ["left-out", "left-out", "value"][random.random_range(0..3)]);
    world.set("bounds", ["public", "tight"][random.random_range(0..2)]);
    match random.random_range(0..4) {
        0 => {
            world.set("l", random.random_range(2..=3));
            world.set("form", ["distinct", "entropy", "recursive"][random.random_range(0..3)]);
            world.set("c", ["1", "2"][random.random_range(0..2)]);
        }
        1 => {
            world.set("t", ["1/5", "1/3", "1/2"][random.random_range(0..3)]);
            world.set("emd", ["by-type", "equal", "ordered"][random.random_range(0..3)]);
        }
        _ => {}
    }
    match world.method {
        "incognito" => {
            world.set("max-suppressed", ["0", "1/10", "1/4"][random.random_range(0..3)]);
            world.set("metric", ["ncp", "dm", "c-avg", "height"][random.random_range(0..4)]);
        }
        "mondrian" => {
            world.set("relaxed", random.random_bool(0.5));
            world.set("along", ["hierarchy", "order"][random.random_range(0..2)]);
        }
        "top-down" => world.set("score-form", ["2005", "2007"][random.random_range(0..2)]),
        _ => {}
    }
}

/// Sets, and an age and a town of everybody.
pub(super) fn both(world: &mut World, random: &mut impl Rng) {
    world.sets = random.random();
    let diverse = world.method.starts_with("lm-");
    let mut alphabet: Vec<&str> = ITEMS[..random.random_range(2..=5)].to_vec();
    if diverse {
        alphabet.push(SECRETS[0]);
    }
    let items = sequences(world, &alphabet, random);
    if diverse {
        let secret = items.iter().find(|item| SECRETS.contains(item)).unwrap_or(&items[0]);
        world.sensitive = Some(format!("{secret}\n"));
        world.set("l", random.random_range(1..=2));
    }
    let people = world.events.lines().skip(1).filter_map(|line| line.split(',').next());
    let people: BTreeSet<String> = people.map(str::to_owned).collect();
    let mut records = String::from("subject,age,town\n");
    for person in people {
        let town = ["Ulm", "Bonn", "Kiel", "Trier"][random.random_range(0..4)];
        let age = random.random_range(20..=59);
        writeln!(records, "{person},{age},{town}").expect("a String takes everything");
    }
    world.records = Some(records);
    for column in ["age", "town"] {
        world.roles.push((column.to_owned(), Role::QuasiIdentifying));
    }
    let ages = "[20,29];[20,39];*\n[30,39];[20,39];*\n[40,49];[40,59];*\n[50,59];[40,59];*\n";
    world.hierarchies.push(("age".to_owned(), ages.to_owned()));
    if random.random_bool(0.5) {
        let towns = "Ulm;south;*\nTrier;south;*\nBonn;north;*\nKiel;north;*\n";
        world.hierarchies.push(("town".to_owned(), towns.to_owned()));
    }
    if random.random_bool(0.5) {
        world.taxonomy = Some(taxonomy(&items, random));
    }
    world.set("k", random.random_range(1..=3));
    world.set("m", random.random_range(1..=2));
    world.set("fan-out", random.random_range(2..=3));
    world.set("bounds", ["public", "tight"][random.random_range(0..2)]);
    let transactions = ["apriori", "lra", "vpa", "coat", "pcta"];
    world.set("transaction", transactions[random.random_range(0..if diverse { 3 } else { 5 })]);
    if !world.sets && !diverse {
        world.set("sequential", ["suppress", "seqanon", "sd-seqanon"][random.random_range(0..3)]);
    }
    if world.method != "tfirst" {
        let relational = ["cluster", "incognito", "top-down", "bottom-up", "mondrian"];
        world.set("relational", relational[random.random_range(0..5)]);
    }
    if world.method.ends_with("-bound") {
        world.set("merge", ["r", "t", "rt"][random.random_range(0..3)]);
        world.set("delta", ["0.5", "0.8", "1"][random.random_range(0..3)]);
    }
}
