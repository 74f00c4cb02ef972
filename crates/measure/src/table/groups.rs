//! People who look alike in some columns.
//!
//! # Cost
//! One look-up for each row and column: groups by the first columns are split by the next one.

use std::collections::HashMap;

use throng_data::{Cover, RecodedTable, Role};

/// The group of each person. Numbers follow the first appearance.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    /// The group of each person; `None` for a suppressed row.
    pub of: Vec<Option<u32>>,
    /// How many people are in each group.
    pub sizes: Vec<u32>,
}

impl Groups {
    /// All people in one group, but for those left out.
    pub fn all(people: usize, left_out: impl Fn(usize) -> bool) -> Self {
        let of: Vec<Option<u32>> = (0..people).map(|person| (!left_out(person)).then_some(0)).collect();
        let people = of.iter().flatten().count() as u32;
        Groups { of, sizes: if people == 0 { Vec::new() } else { vec![people] } }
    }

    /// The same groups, split by a number that each person has.
    #[must_use]
    pub fn split(mut self, number: impl Fn(usize) -> u32) -> Self {
        let mut known: HashMap<u64, u32> = HashMap::new();
        self.sizes.clear();
        for (person, group) in self.of.iter_mut().enumerate() {
            if let Some(group) = group {
                let key = u64::from(*group) << 32 | u64::from(number(person));
                let next = self.sizes.len() as u32;
                let place = *known.entry(key).or_insert(next);
                if place == next {
                    self.sizes.push(0);
                }
                self.sizes[place as usize] += 1;
                *group = place;
            }
        }
        self
    }

    /// People who show the same in all quasi-identifying cells of a released table. Suppressed rows are in no group.
    pub fn of_table(table: &RecodedTable, people: usize) -> Self {
        let mut groups = Groups::all(people, |person| table.is_suppressed(person));
        for column in table.with_role(Role::QuasiIdentifying) {
            // Cells that are written alike look alike.
            let mut known: HashMap<String, u32> = HashMap::new();
            let number = |cover: &Cover| {
                let next = known.len() as u32;
                *known.entry(cover.render()).or_insert(next)
            };
            let numbers: Vec<u32> = column.covers.iter().map(number).collect();
            groups = groups.split(|person| numbers[column.cells[person] as usize]);
        }
        groups
    }

    /// People in groups.
    pub fn people(&self) -> u64 {
        self.sizes.iter().map(|size| u64::from(*size)).sum()
    }

    /// People in no group.
    pub fn left_out(&self) -> u64 {
        self.of.len() as u64 - self.people()
    }
}
