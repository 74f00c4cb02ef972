//! Who is looked for, and which columns are known of them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::scene::TableScene;
use crate::attack::attacker::Attacker;
use crate::attack::person::{ColumnsOf, Draw};

/// A target, and its columns in the order of being learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Learned {
    pub person: u32,
    pub columns: Vec<usize>,
}

/// Draws the targets, all people or `most` of them, and the order in which the columns of each become
/// known.
pub(super) fn learn(scene: &TableScene, attacker: &Attacker, most: Option<usize>, seed: u64) -> Vec<Learned> {
    let mut people: Vec<u32> = (0..scene.people() as u32).collect();
    if let Some(most) = most.filter(|most| *most < people.len()) {
        // The beginning of a Fisher-Yates shuffle.
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        for place in 0..most {
            let other = generator.random_range(place as u64..people.len() as u64);
            people.swap(place, other as usize);
        }
        people.truncate(most);
        people.sort_unstable();
    }
    let columns = |person: u32| columns_of(scene, attacker, person, seed);
    people.into_iter().map(|person| Learned { person, columns: columns(person) }).collect()
}

/// The columns of a person in the order of being learned.
pub(in crate::attack) fn columns_of(
    scene: &TableScene,
    attacker: &Attacker,
    person: u32,
    seed: u64,
) -> Vec<usize> {
    attacker.knows.attack().columns(&ColumnsOf { scene, person }, &mut Draw::about(person, seed))
}
