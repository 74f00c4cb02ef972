//! Shares and averages over targets, and how sure one can be of them.

use serde::Serialize;

/// The 97.5% point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A number of targets, as a share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// How many targets.
    pub count: u64,
    /// As a share of all targets; 0 without targets.
    pub share: f64,
    /// The 95% Wilson interval of the share among all people, when the targets are a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

impl Share {
    /// `count` of `total`.
    pub fn new(count: u64, total: u64, sampled: bool) -> Self {
        let share = if total == 0 { 0.0 } else { count as f64 / total as f64 };
        Share { count, share, interval: (sampled && total > 0).then(|| wilson(share, total)) }
    }
}

/// An average over targets of something between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The average; 0 without targets.
    pub mean: f64,
    /// A 95% interval of the average over all people, when the targets are a sample.
    ///
    /// It is the Wilson interval. Something between 0 and 1 varies at most as much as a share with the same mean, so that
    /// it is rather too wide than too narrow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

impl Mean {
    /// The average of the values, added up in their order.
    pub(super) fn of(values: impl ExactSizeIterator<Item = f64>, sampled: bool) -> Self {
        let total = values.len() as u64;
        let mean = if total == 0 { 0.0 } else { values.sum::<f64>() / total as f64 };
        Mean { mean, interval: (sampled && total > 0).then(|| wilson(mean.min(1.0), total)) }
    }
}

fn wilson(share: f64, total: u64) -> [f64; 2] {
    let n = total as f64;
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // None and all are ends of their intervals exactly, rounding aside.
    let low = if share == 0.0 { 0.0 } else { middle - half };
    let high = if share == 1.0 { 1.0 } else { middle + half };
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_share_and_stay_between_none_and_all() {
        // 10 of 100: 0.0552 to 0.1744, as in textbooks.
        let [low, high] = Share::new(10, 100, true).interval.unwrap();
        assert!((low - 0.0552).abs() < 5e-5 && (high - 0.1744).abs() < 5e-5, "{low} {high}");
        let [low, high] = Share::new(0, 2000, true).interval.unwrap();
        assert!(low == 0.0 && high > 0.0 && high < 0.002);
        assert_eq!(Share::new(3, 3, false), Share { count: 3, share: 1.0, interval: None });
        assert_eq!(Share::new(0, 0, true).interval, None);
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_share_or_narrower() {
        let tenth = Mean::of((0..100).map(|target| f64::from(u8::from(target < 10))), true);
        assert_eq!(tenth.interval, Share::new(10, 100, true).interval);
        assert_eq!(Mean::of([0.5, 1.0].into_iter(), false), Mean { mean: 0.75, interval: None });
    }
}
