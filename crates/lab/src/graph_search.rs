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

use std::collections::BTreeMap;
use std::path::Path;

use throng_contract::{Class, Failure, Progress};
use throng_data::Graph;
use throng_data::formats::{GraphOptions, Source, read_graph};
use throng_mine::Keep;
use throng_mine::subgraphs::{Constraints, Distance, Measure, Pruning, SubgraphSearch, near};

use crate::recipe::{Document, KeyValue, RecipeError, schema};

/// Name and version of the recipe's form.
pub const SCHEMA: &str = "throng-mine/1";

/// Where in a recipe an option stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `[graph]`: what is read, and what its edges are.
    Graph,
    /// `[search]`: what is counted, and which patterns are kept.
    Search,
    /// `[constraints]`: what a pattern must be like.
    Constraints,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 3] = [Part::Graph, Part::Search, Part::Constraints];

    /// The section's name.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Graph => "graph",
            Part::Search => "search",
            Part::Constraints => "constraints",
        }
    }
}

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A whole number, at least one.
    Count,
    /// A number above zero.
    Positive,
    /// A number above zero and at most one.
    Share,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Several of these words.
    Words(&'static [&'static str]),
    /// Nothing: it is on or off.
    Switch,
    /// Labels.
    Labels,
    /// A file.
    File,
    /// Several files.
    Files,
}

impl Takes {
    /// Why a value cannot be taken.
    pub fn check(self, text: &str) -> Result<(), String> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
        let (good, expected) = match self {
            Takes::Count => (
                text.parse::<u32>().is_ok_and(|count| count > 0),
                "expected a whole number from 1 on, such as 5".to_owned(),
            ),
            Takes::Positive => (number.is_some(), "expected a number above 0, such as 2 or 0.3".to_owned()),
            Takes::Share => (
                number.is_some_and(|number| number <= 1.0),
                "expected a number above 0 and at most 1".to_owned(),
            ),
            Takes::Word(words) | Takes::Words(words) => {
                (words.contains(&text), format!("expected one of {}", words.join(", ")))
            }
            Takes::Switch => (matches!(text, "true" | "false"), "expected true or false".to_owned()),
            Takes::Labels => (!text.is_empty(), "expected a label".to_owned()),
            Takes::File | Takes::Files => (!text.is_empty(), "expected the path of a file".to_owned()),
        };
        if good { Ok(()) } else { Err(expected) }
    }

    /// Whether several values may be given.
    pub const fn several(self) -> bool {
        matches!(self, Takes::Words(_) | Takes::Labels | Takes::Files)
    }
}

/// An option of the miner.
#[derive(Debug, Clone, Copy)]
pub struct GraphOption {
    /// Name in recipes and, with dashes before it, on the command line.
    pub name: &'static str,
    /// Where in a recipe it stands.
    pub part: Part,
    /// What it takes.
    pub takes: Takes,
    /// What its value is called in help.
    pub value: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Whether it judges what was found only, because a part of a pattern may break it where the pattern does not.
    pub late: bool,
}

const fn option(
    part: Part,
    name: &'static str,
    takes: Takes,
    value: &'static str,
    help: &'static str,
) -> GraphOption {
    GraphOption { name, part, takes, value, help, late: false }
}

const fn constraint(name: &'static str, takes: Takes, help: &'static str) -> GraphOption {
    let value = match takes {
        Takes::Labels => "LABELS",
        Takes::Files => "FILE",
        _ => "N",
    };
    option(Part::Constraints, name, takes, value, help)
}

const fn late(option: GraphOption) -> GraphOption {
    GraphOption { late: true, ..option }
}

