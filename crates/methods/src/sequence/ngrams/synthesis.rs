//! Sequences whose grams occur as often as the counts say.

use throng_contract::{Cancelled, Progress};

use super::grams::Grams;

/// A made-up sequence, several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthetic {
    /// Its items, as numbers of the public alphabet.
    pub symbols: Vec<u32>,
    /// How many records have it.
    pub copies: u64,
}

/// Takes grams for whole sequences, from the longest to the shortest and the frequent before the rare, and uses up the
/// counts of all grams inside them. A gram whose parts would be used more often than they occur is passed over;
/// parts that were too rare to be counted set no limit.
pub fn synthesise(grams: &Grams, progress: &Progress) -> Result<Vec<Synthetic>, Cancelled> {
    let mut left = grams.counts();
    let mut sequences = Vec::new();
    let mut symbols = Vec::new();
    let mut inside = Vec::new();
    let phase = progress.phase("writing sequences", Some(left.len() as u64 - 1));
    for length in (1..=grams.longest()).rev() {
        let mut order: Vec<usize> = grams.of_length(length).filter(|gram| left[*gram] > 0).collect();
        order.sort_by_key(|gram| (std::cmp::Reverse(left[*gram]), *gram));
        for (done, gram) in order.into_iter().enumerate() {
            if done % 4096 == 4095 {
                phase.advance(4096)?;
            }
            let copies = left[gram];
            if copies == 0 {
                continue;
            }
            grams.symbols(gram, &mut symbols);
            parts(grams, &symbols, &mut inside);
            let fits = inside
                .chunk_by(|a, b| a == b)
                .all(|same| left[same[0]] >= copies.saturating_mul(same.len() as u64));
            if fits {
                inside.iter().for_each(|part| left[*part] -= copies);
                sequences.push(Synthetic { symbols: symbols.clone(), copies });
            }
        }
    }
    Ok(sequences)
}

/// The known grams inside a sequence, itself included, one entry for each place where they stand, sorted.
fn parts(grams: &Grams, symbols: &[u32], parts: &mut Vec<usize>) {
    parts.clear();
    for start in 0..symbols.len() {
        let mut gram = 0;
        for symbol in &symbols[start..] {
            let Some(longer) = grams.child(gram, *symbol) else { break };
            gram = longer;
            parts.push(gram);
        }
    }
    parts.sort_unstable();
}
