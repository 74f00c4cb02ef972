//! Drops points that could only be reached faster than people move.
//!
//! A point is kept when the straight line from the last kept point can be travelled below the speed limit. A stray
//! fix is therefore dropped and the track goes on. When [`AGREEING`] points in a row fit each other but not the last
//! kept one, it is the track before that ended (a flight, a receiver switched on elsewhere): the trip is cut
//! there, and what lay before is dropped, too, if it is shorter than that, because then it was the stray.
//!
//! Times are whole seconds, so two points of one second are judged as if a second lay between them.

use throng_data::Coordinates;

use super::point::Point;

/// So many points in a row that fit each other begin a track of their own.
const AGREEING: usize = 3;

/// Moves the points of one record that are kept to the front, numbers their trips from `*trip` on, and returns
/// their number; `*trip` is then the next free one.
pub(super) fn drop_jumps(record: &mut [Point], system: Coordinates, limit: f64, trip: &mut u32) -> usize {
    let reachable = |from: &Point, to: &Point| {
        let seconds = to.time.saturating_sub(from.time).max(1);
        from.distance(to, system) <= limit * seconds as f64
    };
    let (mut kept, mut track) = (0, 0);
    let mut strays: Vec<Point> = Vec::with_capacity(AGREEING);
    for at in 0..record.len() {
        let point = record[at];
        if kept == 0 || reachable(&record[kept - 1], &point) {
            record[kept] = Point { record: *trip, ..point };
            kept += 1;
            strays.clear();
            continue;
        }
        if strays.last().is_some_and(|stray| !reachable(stray, &point)) {
            strays.clear();
        }
        strays.push(point);
        if strays.len() == AGREEING {
            if kept - track < AGREEING {
                kept = track;
            } else {
                *trip += 1;
                track = kept;
            }
            for stray in strays.drain(..) {
                record[kept] = Point { record: *trip, ..stray };
                kept += 1;
            }
        }
    }
    *trip += 1;
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(track: &[(i64, f64)]) -> Vec<(u32, i64)> {
        let mut points: Vec<Point> =
            track.iter().map(|&(time, y)| Point { subject: 0, record: 9, time, x: 13.0, y }).collect();
        let mut trip = 0;
        // 150 km/h; a thousandth of a degree of latitude is 111 metres.
        let count = drop_jumps(&mut points, Coordinates::Degrees, 150.0 / 3.6, &mut trip);
        points[..count].iter().map(|p| (p.record, p.time)).collect()
    }

    #[test]
    fn a_stray_point_is_dropped_and_the_track_goes_on() {
        assert_eq!(kept(&[(0, 52.0), (10, 52.001), (20, 53.0), (30, 52.002)]), [(0, 0), (0, 10), (0, 30)]);
    }

    #[test]
    fn the_limit_itself_is_reachable() {
        let mut points = [(0, 0.0), (1, 5.0), (3, 15.0), (4, 20.1)].map(|(time, x)| Point {
            subject: 0,
            record: 0,
            time,
            x,
            y: 0.0,
        });
        assert_eq!(drop_jumps(&mut points, Coordinates::Plane, 5.0, &mut 0), 3);
    }

    #[test]
    fn points_of_one_second_are_judged_as_a_second_apart() {
        assert_eq!(kept(&[(0, 52.0), (0, 52.0001), (0, 52.01)]), [(0, 0), (0, 0)]);
    }

    #[test]
    fn a_stray_first_point_does_not_cost_the_track() {
        let track = [(0, 0.0), (10, 52.0), (20, 52.001), (30, 52.002), (40, 52.003)];
        assert_eq!(kept(&track), [(0, 10), (0, 20), (0, 30), (0, 40)]);
    }

    #[test]
    fn a_flight_cuts_the_trip_and_keeps_both_ends() {
        let track =
            [(0, 52.0), (10, 52.0), (20, 52.0), (1000, 45.0), (1010, 38.0), (1020, 38.0), (1030, 38.001)];
        assert_eq!(kept(&track), [(0, 0), (0, 10), (0, 20), (1, 1010), (1, 1020), (1, 1030)]);
    }

    #[test]
    fn times_at_the_ends_of_the_range_do_not_overflow() {
        assert_eq!(kept(&[(i64::MIN, 52.0), (i64::MAX, 53.0)]).len(), 2);
    }
}
