//! Labelled graphs: GraMi's and gSpan's lines, edge lists with a file of labels, GraphML.
//!
//! Node names are the file's own. Errors name the line.

mod edges;
mod graphml;
mod lines;

use throng_contract::Progress;

use super::error::{Defect, InputError};
use super::source::Source;
use crate::{Graph, GraphBuilder};

/// How a graph is read.
#[derive(Debug, Clone, Default)]
pub struct GraphOptions {
    /// Whether edges have a direction. A GraphML file says so itself.
    pub directed: bool,
    /// Whether the labels of edges are weights, which must be numbers above 0.
    pub weighted: bool,
    /// The labels of nodes, `node,label`, for an edge list.
    pub labels: Option<Source>,
}

/// Reads one graph. Several graphs in one file are parts of one that are not joined.
pub fn read_graph(source: &Source, options: &GraphOptions, progress: &Progress) -> Result<Graph, InputError> {
    progress.check()?;
    let read = match source.extension().as_deref() {
        Some("csv" | "tsv" | "edges") => edges::read(source, options, progress),
        Some("graphml" | "xml") => graphml::read(source, options, progress),
        _ => lines::read(source, options, progress),
    };
    read.map_err(in_terms_of_graphs)
}

/// What helps with tables does not help here.
fn in_terms_of_graphs(error: InputError) -> InputError {
    let defect = match *error.defect {
        Defect::Binary { what, .. } => Defect::Binary { what, help: FORMS },
        Defect::NotUtf8 { offset } => {
            let what = format!("not UTF-8 text: invalid byte at offset {offset}");
            Defect::Graph { what, help: "convert it: `iconv -f WINDOWS-1252 -t UTF-8 IN > OUT`" }
        }
        other => other,
    };
    InputError { defect: Box::new(defect), ..error }
}

/// The forms that graphs have.
const FORMS: &str = "give a graph: lines `v ID LABEL` and `e ID ID LABEL` (.lg), GraphML (.graphml), or an edge list (.csv) with {labels FILE}; \
                     perhaps packed (.gz, .zst)";

/// Collects a graph and says what is wrong with it.
struct Reading<'a> {
    file: &'a str,
    builder: GraphBuilder,
    weighted: bool,
    /// The line of the first edge with a label, and of the first without one.
    labelled: [Option<u64>; 2],
}

impl<'a> Reading<'a> {
    fn new(file: &'a str, directed: bool, weighted: bool) -> Self {
        Reading { file, builder: GraphBuilder::new(directed), weighted, labelled: [None; 2] }
    }

    fn fault(&self, line: u64, what: impl Into<String>, help: &'static str) -> InputError {
        InputError::line(self.file, line, Defect::Graph { what: what.into(), help })
    }

    fn node<'b>(
        &mut self,
        line: u64,
        name: &str,
        labels: impl IntoIterator<Item = &'b str>,
    ) -> Result<(), InputError> {
        match self.builder.node(name, labels) {
            Some(_) => Ok(()),
            None => Err(self.fault(
                line,
                "a node with this id was given before",
                "give every node an id of its own",
            )),
        }
    }

    fn edge(&mut self, line: u64, from: &str, to: &str, label: &str) -> Result<(), InputError> {
        let [from, to] = [from, to].map(|name| self.builder.find(name));
        let (Some(from), Some(to)) = (from, to) else {
            let what = "an edge to a node that is not there";
            return Err(self.fault(line, what, "give every node, with its label, before its edges"));
        };
        let with = usize::from(label.is_empty());
        self.labelled[with].get_or_insert(line);
        if let [Some(first), Some(second)] = self.labelled {
            let help = "give all edges a label, or none";
            return Err(self.fault(first.max(second), "some edges have a label and some have none", help));
        }
        let weight = match self.weighted {
            true => Some(self.weight(line, label)?),
            false => None,
        };
        self.builder.edge(from, to, label, weight);
        Ok(())
    }

    fn weight(&self, line: u64, label: &str) -> Result<f64, InputError> {
        match label.parse::<f64>() {
            Ok(weight) if weight.is_finite() && weight > 0.0 => Ok(weight),
            _ => {
                let what = "an edge whose label is no weight: a number above 0 is expected";
                Err(self.fault(line, what, "correct it, or measure distances in hops: {distance hops}"))
            }
        }
    }

    fn finish(self) -> Result<Graph, InputError> {
        let graph = self.builder.finish();
        match graph.nodes.is_empty() {
            true => Err(InputError::file(self.file, Defect::Empty)),
            false => Ok(graph),
        }
    }
}
