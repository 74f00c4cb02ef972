//! REFINE: clusters whose term chunks have terms in common become joint clusters, and publish those terms in shared chunks.
//!
//! Round by round clusters are put in order by what their term chunks hold, frequent terms first, and neighbours are joined if Equation 1 says that
//! more is gained than lost. Every round looks at pairs side by side, then at those that were left over, all in
//! parallel: what a pair does depends on nothing but the two.

mod common;
mod lists;
mod parts;
mod top;

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use self::common::Common;
use self::lists::{merge, taken_out, terms_of};
pub(super) use self::parts::Parts;
use self::top::{Placed, Top, most_placed};
use super::partition::Partition;
use super::people::NONE;
use super::verpart::{Rule, Simple};
use crate::Variant;

/// Rounds at most. Clusters double in each, so more would only move what is left over.
const ROUNDS: usize = 48;
/// How many terms of a term chunk decide where a cluster stands in the order.
const LEADING: usize = 24;

/// A joint cluster.
pub(super) struct Joint {
    /// The clusters it was made of.
    pub children: [u32; 2],
    pub size: u64,
    /// Its shared chunks.
    pub shared: Vec<Parts>,
    /// The terms that moved to shared chunks, ascending.
    pub terms: Vec<u32>,
}

/// Simple clusters, joint clusters, and what is left in term chunks.
pub(super) struct Refined {
    /// Joint clusters, numbered after the simple ones.
    pub joints: Vec<Joint>,
    /// What stays in the term chunk of each simple cluster: terms and who has them.
    pub rest: Vec<Vec<(u32, u32)>>,
}

/// What two clusters would share.
struct Gain {
    terms: Vec<u32>,
    shared: Vec<Parts>,
    /// How often each term is in the shared chunks; as `terms`.
    counts: Vec<u64>,
}

/// What is the same for all pairs.
struct Books<'a> {
    simple: &'a [Simple],
    /// The simple cluster of each person.
    cluster_of: &'a [u32],
    /// How many different terms are left in the term chunk of each simple cluster.
    left: Vec<u32>,
    rule: Rule,
    variant: Variant,
}

/// Joins clusters while that gains something.
pub(super) fn refine(
    simple: &[Simple],
    cluster_of: &[u32],
    rule: Rule,
    variant: Variant,
    progress: &Progress,
) -> Result<Refined, Cancelled> {
    let phase = progress.phase("join clusters", None);
    let left = simple.iter().map(|cluster| distinct(&cluster.rest)).collect();
    let mut books = Books { simple, cluster_of, left, rule, variant };
    let mut tops: Vec<Top> =
        simple.iter().enumerate().map(|(number, cluster)| Top::simple(number, cluster)).collect();
    let width = tops.iter().filter_map(|top| top.terms.last()).max().map_or(0, |term| *term as usize + 1);
    let mut quiet: Vec<Top> = Vec::new();
    let mut joints: Vec<Joint> = Vec::new();
    let mut tried: HashSet<(u32, u32), foldhash::fast::FixedState> = HashSet::default();
    for _ in 0..ROUNDS {
        // Who has nothing left in a term chunk can share nothing.
        let (open, done): (Vec<Top>, Vec<Top>) = tops.into_iter().partition(|top| !top.rest.is_empty());
        quiet.extend(done);
        let mut open = in_order(open, width);
        let before = joints.len();
        for sweep in 0..2 {
            phase.advance(open.len() as u64)?;
            let mut slots: Vec<Option<Top>> = open.into_iter().map(Some).collect();
            let pairs: Vec<(usize, Gain)> = (sweep..slots.len().saturating_sub(1))
                .into_par_iter()
                .step_by(2)
                .filter_map(|at| {
                    let (a, b) = (slots[at].as_ref()?, slots[at + 1].as_ref()?);
                    if tried.contains(&(a.number, b.number)) {
                        return None;
                    }
                    books.gain(a, b).map(|gain| (at, gain))
                })
                .collect();
            progress.check()?;
            for at in (sweep..slots.len().saturating_sub(1)).step_by(2) {
                if let (Some(a), Some(b)) = (&slots[at], &slots[at + 1]) {
                    tried.insert((a.number, b.number));
                }
            }
            for (at, gain) in pairs {
                let (Some(a), Some(b)) = (slots[at].take(), slots[at + 1].take()) else { continue };
                let number = (simple.len() + joints.len()) as u32;
                slots[at] = Some(books.join(a, b, number, gain, &mut joints));
            }
            open = slots.into_iter().flatten().collect();
        }
        tops = open;
        if joints.len() == before {
            break;
        }
    }
    let mut rest: Vec<Vec<(u32, u32)>> = vec![Vec::new(); simple.len()];
    for pair in tops.into_iter().chain(quiet).flat_map(|top| top.rest) {
        rest[cluster_of[pair.1 as usize] as usize].push(pair);
    }
    Ok(Refined { joints, rest })
}

