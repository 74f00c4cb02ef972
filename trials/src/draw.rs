//! Small random worlds: data, inputs and parameters that a method takes, as the texts a user would have on disk.
//!
//! Two to eight people with two to six items, sometimes several records each: small enough to list every pattern, large
//! enough for every way in which people can hide behind each other.

mod parts;
mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::{Rng, RngExt};

use self::parts::{lengths, partition, places, sequences, several, taxonomy};
use self::tables::{both, tabled};
use crate::world::World;

const ITEMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const SECRETS: [&str; 2] = ["s", "t"];

/// A world for the method of that name.
pub fn world(method: &'static str, random: &mut impl Rng) -> World {
    let mut world = World::new(method);
    match method {
        "seqanon" | "sd-seqanon" | "u-seqanon" => merged(&mut world, random),
        "zga" | "sga" => organized(&mut world, random),
        "lkc" | "lkc-local" => suppressed(&mut world, random),
        "bf-p2ka" => {
            sequences(&mut world, &ITEMS, random);
            world.set("k", random.random_range(1..=4));
            world.set("max-suppressed", ["100%", "50%"][random.random_range(0..2)]);
        }
        "suppress" | "lm-suppress" => thinned(&mut world, random),
        "mi-top-down" | "mi-bottom-up" => sanitized(&mut world, random),
        "ngrams" => synthetic(&mut world, random),
        "counts" | "dp-counts" => counted(&mut world, random),
        "apriori" | "da" | "oa" | "lra" | "vpa" => climbed(&mut world, random),
        "lm-apriori" | "lm-da" | "lm-oa" | "lm-lra" | "lm-vpa" => climbed(&mut world, random),
        "coat" | "pcta" => constrained(&mut world, random),
        "diffpart" => divided(&mut world, random),
        "disassociation" => taken_apart(&mut world, random),
        "incognito" | "mondrian" | "top-down" | "bottom-up" | "cluster" => tabled(&mut world, random),
        "rum-bound" | "tum-bound" | "lm-rum-bound" | "lm-tum-bound" | "rfirst" | "tfirst" => {
            both(&mut world, random);
        }
        other => world.note = Some(format!("there is no world for `{other}`: describe one in draw.rs")),
    }
    world
}

fn merged(world: &mut World, random: &mut impl Rng) {
    let items = sequences(world, &ITEMS, random);
    world.set("k", random.random_range(1..=4));
    world.set("m", random.random_range(1..=3));
    lengths(world, random);
    match world.method {
        "sd-seqanon" => {
            world.taxonomy = Some(taxonomy(&items, random));
            if random.random() {
                world.places = Some(places(&items, random));
            }
        }
        "u-seqanon" => {
            world.places = Some(places(&items, random));
            world.constraints = Some(partition(&items, random));
        }
        _ => {
            world.places = Some(places(&items, random));
            world.set("no-apriori", random.random_bool(0.3));
        }
    }
}

fn organized(world: &mut World, random: &mut impl Rng) {
    let alphabet: Vec<&str> = ITEMS[..random.random_range(2..=5)].iter().chain(&SECRETS).copied().collect();
    let items = sequences(world, &alphabet, random);
    let secret: Vec<&str> =
        items.iter().copied().filter(|item| SECRETS.contains(item) && random.random_bool(0.9)).collect();
    if !secret.is_empty() {
        world.sensitive = Some(secret.join("\n") + "\n");
    }
    world.places = Some(places(&items, random));
    world.set("k", random.random_range(1..=3));
    world.set("l", random.random_range(1..=3));
    world.set("m", random.random_range(1..=3));
    world.set("clusters", random.random_range(0..=4));
    world.set("form", if random.random_bool(0.4) { "count" } else { "ratio" });
    lengths(world, random);
    if world.method == "sga" {
        world.set("itineraries", random.random_range(1..=6));
    }
}

