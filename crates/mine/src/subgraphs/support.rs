//! Whether enough nodes can stand for every node of a pattern (MNI), without finding all of its places.

use std::sync::atomic::{AtomicU64, Ordering};

use throng_contract::{Cancelled, Progress};

use super::Pruning;
use super::code::{Code, Link};
use super::consistency::Problem;
use super::domain::Domain;
use super::index::Index;
use super::look_ahead::look_ahead;
use super::orbits::orbits;
use super::solve::{Outcome, Plan, Search, Seen};
use crate::search::Stop;

/// How patterns are judged.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub index: &'a Index,
    pub directed: bool,
    /// Nodes of the graph that must be able to stand for each node of a pattern.
    pub min_images: u64,
    /// The support that is enough, by the measure asked for.
    pub min_support: u64,
    /// Whether the support itself is wanted, and not only that it is enough.
    pub exact: bool,
    pub pruning: Pruning,
    /// AGraMi's alpha: a search that takes too many steps counts as without success.
    pub alpha: Option<f64>,
    pub counts: &'a Counts,
    pub stop: Stop<'a>,
    pub progress: &'a Progress,
}

/// Why the work ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    Cancelled,
    /// What was found so far is wanted.
    TimeIsUp,
}

impl From<Cancelled> for Halt {
    fn from(_: Cancelled) -> Self {
        Halt::Cancelled
    }
}

/// What the searches came to, over all patterns.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub searches: AtomicU64,
    /// Searches that were put aside, or given up where an approximation is wanted.
    pub timed_out: AtomicU64,
    /// Patterns that were judged by domains alone.
    pub without_search: AtomicU64,
    /// Patterns with more places than are held at once.
    pub given_up: AtomicU64,
}

/// A frequent pattern.
#[derive(Debug)]
pub(super) struct Frequent {
    /// Its support, or as much of it as was seen.
    pub support: u64,
    /// Whether it is the support itself.
    pub exact: bool,
    /// For each node of the pattern what may stand for it: nothing that is left out can.
    pub domains: Vec<Domain>,
}

/// How a pattern hangs together.
#[derive(Clone, Copy)]
struct Form<'a> {
    links: &'a [Link],
    /// For each node, the first one that is like it.
    same: &'a [u8],
}

/// Steps after which a search is put aside, the first time.
const PATIENCE: u64 = 2_000;

/// Steps after which it is ended by looking ahead, the second time: where there are places, more steps often find one for less.
const SECOND_PATIENCE: u64 = 20_000;

/// AGraMi's constant beta: every search may take so many steps.
const BETA: f64 = 100.0;

/// Steps between two looks at whether the work was cancelled.
const BREATH: u64 = 1 << 16;

