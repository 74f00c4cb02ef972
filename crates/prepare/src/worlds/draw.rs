//! Randomness that belongs to one person, and weighted choices from it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A stream of random numbers.
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    /// The stream of one person (or of a stage) under a seed.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Draw(generator)
    }

    /// A number in `0..bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// A number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / (f64::from(u32::MAX) + 1.0)
    }

    /// True so often.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A waiting time with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    /// A count with this mean: as many as arrive in it when one arrives each unit of time.
    pub(crate) fn poisson(&mut self, mean: f64) -> u32 {
        let mut count = 0;
        let mut time = self.exponential(1.0);
        while time < mean {
            count += 1;
            time += self.exponential(1.0);
        }
        count
    }

    /// About normal, with mean 0 and deviation 1: twelve even numbers added up.
    pub(crate) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// Numbers `0..n` drawn in proportion to weights, in constant time (Vose's alias method).
#[derive(Debug)]
pub(crate) struct Weighted {
    /// For each slot, how often (of 2^32) it stands for itself, and what it stands for otherwise.
    slots: Box<[(u32, u32)]>,
}

impl Weighted {
    /// A choice among the weights, of which at least one is positive and none negative.
    pub(crate) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut scaled: Vec<f64> = weights.into_iter().collect();
        let mean = scaled.iter().sum::<f64>() / scaled.len() as f64;
        scaled.iter_mut().for_each(|weight| *weight /= mean);
        let mut slots: Box<[(u32, u32)]> = (0..scaled.len() as u32).map(|slot| (u32::MAX, slot)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..scaled.len()).partition(|slot| scaled[*slot] < 1.0);
        while let (Some(&below), Some(&above)) = (small.last(), large.last()) {
            small.pop();
            slots[below] = ((scaled[below] * f64::from(u32::MAX)) as u32, above as u32);
            scaled[above] -= 1.0 - scaled[below];
            if scaled[above] < 1.0 {
                large.pop();
                small.push(above);
            }
        }
        Weighted { slots }
    }

    /// Lengths `n` of records, drawn as `n - 1`, as frequent as `1 / (n + shift)^3` up to `most`: a heavy tail.
    pub(crate) fn heavy_tail(most: u32, shift: f64) -> Self {
        Weighted::new((1..=most).map(|length| {
            let x = f64::from(length) + shift;
            1.0 / (x * x * x)
        }))
    }

    /// One number.
    pub(crate) fn draw(&self, draw: &mut Draw) -> usize {
        let slot = draw.below(self.slots.len() as u32);
        let (keep, other) = self.slots[slot as usize];
        if draw.0.next_u32() < keep { slot as usize } else { other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighted_choices_follow_the_weights() {
        let choice = Weighted::new([1.0, 0.0, 6.0, 3.0]);
        let mut draw = Draw::new(1, 0);
        let mut counts = [0_u32; 4];
        for _ in 0..100_000 {
            counts[choice.draw(&mut draw)] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, expected) in counts.into_iter().zip([10_000_u32, 0, 60_000, 30_000]) {
            assert!(count.abs_diff(expected) < 600, "{counts:?}");
        }
    }

    #[test]
    fn counts_and_waiting_times_have_their_means() {
        let mut draw = Draw::new(1, 0);
        let mean = |values: &mut dyn FnMut() -> f64| (0..50_000).map(|_| values()).sum::<f64>() / 50_000.0;
        assert!((mean(&mut || draw.exponential(2.0)) - 2.0).abs() < 0.05);
        assert!((mean(&mut || f64::from(draw.poisson(9.0))) - 9.0).abs() < 0.05);
        assert!(mean(&mut || draw.normal()).abs() < 0.02);
    }

    #[test]
    fn people_have_streams_of_their_own() {
        let first = |seed, stream| Draw::new(seed, stream).0.next_u64();
        assert_eq!(first(1, 7), first(1, 7));
        assert_ne!(first(1, 7), first(1, 8));
        assert_ne!(first(1, 7), first(2, 7));
    }
}
