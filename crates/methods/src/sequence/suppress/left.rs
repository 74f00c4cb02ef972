//! The events that are left, record by record, and which of the original ones they are.

use std::ops::Range;

use throng_data::{Events, ItemId};

/// Events that only ever become fewer: a record that changes is written in its own place, the others are not touched.
#[derive(Debug)]
pub(super) struct Left<'a> {
    original: &'a Events,
    /// Of every event of the original whether it is left.
    published: Vec<bool>,
    /// What is left of a record stands where the record begins in the original.
    items: Vec<ItemId>,
    lengths: Vec<u32>,
}

impl<'a> Left<'a> {
    pub fn new(original: &'a Events, published: Vec<bool>) -> Self {
        let lengths = vec![0; original.records()];
        let mut left = Left { original, published, items: original.items().to_vec(), lengths };
        (0..original.records()).for_each(|record| left.renew(record));
        left
    }

    pub fn published(self) -> Vec<bool> {
        self.published
    }

    pub fn records(&self) -> usize {
        self.lengths.len()
    }

    #[inline]
    pub fn record(&self, record: usize) -> &[ItemId] {
        let start = self.original.span(record).start;
        &self.items[start..start + self.lengths[record] as usize]
    }

    /// Which events of a record of the original are left.
    pub fn kept(&self, record: usize) -> &[bool] {
        &self.published[self.original.span(record)]
    }

    pub fn people(&self) -> usize {
        self.original.subjects()
    }

    pub fn records_of(&self, person: usize) -> Range<usize> {
        self.original.records_of(person)
    }

    pub fn person_of(&self, record: usize) -> usize {
        self.original.subject_of(record)
    }

    /// How many people have each item, of so many.
    pub fn people_by_item(&self, items: usize) -> Vec<u64> {
        let (mut people, mut last) = (vec![0; items], vec![0_usize; items]);
        for person in 0..self.people() {
            for item in self.records_of(person).flat_map(|record| self.record(record)) {
                if std::mem::replace(&mut last[*item as usize], person + 1) != person + 1 {
                    people[*item as usize] += 1;
                }
            }
        }
        people
    }

    /// How often each item occurs, of so many.
    pub fn occurrences(&self, items: usize) -> Vec<u64> {
        let mut occurrences = vec![0; items];
        let all = (0..self.records()).flat_map(|record| self.record(record));
        all.for_each(|item| occurrences[*item as usize] += 1);
        occurrences
    }

    /// Takes away places of what is left of a record, ascending.
    pub fn take(&mut self, record: usize, places: &[u32]) {
        let (mut at, mut places) = (0, places.iter().peekable());
        for published in self.published[self.original.span(record)].iter_mut().filter(|left| **left) {
            *published = places.next_if_eq(&&at).is_none();
            at += 1;
        }
        self.renew(record);
    }

    /// Takes items away from everybody.
    pub fn take_items(&mut self, gone: &[bool]) {
        for (published, item) in self.published.iter_mut().zip(self.original.items()) {
            *published &= !gone[*item as usize];
        }
        (0..self.records()).for_each(|record| self.renew(record));
    }

    /// Publishes an event of a record of the original after all.
    pub fn give_back(&mut self, record: usize, place: u32) {
        self.published[self.original.span(record).start + place as usize] = true;
    }

    fn renew(&mut self, record: usize) {
        let span = self.original.span(record);
        let mut end = span.start;
        for at in span.clone().filter(|at| self.published[*at]) {
            self.items[end] = self.original.items()[at];
            end += 1;
        }
        self.lengths[record] = (end - span.start) as u32;
    }
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn what_is_taken_is_gone_from_one_record() {
        let data = Dataset::from_words(["abab", "cab"]);
        let mut left = Left::new(&data.events, vec![true, false, true, true, true, true, true]);
        assert_eq!((left.record(0), left.record(1)), (&[0, 0, 1][..], &[2, 0, 1][..]));
        left.take(0, &[1]);
        assert_eq!((left.record(0), left.kept(0)), (&[0, 1][..], &[true, false, false, true][..]));
        assert_eq!(left.people_by_item(3), [2, 2, 1]);
        left.take_items(&[true, false, false]);
        assert_eq!((left.record(0), left.record(1)), (&[1][..], &[2, 1][..]));
        assert_eq!(left.occurrences(3), [0, 2, 1]);
    }
}
