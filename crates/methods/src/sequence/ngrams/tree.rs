//! The exploration tree: noisy counts of how grams go on, as deep as the counts carry.
//!
//! A node is a gram; its bins say how often each symbol follows it. A node pays for its bins with a share of what its
//! path has left: few counts left, a large share.

use throng_contract::{Progress, choices};
use throng_models::{Budget, BudgetLedger, Entry, LedgerError};

use super::noise::Noise;
use super::sequences::Sequences;
use crate::MethodError;

/// No node.
const NONE: u32 = u32::MAX;
/// The empty gram.
pub(super) const ROOT: usize = 0;
/// More bins than a machine should be asked to hold.
const MAX_BINS: usize = 1 << 25;

/// Noisy counts of grams.
#[derive(Debug)]
pub struct Tree {
    /// Bins of a node: the alphabet, the end, and the start where sequences have one.
    width: usize,
    nodes: Vec<Node>,
    /// `noisy[node * width + symbol]`: how often the symbol follows the gram, with noise.
    noisy: Vec<i64>,
    /// Whether the noisy count is used; the others are filled in from shorter grams.
    released: Vec<bool>,
    child: Vec<u32>,
}

/// One gram.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Length of the gram.
    pub depth: u32,
    /// The gram without its last symbol, and that symbol.
    pub parent: Option<(u32, u32)>,
    /// The longest suffix of the gram that has counts; the paper's Markov parent.
    pub markov: u32,
    /// On how many levels, this one included, what is left of the budget is expected to be spent.
    pub height: u32,
    /// What its counts cost.
    pub budget: Budget,
    /// Where that stands in the ledger.
    pub entry: Entry,
}

choices! {
    /// Which single items are looked into.
    pub enum Expand {
        /// Those whose noisy count is above the threshold, as for longer grams.
        Frequent = "frequent",
        /// All with a positive noisy count.
        All = "all",
    }
}

/// How far the tree grows.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// Symbols of the longest gram.
    pub n_max: u32,
    /// Which single items are looked into.
    pub expand: Expand,
}

/// How many sequences begin, with noise, where that was paid for before the tree.
#[derive(Debug, Clone, Copy)]
pub struct Starts {
    /// The noisy number.
    pub noisy: i64,
    /// The last entry of the ledger before the tree; all its paths go on from there.
    pub entry: Entry,
}

impl Tree {
    /// Counts grams as far as `growth` allows; every count is paid for from the ledger. Sequences with a start need
    /// `starts`.
    pub fn explore(
        sequences: &Sequences,
        growth: Growth,
        starts: Option<Starts>,
        ledger: &mut BudgetLedger,
        noise: &mut dyn Noise,
        progress: &Progress,
    ) -> Result<Tree, MethodError> {
        let Growth { n_max, .. } = growth;
        let width = sequences.width();
        let mut tree =
            Tree { width, nodes: Vec::new(), noisy: Vec::new(), released: Vec::new(), child: Vec::new() };
        let before = starts.map(|starts| starts.entry);
        let share = ledger.left(before).share(u64::from(n_max));
        let entry = ledger.spend(before, share).map_err(refused)?;
        let root = Node { depth: 0, parent: None, markov: 0, height: n_max, budget: share, entry };
        tree.nodes.push(root);
        let phase = progress.phase("counting grams", Some(u64::from(n_max)));
        // The gram that starts at each position, as far as it was followed.
        let mut at: Vec<u32> = sequences
            .symbols()
            .iter()
            .map(|symbol| if *symbol == sequences.end() { NONE } else { ROOT as u32 })
            .collect();
        let mut level = 0..1_usize;
        while !level.is_empty() {
            if level.end.saturating_mul(width) > MAX_BINS {
                return Err(too_large());
            }
            let depth = tree.nodes[level.start].depth as usize;
            let mut exact = vec![0_i64; level.len() * width];
            for (position, node) in at.iter().enumerate().filter(|(_, node)| **node != NONE) {
                // A gram that has not met the end has a symbol after it.
                let symbol = sequences.symbols()[position + depth] as usize;
                exact[(*node as usize - level.start) * width + symbol] += 1;
            }
            for (node, counts) in level.clone().zip(exact.chunks_exact(width)) {
                tree.release(node, counts, sequences, starts, noise);
                progress.check()?;
            }
            let next = tree.nodes.len();
            for node in level {
                tree.go_on(node, growth, sequences, ledger)?;
            }
            for (position, node) in at.iter_mut().enumerate().filter(|(_, node)| **node != NONE) {
                let symbol = sequences.symbols()[position + depth] as usize;
                *node = tree.child[*node as usize * width + symbol];
            }
            level = next..tree.nodes.len();
            phase.advance(1)?;
        }
        Ok(tree)
    }

    /// Adds noise to the counts of a node and decides which of them are used.
    fn release(
        &mut self,
        node: usize,
        counts: &[i64],
        sequences: &Sequences,
        starts: Option<Starts>,
        noise: &mut dyn Noise,
    ) {
        let Node { budget, height, parent, .. } = self.nodes[node];
        let threshold = threshold(sequences, budget);
        let opening = parent.is_none() || parent.map(|(_, symbol)| symbol) == sequences.start();
        for (symbol, count) in (0..).zip(counts) {
            // What never happens, whatever the data, needs no noise: no sequence is empty, so that the end follows neither
            // nothing nor the start; and the start follows nothing but the beginning, where its count was paid for.
            if (opening && symbol == sequences.end()) || Some(symbol) == sequences.start() {
                let known = starts.filter(|_| node == ROOT && Some(symbol) == sequences.start());
                self.noisy.push(known.map_or(0, |starts| starts.noisy));
                self.released.push(false);
                continue;
            }
            let noisy = count.saturating_add(noise.draw(u64::from(sequences.places()), budget));
            self.noisy.push(noisy);
            self.released.push(node == ROOT || height <= 1 || noisy as f64 > threshold);
        }
        self.child.resize(self.noisy.len(), NONE);
    }

