//! Disassociation by all possible worlds: for every set of known items that a person may have, some world gives it to k people.

use std::collections::BTreeSet;

use throng_data::{ChunkKind, Chunks};
use throng_lab::Loaded;
use throng_methods::{Outcome, Variant};

use super::Judged;
use crate::people::original;
use crate::world::World;

/// More parts than this make too many worlds.
const MAX_PARTS: usize = 18;

/// Judges a release whose records were taken apart. What the paper publishes may be fine where its lemmas do not say so: then nothing is said.
pub fn disassociated(loaded: &Loaded, outcome: &Outcome, world: &World, variant: Variant) -> Judged {
    let Some(chunks) = outcome.release.body.chunks() else {
        return Judged::Broken("records were not taken apart".to_owned());
    };
    let people = (0..loaded.data.events.subjects()).filter(|person| {
        loaded.data.events.records_of(*person).any(|at| !loaded.data.events.span(at).is_empty())
    });
    if people.count() as u64 != chunks.people() {
        return Judged::Broken("clusters count other people than there are".to_owned());
    }
    let counted = (0..chunks.len()).filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term);
    if counted.map(|chunk| chunks.parts(chunk).len()).sum::<usize>() > MAX_PARTS {
        return Judged::TooCloseToTell;
    }
    let (k, m) = (world.number("k"), world.number("m"));
    let secrets = Secrets::of(loaded, outcome, world);
    if let Some(why) = secrets.told(loaded, chunks) {
        return Judged::Broken(why);
    }
    let items: BTreeSet<u32> =
        chunks.items().iter().copied().filter(|item| !secrets.items.contains(item)).collect();
    let mut known: Vec<Vec<u32>> = vec![Vec::new()];
    for item in items {
        let longer: Vec<Vec<u32>> =
            known.iter().filter(|set| set.len() < m).map(|set| [&set[..], &[item]].concat()).collect();
        known.extend(longer);
    }
    let clusters = chunks.clusters();
    for root in (0..clusters.len() as u32).filter(|at| clusters[*at as usize].parent.is_none()) {
        for known in known.iter().filter(|set| !set.is_empty()) {
            match most_holders(chunks, root, known, &secrets) {
                Some(most) if most == 0 || most >= k => {}
                Some(most) => return Judged::Broken(format!("at most {most} people may have {known:?}")),
                None => return Judged::Broken("there is no possible world".to_owned()),
            }
        }
    }
    if variant == Variant::Sound { Judged::Holds } else { Judged::TooCloseToTell }
}

/// Sensitive items, in the numbers of the release, and how common one may be.
struct Secrets {
    items: Vec<u32>,
    l: usize,
}

impl Secrets {
    fn of(loaded: &Loaded, outcome: &Outcome, world: &World) -> Secrets {
        let release = &outcome.release;
        let secrets = &loaded.inputs.sensitive_items;
        let is_secret = |item: &u32| {
            original(release, *item).is_some_and(|name| secrets.iter().any(|secret| secret == name))
        };
        let items = (0..release.alphabet.len() as u32).filter(is_secret).collect();
        Secrets { items, l: world.value("l").parse().unwrap_or(2) }
    }

    /// How many people of a cluster may have sensitive items and no other.
    fn fill(&self, chunks: &Chunks, cluster: u32) -> usize {
        let named = terms(chunks, cluster).into_iter().filter(|item| self.items.contains(item)).count();
        named * (chunks.clusters()[cluster as usize].size as usize / self.l)
    }

    /// Why a sensitive item can be guessed: it stands outside the term chunks, or too many people of a cluster have it.
    fn told(&self, loaded: &Loaded, chunks: &Chunks) -> Option<String> {
        for chunk in (0..chunks.len()).filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term) {
            if chunks.parts(chunk).any(|part| chunks.part(part).iter().any(|item| self.items.contains(item)))
            {
                return Some(format!("a sensitive item stands in chunk {chunk}"));
            }
        }
        let events = &loaded.data.events;
        let secret: Vec<u32> = loaded.data.items.ids(&loaded.inputs.sensitive_items);
        let cluster_of = chunks.cluster_of.as_ref()?;
        for cluster in 0..chunks.clusters().len() as u32 {
            let own: Vec<usize> =
                (0..events.subjects()).filter(|person| cluster_of[*person] == cluster).collect();
            for item in &secret {
                let has =
                    |person: &&usize| events.records_of(**person).any(|at| events.record(at).contains(item));
                let carriers = own.iter().filter(has).count();
                if carriers * self.l > own.len() {
                    return Some(format!("{carriers} of {} people of a cluster have item {item}", own.len()));
                }
            }
        }
        None
    }
}

