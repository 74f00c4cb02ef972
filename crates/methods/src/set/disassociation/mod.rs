//! Publishes every item as it is, and hides which of them belong together where few people have them together.
//!
//! People are divided into clusters of similar sets (`horpart`). In each cluster the items are divided among chunks (`verpart`): what
//! people have of a record chunk is published as it is, in no order; of the term chunk only the names are. Clusters whose term
//! chunks have items in common are joined, and publish those in shared chunks (`refine`). Nothing says which parts of different
//! chunks belong to one person.
//!
//! # Reference
//! TLMS12: Terrovitis, Liagouris, Mamoulis, Skiadopoulos. Privacy preservation by disassociation. PVLDB 5(10), 2012. Algorithms HORPART, VERPART,
//! REFINE; Lemmas 1 to 3, Property 1, Equation 1.
//! # Guarantees
//! The release satisfies `disassociated-km`: for any up to `m` items that may belong to one person there is a possible world, a
//! dataset that could have been published the same way, in which they belong to at least `k`. That is weaker than a chance of
//! one in `k`: nothing is said of how likely that world is. An attacker who knows the method knows besides that an item of a term chunk is
//! rare in its cluster, unless it was moved there.
//!
//! Why it holds. A simple cluster has at least `k` people, and its record chunks are k^m-anonymous: so `k` of its people can be given
//! any possible choice of items. The others need something each: an item of the term chunk, which may go to anybody, or a part of
//! a record chunk, of which there are enough (Lemma 2). Nothing else is needed of shared chunks than that `k` of their parts can be given to
//! those same `k` people, and all other parts to other people of the joint cluster. They can if the parts of a chunk may all
//! belong to the same clusters, which `sound` sees to.
//!
//! With sensitive items: they stand in term chunks only, and in a cluster of `n` people at most `n / l` have each.
//! # Cost
//! HORPART looks at a record once for each item by which it was divided, VERPART at the pairs of items in a record, REFINE at the
//! term chunks once a round. Clusters are worked on in parallel.
//! # Departs from the paper
//! * A person is one record: the items of all the person's records. `as-printed` takes each record for a person; where a person has
//!   several, that release is refused.
//! * Clusters of fewer than `k` people join the most similar neighbour (`siblings`); the paper's lemmas assume that there are none.
//! * A set of people that no item divides is a cluster, however large; the paper's recursion does not end there.
//! * A join does not take the last item out of the term chunk of a cluster whose own record chunks do not satisfy Lemma 2.
//! * Items that stand in record or shared chunks below a joint cluster come into one shared chunk only if they stand there in the same
//!   clusters. Property 1 alone does not suffice: parts that may belong to few clusters can take the places there that others
//!   would need (`papers/tests/it/terrovitis_2012.rs` has an example).
//! * Lemma 2 for a cluster without a record chunk asks for a term chunk.
//! * Sensitive items: the paper bounds what is learned by the size of the cluster, as if each occurred once. Clusters are joined until it holds for
//!   what occurs. A cluster that was joined, for this or because it was small, may have more people than `max-cluster`, which bounds what HORPART divides.
//! * At most 48 rounds of REFINE, each over pairs side by side; the order of clusters follows from the first 24 terms of their term
//!   chunks.

mod asked;
mod horpart;
mod partition;
mod people;
mod refine;
mod safe;
mod siblings;
mod verpart;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use throng_contract::{Cancelled, Descriptor};
use throng_data::{Body, ChunkKind, Chunks, Cluster, ItemId, Release, Suppression};

use self::asked::{Asked, DESCRIPTOR};
use self::horpart::horpart;
use self::people::{NONE, People};
use self::refine::{Parts, Refined, parents, refine};
use self::safe::{Bound, linked_share};
use self::siblings::{Demand, join_small};
use self::verpart::{Rule, Simple, verpart};
use crate::{Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

/// Disassociation.
#[derive(Debug, Clone, Copy)]
pub struct Disassociation;

impl Method for Disassociation {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let plan = Plan::of(task)?;
        let mut clusters = horpart(&plan.people, plan.demand.most, task.progress)?;
        let mut joined = 0;
        if task.variant == Variant::Sound {
            (clusters, joined) = join_small(&plan.people, clusters, plan.demand);
        }
        plan.take_apart(task, clusters, joined)
    }
}

