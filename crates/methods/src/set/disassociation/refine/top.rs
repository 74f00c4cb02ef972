//! A cluster at the top: what is left in its term chunks, and what stands in chunks already.

use super::super::verpart::Simple;
use super::lists::{merge, terms_of};

/// Terms that stand in a chunk of some cluster, with the cluster and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Placed {
    pub term: u32,
    pub cluster: u32,
    pub count: u64,
}

/// A simple or joint cluster at the top.
pub(super) struct Top {
    /// Its number: simple clusters first, then joint ones in the order in which they were made.
    pub number: u32,
    pub size: u64,
    /// What is left in term chunks: terms and who has them, both ascending.
    pub rest: Vec<(u32, u32)>,
    /// The different terms of it, ascending.
    pub terms: Vec<u32>,
    /// Where the pairs of each term end in `rest`.
    pub ends: Vec<u32>,
    /// Terms in record and shared chunks, ascending.
    pub placed: Vec<Placed>,
}

impl Top {
    pub fn simple(number: usize, cluster: &Simple) -> Self {
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
    pub fn pairs(&self, at: usize) -> &[(u32, u32)] {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.rest[begin as usize..self.ends[at] as usize]
    }

    /// Where a term stands in chunks already.
    pub fn placed_of(&self, term: u32) -> &[Placed] {
        let begin = self.placed.partition_point(|placed| placed.term < term);
        let end = begin + self.placed[begin..].partition_point(|placed| placed.term == term);
        &self.placed[begin..end]
    }
}

/// How many people at most have some term that stands in a chunk already.
pub(super) fn most_placed(a: &Top, b: &Top) -> u64 {
    let all = merge(&a.placed, &b.placed);
    all.chunk_by(|x, y| x.term == y.term)
        .map(|of_term| of_term.iter().map(|placed| placed.count).sum())
        .max()
        .unwrap_or(0)
}
