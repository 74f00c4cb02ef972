//! Whole-number noise, drawn exactly.
//!
//! # Reference
//! CKS20: Canonne, Kamath, Steinke. The Discrete Gaussian for Differential Privacy. NeurIPS 2020. Algorithm 2: the
//! discrete Laplace distribution from coin tosses.
//! # Guarantees
//! Only whole numbers are compared, so the distribution is the one the proof speaks of. Noise from rounded logarithms is
//! not: its gaps and clusters tell numbers apart that should look alike.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use throng_models::Budget;

use crate::Task;

/// Where noise comes from.
pub trait Noise {
    /// Noise for one count, when `sensitivity` is what one person can change of all counts together.
    fn draw(&mut self, sensitivity: u64, budget: Budget) -> i64;
}

/// No noise at all: for looking at what a method does without it. Keeps no promise.
#[derive(Debug, Clone, Copy)]
pub struct Silence;

impl Noise for Silence {
    fn draw(&mut self, _: u64, _: Budget) -> i64 {
        0
    }
}

/// Noise of size `x` with a chance in proportion to `exp(-|x| epsilon / sensitivity)`, from a cryptographic generator.
#[derive(Debug)]
pub struct DiscreteLaplace(ChaCha20Rng);

impl DiscreteLaplace {
    /// The stream of a task: of its secret, or of its seed where it has none.
    pub(crate) fn of(task: &Task<'_>) -> Self {
        task.noise.map_or_else(|| DiscreteLaplace::new(task.seed), DiscreteLaplace::keyed)
    }

    /// The stream of a seed. An attacker who knows the seed can take the noise away again.
    pub fn new(seed: u64) -> Self {
        DiscreteLaplace(ChaCha20Rng::seed_from_u64(seed))
    }

    /// The stream of a secret key of full length.
    pub fn keyed(key: [u8; 32]) -> Self {
        DiscreteLaplace(ChaCha20Rng::from_seed(key))
    }

    /// A number in `0..bound`, all equally likely; `bound` is positive.
    fn below(&mut self, bound: u64) -> u64 {
        let mask = u64::MAX >> (bound - 1).leading_zeros().min(63);
        loop {
            let drawn = self.0.next_u64() & mask;
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// True with the chance `exp(-numerator / denominator)`, for a quotient from 0 to 1.
    ///
    /// The number of throws until one of chance `quotient / 1`, `quotient / 2`, ... fails is odd so often: that is the
    /// series of the exponential function.
    fn exp_coin(&mut self, numerator: u64, denominator: u64) -> bool {
        let mut throws = 1;
        while self.below(denominator.saturating_mul(throws)) < numerator {
            throws += 1;
        }
        throws % 2 == 1
    }
}

impl Noise for DiscreteLaplace {
    fn draw(&mut self, sensitivity: u64, budget: Budget) -> i64 {
        let scale = sensitivity.max(1).saturating_mul(Budget::STEPS);
        loop {
            let rest = self.below(scale);
            if !self.exp_coin(rest, scale) {
                continue;
            }
            let mut whole = 0_u128;
            while self.exp_coin(1, 1) {
                whole += 1;
            }
            let size = (u128::from(rest) + u128::from(scale) * whole) / u128::from(budget.steps().max(1));
            let negative = self.0.next_u64() & 1 == 1;
            // Zero has one sign only, or it would come up twice as often.
            if negative && size == 0 {
                continue;
            }
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            return if negative { -size } else { size };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_shape_the_proof_needs() {
        // exp(-epsilon / sensitivity) = 1/2: every size is half as likely as the one before.
        let (sensitivity, budget) = (4, Budget::within(4.0 * std::f64::consts::LN_2));
        let mut noise = DiscreteLaplace::new(7);
        let draws = 60_000;
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..draws {
            *seen.entry(noise.draw(sensitivity, budget)).or_insert(0_u32) += 1;
        }
        // P(0) = (1 - 1/2) / (1 + 1/2) = 1/3, and P(x) = P(0) / 2^|x|.
        for size in 0..5_i64 {
            let expected = f64::from(draws) / 3.0 / f64::from(1 << size);
            for value in [size, -size] {
                let found = f64::from(seen[&value]);
                assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{value}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn numbers_below_a_bound_are_all_drawn_and_no_others() {
        let mut noise = DiscreteLaplace::new(1);
        for bound in [1, 2, 3, 7, 64] {
            let mut seen = vec![false; bound as usize];
            (0..2000).for_each(|_| seen[noise.below(bound) as usize] = true);
            assert!(seen.into_iter().all(|seen| seen), "{bound}");
        }
        assert!(noise.below(u64::MAX) < u64::MAX);
    }

    #[test]
    fn the_same_seed_gives_the_same_noise() {
        let draw = |seed| {
            let mut noise = DiscreteLaplace::new(seed);
            (0..20).map(|_| noise.draw(20, Budget::within(0.1))).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }
}
