//! The steps on each person's points: drop jumps, number trips, keep stops. Done in place, people in parallel.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Coordinates;

use super::clean::drop_jumps;
use super::point::Point;
use super::stops::StopRule;
use super::trips::TripEnds;

/// The steps, with limits in the units of the points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub system: Coordinates,
    /// Distance a second.
    pub max_speed: Option<f64>,
    pub ends: TripEnds,
    pub stops: Option<StopRule>,
}

/// What the steps did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tidied {
    /// Points that were out of reach.
    pub too_fast: u64,
    /// Trips, with or without stops.
    pub trips: u64,
    /// Points that are not the first of a stop.
    pub without_stop: u64,
}

/// Runs the steps on sorted points. Points that are left keep their order; their records are trip numbers.
pub(super) fn tidy(points: &mut Vec<Point>, steps: &Steps, progress: &Progress) -> Result<Tidied, Cancelled> {
    let phase = progress.phase("clean points and cut trips", Some(points.len() as u64));
    let mut people: Vec<&mut [Point]> = points.chunk_by_mut(|a, b| a.subject == b.subject).collect();
    let done: Vec<(usize, usize, Tidied)> = people
        .par_iter_mut()
        .map(|person| {
            let (kept, tidied) = steps.tidy_person(person);
            phase.advance(person.len() as u64)?;
            Ok((person.len(), kept, tidied))
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut total = Tidied::default();
    let (mut from, mut to) = (0, 0);
    for (length, kept, tidied) in done {
        points.copy_within(from..from + kept, to);
        from += length;
        to += kept;
        total.too_fast += tidied.too_fast;
        total.trips += tidied.trips;
        total.without_stop += tidied.without_stop;
    }
    points.truncate(to);
    Ok(total)
}

impl Steps {
    /// Moves what is kept of one person's points to the front; returns its length.
    fn tidy_person(&self, person: &mut [Point]) -> (usize, Tidied) {
        let reached = self.drop_jumps(person);
        let trips = self.ends.number(&mut person[..reached]);
        let mut kept = reached;
        if let Some(rule) = self.stops {
            kept = compact(&mut person[..reached], |trip| rule.keep(trip, self.system));
        }
        let tidied = Tidied {
            too_fast: (person.len() - reached) as u64,
            trips: u64::from(trips),
            without_stop: (reached - kept) as u64,
        };
        (kept, tidied)
    }

    fn drop_jumps(&self, person: &mut [Point]) -> usize {
        let Some(limit) = self.max_speed else { return person.len() };
        let mut trip = 0;
        compact(person, |record| drop_jumps(record, self.system, limit, &mut trip))
    }
}

/// Applies a step that moves what it keeps to the front to each run of one record; closes the gaps.
fn compact(points: &mut [Point], mut step: impl FnMut(&mut [Point]) -> usize) -> usize {
    let (mut from, mut to) = (0, 0);
    while from < points.len() {
        let record = points[from].record;
        let length = points[from..].iter().take_while(|point| point.record == record).count();
        let kept = step(&mut points[from..from + length]);
        points.copy_within(from..from + kept, to);
        from += length;
        to += kept;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: Steps = Steps {
        system: Coordinates::Plane,
        max_speed: Some(10.0),
        ends: TripEnds { gap: Some(100), midnight: None },
        stops: None,
    };

    fn point(subject: u32, record: u32, time: i64, x: f64) -> Point {
        Point { subject, record, time, x, y: 0.0 }
    }

    #[test]
    fn records_are_cleaned_apart_and_trips_numbered_for_each_person() {
        let mut points = vec![
            point(0, 3, 0, 0.0),
            point(0, 3, 1, 500.0),
            point(0, 3, 2, 1.0),
            // Another record may begin anywhere.
            point(0, 5, 2, 900.0),
            point(0, 5, 200, 900.0),
            point(1, 6, 0, 7.0),
        ];
        let tidied = tidy(&mut points, &STEPS, &Progress::silent()).unwrap();
        assert_eq!(tidied, Tidied { too_fast: 1, trips: 4, without_stop: 0 });
        let left: Vec<_> = points.iter().map(|p| (p.subject, p.record, p.time)).collect();
        assert_eq!(left, [(0, 0, 0), (0, 0, 2), (0, 1, 2), (0, 2, 200), (1, 0, 0)]);
    }

    #[test]
    fn stops_are_looked_for_within_trips() {
        let steps = Steps { stops: Some(StopRule { radius: 1.0, duration: 50 }), max_speed: None, ..STEPS };
        let mut points =
            vec![point(0, 0, 0, 0.0), point(0, 0, 60, 0.5), point(0, 0, 500, 0.5), point(0, 0, 540, 0.5)];
        let tidied = tidy(&mut points, &steps, &Progress::silent()).unwrap();
        assert_eq!(tidied, Tidied { too_fast: 0, trips: 2, without_stop: 3 });
        assert_eq!(points, [point(0, 0, 0, 0.25)]);
    }

    #[test]
    fn cancelling_stops_the_work() {
        let progress = Progress::silent();
        progress.cancel();
        assert_eq!(tidy(&mut vec![point(0, 0, 0, 0.0)], &STEPS, &progress), Err(Cancelled));
    }
}
