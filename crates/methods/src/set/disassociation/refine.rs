//! REFINE: clusters whose term chunks have terms in common become joint clusters, and publish those terms in shared chunks.
//!
//! Round by round clusters are put in order by what their term chunks hold, frequent terms first, and neighbours are joined if Equation 1 says that
//! more is gained than lost. Every round looks at pairs side by side, then at those that were left over, all in
//! parallel: what a pair does depends on nothing but the two.

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use super::partition::Partition;
use super::people::NONE;
use super::verpart::{Rule, Simple};
use crate::Variant;

/// Rounds at most. Clusters double in each, so more would only move what is left over.
const ROUNDS: usize = 48;
/// How many terms of a term chunk decide where a cluster stands in the order.
const LEADING: usize = 24;
/// So many terms are looked at one by one before a search.
const NEAR: usize = 4;

/// Terms that stand in a chunk of some cluster, with the cluster and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Placed {
    term: u32,
    cluster: u32,
    count: u64,
}

/// A simple or joint cluster at the top.
struct Top {
    /// Its number: simple clusters first, then joint ones in the order in which they were made.
    number: u32,
    size: u64,
    /// What is left in term chunks: terms and who has them, both ascending.
    rest: Vec<(u32, u32)>,
    /// The different terms of it, ascending.
    terms: Vec<u32>,
    /// Where the pairs of each term end in `rest`.
    ends: Vec<u32>,
    /// Terms in record and shared chunks, ascending.
    placed: Vec<Placed>,
}

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

/// The parts of a chunk, one after another, terms ascending.
#[derive(Default)]
pub(super) struct Parts {
    ends: Vec<u32>,
    terms: Vec<u32>,
}

impl Parts {
    /// What rows have of some terms, each non-empty part, by pairs of a row and a term.
    fn of(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut ends = Vec::new();
        let mut end = 0;
        for part in pairs.chunk_by(|a, b| a.0 == b.0) {
            end += part.len() as u32;
            ends.push(end);
        }
        Parts { ends, terms: pairs.into_iter().map(|(_, term)| term).collect() }
    }

    /// Adds a term to the part that is being made.
    pub fn add(&mut self, term: u32) {
        self.terms.push(term);
    }

    /// Ends the part that is being made, if it has a term.
    pub fn end(&mut self) {
        let end = self.terms.len() as u32;
        if self.ends.last().copied().unwrap_or(0) < end {
            self.ends.push(end);
        }
    }

    /// All parts.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.terms[begin as usize..*end as usize])
    }
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

impl Top {
    fn simple(number: usize, cluster: &Simple) -> Self {
        let number = number as u32;
        let placed = cluster.chunks.iter().flatten();
        let mut placed: Vec<Placed> = placed
            .map(|(term, count)| Placed { term: *term, cluster: number, count: u64::from(*count) })
            .collect();
        placed.sort_unstable();
        let (terms, ends) = terms_of(&cluster.rest);
        Top { number, size: cluster.people.len() as u64, rest: cluster.rest.clone(), terms, ends, placed }
    }

    /// The pairs of one of its terms.
    fn pairs(&self, at: usize) -> &[(u32, u32)] {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.rest[begin as usize..self.ends[at] as usize]
    }
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

impl Top {
    fn placed_of(&self, term: u32) -> &[Placed] {
        let begin = self.placed.partition_point(|placed| placed.term < term);
        let end = begin + self.placed[begin..].partition_point(|placed| placed.term == term);
        &self.placed[begin..end]
    }
}

/// Terms in the term chunks of two clusters, with at least `k` holders in all: terms and the holders of each, ascending.
struct Common {
    terms: Vec<u32>,
    /// Where the holders of each term end.
    ends: Vec<u32>,
    holders: Vec<u32>,
}

impl Common {
    /// The list with fewer terms is walked, and the longer one searched.
    fn of(a: &Top, b: &Top, k: usize) -> Self {
        let (short, long) = if a.terms.len() <= b.terms.len() { (a, b) } else { (b, a) };
        let mut common = Common { terms: Vec::new(), ends: Vec::new(), holders: Vec::new() };
        let mut from = 0;
        for (at, term) in short.terms.iter().enumerate() {
            from += terms_before(&long.terms[from..], *term);
            if long.terms.get(from) != Some(term) {
                continue;
            }
            let (one, other) = (short.pairs(at), long.pairs(from));
            if one.len() + other.len() >= k {
                common.terms.push(*term);
                common.add_people(other, one);
                common.ends.push(common.holders.len() as u32);
            }
        }
        common
    }

