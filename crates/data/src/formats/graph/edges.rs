//! Edge lists: `from,to` and perhaps `label`, with the labels of nodes in a file of their own, `node,label`. A node that has
//! several labels has several rows there.

use throng_contract::Progress;

use super::{GraphOptions, Reading};
use crate::Graph;
use crate::formats::csv::CsvFile;
use crate::formats::error::{Defect, InputError};
use crate::formats::role_names::RoleName;
use crate::formats::source::Source;

const FROM: RoleName =
    RoleName { role: "from", flag: None, aliases: &["source", "src", "node1"], weaker: &[] };
const TO: RoleName = RoleName { role: "to", flag: None, aliases: &["target", "dst", "node2"], weaker: &[] };
const LABEL: RoleName =
    RoleName { role: "label", flag: None, aliases: &["weight", "type", "category"], weaker: &[] };
const NODE: RoleName = RoleName { role: "node", flag: None, aliases: &["id", "item", "name"], weaker: &[] };

pub(super) fn read(
    source: &Source,
    options: &GraphOptions,
    progress: &Progress,
) -> Result<Graph, InputError> {
    let Some(labels) = &options.labels else {
        let what = "an edge list says nothing of the labels of its nodes".to_owned();
        let help = "give them with {labels FILE}, a CSV file with the columns `node` and `label`";
        return Err(InputError::file(source.name(), Defect::Graph { what, help }));
    };
    let mut nodes: Vec<(String, Vec<String>)> = Vec::new();
    let mut known = crate::Dictionary::new();
    let mut file = CsvFile::open(labels, None)?;
    let (node, label) = (file.header.need(NODE, None)?, file.header.need(LABEL, None)?);
    file.for_each_row(|row| {
        let name = row.filled(node, NODE.role)?;
        let label = row.filled(label, LABEL.role)?.to_owned();
        match nodes.get_mut(known.intern(name) as usize) {
            Some((_, labels)) => labels.push(label),
            None => nodes.push((name.to_owned(), vec![label])),
        }
        Ok(())
    })?;
    progress.check()?;
    let mut reading = Reading::new(source.name(), options.directed, options.weighted);
    for (name, labels) in &nodes {
        reading.node(0, name, labels.iter().map(String::as_str))?;
    }
    let mut file = CsvFile::open(source, None)?;
    let (from, to) = (file.header.need(FROM, None)?, file.header.need(TO, None)?);
    let label = file.header.find(LABEL, None)?;
    file.for_each_row(|row| {
        let (from, to) = (row.filled(from, FROM.role)?, row.filled(to, TO.role)?);
        reading.edge(row.line(), from, to, label.map_or("", |column| row.field(column)))
    })?;
    reading.finish()
}
