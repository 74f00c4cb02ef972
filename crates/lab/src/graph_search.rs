//! What is asked of the subgraph miner: one table of options for the flags of `throng mine subgraphs` and for its recipe.
//!
//! ```toml
//! schema = "throng-mine/1"
//!
//! [graph]
//! file = "citeseer.lg"        # a path from the folder of the recipe
//! ignore-edge-labels = true
//!
//! [search]
//! min-support = 260
//!
//! [constraints]               # Tables 1 and 2 of the paper, and more
//! max-same-label = 4
//! without-labels = ["AI"]
//! ```
//!
//! Constraints that every part of a pattern keeps where the pattern does end its growth. The others ([`GraphOption::late`]) judge what was
//! found, and do not speed up the search.

mod options;
pub use self::options::{GraphOption, OPTIONS, Part, Takes};
use std::collections::BTreeMap;
use std::path::Path;

use throng_contract::{Class, Failure, Progress};
use throng_data::Graph;
use throng_data::formats::{GraphOptions, Source, read_graph};
use throng_mine::Keep;
use throng_mine::subgraphs::{Constraints, Distance, Measure, SubgraphSearch, near};

use crate::recipe::{Document, KeyValue, RecipeError, schema};

/// Name and version of the recipe's form.
pub const SCHEMA: &str = "throng-mine/1";

/// The key of a recipe's section `graph` that says which graph is read.
const FILE: &str = "file";

/// What is asked, as it was typed or written.
#[derive(Debug, Clone, Default)]
pub struct GraphSearch {
    /// The graph; on the command line it has no name.
    pub graph: Option<Source>,
    given: BTreeMap<&'static str, Vec<String>>,
}