/// Clusters by what their term chunks hold: terms of many term chunks first, then term by term. Terms are numbered below `width`.
fn in_order(tops: Vec<Top>, width: usize) -> Vec<Top> {
    let mut chunks_with = vec![0_u32; width];
    for term in tops.iter().flat_map(|top| &top.terms) {
        chunks_with[*term as usize] += 1;
    }
    let mut order: Vec<(Vec<u64>, u32)> = (0..tops.len() as u32)
        .into_par_iter()
        .map_init(Vec::new, |key: &mut Vec<u64>, at| {
            // One number orders by falling count, and then by term.
            let place = |term: &u32| u64::from(!chunks_with[*term as usize]) << 32 | u64::from(*term);
            key.clear();
            key.extend(tops[at as usize].terms.iter().map(place));
            if key.len() > LEADING {
                key.select_nth_unstable(LEADING - 1);
                key.truncate(LEADING);
            }
            key.sort_unstable();
            (key.clone(), at)
        })
        .collect();
    let number = |at: u32| tops[at as usize].number;
    order.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then(number(a.1).cmp(&number(b.1))));
    let mut slots: Vec<Option<Top>> = tops.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, at)| slots[at as usize].take()).collect()
}

fn distinct(rest: &[(u32, u32)]) -> u32 {
    rest.chunk_by(|a, b| a.0 == b.0).count() as u32
}

