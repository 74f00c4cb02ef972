//! Generalises items along a taxonomy for groups of similar people, each group by itself.
//!
//! # Reference
//! TMK11: Terrovitis, Mamoulis, Kalnis. Local and global recoding methods for anonymizing set-valued data. VLDB Journal
//! 20(1), 2011. Algorithm LRA: Gray order, then Apriori on each part.
//! # Guarantees
//! The release satisfies `km` (`klm` for [`LmLocal`]), for whoever knows *original* items. Everybody is in one part, with all
//! records. Within a part one cut maps a known set of items to one set of nodes, which nobody in the part has or at least `k`
//! people; these are the people of the part whose released record may hold the known set. Over all parts the numbers add up:
//! no part adds some and fewer than `k`. In each part at most one in `l` of those who fit has a given sensitive item, so
//! altogether too. That an item is published as itself in one part and as `drinks` in another changes none of this: both
//! are counted where they may be meant. Which part somebody was in is not published.
//! # Cost
//! A sort of the people in Gray order, then Apriori on each part; parts run in parallel.
//! # Departs from the paper
//! * People with the same records are kept in one part, so parts differ a little in size.
//! * A part in which too many people have one sensitive item joins its neighbour; the paper does not say.
//! * See [`super::Apriori`] for what is counted.

use std::cmp::Ordering;

use rayon::prelude::*;
use throng_contract::{Descriptor, Input, Need, Param, ParamKind};

use super::apriori::{APRIORI, LM_APRIORI};
use super::baskets::Baskets;
use super::job::{Job, Part};
use super::params::{FAN_OUT, K, L, M};
use super::search::Search;
use super::tree::Tree;
use crate::{Method, MethodError, Outcome, Task};

const PART_SIZE: Param = Param {
    name: "part-size",
    kind: ParamKind::Integer { min: 1, max: 1_000_000_000 },
    default: Some("50000"),
    help: "people of a part, about; similar people are in one part, and parts are generalised apart",
};

static LOCAL: Descriptor = Descriptor {
    name: "lra",
    purpose: "generalise items for groups of similar people, so that an item stays as it is where it is frequent",
    params: &[K, M, PART_SIZE, FAN_OUT],
    paper: "TMK11",
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --method lra -k 5 -m 2 -o release",
    notes: "The same item may be published as it is for one group of people and generalised for another. Which group a \
            person was in is not published.",
    ..APRIORI
};

static LM_LOCAL: Descriptor = Descriptor {
    name: "lm-lra",
    purpose: "like lra, and at most one in l of those who fit has any one sensitive item",
    needs: &[Need::optional(Input::Taxonomy), Need::required(Input::SensitiveItems)],
    params: &[K, L, M, PART_SIZE, FAN_OUT],
    example: "throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv --sensitive baskets/sensitive.csv \
              --method lm-lra -k 5 -l 2 -m 2 -o release",
    ..LM_APRIORI
};

/// LRA.
#[derive(Debug, Clone, Copy)]
pub struct Local;

/// LRA with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmLocal;

impl Method for Local {
    fn descriptor(&self) -> &'static Descriptor {
        &LOCAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        run(&Job::new(LOCAL.name, task, false)?, task)
    }
}

impl Method for LmLocal {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_LOCAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        run(&Job::new(LM_LOCAL.name, task, true)?, task)
    }
}

fn run(job: &Job<'_>, task: &Task<'_>) -> Result<Outcome, MethodError> {
    if let Some(outcome) = job.nothing_to_do() {
        return Ok(outcome);
    }
    job.check(&job.leaves)?;
    let order = {
        let _phase = task.progress.phase("put similar people together", None);
        gray_order(&job.leaves, &job.tree)
    };
    let parts = runs(job, &order, task.settings.integer("part-size"));
    let mut part_of = vec![0; job.leaves.crowds()];
    for (number, part) in parts.iter().enumerate() {
        part.iter().for_each(|crowd| part_of[*crowd as usize] = number as u32);
    }
    let phase = task.progress.phase("generalise each part", Some(parts.len() as u64));
    let quiet = task.progress.muted();
    let done: Result<Vec<Part>, MethodError> = parts
        .par_iter()
        .map(|part| {
            let mut search = Search { progress: &quiet, ..job.search(&job.leaves.only(part)) };
            search.by_size()?;
            phase.advance(1)?;
            Ok(Part::from(search))
        })
        .collect();
    Ok(job.publish(done?, &part_of))
}

