//! Generalises items along a taxonomy for groups of similar people, each group by itself.
//!
//! # Reference
//! TMK11: Terrovitis, Mamoulis, Kalnis. Local and global recoding methods for anonymizing set-valued data. VLDB Journal
//! 20(1), 2011. Algorithm LRA: Gray order, then Apriori on each part.
//! # Guarantees
//! The release satisfies `km` (`klm` for [`LmLocal`]), against an attacker who knows *original* items. Everybody is in one part, with all
//! records. Within a part one cut maps a known set of items to one set of nodes, which no person of the part has or at least `k`
//! people; these are the people of the part whose released record may hold the known set. Over all parts the numbers add up:
//! no part adds some and fewer than `k`. In each part at most one in `l` of those who fit has a given sensitive item, so
//! altogether too. That an item is published as itself in one part and as `drinks` in another changes none of this: both
//! are counted where they may be meant. Which part a person was in is not published.
//! # Cost
//! A sort of the people in Gray order, then Apriori on each part; parts run in parallel. Where something is lost, Apriori again on
//! neighbours together, up to all people: that is once more for each doubling.
//! # Departs from the paper
//! * In a small part `k` people are a larger share, so what was common in all becomes rare in each: on real baskets many parts lose
//!   more than one. `sound` joins neighbouring parts that lose no less apart, so it never loses more than Apriori.
//! * People with the same records are kept in one part, so parts differ a little in size.
//! * A part in which too many people have one sensitive item joins its neighbour; the paper does not say.
//! * See [`super::Apriori`] for what is counted.

use std::cmp::{Ordering, Reverse};

use rayon::prelude::*;
use throng_contract::{Descriptor, Input, Need, settings};

use super::apriori::{APRIORI, LM_APRIORI};
use super::baskets::Baskets;
use super::job::{Job, Part};
use super::params::{FAN_OUT, Klm, Km, PART_SIZE};
use super::search::Search;
use super::tree::Tree;
use crate::{Method, MethodError, Outcome, Task, Variant};

settings! {
    /// What the method is asked for.
    struct Asked {
        crowd: Km,
        part_size: u64 = PART_SIZE,
        fan_out: u64 = FAN_OUT,
    }
}

settings! {
    /// What the method is asked for where items are sensitive.
    struct DiverseAsked {
        crowd: Klm,
        part_size: u64 = PART_SIZE,
        fan_out: u64 = FAN_OUT,
    }
}

static LOCAL: Descriptor = Descriptor {
    name: "lra",
    purpose: "generalise items for groups of similar people, so that an item stays as it is where it is frequent",
    params: Asked::ALL,
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
    params: DiverseAsked::ALL,
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
        let asked = Asked::of(task.settings);
        run(&Job::new(LOCAL.name, task, asked.crowd, asked.fan_out)?, task, asked.part_size)
    }
}

impl Method for LmLocal {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_LOCAL
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = DiverseAsked::of(task.settings);
        run(&Job::new(LM_LOCAL.name, task, asked.crowd, asked.fan_out)?, task, asked.part_size)
    }
}

fn run(job: &Job<'_>, task: &Task<'_>, part_size: u64) -> Result<Outcome, MethodError> {
    if let Some(outcome) = job.nothing_to_do() {
        return Ok(outcome);
    }
    job.check(&job.leaves)?;
    let (order, keys) = {
        let _phase = task.progress.phase("put similar people together", None);
        gray_order(&job.leaves, &job.tree)
    };
    let runs = runs(job, &order, &keys, part_size);
    let phase = task.progress.phase("generalise each part", Some(runs.len() as u64));
    let quiet = task.progress.muted();
    let generalise = |run: &&[u32]| -> Result<Part, MethodError> {
        let mut search = Search { progress: &quiet, ..job.search(&job.leaves.only(run)) };
        search.by_size()?;
        phase.advance(1)?;
        Ok(Part::from(search))
    };
    let parts: Result<Vec<Part>, MethodError> = runs.par_iter().map(generalise).collect();
    let apart = runs.iter().zip(parts?).map(|(run, part)| Stretch::alone(run.len(), part)).collect();
    let parts = match task.variant {
        Variant::Sound => joined(&order, apart, generalise)?,
        Variant::AsPrinted => apart,
    };
    let mut part_of = vec![0; job.leaves.crowds()];
    let mut done = Vec::new();
    let mut begin = 0;
    for (crowds, part) in parts.into_iter().flat_map(|stretch| stretch.parts) {
        order[begin..begin + crowds].iter().for_each(|crowd| part_of[*crowd as usize] = done.len() as u32);
        begin += crowds;
        done.push(part);
    }
    Ok(job.publish(done, &part_of))
}