    /// Makes a child for each released bin that has something to divide.
    fn go_on(
        &mut self,
        node: usize,
        growth: Growth,
        sequences: &Sequences,
        ledger: &mut BudgetLedger,
    ) -> Result<(), MethodError> {
        let Node { depth, height, markov, budget, entry, .. } = self.nodes[node];
        if height <= 1 {
            return Ok(());
        }
        let threshold = threshold(sequences, budget);
        let likeliest = self.likeliest(markov as usize);
        let start = sequences.start().filter(|_| node == ROOT);
        for symbol in (0..sequences.alphabet()).chain(start) {
            let bin = node * self.width + symbol as usize;
            // How sequences begin is always looked into: that they do is no news.
            let frequent = growth.expand == Expand::All || self.noisy[bin] as f64 > threshold;
            let wanted = Some(symbol) == start || (self.released[bin] && frequent);
            if !wanted || self.noisy[bin] <= 0 {
                continue;
            }
            let most = growth.n_max - depth - 1;
            let height = expected_height(self.noisy[bin] as f64, threshold, likeliest, most);
            let share = ledger.left(Some(entry)).share(u64::from(height));
            let child = Node {
                depth: depth + 1,
                parent: Some((node as u32, symbol)),
                markov: self.markov_parent(node, symbol),
                height,
                budget: share,
                entry: ledger.spend(Some(entry), share).map_err(refused)?,
            };
            if self.nodes.len().saturating_mul(self.width) >= MAX_BINS {
                return Err(too_large());
            }
            self.child[bin] = self.nodes.len() as u32;
            self.nodes.push(child);
        }
        Ok(())
    }

    /// The chance of the likeliest symbol after a gram; 1 when nothing is known.
    fn likeliest(&self, node: usize) -> f64 {
        let (mut sum, mut largest) = (0_i64, 0);
        for bin in (node * self.width..(node + 1) * self.width).filter(|bin| self.released[*bin]) {
            let count = self.noisy[bin].max(0);
            sum = sum.saturating_add(count);
            largest = largest.max(count);
        }
        if sum == 0 { 1.0 } else { largest as f64 / sum as f64 }
    }

    /// The longest suffix of `node` and `symbol` that has counts; the root at worst.
    fn markov_parent(&self, node: usize, symbol: u32) -> u32 {
        let mut suffix = node;
        while suffix != ROOT {
            suffix = self.nodes[suffix].markov as usize;
            if let Some(longer) = self.child(suffix, symbol)
                && self.has_counts(longer)
            {
                return longer as u32;
            }
        }
        ROOT as u32
    }

    /// Whether any noisy count of the node is used.
    pub fn has_counts(&self, node: usize) -> bool {
        self.released_bins(node).contains(&true)
    }

    /// All nodes, shorter grams first; the first is the empty gram.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many bins a node has: the alphabet, the end, and the start where sequences have one.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The noisy counts of a node.
    pub fn noisy_bins(&self, node: usize) -> &[i64] {
        &self.noisy[node * self.width..(node + 1) * self.width]
    }

    /// Which noisy counts of a node are used.
    pub fn released_bins(&self, node: usize) -> &[bool] {
        &self.released[node * self.width..(node + 1) * self.width]
    }

    /// The node of a gram that is one symbol longer.
    pub fn child(&self, node: usize, symbol: u32) -> Option<usize> {
        let child = self.child[node * self.width + symbol as usize];
        (child != NONE).then_some(child as usize)
    }

    /// The symbols of a node's gram.
    pub fn gram(&self, node: usize) -> Vec<u32> {
        let mut symbols = Vec::new();
        let mut next = self.nodes[node].parent;
        while let Some((parent, symbol)) = next {
            symbols.push(symbol);
            next = self.nodes[parent as usize].parent;
        }
        symbols.reverse();
        symbols
    }
}

/// Above this, a count is more than noise: about one empty bin of a node gets there.
pub fn threshold(sequences: &Sequences, budget: Budget) -> f64 {
    let bins = f64::from(sequences.alphabet()) + 1.0;
    f64::from(sequences.places()) * (bins / 2.0).ln() / budget.epsilon()
}

/// How many levels a count lasts until it is down at the threshold, if the likeliest symbol always follows.
fn expected_height(count: f64, threshold: f64, likeliest: f64, most: u32) -> u32 {
    if likeliest >= 1.0 {
        return most;
    }
    let levels = ((threshold / count).ln() / likeliest.ln()).ceil();
    // A count below the threshold gives a negative number, which the conversion takes for 0.
    (levels as u32).clamp(1, most.max(1))
}

pub(super) fn refused(error: LedgerError) -> MethodError {
    MethodError::Infeasible {
        why: error.to_string(),
        help: "give a larger `epsilon`, or a smaller `n-max`".into(),
    }
}

fn too_large() -> MethodError {
    MethodError::Infeasible {
        why: format!("the grams and what may follow them would need more than {MAX_BINS} counts"),
        help: "use a smaller `n-max`, or a coarser alphabet".into(),
    }
}
