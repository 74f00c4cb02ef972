//! The greedy step that VERPART and REFINE share: which terms may stand together in a chunk.
//!
//! Terms are tried by descending support. One is taken into the current chunk if the chunk stays k^m-anonymous: whatever up to
//! `m` of its terms occur together do so in `k` rows. A chunk with terms that are also elsewhere (Property 1) must stay k-anonymous:
//! every different row of it is there `k` times.

/// The rows of a chunk in the making.
pub(super) struct Partition<'a> {
    /// The rows that have each term, ascending; by descending support.
    pub holders: &'a [&'a [u32]],
    /// How many rows there are.
    pub rows: usize,
    pub k: usize,
    pub m: usize,
    /// Where else each term is, as a number; 0 for nowhere.
    pub elsewhere: &'a [u32],
    /// Whether terms that are elsewhere may stand beside others, as the paper has it. If not, the terms of a chunk are all elsewhere in
    /// the same places.
    pub mixed: bool,
}

impl Partition<'_> {
    /// The terms of each chunk, as positions in `holders`. Every term has at least `k` holders, so that each finds a chunk.
    pub fn chunks(&self) -> Vec<Vec<usize>> {
        let mut remaining: Vec<usize> = (0..self.holders.len()).collect();
        let mut chunks = Vec::new();
        let mut state = State::new(self);
        while !remaining.is_empty() {
            remaining.retain(|term| !state.take(*term));
            chunks.push(state.end());
        }
        chunks
    }
}

/// The current chunk.
struct State<'a> {
    of: &'a Partition<'a>,
    chunk: Vec<usize>,
    /// The terms of the chunk that each row has.
    row_terms: Vec<Vec<u32>>,
    /// The rows that are alike so far have one number; 0 has nothing of the chunk.
    class: Vec<u32>,
    class_size: Vec<u32>,
    /// Whether every class but 0 has `k` rows.
    alike: bool,
    /// How many rows of those looked at have each term.
    tally: Vec<u32>,
}

impl<'a> State<'a> {
    fn new(of: &'a Partition<'a>) -> Self {
        State {
            of,
            chunk: Vec::new(),
            row_terms: vec![Vec::new(); of.rows],
            class: vec![0; of.rows],
            class_size: vec![of.rows as u32],
            alike: true,
            tally: vec![0; of.holders.len()],
        }
    }

    /// Ends the chunk; only rows that have something of it are put back.
    fn end(&mut self) -> Vec<usize> {
        let chunk = std::mem::take(&mut self.chunk);
        for row in chunk.iter().flat_map(|term| self.of.holders[*term]) {
            self.row_terms[*row as usize].clear();
            self.class[*row as usize] = 0;
        }
        self.class_size.clear();
        self.class_size.push(self.of.rows as u32);
        self.alike = true;
        chunk
    }

    /// Takes the term into the chunk if it may stand there.
    fn take(&mut self, term: usize) -> bool {
        let elsewhere = self.of.elsewhere[term];
        if !self.of.mixed && self.chunk.first().is_some_and(|first| self.of.elsewhere[*first] != elsewhere) {
            return false;
        }
        let strict = elsewhere != 0 || self.chunk.iter().any(|other| self.of.elsewhere[*other] != 0);
        let touched = self.classes_of(term);
        let k = self.of.k as u32;
        let alike = self.alike
            && touched.iter().all(|(class, count)| {
                let rest = self.class_size[*class as usize] - count;
                *count >= k && (*class == 0 || rest == 0 || rest >= k)
            });
        if strict && !alike {
            return false;
        }
        // Where rows are alike k at a time, whatever occurs does so in k rows.
        if !alike && !self.keeps_km(self.of.holders[term], self.of.m - 1, 0) {
            return false;
        }
        self.split(term, &touched);
        self.alike = alike;
        self.chunk.push(term);
        true
    }

    /// How many holders of the term are in each class.
    fn classes_of(&self, term: usize) -> Vec<(u32, u32)> {
        let mut classes: Vec<u32> =
            self.of.holders[term].iter().map(|row| self.class[*row as usize]).collect();
        classes.sort_unstable();
        classes.chunk_by(|a, b| a == b).map(|of_class| (of_class[0], of_class.len() as u32)).collect()
    }

