//! Cuts a person's points into trips: where nothing was seen for long, and at midnight.

use super::point::Point;

/// Where trips end, besides the end of a record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TripEnds {
    /// After a silence longer than so many seconds.
    pub gap: Option<i64>,
    /// At midnight of the clock that is so many seconds ahead of UTC.
    pub midnight: Option<i64>,
}

impl TripEnds {
    /// Renumbers the trips of one person from 0 and returns how many there are. Points of different records are
    /// never in one trip.
    pub fn number(&self, points: &mut [Point]) -> u32 {
        let mut trips = 0;
        let mut last: Option<Point> = None;
        for point in points {
            if last.is_none_or(|last| last.record != point.record || self.between(&last, point)) {
                trips += 1;
            }
            last = Some(*point);
            point.record = trips - 1;
        }
        trips
    }

    fn between(&self, last: &Point, next: &Point) -> bool {
        self.gap.is_some_and(|gap| next.time.saturating_sub(last.time) > gap)
            || self.midnight.is_some_and(|offset| day(last.time, offset) != day(next.time, offset))
    }
}

fn day(time: i64, offset: i64) -> i64 {
    time.saturating_add(offset).div_euclid(86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    fn trips(ends: TripEnds, times: &[(u32, i64)]) -> Vec<u32> {
        let mut points: Vec<Point> =
            times.iter().map(|&(record, time)| Point { subject: 0, record, time, x: 0.0, y: 0.0 }).collect();
        let count = ends.number(&mut points);
        assert_eq!(count, points.last().map_or(0, |p| p.record + 1));
        points.iter().map(|p| p.record).collect()
    }

    #[test]
    fn a_trip_that_passes_midnight_ends_there_only_if_days_are_asked_for() {
        let night = [(0, DAY - 600), (0, DAY - 1), (0, DAY), (0, DAY + 600), (0, DAY + 4201)];
        assert_eq!(trips(TripEnds::default(), &night), [0, 0, 0, 0, 0]);
        assert_eq!(trips(TripEnds { gap: Some(3600), midnight: None }, &night), [0, 0, 0, 0, 1]);
        assert_eq!(trips(TripEnds { gap: None, midnight: Some(0) }, &night), [0, 0, 1, 1, 1]);
        assert_eq!(trips(TripEnds { gap: Some(3600), midnight: Some(0) }, &night), [0, 0, 1, 1, 2]);
        // One hour east, midnight came an hour earlier.
        assert_eq!(trips(TripEnds { gap: None, midnight: Some(3600) }, &night), [0; 5]);
    }

    #[test]
    fn a_gap_of_exactly_the_limit_does_not_cut() {
        let ends = TripEnds { gap: Some(10), midnight: None };
        assert_eq!(trips(ends, &[(0, 0), (0, 10), (0, 21)]), [0, 0, 1]);
    }

    #[test]
    fn records_stay_apart_and_days_before_1970_count() {
        assert_eq!(trips(TripEnds::default(), &[(4, 0), (4, 1), (7, 2)]), [0, 0, 1]);
        let ends = TripEnds { gap: None, midnight: Some(0) };
        assert_eq!(trips(ends, &[(0, -1), (0, 0), (0, i64::MAX)]), [0, 1, 2]);
        assert!(trips(ends, &[]).is_empty());
    }
}
