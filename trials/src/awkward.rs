//! Worlds that real files look like: names that mean something to a parser, one value for all, hierarchies of unequal depth, a crowd
//! larger than the data, several sensitive columns, missing cells, people without events.
//!
//! A world is drawn as usual, and made awkward afterwards, in one way or several.

use std::fmt::Write as _;

use rand::{Rng, RngExt};
use throng_data::Role;

use crate::world::World;

/// What the items of a world may be called instead.
const NAMES: [[&str; 6]; 3] = [
    ["é", "名", "a b", "Ω", "ÅB", "ß"],
    ["{x|y}", "~1", "*", "\\", "|", "{}"],
    ["1", "01", "1.0", "-1", "1e3", "NaN"],
];

/// Makes about every third world awkward.
pub fn make(world: &mut World, random: &mut impl Rng) {
    if random.random_bool(0.25) {
        rename(world, &NAMES[random.random_range(0..NAMES.len())]);
    }
    if random.random_bool(0.05) {
        let k = world.settings.iter_mut().find(|(name, _)| name == "k" || name == "K");
        k.into_iter().for_each(|(_, value)| *value = "40".to_owned());
    }
    match world.roles.is_empty() {
        false if world.records.is_none() => table(world, random),
        false => mixed(world, random),
        true => {}
    }
}

/// Gives the items other names, in every file that names them.
fn rename(world: &mut World, names: &[&str; 6]) {
    let other = |token: &str| match ["a", "b", "c", "d", "e", "f"].iter().position(|item| *item == token) {
        Some(at) => names[at].to_owned(),
        None => token.to_owned(),
    };
    let renamed = |text: &str| {
        let mut made = String::with_capacity(text.len());
        let mut token = String::new();
        for letter in text.chars() {
            if matches!(letter, ',' | ';' | '>' | '\n' | ' ') {
                made += &other(&token);
                made.push(letter);
                token.clear();
            } else {
                token.push(letter);
            }
        }
        made + &other(&token)
    };
    world.events = renamed(&world.events);
    let lists = [
        &mut world.places,
        &mut world.taxonomy,
        &mut world.constraints,
        &mut world.policy,
        &mut world.sensitive,
        &mut world.patterns,
        &mut world.person_patterns,
        &mut world.alphabet,
    ];
    for list in lists.into_iter().flatten() {
        *list = renamed(list);
    }
}

/// Columns of a table: one value for all, missing illnesses, a second sensitive column, a tree of unequal depth or with a leaf called as a
/// node above it.
fn table(world: &mut World, random: &mut impl Rng) {
    let (one_town, missing, second) =
        (random.random_bool(0.1), random.random_bool(0.3), random.random_bool(0.2));
    let mut text = String::new();
    for (number, row) in world.events.lines().enumerate() {
        let mut cells: Vec<&str> = row.split(',').collect();
        if number == 0 {
            writeln!(text, "{row},score").expect("a String takes everything");
            continue;
        }
        if one_town {
            cells[2] = "Ulm";
        }
        if missing && random.random_bool(0.25) {
            cells[4] = "";
        }
        let score = ["low", "high"][random.random_range(0..2)];
        writeln!(text, "{},{score}", cells.join(",")).expect("a String takes everything");
    }
    world.events = text;
    if second {
        world.roles.push(("score".to_owned(), Role::Sensitive));
    }
    let shape = random.random_range(0..6);
    for (_, tree) in world.hierarchies.iter_mut().filter(|(column, _)| column == "town") {
        match shape {
            0 => *tree = "Ulm;south;*\nTrier;*\nBonn;north;land;*\nKiel;north;land;*\n".to_owned(),
            1 => {
                *tree =
                    "Ulm;Ulm;south;*\nTrier;south;south;*\nBonn;north;north;*\nKiel;Kiel;north;*\n".to_owned()
            }
            _ => {}
        }
    }
}

/// Rows of people without events.
fn mixed(world: &mut World, random: &mut impl Rng) {
    if let Some(records) = world.records.as_mut().filter(|_| random.random_bool(0.2)) {
        *records += "nemo,33,Ulm\nnix,44,Kiel\n";
    }
}
