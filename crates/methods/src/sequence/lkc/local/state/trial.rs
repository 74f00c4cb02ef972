//! Whether a local suppression is allowed.

use super::{State, without};

/// Would suppressing a doublet in the touched records make a violating sequence of its own?
pub(super) struct Trial<'a> {
    pub state: &'a State<'a>,
    pub doublet: u32,
    pub touched: &'a [u32],
    /// Violating sequences that it would clear.
    pub cleared: &'a [u32],
}

impl Trial<'_> {
    /// Grows the sequences that contain the doublet and lie in touched records: only their people change. `records`
    /// hold the sequence now; extensions begin with doublet number `from`.
    pub fn is_safe(&self, sequence: &mut Vec<u32>, from: u32, records: &[u32]) -> bool {
        let state = self.state;
        let left: Vec<u32> = without(records, self.touched).collect();
        if left.is_empty() {
            // The sequence disappears, and with it everything longer.
            return true;
        }
        if left.len() == records.len() {
            return true;
        }
        if state.is_violated(left.iter().copied()) {
            // Everything longer contains the same known sequence.
            return self.contains_known(sequence);
        }
        if sequence.len() >= state.requirement.length {
            return true;
        }
        let mut extensions: Vec<u32> = records
            .iter()
            .filter(|record| self.touched.binary_search(record).is_ok())
            .flat_map(|record| &state.rows[*record as usize])
            .copied()
            .filter(|other| *other >= from && *other != self.doublet)
            .collect();
        extensions.sort_unstable();
        extensions.dedup();
        extensions.into_iter().all(|extension| {
            let narrowed: Vec<u32> =
                records.iter().copied().filter(|record| state.keeps(*record, extension)).collect();
            if narrowed.len() == records.len() {
                // In every record of the sequence: the same records by a longer description.
                return true;
            }
            sequence.push(extension);
            let safe = self.is_safe(sequence, extension + 1, &narrowed);
            sequence.pop();
            safe
        })
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
