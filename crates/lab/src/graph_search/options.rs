//! What can be asked of the subgraph miner: one table for flags and recipes.

use throng_mine::subgraphs::Pruning;

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

pub(super) const fn option(
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

pub(super) const fn late(option: GraphOption) -> GraphOption {
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
