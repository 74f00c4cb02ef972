//! Which frequent subgraphs of the graph of items a release still has, and which false ones appear.
//!
//! Items become the nodes of a graph, labelled by what several of them share; people who went from one item to another join the two
//! ([`throng_prepare::item_graph`]). A pattern says how places hang together: *from a station people go to two offices and a canteen*. A release is
//! filled in at random (each generalised item by one of its members), becomes a graph by the same rule, and is mined likewise; this is
//! repeated, and the median over the repetitions is given.
//!
//! # Reference
//! Elseidy, Abdelhamid, Skiadopoulos, Kalnis. GraMi: frequent subgraph and pattern mining in a single large graph. PVLDB 2014, for the miner.
//! # Guarantees
//! Support is MNI, exact as far as it decides what is frequent. The same data, release and seed give the same numbers with any number of threads.
//! # Cost
//! The graph of the data and that of each projection are made and mined once. A release without generalised events has one projection.

use std::collections::BTreeSet;

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Key, Scale, Settings, settings};
use throng_data::Events;
use throng_mine::subgraphs::SubgraphSearch;
use throng_prepare::item_graph::{ItemGraphError, Joining, Labels, LabelsBy, Ties, join, labels_of};

use crate::patterns::{PROJECTIONS, is_intact, median, project, shares};
use crate::{Comparison, Measure, MeasureError, Readings};

settings! {
    /// What the measure is asked for.
    struct Asked {
        graph_support: u64 = Key::integer(
            "graph-support",
            1..=1_000_000_000,
            "items that must be able to stand for each node of a frequent subgraph",
        )
        .or("5"),
        graph_edges: u64 = Key::integer(
            "graph-edges",
            1..=20,
            "edges of the largest subgraph looked for",
        )
        .or("3"),
        graph_people: u64 = Key::integer(
            "graph-people",
            1..=1_000_000_000,
            "people who make an item a node of the graph, and a move an edge",
        )
        .or("5"),
        graph_labels: LabelsBy = Key::choice(
            "graph-labels",
            "what nodes are labelled by; `known`: categories, else regions, else one for all",
        )
        .or("known"),
        projections: u64 = PROJECTIONS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "subgraphs",
    purpose: "which share of frequent subgraphs of the graph of items is still found, and which is false",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::kept(
                "subgraphs_kept",
                "frequent subgraphs of the data that are frequent in the release, median",
                1.0,
            ),
            Scale::loss(
                "subgraphs_false",
                "frequent subgraphs of the release that are not frequent in the data, median",
                1.0,
            ),
            Scale::size("subgraphs_frequent", "frequent subgraphs of the data"),
        ],
    }),
    paper: "EASK14",
    example: "throng measure city/events.csv release --measure subgraphs --graph-people 20 --graph-edges 2",
    notes: "Moves join the items of sequences, records those of sets. `throng prepare graph` writes the same graph as files.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Columns and rows of regions.
const REGIONS: u32 = Labels::REGIONS;

/// Shares of subgraphs kept and false.
#[derive(Debug, Clone, Copy)]
pub struct SubgraphMeasure;

/// A pattern of a graph whose labels are numbered as those of all others here: nodes' labels, and edges.
type Pattern = (Vec<u32>, Vec<(usize, usize, u32)>);

impl Measure for SubgraphMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::Reconstructed
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let data = on.original;
        let labels = asked.graph_labels.labels(data, REGIONS);
        let labels = labels_of(data, &labels).map_err(not_applicable)?;
        let ties = Ties::usual(data.events.kind());
        let min_people = asked.graph_people;
        let joining = Joining { ties, directed: ties == Ties::Moves, min_people };
        let mut search = SubgraphSearch::new(asked.graph_support);
        search.constraints.max_edges = usize::try_from(asked.graph_edges).ok();
        let quiet = on.progress.muted();
        let mined = |events: &Events| -> Result<BTreeSet<Pattern>, MeasureError> {
            let made = join(events, &data.items, &labels, &joining, &quiet).map_err(not_applicable)?;
            let found = search.mine(&made.graph, &|| false, &quiet)?;
            Ok(found.patterns.into_iter().map(|pattern| (pattern.labels, pattern.edges)).collect())
        };
        let before = mined(&data.events)?;
        let projections = if is_intact(on.release) { 1 } else { asked.projections };
        let phase = on.progress.phase("mine graphs", Some(projections));
        let (mut kept, mut wrong) = (Vec::new(), Vec::new());
        for number in 0..projections {
            let after = mined(&project(on.release, on.seed, number))?;
            let (found, not_known) = shares(before.intersection(&after).count(), before.len(), after.len());
            kept.push(found);
            wrong.push(not_known);
            phase.advance(1)?;
        }
        Ok(vec![
            ("subgraphs_kept", median(&mut kept)),
            ("subgraphs_false", median(&mut wrong)),
            ("subgraphs_frequent", before.len() as f64),
        ])
    }
}

fn not_applicable(error: ItemGraphError) -> MeasureError {
    let reason = match error {
        ItemGraphError::Cancelled(cancelled) => return cancelled.into(),
        ItemGraphError::NoCategories => "no item has a category",
        ItemGraphError::NoPlaces => "it is not known where items are",
        ItemGraphError::NoOrder => "the release has no order of events, as the data have",
        ItemGraphError::TooManyPairs { .. } => "records hold too many pairs of items to count",
        _ => "the data have no graph of items",
    };
    MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, GeneralisedItem, Release};

    use super::*;

    fn measured(data: &Dataset, release: &Release, edges: &str) -> Readings {
        let typed = [("graph-support", "2"), ("graph-people", "2"), ("graph-edges", edges)];
        let settings = Settings::parse(&DESCRIPTOR, typed).unwrap();
        let progress = Progress::silent();
        SubgraphMeasure.measure(&Comparison::of(data, release, &progress), &settings).unwrap()
    }

    /// Two people each go from an inn (a, b) to a bar (c, d), and on to a shop (e, f).
    fn town() -> Dataset {
        let mut data = Dataset::from_words(["ace", "ace", "bdf", "bdf"]);
        // Items are numbered in the order a c e b d f.
        let categories = ["inn", "bar", "shop", "inn", "bar", "shop"];
        data.own_categories = Some(categories.map(str::to_owned).to_vec());
        data
    }

    #[test]
    fn what_is_not_walked_any_more_is_lost() {
        let data = town();
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let all = [("subgraphs_kept", 1.0), ("subgraphs_false", 0.0), ("subgraphs_frequent", 3.0)];
        assert_eq!(measured(&data, &release, "2"), all);
        // No one goes to the shops: of inn-bar, bar-shop and both together the first is left.
        let without = Dataset::from_words(["ac", "ac", "bd", "bd"]);
        let number = |item| data.items.find(without.items.name(item)).unwrap();
        let events = without.events.recode(number, false);
        release.body = release.body.with_events(|_| events);
        let readings = measured(&data, &release, "2");
        assert_eq!(readings[..2], [("subgraphs_kept", 1.0 / 3.0), ("subgraphs_false", 0.0)]);
    }

    #[test]
    fn generalised_places_are_filled_in() {
        let data = town();
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        // Bars and shops are told apart no more.
        release.alphabet = (0..6)
            .map(|item| match item {
                0 | 3 => GeneralisedItem::of(vec![item]),
                _ => GeneralisedItem::of(vec![1, 2, 4, 5]),
            })
            .collect();
        let readings = measured(&data, &release, "1");
        assert!(readings[0].1 < 1.0, "{readings:?}");
        assert_eq!(readings, measured(&data, &release, "1"));
    }
}
