//! Whom the method takes apart: one set of terms for each person.

use throng_data::{Dataset, ItemId};

use crate::Variant;

/// No cluster, or no term.
pub(super) const NONE: u32 = u32::MAX;

/// People with at least one item. Terms are items that may be known, numbered in the order of their names, so that ties are
/// broken by names.
pub(super) struct People {
    offsets: Vec<u64>,
    terms: Vec<u32>,
    secret_offsets: Vec<u64>,
    secrets: Vec<ItemId>,
    /// The person of the data whom each stands for.
    pub subject: Vec<u32>,
    /// The item of each term.
    pub item_of: Vec<ItemId>,
    /// Whether several records of a person became one set.
    pub joined: bool,
}

impl People {
    /// The people of a dataset: all records of a person as one set. As printed, each record is a person.
    pub fn of(data: &Dataset, sensitive: &[ItemId], variant: Variant) -> Self {
        let mut item_of: Vec<ItemId> = (0..data.items.len() as ItemId).collect();
        item_of.sort_by(|a, b| data.items.name(*a).cmp(data.items.name(*b)));
        let mut term_of = vec![NONE; item_of.len()];
        for (term, item) in item_of.iter().enumerate() {
            term_of[*item as usize] = term as u32;
        }
        for item in sensitive {
            term_of[*item as usize] = NONE;
        }
        let mut people = People {
            offsets: vec![0],
            terms: Vec::with_capacity(data.events.len()),
            secret_offsets: vec![0],
            secrets: Vec::new(),
            subject: Vec::new(),
            item_of,
            joined: false,
        };
        for subject in 0..data.events.subjects() {
            let records = data.events.records_of(subject);
            people.joined |= records.len() > 1 && variant == Variant::Sound;
            let last = records.end;
            for record in records {
                for item in data.events.record(record) {
                    match term_of[*item as usize] {
                        NONE => people.secrets.push(*item),
                        term => people.terms.push(term),
                    }
                }
                if variant == Variant::AsPrinted || record + 1 == last {
                    people.end(subject as u32);
                }
            }
        }
        people
    }

    fn end(&mut self, subject: u32) {
        let begin = [&self.offsets, &self.secret_offsets]
            .map(|offsets| offsets.last().map_or(0, |end| *end as usize));
        super::super::baskets::sort_and_dedup(&mut self.terms, begin[0]);
        super::super::baskets::sort_and_dedup(&mut self.secrets, begin[1]);
        if (self.terms.len(), self.secrets.len()) != (begin[0], begin[1]) {
            self.offsets.push(self.terms.len() as u64);
            self.secret_offsets.push(self.secrets.len() as u64);
            self.subject.push(subject);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.subject.len()
    }

    /// The terms of a person, ascending.
    pub fn terms(&self, person: u32) -> &[u32] {
        &self.terms[self.offsets[person as usize] as usize..self.offsets[person as usize + 1] as usize]
    }

    /// The sensitive items of a person.
    pub fn secrets(&self, person: u32) -> &[ItemId] {
        let person = person as usize;
        &self.secrets[self.secret_offsets[person] as usize..self.secret_offsets[person + 1] as usize]
    }
}

/// Who among some people has which term: terms ascending, and the places of their holders in the list, ascending.
pub(super) struct Holders {
    /// The terms that occur.
    pub terms: Vec<u32>,
    ends: Vec<usize>,
    places: Vec<u32>,
}

impl Holders {
    /// Looks at some people.
    pub fn of(people: &People, some: &[u32]) -> Self {
        let pairs: usize = some.iter().map(|person| people.terms(*person).len()).sum();
        // Many pairs are counted, few are sorted.
        if pairs >= people.item_of.len() {
            Holders::counted(people, some)
        } else {
            Holders::sorted(people, some)
        }
    }

    fn counted(people: &People, some: &[u32]) -> Self {
        let mut counts = vec![0_usize; people.item_of.len()];
        for person in some {
            people.terms(*person).iter().for_each(|term| counts[*term as usize] += 1);
        }
        let terms: Vec<u32> = (0..counts.len() as u32).filter(|term| counts[*term as usize] > 0).collect();
        let mut ends = vec![0];
        // From here on a count is where the next place of its term goes.
        for term in &terms {
            let begin = ends[ends.len() - 1];
            ends.push(begin + counts[*term as usize]);
            counts[*term as usize] = begin;
        }
        let mut places = vec![0; ends[ends.len() - 1]];
        for (place, person) in (0..).zip(some) {
            for term in people.terms(*person) {
                places[counts[*term as usize]] = place;
                counts[*term as usize] += 1;
            }
        }
        Holders { terms, ends, places }
    }

    fn sorted(people: &People, some: &[u32]) -> Self {
        let mut pairs: Vec<u64> = Vec::new();
        for (place, person) in some.iter().enumerate() {
            pairs.extend(people.terms(*person).iter().map(|term| (u64::from(*term) << 32) | place as u64));
        }
        pairs.sort_unstable();
        let mut holders =
            Holders { terms: Vec::new(), ends: vec![0], places: Vec::with_capacity(pairs.len()) };
        for of_term in pairs.chunk_by(|a, b| a >> 32 == b >> 32) {
            holders.terms.push((of_term[0] >> 32) as u32);
            holders.places.extend(of_term.iter().map(|pair| *pair as u32));
            holders.ends.push(holders.places.len());
        }
        holders
    }

    /// The places of those who have the term at a position of the list of terms.
    pub fn at(&self, position: usize) -> &[u32] {
        &self.places[self.ends[position]..self.ends[position + 1]]
    }

    /// How many have it.
    pub fn support(&self, position: usize) -> usize {
        self.ends[position + 1] - self.ends[position]
    }

    /// How many pairs of a person and a term there are.
    pub fn pairs(&self) -> usize {
        self.places.len()
    }
}
