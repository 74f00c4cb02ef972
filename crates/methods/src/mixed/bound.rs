//! Gathers people in clusters, merges clusters while a bound on one part holds, and generalises (or suppresses) the items of each.
//!
//! [`RumBound`] bounds what the columns lose, and merges as often as that allows: larger clusters need fewer general items.
//! [`TumBound`] bounds what the items lose, and merges until the bound is reached: no more than needed, for the columns pay for it.
//! [`LmRumBound`] and [`LmTumBound`] also keep every sensitive item from being guessed.
//!
//! # Reference
//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. Anonymizing data with relational and transaction attributes. ECML/PKDD
//! 2013. Algorithms RUM-BOUND, TUM-BOUND, RMERGE and TMERGE with their three heuristics.
//! # Guarantees
//! The release satisfies `kkm` (`klm-diverse` for the l^m-diverse ones). Every cluster has at least `k` people with the same cells, and
//! a method for sets or sequences made its items k^m-anonymous by themselves. Two clusters that come to show the same cells are one to a
//! reader, and still safe: a known set or sequence fits no person or at least `k` people in each, and shares of a union lie between those of its
//! parts. The bound holds, or there is no release: then the error says which bound would.
//! # Cost
//! That of the method for tables, once; that of the method for events on each cluster, for TUM-BOUND again on each merged one. The loss
//! of the columns is kept up to date merge by merge. Partners are found with an index over cells, and one over items.
//! # Departs from the paper
//! * TUM-BOUND as printed returns the clusters without generalising their items when the bound holds at the outset. `sound`
//!   generalises them always.
//! * TMERGE as printed keeps a merge only if it reaches the bound, and so ends after one try. `sound` keeps every merge.
//! * RMERGE as printed ends when one seed finds no partner. `sound` goes on with the others.
//! * RMERGE with both heuristics as printed merges the cluster that is nearest in columns instead of the one it found.
//! * A cluster in which some people have items, and fewer than `k`, is merged with its nearest ones first; the paper does not say.
//! * Cells are the smallest that cover a cluster, whatever the method for tables published.
//! * Events may be ordered. A method for sequences then makes those of each cluster k^m-anonymous: SEQANON merges items, which needs that
//!   no person is given away by the length of a record (clusters are merged until then); suppression takes events away, and always can.
//!   Whose items are alike is seen from the items alone, without their order.
//! * The loss of items is `ncp` by default: the paper's UL falls when a record of one item is generalised.

mod asked;

use std::collections::BTreeSet;

use throng_contract::{Descriptor, Fraction, help};

pub(super) use self::asked::RUM_BOUND;
use self::asked::{LM_RUM_BOUND, LM_TUM_BOUND, LmRumAsked, LmTumAsked, RumAsked, TUM_BOUND, TumAsked};
use super::clusters::Clusters;
use super::formation::by_columns;
use super::items::{Generalised, ItemLoss};
use super::job::Job;
use super::order::Partners;
use super::params::{Clustering, Wanted};
use crate::{Method, MethodError, Outcome, Task};

/// How far a sum of shares may be off by rounding alone.
const SLACK: f64 = 1e-9;

/// RUM-BOUND.
#[derive(Debug, Clone, Copy)]
pub struct RumBound;

/// TUM-BOUND.
#[derive(Debug, Clone, Copy)]
pub struct TumBound;

/// RUM-BOUND with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmRumBound;

/// TUM-BOUND with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmTumBound;

impl Method for RumBound {
    fn descriptor(&self) -> &'static Descriptor {
        &RUM_BOUND
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let RumAsked { crowd, delta, clustering, publishing } = RumAsked::of(task.settings);
        let wanted = Wanted::crowd(crowd, publishing);
        by_bound_on_columns(&Job::new(RUM_BOUND.name, task, wanted, ItemLoss::Certainty)?, clustering, delta)
    }
}

impl Method for LmRumBound {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_RUM_BOUND
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let LmRumAsked { crowd, delta, clustering, publishing } = LmRumAsked::of(task.settings);
        let wanted = Wanted::diversity(crowd, publishing);
        by_bound_on_columns(
            &Job::new(LM_RUM_BOUND.name, task, wanted, ItemLoss::Certainty)?,
            clustering,
            delta,
        )
    }
}

