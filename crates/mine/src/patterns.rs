//! Patterns and their supports, in one block of memory.

use throng_data::ItemId;

/// One pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern<'a> {
    /// Items: of a sequence in order, where others may lie between them; of a set in order of first appearance.
    pub items: &'a [ItemId],
    /// How many people have it.
    pub support: u64,
}

/// What a search found: best supported first, then shorter, then by items in order of first appearance in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patterns {
    items: Vec<ItemId>,
    ends: Vec<u64>,
    supports: Vec<u64>,
    /// People in the data.
    pub subjects: u64,
    /// People a pattern needed.
    pub min_support: u64,
    /// False when the search was stopped before its end: patterns may be missing.
    pub complete: bool,
}

impl Patterns {
    /// No pattern yet.
    pub(crate) fn new(subjects: u64, min_support: u64) -> Self {
        Patterns {
            items: Vec::new(),
            ends: Vec::new(),
            supports: Vec::new(),
            subjects,
            min_support,
            complete: true,
        }
    }

    /// How many patterns there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The pattern at a position.
    ///
    /// # Panics
    /// When there are not so many patterns.
    pub fn get(&self, at: usize) -> Pattern<'_> {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        Pattern { items: &self.items[start..self.ends[at] as usize], support: self.supports[at] }
    }

    /// All patterns, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Pattern<'_>> {
        (0..self.len()).map(|at| self.get(at))
    }

    pub(crate) fn push(&mut self, items: &[ItemId], support: u64) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u64);
        self.supports.push(support);
    }

    pub(crate) fn append(&mut self, other: &Patterns) {
        let shift = self.items.len() as u64;
        self.items.extend_from_slice(&other.items);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
        self.supports.extend_from_slice(&other.supports);
        self.complete &= other.complete;
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(usize, Pattern<'_>) -> bool) {
        let order: Vec<usize> = (0..self.len()).filter(|at| keep(*at, self.get(*at))).collect();
        self.pick(&order);
    }

    /// Sorts into the order the type promises.
    pub(crate) fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|a, b| {
            let (a, b) = (self.get(*a), self.get(*b));
            let by_support = b.support.cmp(&a.support);
            by_support.then(a.items.len().cmp(&b.items.len())).then_with(|| a.items.cmp(b.items))
        });
        self.pick(&order);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        if len < self.len() {
            self.ends.truncate(len);
            self.supports.truncate(len);
            self.items.truncate(self.ends.last().map_or(0, |end| *end as usize));
        }
    }

    fn pick(&mut self, order: &[usize]) {
        let mut picked = Patterns::new(self.subjects, self.min_support);
        for at in order {
            let pattern = self.get(*at);
            picked.push(pattern.items, pattern.support);
        }
        picked.complete = self.complete;
        *self = picked;
    }
}