/// The method with clusters from elsewhere: each a list of people, by their numbers among those who have an item.
pub fn with_clusters(task: &Task<'_>, clusters: Vec<Vec<u32>>) -> Result<Outcome, MethodError> {
    Plan::of(task)?.take_apart(task, clusters, 0)
}

/// The people, and what is asked for.
struct Plan {
    people: People,
    rule: Rule,
    demand: Demand,
    /// Whether clusters with rare items in common publish those together.
    refine: bool,
}

impl Plan {
    fn of(task: &Task<'_>) -> Result<Self, MethodError> {
        let sensitive = task.data.items.ids(&task.inputs.sensitive_items);
        let people = People::of(task.data, &sensitive, task.variant);
        let asked = Asked::of(task.settings);
        let (k, l) = (asked.k as usize, asked.l);
        let demand =
            Demand { k, l: if sensitive.is_empty() { 1 } else { l }, most: asked.max_cluster as usize };
        check(&people, task, k, demand.l)?;
        let bound = asked.safe.then(|| Bound { one_in: l.max(2) });
        Ok(Plan { people, rule: Rule { k, m: asked.m as usize, bound }, demand, refine: asked.refine })
    }

    fn take_apart(
        &self,
        task: &Task<'_>,
        clusters: Vec<Vec<u32>>,
        joined: usize,
    ) -> Result<Outcome, MethodError> {
        let (people, rule) = (&self.people, self.rule);
        let phase = task.progress.phase("divide items", Some(clusters.len() as u64));
        let simple: Vec<Simple> = clusters
            .into_par_iter()
            .map(|own| {
                phase.advance(1)?;
                Ok(verpart(people, own, rule))
            })
            .collect::<Result<_, Cancelled>>()?;
        drop(phase);

        let mut cluster_of = vec![NONE; people.len()];
        for (number, cluster) in simple.iter().enumerate() {
            cluster.people.iter().for_each(|person| cluster_of[*person as usize] = number as u32);
        }
        let refined = match self.refine {
            true => refine(&simple, &cluster_of, rule, task.variant, task.progress)?,
            false => Refined {
                joints: Vec::new(),
                rest: simple.iter().map(|cluster| cluster.rest.clone()).collect(),
            },
        };
        let notes = notes(rule, people, &simple, &refined, joined);
        let explanation = explain(people, &simple, &refined, rule.k as u64);
        let chunks = publish(people, &simple, &refined, &cluster_of, task.data.events.subjects());
        Ok(Outcome {
            release: release(task, chunks),
            explanation,
            notes,
            public_notes: public_notes(people, rule),
            ledger: None,
            also: Vec::new(),
        })
    }
}

/// Whether everybody in one cluster would do; otherwise nothing does.
fn check(people: &People, task: &Task<'_>, k: usize, l: u64) -> Result<(), MethodError> {
    if people.len() == 0 || task.variant == Variant::AsPrinted {
        return Ok(());
    }
    if people.len() < k {
        return Err(MethodError::Infeasible {
            why: format!("a cluster needs k = {k} people, and {} have an item", people.len()),
            help: "use a smaller `k`, or more people".into(),
        });
    }
    let mut carriers: BTreeMap<ItemId, u64> = BTreeMap::new();
    for person in 0..people.len() as u32 {
        people.secrets(person).iter().for_each(|item| *carriers.entry(*item).or_default() += 1);
    }
    let too_common = carriers.iter().find(|(_, count)| count.saturating_mul(l) > people.len() as u64);
    let Some((item, count)) = too_common else { return Ok(()) };
    Err(MethodError::Infeasible {
        why: format!(
            "{count} of {} people have the sensitive item `{}`: more than one in l = {l}, whatever else is published",
            people.len(),
            task.data.items.name(*item)
        ),
        help: "lower {l}, or take the most frequent sensitive items off the list".into(),
    })
}