impl Method for TumBound {
    fn descriptor(&self) -> &'static Descriptor {
        &TUM_BOUND
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let TumAsked { crowd, delta, loss, clustering, publishing } = TumAsked::of(task.settings);
        let wanted = Wanted::crowd(crowd, publishing);
        by_bound_on_items(&Job::new(TUM_BOUND.name, task, wanted, loss)?, clustering, delta)
    }
}

impl Method for LmTumBound {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_TUM_BOUND
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let LmTumAsked { crowd, delta, loss, clustering, publishing } = LmTumAsked::of(task.settings);
        let wanted = Wanted::diversity(crowd, publishing);
        by_bound_on_items(&Job::new(LM_TUM_BOUND.name, task, wanted, loss)?, clustering, delta)
    }
}

/// The first clusters, with those merged that could not be made safe alone.
fn first_clusters<'j>(
    job: &'j Job<'_>,
    clustering: Clustering,
    most: Option<f64>,
) -> Result<(Clusters<'j>, Partners, Vec<String>), MethodError> {
    let mut clusters = job.clusters(by_columns(job.task, clustering.relational, &job.wanted)?, most);
    let mut partners = Partners::new(&clusters);
    let mut notes = vec![format!("the columns alone made {} clusters", clusters.len())];
    if !job.is_printed() {
        let merges = job.repair(&mut clusters, &mut partners)?;
        if merges > 0 {
            notes.push(format!("{merges} clusters were too small for their items, and were merged first"));
        }
    }
    Ok((clusters, partners, notes))
}

/// RUM-BOUND.
fn by_bound_on_columns(
    job: &Job<'_>,
    clustering: Clustering,
    delta: Fraction,
) -> Result<Outcome, MethodError> {
    let task = job.task;
    let delta = delta.to_f64();
    let (mut clusters, mut partners, mut notes) = first_clusters(job, clustering, Some(delta))?;
    if !clusters.is_within_bound() {
        return Err(too_small("the columns", delta, clusters.mean_loss()));
    }
    let before = clusters.len();
    let merge = clustering.merge;
    let phase = task.progress.phase("merge clusters", Some(before as u64));
    let mut seeds = Seeds::of(&clusters);
    while clusters.len() > 1
        && let Some(seed) = seeds.take()
    {
        phase.advance(1)?;
        let lost = |people: &[u32]| job.transaction.mean_lost(people);
        match partners.partner(&clusters, seed, merge, job.is_printed(), lost)? {
            Some(partner) => {
                seeds.forget(&clusters, partner);
                unite(&mut clusters, &mut partners, seed, partner);
                seeds.put(&clusters, seed);
            }
            None if job.is_printed() => break,
            None => {}
        }
    }
    drop(phase);
    notes.push(format!("{} merges kept the bound", before - clusters.len()));
    notes.push(format!("the mean certainty penalty (NCP) of the columns is {:.6}", clusters.mean_loss()));
    let groups = clusters.into_groups();
    let borrowed: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
    let items = job.generalise(&borrowed, false)?;
    Ok(job.publish(&groups, items, notes))
}

/// TUM-BOUND.
fn by_bound_on_items(job: &Job<'_>, clustering: Clustering, delta: Fraction) -> Result<Outcome, MethodError> {
    let task = job.task;
    let delta = delta.to_f64();
    let (mut clusters, mut partners, mut notes) = first_clusters(job, clustering, None)?;
    let merge = clustering.merge;
    let mut parts = Parts::of(job, &clusters)?;
    let at_once = parts.is_within(delta);
    let mut least = parts.mean();
    let before = clusters.len();
    if !at_once {
        let phase = task.progress.phase("merge clusters", Some(before as u64));
        let mut seeds = Seeds::of(&clusters);
        let lost = |people: &[u32]| job.transaction.mean_lost(people);
        while clusters.len() > 1
            && let Some(seed) = seeds.take()
            && let Some(partner) = partners.partner(&clusters, seed, merge, job.is_printed(), lost)?
        {
            phase.advance(1)?;
            seeds.forget(&clusters, partner);
            unite(&mut clusters, &mut partners, seed, partner);
            parts.unite(clusters.people(seed), seed, partner)?;
            seeds.put(&clusters, seed);
            least = least.min(parts.mean());
            if parts.is_within(delta) {
                break;
            }
            // As printed a merge that does not reach the bound is not kept, and nothing else is tried.
            if job.is_printed() {
                return Err(too_small("the items", delta, least));
            }
        }
    }
    if !parts.is_within(delta) {
        return Err(too_small("the items", delta, least));
    }
    notes.push(format!("{} merges reached the bound", before - clusters.len()));
    notes.push(format!("the mean certainty penalty (NCP) of the columns is {:.6}", clusters.mean_loss()));
    let numbers: Vec<u32> = clusters.alive().collect();
    let mut items = parts.in_order(&numbers);
    let groups = clusters.into_groups();
    if at_once && job.is_printed() {
        let borrowed: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
        items = job.generalise(&borrowed, true)?;
    }
    Ok(job.publish(&groups, items, notes))
}

