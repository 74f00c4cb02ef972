//! A part of the targets, and how sure one can be of it.

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
    pub(super) fn new(count: u64, total: u64, sampled: bool) -> Self {
        let share = if total == 0 { 0.0 } else { count as f64 / total as f64 };
        Share { count, share, interval: (sampled && total > 0).then(|| wilson(count, total)) }
    }
}

fn wilson(count: u64, total: u64) -> [f64; 2] {
    let n = total as f64;
    let share = count as f64 / n;
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // None and all are ends of their intervals exactly, rounding aside.
    let low = if count == 0 { 0.0 } else { middle - half };
    let high = if count == total { 1.0 } else { middle + half };
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
}
