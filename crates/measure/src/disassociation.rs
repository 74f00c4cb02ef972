//! What is left where records were taken apart: the measures of the paper on disassociation.
//!
//! `tkd` asks how many of the most frequent sets of items stay among the most frequent, `re` how far the supports of pairs are off, for
//! terms of a range of ranks, and `tlost` which frequent terms stand in term chunks alone. The first two are read off a possible
//! dataset ([`crate::reconstruction`]), or the average of several, and, as `_a`, off the chunks alone: what is in one part of a chunk together is so in
//! every possible dataset, so these are lower limits of supports. A release of records is its own possible dataset.
//!
//! # Reference
//! TLMS12: Terrovitis, Liagouris, Mamoulis, Skiadopoulos. Privacy preservation by disassociation. PVLDB 5(10), 2012, section 6.
//! # Guarantees
//! Same data, release and seed, same numbers, with any number of threads.
//! # Cost
//! `tkd` mines the data and a possible dataset; `re` counts pairs of few terms; `tlost` takes one pass.
//! # Departs from the paper
//! A term is lost if all its places are term chunks; in a release of records, if it is nowhere by name. Generalised items of records are looked up by name. A relative error is 0 where
//! neither side has the pair.

mod lost_terms;
mod pairs;

use std::collections::BTreeSet;

use throng_contract::{
    Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Key, Need, Progress, Scale, Settings,
    Threshold, settings,
};
use throng_data::{Body, EventKind, Events, EventsBuilder, ItemId, Release, Taxonomy};
use throng_mine::{MineError, Search};

pub use self::lost_terms::LostTerms;
pub use self::pairs::PairErrors;
use crate::reconstruction::reconstruct;
use crate::{Comparison, Measure, MeasureError, OnChunks, Readings};

const TOP: Key<u64> =
    Key::integer("top", 1..=1_000_000, "how many of the most frequent sets of items are compared").or("1000");

pub(crate) const RECONSTRUCTIONS: Key<u64> = Key::integer(
    "reconstructions",
    1..=1000,
    "records taken apart: how many possible datasets are drawn and averaged",
)
.or("1");

/// The released items as records of original items, over the items of the data; an item that stands for several is no item.
fn by_name(on: &Comparison<'_>, events: &Events) -> Events {
    let mut builder = EventsBuilder::new(EventKind::Set, false);
    let image: Vec<Option<ItemId>> = on
        .release
        .alphabet
        .iter()
        .map(|item| match item.members[..] {
            [member] => on.original.items.find(on.release.base.name(member)),
            _ => None,
        })
        .collect();
    for subject in 0..events.subjects() {
        for record in events.records_of(subject) {
            let items: Vec<ItemId> =
                events.record(record).iter().filter_map(|item| image[*item as usize]).collect();
            builder.push(subject as u32, &items, &[]);
        }
    }
    builder.finish(events.subjects())
}

/// All possible datasets that are looked at, over the items of the data.
fn possible(on: &Comparison<'_>, count: u64) -> Vec<Events> {
    match on.release.body.chunks() {
        Some(chunks) => (0..count)
            .map(|draw| by_name(on, reconstruct(on.release, chunks, on.seed.wrapping_add(draw)).events()))
            .collect(),
        None => vec![by_name(on, on.release.events())],
    }
}

/// The parts of record and shared chunks, each a record of its own, over the items of the data; names of term chunks count once. Nothing
/// for a release of records.
fn certain(on: &Comparison<'_>) -> Option<Events> {
    let chunks = on.release.body.chunks()?;
    let mut builder = EventsBuilder::new(EventKind::Set, false);
    let mut number = 0;
    for part in (0..chunks.len()).flat_map(|chunk| chunks.parts(chunk)) {
        builder.push(number, chunks.part(part), &[]);
        number += 1;
    }
    Some(by_name(on, &builder.finish(number as usize)))
}