/// What the people of a cluster have of each of its record chunks. Every person is looked at once.
fn record_chunks(people: &People, cluster: &Simple, mut each: impl FnMut(&Parts)) {
    let chunks = (0_u32..).zip(&cluster.chunks);
    let mut place: Vec<(u32, u32)> =
        chunks.flat_map(|(chunk, terms)| terms.iter().map(move |(term, _)| (*term, chunk))).collect();
    place.sort_unstable();
    let mut parts: Vec<Parts> = cluster.chunks.iter().map(|_| Parts::default()).collect();
    for person in &cluster.people {
        // Both lists ascend.
        let mut from = 0;
        for term in people.terms(*person) {
            from += place[from..].partition_point(|(other, _)| other < term);
            match place.get(from) {
                Some((found, chunk)) if found == term => parts[*chunk as usize].add(*term),
                Some(_) => {}
                None => break,
            }
        }
        parts.iter_mut().for_each(Parts::end);
    }
    parts.iter().for_each(&mut each);
}

/// Clusters and chunks as they are published.
fn publish(
    people: &People,
    simple: &[Simple],
    refined: &Refined,
    cluster_of: &[u32],
    subjects: usize,
) -> Chunks {
    let parents = parents(simple.len(), &refined.joints);
    let parent = |number: usize| Some(parents[number]).filter(|parent| *parent != NONE);
    let mut chunks = Chunks::new();
    for (number, cluster) in simple.iter().enumerate() {
        chunks.push_cluster(Cluster { parent: parent(number), size: cluster.people.len() as u64 });
    }
    for (number, joint) in refined.joints.iter().enumerate() {
        chunks.push_cluster(Cluster { parent: parent(simple.len() + number), size: joint.size });
    }
    let item = |term: &u32| people.item_of[*term as usize];
    for (number, cluster) in simple.iter().enumerate() {
        record_chunks(people, cluster, |chunk| {
            chunks.push_chunk(number as u32, ChunkKind::Record);
            chunk.iter().for_each(|part| chunks.push_part(part.iter().map(item)));
        });
        let rest = refined.rest[number].chunk_by(|a, b| a.0 == b.0).map(|of_term| item(&of_term[0].0));
        let mut terms: Vec<ItemId> = rest.chain(cluster.secrets.iter().copied()).collect();
        terms.sort_unstable();
        if !terms.is_empty() {
            chunks.push_chunk(number as u32, ChunkKind::Term);
            terms.into_iter().for_each(|term| chunks.push_part([term]));
        }
    }
    for (number, joint) in refined.joints.iter().enumerate() {
        for parts in &joint.shared {
            chunks.push_chunk((simple.len() + number) as u32, ChunkKind::Shared);
            parts.iter().for_each(|part| chunks.push_part(part.iter().map(item)));
        }
    }
    let mut of_subject = vec![NONE; subjects];
    for (person, cluster) in cluster_of.iter().enumerate() {
        of_subject[people.subject[person] as usize] = *cluster;
    }
    chunks.cluster_of = Some(of_subject);
    chunks
}

fn release(task: &Task<'_>, chunks: Chunks) -> Release {
    let suppression = Suppression { events_before: task.data.events.len() as u64, ..Suppression::default() };
    Release { suppression, ..Release::of_items(Arc::clone(&task.data.items), Body::Chunks(chunks)) }
}

