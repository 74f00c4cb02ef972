//! Keeps only the places where a person stayed.
//!
//! # Reference
//! \[LZXC08\] Li, Zheng, Xie, Chen, Liu, Ma. Mining user similarity based on location history. ACM GIS 2008, stay points.
//! # Guarantees
//! A stop is a run of consecutive points of one trip, all within the radius of its first one, that lasts at least
//! the duration. Stops do not share points. A stop stands at the mean of its points, at the time of arrival.
//! # Cost
//! Each point is compared with those that follow it until one is outside the radius.

use throng_data::Coordinates;

use super::point::Point;

/// How near, and for how long, is a stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct StopRule {
    /// Largest distance from the first point of the stop.
    pub radius: f64,
    /// Least seconds from the first to the last point of the stop.
    pub duration: i64,
}

impl StopRule {
    /// Moves the stops of one trip to its front and returns their number.
    pub fn keep(&self, trip: &mut [Point], system: Coordinates) -> usize {
        let (mut stops, mut first) = (0, 0);
        while first < trip.len() {
            let from = trip[first];
            let beyond = trip[first + 1..]
                .iter()
                .position(|point| from.distance(point, system) > self.radius)
                .map_or(trip.len(), |after| first + 1 + after);
            if trip[beyond - 1].time.saturating_sub(from.time) >= self.duration {
                let count = (beyond - first) as f64;
                let x = trip[first..beyond].iter().map(|point| point.x / count).sum();
                let y = trip[first..beyond].iter().map(|point| point.y / count).sum();
                trip[stops] = Point { x, y, ..from };
                stops += 1;
                first = beyond;
            } else if beyond == trip.len() {
                // Whatever starts later ends here, too, and is shorter still.
                break;
            } else {
                // From the same spot, the run would end at the same point and be no longer.
                let moved =
                    trip[first..beyond].iter().position(|point| (point.x, point.y) != (from.x, from.y));
                first += moved.unwrap_or(beyond - first);
            }
        }
        stops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops(track: &[(i64, f64)]) -> Vec<(i64, f64)> {
        let mut points: Vec<Point> =
            track.iter().map(|&(time, x)| Point { subject: 0, record: 0, time, x, y: 0.0 }).collect();
        let count = StopRule { radius: 2.0, duration: 10 }.keep(&mut points, Coordinates::Plane);
        points[..count].iter().map(|p| (p.time, p.x)).collect()
    }

    #[test]
    fn a_stay_becomes_one_point_at_its_mean_and_arrival() {
        let track = [(0, 0.0), (5, 10.0), (9, 11.0), (15, 12.0), (16, 20.0), (17, 30.0), (40, 30.0)];
        assert_eq!(stops(&track), [(5, 11.0), (17, 30.0)]);
    }

    #[test]
    fn passing_through_and_short_stays_are_not_stops() {
        assert_eq!(stops(&[(0, 0.0), (100, 10.0), (109, 10.0), (110, 20.0)]), []);
        assert_eq!(stops(&[(0, 0.0), (0, 0.0), (9, 0.0)]), []);
        assert_eq!(stops(&[]), []);
    }

    #[test]
    fn a_stay_that_begins_inside_a_failed_run_is_found() {
        assert_eq!(stops(&[(0, 0.0), (1, 1.5), (8, 3.0), (11, 3.4)]), [(1, (1.5 + 3.0 + 3.4) / 3.0)]);
    }
}
