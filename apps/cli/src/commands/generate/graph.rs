//! `throng generate graph`: one large graph with planted motifs.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_prepare::graphs::{self, GRAPH, GraphOptions, MOTIFS, PLANTED};

use super::super::{force, output, path, seed};
use crate::failure::Stop;
use crate::layout::{Side, Table, count};
use crate::session::Session;

/// Its name among the worlds.
pub const NAME: &str = "graph";

const EXAMPLES: &str = "\
Examples:
  throng generate graph -o web
  throng mine subgraphs web/graph.lg --min-support 60 --max-edges 4
  throng generate graph -o even --nodes 5000 --edges 8000 --skew 0 --labels 100 --motifs 0";

/// Name, flags and help.
pub fn command() -> Command {
    let default = GraphOptions::default();
    let whole = |name: &'static str, default: u64, help: &'static str| {
        number(name, "N", default.to_string(), help).value_parser(value_parser!(u64))
    };
    let small = |name: &'static str, default: u32, help: &'static str| {
        number(name, "N", default.to_string(), help).value_parser(value_parser!(u32))
    };
    let real = |name: &'static str, default: f64, help: &'static str| {
        number(name, "X", default.to_string(), help).value_parser(value_parser!(f64))
    };
    Command::new(NAME)
        .about("Make a graph with a power law of degrees and planted motifs")
        .arg(output("Write the graph's files into this directory").required(true))
        .arg(whole("nodes", default.nodes, "Number of nodes"))
        .arg(whole("edges", default.edges, "Number of edges"))
        .arg(small("labels", default.labels, "Number of node labels"))
        .arg(small("edge-labels", default.edge_labels, "Number of edge labels"))
        .arg(real("skew", default.skew, "How uneven labels are: the exponent of Zipf's law, 0 for even"))
        .arg(real("degrees", default.degrees, "Exponent of the power law of degrees; smaller, larger hubs"))
        .arg(small("motifs", default.motifs, "Number of motifs that are planted"))
        .arg(small("motif-nodes", default.motif_nodes, "Nodes of each motif"))
        .arg(whole("copies", default.copies, "Copies of each motif, apart from each other"))
        .arg(seed())
        .arg(force("Replace a graph that is already there"))
        .after_help(EXAMPLES)
}

fn number(name: &'static str, value: &'static str, default: String, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).default_value(default).help(help)
}

#[derive(Serialize)]
struct Generated {
    directory: PathBuf,
    files: [&'static str; 3],
    nodes: u64,
    edges: u64,
    largest_degree: u64,
    motifs: u64,
    copies: u64,
    seed: u64,
}

/// Writes the graph.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let default = GraphOptions::default();
    let whole = |name: &str, default| matches.get_one(name).copied().unwrap_or(default);
    let small = |name: &str, default| matches.get_one(name).copied().unwrap_or(default);
    let real = |name: &str, default| matches.get_one(name).copied().unwrap_or(default);
    let options = GraphOptions {
        nodes: whole("nodes", default.nodes),
        edges: whole("edges", default.edges),
        labels: small("labels", default.labels),
        edge_labels: small("edge-labels", default.edge_labels),
        skew: real("skew", default.skew),
        degrees: real("degrees", default.degrees),
        motifs: small("motifs", default.motifs),
        motif_nodes: small("motif-nodes", default.motif_nodes),
        copies: whole("copies", default.copies),
        seed: whole("seed", default.seed),
    };
    let directory = path(matches, "output").unwrap_or_else(|| PathBuf::from(NAME));
    let written = graphs::generate(&options, &directory, matches.get_flag("force"), &session.progress)?;
    if session.json {
        let result = Generated {
            directory,
            files: [GRAPH, MOTIFS, PLANTED],
            nodes: written.nodes,
            edges: written.edges,
            largest_degree: written.largest_degree,
            motifs: written.motifs,
            copies: options.copies,
            seed: options.seed,
        };
        return session.print_json("throng-generate-graph/1", &result);
    }
    let mut text = format!(
        "graph: {} nodes, {} edges, {} at the node with most; {} motifs, {} copies of each\n",
        count(written.nodes),
        count(written.edges),
        count(written.largest_degree),
        count(written.motifs),
        count(options.copies)
    );
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    for (file, what) in [
        (GRAPH, "the graph, `v ID LABEL` and `e ID ID LABEL`"),
        (MOTIFS, "the motifs that were planted, a graph each"),
        (PLANTED, "motif,copy,node,graph_node: where each copy lies"),
    ] {
        table.row([directory.join(file).display().to_string(), what.to_owned()]);
    }
    text.push_str(&table.render());
    session.say(&text);
    Ok(())
}
