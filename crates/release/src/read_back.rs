//! Whether what is written is read again as what it is.
//!
//! Files are written and read by one format, so only names can go wrong: an item or cell that reads as another one, or as nothing. Each distinct name
//! is read once, as a reader of the files does, before anything is written; that costs as much as the names take, whatever the number of rows.

use std::collections::BTreeMap;

use throng_contract::{Class, Failure};
use throng_data::{Cover, ItemId, RecodedColumn, Release, is_short_name, parse_item};

/// Refuses a release that could not be read again.
pub fn read_back(release: &Release) -> Result<(), Failure> {
    match items(release).or_else(|| release.table().iter().flat_map(|table| &table.columns).find_map(cells)) {
        None => Ok(()),
        Some(what) => Err(Failure::new(
            Class::Refused,
            format!("nothing was written: {what} could not be read again as what it stands for"),
        )
        .with_help("rename it in the data, or in the taxonomy or hierarchy, and run again")),
    }
}

/// What is wrong with the name of an item.
fn items(release: &Release) -> Option<String> {
    let mut read: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let occurs = release.occurring();
    for (item, general) in (0 as ItemId..).zip(&release.alphabet).filter(|(item, _)| occurs[*item as usize]) {
        let written = release.name(item);
        let mut members: Vec<&str> =
            general.members.iter().map(|member| release.base.name(*member)).collect();
        members.sort_unstable();
        let told = match (&general.label, parse_item(&written)) {
            // A name of its own is explained beside the rows; as a name it must stand for itself.
            (Some(_), Some(name)) => name.len() == 1 && !written.starts_with('{'),
            (None, Some(names)) => names == members && !is_short_name(&written),
            (_, None) => false,
        };
        let before = read.entry(written).or_insert_with(|| members.clone());
        if !told || *before != members {
            return Some("the name of an item".to_owned());
        }
    }
    None
}

/// What is wrong with a cell of a column.
fn cells(column: &RecodedColumn) -> Option<String> {
    let mut read: BTreeMap<String, &Cover> = BTreeMap::new();
    for cover in &column.covers {
        let written = cover.render();
        let told = match (cover, Cover::parse(&written)) {
            (Cover::Node { name, .. }, Some(Cover::Value(read))) => read == *name,
            (Cover::Node { .. }, Some(Cover::Range { .. })) => true,
            (Cover::Node { .. }, _) => false,
            (cover, read) => read.as_ref() == Some(cover),
        };
        let before = read.entry(written).or_insert(cover);
        let one_meaning = match (&**before, cover) {
            (Cover::Node { members: a, .. }, Cover::Node { members: b, .. }) => a == b,
            (a, b) => a == b,
        };
        if !told || !one_meaning {
            return Some(format!("a cell of column `{}`", column.name));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use throng_data::{ColumnKind, Dataset, GeneralisedItem, Role};

    use super::*;

    #[test]
    fn a_name_that_reads_as_another_is_refused() {
        let data = Dataset::from_words(["ab", "c"]);
        let named = |label: &str| {
            let mut release = Release::identity(data.items.clone(), data.events.clone());
            release.alphabet[0] =
                GeneralisedItem { label: Some(label.to_owned()), ..GeneralisedItem::of(vec![0, 1]) };
            read_back(&release).map_err(|failure| failure.class)
        };
        assert_eq!(named("any"), Ok(()));
        for bad in ["c", "{a|c}", "a|b", "x\\"] {
            assert_eq!(named(bad), Err(Class::Refused), "{bad}");
        }
    }

    #[test]
    fn a_cell_that_reads_as_another_is_refused() {
        let column = |covers: Vec<Cover>| RecodedColumn {
            name: "town".to_owned(),
            role: Role::QuasiIdentifying,
            kind: ColumnKind::Category,
            cells: Vec::new(),
            covers,
        };
        let value = |text: &str| Cover::Value(text.to_owned());
        let node = |name: &str| Cover::Node {
            name: name.to_owned(),
            members: vec!["a".to_owned(), "b".to_owned()].into(),
        };
        let awkward = ["", "*", "[1,2]", "{a|b}", "~1", "a|b", "\\", " x ", "\n\"", "é", "007", "\\*"];
        assert_eq!(cells(&column(awkward.iter().map(|text| value(text)).collect())), None);
        assert_eq!(cells(&column(awkward[1..].iter().map(|text| node(text)).collect())), None);
        assert!(cells(&column(vec![value("a"), node("a")])).is_some(), "a node that is called like a value");
        assert!(cells(&column(vec![Cover::Set(vec!["b".to_owned(), "a".to_owned()])])).is_some());
    }
}
