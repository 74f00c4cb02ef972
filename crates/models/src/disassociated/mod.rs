//! Disassociated k^m-anonymity: whatever up to `m` items of a person are known, there is a possible world in which at least `k`
//! people have them.
//!
//! A disassociated release takes records apart into chunks (see [`throng_data::Chunks`] for what a reader may conclude). It keeps the
//! promise if for every set of up to `m` items that one person may have there is a way to put the chunks together so that
//! `k` people have it. That is a possibility, not a probability: how likely such a world is, and what supports of different chunks
//! say together, is another question, of which `safe` bounds a part.
//!
//! # Reference
//! TLMS12: Terrovitis, Liagouris, Mamoulis, Skiadopoulos. Privacy preservation by disassociation. PVLDB 5(10), 2012. Guarantee 1, Lemmas 1 to 3,
//! Property 1.
//! # Guarantees
//! Sufficient conditions are judged, and each is asked for:
//! * a simple cluster has `k` people; the sizes of joint clusters are the sums of those below;
//! * no chunk has more parts than people, and an item stands in one chunk of a cluster at most;
//! * record and shared chunks are k^m-anonymous;
//! * Lemma 2 for every simple cluster by its own chunks: an item in the term chunk, or enough parts that no person is left without an
//!   item. A person whom no part reaches may have a sensitive item of the term chunk, each of which at most one in `l` have;
//! * Property 1: a shared chunk with items that stand in chunks below is k-anonymous;
//! * `k` like parts of a shared chunk may go to any cluster that may have them, and the others find people (`reach`): the
//!   paper's proof of Lemma 3 leaves this out.
//!
//! On a small release all worlds are gone through as well (`worlds`), tree by tree of clusters, so that nothing rests on the
//! conditions alone.
//!
//! Sensitive items that are named are not among what is known; they may stand in term chunks only, and in a cluster of `n` people `n / l`
//! may have each. How many have them is known only while the release is made: files do not say it.
//! # Cost
//! The sets of up to `m` items in each chunk are counted once, chunks in parallel.
//! # Departs from the paper
//! Support counts people: where the data are at hand, the release may not speak of more people than there are, and every
//! chunk must hold what its people have.

mod chunk;
mod reach;
mod safety;
mod truth;
mod worlds;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use throng_contract::{
    BodyKind, Cancelled, DataKind, Descriptor, DescriptorKind, Input, Key, Need, OverParts, Progress,
    Settings, settings,
};
use throng_data::{ChunkKind, ItemId, Layout, Release};

use crate::ranges::{KNOWN, PEOPLE};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};

