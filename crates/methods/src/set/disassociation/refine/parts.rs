//! The parts of a shared chunk.

/// The parts of a chunk, one after another, terms ascending.
#[derive(Default)]
pub struct Parts {
    ends: Vec<u32>,
    terms: Vec<u32>,
}

impl Parts {
    /// What rows have of some terms, each non-empty part, by pairs of a row and a term.
    pub fn of(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut ends = Vec::new();
        let mut end = 0;
        for part in pairs.chunk_by(|a, b| a.0 == b.0) {
            end += part.len() as u32;
            ends.push(end);
        }
        Parts { ends, terms: pairs.into_iter().map(|(_, term)| term).collect() }
    }

    /// Adds a term to the part that is being made.
    pub fn add(&mut self, term: u32) {
        self.terms.push(term);
    }

    /// Ends the part that is being made, if it has a term.
    pub fn end(&mut self) {
        let end = self.terms.len() as u32;
        if self.ends.last().copied().unwrap_or(0) < end {
            self.ends.push(end);
        }
    }

    /// All parts.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.terms[begin as usize..*end as usize])
    }
}