impl GraphSearch {
    /// Reads and checks a recipe.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        GraphSearch::of_document(&Document::read(path)?)
    }

    fn of_document(document: &Document) -> Result<Self, RecipeError> {
        let root = document.root()?;
        schema(&root, SCHEMA)?;
        root.only(&["schema", Part::Graph.name(), Part::Search.name(), Part::Constraints.name()])?;
        let mut search = GraphSearch::default();
        for part in Part::ALL {
            let Some(section) = root.section(part.name())? else { continue };
            let options = || OPTIONS.iter().filter(|option| option.part == part);
            let file = (part == Part::Graph).then_some(FILE);
            let keys: Vec<&str> = options().map(|option| option.name).chain(file).collect();
            section.only(&keys)?;
            if let Some(entry) = file.and_then(|file| section.get(file)) {
                search.graph = Some(Source::file(entry.existing_path()?));
            }
            for option in options() {
                if let Some(entry) = section.get(option.name) {
                    search.given.insert(option.name, values(option, &entry)?);
                }
            }
        }
        Ok(search)
    }

    /// Says an option; what was said of it before is forgotten.
    pub fn say(&mut self, option: &GraphOption, values: Vec<String>) {
        self.given.insert(option.name, values);
    }

    /// Reads what further files are asked for, and refuses what does not go together.
    pub fn search(&self, progress: &Progress) -> Result<SubgraphSearch, Failure> {
        let Some(min_support) = self.count("min-support") else {
            return Err(wrong("which support is enough is not said", "give {min-support N}, such as 10"));
        };
        if self.word("distance").is_some() != self.word("delta").is_some() {
            return Err(wrong(
                "`distance` and `delta` go together",
                "give both, such as {distance hops} {delta 2}, or neither",
            ));
        }
        // Edges that have no label in the graph have none in what must not be part of it.
        let plain = self.ignores_edge_labels() || self.distance().is_some();
        let part = |file: &String| {
            let part = read_graph(&Source::parse(file), &self.reading(), progress)?;
            Ok::<_, Failure>(if plain { part.without_edge_labels() } else { part })
        };
        let mut search = SubgraphSearch::new(min_support as u64);
        search.exact = self.switch("exact");
        search.alpha = self.number("alpha");
        search.top = self.count("top");
        search.keep = match self.word("keep") {
            Some("closed") => Keep::Closed,
            Some("maximal") => Keep::Maximal,
            _ => Keep::Frequent,
        };
        search.measure = match self.word("support") {
            Some("mis") => Measure::Mis,
            Some("mis-greedy") => Measure::MisGreedy,
            Some("harmful-overlap") => Measure::HarmfulOverlap,
            _ => Measure::Mni,
        };
        self.list("without").iter().for_each(|name| search.pruning.switch_off(name));
        search.constraints = Constraints {
            max_nodes: self.count("max-nodes"),
            max_edges: self.count("max-edges"),
            max_degree: self.count("max-degree"),
            only_labels: self.given.get("only-labels").cloned(),
            without_labels: self.list("without-labels").to_vec(),
            only_edges: self.given.get("only-edges").cloned(),
            without_edges: self.list("without-edges").to_vec(),
            max_same_label: self.count("max-same-label"),
            without_parts: self.list("without-part").iter().map(part).collect::<Result<_, _>>()?,
            min_nodes: self.count("min-nodes"),
            min_edges: self.count("min-edges"),
            with_labels: self.list("with-labels").to_vec(),
        };
        if search.alpha.is_some() && (search.exact || search.top.is_some() || search.keep == Keep::Closed) {
            return Err(wrong(
                "an approximation (`alpha`) gives lower bounds of supports only",
                "leave out {alpha}, or {exact}, {top} and {keep closed}",
            ));
        }
        Ok(search)
    }

    /// The constraints that were given and are applied after the search, by name.
    pub fn looked_at_late(&self) -> Vec<&'static str> {
        let late = OPTIONS.iter().filter(|option| option.late && self.given.contains_key(option.name));
        late.map(|option| option.name).collect()
    }

    /// How the graph is read.
    pub fn reading(&self) -> GraphOptions {
        GraphOptions {
            directed: self.switch("directed"),
            weighted: matches!(self.distance(), Some(Distance::Weights | Distance::Lengths)),
            labels: self.word("labels").map(Source::parse),
        }
    }

    /// Whether labels of edges are left out.
    pub fn ignores_edge_labels(&self) -> bool {
        self.switch("ignore-edge-labels")
    }

    /// What the edges of patterns stand for, where it is not an edge of the graph.
    pub fn distance(&self) -> Option<Distance> {
        self.word("distance").map(|name| match name {
            "weights" => Distance::Weights,
            "lengths" => Distance::Lengths,
            _ => Distance::Hops,
        })
    }

    /// The graph whose edges are those that patterns are made of.
    pub fn edges_of_patterns(&self, graph: Graph, progress: &Progress) -> Result<Graph, Failure> {
        let graph = if self.ignores_edge_labels() { graph.without_edge_labels() } else { graph };
        match (self.distance(), self.number("delta")) {
            (Some(distance), Some(delta)) => Ok(near(&graph, distance, delta, progress)?),
            _ => Ok(graph),
        }
    }

    fn list(&self, name: &str) -> &[String] {
        self.given.get(name).map_or(&[], Vec::as_slice)
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.list(name).first().map(String::as_str)
    }

    fn switch(&self, name: &str) -> bool {
        self.word(name) == Some("true")
    }

    fn count(&self, name: &str) -> Option<usize> {
        self.word(name)?.parse().ok()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.word(name)?.parse().ok()
    }
}

/// The values of a key, each checked as if it had been typed.
fn values(option: &GraphOption, entry: &KeyValue<'_>) -> Result<Vec<String>, RecipeError> {
    let list = if option.takes.several() { entry.list() } else { vec![entry.clone()] };
    let value = |entry: &KeyValue<'_>| match option.takes {
        Takes::File | Takes::Files => Ok(entry.existing_path()?.to_string_lossy().into_owned()),
        takes => {
            let text = entry.text()?;
            takes.check(&text).map_err(|expected| entry.error(expected))?;
            Ok(text)
        }
    };
    list.iter().map(value).collect()
}

fn wrong(message: &str, help: &'static str) -> Failure {
    Failure::new(Class::Usage, message).with_help(help)
}

#[cfg(test)]
mod tests;