fn unite(clusters: &mut Clusters<'_>, partners: &mut Partners, kept: u32, gone: u32) {
    partners.before(clusters, [kept, gone]);
    clusters.merge(kept, gone);
    partners.after(clusters, kept, gone);
}

/// The items of every cluster, and what they lose together.
struct Parts<'j, 'a> {
    job: &'j Job<'a>,
    by_cluster: Vec<Option<Generalised>>,
    lost: f64,
}

impl<'j, 'a> Parts<'j, 'a> {
    fn of(job: &'j Job<'a>, clusters: &Clusters<'_>) -> Result<Self, MethodError> {
        let numbers: Vec<u32> = clusters.alive().collect();
        let groups: Vec<&[u32]> = numbers.iter().map(|cluster| clusters.people(*cluster)).collect();
        let mut by_cluster: Vec<Option<Generalised>> = (0..clusters.places()).map(|_| None).collect();
        let mut lost = 0.0;
        for (cluster, part) in numbers.iter().zip(job.generalise(&groups, false)?) {
            lost += part.lost;
            by_cluster[*cluster as usize] = Some(part);
        }
        Ok(Parts { job, by_cluster, lost })
    }

    /// After `gone` was merged into `kept`, who are `people` now.
    fn unite(&mut self, people: &[u32], kept: u32, gone: u32) -> Result<(), MethodError> {
        let part = self.job.transaction.generalise(people, false)?;
        for cluster in [kept, gone] {
            self.lost -= self.by_cluster[cluster as usize].take().map_or(0.0, |part| part.lost);
        }
        self.lost += part.lost;
        self.by_cluster[kept as usize] = Some(part);
        Ok(())
    }

    /// What all items lose, on average.
    fn mean(&self) -> f64 {
        self.lost / self.job.transaction.weight()
    }

    fn is_within(&self, delta: f64) -> bool {
        self.mean() <= delta + SLACK
    }

    /// The items of these clusters, which are all there are.
    fn in_order(mut self, clusters: &[u32]) -> Vec<Generalised> {
        clusters.iter().filter_map(|cluster| self.by_cluster[*cluster as usize].take()).collect()
    }
}

/// The bound cannot be kept, and which one could.
fn too_small(what: &str, delta: f64, least: f64) -> MethodError {
    // Rounded up, so that the number works as typed; what a sum is off by rounding does not count, as it does not when a bound is kept.
    let least = (((least - SLACK) * 10_000.0).ceil() / 10_000.0).min(1.0);
    MethodError::Infeasible {
        why: format!("{what} lose {least} at least with these methods, more than delta = {delta}"),
        help: help!(
            "allow {delta $}, the smallest bound that works here; a smaller `k` or `m` loses less",
            least
        ),
    }
}

/// Clusters that may still begin a merge, by what their rows lose, then by number.
struct Seeds {
    waiting: BTreeSet<(u64, u32)>,
}

impl Seeds {
    fn of(clusters: &Clusters<'_>) -> Self {
        let key = |cluster: u32| (clusters.loss(cluster).to_bits(), cluster);
        Seeds { waiting: clusters.alive().map(key).collect() }
    }

    fn take(&mut self) -> Option<u32> {
        self.waiting.pop_first().map(|(_, cluster)| cluster)
    }

    fn put(&mut self, clusters: &Clusters<'_>, cluster: u32) {
        self.waiting.insert((clusters.loss(cluster).to_bits(), cluster));
    }

    fn forget(&mut self, clusters: &Clusters<'_>, cluster: u32) {
        self.waiting.remove(&(clusters.loss(cluster).to_bits(), cluster));
    }
}