    fn split(&mut self, term: usize, touched: &[(u32, u32)]) {
        let first = self.class_size.len() as u32;
        for (class, count) in touched {
            self.class_size[*class as usize] -= count;
            self.class_size.push(*count);
        }
        for row in self.of.holders[term] {
            let class = &mut self.class[*row as usize];
            let at = touched.partition_point(|(other, _)| *other < *class);
            *class = first + at as u32;
            self.row_terms[*row as usize].push(term as u32);
        }
    }

    /// Whether up to `more` terms of the chunk, from a place of it on, occur in none of the rows or in `k` of them.
    fn keeps_km(&mut self, rows: &[u32], more: usize, from: u32) -> bool {
        if more == 0 || self.chunk.is_empty() {
            return true;
        }
        let mut seen: Vec<u32> = Vec::new();
        for row in rows {
            for term in self.row_terms[*row as usize].iter().filter(|term| **term >= from) {
                if self.tally[*term as usize] == 0 {
                    seen.push(*term);
                }
                self.tally[*term as usize] += 1;
            }
        }
        let counts: Vec<(u32, u32)> =
            seen.iter().map(|term| (*term, std::mem::take(&mut self.tally[*term as usize]))).collect();
        if counts.iter().any(|(_, count)| (*count as usize) < self.of.k) {
            return false;
        }
        if more == 1 {
            return true;
        }
        // A term that all the rows have changes nothing for those beside it.
        counts.into_iter().filter(|(_, count)| (*count as usize) < rows.len()).all(|(term, _)| {
            let with: Vec<u32> =
                rows.iter().copied().filter(|row| self.row_terms[*row as usize].contains(&term)).collect();
            self.keeps_km(&with, more - 1, term + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(
        holders: &[&[u32]],
        rows: usize,
        k: usize,
        m: usize,
        elsewhere: &[u32],
        mixed: bool,
    ) -> Vec<Vec<usize>> {
        Partition { holders, rows, k, m, elsewhere, mixed }.chunks()
    }

    #[test]
    fn terms_that_occur_together_too_rarely_are_set_apart() {
        // a, a, bc, bc, abc
        let holders: [&[u32]; 3] = [&[0, 1, 4], &[2, 3, 4], &[2, 3, 4]];
        assert_eq!(chunks(&holders, 5, 3, 2, &[0, 0, 0], true), [vec![0], vec![1, 2]]);
        assert_eq!(chunks(&holders, 5, 1, 2, &[0, 0, 0], true), [vec![0, 1, 2]]);
    }

    #[test]
    fn three_terms_are_counted_where_three_are_known() {
        // ab, ab, bc, bc, ac, ac, abc: every pair three times, all three once.
        let holders: [&[u32]; 3] = [&[0, 1, 4, 5, 6], &[0, 1, 2, 3, 6], &[2, 3, 4, 5, 6]];
        assert_eq!(chunks(&holders, 7, 3, 2, &[0; 3], true), [vec![0, 1, 2]]);
        assert_eq!(chunks(&holders, 7, 3, 3, &[0; 3], true), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn rows_with_terms_from_elsewhere_are_alike_k_at_a_time() {
        // o, ao, ao, ao
        let holders: [&[u32]; 2] = [&[0, 1, 2, 3], &[1, 2, 3]];
        assert_eq!(chunks(&holders, 4, 3, 2, &[0, 0], true), [vec![0, 1]]);
        assert_eq!(chunks(&holders, 4, 3, 2, &[0, 1], true), [vec![0], vec![1]]);
        // o, o, o, ao, ao, ao
        let holders: [&[u32]; 2] = [&[0, 1, 2, 3, 4, 5], &[3, 4, 5]];
        assert_eq!(chunks(&holders, 6, 3, 2, &[0, 1], true), [vec![0, 1]]);
        assert_eq!(chunks(&holders, 6, 3, 2, &[0, 1], false), [vec![0], vec![1]]);
    }
}
