//! HORPART: people with the same frequent terms come into one cluster.
//!
//! A set of people is divided into those with its most frequent term and the others, and both again. The others are divided by
//! the same rule with the same counts less those of the first part: so counting is done once for a whole chain of
//! divisions, and a record is looked at once for each of its terms by which it was divided.

use std::collections::BinaryHeap;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use super::people::{Holders, People};

/// People who share the terms by which they were divided.
struct Part {
    people: Vec<u32>,
    /// The terms by which they were divided already.
    ignore: Vec<u32>,
    /// Where the part stands: the turn taken at each division.
    path: Vec<u32>,
}

/// Clusters of fewer than `most` people, in the order in which the paper's recursion gives them; larger ones where no term is
/// left to divide by.
pub(super) fn horpart(people: &People, most: usize, progress: &Progress) -> Result<Vec<Vec<u32>>, Cancelled> {
    let phase = progress.phase("divide people", None);
    let mut open =
        vec![Part { people: (0..people.len() as u32).collect(), ignore: Vec::new(), path: Vec::new() }];
    let mut done: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    // Round by round and not by recursion: a path may be as long as a record.
    while !open.is_empty() {
        phase.advance(open.len() as u64)?;
        let divided: Vec<Vec<Part>> =
            std::mem::take(&mut open).into_par_iter().map(|part| divide(people, part, most)).collect();
        for part in divided.into_iter().flatten() {
            // A part that came back as it was has no term to be divided by.
            if part.people.len() < most || part.ignore.last() == Some(&super::people::NONE) {
                done.push((part.path, part.people));
            } else {
                open.push(part);
            }
        }
    }
    done.sort_unstable();
    Ok(done.into_iter().map(|(_, people)| people).filter(|people| !people.is_empty()).collect())
}

/// Takes the people with the most frequent term away, again and again, until few are left.
fn divide(people: &People, part: Part, most: usize) -> Vec<Part> {
    if part.people.len() < most {
        return vec![part];
    }
    let Part { people: all, mut ignore, path } = part;
    let holders = Holders::of(people, &all);
    // A term that everybody has divides nothing: it is as good as ignored.
    ignore.extend(
        (0..holders.terms.len()).filter(|at| holders.support(*at) == all.len()).map(|at| holders.terms[at]),
    );
    ignore.sort_unstable();
    let mut counts: Vec<u32> = (0..holders.terms.len()).map(|at| holders.support(at) as u32).collect();
    let mut ends = vec![0_usize; all.len() + 1];
    for (place, person) in all.iter().enumerate() {
        ends[place + 1] = ends[place] + people.terms(*person).len();
    }
    // Term after term, so that those of a person ascend.
    let mut positions = vec![0_u32; holders.pairs()];
    let mut next = ends.clone();
    for at in 0..holders.terms.len() {
        for place in holders.at(at) {
            let next = &mut next[*place as usize];
            positions[*next] = at as u32;
            *next += 1;
        }
    }
    let is_open = |at: usize| ignore.binary_search(&holders.terms[at]).is_err();
    let mut heap: BinaryHeap<(u32, std::cmp::Reverse<u32>)> = (0..holders.terms.len())
        .filter(|at| is_open(*at))
        .map(|at| (counts[at], std::cmp::Reverse(at as u32)))
        .collect();
    let mut here = vec![true; all.len()];
    let mut left = all.len();
    let mut parts = Vec::new();
    let below = |turn: usize| path.iter().copied().chain([turn as u32]).collect::<Vec<u32>>();
    while left >= most {
        let Some((count, std::cmp::Reverse(at))) = heap.pop() else { break };
        if count != counts[at as usize] {
            // Counts only fall: the entry is put where it belongs now.
            if counts[at as usize] > 0 {
                heap.push((counts[at as usize], std::cmp::Reverse(at)));
            }
            continue;
        }
        let places: Vec<u32> =
            holders.at(at as usize).iter().copied().filter(|place| here[*place as usize]).collect();
        for place in &places {
            here[*place as usize] = false;
            for position in &positions[ends[*place as usize]..ends[*place as usize + 1]] {
                counts[*position as usize] -= 1;
            }
        }
        left -= places.len();
        let mut ignore = ignore.clone();
        ignore.push(holders.terms[at as usize]);
        let people = places.iter().map(|place| all[*place as usize]).collect();
        parts.push(Part { people, ignore, path: below(parts.len()) });
    }
    let rest = all.iter().zip(&here).filter(|(_, here)| **here).map(|(person, _)| *person).collect();
    // Nothing is left to divide the others by, or they are few.
    parts.push(Part { people: rest, ignore: vec![super::people::NONE], path: below(parts.len()) });
    parts
}