/// The promise `disassociated-km`.
#[derive(Debug, Clone, Copy)]
pub struct DisassociatedKm;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "how many people must have the known items in a possible world"),
        m: u64 = Key::integer("m", KNOWN, "how many items of a person an attacker may know"),
        safe: bool = Key::switch(
            "safe",
            "let no item follow from an item of another chunk more surely than one in l",
        ),
        l: u64 = Key::integer(
            "l",
            PEOPLE,
            "how uncertain a sensitive item must stay, and with `safe` one of another chunk: one in l",
        )
        .or("2"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "disassociated-km",
    purpose: "an attacker who knows up to m items of a person must reckon with a world in which k people have them",
    takes: &[DataKind::Sets],
    needs: &[Need::optional(Input::SensitiveItems)],
    params: Asked::ALL,
    paper: "TLMS12",
    example: "throng verify release --promise disassociated-km -k 5 -m 2",
    notes: "A possible world, not a probability: it says nothing of how likely it is that a person is one of the k, and nothing \
            about attackers who know more than m items, who know everybody else, or who know that a person lacks an item.",
    over_parts: Some(OverParts::Follows),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for DisassociatedKm {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let known = match asked.m {
            1 => "one item".to_owned(),
            m => format!("up to {m} items"),
        };
        let have = match asked.k {
            1 => "1 person has".to_owned(),
            k => format!("{k} people have"),
        };
        let mut text = format!(
            "An attacker who knows {known} of a person must reckon with a possible world, a dataset that could have been published the \
             same way, in which {have} them; how likely that world is, is not said."
        );
        let l = asked.l;
        if asked.safe {
            text.push_str(&format!(
                " Supports of different chunks link no two items more surely than one in {}.",
                l.max(2)
            ));
        }
        text.push_str(" Sensitive items, where some are named, are linked to no other item");
        // One in one is everyone.
        if l > 1 {
            text.push_str(&format!(", and at most one in {l} people of a cluster has each"));
        }
        text.push('.');
        text
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "∀ S, 1 ≤ |S| ≤ {}: (∃ D ∈ W: s(S, D) > 0) ⇒ (∃ D ∈ W: s(S, D) ≥ {}), where W are the datasets that could have been \
             published as these chunks, S is a set of items, and s(S, D) is how many people of D have all of S",
            asked.m, asked.k
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.k), known: Some(asked.m) }
    }

    fn speaks_of(&self, body: BodyKind) -> bool {
        body == BodyKind::Chunks
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        let release = evidence.release;
        let Some(chunks) = release.body.chunks() else {
            return Err(CheckError::Missing {
                promise: DESCRIPTOR.name,
                what: "a release whose records were taken apart into chunks",
                help: "judge a directory that {throng anonymize --method disassociation} wrote",
            });
        };
        let hidden: BTreeSet<ItemId> = (0..release.alphabet.len() as ItemId)
            .filter(|item| evidence.inputs.sensitive_items.contains(&release.name(*item)))
            .collect();
        let mut judge = Judge {
            release,
            layout: Layout::of(chunks),
            hidden,
            k: asked.k,
            m: asked.m as usize,
            l: asked.l,
            checked: 0,
            found: Vec::new(),
        };
        let phase = progress.phase("check chunks", Some(chunks.len() as u64));
        judge.clusters();
        let of_chunks: Vec<(u64, Vec<Broken>)> = (0..chunks.len())
            .into_par_iter()
            .map(|chunk| {
                phase.advance(1)?;
                Ok(judge.chunk(chunk))
            })
            .collect::<Result<_, Cancelled>>()?;
        for (checked, found) in of_chunks {
            judge.checked += checked;
            judge.found.extend(found);
        }
        if asked.safe {
            judge.safety(asked.l.max(2));
        }
        // Where a condition is broken the worlds need not be gone through: it is asked for all the same.
        if judge.found.is_empty() {
            judge.worlds();
        }
        let mut not_judged = Vec::new();
        match (evidence.original, &chunks.cluster_of) {
            (Some(original), Some(cluster_of)) => {
                let found = truth::judge(&judge.layout, release, original, cluster_of, &judge.hidden, asked.l);
                judge.found.extend(found);
            }
            _ if !judge.hidden.is_empty() => not_judged.push(
                "how many people of a cluster have a sensitive item: a term chunk does not say it; `throng anonymize` judges this \
                 before it writes a release"
                    .into(),
            ),
            _ => {}
        }
        let judged = match not_judged.is_empty() {
            true => Vec::new(),
            false => vec!["that k people may have whatever up to m items are known".to_owned()],
        };
        Ok(Verdict { judged, not_judged, ..judge.verdict(list) })
    }
}

/// A condition that does not hold.
struct Broken {
    items: Vec<ItemId>,
    support: u64,
    needed: u64,
    cluster: u32,
    why: &'static str,
}

struct Judge<'a> {
    release: &'a Release,
    layout: Layout<'a>,
    /// Sensitive items.
    hidden: BTreeSet<ItemId>,
    k: u64,
    m: usize,
    l: u64,
    checked: u64,
    found: Vec<Broken>,
}

