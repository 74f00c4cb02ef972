//! How long each step of a run takes.

use std::time::{Duration, Instant};

/// How long a step took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The step.
    pub step: &'static str,
    /// Wall-clock time.
    pub took: Duration,
}

/// Measures the steps of a run.
#[derive(Debug)]
pub struct Clock {
    last: Instant,
    /// The steps so far.
    pub laps: Vec<Timing>,
}

impl Clock {
    /// Starts the next step after those that are over.
    pub fn after(laps: Vec<Timing>) -> Self {
        Clock { last: Instant::now(), laps }
    }

    /// Ends a step.
    pub fn lap(&mut self, step: &'static str) {
        self.laps.push(Timing { step, took: self.last.elapsed() });
        self.last = Instant::now();
    }
}
