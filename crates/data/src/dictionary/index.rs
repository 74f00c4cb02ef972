//! From names to their numbers, without looking at the text of short names.

use hashbrown::HashTable;

/// What a dictionary knows of a name besides its text: a short name itself, or the hash of a longer one. Growing never
/// looks at the text, and neither does finding a short name: in a large file each such look waits for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(u64);

/// The upper half of a long name's key. No short name has it: `0xff` is in no UTF-8 text.
const LONG: u64 = 0xffff_ffff << 32;

impl Key {
    /// The key of a name; `hash` is asked for its hash only where it is needed.
    #[inline]
    pub fn of(name: &str, hash: impl FnOnce() -> u32) -> Self {
        match short(name) {
            0 => Key(LONG | u64::from(hash())),
            short => Key(short),
        }
    }

    /// Whether names with the same key may still differ.
    #[inline]
    fn is_hash(self) -> bool {
        self.0 >= LONG
    }

    /// The hash the index works with: it needs good high and low bits, and a product has its best in the
    /// middle.
    #[inline]
    fn spread(self) -> u64 {
        let product = u128::from(self.0) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
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

/// A name in the index: its number, and its key in two halves, so that a slot has twelve bytes and not sixteen.
#[derive(Debug, Clone, Copy)]
struct Slot {
    id: u32,
    low: u32,
    high: u32,
}

impl Slot {
    fn new(id: u32, key: Key) -> Self {
        Slot { id, low: key.0 as u32, high: (key.0 >> 32) as u32 }
    }

    #[inline]
    fn key(&self) -> Key {
        Key(u64::from(self.high) << 32 | u64::from(self.low))
    }
}

/// The numbers of names by their keys.
#[derive(Debug, Clone, Default)]
pub struct Index {
    slots: HashTable<Slot>,
}

impl Index {
    /// Empty, with room for `names` of them.
    pub fn with_capacity(names: usize) -> Self {
        Index { slots: HashTable::with_capacity(names) }
    }

    /// The number of a name; `same` compares the name that has a number with it, and is asked only where keys do not tell.
    #[inline]
    pub fn find(&self, key: Key, same: impl Fn(u32) -> bool) -> Option<u32> {
        let found = if key.is_hash() {
            self.slots.find(key.spread(), |slot| slot.key() == key && same(slot.id))
        } else {
            self.slots.find(key.spread(), |slot| slot.key() == key)
        };
        found.map(|slot| slot.id)
    }

    /// Adds a name that is not in the index yet.
    pub fn insert(&mut self, id: u32, key: Key) {
        self.slots.insert_unique(key.spread(), Slot::new(id, key), |slot| slot.key().spread());
    }

    /// Forgets all names and keeps the memory.
    pub fn clear(&mut self) {
        self.slots.clear();
    }
}
