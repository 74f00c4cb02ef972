//! What patterns the data have: sequences, sets and subgraphs, each miner with one description.
//!
//! The workbench's forms are made of these descriptions, and the settings are checked against them. The command line asks the same miners with
//! more to choose from (`throng mine`).
//!
//! # Guarantees
//! Supports are exact. Where time was up, what was found so far is given and marked.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use throng_contract::{
    DataKind, Descriptor, DescriptorKind, Failure, Key, Progress, Settings, Threshold, settings,
};
use throng_data::{Dataset, ItemId};
use throng_mine::subgraphs::SubgraphSearch;
use throng_mine::{Keep, Patterns, Search};
use throng_prepare::item_graph::{Joining, Labels, LabelsBy, Ties, TiesBy, item_graph};

const MIN_SUPPORT: Key<Threshold> =
    Key::threshold("min-support", "people that make a pattern frequent").or("5%");

const KEEP: Key<Keep> = Key::choice(
    "keep",
    "all; closed: no larger one has the same support; maximal: no larger one is frequent",
)
.or("frequent");

const MIN_LENGTH: Key<u64> = Key::integer("min-length", 1..=1_000, "leave out shorter patterns").or("2");

const MAX_LENGTH: Key<u64> = Key::integer("max-length", 1..=1_000, "leave out longer patterns").or("5");

const TOP: Key<u64> =
    Key::integer("top", 1..=1_000, "show so many, those with the largest support").or("100");

settings! {
    /// Which sequences or sets are looked for.
    struct Events {
        min_support: Threshold = MIN_SUPPORT,
        min_length: u64 = MIN_LENGTH,
        max_length: u64 = MAX_LENGTH,
        keep: Keep = KEEP,
        top: u64 = TOP,
    }
}

settings! {
    /// Which subgraphs are looked for.
    struct Graphs {
        min_support: u64 = Key::integer(
            "min-support",
            1..=1_000_000_000,
            "items that can stand for each node of a frequent subgraph",
        )
        .or("5"),
        people: u64 = Key::integer(
            "people",
            2..=1_000_000_000,
            "people who make an item a node, and a pair of items an edge",
        )
        .or("5"),
        edges: TiesBy = Key::choice(
            "edges",
            "what joins two items: going from one to the other, or having both in one record",
        )
        .or("usual"),
        labels: LabelsBy = Key::choice(
            "labels",
            "what nodes are labelled by; `known`: categories, else regions, else one for all",
        )
        .or("known"),
        regions: u64 = Key::integer(
            "regions",
            1..=1_000,
            "regions are cells of so many columns and rows",
        )
        .or("2"),
        max_edges: u64 = Key::integer("max-edges", 1..=20, "leave out larger subgraphs").or("3"),
        keep: Keep = KEEP,
        top: u64 = TOP,
    }
}

/// Sequences, sets, subgraphs.
pub static MINERS: [Descriptor; 3] = [
    Descriptor {
        name: "sequences",
        purpose: "what many people do, in which order",
        takes: &[DataKind::Sequences],
        params: Events::ALL,
        paper: "",
        example: "throng mine patterns city/events.csv --min-support 5%",
        notes: "Other events may lie in between. A person counts once.",
        ..Descriptor::blank(DescriptorKind::Miner)
    },
    Descriptor {
        name: "itemsets",
        purpose: "what many people have together, in whatever order",
        takes: &[DataKind::Sequences, DataKind::Sets],
        params: Events::ALL,
        paper: "",
        example: "throng mine itemsets baskets/baskets.dat --sets --min-support 5%",
        notes: "All items stand in one record. A person counts once.",
        ..Descriptor::blank(DescriptorKind::Miner)
    },
    Descriptor {
        name: "subgraphs",
        purpose: "how items hang together: shapes that recur in their graph",
        takes: &[DataKind::Sequences, DataKind::Sets],
        params: Graphs::ALL,
        paper: "EASK14",
        example: "throng prepare graph city/events.csv -o graph",
        notes: "A support counts items, not people: the fewest that can stand for a node of the shape.",
        ..Descriptor::blank(DescriptorKind::Miner)
    },
];

/// The miner of that name.
pub fn miner(name: &str) -> Option<&'static Descriptor> {
    MINERS.iter().find(|miner| miner.name == name)
}

