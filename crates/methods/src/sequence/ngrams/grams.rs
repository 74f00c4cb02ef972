//! Grams with whole counts, and longer ones joined from them.
//!
//! A trie in level order: the children of a gram lie next to each other, by symbol, and every gram knows the gram that
//! is left when its first symbol is taken away.

use throng_contract::{Cancelled, Progress};

use std::ops::Range;

use super::tree::{ROOT, Tree};

const NONE: u32 = u32::MAX;
/// Joining stops before there are more grams than this.
const MAX_GRAMS: usize = 1 << 24;

/// Grams and how often they occur. Gram 0 is the empty one.
#[derive(Debug)]
pub struct Grams {
    symbol: Vec<u32>,
    parent: Vec<u32>,
    /// The gram without its first symbol, if it is known.
    suffix: Vec<u32>,
    children: Vec<Range<u32>>,
    count: Vec<u64>,
    /// The grams of each length, from 0.
    lengths: Vec<Range<usize>>,
    complete: bool,
}

impl Grams {
    /// The grams of a tree that occur at least once, without those that end a sequence.
    pub fn of(tree: &Tree, consistent: &[f64]) -> Self {
        let mut grams = Grams {
            symbol: vec![0],
            parent: vec![NONE],
            suffix: vec![NONE],
            children: Vec::new(),
            count: vec![0],
            lengths: std::iter::once(0..1).collect(),
            complete: true,
        };
        let mut nodes = vec![Some(ROOT)];
        let mut level = 0..1;
        while !level.is_empty() {
            let next = grams.symbol.len();
            for gram in level {
                let first = grams.symbol.len() as u32;
                if let Some(node) = nodes[gram] {
                    let bins = &consistent[node * tree.width()..][..tree.width() - 1];
                    for (symbol, count) in bins.iter().enumerate() {
                        // A whole number may come out of the rescaling a hair too small.
                        let count = (count + 1e-6) as u64;
                        if count > 0 {
                            grams.push(gram, symbol as u32, count);
                            nodes.push(tree.child(node, symbol as u32));
                        }
                    }
                }
                grams.children.push(first..grams.symbol.len() as u32);
            }
            level = next..grams.symbol.len();
            if !level.is_empty() {
                grams.lengths.push(level.clone());
            }
        }
        grams
    }

    fn push(&mut self, parent: usize, symbol: u32, count: u64) {
        let suffix = match self.suffix[parent] {
            _ if parent == 0 => 0,
            NONE => NONE,
            shorter => self.child(shorter as usize, symbol).map_or(NONE, |gram| gram as u32),
        };
        self.symbol.push(symbol);
        self.parent.push(parent as u32);
        self.suffix.push(suffix);
        self.count.push(count);
    }

    /// Joins the longest grams, `abc` and `bcd` to `abcd`, as often as `bc` goes on with `d`, until they have
    /// `l_max` symbols or none is left that would occur once.
    pub fn extend(&mut self, l_max: u32, progress: &Progress) -> Result<(), Cancelled> {
        let phase = progress.phase("joining grams", Some(u64::from(l_max)));
        // Grams of one symbol have nothing in common to be joined at.
        while self.longest() >= 2 && self.longest() < l_max as usize {
            let level = self.lengths[self.longest()].clone();
            let next = self.symbol.len();
            for gram in level.clone() {
                let first = self.symbol.len() as u32;
                let suffix = self.suffix[gram];
                let onward = if suffix == NONE { 0..0 } else { self.children[suffix as usize].clone() };
                for longer in onward.map(|gram| gram as usize) {
                    let joined = u128::from(self.count[gram]) * u128::from(self.count[longer])
                        / u128::from(self.count[suffix as usize].max(1));
                    if joined > 0 {
                        self.symbol.push(self.symbol[longer]);
                        self.parent.push(gram as u32);
                        self.suffix.push(longer as u32);
                        // What follows a gram is never more frequent than the gram.
                        self.count.push((joined as u64).min(self.count[gram]));
                    }
                }
                self.children[gram] = first..self.symbol.len() as u32;
                if self.symbol.len() > MAX_GRAMS {
                    self.give_up(level, next);
                    return Ok(());
                }
            }
            if self.symbol.len() == next {
                break;
            }
            self.children.resize(self.symbol.len(), 0..0);
            self.lengths.push(next..self.symbol.len());
            phase.advance(1)?;
        }
        Ok(())
    }

    /// Forgets a length that was begun and would be too large.
    fn give_up(&mut self, level: Range<usize>, next: usize) {
        self.symbol.truncate(next);
        self.parent.truncate(next);
        self.suffix.truncate(next);
        self.count.truncate(next);
        self.children[level].fill(0..0);
        self.complete = false;
    }

    /// Length of the longest gram.
    pub fn longest(&self) -> usize {
        self.lengths.len() - 1
    }

    /// Whether joining came to its end, rather than to the limit on the number of grams.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The grams of a length.
    pub fn of_length(&self, length: usize) -> Range<usize> {
        self.lengths.get(length).cloned().unwrap_or_default()
    }

    /// How often a gram occurs.
    pub fn count(&self, gram: usize) -> u64 {
        self.count[gram]
    }

    /// How often grams occur, to be used up.
    pub(super) fn counts(&self) -> Vec<u64> {
        self.count.clone()
    }

    /// A gram that goes on with a symbol.
    pub fn child(&self, gram: usize, symbol: u32) -> Option<usize> {
        let Range { start, end } = self.children[gram].clone();
        let found = self.symbol[start as usize..end as usize].binary_search(&symbol).ok()?;
        Some(start as usize + found)
    }

    /// The gram with these symbols.
    pub fn find(&self, symbols: &[u32]) -> Option<usize> {
        symbols.iter().try_fold(0, |gram, symbol| self.child(gram, *symbol))
    }

    /// Writes the symbols of a gram into `symbols`.
    pub fn symbols(&self, mut gram: usize, symbols: &mut Vec<u32>) {
        symbols.clear();
        while gram != 0 {
            symbols.push(self.symbol[gram]);
            gram = self.parent[gram] as usize;
        }
        symbols.reverse();
    }
}
