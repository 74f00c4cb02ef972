//! What an observer of the published sequence learns about which sensitive pattern occurred.

use std::collections::BTreeMap;

use throng_data::{ItemId, NodeId};

use super::occurrences::occurrences;

/// One person's sequence, as far as sensitive patterns are concerned.
#[derive(Debug)]
pub struct Person<'a> {
    /// The person's records.
    pub records: Vec<&'a [ItemId]>,
    /// Sensitive patterns that occur, with how often.
    pub patterns: Vec<(&'a [ItemId], u64)>,
    /// How often each item occurs.
    pub frequency: Vec<u64>,
    /// Window of an occurrence.
    pub window: usize,
}

impl<'a> Person<'a> {
    /// Counts the patterns in the person's records.
    pub fn new(records: Vec<&'a [ItemId]>, patterns: &[&'a [ItemId]], window: usize, items: usize) -> Self {
        let count = |pattern: &[ItemId]| -> u64 {
            records.iter().map(|record| occurrences(record, pattern, window)).fold(0, u64::saturating_add)
        };
        let patterns = patterns.iter().map(|pattern| (*pattern, count(pattern)));
        let patterns = patterns.filter(|(_, count)| *count > 0).collect();
        let mut frequency = vec![0; items];
        for item in records.iter().copied().flatten() {
            frequency[*item as usize] += 1;
        }
        Person { records, patterns, frequency, window }
    }

    /// The pattern that occurs, if no other does.
    pub fn only(&self) -> Option<&'a [ItemId]> {
        let (first, others) = self.patterns.split_first()?;
        others.iter().all(|(other, _)| *other == first.0).then_some(first.0)
    }

    /// The entropy of the sensitive patterns: all there is to learn, in bits.
    pub fn entropy(&self) -> f64 {
        entropy(&self.patterns.iter().map(|(_, count)| *count).collect::<Vec<u64>>())
    }

    /// Mutual information between the pattern that occurred and the one that is seen, in bits.
    ///
    /// Seeing is a function of what occurred, so this is the entropy of what is seen: never negative, never more than
    /// [`Person::entropy`], and never more after coarsening.
    pub fn information(&self, image: &[NodeId]) -> f64 {
        let mut seen: BTreeMap<Vec<NodeId>, u64> = BTreeMap::new();
        for (pattern, count) in &self.patterns {
            let published = pattern.iter().map(|item| image[*item as usize]).collect();
            let total = seen.entry(published).or_default();
            *total = total.saturating_add(*count);
        }
        entropy(&seen.into_values().collect::<Vec<u64>>())
    }

    /// The printed formula, which takes the frequency of a published pattern from the published sequence itself.
    pub fn information_as_printed(&self, image: &[NodeId]) -> f64 {
        let published: Vec<Vec<NodeId>> = self
            .records
            .iter()
            .map(|record| record.iter().map(|item| image[*item as usize]).collect())
            .collect();
        let mut seen: BTreeMap<Vec<NodeId>, u64> = BTreeMap::new();
        for (pattern, _) in &self.patterns {
            let pattern: Vec<NodeId> = pattern.iter().map(|item| image[*item as usize]).collect();
            let count = |pattern: &Vec<NodeId>| {
                published
                    .iter()
                    .map(|record| occurrences(record, pattern, self.window))
                    .fold(0, u64::saturating_add)
            };
            let total = count(&pattern);
            seen.insert(pattern, total);
        }
        let all: u64 = seen.values().fold(0, |sum, count| sum.saturating_add(*count));
        let occurred: u64 = self.patterns.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count));
        let mut information = 0.0;
        for (pattern, count) in &self.patterns {
            let pattern: Vec<NodeId> = pattern.iter().map(|item| image[*item as usize]).collect();
            let share = seen[&pattern] as f64 / all as f64;
            information -= *count as f64 / occurred as f64 * share.log2();
        }
        information
    }
}

fn entropy(counts: &[u64]) -> f64 {
    let total: f64 = counts.iter().map(|count| *count as f64).sum();
    let shares = counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / total);
    shares.map(|share| -share * share.log2()).sum::<f64>().max(0.0)
}
