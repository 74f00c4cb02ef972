//! Sequences drawn event by event, from their first to their end.
//!
//! Specification 8, step 7: the next symbol is drawn from the longest run that was looked into, and the symbol that closes
//! a sequence is drawn like any other. Works on noisy counts alone, so it costs no budget.
//!
//! Of the counts of a run only those above the threshold are believed: an alphabet of thousands has so many empty bins that the
//! noise in them would outweigh what happened. What is left of the run's own count belongs to the other symbols, in
//! proportion to what a shorter run says of them. After the empty run all symbols that are left are equally likely, and the
//! lengths say whether a sequence ends.
//!
//! Cutting counts at the threshold and sums at 0 makes sequences end a little too early or too late at every step. The lengths
//! are known better than any run, so sequences are drawn on trial until they are as long as those on average.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use throng_contract::{Cancelled, Progress};

use super::lengths::Lengths;
use super::sequences::Sequences;
use super::synthesis::Synthetic;
use super::tree::{ROOT, Tree, threshold};

/// After so many draws of a symbol that a longer run has spoken of, it is taken all the same.
const TRIES: usize = 64;
/// Sequences drawn on trial, and how often.
const TRIALS: (usize, usize) = (2000, 12);

/// Draws sequences.
#[derive(Debug)]
pub struct Sampler<'a> {
    tree: &'a Tree,
    lengths: &'a Lengths,
    /// For each node, where its believed counts end in `symbols` and `sums`.
    until: Vec<usize>,
    /// The symbols with believed counts, by node, ascending.
    symbols: Vec<u32>,
    /// Sums of believed counts up to and with each symbol, for each node from 0.
    sums: Vec<f64>,
    /// What a node's counts add up to, the unbelieved ones included.
    totals: Vec<f64>,
    alphabet: u32,
    end: u32,
    start: Option<u32>,
    l_max: u32,
    /// The chance that a sequence ends in spite of the symbol drawn; below 0, that it goes on in spite of the end drawn.
    tilt: f64,
}

impl<'a> Sampler<'a> {
    /// Draws from what a tree of these sequences counted.
    pub fn new(tree: &'a Tree, sequences: &Sequences, lengths: &'a Lengths) -> Self {
        let mut sampler = Sampler {
            tree,
            lengths,
            until: Vec::new(),
            symbols: Vec::new(),
            sums: Vec::new(),
            totals: Vec::new(),
            alphabet: sequences.alphabet(),
            end: sequences.end(),
            start: sequences.start(),
            l_max: sequences.l_max(),
            tilt: 0.0,
        };
        for (node, about) in tree.nodes().iter().enumerate() {
            let bins = tree.noisy_bins(node);
            let above = threshold(sequences, about.budget).max(0.0);
            let mut sum = 0.0;
            for (symbol, noisy) in (0..=sequences.end()).zip(bins) {
                if *noisy as f64 > above {
                    sum += *noisy as f64;
                    sampler.symbols.push(symbol);
                    sampler.sums.push(sum);
                }
            }
            sampler.until.push(sampler.symbols.len());
            let all = match about.parent {
                Some((parent, symbol)) => tree.noisy_bins(parent as usize)[symbol as usize] as f64,
                // Noise of either sign cancels out, as long as no count is cut off at 0.
                None => bins[..sequences.alphabet() as usize].iter().map(|noisy| *noisy as f64).sum(),
            };
            sampler.totals.push(all.max(sum));
        }
        sampler
    }

    /// The same with sequences that are as long on average as the lengths say.
    #[must_use]
    pub fn balanced(mut self, random: &ChaCha20Rng) -> Self {
        let Some(wanted) = self.lengths.mean() else { return self };
        let (trials, rounds) = TRIALS;
        let (mut low, mut high) = (-1.0, 1.0);
        for _ in 0..rounds {
            self.tilt = f64::midpoint(low, high);
            let mut random = random.clone();
            let events: usize = (0..trials).map(|_| self.sequence(&mut random).len()).sum();
            let ends = if events as f64 > wanted * trials as f64 { &mut low } else { &mut high };
            *ends = self.tilt;
        }
        self
    }

