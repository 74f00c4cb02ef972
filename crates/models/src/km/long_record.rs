//! Where each symbol occurs in a long record.
//!
//! A record of thousands of events over a few symbols would be scanned again and again for the next occurrence of its
//! rarest symbol. With the occurrences of every symbol at hand, finding what may follow a match costs one binary search
//! for each symbol that still occurs, however long the record is.

/// One symbol of a long record.
#[derive(Debug)]
struct Occurrences {
    symbol: u32,
    last: u32,
    /// Its places are `places[from..to]`.
    from: u32,
    to: u32,
}

/// A long record, indexed by symbol.
#[derive(Debug)]
pub(super) struct LongRecord {
    /// Place in the stream where the record begins.
    pub start: u32,
    /// By last occurrence, latest first: those that no longer occur after a place are at the end.
    symbols: Vec<Occurrences>,
    places: Vec<u32>,
}

impl LongRecord {
    /// Indexes a record that begins at `start` in the stream; an event may be one of several symbols.
    pub fn index<'a>(start: u32, record: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut events: Vec<(u32, u32)> = (start..)
            .zip(record)
            .flat_map(|(place, symbols)| symbols.iter().map(move |symbol| (*symbol, place)))
            .collect();
        events.sort_unstable();
        let mut symbols: Vec<Occurrences> = Vec::new();
        for (position, (symbol, place)) in (0_u32..).zip(&events) {
            match symbols.last_mut() {
                Some(known) if known.symbol == *symbol => {
                    known.last = *place;
                    known.to = position + 1;
                }
                _ => symbols.push(Occurrences {
                    symbol: *symbol,
                    last: *place,
                    from: position,
                    to: position + 1,
                }),
            }
        }
        symbols.sort_unstable_by_key(|known| std::cmp::Reverse(known.last));
        LongRecord { start, symbols, places: events.into_iter().map(|(_, place)| place).collect() }
    }

    /// Calls `found(symbol, place after it)` for the first occurrence of every symbol at or after a place.
    pub fn each_next(&self, at: u32, mut found: impl FnMut(u32, u32)) {
        for known in self.symbols.iter().take_while(|known| known.last >= at) {
            let places = &self.places[known.from as usize..known.to as usize];
            let next = places.partition_point(|place| *place < at);
            found(known.symbol, places[next] + 1);
        }
    }
}
