//! The columns of a released table, and the names in their cells.

use throng_data::{Cover, Release};

use super::entries::{ColumnEntry, NodeEntry};

/// The columns in the order of the file; of the names only those that occur.
pub(super) fn columns(release: &Release) -> Vec<ColumnEntry> {
    let Some(table) = &release.table else { return Vec::new() };
    let entry = |column: &throng_data::RecodedColumn| {
        let mut occurs = vec![false; column.covers.len()];
        column.cells.iter().for_each(|cell| occurs[*cell as usize] = true);
        let covers = column.covers.iter().zip(&occurs).filter(|(_, occurs)| **occurs);
        let mut nodes: Vec<NodeEntry> = covers
            .filter_map(|(cover, _)| match cover {
                Cover::Node { name, members } => {
                    Some(NodeEntry { node: name.clone(), members: members.to_vec() })
                }
                _ => None,
            })
            .collect();
        nodes.sort_by(|a, b| a.node.cmp(&b.node));
        ColumnEntry { name: column.name.clone(), role: column.role, kind: column.kind, nodes }
    };
    table.columns.iter().map(entry).collect()
}
