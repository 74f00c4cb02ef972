//! Mutual information, from its definition: every occurrence of every pattern is listed with what was published for it.

use std::collections::BTreeMap;

use super::Judged;
use crate::people::{Items, Person};
use crate::world::World;

/// What decides is further away than this.
const CLOSE: f64 = 1e-7;

/// A pattern by number, and what was published for one of its occurrences.
type Pair = (usize, Vec<Items>);

/// Judges every person, with the patterns that are to be hidden of each, by what the world allows to be learned.
pub fn mi(people: &[Person], patterns: &[Vec<Vec<u32>>], world: &World) -> Judged {
    let window = world.number("window");
    let epsilon: f64 = world.value("epsilon").parse().unwrap_or(0.0);
    let mut close = false;
    for (number, (person, patterns)) in people.iter().zip(patterns).enumerate() {
        if let Some(item) = shown_in_two_ways(person) {
            return Judged::Broken(format!("item {item} of person {number} is published in two ways"));
        }
        let pairs = occurrences(person, patterns, window);
        if world.value("only") == "hide" && is_only_and_shown(&pairs, patterns) {
            return Judged::Broken(format!("the only pattern of person {number} is published as itself"));
        }
        let (learned, entropy) = information(&pairs);
        let limit = if world.value("unit") == "bits" { epsilon } else { epsilon * entropy };
        close |= (learned - limit).abs() < CLOSE && learned > CLOSE;
        if learned > limit + CLOSE {
            return Judged::Broken(format!("{learned} bits about person {number}, {limit} allowed"));
        }
    }
    if close { Judged::TooCloseToTell } else { Judged::Holds }
}

/// An item whose image is no function of it; or one of an event that is missing.
fn shown_in_two_ways(person: &Person) -> Option<u32> {
    let mut images: BTreeMap<u32, Items> = BTreeMap::new();
    for (before, after) in person.before.iter().zip(&person.after) {
        for (at, event) in before.iter().enumerate() {
            let Some(shown) = after.get(at) else { return Some(event.item) };
            if *images.entry(event.item).or_insert(shown.may_be) != shown.may_be {
                return Some(event.item);
            }
        }
    }
    None
}

fn occurrences(person: &Person, patterns: &[Vec<u32>], window: usize) -> Vec<Pair> {
    let mut all = Vec::new();
    for (before, after) in person.before.iter().zip(&person.after) {
        for (number, pattern) in patterns.iter().enumerate() {
            let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
            for symbol in pattern {
                let mut longer = Vec::new();
                for places in &chosen {
                    let next = places.last().map_or(0, |last| last + 1);
                    for (at, event) in before.iter().enumerate().skip(next) {
                        let near = places.first().is_none_or(|first| at - first <= window);
                        if event.item == *symbol && near {
                            longer.push(places.iter().copied().chain([at]).collect());
                        }
                    }
                }
                chosen = longer;
            }
            for places in chosen {
                all.push((number, places.iter().map(|at| after[*at].may_be).collect()));
            }
        }
    }
    all
}

/// Whether one pattern occurred and no other, and was published as nothing but itself.
fn is_only_and_shown(pairs: &[Pair], patterns: &[Vec<u32>]) -> bool {
    let Some((first, image)) = pairs.first() else { return false };
    let alone = pairs.iter().all(|(number, _)| patterns[*number] == patterns[*first]);
    alone && patterns[*first].iter().zip(image).all(|(item, shown)| *shown == 1 << item)
}

/// I(S; G(S)) and H(S) of the listed pairs.
fn information(pairs: &[Pair]) -> (f64, f64) {
    let each = 1.0 / pairs.len() as f64;
    let mut joint: BTreeMap<&Pair, f64> = BTreeMap::new();
    let mut secret: BTreeMap<usize, f64> = BTreeMap::new();
    let mut seen: BTreeMap<&[Items], f64> = BTreeMap::new();
    for pair in pairs {
        *joint.entry(pair).or_default() += each;
        *secret.entry(pair.0).or_default() += each;
        *seen.entry(&pair.1).or_default() += each;
    }
    let learned = joint.iter().map(|(pair, p)| p * (p / (secret[&pair.0] * seen[&pair.1[..]])).log2()).sum();
    (learned, secret.values().map(|p| -p * p.log2()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_image_tells_nothing_and_different_ones_tell_everything() {
        let pair = |pattern, image| (pattern, vec![image]);
        let (learned, entropy) = information(&[pair(0, 3), pair(1, 3)]);
        assert!(learned.abs() < 1e-12 && (entropy - 1.0).abs() < 1e-12);
        let (learned, _) = information(&[pair(0, 1), pair(1, 2)]);
        assert!((learned - 1.0).abs() < 1e-12);
        assert_eq!(information(&[]), (0.0, 0.0));
    }

    #[test]
    fn an_only_pattern_is_shown_when_nothing_else_could_be_meant() {
        let patterns = [vec![0], vec![1]];
        assert!(is_only_and_shown(&[(0, vec![1]), (0, vec![1])], &patterns));
        assert!(!is_only_and_shown(&[(0, vec![0b11])], &patterns), "it may be the other");
        assert!(!is_only_and_shown(&[(0, vec![1]), (1, vec![2])], &patterns), "there are two");
    }
}
