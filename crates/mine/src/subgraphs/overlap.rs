//! Supports that count places which do not get in each other's way: maximum independent sets (MIS) of places that share no edge, and of
//! places without harmful overlap (HO). HO is at most MNI, so a
//! pattern is looked at only when MNI is enough.
//!
//! # References
//! Kuramochi, Karypis. Finding frequent patterns in a large sparse graph. DMKD 2005.
//! Fiedler, Borgelt. Subgraph support in a single large graph. ICDM Workshops 2007.
//! # Cost
//! All places are found and kept, and an independent set is searched for: both may be exponential. The greedy form takes the place with
//! the fewest rivals first; what it finds is a lower bound. A pattern with more than [`MAX_PLACES`] places, or [`MAX_RIVALS`] pairs of them
//! that get in each other's way, is given up and counted: 16 MB and 512 MB at most for each thread.

use std::sync::atomic::Ordering;

use super::Measure;
use super::code::Code;
use super::consistency::Problem;
use super::domain::Domain;
use super::support::{Frequent, Halt, Judge};

/// Places of one pattern, at most.
pub(super) const MAX_PLACES: usize = 1 << 15;

/// Pairs of places that get in each other's way, at most.
const MAX_RIVALS: usize = 1 << 26;

/// Whether a pattern that is frequent by MNI is so by the measure asked for; its support is then that of the measure.
pub(super) fn enough(
    judge: &Judge<'_>,
    measure: Measure,
    code: &Code,
    frequent: &mut Frequent,
) -> Result<bool, Halt> {
    if measure == Measure::Mni {
        return Ok(true);
    }
    let places = places(judge, code, &frequent.domains)?;
    if places.len() > MAX_PLACES {
        judge.counts.given_up.fetch_add(1, Ordering::Relaxed);
        return Ok(false);
    }
    let (rivals, count) = match measure {
        Measure::HarmfulOverlap => (rivals(judge, &places, |a, b| harmful(a, b))?, places.len()),
        _ => {
            let mut sets: Vec<Vec<(u32, u32, u32)>> =
                places.iter().map(|place| edges(judge.directed, code, place)).collect();
            // A place turned by a symmetry of the pattern is the same subgraph.
            sets.sort_unstable();
            sets.dedup();
            (rivals(judge, &sets, |a, b| a.iter().any(|edge| b.binary_search(edge).is_ok()))?, sets.len())
        }
    };
    let Some(rivals) = rivals else {
        judge.counts.given_up.fetch_add(1, Ordering::Relaxed);
        return Ok(false);
    };
    let greedy = greedy(&rivals);
    let wanted = if judge.exact { count } else { judge.min_support as usize };
    let size = match measure {
        Measure::MisGreedy => greedy,
        _ if greedy >= wanted => greedy,
        _ => Independent { rivals: &rivals, judge, wanted, best: greedy }.largest()?,
    };
    frequent.support = size as u64;
    frequent.exact = judge.exact && measure != Measure::MisGreedy;
    Ok(frequent.support >= judge.min_support)
}

/// All places of a pattern, as the nodes that each of its nodes lies on; one more than [`MAX_PLACES`] where there are more.
fn places(judge: &Judge<'_>, code: &Code, domains: &[Domain]) -> Result<Vec<Vec<u32>>, Halt> {
    let problem = Problem::new(judge.index, judge.directed, code.labels(), &code.links(), domains.to_vec());
    let mut found = Vec::new();
    let mut place: Vec<u32> = Vec::new();
    for facet in problem.domains[0].iter() {
        place.push(facet);
        extend(judge, &problem, code, &mut place, &mut found)?;
        place.pop();
    }
    for place in &mut found {
        place.iter_mut().for_each(|facet: &mut u32| *facet = judge.index.node(*facet));
    }
    Ok(found)
}