/// Whether a release says nothing that these measures read.
fn refuse(on: &Comparison<'_>, measure: &'static str) -> Result<(), MeasureError> {
    let both = [on.original.events.kind(), on.release.event_kind()];
    if matches!(on.release.body, Body::Records(_) | Body::Table(_) | Body::Mixed(_) | Body::Chunks(_))
        && both == [EventKind::Set; 2]
    {
        return Ok(());
    }
    let reason = "it is about sets of items of people";
    Err(MeasureError::NotApplicable { measure, reason })
}

settings! {
    /// What the measures of frequent sets are asked for.
    struct TopAsked {
        top: u64 = TOP,
    }
}

static TKD: Descriptor = Descriptor {
    name: "tkd",
    purpose: "which share of the most frequent sets of items is no longer among the most frequent",
    takes: &[DataKind::Sets],
    params: TopAsked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::loss("tkd", "most frequent sets that are not among those of a possible dataset", 1.0),
            Scale::loss("tkd_a", "the same with what chunks hold for sure", 1.0),
        ],
    }),
    paper: "TLMS12",
    example: "throng measure baskets/events.csv release --sets --measure tkd --top 100",
    notes: "Of several sets that are equally frequent those whose items come first are taken.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// tKd and tKd-a.
#[derive(Debug, Clone, Copy)]
pub struct TopSets;

impl Measure for TopSets {
    fn descriptor(&self) -> &'static Descriptor {
        &TKD
    }

    fn on_chunks(&self) -> OnChunks {
        OnChunks::AsTheyAre
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        refuse(on, TKD.name)?;
        let top = TopAsked::of(settings).top as usize;
        let before = most_frequent(&on.original.events, top, on.progress)?;
        let mut readings = Vec::new();
        for events in possible(on, 1) {
            readings.push(("tkd", lost(&before, &most_frequent(&events, top, on.progress)?)));
        }
        if let Some(events) = certain(on) {
            readings.push(("tkd_a", lost(&before, &most_frequent(&events, top, on.progress)?)));
        }
        Ok(readings)
    }
}

/// The most frequent sets. The threshold is lowered until there are as many, or one person would do.
fn most_frequent(events: &Events, top: usize, progress: &Progress) -> Result<Vec<Vec<ItemId>>, MineError> {
    let mut needed = (events.subjects() as u64 / 4).max(1);
    loop {
        let search = Search { lengths: 1..=4, top: Some(top), ..Search::new(Threshold::Absolute(needed)) };
        let found = search.itemsets(events, &|| false, progress)?;
        if found.len() >= top || needed <= 2 {
            return Ok(found.iter().map(|set| set.items.to_vec()).collect());
        }
        needed = (needed / 4).max(2);
    }
}

fn lost(before: &[Vec<ItemId>], after: &[Vec<ItemId>]) -> f64 {
    let after: BTreeSet<&Vec<ItemId>> = after.iter().collect();
    let kept = before.iter().filter(|set| after.contains(set)).count();
    if before.is_empty() { 0.0 } else { 1.0 - kept as f64 / before.len() as f64 }
}

static TKD_ML2: Descriptor = Descriptor {
    name: "tkd-ml2",
    purpose: "which share of the most frequent sets of items and taxonomy nodes is no longer among the most frequent",
    takes: &[DataKind::Sets],
    needs: &[Need::required(Input::Taxonomy)],
    params: TopAsked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::loss("tkd_ml2", "most frequent sets at any level of the taxonomy that are lost", 1.0),
            Scale::loss("tkd_ml2_a", "the same with what chunks hold for sure", 1.0),
        ],
    }),
    paper: "TLMS12",
    example: "throng measure baskets/events.csv release --sets --measure tkd-ml2 --taxonomy baskets/taxonomy.csv --top 100",
    notes: "A released item that stands for several counts as the lowest node above all of them. A set with an item and a node above it is none.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// tKd-ML2 and the same on chunks.
#[derive(Debug, Clone, Copy)]
pub struct TopSetsOfLevels;

