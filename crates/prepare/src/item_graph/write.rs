//! Writes a graph of items; all of its files or none.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use throng_data::formats::write_row;
use throng_data::{Dictionary, StagedDir, StagingError};

use super::{ItemGraph, ItemGraphError, ItemGraphSummary};

/// The graph, one `v` or `e` a line.
pub const GRAPH: &str = "graph.lg";
/// Name, label and people of each node.
pub const NODES: &str = "nodes.csv";
/// Ends and weight of each edge, by the names of nodes.
pub const EDGES: &str = "edges.csv";
/// What the graph is like.
pub const SUMMARY: &str = "summary.json";

/// The files of a directory.
pub const FILES: [&str; 4] = [GRAPH, NODES, EDGES, SUMMARY];

/// Writes a directory; one that holds an earlier graph is replaced only with `force`.
pub fn write(
    made: &ItemGraph,
    summary: &ItemGraphSummary,
    dir: &Path,
    force: bool,
) -> Result<(), ItemGraphError> {
    let staged = StagedDir::create(dir, force, &FILES)?;
    file(&staged, GRAPH, |out| write_graph(made, out))?;
    file(&staged, NODES, |out| write_nodes(made, out))?;
    file(&staged, EDGES, |out| write_edges(made, out))?;
    file(&staged, SUMMARY, |out| {
        serde_json::to_writer_pretty(&mut *out, summary).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    Ok(staged.publish()?)
}

fn file(
    staged: &StagedDir,
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), ItemGraphError> {
    let attempt = || -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 17, File::create(staged.path().join(name))?);
        write(&mut out)?;
        out.flush()
    };
    Ok(attempt().map_err(|error| StagingError::io(&staged.target().join(name), error))?)
}

fn write_graph(made: &ItemGraph, out: &mut impl Write) -> io::Result<()> {
    let graph = &made.graph;
    let words = in_one_word(&graph.node_labels);
    writeln!(out, "t # 1")?;
    for node in 0..graph.nodes.len() as u32 {
        let labels: Vec<&str> =
            graph.labels_of(node).iter().map(|label| words[*label as usize].as_str()).collect();
        writeln!(out, "v {node} {}", labels.join(" "))?;
    }
    for edge in graph.edges() {
        writeln!(out, "e {} {}", edge.from, edge.to)?;
    }
    Ok(())
}

/// Labels without blanks, which separate labels in the file; two never become the same.
fn in_one_word(labels: &Dictionary) -> Vec<String> {
    let plain: BTreeSet<&str> = labels.names().filter(|label| !label.contains(char::is_whitespace)).collect();
    let mut taken: BTreeSet<String> = plain.iter().map(|label| (*label).to_owned()).collect();
    let word = |label: &str| {
        if plain.contains(label) {
            return label.to_owned();
        }
        let mut word = label.split_whitespace().collect::<Vec<_>>().join("_");
        while word.is_empty() || !taken.insert(word.clone()) {
            word.push('_');
        }
        word
    };
    labels.names().map(word).collect()
}

fn write_nodes(made: &ItemGraph, out: &mut impl Write) -> io::Result<()> {
    let graph = &made.graph;
    write_row(out, ["node", "label", "people"])?;
    for (node, people) in (0..).zip(&made.node_people) {
        let label = graph.labels_of(node).first().map_or("", |label| graph.node_labels.name(*label));
        write_row(out, [graph.nodes.name(node), label, &people.to_string()])?;
    }
    Ok(())
}

fn write_edges(made: &ItemGraph, out: &mut impl Write) -> io::Result<()> {
    let graph = &made.graph;
    write_row(out, ["from", "to", "weight"])?;
    for (edge, people) in graph.edges().iter().zip(&made.edge_people) {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes.name(node));
        write_row(out, [from, to, &people.to_string()])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_blanks_stay_apart() {
        let mut labels = Dictionary::new();
        for label in ["Coffee Shop", "Coffee_Shop", "Coffee  Shop", " ", "Bar"] {
            labels.intern(label);
        }
        assert_eq!(in_one_word(&labels), ["Coffee_Shop_", "Coffee_Shop", "Coffee_Shop__", "_", "Bar"]);
    }
}