/// The commands that look for the same patterns without a browser: `reading` names the data and says how to read them, `places` is a file of
/// where the items are.
pub fn commands(
    miner: &Descriptor,
    given: &BTreeMap<String, String>,
    reading: &[String],
    places: Option<&str>,
) -> Vec<Vec<String>> {
    let value = |name: &str| {
        let default = || miner.param(name).and_then(|param| param.default).map(str::to_owned);
        given.get(name).filter(|text| !text.is_empty()).cloned().or_else(default).unwrap_or_default()
    };
    let flags = |names: &[&str]| -> Vec<String> {
        names.iter().flat_map(|name| [format!("--{name}"), value(name)]).collect()
    };
    let words = |first: &[&str], rest: Vec<String>| -> Vec<String> {
        first.iter().map(|word| (*word).to_owned()).chain(reading.iter().cloned()).chain(rest).collect()
    };
    let keep = value("keep");
    let limits = ["min-support", "min-length", "max-length", "top"];
    match miner.name {
        "sequences" => {
            let all = if keep == "frequent" { "patterns" } else { keep.as_str() };
            vec![words(&["mine", all], flags(&limits))]
        }
        "itemsets" => vec![words(&["mine", "itemsets"], [flags(&["keep"]), flags(&limits)].concat())],
        _ => {
            let mut graph = vec!["-k".to_owned(), value("people")];
            // What the command finds out by itself has no word of its own there.
            let said = [("edges", "usual"), ("labels", "known")];
            let said = said.into_iter().filter(|(name, own)| value(name) != *own).map(|(name, _)| name);
            graph.extend(flags(&said.collect::<Vec<&str>>()));
            if value("labels") != "same" {
                graph.extend(flags(&["regions"]));
            }
            graph.extend(places.iter().flat_map(|file| ["--places".to_owned(), (*file).to_owned()]));
            graph.extend(["-o", "graph"].map(str::to_owned));
            let sets = reading.iter().any(|word| word == "--sets");
            let directed = match value("edges").as_str() {
                "moves" => true,
                "usual" => !sets,
                _ => false,
            };
            let mut search = ["mine", "subgraphs", "graph/graph.lg", "--exact"].map(str::to_owned).to_vec();
            search.extend(directed.then(|| "--directed".to_owned()));
            search.extend(flags(&["min-support", "max-edges", "keep", "top"]));
            vec![words(&["prepare", "graph"], graph), search]
        }
    }
}

/// A pattern that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPattern {
    /// The items, or the labels of a subgraph's nodes.
    pub nodes: Vec<String>,
    /// The edges of a subgraph, as places among the nodes.
    pub edges: Vec<(usize, usize)>,
    /// Its support.
    pub support: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPatterns {
    /// The largest supports first.
    pub patterns: Vec<FoundPattern>,
    /// How many were found, those left out for want of room included.
    pub found: u64,
    /// Whether nothing is missing because time was up.
    pub complete: bool,
    /// Whether order, or the direction of edges, counts.
    pub directed: bool,
    /// The support that was enough.
    pub min_support: u64,
    /// What a support is out of: the people, or the nodes of the graph.
    pub out_of: u64,
}

/// Finds patterns with the settings of a [miner](MINERS), for at most so long.
pub fn mine(
    data: &Dataset,
    miner: &Descriptor,
    settings: &Settings,
    limit: Duration,
    progress: &Progress,
) -> Result<FoundPatterns, Failure> {
    let began = Instant::now();
    let stop = || began.elapsed() >= limit;
    if miner.name == "subgraphs" {
        return subgraphs(data, &Graphs::of(settings), &stop, progress);
    }
    let asked = Events::of(settings);
    let lengths = asked.min_length as usize..=asked.max_length as usize;
    let search = Search { lengths, keep: asked.keep, ..Search::new(asked.min_support) };
    let ordered = miner.name == "sequences";
    let found = match ordered {
        true => search.sequences(&data.events, &stop, progress)?,
        false => search.itemsets(&data.events, &stop, progress)?,
    };
    Ok(told(&found, data, asked.top as usize, ordered))
}

fn told(found: &Patterns, data: &Dataset, top: usize, ordered: bool) -> FoundPatterns {
    let name = |item: &ItemId| data.items.name(*item).to_owned();
    let pattern = |pattern: throng_mine::Pattern<'_>| FoundPattern {
        nodes: pattern.items.iter().map(name).collect(),
        edges: Vec::new(),
        support: pattern.support,
    };
    FoundPatterns {
        patterns: found.iter().take(top).map(pattern).collect(),
        found: found.len() as u64,
        complete: found.complete,
        directed: ordered,
        min_support: found.min_support,
        out_of: found.subjects,
    }
}

