//! k^m and (k,l)^m: every sequence of real items that a person fits is listed, and the people who fit it are counted.

use super::Judged;
use crate::people::{Person, fits, fits_as_set};

/// How many of the people who fit may have a sensitive item.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// One in so many.
    OneIn(usize),
    /// So many, the letter of the paper.
    AtMost(usize),
}

/// Whether a person fits what is known.
type Fits = fn(&Person, &[u32]) -> bool;

/// An attacker who knows up to `m` events finds `k` people who fit.
pub fn km(people: &[Person], k: usize, m: usize) -> Judged {
    klm(people, &[], k, Bound::OneIn(1), m)
}

/// The same for events that are not sensitive, and at most so many of those people have a given sensitive item.
pub fn klm(people: &[Person], sensitive: &[u32], k: usize, bound: Bound, m: usize) -> Judged {
    found(worst(people, Asked { fits, sensitive, k, bound, m }, &mut Vec::new()))
}

/// The same for sets, of which order says nothing.
pub fn klm_of_sets(people: &[Person], sensitive: &[u32], k: usize, l: usize, m: usize) -> Judged {
    let asked = Asked { fits: fits_as_set, sensitive, k, bound: Bound::OneIn(l), m };
    found(worst(people, asked, &mut Vec::new()))
}

/// Every part of every set of a policy fits no one, or `k` people.
pub fn policy(people: &[Person], sets: &[Vec<u32>], k: usize) -> Judged {
    for set in sets {
        for chosen in 1_u32..1 << set.len() {
            let part: Vec<u32> =
                (0..set.len()).filter(|at| chosen >> at & 1 == 1).map(|at| set[at]).collect();
            let fitting = people.iter().filter(|person| fits_as_set(person, &part)).count();
            if (1..k).contains(&fitting) {
                return Judged::Broken(format!("items {part:?} fit {fitting} people, not {k}"));
            }
        }
    }
    Judged::Holds
}

fn found(worst: Option<String>) -> Judged {
    match worst {
        None => Judged::Holds,
        Some(why) => Judged::Broken(why),
    }
}

/// What is promised, and who fits known items.
#[derive(Clone, Copy)]
struct Asked<'a> {
    fits: Fits,
    sensitive: &'a [u32],
    k: usize,
    bound: Bound,
    m: usize,
}

fn worst(people: &[Person], asked: Asked<'_>, known: &mut Vec<u32>) -> Option<String> {
    let Asked { fits, sensitive, k, bound, m } = asked;
    if known.len() == m {
        return None;
    }
    let shown = people.iter().flat_map(|person| person.after.iter().flatten());
    let all = shown.fold(0, |bits, shown| bits | shown.may_be);
    for item in (0..u64::BITS).filter(|item| all >> item & 1 == 1 && !sensitive.contains(item)) {
        known.push(item);
        let fitting: Vec<&Person> = people.iter().filter(|person| fits(person, known)).collect();
        if !fitting.is_empty() {
            if fitting.len() < k {
                return Some(format!("items {known:?} fit {} people, not {k}", fitting.len()));
            }
            for secret in sensitive {
                let has = |person: &&&Person| person.after.iter().flatten().any(|shown| shown.fits(*secret));
                let carriers = fitting.iter().filter(has).count();
                let too_many = match bound {
                    Bound::OneIn(l) => carriers * l > fitting.len(),
                    Bound::AtMost(l) => carriers > l,
                };
                if too_many {
                    let of = fitting.len();
                    return Some(format!(
                        "items {known:?}: {carriers} of {of} people have item {secret}, {bound:?}"
                    ));
                }
            }
            if let Some(why) = worst(people, asked, known) {
                return Some(why);
            }
        }
        known.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::Shown;

    /// `a` is item 0, `b` item 1, the sensitive `s` item 2; a record a person.
    fn people(records: &[&[u64]]) -> Vec<Person> {
        let shown = |may_be: &u64| Shown { may_be: *may_be, time: None };
        let person =
            |record: &&[u64]| Person { before: Vec::new(), after: vec![record.iter().map(shown).collect()] };
        records.iter().map(person).collect()
    }

    const A: u64 = 1;
    const B: u64 = 2;
    const AB: u64 = A | B;
    const S: u64 = 4;

    #[test]
    fn whole_in_one_cluster_and_merged_in_another_is_counted_together() {
        // Each cluster keeps at most one person with `s`; all four people fit a real `a`, two of them with `s`.
        let clusters = people(&[&[A, S], &[A], &[AB, S], &[AB]]);
        assert!(matches!(klm(&clusters, &[2], 2, Bound::AtMost(1), 1), Judged::Broken(_)));
        assert_eq!(klm(&clusters, &[2], 2, Bound::AtMost(2), 1), Judged::Holds);
        assert_eq!(klm(&clusters, &[2], 2, Bound::OneIn(2), 1), Judged::Holds);
    }

    #[test]
    fn too_few_people_and_longer_knowledge_are_found() {
        let walks = people(&[&[A, B], &[A, B], &[B, A]]);
        assert_eq!(km(&walks, 2, 1), Judged::Holds);
        assert!(matches!(km(&walks, 2, 2), Judged::Broken(_)), "only one person did b before a");
        // One published event stands for one real event: `[a|b]` alone is not both.
        assert!(matches!(km(&people(&[&[AB, AB], &[AB]]), 2, 2), Judged::Broken(_)));
    }
}
