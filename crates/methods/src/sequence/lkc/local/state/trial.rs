//! Whether a local suppression is allowed.

use super::State;
use super::desk::{Bits, Marks};
use super::neighbourhood::Neighbourhood;

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

/// The records of a sequence, and what would be left of them.
#[derive(Default)]
struct Left {
    records: usize,
    left: usize,
    /// The people of those that are left, and the holders of their most common sensitive value.
    people: u32,
    most_holders: u32,
}

impl Trial<'_> {
    /// Looks at the sequences that contain the doublet and lie in touched records: only their people change.
    pub fn is_safe(&self, marks: &mut Marks) -> bool {
        let holders = &self.state.holders[self.doublet as usize];
        self.touched.iter().for_each(|record| marks.touched.set(*record));
        let safe = match self.tells(&[self.doublet], &self.left_of(holders, None, marks)) {
            Some(known) => known,
            None => self.is_safe_from(&mut vec![self.doublet], 0, holders, marks),
        };
        self.touched.iter().for_each(|record| marks.touched.unset(*record));
        safe
    }

    /// The same for all that extend a sequence by doublets from number `from` on. `records` hold the sequence now.
    fn is_safe_from(&self, sequence: &mut Vec<u32>, from: u32, records: &[u32], marks: &mut Marks) -> bool {
        let length = self.state.requirement.length;
        if sequence.len() >= length {
            return true;
        }
        let extensions = self.extensions(records, from, marks);
        // Every record of the doublet alone holds it: there is nothing to look up, and what it loses was counted.
        let counted = sequence.len() == 1 && self.counts_are_enough();
        let mut inside = (sequence.len() > 1).then(|| marks.take(records));
        let mut safe = true;
        for extension in extensions.iter().copied() {
            let near = self.near.records(extension);
            let left = match counted {
                true => self.left_after(extension, marks.lost[extension as usize]),
                false => self.left_of(near, inside.as_ref(), marks),
            };
            if left.records == records.len() {
                // In every record of the sequence: the same records by a longer description.
                continue;
            }
            sequence.push(extension);
            safe = match self.tells(sequence, &left) {
                Some(known) => known,
                None if sequence.len() >= length => true,
                None => {
                    let held = |record: &u32| inside.as_ref().is_none_or(|inside| inside.has(*record));
                    let narrowed: Vec<u32> = near.iter().copied().filter(held).collect();
                    self.is_safe_from(sequence, extension + 1, &narrowed, marks)
                }
            };
            sequence.pop();
            if !safe {
                break;
            }
        }
        match inside.take() {
            Some(inside) => marks.give_back(inside, records),
            None => extensions.iter().for_each(|extension| marks.lost[*extension as usize] = (0, 0)),
        }
        safe
    }

    /// Whether records are people, and one sensitive value at most is counted.
    fn counts_are_enough(&self) -> bool {
        self.state.table.one_record_each() && self.state.sensitive.values() <= 1
    }

    /// What the doublet and another would be left with, which lose so many records, so many of them of people with a sensitive value.
    fn left_after(&self, other: u32, (lost, secret): (u32, u32)) -> Left {
        let records = self.near.records(other).len();
        let left = records - lost as usize;
        let most_holders = self.near.secret(other) - secret;
        Left { records, left, people: left as u32, most_holders }
    }

    /// What those of the records that are also `inside` would be after the suppression.
    fn left_of(&self, records: &[u32], inside: Option<&Bits>, marks: &Marks) -> Left {
        let state = self.state;
        let held = |record: u32| inside.is_none_or(|inside| inside.has(record));
        let stays = |record: u32| held(record) && !marks.touched.has(record);
        let mut left = Left::default();
        if self.counts_are_enough() {
            // The usual case, without a branch for each record.
            for record in records {
                let stays = stays(*record);
                left.records += usize::from(held(*record));
                left.left += usize::from(stays);
                left.most_holders += u32::from(stays & state.secret.has(*record));
            }
            left.people = left.left as u32;
        } else {
            left.records = records.iter().filter(|record| held(**record)).count();
            let staying = records.iter().copied().filter(|record| stays(*record));
            (left.people, left.most_holders) = state.count(staying.inspect(|_| left.left += 1));
        }
        left
    }

    /// What the people who would be left say of a sequence and all that extend it: safe, not safe, or nothing.
    fn tells(&self, sequence: &[u32], left: &Left) -> Option<bool> {
        if left.left == 0 || left.left == left.records {
            // It disappears, and with it everything longer; or nothing changes about it.
            return Some(true);
        }
        // Everything longer contains the same known sequence.
        let violated = self.state.requirement.is_violated(left.people, left.most_holders);
        violated.then(|| self.contains_known(sequence))
    }

    /// What sequences in the touched ones of these records can be extended by, each once.
    fn extensions(&self, records: &[u32], from: u32, marks: &mut Marks) -> Vec<u32> {
        let mut extensions = Vec::new();
        let touched = if from == 0 { self.touched } else { records };
        for record in touched.iter().filter(|record| marks.touched.has(**record)) {
            let secret = u32::from(self.state.secret.has(*record));
            for other in self.state.rows.get(*record) {
                if *other < from || *other == self.doublet {
                    continue;
                }
                if !marks.met.has(*other) {
                    marks.met.set(*other);
                    extensions.push(*other);
                }
                if from == 0 {
                    let lost = &mut marks.lost[*other as usize];
                    *lost = (lost.0 + 1, lost.1 + secret);
                }
            }
        }
        extensions.iter().for_each(|other| marks.met.unset(*other));
        extensions
    }

    /// Grows a sequence that would be cleared while people keep it: a longer one may violate by itself, and was not
    /// minimal only because of the one that is cleared. `records` hold the sequence afterwards.
    pub fn uncovers_nothing(&self, sequence: &mut Vec<u32>, from: u32, records: &[u32]) -> bool {
        let state = self.state;
        if sequence.len() >= state.requirement.length {
            return true;
        }
        let visits = records.iter().flat_map(|record| state.rows.get(*record)).copied();
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
