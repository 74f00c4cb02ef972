//! What else is in the records of one doublet.

use super::State;

/// For every doublet that shares a record with the one at hand, the records in which they meet.
///
/// All offers for a doublet ask for these, so they are gathered once; what was allocated serves the next doublet.
#[derive(Default)]
pub(super) struct Neighbourhood {
    /// The doublet, and how many suppressions had been made.
    of: Option<(u32, usize)>,
    /// By doublet: where its records end in `records`, counted from 1; 0 for those that are elsewhere.
    slots: Vec<u32>,
    present: Vec<u32>,
    ends: Vec<u32>,
    records: Vec<u32>,
}

impl Neighbourhood {
    /// Gathers the records of `doublet` by what else they contain, unless they are those at hand.
    pub fn gather(&mut self, state: &State<'_>, doublet: u32) {
        let wanted = Some((doublet, state.suppressions));
        if std::mem::replace(&mut self.of, wanted) == wanted {
            return;
        }
        self.slots.resize(state.table.len(), 0);
        for neighbour in self.present.drain(..) {
            self.slots[neighbour as usize] = 0;
        }
        self.ends.clear();
        let holders = &state.holders[doublet as usize];
        for neighbour in holders.iter().flat_map(|record| &state.rows[*record as usize]) {
            let slot = &mut self.slots[*neighbour as usize];
            if *slot == 0 {
                self.present.push(*neighbour);
                self.ends.push(0);
                *slot = self.present.len() as u32;
            }
            self.ends[*slot as usize - 1] += 1;
        }
        // First where each list begins; filling moves that to where it ends.
        let mut begin = 0;
        for end in &mut self.ends {
            begin += std::mem::replace(end, begin);
        }
        self.records.clear();
        self.records.resize(begin as usize, 0);
        for record in holders {
            for neighbour in &state.rows[*record as usize] {
                let end = &mut self.ends[self.slots[*neighbour as usize] as usize - 1];
                self.records[*end as usize] = *record;
                *end += 1;
            }
        }
    }

    /// The records that contain both doublets, ascending.
    pub fn records(&self, neighbour: u32) -> &[u32] {
        match self.slots[neighbour as usize] as usize {
            0 => &[],
            1 => &self.records[..self.ends[0] as usize],
            slot => &self.records[self.ends[slot - 2] as usize..self.ends[slot - 1] as usize],
        }
    }
}
