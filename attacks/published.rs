//! A release directory as a stranger sees it, read without any code of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::program::Desk;

/// A directory that anybody may have.
pub struct Published {
    directory: PathBuf,
}

/// The released items of each record, by number.
pub type Records = BTreeMap<u64, Vec<String>>;

impl Published {
    pub fn of(desk: &Desk, name: &str) -> Self {
        Published { directory: desk.path(name) }
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join(name)).unwrap()
    }

    pub fn manifest(&self) -> Value {
        serde_json::from_str(&self.text("manifest.json")).unwrap()
    }

    /// `release.csv` of items without commas and quotes, with the times behind the items where there are any.
    pub fn records(&self) -> Records {
        let mut records = Records::new();
        for row in self.text("release.csv").lines().skip(1) {
            let (record, event) = row.split_once(',').unwrap();
            records.entry(record.parse().unwrap()).or_default().push(event.to_owned());
        }
        records
    }

    /// The records without their numbers, sorted: what a stranger can compare.
    pub fn crowd(&self) -> Vec<Vec<String>> {
        let mut crowd: Vec<Vec<String>> = self.records().into_values().collect();
        crowd.sort();
        crowd
    }

    /// A column of `records.csv`, by record.
    pub fn column(&self, name: &str) -> BTreeMap<u64, String> {
        let text = self.text("records.csv");
        let mut rows = text.lines();
        let at = rows.next().unwrap().split(',').position(|column| column == name).unwrap();
        let cell = |row: &str| {
            let cells: Vec<&str> = row.split(',').collect();
            (cells[0].parse().unwrap(), cells[at].to_owned())
        };
        rows.map(cell).collect()
    }

    /// Every published byte, as text.
    pub fn everything(&self) -> String {
        let mut names: Vec<PathBuf> =
            fs::read_dir(&self.directory).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names.iter().map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()).collect()
    }
}

/// The real items that a released one may stand for.
pub fn may_be(released: &str) -> BTreeSet<String> {
    let members = released.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(released);
    members.split('|').map(str::to_owned).collect()
}

/// Whether a released record may contain the known real items, in order.
pub fn fits(record: &[String], known: &[&str]) -> bool {
    let Some((first, rest)) = known.split_first() else { return true };
    (0..record.len()).any(|at| may_be(&record[at]).contains(*first) && fits(&record[at + 1..], rest))
}
