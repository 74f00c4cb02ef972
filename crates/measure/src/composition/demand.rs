//! What both releases promise of the sensitive values of people who look alike.

use throng_data::ColumnKind;

/// Sums that differ by less are the same.
const ROUNDING: f64 = 1e-9;

/// Which l-diversity is promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// At least `l` different values.
    Distinct,
    /// The entropy of `l` equally frequent values.
    Entropy,
    /// The most frequent value is rarer than `c` times those from the `l`-th on.
    Recursive,
}

/// What is promised of sensitive values; nothing by default.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Demand {
    /// l-diversity: its form, `l` and `c`.
    pub diversity: Option<(Form, u64, f64)>,
    /// t-closeness: `t`, and whether values lie in a row; by the type of the column where it is not said.
    pub closeness: Option<(f64, Option<bool>)>,
}

impl Demand {
    /// Whether the counts of values in a group are varied enough.
    pub(super) fn is_diverse(&self, counts: &[u64]) -> bool {
        let Some((form, l, c)) = self.diversity else { return true };
        let mut counts: Vec<u64> = counts.iter().copied().filter(|count| *count > 0).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let from = usize::try_from(l).unwrap_or(usize::MAX);
        match form {
            Form::Distinct => counts.len() >= from,
            Form::Entropy => {
                let all = counts.iter().sum::<u64>() as f64;
                let parts = counts.iter().map(|count| *count as f64 / all);
                parts.map(|share| -share * share.ln()).sum::<f64>() >= (l as f64).ln() - ROUNDING
            }
            Form::Recursive => {
                let rest = counts.iter().skip(from.saturating_sub(1)).sum::<u64>() as f64;
                counts.first().is_some_and(|most| (*most as f64) < c * rest + ROUNDING)
            }
        }
    }

    /// Whether the counts of values in a group are near enough to those of all. Values are in their order.
    pub(super) fn is_close(&self, counts: &[u64], all: &[u64], kind: ColumnKind) -> bool {
        let Some((t, ordered)) = self.closeness else { return true };
        let ordered = ordered.unwrap_or(kind != ColumnKind::Category);
        let sum = |counts: &[u64]| counts.iter().sum::<u64>().max(1) as f64;
        let (group, whole) = (sum(counts), sum(all));
        let differences = counts.iter().zip(all).filter(|(_, all)| **all > 0);
        let differences = differences.map(|(here, all)| *here as f64 / group - *all as f64 / whole);
        let distance = match ordered {
            false => differences.map(f64::abs).sum::<f64>() / 2.0,
            true => {
                let values = all.iter().filter(|count| **count > 0).count();
                let mut carried = 0.0;
                let moved = differences.map(|difference| {
                    carried += difference;
                    f64::abs(carried)
                });
                moved.sum::<f64>() / values.saturating_sub(1).max(1) as f64
            }
        };
        distance <= t + ROUNDING
    }

    /// Whether anything is promised.
    pub(super) fn is_nothing(&self) -> bool {
        self.diversity.is_none() && self.closeness.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diverse(form: Form, l: u64, c: f64, counts: &[u64]) -> bool {
        Demand { diversity: Some((form, l, c)), closeness: None }.is_diverse(counts)
    }

    #[test]
    fn diversity_is_that_of_the_promise() {
        assert!(diverse(Form::Distinct, 2, 1.0, &[0, 9, 1]));
        assert!(!diverse(Form::Distinct, 2, 1.0, &[0, 9, 0]));
        assert!(diverse(Form::Entropy, 3, 1.0, &[7, 7, 7]));
        assert!(!diverse(Form::Entropy, 3, 1.0, &[7, 7, 6]));
        assert!(diverse(Form::Recursive, 2, 5.0, &[1, 9, 1]));
        assert!(!diverse(Form::Recursive, 2, 4.0, &[1, 9, 1]));
    }

    #[test]
    fn closeness_is_that_of_the_promise() {
        let close = |t: f64, ordered: bool| {
            let demand = Demand { diversity: None, closeness: Some((t, Some(ordered))) };
            demand.is_close(&[1, 1, 0, 0], &[1, 1, 1, 1], ColumnKind::Category)
        };
        assert!(close(0.5, false) && !close(0.49, false));
        assert!(close(1.0 / 3.0, true) && !close(0.33, true));
    }
}
