//! Whether a local suppression is allowed.

use super::neighbourhood::Neighbourhood;
use super::{State, within, without};

/// Would suppressing a doublet in the touched records make a violating sequence of its own?
pub(super) struct Trial<'a> {
    pub state: &'a State<'a>,
    pub doublet: u32,
    pub touched: &'a [u32],
    /// Violating sequences that it would clear.
    pub cleared: &'a [u32],
    /// Where the doublet meets others.
    pub near: &'a Neighbourhood,
}

impl Trial<'_> {
    /// Looks at the sequences that contain the doublet and lie in touched records: only their people change.
    pub fn is_safe(&self) -> bool {
        let holders = &self.state.holders[self.doublet as usize];
        if let Some(known) = self.is_settled(&[self.doublet], holders) {
            return known;
        }
        self.extensions(self.touched, 0).into_iter().all(|extension| {
            let narrowed = self.near.records(extension);
            // In every record of the doublet: the same records by a longer description.
            narrowed.len() == holders.len()
                || self.is_safe_from(&mut vec![self.doublet, extension], extension + 1, narrowed)
        })
    }

    /// The same for a sequence and those that extend it by doublets from number `from` on. `records` hold the
    /// sequence now.
    fn is_safe_from(&self, sequence: &mut Vec<u32>, from: u32, records: &[u32]) -> bool {
        if let Some(known) = self.is_settled(sequence, records) {
            return known;
        }
        let touched: Vec<u32> = within(records, self.touched).collect();
        self.extensions(&touched, from).into_iter().all(|extension| {
            let narrowed: Vec<u32> = within(records, self.near.records(extension)).collect();
            if narrowed.len() == records.len() {
                return true;
            }
            sequence.push(extension);
            let safe = self.is_safe_from(sequence, extension + 1, &narrowed);
            sequence.pop();
            safe
        })
    }

    /// Whether the sequence and all that extend it are safe, if it alone can tell.
    fn is_settled(&self, sequence: &[u32], records: &[u32]) -> Option<bool> {
        let left: Vec<u32> = without(records, self.touched).collect();
        if left.is_empty() || left.len() == records.len() {
            // It disappears, and with it everything longer; or nothing changes about it.
            return Some(true);
        }
        if self.state.is_violated(left.into_iter()) {
            // Everything longer contains the same known sequence.
            return Some(self.contains_known(sequence));
        }
        (sequence.len() >= self.state.requirement.length).then_some(true)
    }

    /// What sequences in these records can be extended by, ascending.
    fn extensions(&self, records: &[u32], from: u32) -> Vec<u32> {
        let visits = records.iter().flat_map(|record| &self.state.rows[*record as usize]).copied();
        let mut extensions: Vec<u32> =
            visits.filter(|other| *other >= from && *other != self.doublet).collect();
        extensions.sort_unstable();
        extensions.dedup();
        extensions
    }

    /// Grows a sequence that would be cleared while people keep it: a longer one may violate by itself, and was not
    /// minimal only because of the one that is cleared. `records` hold the sequence afterwards.
    pub fn uncovers_nothing(&self, sequence: &mut Vec<u32>, from: u32, records: &[u32]) -> bool {
        let state = self.state;
        if sequence.len() >= state.requirement.length {
            return true;
        }
        let visits = records.iter().flat_map(|record| &state.rows[*record as usize]).copied();
        let mut extensions: Vec<u32> =
            visits.filter(|other| *other >= from && !sequence.contains(other)).collect();
        extensions.sort_unstable();
        extensions.dedup();
        extensions.into_iter().all(|extension| {
            let narrowed: Vec<u32> =
                records.iter().copied().filter(|record| state.keeps(*record, extension)).collect();
            if narrowed.len() == records.len() {
                return true;
            }
            sequence.push(extension);
            let safe = if state.is_violated(narrowed.iter().copied()) {
                self.contains_known(sequence)
            } else {
                self.uncovers_nothing(sequence, extension + 1, &narrowed)
            };
            sequence.pop();
            safe
        })
    }

    /// Whether the sequence contains a violating one that was known before and stays one.
    fn contains_known(&self, sequence: &[u32]) -> bool {
        sequence.iter().flat_map(|first| &self.state.violating_from[*first as usize]).any(|set| {
            self.state.alive[*set as usize]
                && self.cleared.binary_search(set).is_err()
                && self.state.violating.get(*set as usize).iter().all(|doublet| sequence.contains(doublet))
        })
    }
}
