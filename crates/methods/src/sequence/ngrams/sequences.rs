//! What is counted of each person: a bounded piece of what they did, over a public alphabet.

use throng_data::{Dictionary, Events, ItemId};

use crate::{MethodError, Variant};

/// Sequences one after the other, each cut to a length and closed by a symbol of its own.
#[derive(Debug, Clone)]
pub struct Sequences {
    symbols: Vec<u32>,
    alphabet: u32,
    l_max: u32,
    opened: bool,
    records_per_person: u64,
    events: u64,
    unused_records: u64,
}

impl Sequences {
    /// Takes from each person the first record with events (all of them `as-printed`), and of it the first `l_max`
    /// events. `symbol_of` maps the data's items to `0..alphabet`.
    pub fn collect(events: &Events, symbol_of: &[u32], alphabet: u32, l_max: u32, variant: Variant) -> Self {
        let mut taken = Sequences {
            symbols: Vec::with_capacity(events.len() + events.subjects()),
            alphabet,
            l_max,
            opened: false,
            records_per_person: 1,
            events: 0,
            unused_records: 0,
        };
        let most = if variant == Variant::Sound { 1 } else { usize::MAX };
        for person in 0..events.subjects() {
            let mut records = 0;
            for record in events.records_of(person).filter(|record| !events.span(*record).is_empty()) {
                if records == most {
                    taken.unused_records += 1;
                    continue;
                }
                records += 1;
                let cut = events.record(record).iter().take(l_max as usize);
                taken.events += cut.len() as u64;
                taken.symbols.extend(cut.map(|item| symbol_of[*item as usize]));
                taken.symbols.push(alphabet);
            }
            taken.records_per_person = taken.records_per_person.max(records as u64);
        }
        taken
    }

    /// The same with a symbol before each sequence, so that how sequences begin is counted like what follows anything
    /// else. It is one place more of each sequence.
    #[must_use]
    pub fn opened(mut self) -> Self {
        let (start, end) = (self.alphabet + 1, self.end());
        let mut symbols = Vec::with_capacity(self.symbols.len() + self.symbols.len() / 4);
        for sequence in self.symbols.split_inclusive(|symbol| *symbol == end) {
            symbols.push(start);
            symbols.extend_from_slice(sequence);
        }
        self.symbols = symbols;
        self.opened = true;
        self
    }

    /// How many sequences there are.
    pub fn count(&self) -> u64 {
        self.symbols.iter().filter(|symbol| **symbol == self.end()).count() as u64
    }

    /// How many sequences have one event, two, up to `l_max`.
    pub fn lengths(&self) -> Vec<i64> {
        let mut lengths = vec![0; self.l_max as usize];
        for sequence in self.symbols.split(|symbol| *symbol == self.end()) {
            let events = sequence.len() - usize::from(self.opened && !sequence.is_empty());
            if events > 0 {
                lengths[events - 1] += 1;
            }
        }
        lengths
    }

    /// All symbols; [`Sequences::end`] closes each sequence.
    pub fn symbols(&self) -> &[u32] {
        &self.symbols
    }

    /// How many items the alphabet has.
    pub fn alphabet(&self) -> u32 {
        self.alphabet
    }

    /// The symbol that closes a sequence: the paper's `&`.
    pub fn end(&self) -> u32 {
        self.alphabet
    }

    /// The symbol that opens a sequence, where one does.
    pub fn start(&self) -> Option<u32> {
        self.opened.then_some(self.alphabet + 1)
    }

    /// How many symbols there are: the alphabet, the end, and the start where there is one.
    pub fn width(&self) -> usize {
        self.alphabet as usize + 1 + usize::from(self.opened)
    }

    /// At how many places of a sequence grams begin, at most: so much does one sequence change the counts of a level.
    pub fn places(&self) -> u32 {
        self.l_max + u32::from(self.opened)
    }

    /// How many events of a sequence are counted at most.
    pub fn l_max(&self) -> u32 {
        self.l_max
    }

    /// How many sequences of one person there are at most.
    pub fn records_per_person(&self) -> u64 {
        self.records_per_person
    }

    /// How many events are counted.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Records with events that are not counted.
    pub fn unused_records(&self) -> u64 {
        self.unused_records
    }
}

/// The public alphabet: the data's own dictionary, completed, and the number that each of its names has in it.
#[derive(Debug)]
pub(crate) struct Alphabet {
    /// All names; the data's come first and keep their numbers.
    pub base: Dictionary,
    /// The public names, in the order of the list, as numbers of `base`.
    pub items: Vec<ItemId>,
    /// For each item of the data, its place in `items`.
    pub symbol_of: Vec<u32>,
}

impl Alphabet {
    pub fn new(public: &[String], data: &Dictionary) -> Result<Self, MethodError> {
        let list: Dictionary = public.iter().map(String::as_str).collect();
        if list.is_empty() {
            return Err(MethodError::BadData {
                what: "the public alphabet has no item".to_owned(),
                help: "list all items that may occur, one a line, in the file of {alphabet}".into(),
            });
        }
        let symbol_of: Vec<Option<u32>> = data.names().map(|name| list.find(name)).collect();
        if let Some(first) = symbol_of.iter().position(Option::is_none) {
            let missing = symbol_of.iter().filter(|symbol| symbol.is_none()).count();
            return Err(MethodError::BadData {
                what: format!(
                    "{missing} of the {} items of the data, `{}` first, are not in the public alphabet",
                    data.len(),
                    data.name(first as u32)
                ),
                help: "complete the alphabet from public knowledge - a map, a catalogue - and not from the data: that \
                       a person was at an item is what must not be told"
                    .into(),
            });
        }
        let mut base = data.clone();
        let items = list.names().map(|name| base.intern(name)).collect();
        Ok(Alphabet { base, items, symbol_of: symbol_of.into_iter().flatten().collect() })
    }
}
