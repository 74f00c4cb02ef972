//! What two clusters have in common.

use super::lists::terms_before;
use super::top::Top;

/// Terms in the term chunks of two clusters, with at least `k` holders in all: terms and the holders of each, ascending.
pub(super) struct Common {
    pub terms: Vec<u32>,
    /// Where the holders of each term end.
    pub ends: Vec<u32>,
    pub holders: Vec<u32>,
}

impl Common {
    /// The list with fewer terms is walked, and the longer one searched.
    pub fn of(a: &Top, b: &Top, k: usize) -> Self {
        let (short, long) = if a.terms.len() <= b.terms.len() { (a, b) } else { (b, a) };
        let mut common = Common { terms: Vec::new(), ends: Vec::new(), holders: Vec::new() };
        let mut from = 0;
        for (at, term) in short.terms.iter().enumerate() {
            from += terms_before(&long.terms[from..], *term);
            if long.terms.get(from) != Some(term) {
                continue;
            }
            let (one, other) = (short.pairs(at), long.pairs(from));
            if one.len() + other.len() >= k {
                common.terms.push(*term);
                common.add_people(other, one);
                common.ends.push(common.holders.len() as u32);
            }
        }
        common
    }

    /// Adds the people of two lists of pairs, ascending.
    pub fn add_people(&mut self, a: &[(u32, u32)], b: &[(u32, u32)]) {
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let first = a[i].1 <= b[j].1;
            self.holders.push(if first { a[i].1 } else { b[j].1 });
            i += usize::from(first);
            j += usize::from(!first);
        }
        self.holders.extend(a[i..].iter().chain(&b[j..]).map(|(_, person)| *person));
    }

    pub fn span(&self, at: usize) -> std::ops::Range<usize> {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        begin as usize..self.ends[at] as usize
    }

    pub fn holders(&self, at: usize) -> &[u32] {
        &self.holders[self.span(at)]
    }

    /// The places of all holders among some people, who need not be all of them.
    pub fn rows(&self, people: &[u32]) -> Vec<u32> {
        let row = |person: &u32| people.partition_point(|other| other < person) as u32;
        self.holders.iter().map(row).collect()
    }
}