impl Measure for TopSetsOfLevels {
    fn descriptor(&self) -> &'static Descriptor {
        &TKD_ML2
    }

    fn on_chunks(&self) -> OnChunks {
        OnChunks::AsTheyAre
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        refuse(on, TKD_ML2.name)?;
        let missing = MeasureError::MissingInput { measure: TKD_ML2.name, input: Input::Taxonomy };
        let taxonomy = on.inputs.taxonomy.as_ref().ok_or(missing)?;
        let top = TopAsked::of(settings).top as usize;
        let of_data = Levels::of_data(on, taxonomy);
        let before = of_data.most_frequent(&on.original.events, top, on.progress)?;
        let of_release = Levels::of_release(on.release, taxonomy);
        let rows = match on.release.body.chunks() {
            Some(chunks) => reconstruct(on.release, chunks, on.seed).events().clone(),
            None => on.release.events().clone(),
        };
        let mut readings =
            vec![("tkd_ml2", lost(&before, &of_release.most_frequent(&rows, top, on.progress)?))];
        if let Some(chunks) = on.release.body.chunks() {
            let mut builder = EventsBuilder::new(EventKind::Set, false);
            let parts = (0..chunks.len()).flat_map(|chunk| chunks.parts(chunk));
            let mut number = 0;
            for part in parts {
                builder.push(number, chunks.part(part), &[]);
                number += 1;
            }
            let events = builder.finish(number as usize);
            readings
                .push(("tkd_ml2_a", lost(&before, &of_release.most_frequent(&events, top, on.progress)?)));
        }
        Ok(readings)
    }
}

/// The nodes that each item stands under, itself first, as numbers of the taxonomy.
struct Levels<'a> {
    taxonomy: &'a Taxonomy,
    above: Vec<Vec<u32>>,
}

impl<'a> Levels<'a> {
    fn of_data(on: &Comparison<'_>, taxonomy: &'a Taxonomy) -> Self {
        let path = |name: &str| taxonomy.find(name).map(|node| path(taxonomy, node)).unwrap_or_default();
        Levels { taxonomy, above: on.original.items.names().map(path).collect() }
    }

    fn of_release(release: &Release, taxonomy: &'a Taxonomy) -> Self {
        let above = release.alphabet.iter().map(|item| {
            let mut paths = item.members.iter().map(|member| {
                taxonomy.find(release.base.name(*member)).map(|node| path(taxonomy, node)).unwrap_or_default()
            });
            let first = paths.next().unwrap_or_default();
            paths
                .fold(first, |common, other| common.into_iter().filter(|node| other.contains(node)).collect())
        });
        Levels { taxonomy, above: above.collect() }
    }

    fn most_frequent(
        &self,
        events: &Events,
        top: usize,
        progress: &Progress,
    ) -> Result<Vec<Vec<ItemId>>, MineError> {
        let mut builder = EventsBuilder::new(EventKind::Set, false);
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                let mut nodes: Vec<ItemId> = events
                    .record(record)
                    .iter()
                    .flat_map(|item| &self.above[*item as usize])
                    .copied()
                    .collect();
                nodes.sort_unstable();
                nodes.dedup();
                builder.push(subject as u32, &nodes, &[]);
            }
        }
        // Sets with a node above another of theirs are dropped: more are asked for, and the first so many taken.
        let lengthened = builder.finish(events.subjects());
        let found = most_frequent(&lengthened, top.saturating_mul(2), progress)?;
        let apart = |set: &Vec<ItemId>| {
            set.iter().all(|node| {
                let above = path(self.taxonomy, *node);
                set.iter().all(|other| other == node || !above.contains(other))
            })
        };
        Ok(found.into_iter().filter(apart).take(top).collect())
    }
}

/// A node and those above it, the root left out: it is in every record.
fn path(taxonomy: &Taxonomy, node: u32) -> Vec<u32> {
    let mut path = Vec::new();
    let mut at = Some(node);
    while let Some(node) = at {
        at = taxonomy.parent(node);
        if at.is_some() {
            path.push(node);
        }
    }
    path
}

#[cfg(test)]
mod tests;
