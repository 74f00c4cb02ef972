//! Names to dense numbers and back, in first-seen order.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// A set of distinct names; the n-th one seen has the number n.
///
/// Names lie in one buffer, so a name costs its bytes plus about thirty: two million subjects fit in less than a
/// hundred megabytes. The hash is seeded with a constant: the same input gives the same tables on every run.
#[derive(Debug, Clone)]
pub struct Dictionary {
    text: String,
    ends: Vec<u64>,
    index: HashTable<Slot>,
    hasher: FixedState,
}

/// A name in the index. Half of its hash is kept, so that growing never looks at the text, and a short name itself, so that finding it does
/// not either: in a large file each such look waits for memory.
#[derive(Debug, Clone, Copy)]
struct Slot {
    id: u32,
    hash: u32,
    /// The name's bytes, if it is [`short`]; otherwise 0.
    short: u64,
}

impl Slot {
    /// The hash the index works with: half of the name's, spread over all bits again.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The bytes of a name of one to eight bytes, none of which is zero, as one number; 0 for all other names.
///
/// Read as two halves that may overlap, without a loop: this is done for every row of a file.
#[inline]
fn short(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let length = bytes.len();
    let at = |byte: usize| u64::from(bytes[byte]) << (8 * byte);
    let number = match (length, bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (1..=3, _, _) => at(0) | at(length / 2) | at(length - 1),
        (4..=8, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4))
        }
        _ => return 0,
    };
    // A zero byte is the only one that a borrow reaches from a byte without its highest bit.
    let filled = number | u64::MAX.checked_shl(8 * length as u32).unwrap_or(0);
    let zeros = filled.wrapping_sub(0x0101_0101_0101_0101) & !filled & 0x8080_8080_8080_8080;
    if zeros == 0 { number } else { 0 }
}

impl Default for Dictionary {
    fn default() -> Self {
        Dictionary {
            text: String::new(),
            ends: Vec::new(),
            index: HashTable::new(),
            hasher: FixedState::with_seed(0),
        }
    }
}

impl Dictionary {
    /// An empty dictionary.
    pub fn new() -> Self {
        Dictionary::default()
    }

    /// An empty dictionary with room for `names` names of `bytes` bytes together.
    pub(crate) fn with_capacity(names: usize, bytes: usize) -> Self {
        Dictionary {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(names),
            index: HashTable::with_capacity(names),
            hasher: FixedState::with_seed(0),
        }
    }

    /// Bytes of all names together.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of a name, adding it if it is not known.
    pub fn intern(&mut self, name: &str) -> u32 {
        self.intern_hashed(name, self.hash(name))
    }

    /// The hash of a name, the same for every dictionary.
    pub(crate) fn hash(&self, name: &str) -> u32 {
        (self.hasher.hash_one(name) >> 32) as u32
    }

    /// The number of a name whose hash was computed elsewhere, adding it if it is not known.
    pub(crate) fn intern_hashed(&mut self, name: &str, hash: u32) -> u32 {
        self.find_hashed(name, hash).unwrap_or_else(|| self.push_hashed(name, hash))
    }

    /// Adds a name that is not among the names yet.
    pub(crate) fn push_new(&mut self, name: &str) -> u32 {
        self.push_hashed(name, self.hash(name))
    }

    fn push_hashed(&mut self, name: &str, hash: u32) -> u32 {
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct names fit in memory");
        self.text.push_str(name);
        self.ends.push(self.text.len() as u64);
        let slot = Slot { id, hash, short: short(name) };
        self.index.insert_unique(Slot::spread(hash), slot, |slot| Slot::spread(slot.hash));
        id
    }

    /// The number of a name, if it is known.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(name, self.hash(name))
    }

    fn find_hashed(&self, name: &str, hash: u32) -> Option<u32> {
        let found = match short(name) {
            0 => self.index.find(Slot::spread(hash), |slot| {
                slot.hash == hash && self.text.as_bytes()[span(&self.ends, slot.id)] == *name.as_bytes()
            }),
            short => self.index.find(Slot::spread(hash), |slot| slot.short == short),
        };
        found.map(|slot| slot.id)
    }

    /// The numbers of names, in their order; names that are not known are left out.
    pub fn ids<T: AsRef<str>>(&self, names: &[T]) -> Vec<u32> {
        names.iter().filter_map(|name| self.find(name.as_ref())).collect()
    }

    /// The names of numbers, in their order.
    pub fn named(&self, ids: &[u32]) -> Vec<String> {
        ids.iter().map(|id| self.name(*id).to_owned()).collect()
    }

    /// Forgets all names and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.index.clear();
    }

    /// The name of a number. Empty for a number that was never given out.
    #[inline]
    pub fn name(&self, id: u32) -> &str {
        if (id as usize) < self.ends.len() { &self.text[span(&self.ends, id)] } else { "" }
    }

    /// All names, in first-seen order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|id| &self.text[span(&self.ends, id as u32)])
    }

    /// Gives back memory that growth left unused.
    pub fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Where a name lies in the text.
fn span(ends: &[u64], id: u32) -> Range<usize> {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] as usize };
    start..ends[id] as usize
}

impl<'a> FromIterator<&'a str> for Dictionary {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut dictionary = Dictionary::new();
        for name in names {
            dictionary.intern(name);
        }
        dictionary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance_and_names_come_back() {
        let mut dictionary = Dictionary::new();
        assert_eq!([dictionary.intern("b"), dictionary.intern(""), dictionary.intern("b")], [0, 1, 0]);
        assert_eq!(dictionary.names().collect::<Vec<_>>(), ["b", ""]);
        assert_eq!(dictionary.find("b"), Some(0));
        assert_eq!(dictionary.find("c"), None);
    }

    #[test]
    fn names_of_all_lengths_and_with_zeros_are_told_apart() {
        let names = [
            "",
            "\0",
            "\0\0",
            "a",
            "a\0",
            "a\0\0",
            "\0a",
            "12345678",
            "1234567",
            "123456789",
            "1234567\0",
            "äöü",
            "äöüä€",
        ];
        let mut dictionary = Dictionary::new();
        for (number, name) in names.iter().enumerate() {
            assert_eq!(dictionary.intern(name), number as u32, "{name:?}");
        }
        for (number, name) in names.iter().enumerate() {
            assert_eq!(dictionary.find(name), Some(number as u32), "{name:?}");
        }
    }
}