/// People next to each other in the order, with one cut for all of them or several.
struct Stretch {
    crowds: usize,
    cost: u64,
    /// How many crowds each part has.
    parts: Vec<(usize, Part)>,
}

impl Stretch {
    fn alone(crowds: usize, part: Part) -> Self {
        Stretch { crowds, cost: part.cut.cost(), parts: vec![(crowds, part)] }
    }

    fn beside(mut self, other: Stretch) -> Self {
        self.parts.extend(other.parts);
        Stretch { crowds: self.crowds + other.crowds, cost: self.cost + other.cost, parts: self.parts }
    }
}

/// Puts neighbours together, two by two, until one stretch is left; each has one cut where that loses no more than several.
fn joined(
    order: &[u32],
    mut stretches: Vec<Stretch>,
    generalise: impl Fn(&&[u32]) -> Result<Part, MethodError> + Sync,
) -> Result<Vec<Stretch>, MethodError> {
    while stretches.len() > 1 {
        let mut places = Vec::with_capacity(stretches.len() / 2);
        let mut begin = 0;
        for two in stretches.chunks(2) {
            let crowds = two.iter().map(|stretch| stretch.crowds).sum::<usize>();
            let lost = two.iter().map(|stretch| stretch.cost).sum::<u64>();
            // A single one is left over at the end; what loses nothing cannot lose less.
            places.push((two.len() == 2 && lost > 0).then(|| &order[begin..begin + crowds]));
            begin += crowds;
        }
        let together: Result<Vec<Option<Part>>, MethodError> =
            places.par_iter().map(|place| place.as_ref().map(&generalise).transpose()).collect();
        let mut rest = stretches.into_iter();
        let mut next = Vec::with_capacity(places.len());
        for together in together? {
            let Some(first) = rest.next() else { break };
            let apart = match rest.next() {
                Some(second) => first.beside(second),
                None => first,
            };
            next.push(match together {
                Some(part) if part.cut.cost() <= apart.cost => Stretch::alone(apart.crowds, part),
                _ => apart,
            });
        }
        stretches = next;
    }
    Ok(stretches)
}

/// Cuts the order into runs of about so many people. Each boundary is shifted by up to a tenth of that to where neighbours
/// differ most. A run that cannot be anonymised takes the next people in; what is left over at the end joins the last.
fn runs<'o>(job: &Job<'_>, order: &'o [u32], keys: &[Key], size: u64) -> Vec<&'o [u32]> {
    let all = job.leaves.people();
    let size = size.max(job.demand.k);
    let size = all.div_ceil((all / size).max(1));
    let window = size / 10;
    let mut runs: Vec<&[u32]> = Vec::new();
    let (mut begin, mut at) = (0, 0);
    let mut crowd = Crowd::new(job);
    let (mut before, mut target) = (0, size);
    // The best boundary so far: how much it differs, how far it is from where it should be, people and crowds before it.
    let mut best: Option<(Reverse<usize>, u64, u64, usize)> = None;
    while at < order.len() {
        crowd.take_in(order[at]);
        at += 1;
        let reached = before + crowd.people;
        if target + size / 2 > all {
            continue;
        }
        if reached + window >= target && at < order.len() && crowd.is_safe_as_one() {
            let gap = differing(&keys[order[at - 1] as usize].places, &keys[order[at] as usize].places);
            let candidate = (Reverse(gap), reached.abs_diff(target), reached, at);
            best = best.into_iter().chain([candidate]).min();
        }
        if reached >= target + window
            && let Some((_, _, people, end)) = best.take()
        {
            runs.push(&order[begin..end]);
            (begin, at, before) = (end, end, people);
            crowd = Crowd::new(job);
            while target <= before + window {
                target += size;
            }
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

/// In how many places two ascending lists differ.
fn differing(a: &[u32], b: &[u32]) -> usize {
    let common = a.iter().filter(|place| b.binary_search(place).is_ok()).count();
    a.len() + b.len() - 2 * common
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
fn gray_order(people: &Baskets, tree: &Tree) -> (Vec<u32>, Vec<Key>) {
    let keys: Vec<Key> =
        (0..people.crowds()).into_par_iter().map(|crowd| Key::of(people, tree, crowd)).collect();
    let mut order: Vec<u32> = (0..people.crowds() as u32).collect();
    order.par_sort_unstable_by(|a, b| keys[*a as usize].cmp(&keys[*b as usize]).then(a.cmp(b)));
    (order, keys)
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
pub(crate) fn gray(a: &[u32], b: &[u32]) -> Ordering {
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
    fn neighbours_differ_in_what_one_of_them_has() {
        assert_eq!(
            (differing(&[1, 2, 5], &[2, 5, 9]), differing(&[], &[3]), differing(&[3], &[3])),
            (2, 1, 0)
        );
    }

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
