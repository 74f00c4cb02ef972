//! Which records may show one of a few patterns.

use throng_data::ItemId;

use super::left::Left;

/// The records of every item when they were gathered. Records only lose events since, so none is missing.
#[derive(Debug)]
pub(super) struct Holders {
    /// `records[offsets[item]..offsets[item + 1]]` are those of an item, ascending.
    offsets: Vec<usize>,
    records: Vec<u32>,
    /// Items of the patterns that are looked for.
    marked: Vec<bool>,
}

impl Holders {
    pub fn new(left: &Left<'_>, items: usize) -> Self {
        let mut last = vec![u32::MAX; items];
        let mut each = |visit: &mut dyn FnMut(usize, u32)| {
            last.fill(u32::MAX);
            for record in 0..left.records() as u32 {
                for item in left.record(record as usize) {
                    if std::mem::replace(&mut last[*item as usize], record) != record {
                        visit(*item as usize, record);
                    }
                }
            }
        };
        let mut offsets = vec![0; items + 1];
        each(&mut |item, _| offsets[item + 1] += 1);
        (0..items).for_each(|item| offsets[item + 1] += offsets[item]);
        let (mut next, mut records) = (offsets.clone(), vec![0; offsets[items]]);
        each(&mut |item, record| {
            records[next[item]] = record;
            next[item] += 1;
        });
        Holders { offsets, records, marked: vec![false; items] }
    }

    /// Every record that shows one of the patterns of `size` items, and some that do not, ascending.
    ///
    /// A pattern is looked for where its rarest item is, together with all others that have the same one.
    pub fn of(&mut self, patterns: &[ItemId], size: usize, left: &Left<'_>) -> Vec<u32> {
        let having = |item: &ItemId| self.offsets[*item as usize + 1] - self.offsets[*item as usize];
        let rarest = |pattern: &[ItemId]| pattern.iter().copied().min_by_key(having).unwrap_or_default();
        let mut by_rarest: Vec<(ItemId, &[ItemId])> =
            patterns.chunks_exact(size).map(|pattern| (rarest(pattern), pattern)).collect();
        by_rarest.sort_unstable_by_key(|(item, _)| *item);
        let mut found = Vec::new();
        for alike in by_rarest.chunk_by(|a, b| a.0 == b.0) {
            let rarest = alike[0].0;
            let members = || alike.iter().flat_map(|(_, pattern)| *pattern);
            members().for_each(|item| self.marked[*item as usize] = true);
            let records = &self.records[self.offsets[rarest as usize]..self.offsets[rarest as usize + 1]];
            found.extend(records.iter().filter(|record| {
                let items = left.record(**record as usize);
                let marked = items.iter().filter(|item| self.marked[**item as usize]).count();
                marked >= size && items.contains(&rarest)
            }));
            members().for_each(|item| self.marked[*item as usize] = false);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn records_are_found_by_the_rarest_item() {
        let data = Dataset::from_words(["ab", "abc", "ac", "cc", "aa"]);
        let mut left = Left::new(&data.events, vec![true; data.events.len()]);
        let mut holders = Holders::new(&left, 3);
        assert_eq!(holders.of(&[0, 1], 2, &left), [0, 1]);
        assert_eq!(holders.of(&[2, 2, 0, 1], 2, &left), [0, 1, 3]);
        assert_eq!(holders.of(&[2], 1, &left), [1, 2, 3]);
        left.take(1, &[1]);
        assert_eq!(holders.of(&[0, 1], 2, &left), [0]);
    }
}