/// The items of a cluster's term chunk.
fn terms(chunks: &Chunks, cluster: u32) -> Vec<u32> {
    (0..chunks.len())
        .filter(|chunk| (chunks.cluster(*chunk), chunks.kind(*chunk)) == (cluster, ChunkKind::Term))
        .flat_map(|chunk| chunks.parts(chunk).flat_map(|part| chunks.part(part).to_vec()))
        .collect()
}

/// Whether a cluster is the other one or below it.
fn is_within(chunks: &Chunks, lower: u32, upper: u32) -> bool {
    let parent = |cluster: &u32| chunks.clusters()[*cluster as usize].parent;
    std::iter::successors(Some(lower), parent).any(|cluster| cluster == upper)
}

/// Whether a part of a chunk may belong to a simple cluster: none of its items stands nearer by.
fn may_have(chunks: &Chunks, chunk: usize, items: &[u32], cluster: u32) -> bool {
    let own = chunks.cluster(chunk);
    is_within(chunks, cluster, own)
        && !(0..chunks.len()).any(|other| {
            let at = chunks.cluster(other);
            at != own
                && is_within(chunks, cluster, at)
                && is_within(chunks, at, own)
                && chunks.parts(other).any(|part| chunks.part(part).iter().any(|item| items.contains(item)))
        })
}

/// Cluster, known items had, anything had, a part of the chunk at hand had. People who are alike in all that are interchangeable.
type Person = (u32, u32, bool, bool);

/// The most people below a cluster who have all the known items in one world; `None` if there is no world.
fn most_holders(chunks: &Chunks, root: u32, known: &[u32], secrets: &Secrets) -> Option<usize> {
    let bits = |items: &[u32]| {
        (0..known.len()).filter(|at| items.contains(&known[*at])).fold(0_u32, |bits, at| bits | 1 << at)
    };
    let joint = chunks.is_joint();
    let mut start: Vec<Person> = Vec::new();
    for cluster in (0..joint.len() as u32).filter(|at| !joint[*at as usize] && is_within(chunks, *at, root)) {
        let terms: Vec<u32> =
            terms(chunks, cluster).into_iter().filter(|item| !secrets.items.contains(item)).collect();
        let person = (cluster, bits(&terms), !terms.is_empty(), false);
        start.extend((0..chunks.clusters()[cluster as usize].size).map(|_| person));
    }
    let mut worlds = BTreeSet::from([start]);
    for chunk in 0..chunks.len() {
        if chunks.kind(chunk) == ChunkKind::Term || !is_within(chunks, chunks.cluster(chunk), root) {
            continue;
        }
        for part in chunks.parts(chunk).map(|part| chunks.part(part)) {
            let mut next = BTreeSet::new();
            for world in &worlds {
                for (at, person) in world.iter().enumerate() {
                    let again = at > 0 && world[at - 1] == *person;
                    if !again && !person.3 && may_have(chunks, chunk, part, person.0) {
                        let mut world = world.clone();
                        world[at] = (person.0, person.1 | bits(part), true, true);
                        world.sort_unstable();
                        next.insert(world);
                    }
                }
            }
            worlds = next;
        }
        let rested = worlds.into_iter().map(|world| {
            let mut world: Vec<Person> = world.into_iter().map(|who| (who.0, who.1, who.2, false)).collect();
            world.sort_unstable();
            world
        });
        worlds = rested.collect();
    }
    let all = (1_u32 << known.len()) - 1;
    let without = |world: &[Person], cluster: u32| {
        world.iter().filter(|person| person.0 == cluster && !person.2).count()
    };
    let is_real = |world: &&Vec<Person>| {
        let clusters: BTreeSet<u32> = world.iter().map(|person| person.0).collect();
        clusters.into_iter().all(|cluster| without(world, cluster) <= secrets.fill(chunks, cluster))
    };
    let real = worlds.iter().filter(is_real);
    real.map(|world| world.iter().filter(|person| person.1 == all).count()).max()
}
