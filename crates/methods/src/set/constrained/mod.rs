//! Makes rare sets of items indistinguishable, and only those that the publisher's policy names.
//!
//! [`Coat`] joins items only where a utility policy allows it, and suppresses where that is not enough; [`Pcta`] may join
//! any two items, and suppresses none. Both need no taxonomy.
//!
//! # Reference
//! LGM11: Loukides, Gkoulalas-Divanis, Malin. COAT: constraint-based anonymization of transactions. Knowledge and
//! Information Systems 28(2), 2011. GL12: Gkoulalas-Divanis, Loukides. Utility-guided clustering-based transaction data
//! anonymization. Trans. Data Privacy 5(1), 2012. Algorithm PCTA.
//! # Guarantees
//! The release satisfies `policy`: an attacker who knows any part of one of its sets finds no person or at least `k` people. An item is
//! published the same way for everybody, so a known set becomes one set of generalised items, and the people who may have
//! the first are those who have the second. A set that `k` people have keeps them, whatever is joined. A set that no person has may
//! come to life when items are joined, and is looked at again then. Without a policy, every set of up to `m` items that
//! fewer than `k` people have is protected: what a record then shows of up to `m` items was made of a set that occurred, so the
//! release satisfies `km` too. Generalised items lie within one utility constraint each.
//! # Cost
//! Each step looks at the records of the joined items, and at the sets that have one of them. Sets that have become alike are
//! one. A partner is looked for among the clusters that share a record with an item, and the rarest of each size beside them.
//! Losses are compared exactly.
//! # Departs from the paper
//! * `sound` counts people; `as-printed` counts records, which is the same while everybody has one.
//! * The rarest item of a set may have no partner: as printed it is suppressed; `sound` first tries the set's other items.
//! * All subsets of a policy's set are looked at beforehand if it has up to ten items. Of longer ones, what records show of
//!   them is looked at until it is safe, which comes to the same.
//! * In the loss of a step, who has the two items in different records counts twice.

mod asked;
mod clusters;
mod line;
mod loss;
mod partners;
mod queue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use throng_contract::{Descriptor, Fraction};
use throng_data::{Body, EventKind, Events, GeneralisedItem, ItemId, Nature, Release, Suppression};

use self::asked::{Asked, COAT, M, PCTA, Promised};
use self::clusters::Clusters;
use self::line::Line;
use self::loss::Loss;
use self::partners::Partners;
use self::queue::Queue;
use super::baskets::{Baskets, NONE, plain, sort_and_dedup};
use super::params::K;
use super::policy::{partition, rare_sets};
use crate::{Also, Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

/// Sets of a policy with more items are not divided into their subsets.
const LARGEST_DIVIDED: usize = 10;
/// Sets that are looked at together, at most.
const MAX_PARTS: usize = 10_000_000;

/// COAT.
#[derive(Debug, Clone, Copy)]
pub struct Coat;

/// PCTA.
#[derive(Debug, Clone, Copy)]
pub struct Pcta;

impl Method for Coat {
    fn descriptor(&self) -> &'static Descriptor {
        &COAT
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let items = &task.data.items;
        let constraint_of = match &task.inputs.constraints {
            Some(sets) => partition(items, sets)?,
            None => vec![0; items.len()],
        };
        let Asked { promised, max_suppressed } = Asked::of(task.settings);
        run(task, COAT.name, promised, constraint_of, Some(Limits { max_suppressed }))
    }
}

impl Method for Pcta {
    fn descriptor(&self) -> &'static Descriptor {
        &PCTA
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        run(task, PCTA.name, Promised::of(task.settings), vec![0; task.data.items.len()], None)
    }
}

/// What COAT may do.
struct Limits {
    max_suppressed: Fraction,
}

