//! The columns of a released table, and the names in their cells.

use throng_contract::InputKey;
use throng_data::{Cover, Domain, Hierarchy, Release};

use super::entries::{ColumnEntry, NodeEntry};
use throng_data::load::Loaded;

/// The columns in the order of the file; of the names only those that occur. An interval says itself what it stands for, and the
/// values below it are those of the data: listing them would tell which of them occur. A name above
/// intervals stands for those intervals. Where a hierarchy was cut from the data, its leaves are the values that occur: they are listed only if each is
/// that of `crowd` people. The release is judged without them: a name that is an item of its own is found among fewer people, never more.
pub(super) fn columns(release: &Release, loaded: &Loaded, crowd: u64) -> Vec<ColumnEntry> {
    let Some(table) = release.table() else { return Vec::new() };
    let entry = |column: &throng_data::RecodedColumn| {
        let mut occurs = vec![false; column.covers.len()];
        column.cells.iter().for_each(|cell| occurs[*cell as usize] = true);
        let hierarchy = loaded.inputs.hierarchies.get(&column.name);
        let intervals = hierarchy.filter(|hierarchy| hierarchy.is_of_intervals());
        let members = |name: &str, values: &[String]| match intervals.map(Hierarchy::tree) {
            None => values.to_vec(),
            Some(tree) => {
                let leaves = tree.find(name).map(|node| tree.leaves_under(node)).unwrap_or_default();
                leaves.into_iter().map(|leaf| tree.name(leaf).to_owned()).collect()
            }
        };
        let told = intervals.is_some() || !tells_rare_values(&column.name, loaded, crowd);
        let covers = column.covers.iter().zip(&occurs).filter(|(_, occurs)| told && **occurs);
        let mut nodes: Vec<NodeEntry> = covers
            .filter_map(|(cover, _)| match cover {
                Cover::Node { name, members: values }
                    if !matches!(Cover::parse(&cover.render()), Some(Cover::Range { .. })) =>
                {
                    Some(NodeEntry { node: cover.render(), members: members(name, values) })
                }
                _ => None,
            })
            .collect();
        nodes.sort_by(|a, b| a.node.cmp(&b.node));
        ColumnEntry { name: column.name.clone(), role: column.role, kind: column.kind, nodes }
    };
    table.columns.iter().map(entry).collect()
}

/// Whether the hierarchy of a column was cut from the data, and has a value of too few people.
fn tells_rare_values(column: &str, loaded: &Loaded, crowd: u64) -> bool {
    let role = InputKey::hierarchy(column).role();
    if !loaded.files.iter().any(|file| file.cut_from_data && file.role == role) {
        return false;
    }
    let table = loaded.data.attributes.as_ref();
    let Some(Ok(domain)) =
        table.and_then(|table| table.column(column)).map(|column| Domain::of(column, None))
    else {
        return true;
    };
    let mut people = vec![0_u64; domain.len()];
    domain.codes.iter().for_each(|code| people[*code as usize] += 1);
    people.into_iter().any(|people| people < crowd)
}