fn thinned(world: &mut World, random: &mut impl Rng) {
    let diverse = world.method == "lm-suppress";
    let alphabet: Vec<&str> = ITEMS[..random.random_range(2..=5)].iter().chain(&SECRETS).copied().collect();
    let items = sequences(world, &alphabet, random);
    world.set("k", random.random_range(1..=4));
    world.set("m", random.random_range(1..=3));
    world.set("scope", if random.random_bool(0.3) { "global" } else { "local" });
    if diverse {
        let secret: Vec<&str> = items.iter().copied().filter(|item| SECRETS.contains(item)).collect();
        // A world without a secret has one of its items for it.
        let secret = if secret.is_empty() { vec![items[0]] } else { secret };
        world.sensitive = Some(secret.join("\n") + "\n");
        world.set("l", random.random_range(1..=3));
        world.set("form", if random.random_bool(0.4) { "count" } else { "ratio" });
    }
}

fn suppressed(world: &mut World, random: &mut impl Rng) {
    let people = random.random_range(2..=8);
    let items = &ITEMS[..random.random_range(2..=4)];
    let last = random.random_range(2..=5);
    let mut events = String::from("subject,record,item,time\n");
    let mut records = String::from("subject,status\n");
    for person in 0..people {
        let status = ["ill", "well", "other", "ill", "well", "other", ""][random.random_range(0..7)];
        writeln!(records, "p{person},{status}").expect("a String takes everything");
        for record in 0..several(random) {
            for _ in 0..random.random_range(1..=5) {
                let item = items[random.random_range(0..items.len())];
                let time = random.random_range(0..=last);
                writeln!(events, "p{person},r{person}-{record},{item},{time}")
                    .expect("a String takes everything");
            }
        }
    }
    world.events = events;
    if random.random_bool(0.8) {
        let values = ["status=ill", "status=ill,well"][usize::from(random.random_bool(0.3))];
        // A value that does not occur is a mistake of the user; the data must have each of them.
        if values[7..].split(',').all(|value| records.contains(&format!(",{value}\n"))) {
            world.sensitive_values = vec![values.to_owned()];
        }
        world.records = Some(records);
    }
    let known = random.random_range(1..=5);
    world.set("L", if known == 5 { "max".to_owned() } else { known.to_string() });
    world.set("K", random.random_range(1..=4));
    world.set("C", ["1", "1/2", "2/3", "0.4", "75%"][random.random_range(0..5)]);
    world.set("K-prime", random.random_range(1..=3));
    world.set("missing", ["worst", "value"][random.random_range(0..2)]);
    world.set("resolve-ties", "first");
    match world.method {
        "lkc" => world.set("score", random.random_range(1..=3)),
        _ => world.set("loss", ["instances", "patterns"][random.random_range(0..2)]),
    }
}

fn sanitized(world: &mut World, random: &mut impl Rng) {
    let items = sequences(world, &ITEMS, random);
    world.taxonomy = Some(taxonomy(&items, random));
    let window: usize = random.random_range(2..=5);
    let mut drawn = || {
        let length = random.random_range(1..=3.min(window + 1));
        let names: Vec<&str> = (0..length).map(|_| items[random.random_range(0..items.len())]).collect();
        names.join(" > ") + "\n"
    };
    let listed: String = (0..4).map(|_| drawn()).collect();
    let mut own: BTreeSet<String> = BTreeSet::new();
    // There are always two people; the others have none of their own.
    for person in [0, 0, 0, 1] {
        own.insert(format!("p{person},{}", drawn()));
    }
    let own = own.into_iter().fold("subject,pattern\n".to_owned(), |text, line| text + &line);
    let (few, which) = (random.random_range(1..=4), random.random_range(0..3));
    world.patterns = (which < 2).then(|| listed.lines().take(few).map(|line| format!("{line}\n")).collect());
    world.person_patterns = (which > 0).then_some(own);
    world.set("window", window);
    world.set("epsilon", f64::from(random.random_range(0..=10_u32)) / 10.0);
    world.set("unit", ["relative", "bits"][random.random_range(0..2)]);
    world.set("only", ["keep", "keep", "hide"][random.random_range(0..3)]);
    world.set("cost", ["linear", "exponential", "iloss"][random.random_range(0..3)]);
}

fn synthetic(world: &mut World, random: &mut impl Rng) {
    sequences(world, &ITEMS[..4], random);
    world.alphabet = Some(ITEMS[..random.random_range(4..=6)].join("\n") + "\n");
    let longest = random.random_range(1..=6);
    world.set("l-max", longest);
    world.set("n-max", random.random_range(1..=longest.min(4)));
    world.set("epsilon", ["0.01", "0.1", "0.5", "1", "3.3", "50"][random.random_range(0..6)]);
}

