//! `items.csv` as a reader finds it.
//!
//! A short name means what the list says: that is how it is written, as `{a|b}` is written out. Any other name that is listed is
//! only *explained* there, and a reader who doubts the explanation may take it for an item of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use throng_contract::{Class, Failure};
use throng_data::formats::{Digest, Source};
use throng_data::{Dictionary, is_short_name, parse_item};

use crate::directory::ITEMS;

/// The list beside the released rows.
#[derive(Debug, Default)]
pub struct ItemsFile {
    /// What was read; `None` where there is no list.
    pub digest: Option<Digest>,
    members: BTreeMap<String, Vec<String>>,
}

impl ItemsFile {
    /// Reads the list of a directory, if there is one. `written` are the items of its rows.
    pub fn read(directory: &Path, written: &Dictionary) -> Result<Self, Failure> {
        let path = directory.join(ITEMS);
        if !path.is_file() {
            return Ok(ItemsFile::default());
        }
        let bad = |what: String| {
            Failure::new(Class::BadInput, format!("`{}`: {what}", path.display()))
                .with_help("fetch the whole release again: the list belongs to its rows")
        };
        let source = Source::file(&path);
        let bytes = source.open().and_then(|mut stream| stream.read_all())?;
        let mut sets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut rows = csv::ReaderBuilder::new().from_reader(&bytes[..]);
        let header = rows.headers().map_err(|_| bad("its first line cannot be read".to_owned()))?;
        if header.iter().ne(["item", "member"]) {
            return Err(bad("its columns are not `item` and `member`".to_owned()));
        }
        for (number, row) in rows.records().enumerate() {
            let row = row.map_err(|_| bad(format!("line {} cannot be read", number + 2)))?;
            let (item, member) = (row[0].to_owned(), row[1].to_owned());
            sets.entry(item).or_default().insert(member);
        }
        for (item, members) in sets.iter().filter(|(item, _)| item.starts_with('{')) {
            let spelled = parse_item(item).map(|names| names.into_iter().collect::<BTreeSet<String>>());
            if spelled.as_ref() != Some(members) {
                return Err(bad(format!("`{item}` is listed with other members than it names")));
            }
        }
        let lost = written.names().filter(|name| is_short_name(name)).find(|name| !sets.contains_key(*name));
        if let Some(name) = lost {
            return Err(bad(format!("`{name}` is released, and the list does not say what it stands for")));
        }
        let members = sets.into_iter().map(|(item, members)| (item, members.into_iter().collect()));
        Ok(ItemsFile { digest: source.digest(), members: members.collect() })
    }

    /// What a short name stands for.
    pub fn short(&self, item: &str) -> Option<&Vec<String>> {
        self.members.get(item).filter(|_| is_short_name(item))
    }

    /// What a listed item stands for.
    pub fn members(&self, item: &str) -> Option<&Vec<String>> {
        self.members.get(item)
    }

    /// The items that are explained, neither written out nor short.
    pub fn explained(&self) -> impl Iterator<Item = (&str, &[String])> {
        let named = |item: &str| !is_short_name(item) && !item.starts_with('{');
        let all = self.members.iter().map(|(item, members)| (item.as_str(), members.as_slice()));
        all.filter(move |(item, _)| named(item))
    }

    /// All listed items.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }
}
