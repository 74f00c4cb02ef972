//! What a method's trials came to, as a table.

use std::fmt::Write as _;
use std::time::Duration;

use crate::trial::{End, Trial};

/// The trials of one method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub method: &'static str,
    pub trials: u64,
    /// Sound: releases that keep their promise, and worlds without one.
    pub released: u64,
    pub infeasible: u64,
    /// As printed: releases that keep it, those that were rightly refused, and worlds without one.
    pub printed_held: u64,
    pub printed_refused: u64,
    pub printed_infeasible: u64,
    pub findings: u64,
    pub took: Duration,
}

impl Summary {
    /// No trial yet.
    pub fn new(method: &'static str) -> Self {
        Summary {
            method,
            trials: 0,
            released: 0,
            infeasible: 0,
            printed_held: 0,
            printed_refused: 0,
            printed_infeasible: 0,
            findings: 0,
            took: Duration::ZERO,
        }
    }

    /// Counts a trial.
    pub fn add(&mut self, trial: &Trial) {
        self.trials += 1;
        self.findings += trial.findings().count() as u64;
        match trial.sound {
            Ok(End::Released) => self.released += 1,
            Ok(End::Infeasible) => self.infeasible += 1,
            Ok(End::Refused) | Err(_) => {}
        }
        match trial.printed {
            Ok(End::Released) => self.printed_held += 1,
            Ok(End::Refused) => self.printed_refused += 1,
            Ok(End::Infeasible) => self.printed_infeasible += 1,
            Err(_) => {}
        }
    }
}

/// One line a method, and the sum of all.
pub fn table(summaries: &[Summary]) -> String {
    let mut text = format!(
        "{:<14}{:>8}{:>10}{:>12}{:>14}{:>17}{:>20}{:>10}{:>9}\n",
        "method",
        "trials",
        "released",
        "infeasible",
        "printed: held",
        "rightly refused",
        "printed: infeasible",
        "findings",
        "seconds"
    );
    for s in summaries {
        let line = format!(
            "{:<14}{:>8}{:>10}{:>12}{:>14}{:>17}{:>20}{:>10}{:>9.1}",
            s.method,
            s.trials,
            s.released,
            s.infeasible,
            s.printed_held,
            s.printed_refused,
            s.printed_infeasible,
            s.findings,
            s.took.as_secs_f64()
        );
        writeln!(text, "{line}").expect("a String takes everything");
    }
    let (trials, findings) =
        summaries.iter().fold((0, 0), |(trials, findings), s| (trials + s.trials, findings + s.findings));
    writeln!(text, "{trials} trials, {findings} findings").expect("a String takes everything");
    text
}
