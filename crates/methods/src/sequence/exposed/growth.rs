//! Counts people by pattern where patterns are many: those that begin alike together, so that counters are one for each group.
//!
//! Where a pattern's beginning was found is kept for each record; a longer beginning is found from there on. Only the last element is
//! counted, in an array that stays in the cache.

use super::places::Layout;
use super::ranks::{Images, Ranks};
use super::runs::Runs;
use super::{Found, Requirement};

/// Where the leftmost embedding of a beginning ends in a record.
#[derive(Clone, Copy)]
struct Posting {
    person: u32,
    record: u32,
    /// Its positions, or the last of them where they do not fit one number.
    positions: u64,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    people: u32,
    last_person: u32,
    record: u32,
    positions: u64,
}

/// What is found: a number for each pattern; or the groups of each where a place does not fit one number.
pub(super) struct Harvest {
    pub(super) placed: Runs,
    pub(super) listed: Found,
}

impl Harvest {
    pub(super) fn new(size: usize) -> Self {
        Harvest { placed: Runs::default(), listed: Found::new(size) }
    }

    pub(super) fn join(mut self, other: Harvest) -> Self {
        self.listed.append(other.listed);
        Harvest { placed: self.placed.join(other.placed), ..self }
    }
}

/// Grows the patterns that begin with one group after the other.
pub(super) struct Growth<'a> {
    ranks: &'a Ranks,
    images: &'a Images,
    size: usize,
    requirement: Requirement<'a>,
    /// How a place is written as one number, if it fits.
    layout: Option<Layout>,
    /// The records that have the beginning.
    begun: Vec<Posting>,
    /// For each length of a beginning, the records by the next group.
    longer: Vec<Vec<Vec<Posting>>>,
    /// People by the last group.
    cells: Vec<Cell>,
    touched: Vec<u32>,
    /// The carriers of each secret, for each cell in turn.
    carriers: Vec<u32>,
    /// `seen[group] == token` while the group was already met behind the same beginning in the same record.
    seen: Vec<u64>,
    token: u64,
    prefix: Vec<u32>,
    harvest: Harvest,
}

impl<'a> Growth<'a> {
    /// For patterns of `size` groups, two at least.
    pub(super) fn new(
        ranks: &'a Ranks,
        images: &'a Images,
        size: usize,
        requirement: Requirement<'a>,
        layout: Option<Layout>,
    ) -> Self {
        let groups = ranks.len();
        Growth {
            ranks,
            images,
            size,
            requirement,
            layout,
            begun: Vec::new(),
            longer: vec![vec![Vec::new(); groups]; size.saturating_sub(2)],
            cells: vec![Cell::default(); groups],
            touched: Vec::new(),
            carriers: vec![0; groups * requirement.kinds()],
            seen: vec![0; groups],
            token: 0,
            prefix: Vec::new(),
            harvest: Harvest::new(size),
        }
    }

    /// Takes a record of the next beginning; people in ascending order.
    pub(super) fn begin(&mut self, first: u32, person: u32, record: u32) {
        if let Some(at) = self.images.of_record(record).iter().position(|rank| *rank == first) {
            self.begun.push(Posting { person, record, positions: at as u64 });
        }
    }

    /// Finds the patterns that begin with this group and break the requirement, and makes room for the next group.
    pub(super) fn grow(&mut self, first: u32) {
        let mut begun = std::mem::take(&mut self.begun);
        self.prefix.push(self.ranks.group(first));
        self.extend(&begun);
        self.prefix.pop();
        begun.clear();
        self.begun = begun;
    }

    /// All that was found.
    pub(super) fn finish(self) -> Harvest {
        self.harvest
    }

    /// The positions of a beginning and one more, or that one alone.
    fn further(&self, positions: u64, position: usize) -> u64 {
        self.layout.map_or(position as u64, |layout| layout.further(positions, position))
    }

    /// One past the last event of a beginning.
    fn from(&self, posting: &Posting) -> usize {
        self.layout.map_or(posting.positions as usize, |layout| layout.last(posting.positions)) + 1
    }

    fn extend(&mut self, postings: &[Posting]) {
        let depth = self.prefix.len();
        if depth + 1 == self.size {
            self.count_last(postings);
            return;
        }
        let mut longer = std::mem::take(&mut self.longer[depth - 1]);
        let mut met = Vec::new();
        for posting in postings {
            let image = self.images.of_record(posting.record);
            let enough = image.len().saturating_sub(self.size - depth - 1);
            self.token += 1;
            let mut fresh = 0;
            let from = self.from(posting);
            let rest = image[..enough].get(from..).unwrap_or_default();
            for (position, rank) in (from..).zip(rest) {
                let rank = *rank as usize;
                if std::mem::replace(&mut self.seen[rank], self.token) == self.token {
                    continue;
                }
                if longer[rank].is_empty() {
                    met.push(rank as u32);
                }
                longer[rank]
                    .push(Posting { positions: self.further(posting.positions, position), ..*posting });
                // In a long record over few groups nothing new comes after all groups were met.
                fresh += 1;
                if fresh == self.seen.len() {
                    break;
                }
            }
        }
        for rank in met {
            let mut postings = std::mem::take(&mut longer[rank as usize]);
            self.prefix.push(self.ranks.group(rank));
            self.extend(&postings);
            self.prefix.pop();
            postings.clear();
            longer[rank as usize] = postings;
        }
        self.longer[depth - 1] = longer;
    }

    fn count_last(&mut self, postings: &[Posting]) {
        let kinds = self.requirement.kinds();
        for posting in postings {
            let from = self.from(posting);
            let rest = &self.images.of_record(posting.record)[from..];
            let long = rest.len() > self.seen.len();
            self.token += 1;
            let mut fresh = 0;
            for (position, rank) in (from..).zip(rest) {
                let at = *rank as usize;
                if long {
                    if std::mem::replace(&mut self.seen[at], self.token) == self.token {
                        continue;
                    }
                    fresh += 1;
                }
                let cell = &mut self.cells[at];
                if cell.people == 0 {
                    let Posting { person, record, positions } = *posting;
                    let positions = self.layout.map_or(0, |layout| layout.further(positions, position));
                    *cell = Cell { people: 1, last_person: person, record, positions };
                    self.touched.push(*rank);
                } else if cell.last_person != posting.person {
                    cell.people += 1;
                    cell.last_person = posting.person;
                } else {
                    continue;
                }
                if let Some(diversity) = self.requirement.diversity {
                    diversity.tally(posting.person, &mut self.carriers[at * kinds..(at + 1) * kinds]);
                }
                if long && fresh == self.seen.len() {
                    break;
                }
            }
        }
        for rank in self.touched.drain(..) {
            let at = rank as usize;
            let cell = std::mem::take(&mut self.cells[at]);
            let carriers = &mut self.carriers[at * kinds..(at + 1) * kinds];
            if self.requirement.is_broken_by(u64::from(cell.people), carriers) {
                let Cell { people, record, positions, .. } = cell;
                match self.layout {
                    Some(layout) => {
                        self.harvest.placed.push(layout.number(people, layout.place(record, positions)));
                    }
                    None => {
                        self.harvest.listed.groups.extend_from_slice(&self.prefix);
                        self.harvest.listed.push([self.ranks.group(rank)], people, record);
                    }
                }
            }
            carriers.iter_mut().for_each(|carriers| *carriers = 0);
        }
    }
}
