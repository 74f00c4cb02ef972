//! How exactly something may be told that was counted in the data.
//!
//! # The rule
//! What follows from the released files alone is told exactly: anyone who has them can count it again. Everything else that
//! is published - shares of suppressed events, shares of people whom an attacker finds, measures that compare with the
//! data - is told in steps:
//!
//! * Below [`FEWEST`] people not at all. An exact distance with a public map gives the counts of merged places, and in a
//!   small file even a coarse one is one person's place. How many people there are is public, so that withholding tells
//!   nothing.
//! * Above, in steps of 5, 10, 20, 25 or 50 points: the smallest step that is at least [`CROWD`] people and at least
//!   what the busiest person can change with all their events. A step is never finer than one person.
//! * A reading in a unit, or without an upper end, is not told: only shares are.
//!
//! # Guarantees
//! On small data every original that fits the released files fits everything that is published. On larger data a
//! person's events can change a reading by one step at most. An attacker who knows everybody else may still tell two cases apart
//! that lie on both sides of a step; only a promise that rests on secret noise speaks of such attackers.

use serde::{Deserialize, Serialize};
use throng_data::Events;

/// Of fewer people nothing is told that needs the data.
pub const FEWEST: u64 = 100;
/// A step is at least so many people: one of them can push as many over the largest crowd that is told.
pub const CROWD: u64 = 20;
/// Steps in hundredths.
const STEPS: [u64; 5] = [5, 10, 20, 25, 50];

/// How readings that need the data are told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// Shares are rounded to a multiple of this.
    Step(f64),
    /// Not at all, and why.
    Withheld(String),
}

impl Rounding {
    /// The rule for some data.
    pub fn of(data: &Events) -> Self {
        let people = data.subjects() as u64;
        if people < FEWEST {
            return Rounding::Withheld(format!("there are fewer than {FEWEST} people"));
        }
        let busiest = (0..data.subjects()).map(|person| events_of(data, person)).max().unwrap_or(0);
        // In hundredths, rounded up.
        let needed = (100 * CROWD).div_ceil(people).max((100 * busiest).div_ceil(data.len().max(1) as u64));
        match STEPS.into_iter().find(|step| *step >= needed) {
            Some(step) => Rounding::Step(step as f64 / 100.0),
            None => Rounding::Withheld("one person has more than half of all events".to_owned()),
        }
    }

    /// A share in steps; nothing where it is withheld.
    pub fn share(&self, share: f64) -> Option<f64> {
        let Rounding::Step(step) = self else { return None };
        // By hundredths, so that three steps of 0.05 are 0.15.
        let points = (step * 100.0).round();
        Some(((share.clamp(0.0, 1.0) * 100.0 / points).round() * points / 100.0).min(1.0))
    }
}

fn events_of(data: &Events, person: usize) -> u64 {
    data.records_of(person).map(|record| data.record(record).len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use throng_data::{EventKind, EventsBuilder};

    use super::*;

    fn people(number: u32, busiest: usize) -> Events {
        let mut events = EventsBuilder::new(EventKind::Sequence, false);
        for person in 0..number {
            events.push(person, &vec![0; if person == 0 { busiest } else { 1 }], &[]);
        }
        events.finish(number as usize)
    }

    #[test]
    fn steps_are_never_finer_than_a_crowd_or_the_busiest_person() {
        let step = |number, busiest| match Rounding::of(&people(number, busiest)) {
            Rounding::Step(step) => Some(step),
            Rounding::Withheld(_) => None,
        };
        assert_eq!(
            [99, 100, 200, 399, 400].map(|number| step(number, 1)),
            [None, Some(0.2), Some(0.1), Some(0.1), Some(0.05)]
        );
        // 101 of 500 events are one person's.
        assert_eq!(step(400, 101), Some(0.25));
        assert_eq!(step(400, 1_000), None);
    }

    #[test]
    fn shares_are_multiples_of_the_step() {
        let rounding = Rounding::Step(0.05);
        let told = [0.0, 0.024, 0.026, 0.15, 0.723, 1.0].map(|share| rounding.share(share));
        assert_eq!(told, [0.0, 0.0, 0.05, 0.15, 0.7, 1.0].map(Some));
        assert_eq!(Rounding::Withheld(String::new()).share(0.5), None);
    }
}
