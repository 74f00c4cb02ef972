//! Which record a row belongs to, where records have names: those of one person only, so that two people may both have a
//! trip 1.

use hashbrown::HashTable;

use crate::dictionary::Ends;

/// Records by person and name; the n-th one seen has the number n.
#[derive(Debug, Default)]
pub(super) struct RecordNames {
    text: String,
    ends: Ends,
    index: HashTable<Slot>,
}

/// A record in the index. What is compared before the name lies beside it, so that the text of others is rarely looked at.
#[derive(Debug, Clone, Copy)]
struct Slot {
    record: u32,
    subject: u32,
    hash: u32,
}

impl Slot {
    fn spread(self) -> u64 {
        spread(self.subject, self.hash)
    }
}

/// Spreads both over all bits of a hash.
fn spread(subject: u32, hash: u32) -> u64 {
    (u64::from(subject) << 32 | u64::from(hash)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

impl RecordNames {
    /// The number of a subject's record, adding it if it is not known; `hash` is that of its name.
    pub fn intern(&mut self, subject: u32, name: &str, hash: u32) -> u32 {
        let same = |slot: &Slot| {
            slot.hash == hash && slot.subject == subject && self.name(slot.record) == name.as_bytes()
        };
        let spread = spread(subject, hash);
        if let Some(slot) = self.index.find(spread, same) {
            return slot.record;
        }
        let record = u32::try_from(self.ends.len()).expect("fewer than 2^32 records fit in memory");
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.index.insert_unique(spread, Slot { record, subject, hash }, |slot| slot.spread());
        record
    }

    fn name(&self, record: u32) -> &[u8] {
        &self.text.as_bytes()[self.ends.span(record)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_record_of_its_own_for_every_person() {
        let mut names = RecordNames::default();
        // Equal hashes on purpose: names decide.
        let asked = [(0, "a"), (1, "a"), (0, "b"), (0, "a"), (1, "a")];
        assert_eq!(asked.map(|(subject, name)| names.intern(subject, name, 7)), [0, 1, 2, 0, 1]);
    }
}
