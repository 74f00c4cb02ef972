//! Finds frequent patterns level by level: those with one edge more from those with one edge less.
//!
//! All patterns of a level are judged side by side, each by itself, with what is known of the level before. So the result does not depend
//! on the number of threads. A pattern is judged only if all its connected parts with one edge less are frequent, and begins with what
//! their searches left in the domains (push-down pruning, with the level before as the cache).

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Graph;

use super::code::{Code, Step, canonical};
use super::constraints::Checked;
use super::domain::Domain;
use super::grow::{FrequentEdges, parts};
use super::index::{Index, turned};
use super::overlap;
use super::support::{Counts, Frequent, Halt, Judge};
use super::{Measure, SubgraphSearch};
use crate::Keep;
use crate::search::Stop;

/// A frequent pattern of the level at hand.
struct Member {
    code: Code,
    frequent: Frequent,
    /// Where its parts stand in the level before.
    parts: Vec<usize>,
    /// Whether a larger pattern speaks for it.
    absorbed: bool,
}

/// A pattern that was found.
pub(super) struct Hit {
    pub code: Code,
    pub support: u64,
    pub exact: bool,
}

/// All that was found, and whether time was up.
pub(super) struct Mined {
    pub found: Vec<Hit>,
    pub complete: bool,
    pub counts: Counts,
}

/// Where the patterns of the level before stand.
type Known = HashMap<Code, usize, FixedState>;

pub(super) fn mine(
    search: &SubgraphSearch,
    graph: &Graph,
    checked: &Checked<'_>,
    stop: Stop<'_>,
    progress: &Progress,
) -> Result<Mined, Cancelled> {
    let index = Index::of(graph);
    let counts = Counts::default();
    let mut min_support = search.min_support.max(1);
    let wants_exact = search.exact || search.top.is_some() || search.keep == Keep::Closed;
    let mut found: Vec<Hit> = Vec::new();
    let mut complete = true;

    let judge = |min_support: u64| Judge {
        index: &index,
        directed: graph.directed,
        min_images: search.measure.images(min_support),
        min_support,
        exact: wants_exact && search.alpha.is_none(),
        pruning: search.pruning,
        // With alpha 1 nothing is given up.
        alpha: search.alpha.filter(|alpha| *alpha < 1.0),
        counts: &counts,
        stop,
        progress,
    };
    let mut level = single_edges(&index, graph.directed, search.measure.images(min_support), checked);
    measure_level(&mut level, search.measure, &judge(min_support))?;
    let codes: Vec<Code> = level.iter().map(|member| member.code.clone()).collect();
    let edges = FrequentEdges::new(&codes, graph.directed, index.parallel);
    let mut size = 1_u64;
    while !level.is_empty() {
        let phase = progress.phase("mine", Some(level.len() as u64));
        phase.now(&format!("patterns with {} edges", size + 1));
        let known: Known = level.iter().enumerate().map(|(at, member)| (member.code.clone(), at)).collect();
        let judging =
            Judging { judge: judge(min_support), search, checked, edges: &edges, level: &level, known };
        let grown: Vec<(Vec<Member>, Option<Halt>)> = level
            .par_iter()
            .map(|member| {
                let grown = judging.grow(member);
                // A cancelled phase says so again below.
                let _ = phase.advance(1);
                grown
            })
            .collect();
        if grown.iter().any(|(_, halt)| *halt == Some(Halt::Cancelled)) {
            return Err(Cancelled);
        }
        complete &= grown.iter().all(|(_, halt)| halt.is_none());
        let next: Vec<Member> = grown.into_iter().flat_map(|(members, _)| members).collect();
        for member in &next {
            for part in &member.parts {
                let part = &mut level[*part];
                part.absorbed |= match search.keep {
                    Keep::Frequent => false,
                    Keep::Maximal => true,
                    Keep::Closed => part.frequent.support == member.frequent.support,
                };
            }
        }
        found.extend(
            level.drain(..).filter(|member| !member.absorbed && checked.want(&member.code)).map(Member::told),
        );
        // Patterns that a larger one may still speak for do not count among the best yet.
        if let (Some(top), Keep::Frequent) = (search.top, search.keep) {
            let wanted = next.iter().filter(|member| checked.want(&member.code));
            min_support = min_support.max(raised(&found, wanted, top));
        }
        level = next;
        size += 1;
        if !complete {
            found.extend(level.drain(..).filter(|member| checked.want(&member.code)).map(Member::told));
        }
    }
    if let Some(top) = search.top {
        found.sort_by_key(|result| std::cmp::Reverse(result.support));
        found.truncate(top);
    }
    Ok(Mined { found, complete, counts })
}

impl Member {
    fn told(self) -> Hit {
        Hit { code: self.code, support: self.frequent.support, exact: self.frequent.exact }
    }
}

/// The support that a pattern must have to be among the best, as far as is known.
fn raised<'a>(found: &[Hit], next: impl Iterator<Item = &'a Member>, top: usize) -> u64 {
    let all = found.iter().map(|result| result.support);
    let mut supports: Vec<u64> = all.chain(next.map(|member| member.frequent.support)).collect();
    supports.sort_unstable_by_key(|support| std::cmp::Reverse(*support));
    top.checked_sub(1).and_then(|last| supports.get(last).copied()).unwrap_or_default()
}

struct Judging<'a> {
    judge: Judge<'a>,
    search: &'a SubgraphSearch,
    checked: &'a Checked<'a>,
    edges: &'a FrequentEdges,
    level: &'a [Member],
    known: Known,
}