impl Judge<'_> {
    /// The support of a pattern whose nodes lie in `domains`; `None` if it is below the minimum.
    pub fn judge(&self, code: &Code, domains: Vec<Domain>) -> Result<Option<Frequent>, Halt> {
        self.breathe()?;
        let least = self.min_images.max(1);
        let (labels, links) = (code.labels(), code.links());
        let mut problem = Problem::new(self.index, self.directed, labels, &links, domains);
        if !problem.node_consistency(least) || !problem.arc_consistency(least) {
            self.counts.without_search.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        if self.pruning.unique_labels && self.domains_suffice(&problem, &links) {
            self.counts.without_search.fetch_add(1, Ordering::Relaxed);
            let support = problem.smallest();
            return Ok(Some(Frequent { support, exact: true, domains: problem.domains }));
        }
        let same = match self.pruning.automorphisms {
            true => orbits(&problem.labels, &links, self.directed),
            false => (0..problem.labels.len() as u8).collect(),
        };
        let form = Form { links: &links, same: &same };
        share(&mut problem, &same);
        let none = |label: &u32| Domain::none(&self.index.range(*label));
        let mut valid: Vec<Domain> = problem.labels.iter().map(none).collect();
        let mut order: Vec<u8> = (0..same.len() as u8).filter(|node| same[*node as usize] == *node).collect();
        order.sort_by_key(|node| (problem.domains[*node as usize].len(), *node));
        for node in order {
            if !self.enough(&mut problem, &mut valid, form, node, least)? {
                return Ok(None);
            }
            share(&mut problem, &same);
            if !problem.arc_consistency(least) {
                return Ok(None);
            }
        }
        let seen = same.iter().map(|first| valid[*first as usize].len()).min().unwrap_or_default();
        Ok(Some(Frequent { support: seen, exact: self.exact, domains: problem.domains }))
    }

    /// Whether everything in the domains is part of a place: the pattern is a tree, and no node of the graph may stand for two of its
    /// nodes. (Proposition 3 asks for labels that are all different; domains that are apart are enough.)
    fn domains_suffice(&self, problem: &Problem<'_>, links: &[Link]) -> bool {
        let labels = &problem.labels;
        let tree = links.len() + 1 == labels.len();
        tree && self.index.one_label_each
            && (0..labels.len()).all(|node| {
                (0..node).all(|other| {
                    labels[node] != labels[other] || problem.domains[node].apart(&problem.domains[other])
                })
            })
    }

    /// Whether at least `least` of a node's domain are part of a place. What is not is taken out as far as it was looked at.
    fn enough(
        &self,
        problem: &mut Problem<'_>,
        valid: &mut [Domain],
        form: Form<'_>,
        node: u8,
        least: u64,
    ) -> Result<bool, Halt> {
        let Form { links, same } = form;
        let at = usize::from(node);
        let wanted = if self.exact { u64::MAX } else { least };
        let plan = Plan::new(problem, node, &vec![true; same.len()]);
        let (patience, gives_up) = self.patience(problem);
        let mut put_aside: Vec<Search<'_, '_>> = Vec::new();
        let mut gone: Vec<u32> = Vec::new();
        let candidates: Vec<u32> = problem.domains[at].iter().collect();
        let mut left = candidates.len() as u64;
        for facet in candidates {
            if valid[at].len() >= wanted {
                break;
            }
            // Even if all that is left were valid it would not be enough. Valid ones are counted twice here, which is safe.
            if valid[at].len() + left + (put_aside.len() as u64) < least {
                return Ok(false);
            }
            left -= 1;
            if valid[at].contains(facet) {
                continue;
            }
            let mut search = Search::new(&plan, facet);
            match self.run(&mut search, problem, Seen { valid, same }, patience)? {
                Outcome::Yes => mark(search.place(), valid, same),
                Outcome::No => gone.push(facet),
                Outcome::PutAside if gives_up => {
                    self.counts.timed_out.fetch_add(1, Ordering::Relaxed);
                }
                Outcome::PutAside if self.pruning.lazy => put_aside.push(search),
                Outcome::PutAside => {
                    if !self.resume(search, problem, valid, same)? {
                        gone.push(facet);
                    }
                }
            }
        }
        if valid[at].len() < wanted && !put_aside.is_empty() {
            let parts = match self.pruning.decomposition {
                true => decompositions(links, same.len(), node),
                false => Vec::new(),
            };
            let plans: Vec<Plan> = parts.iter().map(|among| Plan::new(problem, node, among)).collect();
            let mut waiting = put_aside.len() as u64;
            for search in put_aside {
                if valid[at].len() >= wanted || valid[at].len() + waiting < least {
                    break;
                }
                waiting -= 1;
                let facet = search.root();
                if valid[at].contains(facet) {
                    continue;
                }
                let mut part_of_all = true;
                for plan in &plans {
                    let seen = Seen { valid, same };
                    if self.run(&mut Search::new(plan, facet), problem, seen, PATIENCE)? == Outcome::No {
                        part_of_all = false;
                        break;
                    }
                }
                if !part_of_all || !self.resume(search, problem, valid, same)? {
                    gone.push(facet);
                }
            }
        }
        gone.iter().for_each(|facet| problem.domains[at].remove(*facet));
        if !gone.is_empty() {
            problem.changed(at);
        }
        Ok(valid[at].len() >= least)
    }

    /// Ends a search that was put aside; whether there is a place.
    fn resume<'a>(
        &self,
        mut search: Search<'_, 'a>,
        problem: &Problem<'a>,
        valid: &mut [Domain],
        same: &[u8],
    ) -> Result<bool, Halt> {
        let steps = if self.pruning.look_ahead { SECOND_PATIENCE } else { u64::MAX };
        match self.run(&mut search, problem, Seen { valid, same }, steps)? {
            Outcome::Yes => {
                mark(search.place(), valid, same);
                return Ok(true);
            }
            Outcome::No => return Ok(false),
            Outcome::PutAside => {}
        }
        self.counts.searches.fetch_add(1, Ordering::Relaxed);
        let place = look_ahead(problem, search.node(), search.root(), || self.breathe())?;
        if let Some(place) = &place {
            mark((0..).zip(place.iter().copied()), valid, same);
        }
        Ok(place.is_some())
    }

    /// How many steps a search may take at first, and whether it is given up then. An approximation that would wait longer than an exact
    /// search does goes on as that does.
    fn patience(&self, problem: &Problem<'_>) -> (u64, bool) {
        let pruning = self.pruning;
        let first = if pruning.lazy || pruning.look_ahead { PATIENCE } else { u64::MAX };
        match self.alpha.map(|alpha| patience_for(alpha, &problem.domains)) {
            Some(most) if most <= first || !pruning.look_ahead => (most, true),
            _ => (first, false),
        }
    }

    /// Runs a search for so many steps, with a look now and then at whether it is still wanted.
    fn run<'a>(
        &self,
        search: &mut Search<'_, 'a>,
        problem: &Problem<'a>,
        seen: Seen<'_>,
        steps: u64,
    ) -> Result<Outcome, Halt> {
        self.counts.searches.fetch_add(1, Ordering::Relaxed);
        let mut left = steps;
        loop {
            let breath = left.min(BREATH);
            let mut steps = breath;
            let found = search.run(problem, seen, &mut steps);
            left -= breath;
            if found != Outcome::PutAside {
                return Ok(found);
            }
            if left == 0 {
                // Those of an approximation count when they are given up.
                if self.alpha.is_none() {
                    self.counts.timed_out.fetch_add(1, Ordering::Relaxed);
                }
                return Ok(found);
            }
            self.breathe()?;
        }
    }

    pub fn breathe(&self) -> Result<(), Halt> {
        self.progress.check()?;
        if (self.stop)() { Err(Halt::TimeIsUp) } else { Ok(()) }
    }
}