/// Nodes of a walk come after a node they are joined to.
fn extend(
    judge: &Judge<'_>,
    problem: &Problem<'_>,
    code: &Code,
    place: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) -> Result<(), Halt> {
    judge.breathe()?;
    if found.len() > MAX_PLACES {
        return Ok(());
    }
    let node = place.len();
    if node == problem.labels.len() {
        found.push(place.clone());
        return Ok(());
    }
    let index = problem.index;
    let Some(step) = code.steps.iter().find(|step| usize::from(step.to) == node && step.from < step.to)
    else {
        return Ok(());
    };
    let range = index.range(problem.labels[node]);
    for facet in index.neighbours(place[usize::from(step.from)], step.kind, &range).iter().copied() {
        let fits = problem.domains[node].contains(facet)
            && place.iter().all(|placed| index.node(*placed) != index.node(facet))
            && problem.touching[node]
                .iter()
                .filter(|(other, _)| usize::from(*other) < node)
                .all(|(other, kind)| index.joined(facet, *kind, place[usize::from(*other)]));
        if fits {
            place.push(facet);
            extend(judge, problem, code, place, found)?;
            place.pop();
        }
    }
    Ok(())
}

/// The edges of the graph that a place uses, ascending.
fn edges(directed: bool, code: &Code, place: &[u32]) -> Vec<(u32, u32, u32)> {
    let mut edges: Vec<(u32, u32, u32)> = code
        .links()
        .iter()
        .map(|(from, to, kind)| {
            let (a, b) = (place[usize::from(*from)], place[usize::from(*to)]);
            // One way to write an edge, whichever end it was walked from.
            let swap = if directed { kind % 2 == 1 } else { b < a };
            let (a, b) = if swap { (b, a) } else { (a, b) };
            (a, b, kind / 2)
        })
        .collect();
    edges.sort_unstable();
    edges
}

/// Some node of the pattern lies, in both places, on nodes that both places use.
fn harmful(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).any(|(one, other)| b.contains(one) && a.contains(other))
}

/// For each place those that cannot be counted beside it; `None` where they are too many to hold.
fn rivals<T>(
    judge: &Judge<'_>,
    places: &[T],
    clash: impl Fn(&T, &T) -> bool,
) -> Result<Option<Vec<Vec<u32>>>, Halt> {
    let mut rivals: Vec<Vec<u32>> = vec![Vec::new(); places.len()];
    let mut pairs = 0;
    for a in 0..places.len() {
        judge.breathe()?;
        for b in 0..a {
            if clash(&places[a], &places[b]) {
                rivals[a].push(b as u32);
                rivals[b].push(a as u32);
                pairs += 1;
            }
        }
        if pairs > MAX_RIVALS {
            return Ok(None);
        }
    }
    Ok(Some(rivals))
}

fn greedy(rivals: &[Vec<u32>]) -> usize {
    let mut order: Vec<usize> = (0..rivals.len()).collect();
    order.sort_by_key(|place| (rivals[*place].len(), *place));
    let mut out = vec![false; rivals.len()];
    let mut size = 0;
    for place in order {
        if !out[place] {
            size += 1;
            rivals[place].iter().for_each(|rival| out[*rival as usize] = true);
        }
    }
    size
}

/// A search for a largest set of places without rivals.
struct Independent<'a> {
    rivals: &'a [Vec<u32>],
    judge: &'a Judge<'a>,
    /// A set of this size is enough.
    wanted: usize,
    best: usize,
}

impl Independent<'_> {
    fn largest(mut self) -> Result<usize, Halt> {
        let all: Vec<u32> = (0..self.rivals.len() as u32).collect();
        self.branch(all, 0)?;
        Ok(self.best)
    }

    fn branch(&mut self, mut left: Vec<u32>, mut size: usize) -> Result<(), Halt> {
        self.judge.breathe()?;
        loop {
            if self.best >= self.wanted || size + left.len() <= self.best {
                return Ok(());
            }
            let degree = |place: &u32| {
                self.rivals[*place as usize].iter().filter(|rival| left.binary_search(rival).is_ok()).count()
            };
            let Some(fewest) = left.iter().copied().min_by_key(|place| degree(place)) else {
                self.best = self.best.max(size);
                return Ok(());
            };
            // A place with at most one rival is in some largest set.
            if degree(&fewest) <= 1 {
                left.retain(|place| *place != fewest && !self.rivals[fewest as usize].contains(place));
                size += 1;
                if left.is_empty() {
                    self.best = self.best.max(size);
                    return Ok(());
                }
                continue;
            }
            let Some(most) = left.iter().copied().max_by_key(|place| degree(place)) else { return Ok(()) };
            let with = left
                .iter()
                .copied()
                .filter(|place| *place != most && !self.rivals[most as usize].contains(place))
                .collect();
            self.branch(with, size + 1)?;
            left.retain(|place| *place != most);
        }
    }
}