    /// Draws `records` sequences of at least one event and at most `l_max`; equal ones that come one after the other are
    /// put together.
    pub fn draw(
        &self,
        records: u64,
        random: &mut ChaCha20Rng,
        progress: &Progress,
    ) -> Result<Vec<Synthetic>, Cancelled> {
        let phase = progress.phase("drawing sequences", Some(records));
        let mut drawn: Vec<Synthetic> = Vec::new();
        for record in 0..records {
            let symbols = self.sequence(random);
            match drawn.last_mut().filter(|last| last.symbols == symbols) {
                Some(last) => last.copies += 1,
                None => drawn.push(Synthetic { symbols, copies: 1 }),
            }
            if record % 4096 == 4095 {
                phase.advance(4096)?;
            }
        }
        Ok(drawn)
    }

    fn sequence(&self, random: &mut ChaCha20Rng) -> Vec<u32> {
        let mut symbols = Vec::new();
        let mut run = self.start.and_then(|start| self.tree.child(ROOT, start)).unwrap_or(ROOT);
        while symbols.len() < self.l_max as usize {
            let mut symbol = self.next(run, symbols.len(), random);
            if !symbols.is_empty() && uniform(random) < self.tilt.abs() {
                if self.tilt > 0.0 {
                    break;
                }
                let mut tries = 0;
                while symbol == self.end && tries < TRIES {
                    symbol = self.next(run, symbols.len(), random);
                    tries += 1;
                }
            }
            if symbol == self.end {
                break;
            }
            symbols.push(symbol);
            run = self.follow(run, symbol);
        }
        symbols
    }

    /// The longest run that was looked into, when a symbol comes after another one.
    fn follow(&self, mut run: usize, symbol: u32) -> usize {
        loop {
            match self.tree.child(run, symbol) {
                Some(longer) => return longer,
                None if run == ROOT => return ROOT,
                None => run = self.tree.nodes()[run].markov as usize,
            }
        }
    }

    /// The symbol after a run, with `events` drawn before it.
    fn next(&self, run: usize, events: usize, random: &mut ChaCha20Rng) -> u32 {
        let mut node = run;
        let mut tries = 0;
        // Runs longer than `node` that had their say: what they know is not drawn from it again.
        let mut spoken: Vec<usize> = Vec::new();
        loop {
            let drawn = if node == ROOT {
                Some(self.anything(events, random))
            } else {
                self.believed(node, uniform(random) * self.totals[node])
            };
            match drawn {
                Some(symbol) if tries < TRIES && spoken.iter().any(|longer| self.knows(*longer, symbol)) => {
                    tries += 1;
                }
                Some(symbol) => return symbol,
                None => {
                    spoken.push(node);
                    node = self.tree.nodes()[node].markov as usize;
                }
            }
        }
    }

    /// The symbol at a height of the believed counts of a node, one above the other; none above them all.
    fn believed(&self, node: usize, height: f64) -> Option<u32> {
        let (from, until) = self.span(node);
        let place = self.sums[from..until].partition_point(|sum| *sum <= height);
        self.symbols[from..until].get(place).copied()
    }

    /// A symbol after nothing in particular.
    fn anything(&self, events: usize, random: &mut ChaCha20Rng) -> u32 {
        if events > 0 && uniform(random) < self.lengths.ends_after(events) {
            return self.end;
        }
        if let Some(symbol) = self.believed(ROOT, uniform(random) * self.totals[ROOT]) {
            return symbol;
        }
        let (from, until) = self.span(ROOT);
        let any = |random: &mut ChaCha20Rng| {
            ((uniform(random) * f64::from(self.alphabet)) as u32).min(self.alphabet - 1)
        };
        if until - from >= self.alphabet as usize {
            return any(random);
        }
        (0..TRIES)
            .map(|_| any(random))
            .find(|symbol| !self.knows(ROOT, *symbol))
            .unwrap_or_else(|| any(random))
    }

    fn knows(&self, node: usize, symbol: u32) -> bool {
        let (from, until) = self.span(node);
        self.symbols[from..until].binary_search(&symbol).is_ok()
    }

    fn span(&self, node: usize) -> (usize, usize) {
        (if node == 0 { 0 } else { self.until[node - 1] }, self.until[node])
    }
}

/// A number from 0 to 1, without 1.
fn uniform(random: &mut ChaCha20Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}
