//! Names to dense numbers and back, in first-seen order.

mod ends;
mod index;

use std::hash::BuildHasher;
use std::sync::OnceLock;

use foldhash::fast::FixedState;

pub(crate) use ends::Ends;
use index::{Index, Key};

/// A set of distinct names; the n-th one seen has the number n.
///
/// Names lie in one buffer. A name costs its bytes, four more, and 15 to 30 for its place in the index while there is one: two
/// million subjects take less than a hundred megabytes. The hash is seeded with a constant: the same input gives the same
/// tables on every run.
#[derive(Debug, Clone)]
pub struct Dictionary {
    text: String,
    ends: Ends,
    /// Empty after [`Dictionary::settle`], until a name is looked for.
    index: OnceLock<Index>,
    hasher: FixedState,
}

impl Default for Dictionary {
    fn default() -> Self {
        Dictionary {
            text: String::new(),
            ends: Ends::default(),
            index: OnceLock::from(Index::default()),
            hasher: FixedState::with_seed(0),
        }
    }
}

impl Dictionary {
    /// An empty dictionary.
    pub fn new() -> Self {
        Dictionary::default()
    }

    /// Distinct names, without an index until one is looked for.
    pub(crate) fn of_distinct<'a>(names: impl Iterator<Item = &'a str>, count: usize, bytes: usize) -> Self {
        let (mut text, mut ends) = (String::with_capacity(bytes), Ends::with_capacity(count));
        for name in names {
            text.push_str(name);
            ends.push(text.len());
        }
        Dictionary { text, ends, index: OnceLock::new(), hasher: FixedState::with_seed(0) }
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
        self.ends.len() == 0
    }

    /// The number of a name, adding it if it is not known.
    #[inline]
    pub fn intern(&mut self, name: &str) -> u32 {
        let key = self.key(name);
        self.intern_by(key, name)
    }

    /// The number of a name whose hash was computed elsewhere, adding it if it is not known.
    #[inline]
    pub(crate) fn intern_hashed(&mut self, name: &str, hash: u32) -> u32 {
        self.intern_by(Key::of(name, || hash), name)
    }

    #[inline]
    fn intern_by(&mut self, key: Key, name: &str) -> u32 {
        self.find_by(key, name).unwrap_or_else(|| self.push(key, name))
    }

    fn push(&mut self, key: Key, name: &str) -> u32 {
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct names fit in memory");
        self.text.push_str(name);
        self.ends.push(self.text.len());
        // An index that is not there is made of all names when it is needed, this one among them.
        if let Some(index) = self.index.get_mut() {
            index.insert(id, key);
        }
        id
    }

    /// The number of a name, if it is known.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_by(self.key(name), name)
    }

    #[inline]
    fn find_by(&self, key: Key, name: &str) -> Option<u32> {
        let index = self.index.get_or_init(|| self.indexed());
        index.find(key, |id| self.text.as_bytes()[self.ends.span(id)] == *name.as_bytes())
    }

    /// An index of all names.
    fn indexed(&self) -> Index {
        let mut index = Index::with_capacity(self.len());
        for (id, name) in (0..).zip(self.names()) {
            index.insert(id, self.key(name));
        }
        index
    }

    /// The hash of a name, the same for every dictionary.
    pub(crate) fn hash(&self, name: &str) -> u32 {
        (self.hasher.hash_one(name) >> 32) as u32
    }

    #[inline]
    fn key(&self, name: &str) -> Key {
        Key::of(name, || self.hash(name))
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
        if let Some(index) = self.index.get_mut() {
            index.clear();
        }
    }

    /// The name of a number. Empty for a number that was never given out.
    #[inline]
    pub fn name(&self, id: u32) -> &str {
        if (id as usize) < self.ends.len() { &self.text[self.ends.span(id)] } else { "" }
    }

    /// All names, in first-seen order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|id| &self.text[self.ends.span(id as u32)])
    }

    /// Gives back memory that growth left unused, and the index: most work on people that were read once asks for none by
    /// name. The index is made again when a name is looked for.
    pub fn settle(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.index = OnceLock::new();
    }
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

    #[test]
    fn a_settled_dictionary_finds_and_adds_names() {
        let names = ["a", "longer than eight", "b", ""];
        let mut dictionary: Dictionary = names.into_iter().collect();
        dictionary.settle();
        assert_eq!(dictionary.names().collect::<Vec<_>>(), names);
        assert_eq!(dictionary.find("longer than eight"), Some(1));
        dictionary.settle();
        assert_eq!(["b", "c", "a", "c"].map(|name| dictionary.intern(name)), [2, 4, 0, 4]);
        dictionary.settle();
        assert_eq!((dictionary.find("c"), dictionary.find("d")), (Some(4), None));
    }
}
