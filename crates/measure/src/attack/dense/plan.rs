//! What is asked of every block of records: different choices of known events, each once.

use std::collections::BTreeMap;

/// Questions about columns, and the comparisons of columns that answer them.
pub(super) struct Plan {
    /// Whether events are known in order.
    pub ordered: bool,
    asked: Vec<Asked>,
    numbers: BTreeMap<Vec<u32>, u32>,
    /// The comparisons to make.
    pub comparisons: Vec<Comparison>,
    compared: BTreeMap<Comparison, u32>,
    /// The questions, each after the wider one that it narrows; with how many it narrows, one by one.
    pub order: Vec<(u32, usize)>,
}

/// A choice of known events.
pub(super) struct Asked {
    /// The column of each, in the order in which they happened; ascending where that is not known.
    pub columns: Vec<u32>,
    /// The question whose answer this one's is a part of.
    wider: Option<u32>,
    all: Vec<u32>,
    /// The comparisons that must hold, but for those of the wider question.
    pub further: Vec<u32>,
    /// Of neighbours: whether first places are in order, and last places. Empty where nothing lies between two others.
    pub firsts: Vec<u32>,
    /// See `firsts`.
    pub lasts: Vec<u32>,
}

/// A comparison of two columns, record by record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Comparison {
    /// The one can come before the other.
    Before(u32, u32),
    /// The first place of the one lies before the first place of the other.
    Firsts(u32, u32),
    /// The same for last places.
    Lasts(u32, u32),
    /// More than so many events fit the column.
    More(u32, u32),
}

impl Plan {
    /// Nothing asked yet.
    pub fn new(ordered: bool) -> Self {
        Plan {
            ordered,
            asked: Vec::new(),
            numbers: BTreeMap::new(),
            comparisons: Vec::new(),
            compared: BTreeMap::new(),
            order: Vec::new(),
        }
    }

    /// Asks who fits these columns, all of whom fit the `wider` question; gives the number of the question.
    pub fn ask(&mut self, mut columns: Vec<u32>, wider: Option<u32>) -> u32 {
        if !self.ordered {
            columns.sort_unstable();
        }
        if let Some(number) = self.numbers.get(&columns) {
            return *number;
        }
        let neighbours: Vec<(u32, u32)> = columns.windows(2).map(|two| (two[0], two[1])).collect();
        let all: Vec<u32> = if self.ordered {
            neighbours.iter().map(|(a, b)| self.compare(Comparison::Before(*a, *b))).collect()
        } else {
            let again = |column: &u32| columns.iter().filter(|other| *other == column).count() as u32 - 1;
            columns.iter().map(|column| self.compare(Comparison::More(again(column), *column))).collect()
        };
        let (mut firsts, mut lasts) = (Vec::new(), Vec::new());
        if self.ordered && columns.len() > 2 {
            firsts.extend(neighbours.iter().map(|(a, b)| self.compare(Comparison::Firsts(*a, *b))));
            lasts.extend(neighbours.iter().map(|(a, b)| self.compare(Comparison::Lasts(*a, *b))));
        }
        let known = |comparison: &&u32| {
            wider.is_some_and(|wider| self.asked[wider as usize].all.contains(comparison))
        };
        let further = all.iter().filter(|comparison| !known(comparison)).copied().collect();
        let number = self.asked.len() as u32;
        self.numbers.insert(columns.clone(), number);
        self.asked.push(Asked { columns, wider, all, further, firsts, lasts });
        number
    }

    fn compare(&mut self, comparison: Comparison) -> u32 {
        *self.compared.entry(comparison).or_insert_with(|| {
            self.comparisons.push(comparison);
            self.comparisons.len() as u32 - 1
        })
    }

    /// Everything was asked: puts questions after those that they narrow.
    pub fn finish(mut self) -> Self {
        let mut narrower: Vec<Vec<u32>> = vec![Vec::new(); self.asked.len()];
        let mut next: Vec<(u32, usize)> = Vec::new();
        for (number, asked) in (0..).zip(&self.asked) {
            match asked.wider {
                Some(wider) => narrower[wider as usize].push(number),
                None => next.push((number, 0)),
            }
        }
        while let Some((number, depth)) = next.pop() {
            self.order.push((number, depth));
            next.extend(narrower[number as usize].iter().map(|narrower| (*narrower, depth + 1)));
        }
        self
    }

    /// How many questions there are.
    pub fn questions(&self) -> usize {
        self.asked.len()
    }

    /// One of them.
    pub fn asked(&self, number: u32) -> &Asked {
        &self.asked[number as usize]
    }
}
