//! Counts that fit together: what follows a gram happens as often as the gram itself.
//!
//! Works on noisy counts alone, so it costs no budget.

use super::tree::{ROOT, Tree};

/// For each bin of the tree a count of at least 0, so that the bins of a node add up to the bin it came from.
/// All zero for a gram whose counts were not more than noise.
pub fn consistent(tree: &Tree) -> Vec<f64> {
    let width = tree.width();
    let mut counts = vec![0.0; tree.nodes().len() * width];
    for (node, about) in tree.nodes().iter().enumerate() {
        let own = node * width;
        let released = tree.released_bins(node);
        let mut bins: Vec<f64> = tree
            .noisy_bins(node)
            .iter()
            .zip(released)
            .map(|(noisy, released)| if *released { (*noisy).max(0) as f64 } else { 0.0 })
            .collect();
        let Some((parent, symbol)) = about.parent else {
            counts[own..own + width].copy_from_slice(&bins);
            continue;
        };
        if !tree.has_counts(node) {
            continue;
        }
        let total = counts[parent as usize * width + symbol as usize];
        let known: f64 = bins.iter().sum();
        if about.markov as usize == ROOT {
            let unknown = released.iter().filter(|released| !**released).count();
            let each = if unknown > 0 { (total - known).max(0.0) / unknown as f64 } else { 0.0 };
            fill(&mut bins, released, |_| each);
        } else {
            // Shorter grams come first: their counts are consistent already.
            let shorter = &counts[about.markov as usize * width..][..width];
            let share: f64 =
                shorter.iter().zip(released).filter(|(_, released)| **released).map(|(count, _)| count).sum();
            let factor = if share > 0.0 { known / share } else { 0.0 };
            fill(&mut bins, released, |symbol| factor * shorter[symbol]);
        }
        let sum: f64 = bins.iter().sum();
        let scale = if sum > 0.0 { total / sum } else { 0.0 };
        for (bin, value) in counts[own..own + width].iter_mut().zip(bins) {
            *bin = value * scale;
        }
    }
    counts
}

fn fill(bins: &mut [f64], released: &[bool], value: impl Fn(usize) -> f64) {
    for (symbol, bin) in bins.iter_mut().enumerate().filter(|(symbol, _)| !released[*symbol]) {
        *bin = value(symbol);
    }
}