fn subgraphs(
    data: &Dataset,
    asked: &Graphs,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &Progress,
) -> Result<FoundPatterns, Failure> {
    let regions = u32::try_from(asked.regions).unwrap_or(Labels::REGIONS);
    let labels = asked.labels.labels(data, regions);
    let ties = asked.edges.ties(data.events.kind());
    let directed = ties == Ties::Moves;
    let joining = Joining { ties, directed, min_people: asked.people };
    let graph = item_graph(data, &labels, &joining, progress)?.graph;
    let mut search = SubgraphSearch::new(asked.min_support);
    (search.exact, search.keep) = (true, asked.keep);
    search.constraints.max_edges = Some(asked.max_edges as usize);
    let mut found = search.mine(&graph, stop, progress)?;
    // Those found first have fewer edges: among equals they stay first.
    found.patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.support));
    let all = found.patterns.len() as u64;
    let pattern = |pattern: throng_mine::subgraphs::Subgraph| FoundPattern {
        nodes: pattern.labels.iter().map(|label| graph.node_labels.name(*label).to_owned()).collect(),
        edges: pattern.edges.iter().map(|(from, to, _)| (*from, *to)).collect(),
        support: pattern.support,
    };
    Ok(FoundPatterns {
        patterns: found.patterns.into_iter().take(asked.top as usize).map(pattern).collect(),
        found: all,
        complete: found.complete,
        directed,
        min_support: search.min_support,
        out_of: graph.nodes.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mined(name: &str, typed: &[(&str, &str)], words: &[&str]) -> FoundPatterns {
        let data = Dataset::from_words(words.iter().copied());
        let miner = miner(name).unwrap();
        let settings = Settings::parse(miner, typed.iter().copied()).unwrap();
        mine(&data, miner, &settings, Duration::from_secs(600), &Progress::silent()).unwrap()
    }

    fn told(found: &FoundPatterns) -> Vec<(String, u64)> {
        found.patterns.iter().map(|pattern| (pattern.nodes.concat(), pattern.support)).collect()
    }

    #[test]
    fn a_search_is_written_as_commands() {
        let given = BTreeMap::from([("keep".to_owned(), "closed".to_owned())]);
        let line = |name: &str, reading: &[&str], places: Option<&str>| {
            let reading: Vec<String> = reading.iter().map(|word| (*word).to_owned()).collect();
            let commands = commands(miner(name).unwrap(), &given, &reading, places);
            commands.iter().map(|words| words.join(" ")).collect::<Vec<String>>().join("; ")
        };
        assert_eq!(
            line("sequences", &["a.csv"], None),
            "mine closed a.csv --min-support 5% --min-length 2 --max-length 5 --top 100"
        );
        assert_eq!(
            line("itemsets", &["a.csv", "--sets"], None),
            "mine itemsets a.csv --sets --keep closed --min-support 5% --min-length 2 --max-length 5 --top 100"
        );
        assert_eq!(
            line("subgraphs", &["a.csv"], Some("places.csv")),
            "prepare graph a.csv -k 5 --regions 2 --places places.csv -o graph; \
             mine subgraphs graph/graph.lg --exact --directed --min-support 5 --max-edges 3 --keep closed --top 100"
        );
    }

    #[test]
    fn the_three_miners_answer_by_one_description() {
        let words = ["abc", "abc", "acb"];
        let found = mined("sequences", &[("min-support", "2"), ("keep", "maximal")], &words);
        assert_eq!(told(&found), [("abc".to_owned(), 2)]);
        assert_eq!((found.directed, found.out_of, found.complete), (true, 3, true));
        let found = mined("itemsets", &[("min-support", "3"), ("top", "2")], &words);
        assert_eq!((found.patterns.len(), found.found), (2, 4));
        let typed = [("min-support", "1"), ("people", "2"), ("labels", "same")];
        let found = mined("subgraphs", &typed, &words);
        // Two of three people go from a to b, and from b to c.
        assert_eq!(found.patterns[0].edges, [(0, 1)]);
        assert_eq!((found.found, found.out_of, found.directed), (2, 3, true));
    }
}
