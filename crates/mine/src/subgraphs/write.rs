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

/// How many patterns stand side by side.
const ACROSS: usize = 5;

/// The shortest distance of a node from the middle of its pattern, and of two nodes on the circle around it.
const RADIUS: f64 = 74.0;
const APART: f64 = 34.0;

/// Room around the circle, for names and the support.
const MARGIN: f64 = 46.0;

/// Half the height of a node, and the width of a letter.
const HALF_HEIGHT: f64 = 11.0;
const LETTER: f64 = 6.2;

/// Longer names are cut short; the whole name is shown where the pointer rests.
const LONGEST_NAME: usize = 14;

/// How far edges between the same two nodes bend away from each other.
const BEND: f64 = 44.0;

/// Nodes of each pattern on a circle, its support below. All patterns have the same room.
fn svg(out: &mut dyn Write, found: &Subgraphs, graph: &Graph) -> io::Result<()> {
    let largest = found.patterns.iter().map(|pattern| pattern.labels.len()).max().unwrap_or_default();
    let radius = RADIUS.max(largest as f64 * APART / TAU);
    let cell = 2.0 * (radius + MARGIN);
    let rows = found.patterns.len().div_ceil(ACROSS).max(1);
    let (width, height) = (cell * ACROSS as f64, cell * rows as f64);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\"><title>{} frequent subgraphs</title><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
        found.patterns.len()
    )?;
    if graph.directed {
        writeln!(
            out,
            "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>"
        )?;
    }
    for (number, pattern) in found.patterns.iter().enumerate() {
        let (column, row) = ((number % ACROSS) as f64, (number / ACROSS) as f64);
        let middle = ((column + 0.5) * cell, (row + 0.5) * cell - 8.0);
        let below = (row + 1.0) * cell - 8.0;
        Picture { pattern, graph, middle, radius }.write(out, below)?;
    }
    writeln!(out, "</svg>")
}

type Point = (f64, f64);

/// One pattern of the picture.
struct Picture<'a> {
    pattern: &'a Subgraph,
    graph: &'a Graph,
    middle: Point,
    radius: f64,
}

impl Picture<'_> {
    fn write(&self, out: &mut dyn Write, below: f64) -> io::Result<()> {
        let mut picture = String::new();
        for edge in 0..self.pattern.edges.len() {
            // Writing to a `String` cannot fail.
            let _ = self.edge(&mut picture, edge);
        }
        for node in 0..self.pattern.labels.len() {
            let _ = self.node(&mut picture, node);
        }
        writeln!(
            out,
            "<g>{picture}<text x=\"{:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">support {} {}</text></g>",
            self.middle.0,
            sign(self.pattern).replace(">=", "≥"),
            self.pattern.support
        )
    }

    fn at(&self, node: usize) -> Point {
        let turn = TAU * node as f64 / self.pattern.labels.len() as f64 - TAU / 4.0;
        (self.middle.0 + turn.cos() * self.radius, self.middle.1 + turn.sin() * self.radius)
    }

    /// A node's name, cut short.
    fn name(&self, node: usize) -> String {
        let name = self.graph.node_labels.name(self.pattern.labels[node]);
        match name.chars().count() > LONGEST_NAME {
            true => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
            false => name.to_owned(),
        }
    }

    fn half_width(&self, node: usize) -> f64 {
        (self.name(node).chars().count() as f64 * LETTER / 2.0 + 6.0).max(HALF_HEIGHT)
    }

    /// Where a line from a node towards a point leaves the node.
    fn rim(&self, node: usize, towards: Point) -> Point {
        let (x, y) = self.at(node);
        let (dx, dy) = (towards.0 - x, towards.1 - y);
        let share = (self.half_width(node) / dx.abs()).min(HALF_HEIGHT / dy.abs()).min(1.0);
        (x + dx * share, y + dy * share)
    }

    /// The point that an edge bends towards: halfway, or beside it where the two nodes have several edges.
    fn bend(&self, edge: usize) -> Point {
        let ends = |(from, to, _): &(usize, usize, u32)| (*from.min(to), *from.max(to));
        let pair = ends(&self.pattern.edges[edge]);
        let alike = |edges: &[(usize, usize, u32)]| edges.iter().filter(|other| ends(other) == pair).count();
        let (before, all) = (alike(&self.pattern.edges[..edge]), alike(&self.pattern.edges));
        let aside = (before as f64 - (all as f64 - 1.0) / 2.0) * BEND;
        let ((ax, ay), (bx, by)) = (self.at(pair.0), self.at(pair.1));
        let length = (bx - ax).hypot(by - ay).max(1.0);
        let ((mx, my), (nx, ny)) =
            (((ax + bx) / 2.0, (ay + by) / 2.0), ((ay - by) / length, (bx - ax) / length));
        (mx + nx * aside, my + ny * aside)
    }

    fn edge(&self, picture: &mut String, edge: usize) -> std::fmt::Result {
        let (from, to, label) = self.pattern.edges[edge];
        let bend = self.bend(edge);
        let (begin, end) = (self.rim(from, bend), self.rim(to, bend));
        let tip = if self.graph.directed { " marker-end=\"url(#tip)\"" } else { "" };
        write!(
            picture,
            "<path d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" fill=\"none\" stroke=\"#555\" stroke-width=\"1.5\"{tip}/>",
            begin.0, begin.1, bend.0, bend.1, end.0, end.1
        )?;
        let label = self.graph.edge_labels.name(label);
        if label.is_empty() {
            return Ok(());
        }
        // Halfway along the bend, with a rim that keeps lines off the letters.
        let halfway = ((begin.0 + end.0) / 4.0 + bend.0 / 2.0, (begin.1 + end.1) / 4.0 + bend.1 / 2.0 + 4.0);
        write!(
            picture,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\" stroke=\"#fff\" stroke-width=\"3\" \
             paint-order=\"stroke\">{}</text>",
            halfway.0,
            halfway.1,
            escaped(label)
        )
    }

    fn node(&self, picture: &mut String, node: usize) -> std::fmt::Result {
        let ((x, y), half) = (self.at(node), self.half_width(node));
        write!(
            picture,
            "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{HALF_HEIGHT}\" \
             fill=\"#dbe9f6\" stroke=\"#1f5f99\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
            escaped(self.graph.node_labels.name(self.pattern.labels[node])),
            x - half,
            y - HALF_HEIGHT,
            2.0 * half,
            2.0 * HALF_HEIGHT,
            y + 4.0,
            escaped(&self.name(node))
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
