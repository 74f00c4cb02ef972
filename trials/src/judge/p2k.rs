//! P2k: every part of every published record is listed, and its people are counted in the release and in the data.

use std::collections::BTreeSet;

use super::Judged;
use crate::people::Person;

/// Any visits in their order that a record shows are shared by `k` people, there and in the original.
pub fn p2k(people: &[Person], k: usize) -> Judged {
    let mut after: Vec<Vec<Vec<u32>>> = Vec::new();
    for person in people {
        if person.after.iter().flatten().any(|shown| shown.may_be.count_ones() != 1) {
            return Judged::Broken("an event is generalised".to_owned());
        }
        let items = |record: &Vec<crate::people::Shown>| {
            record.iter().map(|shown| shown.may_be.trailing_zeros()).collect()
        };
        after.push(person.after.iter().map(items).collect());
    }
    let items = |record: &Vec<crate::people::Event>| record.iter().map(|event| event.item).collect();
    let before: Vec<Vec<Vec<u32>>> =
        people.iter().map(|person| person.before.iter().map(items).collect()).collect();
    let mut parts: BTreeSet<Vec<u32>> = BTreeSet::new();
    for record in after.iter().flatten() {
        for chosen in 1_u32..1 << record.len() {
            parts.insert((0..record.len()).filter(|at| chosen >> at & 1 == 1).map(|at| record[at]).collect());
        }
    }
    for part in &parts {
        for (place, records) in [("the release", &after), ("the original", &before)] {
            let people = records.iter().filter(|own| own.iter().any(|record| holds(record, part))).count();
            if people < k {
                return Judged::Broken(format!("{part:?} is shared by {people} people of {place}, not {k}"));
            }
        }
    }
    Judged::Holds
}

fn holds(record: &[u32], part: &[u32]) -> bool {
    let mut rest = record.iter();
    part.iter().all(|item| rest.any(|other| other == item))
}
