//! The groups of a released table: rows that show the same in every column an attacker knows.
//!
//! Every published column is known but the sensitive ones. Cells are the same when they are written the same.

use hashbrown::HashMap;
use throng_data::{RecodedColumn, RecodedTable, Role};

/// The group of a person of whom nothing is published.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Who is in which group of a release.
pub(super) struct Groups {
    /// By subject; [`NOWHERE`] where the row is suppressed.
    of: Vec<u32>,
    /// `people[starts[g]..starts[g + 1]]` are the people of group `g`, ascending.
    starts: Vec<usize>,
    people: Vec<u32>,
}

impl Groups {
    /// The groups of a table.
    pub fn of(table: &RecodedTable, subjects: usize) -> Self {
        let mut of: Vec<u32> =
            (0..subjects).map(|subject| if table.is_suppressed(subject) { NOWHERE } else { 0 }).collect();
        let mut seen: HashMap<(u32, u32), u32, foldhash::fast::FixedState> = HashMap::default();
        for column in known(table) {
            let codes = written(column);
            seen.clear();
            for (subject, group) in of.iter_mut().enumerate().filter(|(_, group)| **group != NOWHERE) {
                let next = seen.len() as u32;
                *group = *seen.entry((*group, codes[column.cells[subject] as usize])).or_insert(next);
            }
        }
        let groups = of.iter().filter(|group| **group != NOWHERE).max().map_or(0, |last| *last as usize + 1);
        let mut starts = vec![0; groups + 1];
        of.iter().filter(|group| **group != NOWHERE).for_each(|group| starts[*group as usize + 1] += 1);
        for group in 0..groups {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut people = vec![0; starts[groups]];
        for (subject, group) in (0..).zip(&of).filter(|(_, group)| **group != NOWHERE) {
            people[next[*group as usize]] = subject;
            next[*group as usize] += 1;
        }
        Groups { of, starts, people }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The group of a person.
    pub fn group(&self, subject: u32) -> u32 {
        self.of[subject as usize]
    }

    /// The people of a group; none in [`NOWHERE`].
    pub fn people(&self, group: u32) -> &[u32] {
        match group {
            NOWHERE => &[],
            group => &self.people[self.starts[group as usize]..self.starts[group as usize + 1]],
        }
    }
}

/// The columns that an attacker knows.
pub(super) fn known(table: &RecodedTable) -> impl Iterator<Item = &RecodedColumn> {
    table.columns.iter().filter(|column| column.role != Role::Sensitive)
}

/// The covers of a column, numbered by how they are written.
fn written(column: &RecodedColumn) -> Vec<u32> {
    let mut names: HashMap<String, u32, foldhash::fast::FixedState> = HashMap::default();
    let number = |cover: &throng_data::Cover| {
        let next = names.len() as u32;
        *names.entry(cover.render()).or_insert(next)
    };
    column.covers.iter().map(number).collect()
}
