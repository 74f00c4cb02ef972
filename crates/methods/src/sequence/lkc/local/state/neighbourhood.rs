//! What else is in the records of one doublet.

use super::State;
use super::desk::Bits;

/// No list.
const NONE: u32 = u32::MAX;

/// For every doublet that shares a record with the one at hand, the records in which they meet.
#[derive(Default)]
pub(super) struct Neighbourhood {
    /// The doublets it shares records with, ascending.
    present: Vec<u32>,
    /// Where the records of each begin in `records`, and how many there are now.
    spans: Vec<(u32, u32)>,
    /// How many of them are of people who have a sensitive value.
    secret: Vec<u32>,
    records: Vec<u32>,
}

impl Neighbourhood {
    fn span(&self, neighbour: u32) -> Option<usize> {
        self.present.binary_search(&neighbour).ok()
    }

    /// The records that contain both doublets, ascending.
    pub fn records(&self, neighbour: u32) -> &[u32] {
        self.span(neighbour).map_or(&[], |at| {
            let (start, len) = self.spans[at];
            &self.records[start as usize..][..len as usize]
        })
    }

    /// How many of them are of people who have a sensitive value.
    pub fn secret(&self, neighbour: u32) -> u32 {
        self.span(neighbour).map_or(0, |at| self.secret[at])
    }

    /// The neighbour was suppressed in these records.
    fn forget(&mut self, neighbour: u32, gone: &[u32], secret: &Bits) {
        let Some(at) = self.span(neighbour) else { return };
        let (start, len) = &mut self.spans[at];
        let list = &mut self.records[*start as usize..][..*len as usize];
        let mut gone = gone;
        let mut kept = 0;
        for from in 0..list.len() {
            let record = list[from];
            while gone.first().is_some_and(|first| *first < record) {
                gone = &gone[1..];
            }
            if gone.first() != Some(&record) {
                list[kept] = record;
                kept += 1;
            } else {
                self.secret[at] -= u32::from(secret.has(record));
            }
        }
        *len = kept as u32;
    }
}

/// The neighbourhoods of the doublets that were asked for, kept up to date while others are suppressed: most are asked for again and again,
/// and a suppression changes little about each.
pub(super) struct Neighbourhoods {
    of: Vec<Option<Neighbourhood>>,
    /// How many records are listed, and how many may be.
    listed: usize,
    most: usize,
    /// By doublet, its place in `present` while one is gathered.
    slots: Vec<u32>,
}

impl Neighbourhoods {
    /// None yet. At most so many records are listed for each event of the data.
    pub fn new(state: &State<'_>) -> Self {
        const LISTED: usize = 16;
        let doublets = state.table.len();
        Neighbourhoods {
            of: (0..doublets).map(|_| None).collect(),
            listed: 0,
            most: LISTED * state.table.events(),
            slots: vec![NONE; doublets],
        }
    }

    /// The records of `doublet` by what else they contain.
    pub fn of(&mut self, state: &State<'_>, doublet: u32) -> &Neighbourhood {
        if self.of[doublet as usize].is_none() {
            let gathered = self.gather(state, doublet);
            if self.listed + gathered.records.len() > self.most {
                self.of.iter_mut().for_each(|near| *near = None);
                self.listed = 0;
            }
            self.listed += gathered.records.len();
            self.of[doublet as usize] = Some(gathered);
        }
        self.of[doublet as usize].get_or_insert_default()
    }

    fn gather(&mut self, state: &State<'_>, doublet: u32) -> Neighbourhood {
        let holders = &state.holders[doublet as usize];
        let mut present: Vec<u32> = Vec::new();
        let mut lengths: Vec<u32> = Vec::new();
        for neighbour in holders.iter().flat_map(|record| state.rows.get(*record)) {
            let slot = &mut self.slots[*neighbour as usize];
            if *slot == NONE {
                *slot = present.len() as u32;
                present.push(*neighbour);
                lengths.push(0);
            }
            lengths[*slot as usize] += 1;
        }
        let lengths: Vec<(u32, u32)> = present.iter().copied().zip(lengths).collect();
        present.sort_unstable();
        let mut start = 0;
        let mut spans: Vec<(u32, u32)> = Vec::with_capacity(present.len());
        for (at, neighbour) in (0..).zip(&present) {
            let slot = &mut self.slots[*neighbour as usize];
            spans.push((start, 0));
            start += lengths[*slot as usize].1;
            *slot = at;
        }
        let mut records = vec![0; start as usize];
        let mut secret = vec![0; present.len()];
        for record in holders {
            let holds = u32::from(state.secret.has(*record));
            for neighbour in state.rows.get(*record) {
                let slot = self.slots[*neighbour as usize] as usize;
                secret[slot] += holds;
                let (start, len) = &mut spans[slot];
                records[(*start + *len) as usize] = *record;
                *len += 1;
            }
        }
        for neighbour in &present {
            self.slots[*neighbour as usize] = NONE;
        }
        Neighbourhood { present, spans, secret, records }
    }

    /// A doublet was suppressed in these records; `neighbours` are all they held, and may be more.
    pub fn forget(&mut self, doublet: u32, gone: &[u32], neighbours: &[u32], secret: &Bits) {
        let mut own = self.of[doublet as usize].take();
        for neighbour in neighbours {
            if let Some(near) = &mut self.of[*neighbour as usize] {
                near.forget(doublet, gone, secret);
            }
            if let Some(own) = &mut own {
                own.forget(*neighbour, gone, secret);
            }
        }
        self.of[doublet as usize] = own;
    }
}