/// `constraint_of` says which items may be joined.
fn run(
    task: &Task<'_>,
    name: &'static str,
    promised: Promised,
    constraint_of: Vec<u32>,
    limits: Option<Limits>,
) -> Result<Outcome, MethodError> {
    let per_record;
    let counted = match task.variant {
        Variant::Sound => &task.data.events,
        Variant::AsPrinted => {
            per_record = task.data.events.clone().one_subject_per_record();
            &per_record
        }
    };
    let items = task.data.items.len();
    let Promised { k, m } = promised;
    let (mut sets, derived) = policy(task, name, promised, counted)?;
    let (long, sets_now): (Vec<_>, Vec<_>) = sets.drain(..).partition(|set| set.len() > LARGEST_DIVIDED);
    // What is rare and of up to m items has no subset that is rare and not among them.
    let sets_now = if derived { sets_now } else { divided(sets_now)? };
    let clusters = Clusters::singletons(Baskets::of(counted, &plain(items), &[]), items);
    let queue = {
        let _phase = task.progress.phase("count the sets of the policy", None);
        Queue::new(in_order(task, sets_now), &clusters, items, k)
    };
    let partners = Partners::new(&clusters, constraint_of);
    let line = Line::new(items);
    let mut work =
        Work { task, clusters, partners, line, queue, limits, k, steps: Vec::new(), suppressed: 0 };
    let phase = task.progress.phase("protect sets", None);
    while let Some(set) = work.queue.first() {
        let set = set.to_vec();
        phase.now(&format!("{} sets are too rare", work.queue.len()));
        work.protect(&set)?;
        phase.advance(1)?;
    }
    // What is joined for one long set may bring parts of another to life.
    let mut before = None;
    while before.replace(work.steps.len()) != Some(work.steps.len()) {
        for set in &long {
            work.protect_shares(set)?;
            phase.advance(1)?;
        }
    }
    drop(phase);
    let mut also = Vec::new();
    if derived {
        let typed = [(K.setting.name, k), (M.setting.name, m)];
        let settings = typed.map(|(name, value)| (name.to_owned(), value.to_string()));
        also.push(Also { promise: "km", settings: settings.to_vec() });
    }
    Ok(work.publish(also))
}

/// The sets to protect, and whether they were derived from `m`.
fn policy(
    task: &Task<'_>,
    name: &'static str,
    Promised { k, m }: Promised,
    counted: &Events,
) -> Result<(Vec<Vec<ItemId>>, bool), MethodError> {
    let items = &task.data.items;
    if let Some(sets) = &task.inputs.policy {
        let ids = |set: &Vec<String>| {
            let mut ids = items.ids(set);
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        return Ok((sets.iter().map(ids).filter(|set| !set.is_empty()).collect(), false));
    }
    if m == u64::MAX {
        return Err(MethodError::Usage {
            what: format!("`{name}` needs a privacy policy: which sets of items an attacker may know"),
            help: "add {policy FILE}, or {m 2} to protect every set of up to 2 items".into(),
        });
    }
    Ok((rare_sets(counted, items.len(), k, m as usize, task.progress)?, true))
}

/// All non-empty subsets of the sets, each once.
fn divided(sets: Vec<Vec<ItemId>>) -> Result<Vec<Vec<ItemId>>, MethodError> {
    let mut all = BTreeSet::new();
    for set in sets {
        for chosen in 1_u32..1 << set.len() {
            all.insert(
                (0..set.len()).filter(|at| chosen >> at & 1 == 1).map(|at| set[at]).collect::<Vec<_>>(),
            );
        }
        if all.len() > MAX_PARTS {
            return Err(MethodError::Infeasible {
                why: format!("the privacy policy has more than {MAX_PARTS} different parts"),
                help: "use fewer or smaller sets".into(),
            });
        }
    }
    Ok(all.into_iter().collect())
}

/// Smaller sets first, then by name.
fn in_order(task: &Task<'_>, mut sets: Vec<Vec<ItemId>>) -> Vec<Vec<ItemId>> {
    let mut rank = vec![0_u32; task.data.items.len()];
    let mut order: Vec<ItemId> = (0..rank.len() as ItemId).collect();
    order.sort_by_key(|item| task.data.items.name(*item));
    order.iter().enumerate().for_each(|(place, item)| rank[*item as usize] = place as u32);
    for set in &mut sets {
        set.sort_unstable_by_key(|item| rank[*item as usize]);
    }
    let key =
        |set: &Vec<ItemId>| (set.len(), set.iter().map(|item| rank[*item as usize]).collect::<Vec<_>>());
    sets.sort_by_cached_key(key);
    sets
}

struct Work<'a> {
    task: &'a Task<'a>,
    clusters: Clusters,
    partners: Partners,
    line: Line,
    queue: Queue,
    /// `None` allows no suppression.
    limits: Option<Limits>,
    k: u64,
    steps: Vec<Reason>,
    suppressed: u64,
}

