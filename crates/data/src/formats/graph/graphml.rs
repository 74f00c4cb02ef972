//! GraphML: the labels of nodes and edges are their `data`: those of the key named `label`, or of the only key there is.

use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use throng_contract::Progress;

use super::{GraphOptions, Reading};
use crate::Graph;
use crate::formats::binary;
use crate::formats::error::{Defect, InputError};
use crate::formats::source::Source;

/// Bytes that say whether it is text at all.
const HEAD: usize = 4096;

/// A node or an edge, with the data inside it by key.
#[derive(Debug)]
struct Element {
    line: u64,
    ends: Option<(String, String)>,
    id: String,
    data: BTreeMap<String, Vec<String>>,
}

pub(super) fn read(
    source: &Source,
    options: &GraphOptions,
    progress: &Progress,
) -> Result<Graph, InputError> {
    let bytes = source.open()?.read_within()?;
    binary::refuse(&bytes[..bytes.len().min(HEAD)], source.name())?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to() as u64;
        InputError::file(source.name(), Defect::NotUtf8 { offset })
    })?;
    progress.check()?;
    let mut xml = Reader::from_str(&text);
    let mut document = Document::default();
    // Lines are counted where an element begins, from the last one counted.
    let (mut line, mut counted) = (1_u64, 0_usize);
    loop {
        let at = xml.buffer_position() as usize;
        line += text.as_bytes()[counted..at].iter().filter(|byte| **byte == b'\n').count() as u64;
        counted = at;
        let broken = |what: String| {
            let what = format!("not XML that can be read: {what}");
            InputError::line(
                source.name(),
                line,
                Defect::Graph { what, help: "check that the file is complete" },
            )
        };
        let event = xml.read_event().map_err(|error| broken(error.to_string()))?;
        match event {
            Event::Start(tag) => document.start(&tag, line).map_err(broken)?,
            Event::Empty(tag) => {
                document.start(&tag, line).map_err(broken)?;
                document.end(tag.local_name().as_ref());
            }
            Event::End(tag) => document.end(tag.local_name().as_ref()),
            Event::Text(words) => document.text.push_str(&words),
            Event::CData(words) => document.text.push_str(&words),
            Event::GeneralRef(entity) => {
                match (entity.resolve_char_ref(), quick_xml::escape::resolve_predefined_entity(&entity)) {
                    (Ok(Some(character)), _) => document.text.push(character),
                    (_, Some(text)) => document.text.push_str(text),
                    _ => return Err(broken("an entity that XML does not define".to_owned())),
                }
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    document.graph(source, options)
}

#[derive(Debug, Default)]
struct Document {
    directed: bool,
    /// Names of keys by their id.
    keys: BTreeMap<String, String>,
    nodes: Vec<Element>,
    edges: Vec<Element>,
    /// The element that is open, and whether it is an edge.
    open: Option<(Element, bool)>,
    /// The key of the data that is open.
    key: Option<String>,
    text: String,
}

impl Document {
    fn start(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), String> {
        let mut attributes = BTreeMap::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let name = attribute.key.as_ref().to_owned();
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                // The library's own words repeat a part of the value.
                .map_err(|_| "an entity that XML does not define".to_owned())?
                .into_owned();
            attributes.insert(name, value);
        }
        let mut taken = |name: &str| attributes.remove(name).unwrap_or_default();
        self.text.clear();
        match tag.local_name().as_ref() {
            "graph" => self.directed = taken("edgedefault") == "directed",
            "key" => {
                let (id, name) = (taken("id"), taken("attr.name"));
                self.keys.insert(id, name);
            }
            "node" => {
                let element = Element { line, ends: None, id: taken("id"), data: BTreeMap::new() };
                self.open = Some((element, false));
            }
            "edge" => {
                let ends = Some((taken("source"), taken("target")));
                self.open = Some((Element { line, ends, id: String::new(), data: BTreeMap::new() }, true));
            }
            "data" => self.key = Some(taken("key")),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) {
        match (name, self.open.take()) {
            ("node" | "edge", Some((element, edge))) => {
                if edge {
                    self.edges.push(element)
                } else {
                    self.nodes.push(element)
                }
            }
            ("data", Some((mut element, edge))) => {
                if let Some(key) = self.key.take() {
                    element.data.entry(key).or_default().push(self.text.trim().to_owned());
                }
                self.open = Some((element, edge));
            }
            (_, open) => self.open = open,
        }
    }

    /// The data of an element that are its labels.
    fn labels<'a>(&self, element: &'a Element) -> Vec<&'a str> {
        let named = |key: &String| {
            let name = self.keys.get(key).map_or(key.as_str(), String::as_str);
            ["label", "labels", "weight"].contains(&name.to_ascii_lowercase().as_str())
        };
        let chosen = element.data.iter().find(|(key, _)| named(key));
        let only = || element.data.iter().next().filter(|_| element.data.len() == 1);
        chosen.or_else(only).map_or(Vec::new(), |(_, labels)| labels.iter().map(String::as_str).collect())
    }

    fn graph(&self, source: &Source, options: &GraphOptions) -> Result<Graph, InputError> {
        let mut reading = Reading::new(source.name(), self.directed || options.directed, options.weighted);
        for node in &self.nodes {
            let labels = self.labels(node);
            if labels.is_empty() {
                let help = "give it a `data` element with the key named `label`";
                return Err(reading.fault(node.line, "a node without a label", help));
            }
            reading.node(node.line, &node.id, labels)?;
        }
        for edge in &self.edges {
            let Some((from, to)) = &edge.ends else { continue };
            let labels = self.labels(edge);
            reading.edge(edge.line, from, to, labels.first().copied().unwrap_or_default())?;
        }
        reading.finish()
    }
}
