//! One query of an attacker: who fits, and what all of them have in common.

use std::cmp::Reverse;

use serde::Serialize;
use throng_contract::{Cancelled, Progress};

use super::attacker::{Attacker, MAX_KNOWN};
use super::crowd::Crowd;
use super::knowledge::Clue;
use super::scene::Scene;

/// What a query tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Played {
    /// People with published records to look in.
    pub of: u64,
    /// How many of them fit.
    pub people: u64,
    /// How many of the known events were used; the others fit nothing that was published.
    pub used: u64,
    /// What most of them did beside what was known, as published, with the number of them who did; the most common first.
    pub items: Vec<Common>,
    /// Secrets of theirs, the most common first.
    pub secrets: Vec<Common>,
}

/// Something that several people have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Common {
    /// What.
    pub name: String,
    /// How many have it.
    pub people: u64,
    /// Their share: the confidence with which it can be said of the target.
    pub share: f64,
}

/// Looks for everyone who fits the clues, in the order given if the attacker knows it, and tells what they have in common:
/// at most `list` items. `names` are those of the published items.
///
/// More than [`MAX_KNOWN`] clues are cut off.
pub fn play(
    scene: &Scene<'_>,
    attacker: &Attacker,
    clues: &[Clue],
    names: &dyn Fn(u32) -> String,
    list: usize,
    progress: &Progress,
) -> Result<Played, Cancelled> {
    let clues = &clues[..clues.len().min(MAX_KNOWN)];
    let secrets = scene.secrets.as_ref();
    let crowd = Crowd::of(scene.published(), attacker, clues.iter().copied(), u32::MAX, progress)?;
    let used = crowd.usable(None, clues);
    progress.check()?;
    let events = scene.published;
    let fitting = crowd.records(&used);
    let mut people: Vec<u32> = fitting.into_iter().map(|record| crowd.owner(record)).collect();
    people.dedup();

    let known = |item: u32| used.iter().any(|clue| scene.cover.covers(item, clue.item));
    let size = events.items().iter().max().map_or(0, |item| *item as usize + 1);
    let mut items = Counts::new(size);
    let mut held = Counts::new(secrets.map_or(0, |secrets| secrets.len()));
    for person in &people {
        let records = events.records_of(*person as usize);
        for item in records.flat_map(|record| events.record(record)).filter(|item| !known(**item)) {
            items.count(*item, *person);
        }
        for secret in secrets.into_iter().flat_map(|secrets| secrets.of(*person)) {
            held.count(*secret, *person);
        }
    }
    let secret_name =
        |secret: u32| secrets.map_or_else(String::new, |secrets| secrets.names()[secret as usize].clone());
    Ok(Played {
        of: (0..events.subjects()).filter(|subject| !events.records_of(*subject).is_empty()).count() as u64,
        people: people.len() as u64,
        used: used.len() as u64,
        items: items.most_common(people.len(), list, names),
        secrets: held.most_common(people.len(), usize::MAX, &secret_name),
    })
}

/// How many people have each of some things; each person is counted once.
struct Counts {
    people: Vec<u32>,
    last: Vec<Option<u32>>,
}

impl Counts {
    fn new(size: usize) -> Self {
        Counts { people: vec![0; size], last: vec![None; size] }
    }

    /// People come one after the other.
    fn count(&mut self, thing: u32, person: u32) {
        if self.last[thing as usize].replace(person) != Some(person) {
            self.people[thing as usize] += 1;
        }
    }

    fn most_common(&self, total: usize, list: usize, name: &dyn Fn(u32) -> String) -> Vec<Common> {
        let mut things: Vec<u32> =
            (0..self.people.len() as u32).filter(|thing| self.people[*thing as usize] > 0).collect();
        things.sort_by_key(|thing| (Reverse(self.people[*thing as usize]), *thing));
        let common = |thing: u32| {
            let people = u64::from(self.people[thing as usize]);
            Common { name: name(thing), people, share: people as f64 / total.max(1) as f64 }
        };
        things.into_iter().take(list).map(common).collect()
    }
}