impl Work<'_> {
    /// Joins or suppresses until no person or enough people have the set.
    fn protect(&mut self, set: &[ItemId]) -> Result<(), MethodError> {
        loop {
            let image = self.clusters.image(set);
            let support = self.clusters.support(&image, self.k);
            if support == 0 || support >= self.k {
                return Ok(());
            }
            self.task.progress.check()?;
            match self.best_merge(&image) {
                Some((cluster, other)) => {
                    self.explain("merge", &[cluster, other], &image, support);
                    [cluster, other].iter().for_each(|joined| self.partners.take(&self.clusters, *joined));
                    let kept = self.clusters.merge(cluster, other);
                    self.partners.put(&self.clusters, kept);
                    self.queue.merged(kept, cluster.max(other), &self.clusters, &mut self.line);
                }
                None => self.suppress(&image, support)?,
            }
        }
    }

    /// The same for whatever part of the set some record shows.
    fn protect_shares(&mut self, set: &[ItemId]) -> Result<(), MethodError> {
        loop {
            let image = self.clusters.image(set);
            let mut rarest = None;
            for share in self.clusters.shares(&image) {
                let support = self.clusters.support(&share, self.k);
                if (1..self.k).contains(&support) && rarest.as_ref().is_none_or(|(most, _)| support > *most) {
                    rarest = Some((support, share));
                }
            }
            let Some((_, share)) = rarest else { return Ok(()) };
            // A cluster goes by one of its items, which stays in whatever it becomes.
            self.protect(&share)?;
            while let Some(next) = self.queue.first() {
                let next = next.to_vec();
                self.protect(&next)?;
            }
        }
    }

    /// The pair to join: the set's rarest cluster with the one that loses least (COAT), or whatever pair loses least
    /// (PCTA). Ties go to fewer people, then to what came first in the data.
    fn best_merge(&mut self, image: &[u32]) -> Option<(u32, u32)> {
        let mut candidates = image.to_vec();
        if self.limits.is_some() {
            candidates.sort_by_key(|cluster| (self.clusters.people(*cluster), *cluster));
            if self.task.variant == Variant::AsPrinted {
                candidates.truncate(1);
            }
            return candidates.into_iter().find_map(|cluster| {
                let (_, partner) = self.best_partner(cluster)?;
                Some((cluster, partner))
            });
        }
        candidates.sort_by_cached_key(|cluster| (Partners::at_least(&self.clusters, *cluster), *cluster));
        let mut best: Option<(Loss, u32, u32)> = None;
        for cluster in candidates {
            if best.is_some_and(|(least, _, _)| least < Partners::at_least(&self.clusters, cluster)) {
                break;
            }
            let offer = self.best_partner(cluster).map(|(loss, partner)| (loss, cluster, partner));
            best = best.into_iter().chain(offer).min();
        }
        best.map(|(_, cluster, partner)| (cluster, partner))
    }

    fn best_partner(&mut self, cluster: u32) -> Option<(Loss, u32)> {
        self.line.fill(&self.clusters, cluster);
        self.partners.best(&self.clusters, cluster, &self.line)
    }

    fn suppress(&mut self, image: &[u32], support: u64) -> Result<(), MethodError> {
        let rarest = image.iter().copied().min_by_key(|cluster| (self.clusters.people(*cluster), *cluster));
        let (Some(cluster), Some(limits)) = (rarest, &self.limits) else {
            return Err(MethodError::Infeasible {
                why: format!(
                    "everything is one item, and still not k = {} people have it, but {support}",
                    self.k
                ),
                help: "use a smaller `k`, or more people".into(),
            });
        };
        self.suppressed += self.clusters.members(cluster).len() as u64;
        let items = self.task.data.items.len() as u64;
        if limits.max_suppressed.is_exceeded_by(self.suppressed, items) {
            return Err(MethodError::Infeasible {
                why: format!(
                    "the utility constraints cannot be met: {} of {items} items would be suppressed, more than the limit \
                     of {}",
                    self.suppressed, limits.max_suppressed
                ),
                help: "raise {max-suppressed}, use larger constraints, or a smaller `k`".into(),
            });
        }
        self.explain("suppress", &[cluster], image, support);
        self.partners.take(&self.clusters, cluster);
        self.clusters.suppress(cluster);
        self.queue.suppressed(cluster, &self.clusters);
        Ok(())
    }

    fn explain(&mut self, action: &'static str, clusters: &[u32], pattern: &[u32], support: u64) {
        let members = |cluster: &u32| self.clusters.members(*cluster).to_vec();
        self.steps.push(Reason {
            action,
            items: clusters.iter().map(members).collect(),
            pattern: pattern.iter().map(members).collect(),
            support,
            needed: self.k,
            details: BTreeMap::new(),
        });
    }

    fn publish(self, also: Vec<Also>) -> Outcome {
        let original = &self.task.data.events;
        let mut alphabet = Vec::new();
        let mut image = vec![NONE; self.task.data.items.len()];
        for cluster in self.clusters.all() {
            for item in self.clusters.members(cluster) {
                image[*item as usize] = alphabet.len() as ItemId;
            }
            alphabet.push(GeneralisedItem::of(self.clusters.members(cluster).to_vec()));
        }
        let mut words: Vec<ItemId> = Vec::with_capacity(original.len());
        let mut record_events = Vec::with_capacity(original.records() + 1);
        record_events.push(0);
        let (mut lost, mut emptied) = (0, 0);
        for record in 0..original.records() {
            let begin = words.len();
            let items = original.record(record);
            words.extend(items.iter().map(|item| image[*item as usize]).filter(|word| *word != NONE));
            let kept = words.len() - begin;
            lost += (items.len() - kept) as u64;
            emptied += u64::from(kept == 0 && !items.is_empty());
            sort_and_dedup(&mut words, begin);
            record_events.push(words.len() as u64);
        }
        let events = Events::from_parts(
            EventKind::Set,
            original.subject_offsets().to_vec(),
            record_events,
            words,
            None,
        );
        let intact = alphabet.iter().filter(|item| item.is_intact()).count();
        let notes = vec![format!(
            "{intact} of {} items are published as they are, {} as {} more general ones; {} are suppressed",
            image.len(),
            image.len() as u64 - intact as u64 - self.suppressed,
            alphabet.len() - intact,
            self.suppressed
        )];
        let release = Release {
            base: Arc::clone(&self.task.data.items),
            alphabet,
            body: Body::of_events(events),
            suppression: Suppression {
                items: self.suppressed,
                events: lost,
                emptied_records: emptied,
                events_before: original.len() as u64,
                rows: 0,
            },
            nature: Nature::Truthful,
        };
        let explanation = Explanation { steps: self.steps };
        Outcome { release, explanation, notes, public_notes: Vec::new(), ledger: None, also }
    }
}
