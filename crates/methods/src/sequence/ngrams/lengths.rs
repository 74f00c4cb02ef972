//! How many sequences there are and how long they are, with noise.
//!
//! One sequence is one of the number of people and one of one length, so that little budget tells much: a tenth of it goes
//! to the number, a twentieth to the lengths.

use throng_models::{Budget, BudgetLedger};

use super::noise::Noise;
use super::sequences::Sequences;
use super::tree::{Starts, refused};
use crate::MethodError;

/// Noisy numbers of sequences, altogether and by length.
#[derive(Debug, Clone, PartialEq)]
pub struct Lengths {
    starts: i64,
    margin: i64,
    /// For each number of events from 0, about how many sequences have more; never growing.
    longer: Vec<f64>,
}

impl Lengths {
    /// Counts sequences, altogether and by length, and pays for it. The tree is paid for after that.
    pub fn count(
        sequences: &Sequences,
        ledger: &mut BudgetLedger,
        noise: &mut dyn Noise,
    ) -> Result<(Lengths, Starts), MethodError> {
        let all = ledger.left(None);
        let (for_number, for_lengths) = (all.share(10), all.share(20));
        let number = ledger.spend(None, for_number).map_err(refused)?;
        let starts = (sequences.count() as i64).saturating_add(noise.draw(1, for_number));
        let entry = ledger.spend(Some(number), for_lengths).map_err(refused)?;
        let noisy: Vec<f64> = (sequences.lengths().into_iter())
            .map(|count| count.saturating_add(noise.draw(1, for_lengths)) as f64)
            .collect();
        let lengths = Lengths { starts, margin: margin(for_number), longer: longer(&noisy) };
        Ok((lengths, Starts { noisy: starts, entry }))
    }

    /// A number of records that is, but for one release in a hundred, at most the number of sequences. To be sure of it
    /// every time would tell the number without noise.
    pub fn records(&self) -> u64 {
        self.starts.saturating_sub(self.margin).max(0) as u64
    }

    /// Events of a sequence, on average; none where noise has left no sequence.
    pub fn mean(&self) -> Option<f64> {
        let all = self.longer.first().copied().filter(|all| *all > 0.0)?;
        Some(self.longer.iter().sum::<f64>() / all)
    }

    /// The share of sequences of `events` events among those that have at least so many.
    pub fn ends_after(&self, events: usize) -> f64 {
        let more = |events: usize| self.longer.get(events).copied().unwrap_or(0.0);
        let reached = more(events.saturating_sub(1));
        if reached <= 0.0 { 1.0 } else { 1.0 - more(events) / reached }
    }
}

/// What noise of sensitivity 1 exceeds less than once in a hundred times.
fn margin(budget: Budget) -> i64 {
    (100_f64.ln() / budget.epsilon()).ceil() as i64
}

/// From the noisy number of each length, for each number of events from 0 how many sequences have more: the closest numbers to
/// the sums that never grow and are at least 0.
fn longer(noisy: &[f64]) -> Vec<f64> {
    let mut sums: Vec<f64> = noisy.to_vec();
    for length in (1..sums.len()).rev() {
        sums[length - 1] += sums[length];
    }
    // Neighbours that grow are put together and share their average, until none does.
    let mut levels: Vec<(f64, usize)> = Vec::new();
    for sum in sums {
        levels.push((sum, 1));
        while let [.., (before, many), (after, more)] = levels[..] {
            if before / many as f64 >= after / more as f64 {
                break;
            }
            levels.pop();
            levels.pop();
            levels.push((before + after, many + more));
        }
    }
    let flat = |(sum, many): (f64, usize)| std::iter::repeat_n((sum / many as f64).max(0.0), many);
    levels.into_iter().flat_map(flat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_grow_are_levelled() {
        assert_eq!(longer(&[5.0, 3.0, 2.0]), [10.0, 5.0, 2.0]);
        // 9, 10, 6, 6: the first two share 9.5.
        assert_eq!(longer(&[-1.0, 4.0, 0.0, 6.0]), [9.5, 9.5, 6.0, 6.0]);
        assert_eq!(longer(&[4.0, -3.0]), [1.0, 0.0]);
        assert_eq!(longer(&[]), Vec::<f64>::new());
    }

    #[test]
    fn lengths_end_as_often_as_they_should() {
        let lengths = Lengths { starts: 10, margin: 4, longer: longer(&[5.0, 3.0, 2.0]) };
        assert_eq!((lengths.records(), lengths.mean()), (6, Some(1.7)));
        assert_eq!([1, 2, 3, 4].map(|events| lengths.ends_after(events)), [0.5, 0.6, 1.0, 1.0]);
        assert_eq!(Lengths { starts: 3, margin: 4, longer: Vec::new() }.records(), 0);
    }
}