    /// Adds the people of two lists of pairs, ascending.
    fn add_people(&mut self, a: &[(u32, u32)], b: &[(u32, u32)]) {
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let first = a[i].1 <= b[j].1;
            self.holders.push(if first { a[i].1 } else { b[j].1 });
            i += usize::from(first);
            j += usize::from(!first);
        }
        self.holders.extend(a[i..].iter().chain(&b[j..]).map(|(_, person)| *person));
    }

    fn span(&self, at: usize) -> std::ops::Range<usize> {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        begin as usize..self.ends[at] as usize
    }

    fn holders(&self, at: usize) -> &[u32] {
        &self.holders[self.span(at)]
    }

    /// The places of all holders among some people, who need not be all of them.
    fn rows(&self, people: &[u32]) -> Vec<u32> {
        let row = |person: &u32| people.partition_point(|other| other < person) as u32;
        self.holders.iter().map(row).collect()
    }
}

/// How many terms of an ascending list come before a term; looked for one by one, then in growing steps.
fn terms_before(terms: &[u32], term: u32) -> usize {
    // Clusters side by side are mostly of one size: the next term is near.
    let near = terms.len().min(NEAR);
    if let Some(at) = terms[..near].iter().position(|other| *other >= term) {
        return at;
    }
    let mut step = NEAR;
    while terms.get(step - 1).is_some_and(|other| *other < term) {
        step *= 2;
    }
    let from = near.max(step / 2).min(terms.len());
    from + terms[from..step.min(terms.len())].partition_point(|other| *other < term)
}

/// The different terms of pairs, ascending, and where those of each end.
fn terms_of(rest: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let (mut terms, mut ends) = (Vec::new(), Vec::new());
    let mut end = 0;
    for pairs in rest.chunk_by(|a, b| a.0 == b.0) {
        end += pairs.len() as u32;
        terms.push(pairs[0].0);
        ends.push(end);
    }
    (terms, ends)
}

/// How many people at most have some term that stands in a chunk already.
fn most_placed(a: &Top, b: &Top) -> u64 {
    let all = merge(&a.placed, &b.placed);
    all.chunk_by(|x, y| x.term == y.term)
        .map(|of_term| of_term.iter().map(|placed| placed.count).sum())
        .max()
        .unwrap_or(0)
}

/// An ascending list divided into what has one of some terms, and the rest.
fn taken_out<T: Copy>(list: &[T], terms: &[u32], term: impl Fn(&T) -> u32) -> (Vec<T>, Vec<T>) {
    let (mut taken, mut left) = (Vec::new(), Vec::with_capacity(list.len()));
    let mut from = 0;
    for entry in list {
        while terms.get(from).is_some_and(|other| *other < term(entry)) {
            from += 1;
        }
        let list = if terms.get(from) == Some(&term(entry)) { &mut taken } else { &mut left };
        list.push(*entry);
    }
    (taken, left)
}

/// Two ascending lists as one.
fn merge<T: Copy + Ord>(a: &[T], b: &[T]) -> Vec<T> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            merged.push(a[i]);
            i += 1;
        } else {
            merged.push(b[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_before_are_counted_as_by_a_look_at_all() {
        for length in [0, 1, NEAR, NEAR + 1, 50] {
            let terms: Vec<u32> = (0..length as u32).map(|at| at * 3).collect();
            for term in 0..160 {
                let expected = terms.iter().filter(|other| **other < term).count();
                assert_eq!(terms_before(&terms, term), expected, "{term} of {length}");
            }
        }
    }

    #[test]
    fn terms_of_pairs_say_where_theirs_end() {
        assert_eq!(terms_of(&[(2, 0), (2, 7), (5, 1)]), (vec![2, 5], vec![2, 3]));
        assert_eq!(terms_of(&[]), (Vec::new(), Vec::new()));
    }
}
