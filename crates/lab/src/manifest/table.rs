//! The columns of a released table, and the names in their cells.

use throng_data::{Cover, Hierarchy, Inputs, Release};

use super::entries::{ColumnEntry, NodeEntry};

/// The columns in the order of the file; of the names only those that occur. An interval says itself what it stands for, and the
/// values below it are those of the data: listing them would tell which of them occur. A name above
/// intervals stands for those intervals.
pub(super) fn columns(release: &Release, inputs: &Inputs) -> Vec<ColumnEntry> {
    let Some(table) = &release.table else { return Vec::new() };
    let entry = |column: &throng_data::RecodedColumn| {
        let mut occurs = vec![false; column.covers.len()];
        column.cells.iter().for_each(|cell| occurs[*cell as usize] = true);
        let intervals = inputs.hierarchies.get(&column.name).filter(|hierarchy| hierarchy.is_of_intervals());
        let members = |name: &str, values: &[String]| match intervals.map(Hierarchy::tree) {
            None => values.to_vec(),
            Some(tree) => {
                let leaves = tree.find(name).map(|node| tree.leaves_under(node)).unwrap_or_default();
                leaves.into_iter().map(|leaf| tree.name(leaf).to_owned()).collect()
            }
        };
        let covers = column.covers.iter().zip(&occurs).filter(|(_, occurs)| **occurs);
        let mut nodes: Vec<NodeEntry> = covers
            .filter_map(|(cover, _)| match cover {
                Cover::Node { name, members: values }
                    if !matches!(Cover::parse(name), Some(Cover::Range { .. })) =>
                {
                    Some(NodeEntry { node: name.clone(), members: members(name, values) })
                }
                _ => None,
            })
            .collect();
        nodes.sort_by(|a, b| a.node.cmp(&b.node));
        ColumnEntry { name: column.name.clone(), role: column.role, kind: column.kind, nodes }
    };
    table.columns.iter().map(entry).collect()
}