impl Judge<'_> {
    fn verdict(mut self, list: usize) -> Verdict {
        let release = self.release;
        let names = |items: &[ItemId]| items.iter().map(|item| release.name(*item)).collect::<Vec<String>>();
        let mut found: Vec<(usize, u64, Vec<String>, Broken)> = std::mem::take(&mut self.found)
            .into_iter()
            .map(|broken| (broken.items.len(), broken.support, names(&broken.items), broken))
            .collect();
        found.sort_by(|a, b| {
            (a.0, a.1, &a.2, a.3.cluster, a.3.why).cmp(&(b.0, b.1, &b.2, b.3.cluster, b.3.why))
        });
        let total = found.len() as u64;
        let violations = found.into_iter().take(list).map(|(_, _, pattern, broken)| Violation {
            pattern,
            support: broken.support,
            needed: broken.needed,
            details: BTreeMap::from([
                ("cluster", (broken.cluster + 1).to_string()),
                ("why", broken.why.to_owned()),
            ]),
        });
        Verdict {
            promise: DESCRIPTOR.name,
            holds: total == 0,
            checked: self.checked,
            violations: violations.collect(),
            violations_total: if list == 0 { total.min(1) } else { total },
            ..Verdict::default()
        }
    }

    /// Sizes, and Lemma 2.
    fn clusters(&mut self) {
        let chunks = self.layout.chunks;
        let clusters = chunks.clusters();
        let mut found = Vec::new();
        let joint = chunks.is_joint();
        let mut below: Vec<u64> = vec![0; clusters.len()];
        for cluster in clusters {
            if let Some(parent) = cluster.parent {
                below[parent as usize] = below[parent as usize].saturating_add(cluster.size);
            }
        }
        for (number, cluster) in (0_u32..).zip(clusters) {
            self.checked += 1;
            let mut say = |support, needed, why| {
                found.push(Broken { items: Vec::new(), support, needed, cluster: number, why });
            };
            if joint[number as usize] {
                if below[number as usize] != cluster.size {
                    say(cluster.size, below[number as usize], "the size is not the sum of those below");
                }
                continue;
            }
            if cluster.size < self.k {
                say(cluster.size, self.k, "a cluster is smaller than k");
            }
            let (mut parts, mut record_chunks, mut terms, mut secrets) = (0_u64, 0_u64, 0_usize, 0_u64);
            for chunk in &self.layout.of_cluster[number as usize] {
                let chunk = *chunk as usize;
                match chunks.kind(chunk) {
                    ChunkKind::Record => {
                        parts += chunks.parts(chunk).len() as u64;
                        record_chunks += 1;
                    }
                    ChunkKind::Term => {
                        let domain = self.layout.domain(chunk);
                        let open = domain.iter().filter(|item| !self.hidden.contains(item)).count();
                        terms += open;
                        secrets += (domain.len() - open) as u64;
                    }
                    ChunkKind::Shared => {}
                }
            }
            let spread = record_chunks.min(self.m as u64).max(1);
            let needed = cluster.size.saturating_add(self.k.saturating_mul(spread - 1));
            // People who have nothing else may have a sensitive item: each of those at most one in `l`.
            let filled = parts.saturating_add(secrets.saturating_mul(cluster.size / self.l.max(1)));
            if terms == 0 && filled < needed {
                say(filled, needed, "Lemma 2: no term chunk, and too few parts to give every person an item");
            }
        }
        self.found.extend(found);
    }

    /// What one chunk has to be, and how many sets were counted for it.
    fn chunk(&self, chunk: usize) -> (u64, Vec<Broken>) {
        let (chunks, layout) = (self.layout.chunks, &self.layout);
        let (cluster, kind) = (chunks.cluster(chunk), chunks.kind(chunk));
        let mut found = Vec::new();
        let mut say = |items: &[ItemId], support, needed, why| {
            found.push(Broken { items: items.to_vec(), support, needed, cluster, why });
        };
        let is_joint = layout.span[cluster as usize].clone().all(|place| layout.simple[place] != cluster);
        if is_joint != (kind == ChunkKind::Shared) {
            say(&[], 0, 0, "shared chunks belong to joint clusters, the others to simple ones");
        }
        let domain = layout.domain(chunk);
        let others = layout.of_cluster[cluster as usize].iter().filter(|other| **other as usize != chunk);
        for other in others {
            let other = layout.domain(*other as usize);
            for item in domain.iter().filter(|item| other.binary_search(item).is_ok()) {
                say(&[*item], 2, 1, "an item stands in two chunks of a cluster");
            }
        }
        if kind == ChunkKind::Term {
            return (1, found);
        }
        for item in domain.iter().filter(|item| self.hidden.contains(item)) {
            say(&[*item], 0, 0, "a sensitive item stands outside the term chunk");
        }
        let parts = chunks.parts(chunk).len() as u64;
        if parts > layout.size(cluster) {
            say(&[], parts, layout.size(cluster), "a chunk has more parts than there are people");
        }
        let rare = chunk::rare_sets(chunks, chunk, domain, self.k, self.m);
        for (items, support) in rare.sets {
            say(&items, support, self.k, "too few parts of a chunk have these items together");
        }
        if kind == ChunkKind::Shared {
            let is_below = |item: &ItemId| {
                let below = layout.below(cluster, *item);
                below.iter().any(|(_, kind)| *kind != ChunkKind::Term)
            };
            if domain.iter().any(is_below) {
                for (part, count) in
                    chunk::alike(chunks, chunk).into_iter().filter(|(_, count)| *count < self.k)
                {
                    say(
                        part,
                        count,
                        self.k,
                        "Property 1: the chunk shares items with chunks below, and a part is rare",
                    );
                }
            }
            if let Err(why) = reach::judge(layout, chunk, self.k) {
                say(&[], parts, self.k, why);
            }
        }
        (rare.counted, found)
    }

    /// Goes through all worlds of a small release.
    fn worlds(&mut self) {
        let Some(trees) = worlds::most_holders(&self.layout, &self.hidden, self.l, self.m) else { return };
        let clusters = self.layout.chunks.clusters();
        let roots: Vec<u32> = (0..clusters.len() as u32)
            .filter(|cluster| clusters[*cluster as usize].parent.is_none())
            .collect();
        for (cluster, held) in roots.into_iter().zip(trees) {
            self.checked += held.len() as u64;
            for (items, support) in held.into_iter().filter(|(_, support)| *support < self.k) {
                let why = "no possible world has these items together in enough people";
                self.found.push(Broken { items, support, needed: self.k, cluster, why });
            }
        }
    }
}