impl Judging<'_> {
    /// The frequent patterns that grow from one, and why there may be more.
    fn grow(&self, member: &Member) -> (Vec<Member>, Option<Halt>) {
        let mut grown = Vec::new();
        for code in self.edges.extensions(&member.code) {
            if !self.checked.allow(&code) {
                continue;
            }
            match self.judged(code) {
                Ok(member) => grown.extend(member),
                Err(halt) => return (grown, Some(halt)),
            }
        }
        (grown, None)
    }

    fn judged(&self, code: Code) -> Result<Option<Member>, Halt> {
        let labels = code.labels();
        let mut domains: Vec<Option<Domain>> = vec![None; labels.len()];
        let mut standing = Vec::new();
        let pushed = self.search.pruning.push_down;
        for part in parts(&code) {
            let (part_code, number) = canonical(&part.labels, &part.links, self.judge.directed);
            let Some(at) = self.known.get(&part_code) else {
                // A part that is not frequent: nothing that has it is. With an approximation it may have been missed.
                if pushed && self.search.alpha.is_none() {
                    return Ok(None);
                }
                continue;
            };
            standing.push(*at);
            for (node, number) in part.nodes.iter().zip(&number).filter(|_| pushed) {
                let known = &self.level[*at].frequent.domains[usize::from(*number)];
                match &mut domains[usize::from(*node)] {
                    Some(domain) => domain.intersect(known),
                    none => *none = Some(known.clone()),
                }
            }
        }
        let whole = |label: u32| Domain::all(&self.judge.index.range(label));
        let domains =
            domains.into_iter().zip(&labels).map(|(domain, label)| domain.unwrap_or_else(|| whole(*label)));
        let Some(mut frequent) = self.judge.judge(&code, domains.collect())? else { return Ok(None) };
        if !overlap::enough(&self.judge, self.search.measure, &code, &mut frequent)? {
            return Ok(None);
        }
        Ok(Some(Member { code, frequent, parts: standing, absorbed: false }))
    }
}

/// Judges single edges by a support other than MNI.
fn measure_level(level: &mut Vec<Member>, measure: Measure, judge: &Judge<'_>) -> Result<(), Cancelled> {
    let mut kept = Vec::with_capacity(level.len());
    for mut member in level.drain(..) {
        match overlap::enough(judge, measure, &member.code, &mut member.frequent) {
            Ok(true) => kept.push(member),
            Ok(false) | Err(Halt::TimeIsUp) => {}
            Err(Halt::Cancelled) => return Err(Cancelled),
        }
    }
    *level = kept;
    Ok(())
}

/// The frequent patterns with one edge, in order; their domains are exact.
fn single_edges(index: &Index, directed: bool, min_images: u64, checked: &Checked<'_>) -> Vec<Member> {
    // Label, kind, label of the other node: the facets seen from, where they are enough. With thousands of labels nearly every edge
    // may be of a sort of its own, so those of one label are counted at a time.
    let mut seen: HashSet<(u32, u32, u32), FixedState> = HashSet::default();
    let mut counts: HashMap<(u32, u32), u64, FixedState> = HashMap::default();
    for label in 0..index.labels() {
        counts.clear();
        each_sort(index, label, |_, kind, other| *counts.entry((kind, other)).or_default() += 1);
        let enough = counts.iter().filter(|(_, facets)| **facets >= min_images);
        seen.extend(enough.map(|((kind, other), _)| (label, *kind, *other)));
    }
    let turned_sort = |(from, kind, to): (u32, u32, u32)| (to, turned(kind, directed), from);
    let frequent = |sort: &(u32, u32, u32)| *sort <= turned_sort(*sort) && seen.contains(&turned_sort(*sort));
    let mut sorts: Vec<(u32, u32, u32)> = seen.iter().copied().filter(frequent).collect();
    sorts.sort_unstable();
    let code = |(from_label, kind, to_label)| Code {
        steps: vec![Step { from: 0, to: 1, from_label, kind, to_label }],
    };
    sorts.retain(|sort| checked.allow(&code(*sort)));
    // Where each of them, seen from either end, keeps its facets.
    let mut ends: HashMap<(u32, u32, u32), Domain, FixedState> = HashMap::default();
    for sort in &sorts {
        for end in [*sort, turned_sort(*sort)] {
            ends.entry(end).or_insert_with(|| Domain::none(&index.range(end.0)));
        }
    }
    for label in 0..index.labels() {
        each_sort(index, label, |facet, kind, other| {
            if let Some(domain) = ends.get_mut(&(label, kind, other)) {
                domain.insert(facet);
            }
        });
    }
    let member = |sort: &(u32, u32, u32)| {
        let domains = [*sort, turned_sort(*sort)].map(|end| ends[&end].clone()).to_vec();
        let support = domains.iter().map(Domain::len).min().unwrap_or_default();
        let frequent = Frequent { support, exact: true, domains };
        Member { code: code(*sort), frequent, parts: Vec::new(), absorbed: false }
    };
    sorts.iter().map(member).collect()
}

/// Tells, for every facet of a label, each sort of edge it has: the kind, and the label of the other node.
fn each_sort(index: &Index, label: u32, mut tell: impl FnMut(u32, u32, u32)) {
    for facet in index.range(label) {
        // Neighbours are sorted by kind and then by label.
        let mut last = None;
        for (kind, other) in index.all_neighbours(facet) {
            // The numbers of a label lie side by side: most neighbours have that of the one before.
            let same = |(known, range): &(u32, Range<u32>)| *known == kind && range.contains(&other);
            if !last.as_ref().is_some_and(same) {
                let other = index.label_of(other);
                tell(facet, kind, other);
                last = Some((kind, index.range(other)));
            }
        }
    }
}
