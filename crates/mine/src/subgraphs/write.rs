//! Patterns as text, as GraMi's lines, as JSON, as a graph description (DOT) and as pictures (SVG).

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use throng_data::Graph;

use super::{Subgraph, SubgraphSearch, Subgraphs};
use crate::Keep;

/// How patterns are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubgraphFormat {
    /// A line a pattern: `12  DB -4- IR(2), IR(2) -10- IR(3)`.
    Text,
    /// `# t 1 12`, then `v` and `e` lines, for each pattern.
    Lg,
    /// One object.
    Json,
    /// One drawing for Graphviz, a cluster for each pattern.
    Dot,
    /// One picture, patterns side by side.
    Svg,
}

/// Writes patterns in the order they were found.
pub fn write_subgraphs(
    out: &mut dyn Write,
    found: &Subgraphs,
    graph: &Graph,
    search: &SubgraphSearch,
    format: SubgraphFormat,
) -> io::Result<()> {
    match format {
        SubgraphFormat::Text => text(out, found, graph),
        SubgraphFormat::Lg => lg(out, found, graph),
        SubgraphFormat::Json => json(out, found, graph, search),
        SubgraphFormat::Dot => dot(out, found, graph),
        SubgraphFormat::Svg => svg(out, found, graph),
    }
}

/// `=` where the support is exact, `>=` where it is a lower bound.
fn sign(pattern: &Subgraph) -> &'static str {
    if pattern.exact { "=" } else { ">=" }
}

fn text(out: &mut dyn Write, found: &Subgraphs, graph: &Graph) -> io::Result<()> {
    for pattern in &found.patterns {
        let node = |at: usize| format!("{}({})", graph.node_labels.name(pattern.labels[at]), at + 1);
        let mut edges = Vec::new();
        for (from, to, label) in &pattern.edges {
            let label = graph.edge_labels.name(*label);
            let line = match (label, graph.directed) {
                ("", true) => "->".to_owned(),
                ("", false) => "--".to_owned(),
                (label, true) => format!("-{label}->"),
                (label, false) => format!("-{label}-"),
            };
            edges.push(format!("{} {line} {}", node(*from), node(*to)));
        }
        writeln!(out, "{}  #SUP {} {}", edges.join(", "), sign(pattern), pattern.support)?;
    }
    Ok(())
}