impl Books<'_> {
    /// What two clusters would publish together; `None` if that is nothing, or not worth it.
    fn gain(&self, a: &Top, b: &Top) -> Option<Gain> {
        let common = Common::of(a, b, self.rule.k);
        if common.terms.is_empty() {
            return None;
        }
        let mut order: Vec<usize> = (0..common.terms.len()).collect();
        if self.variant == Variant::Sound {
            self.keep_last_terms(&common, &mut order);
        }
        let size = a.size + b.size;
        if !self.is_worth_it(&common, &order, size) {
            return None;
        }
        // Terms by falling support; the sort keeps the order of names.
        order.sort_by_key(|at| std::cmp::Reverse(common.holders(*at).len()));
        let mut people: Vec<u32> = order.iter().flat_map(|at| common.holders(*at)).copied().collect();
        people.sort_unstable();
        people.dedup();
        let rows = common.rows(&people);
        let (elsewhere, reach) = self.elsewhere(&common, &order, a, b);
        let lists: Vec<&[u32]> = order.iter().map(|at| &rows[common.span(*at)]).collect();
        let Rule { k, m, .. } = self.rule;
        let mixed = self.variant == Variant::AsPrinted;
        let partition = Partition { holders: &lists, rows: people.len(), k, m, elsewhere: &elsewhere, mixed };
        let mut chunks = partition.chunks();
        if let Some(bound) = self.rule.bound {
            let most_below = most_placed(a, b);
            let support = |position: &usize| lists[*position].len() as u64;
            for chunk in &mut chunks {
                chunk.retain(|position| !bound.is_broken(most_below, support(position), reach[*position]));
            }
            chunks.retain(|chunk| !chunk.is_empty());
            while let Some(linked) =
                bound.rarest_linked(&chunks, support, reach.iter().copied().min().unwrap_or(size))
            {
                chunks.iter_mut().for_each(|chunk| chunk.retain(|position| *position != linked));
                chunks.retain(|chunk| !chunk.is_empty());
            }
            let mut kept: Vec<usize> = chunks.iter().flatten().copied().collect();
            kept.sort_unstable();
            let kept: Vec<usize> = kept.into_iter().map(|position| order[position]).collect();
            if kept.is_empty() || !self.is_worth_it(&common, &kept, size) {
                return None;
            }
        }
        let term = |position: usize| common.terms[order[position]];
        let parts = |chunk: &Vec<usize>| {
            let pairs = chunk.iter().flat_map(|at| lists[*at].iter().map(|row| (*row, term(*at))));
            Parts::of(pairs.collect())
        };
        let shared = chunks.iter().map(parts).collect();
        let mut terms: Vec<(u32, u64)> = chunks
            .iter()
            .flatten()
            .map(|position| (term(*position), lists[*position].len() as u64))
            .collect();
        terms.sort_unstable();
        let (terms, counts) = terms.into_iter().unzip();
        Some(Gain { terms, shared, counts })
    }

    /// Leaves a term in the term chunk of every cluster whose record chunks do not stand alone: Lemma 2 rests on it.
    fn keep_last_terms(&self, common: &Common, order: &mut Vec<usize>) {
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for position in order.iter() {
            for person in common.holders(*position) {
                let cluster = self.cluster_of[*person as usize];
                let entry = (cluster, *position as u32);
                // People of a cluster often stand side by side.
                if taken.last() != Some(&entry) && !self.simple[cluster as usize].stands_alone {
                    taken.push(entry);
                }
            }
        }
        taken.sort_unstable();
        taken.dedup();
        let mut stays = vec![false; common.terms.len()];
        for terms in taken.chunk_by(|x, y| x.0 == y.0) {
            let is_emptied = self.left[terms[0].0 as usize] as usize == terms.len();
            let positions = || terms.iter().map(|(_, position)| *position as usize);
            if !is_emptied || positions().any(|position| stays[position]) {
                continue;
            }
            let rarest = positions()
                .min_by_key(|position| (common.holders(*position).len(), std::cmp::Reverse(*position)));
            if let Some(position) = rarest {
                stays[position] = true;
            }
        }
        order.retain(|position| !stays[*position]);
    }

    /// Equation 1: how surely a person of the joint cluster has a shared term, against how surely a person of the simple ones had a term
    /// of the term chunk.
    fn is_worth_it(&self, common: &Common, chosen: &[usize], size: u64) -> bool {
        let (mut named, mut support) = (0_u64, 0_u64);
        let mut clusters: Vec<u32> = Vec::new();
        for holders in chosen.iter().map(|at| common.holders(*at)) {
            let begin = clusters.len();
            clusters.extend(holders.iter().map(|person| self.cluster_of[*person as usize]));
            super::super::baskets::sort_and_dedup(&mut clusters, begin);
            named += (clusters.len() - begin) as u64;
            support += holders.len() as u64;
        }
        clusters.sort_unstable();
        clusters.dedup();
        let people: u64 =
            clusters.iter().map(|cluster| self.simple[*cluster as usize].people.len() as u64).sum();
        !chosen.is_empty() && u128::from(support) * u128::from(people) >= u128::from(named) * u128::from(size)
    }

    /// For each term a number for the places where it stands already, 0 for none, and how many people are in other places; the latter
    /// only where links are bounded.
    fn elsewhere(&self, common: &Common, order: &[usize], a: &Top, b: &Top) -> (Vec<u32>, Vec<u64>) {
        let mut known: HashMap<Vec<u32>, u32, foldhash::fast::FixedState> = HashMap::default();
        let mut numbers = Vec::with_capacity(order.len());
        let mut reach = Vec::new();
        for at in order {
            let placed = [a, b].map(|top| top.placed_of(common.terms[*at]));
            let is_nowhere = placed.iter().all(|placed| placed.is_empty());
            numbers.push(match is_nowhere {
                true => 0,
                false => {
                    let places = placed.iter().flat_map(|placed| placed.iter());
                    let places: Vec<u32> = places.map(|placed| placed.cluster).collect();
                    let next = known.len() as u32 + 1;
                    *known.entry(places).or_insert(next)
                }
            });
            if self.rule.bound.is_none() {
                continue;
            }
            // A lower limit that is cheap to have: people of the simple clusters that have the term.
            let mut clusters: Vec<u32> =
                common.holders(*at).iter().map(|person| self.cluster_of[*person as usize]).collect();
            clusters.sort_unstable();
            clusters.dedup();
            reach.push(match is_nowhere {
                true => a.size + b.size,
                false => {
                    clusters.iter().map(|cluster| self.simple[*cluster as usize].people.len() as u64).sum()
                }
            });
        }
        (numbers, reach)
    }

    /// Makes the joint cluster.
    fn join(&mut self, a: Top, b: Top, number: u32, gain: Gain, joints: &mut Vec<Joint>) -> Top {
        let (moved, rest) = taken_out(&merge(&a.rest, &b.rest), &gain.terms, |(term, _)| *term);
        let mut gone: Vec<(u32, u32)> =
            moved.iter().map(|(term, person)| (self.cluster_of[*person as usize], *term)).collect();
        gone.sort_unstable();
        gone.dedup();
        for (cluster, _) in gone {
            self.left[cluster as usize] -= 1;
        }
        let (above, below) = taken_out(&merge(&a.placed, &b.placed), &gain.terms, |placed| placed.term);
        let mut shared: Vec<Placed> = gain
            .terms
            .iter()
            .zip(&gain.counts)
            .map(|(term, count)| Placed { term: *term, cluster: number, count: *count })
            .collect();
        let mut at = 0;
        for entry in above {
            // Every one of these terms is shared, and both lists ascend.
            at += shared[at..].partition_point(|placed| placed.term < entry.term);
            shared[at].count += entry.count;
        }
        let placed = merge(&below, &shared);
        let (terms, ends) = terms_of(&rest);
        let size = a.size + b.size;
        joints.push(Joint { children: [a.number, b.number], size, shared: gain.shared, terms: gain.terms });
        Top { number, size, rest, terms, ends, placed }
    }
}

/// The joint cluster above each cluster; [`NONE`] at the top.
pub(super) fn parents(simple: usize, joints: &[Joint]) -> Vec<u32> {
    let mut parents = vec![NONE; simple + joints.len()];
    for (number, joint) in joints.iter().enumerate() {
        for child in joint.children {
            parents[child as usize] = (simple + number) as u32;
        }
    }
    parents
}