/// All options, in the order of the help. The graph itself is no option: it is what the command is given.
pub static OPTIONS: [GraphOption; 24] = [
    option(
        Part::Search,
        "min-support",
        Takes::Count,
        "N",
        "Support that is enough; needed unless the recipe says it",
    ),
    option(
        Part::Graph,
        "directed",
        Takes::Switch,
        "",
        "Edges have a direction (GraphML files say so themselves)",
    ),
    option(
        Part::Graph,
        "ignore-edge-labels",
        Takes::Switch,
        "",
        "All edges have the same label, as where labels are weights",
    ),
    option(Part::Graph, "labels", Takes::File, "FILE", "Labels of nodes, for an edge list: `node,label`"),
    option(
        Part::Search,
        "exact",
        Takes::Switch,
        "",
        "Compute the support itself; otherwise a lower bound that is enough is given",
    ),
    option(
        Part::Search,
        "support",
        Takes::Word(&["mni", "mis", "mis-greedy", "harmful-overlap"]),
        "MEASURE",
        "What is counted: nodes that can stand for a node of the pattern, or places apart [default: mni]",
    ),
    option(
        Part::Search,
        "keep",
        Takes::Word(&["frequent", "closed", "maximal"]),
        "WHICH",
        "All frequent patterns; closed: no larger one has the same support; maximal: no larger one is \
         frequent [default: frequent]",
    ),
    option(Part::Search, "top", Takes::Count, "N", "Only so many patterns, those with the largest support"),
    constraint("max-edges", Takes::Count, "At most so many edges"),
    constraint("max-nodes", Takes::Count, "At most so many nodes"),
    constraint("max-degree", Takes::Count, "At most so many edges at a node"),
    constraint("max-same-label", Takes::Count, "Each node label at most so many times in a pattern"),
    constraint("only-labels", Takes::Labels, "Only these node labels, separated by commas"),
    constraint("without-labels", Takes::Labels, "None of these node labels"),
    constraint("only-edges", Takes::Labels, "Only these edge labels"),
    constraint("without-edges", Takes::Labels, "None of these edge labels"),
    constraint(
        "without-part",
        Takes::Files,
        "No pattern that has this graph (an `.lg` file) as a part; may be repeated",
    ),
    late(constraint("min-edges", Takes::Count, "At least so many edges; applied after the search")),
    late(constraint("min-nodes", Takes::Count, "At least so many nodes; applied after the search")),
    late(constraint("with-labels", Takes::Labels, "All of these node labels; applied after the search")),
    option(
        Part::Graph,
        "distance",
        Takes::Word(&["hops", "weights", "lengths"]),
        "METRIC",
        "Edges of patterns stand for paths: of hops, of one over the weights, or of the weights",
    ),
    option(
        Part::Graph,
        "delta",
        Takes::Positive,
        "D",
        "The longest path that an edge of a pattern stands for",
    ),
    option(
        Part::Search,
        "alpha",
        Takes::Share,
        "SHARE",
        "Approximate (AGraMi): give up long searches; nothing infrequent is told, some may be missed",
    ),
    option(
        Part::Search,
        "without",
        Takes::Words(&Pruning::NAMES),
        "OPTIMISATIONS",
        "Switch optimisations off; the result is the same",
    ),
];

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
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GraphSearch, RecipeError> {
        let text = format!("schema = \"{SCHEMA}\"\n{text}");
        GraphSearch::of_document(&Document::of("mine.toml", text, Path::new("")))
    }

    #[test]
    fn a_recipe_says_what_flags_say() {
        let text = "[graph]\ndirected = true\ndistance = \"hops\"\ndelta = 2\n[search]\nmin-support = 7\nkeep = \"maximal\"\n\
                    [constraints]\nmax-edges = 3\nonly-labels = [\"A\", \"B,C\"]\nwith-labels = \"A\"\n";
        let asked = read(text).unwrap();
        let search = asked.search(&Progress::silent()).unwrap();
        assert_eq!((search.min_support, search.keep), (7, Keep::Maximal));
        assert_eq!(search.constraints.max_edges, Some(3));
        assert_eq!(search.constraints.only_labels, Some(vec!["A".to_owned(), "B,C".to_owned()]));
        assert_eq!(asked.looked_at_late(), ["with-labels"]);
        assert!(asked.reading().directed && asked.distance() == Some(Distance::Hops));
    }

    #[test]
    fn every_option_can_stand_in_a_recipe() {
        for option in OPTIONS.iter().filter(|option| !matches!(option.takes, Takes::File | Takes::Files)) {
            let value = match option.takes {
                Takes::Count => "3".to_owned(),
                Takes::Positive | Takes::Share => "0.5".to_owned(),
                Takes::Word(words) => format!("\"{}\"", words[0]),
                Takes::Words(words) => format!("[\"{}\"]", words[0]),
                Takes::Switch => "true".to_owned(),
                _ => "[\"A\"]".to_owned(),
            };
            let asked = read(&format!("[{}]\n{} = {value}\n", option.part.name(), option.name)).unwrap();
            assert!(asked.given.contains_key(option.name));
            assert_eq!(option.late, option.help.contains("when all is found"), "{}", option.name);
        }
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for text in [
            "[constraints]\nmax-edge = 3\n",
            "[constraints]\nmax-edges = 0\n",
            "[constraints]\nmin-support = 3\n",
            "[search]\nalpha = 2\n",
            "[search]\nkeep = \"all\"\n",
            "[search]\nexact = 1\n",
            "[graph]\nfile = \"nowhere.lg\"\n",
            "[limits]\n",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let alone = read("[graph]\ndelta = 2\n[search]\nmin-support = 1\n").unwrap();
        assert!(alone.search(&Progress::silent()).is_err());
        assert!(read("").unwrap().search(&Progress::silent()).is_err());
    }
}