fn lg(out: &mut dyn Write, found: &Subgraphs, graph: &Graph) -> io::Result<()> {
    for (number, pattern) in found.patterns.iter().enumerate() {
        writeln!(out, "# t {} {}", number + 1, pattern.support)?;
        for (node, label) in pattern.labels.iter().enumerate() {
            writeln!(out, "v {node} {}", graph.node_labels.name(*label))?;
        }
        for (from, to, label) in &pattern.edges {
            writeln!(out, "{}", format!("e {from} {to} {}", graph.edge_labels.name(*label)).trim_end())?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    directed: bool,
    graph_nodes: usize,
    graph_edges: usize,
    min_support: u64,
    keep: Keep,
    complete: bool,
    approximate: bool,
    searches: u64,
    timed_out: u64,
    judged_without_search: u64,
    given_up: u64,
    patterns: Vec<Written<'a>>,
}

#[derive(Serialize)]
struct Written<'a> {
    nodes: Vec<&'a str>,
    edges: Vec<(usize, usize, &'a str)>,
    support: u64,
    exact: bool,
}

fn json(out: &mut dyn Write, found: &Subgraphs, graph: &Graph, search: &SubgraphSearch) -> io::Result<()> {
    let written = |pattern: &Subgraph| Written {
        nodes: pattern.labels.iter().map(|label| graph.node_labels.name(*label)).collect(),
        edges: pattern
            .edges
            .iter()
            .map(|(from, to, label)| (*from, *to, graph.edge_labels.name(*label)))
            .collect(),
        support: pattern.support,
        exact: pattern.exact,
    };
    let document = Document {
        schema: "throng-subgraphs/1",
        directed: graph.directed,
        graph_nodes: graph.nodes.len(),
        graph_edges: graph.edges().len(),
        min_support: search.min_support,
        keep: search.keep,
        complete: found.complete,
        approximate: search.alpha.is_some_and(|alpha| alpha < 1.0),
        searches: found.searches,
        timed_out: found.timed_out,
        judged_without_search: found.without_search,
        given_up: found.given_up,
        patterns: found.patterns.iter().map(written).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn dot(out: &mut dyn Write, found: &Subgraphs, graph: &Graph) -> io::Result<()> {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let (kind, line) = if graph.directed { ("digraph", "->") } else { ("graph", "--") };
    writeln!(out, "{kind} patterns {{")?;
    for (number, pattern) in found.patterns.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{number} {{")?;
        writeln!(out, "    label=\"support {} {}\";", sign(pattern), pattern.support)?;
        for (node, label) in pattern.labels.iter().enumerate() {
            writeln!(out, "    p{number}_{node} [label=\"{}\"];", quoted(graph.node_labels.name(*label)))?;
        }
        for (from, to, label) in &pattern.edges {
            let label = quoted(graph.edge_labels.name(*label));
            writeln!(out, "    p{number}_{from} {line} p{number}_{to} [label=\"{label}\"];")?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}

/// Width and height of a pattern in the picture, and how many stand side by side.
const CELL: f64 = 180.0;
const ACROSS: usize = 5;

/// Nodes of each pattern on a circle, its support below.
fn svg(out: &mut dyn Write, found: &Subgraphs, graph: &Graph) -> io::Result<()> {
    let rows = found.patterns.len().div_ceil(ACROSS).max(1);
    let (width, height) = (CELL * ACROSS as f64, CELL * rows as f64);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\"><title>{} frequent subgraphs</title><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
        found.patterns.len()
    )?;
    if graph.directed {
        writeln!(
            out,
            "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"18\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>"
        )?;
    }
    for (number, pattern) in found.patterns.iter().enumerate() {
        let (column, row) = ((number % ACROSS) as f64, (number / ACROSS) as f64);
        let (x, y) = (column * CELL + CELL / 2.0, row * CELL + CELL / 2.0 - 8.0);
        svg_pattern(out, pattern, graph, x, y)?;
    }
    writeln!(out, "</svg>")
}

fn svg_pattern(out: &mut dyn Write, pattern: &Subgraph, graph: &Graph, x: f64, y: f64) -> io::Result<()> {
    let count = pattern.labels.len() as f64;
    let at = |node: usize| {
        let turn = TAU * node as f64 / count - TAU / 4.0;
        (x + turn.cos() * CELL * 0.32, y + turn.sin() * CELL * 0.32)
    };
    let tip = if graph.directed { " marker-end=\"url(#tip)\"" } else { "" };
    let mut picture = String::new();
    for (number, (from, to, label)) in pattern.edges.iter().enumerate() {
        let ((ax, ay), (bx, by)) = (at(*from), at(*to));
        // Writing to a `String` cannot fail.
        let _ = write!(
            picture,
            "<line x1=\"{ax:.1}\" y1=\"{ay:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"#555\" stroke-width=\"1.5\"{tip}/>"
        );
        let shift = (number % 2) as f64 * 8.0;
        let _ = write!(
            picture,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
            (ax + bx) / 2.0,
            (ay + by) / 2.0 - 3.0 - shift,
            escaped(graph.edge_labels.name(*label))
        );
    }
    for (node, label) in pattern.labels.iter().enumerate() {
        let ((cx, cy), name) = (at(node), graph.node_labels.name(*label));
        let _ = write!(
            picture,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"13\" fill=\"#dbe9f6\" stroke=\"#1f5f99\"/>\
             <text x=\"{cx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            cy + 4.0,
            escaped(name)
        );
    }
    let below = y + CELL / 2.0 - 4.0;
    writeln!(
        out,
        "<g>{picture}<text x=\"{x:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">support {} {}</text></g>",
        sign(pattern).replace(">=", "≥"),
        pattern.support
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