/// Sequences of which people are counted.
fn counted(world: &mut World, random: &mut impl Rng) {
    sequences(world, &ITEMS[..4], random);
    world.set("moves", ["steps", "ends"][random.random_range(0..2)]);
    if world.method == "counts" {
        world.set("k", random.random_range(1..=4));
        return;
    }
    world.alphabet = Some(ITEMS[..random.random_range(4..=6)].join("\n") + "\n");
    world.set("cells", random.random_range(1..=5));
    world.set("epsilon", ["0.01", "0.5", "3.3", "50"][random.random_range(0..4)]);
}

/// Sets that are generalised along a taxonomy, or along their names.
fn climbed(world: &mut World, random: &mut impl Rng) {
    world.sets = true;
    let diverse = world.method.starts_with("lm-");
    let mut alphabet: Vec<&str> = ITEMS[..random.random_range(2..=5)].to_vec();
    if diverse {
        alphabet.splice(0..0, SECRETS);
    }
    let items = sequences(world, &alphabet, random);
    if diverse {
        let mut secret: Vec<&str> = items.iter().copied().filter(|item| SECRETS.contains(item)).collect();
        if secret.is_empty() {
            secret.push(items[0]);
        }
        world.sensitive = Some(secret.join("\n") + "\n");
        world.set("l", random.random_range(1..=3));
    }
    if random.random_bool(0.7) {
        world.taxonomy = Some(taxonomy(&items, random));
    }
    world.set("k", random.random_range(1..=4));
    world.set("m", random.random_range(1..=3));
    world.set("fan-out", random.random_range(2..=3));
    match world.method {
        "lra" | "lm-lra" => world.set("part-size", random.random_range(1..=5)),
        "vpa" | "lm-vpa" => world.set("level", random.random_range(1..=3)),
        _ => {}
    }
}

/// Sets under a policy, or under `m` instead of one.
fn constrained(world: &mut World, random: &mut impl Rng) {
    world.sets = true;
    let items = sequences(world, &ITEMS, random);
    world.set("k", random.random_range(1..=4));
    if random.random_bool(0.7) {
        let mut policy = String::new();
        for _ in 0..random.random_range(1..=3) {
            let mut set: Vec<&str> =
                (0..random.random_range(1..=4)).map(|_| items[random.random_range(0..items.len())]).collect();
            set.sort_unstable();
            set.dedup();
            policy += &(set.join(",") + "\n");
        }
        world.policy = Some(policy);
    } else {
        world.set("m", random.random_range(1..=3));
    }
    if world.method == "coat" {
        world.set("max-suppressed", ["100%", "50%", "10%"][random.random_range(0..3)]);
        if random.random_bool(0.7) {
            world.constraints = Some(partition(&items, random));
        }
    }
}

fn divided(world: &mut World, random: &mut impl Rng) {
    world.sets = true;
    sequences(world, &ITEMS[..4], random);
    world.alphabet = Some(ITEMS[..random.random_range(4..=6)].join("\n") + "\n");
    world.set("fan-out", random.random_range(2..=4));
    world.set("c1", random.random_range(1..=4));
    world.set("c2", random.random_range(1..=4));
    world.set("epsilon", ["0.1", "0.5", "1", "3.3", "50"][random.random_range(0..5)]);
}

fn taken_apart(world: &mut World, random: &mut impl Rng) {
    world.sets = true;
    let diverse = random.random_bool(0.5);
    let alphabet: Vec<&str> = match diverse {
        // Secrets first: some people have nothing else.
        true => SECRETS.iter().chain(&ITEMS[..random.random_range(1..=3)]).copied().collect(),
        false => ITEMS[..random.random_range(3..=5)].to_vec(),
    };
    let items = sequences(world, &alphabet, random);
    let secret: Vec<&str> = items.into_iter().filter(|item| SECRETS.contains(item)).collect();
    if !secret.is_empty() {
        world.sensitive = Some(secret.join("\n") + "\n");
        world.set("l", random.random_range(1..=3));
    }
    world.set("k", random.random_range(1..=3));
    world.set("m", random.random_range(1..=3));
    world.set("max-cluster", random.random_range(2..=6));
    world.set("safe", random.random_bool(0.2));
}