/// What the publisher should know, in numbers.
fn notes(rule: Rule, people: &People, simple: &[Simple], refined: &Refined, joined: usize) -> Vec<String> {
    let all: u64 = (0..people.len() as u32).map(|person| people.terms(person).len() as u64).sum();
    let in_term_chunks: u64 = refined.rest.iter().map(|rest| rest.len() as u64).sum();
    let share = |part: u64| 100.0 * part as f64 / all.max(1) as f64;
    let largest = simple.iter().map(|cluster| cluster.people.len()).max().unwrap_or(0);
    let mut notes = vec![format!(
        "{} clusters of up to {largest} people, {} joint ones above them; {:.1}% of what people have stands in term chunks, \
         without how often",
        simple.len(),
        refined.joints.len(),
        share(in_term_chunks)
    )];
    if joined > 0 {
        notes.push(format!("{joined} clusters were too small or not diverse, and joined a neighbour"));
    }
    let moved: usize = simple.iter().map(|cluster| cluster.moved_for_lemma.len()).sum();
    if moved > 0 {
        notes.push(format!(
            "{moved} items moved to term chunks, so that no person has to be without an item (Lemma 2)"
        ));
    }
    let (x, y) = worst_link(simple);
    let surely = 100.0 * x as f64 / y as f64;
    if rule.bound.is_some() {
        let moved: Vec<u64> = simple
            .iter()
            .flat_map(|cluster| &cluster.moved_for_safety)
            .map(|(_, count)| u64::from(*count))
            .collect();
        notes.push(format!(
            "safe: {} items of clusters moved to term chunks, with {:.1}% of what people have; across the record chunks of a \
             cluster an item follows from another by {surely:.0}% at most",
            moved.len(),
            share(moved.iter().sum())
        ));
    } else if x > 0 {
        notes.push(format!(
            "across the record chunks of a cluster an item follows from another by up to {surely:.0}%; `--safe` bounds that"
        ));
    }
    notes
}

/// The surest link between items of different record chunks of a cluster, as a fraction.
fn worst_link(simple: &[Simple]) -> (u64, u64) {
    let mut worst = (0, 1);
    for cluster in simple {
        let size = cluster.people.len() as u64;
        let most: Vec<u64> = cluster
            .chunks
            .iter()
            .map(|chunk| chunk.iter().map(|(_, count)| u64::from(*count)).max().unwrap_or(0))
            .collect();
        for (number, chunk) in cluster.chunks.iter().enumerate() {
            let others = most.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, most)| *most);
            let Some(x) = others.max() else { continue };
            for (_, count) in chunk {
                let (both, of) = linked_share(x, u64::from(*count), size);
                if both * worst.1 > worst.0 * of {
                    worst = (both, of);
                }
            }
        }
    }
    worst
}

fn explain(people: &People, simple: &[Simple], refined: &Refined, k: u64) -> Explanation {
    let item = |term: &u32| vec![people.item_of[*term as usize]];
    let reason = |action, items: Vec<Vec<ItemId>>, support, details: (&'static str, String)| Reason {
        action,
        items,
        pattern: Vec::new(),
        support,
        needed: k,
        details: BTreeMap::from([details]),
    };
    let mut steps = Vec::new();
    for (number, cluster) in simple.iter().enumerate() {
        let at = |why: &str| ("why", format!("{why}; cluster {}", number + 1));
        for term in &cluster.moved_for_lemma {
            let size = cluster.people.len() as u64;
            steps.push(reason("move to the term chunk", vec![item(term)], size, at("Lemma 2")));
        }
        for (term, count) in &cluster.moved_for_safety {
            let why = at("an item of another chunk followed too surely");
            steps.push(reason("move to the term chunk", vec![item(term)], u64::from(*count), why));
        }
    }
    for joint in &refined.joints {
        let clusters = joint.children.map(|child| (child + 1).to_string()).join(" and ");
        let items = joint.terms.iter().map(item).collect();
        steps.push(reason("share", items, joint.size, ("clusters", clusters)));
    }
    Explanation { steps }
}

fn public_notes(people: &People, rule: Rule) -> Vec<&'static str> {
    let mut notes = vec![
        "records were taken apart: parts in different chunks of a cluster may belong to any of its people",
        "the promise is that of a possible world, not of a probability: supports may link items of different chunks",
    ];
    if people.joined {
        notes.push("all records of a person were taken as one set");
    }
    if rule.bound.is_some() {
        notes.push(
            "items were moved to term chunks so that supports link items of different chunks less surely",
        );
    }
    notes
}
