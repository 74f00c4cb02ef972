//! How much may be tried, counted in work: what is left out does not depend on the machine, or on what else it does.
//!
//! A unit is about what one processor does in a second, by the estimate of [`crate::cost`]. What would take more than is left is not
//! begun, and told.

use serde::Serialize;
use throng_contract::{Failure, Settings};
use throng_data::Dataset;

use super::candidates::Candidate;
use crate::cost::estimate;
use throng_release::catalogue;

/// What measuring takes for each event, in microseconds: queries, patterns and attackers before and after.
const MEASURED: f64 = 5.0;
/// No more events than this are measured that way: of more people, some are drawn.
const LOOKED_AT: f64 = 500_000.0;

/// Work that may still be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effort {
    left: f64,
}

impl Effort {
    pub fn of(units: f64) -> Self {
        Effort { left: units }
    }

    /// A part of what is left, to be spent apart from it: what remains of the part comes back by [`Effort::regain`].
    pub fn set_apart(&mut self, share: f64) -> Effort {
        let part = if self.left.is_finite() { self.left * share } else { self.left };
        if self.left.is_finite() {
            self.left -= part;
        }
        Effort { left: part }
    }

    /// What was not spent of a part.
    pub fn regain(&mut self, rest: Effort) {
        if self.left.is_finite() {
            self.left += rest.left.max(0.0);
        }
    }

    /// Takes so much, if that much is left.
    pub fn spend(&mut self, work: f64) -> bool {
        let enough = work <= self.left;
        if enough {
            self.left -= work;
        }
        enough
    }

    /// Takes so much, whether or not it is left.
    pub fn owe(&mut self, work: f64) {
        self.left -= work;
    }
}

/// A candidate that was skipped as too slow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Untried {
    /// What was not tried.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// On how many people.
    pub people: u64,
    /// How much work it would have been.
    pub work: f64,
}

impl Untried {
    /// Why, in a few words.
    pub fn in_words(&self) -> String {
        format!("about {} of work, more than was left", units(self.work))
    }
}

/// Work in words.
pub(super) fn units(work: f64) -> String {
    match work.round().max(1.0) {
        1.0 => "1 unit".to_owned(),
        several => format!("{several} units"),
    }
}

/// What it takes to run a candidate on these data, to judge it and to measure it.
pub(super) fn work(candidate: &Candidate, data: &Dataset) -> Result<f64, Failure> {
    let descriptor = catalogue::method(&candidate.method)?.descriptor();
    let given = candidate.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let cost = estimate(descriptor, &Settings::parse(descriptor, given)?, data);
    Ok(cost.seconds + MEASURED * (cost.events as f64).min(LOOKED_AT) / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_spent_once() {
        let mut effort = Effort::of(10.0);
        let mut part = effort.set_apart(0.5);
        assert!(part.spend(4.0) && !part.spend(2.0));
        effort.regain(part);
        assert!(effort.spend(6.0) && !effort.spend(0.1));
        let mut endless = Effort::of(f64::INFINITY);
        assert!(endless.set_apart(0.5).spend(1e300) && endless.spend(1e300));
    }

    #[test]
    fn longer_records_are_more_work() {
        let candidate = Candidate {
            method: "suppress".to_owned(),
            keeps: "km".to_owned(),
            settings: [("k", "5"), ("m", "2")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
        };
        let of = |length: usize| {
            let word = "abcdefghijklmnopqrstuvwxyz".repeat(length);
            work(&candidate, &Dataset::from_words([word.as_str(); 50])).unwrap()
        };
        assert!(of(4) > 2.0 * of(1));
    }
}