/// Cuts the order into runs of about so many people. A run that cannot be anonymised takes the next one in; what is left
/// over at the end joins the last.
fn runs<'o>(job: &Job<'_>, order: &'o [u32], size: u64) -> Vec<&'o [u32]> {
    let size = size.max(job.demand.k);
    let size = job.leaves.people().div_ceil((job.leaves.people() / size).max(1));
    let mut runs: Vec<&[u32]> = Vec::new();
    let mut begin = 0;
    let mut crowd = Crowd::new(job);
    for (at, next) in order.iter().enumerate() {
        crowd.take_in(*next);
        if crowd.people >= size && crowd.is_safe_as_one() {
            runs.push(&order[begin..=at]);
            begin = at + 1;
            crowd = Crowd::new(job);
        }
    }
    // The last ones may be too few, or have too many secrets in common: they take back runs until they do not.
    while begin < order.len() && !crowd.is_safe_as_one() {
        let Some(run) = runs.pop() else { break };
        run.iter().for_each(|taken| crowd.take_in(*taken));
        begin -= run.len();
    }
    if begin < order.len() {
        runs.push(&order[begin..]);
    }
    runs
}

/// People of a run, and their secrets.
struct Crowd<'a> {
    job: &'a Job<'a>,
    people: u64,
    carriers: Vec<u64>,
}

impl<'a> Crowd<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        Crowd { job, people: 0, carriers: vec![0; job.secrets] }
    }

    fn take_in(&mut self, crowd: u32) {
        let weight = u64::from(self.job.leaves.weight(crowd as usize));
        self.people += weight;
        for secret in self.job.leaves.secrets_of(crowd as usize) {
            self.carriers[*secret as usize] += weight;
        }
    }

    /// Whether they would do if all their items became one.
    fn is_safe_as_one(&self) -> bool {
        self.job.demand.is_met_by((self.people, self.carriers.iter().copied().max().unwrap_or(0)))
    }
}

/// The crowds in the Gray order of the items they have, from left to right in the hierarchy.
///
/// Neighbours in this order differ in few items, and in items that lie next to each other.
fn gray_order(people: &Baskets, tree: &Tree) -> Vec<u32> {
    let keys: Vec<Key> =
        (0..people.crowds()).into_par_iter().map(|crowd| Key::of(people, tree, crowd)).collect();
    let mut order: Vec<u32> = (0..people.crowds() as u32).collect();
    order.par_sort_unstable_by(|a, b| keys[*a as usize].cmp(&keys[*b as usize]).then(a.cmp(b)));
    order
}

/// The items of a crowd as bits, the leftmost item first.
struct Key {
    /// The rank of the first 128 bits in the Gray code; most comparisons end here.
    head: u128,
    places: Vec<u32>,
}

impl Key {
    fn of(people: &Baskets, tree: &Tree, crowd: usize) -> Self {
        let leaves = people.rows_of(crowd).flat_map(|row| people.row(row));
        let mut places: Vec<u32> = leaves.map(|leaf| tree.span(*leaf).start).collect();
        places.sort_unstable();
        places.dedup();
        let mut head = 0;
        for place in places.iter().take_while(|place| **place < u128::BITS) {
            // Every bit from here on is turned: the rank is the parity of the bits so far.
            head ^= u128::MAX >> place;
        }
        Key { head, places }
    }

    fn cmp(&self, other: &Key) -> Ordering {
        self.head.cmp(&other.head).then_with(|| gray(&self.places, &other.places))
    }
}

/// Compares two ascending lists of set bits by their place in the reflected Gray code.
fn gray(a: &[u32], b: &[u32]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (next_a, next_b) = (a.get(common), b.get(common));
    // At the first place where they differ one has a bit. It comes later, unless an odd number of bits went before.
    let later = match (next_a, next_b) {
        (None, None) => return Ordering::Equal,
        (Some(a), Some(b)) if a > b => Ordering::Less,
        (None, Some(_)) => Ordering::Less,
        _ => Ordering::Greater,
    };
    if common % 2 == 0 { later } else { later.reverse() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_stand_in_the_order_of_the_reflected_code() {
        // 000 001 011 010 110 111 101 100, the first bit being item 0.
        let code: [&[u32]; 8] = [&[], &[2], &[1, 2], &[1], &[0, 1], &[0, 1, 2], &[0, 2], &[0]];
        for (i, a) in code.iter().enumerate() {
            for (j, b) in code.iter().enumerate() {
                assert_eq!(gray(a, b), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }
}