/// AGraMi's f(alpha) = alpha^n times the product of all sizes of domains, plus beta. By logarithms: the product has no bound.
fn patience_for(alpha: f64, domains: &[Domain]) -> u64 {
    let exponent: f64 = domains.iter().map(|domain| alpha.ln() + (domain.len() as f64).ln()).sum();
    // A float that is too large becomes the largest number.
    (exponent.exp() + BETA) as u64
}

/// What stands for a node may stand for the nodes that are like it: domains are the same.
fn share(problem: &mut Problem<'_>, same: &[u8]) {
    let sizes: Vec<u64> = problem.domains.iter().map(Domain::len).collect();
    let copies = || same.iter().enumerate().map(|(node, first)| (node, usize::from(*first)));
    for (node, first) in copies().filter(|(node, first)| node != first) {
        let other = problem.domains[node].clone();
        problem.domains[first].intersect(&other);
    }
    for (node, first) in copies().filter(|(node, first)| node != first) {
        problem.domains[node] = problem.domains[first].clone();
    }
    for (node, size) in sizes.iter().enumerate() {
        if problem.domains[node].len() < *size {
            problem.changed(node);
        }
    }
}

/// Notes a place: turned by the symmetries of the pattern it is a place too, so what lies on a node may lie on all that are like it.
fn mark(place: impl Iterator<Item = (u8, u32)>, valid: &mut [Domain], same: &[u8]) {
    for (node, facet) in place {
        valid[usize::from(same[usize::from(node)])].insert(facet);
    }
}

/// Parts of a pattern around a node: what hangs together with it when one edge is gone, without the last edge's part being lost.
/// Parts with all nodes say nothing that consistency with the smaller patterns did not.
fn decompositions(links: &[Link], nodes: usize, root: u8) -> Vec<Vec<bool>> {
    let mut found: Vec<Vec<bool>> = Vec::new();
    for gone in 0..links.len() {
        let mut reached = vec![false; nodes];
        reached[usize::from(root)] = true;
        for _ in 0..nodes {
            for (number, (a, b, _)) in links.iter().enumerate() {
                if number != gone && (reached[usize::from(*a)] || reached[usize::from(*b)]) {
                    reached[usize::from(*a)] = true;
                    reached[usize::from(*b)] = true;
                }
            }
        }
        let size = reached.iter().filter(|reached| **reached).count();
        if size > 1 && size < nodes && !found.contains(&reached) {
            found.push(reached);
        }
    }
    found
}
