//! Counts people by pattern where patterns are few: one array for all of them, and one walk over the records.

use throng_data::ItemId;

use super::ranks::Ranks;
use super::{Found, Requirement};
use crate::sequence::groups::Groups;

/// Counts the people of every pattern.
pub(super) struct Counter<'a> {
    ranks: &'a Ranks,
    size: usize,
    requirement: Requirement<'a>,
    /// By pattern, as one number in base "number of groups".
    cells: Vec<Cell>,
    touched: Vec<u32>,
    /// The carriers of each secret, for each cell in turn.
    carriers: Vec<u32>,
    image: Vec<u32>,
    /// `seen[depth][group] == token` while the group was already taken at this depth of the current walk.
    seen: Vec<Vec<u64>>,
    token: u64,
    person: u32,
    record: u32,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    people: u32,
    last_person: u32,
    first_record: u32,
}

impl<'a> Counter<'a> {
    pub(super) fn new(ranks: &'a Ranks, size: usize, requirement: Requirement<'a>) -> Self {
        let count = ranks.len().pow(size as u32);
        Counter {
            ranks,
            size,
            requirement,
            cells: vec![Cell::default(); count],
            touched: Vec::new(),
            carriers: vec![0; count * requirement.kinds()],
            image: Vec::new(),
            seen: vec![vec![0; ranks.len()]; size],
            token: 0,
            person: 0,
            record: 0,
        }
    }

    pub(super) fn add_record(&mut self, groups: &Groups, items: &[ItemId], person: u32, record: u32) {
        let mut image = std::mem::take(&mut self.image);
        groups.image_of(items, &mut image);
        for group in &mut image {
            *group = self.ranks.of_group(*group);
        }
        (self.person, self.record) = (person, record);
        self.extend(&image, 0, 0, 0);
        self.image = image;
    }

    /// Counts every pattern that continues after position `from`; `depth` elements are fixed and coded in `code`.
    fn extend(&mut self, image: &[u32], from: usize, depth: usize, code: usize) {
        if depth == self.size {
            self.count(code);
            return;
        }
        self.token += 1;
        let token = self.token;
        let room = self.size - depth;
        let mut fresh = 0;
        for at in from..(image.len() + 1).saturating_sub(room).max(from) {
            let group = image[at];
            if std::mem::replace(&mut self.seen[depth][group as usize], token) == token {
                continue;
            }
            fresh += 1;
            self.extend(image, at + 1, depth + 1, code * self.ranks.len() + group as usize);
            // In a long record over few groups nothing new comes after all groups were taken.
            if fresh == self.seen[depth].len() {
                break;
            }
        }
    }

    fn count(&mut self, at: usize) {
        let (person, record) = (self.person, self.record);
        let kinds = self.requirement.kinds();
        let cell = &mut self.cells[at];
        if cell.people == 0 {
            self.touched.push(at as u32);
            *cell = Cell { people: 1, last_person: person, first_record: record };
        } else if cell.last_person != person {
            cell.people += 1;
            cell.last_person = person;
        } else {
            return;
        }
        if let Some(diversity) = self.requirement.diversity {
            diversity.tally(person, &mut self.carriers[at * kinds..(at + 1) * kinds]);
        }
    }

    /// Adds what another counter found with other people.
    pub(super) fn add_counts(&mut self, other: &Counter<'_>) {
        let kinds = self.requirement.kinds();
        for at in &other.touched {
            let at = *at as usize;
            let (cell, added) = (&mut self.cells[at], &other.cells[at]);
            if cell.people == 0 {
                self.touched.push(at as u32);
                *cell = *added;
            } else {
                cell.people += added.people;
                cell.first_record = cell.first_record.min(added.first_record);
            }
            for kind in at * kinds..(at + 1) * kinds {
                self.carriers[kind] += other.carriers[kind];
            }
        }
    }

    /// The patterns that break the requirement.
    pub(super) fn broken(&self) -> Found {
        let (kinds, groups) = (self.requirement.kinds(), self.ranks.len());
        let mut found = Found::new(self.size);
        let mut pattern = vec![0; self.size];
        for at in &self.touched {
            let mut rest = *at as usize;
            let (cell, carriers) = (&self.cells[rest], &self.carriers[rest * kinds..(rest + 1) * kinds]);
            if self.requirement.is_broken_by(u64::from(cell.people), carriers) {
                for element in pattern.iter_mut().rev() {
                    *element = self.ranks.group((rest % groups) as u32);
                    rest /= groups;
                }
                found.groups.extend_from_slice(&pattern);
                found.push([], cell.people, cell.first_record);
            }
        }
        found
    }
}
