//! One observed position, and the order in which the steps expect them.

use throng_data::{Coordinates, Dictionary};

use crate::grid::Bounds;

/// A person was here then; 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// Number of the person.
    pub subject: u32,
    /// Number of the record; later of the trip, counted for each person.
    pub record: u32,
    /// Seconds since 1970, or of the file's own clock.
    pub time: i64,
    /// Longitude, or `x`.
    pub x: f64,
    /// Latitude, or `y`.
    pub y: f64,
}

impl Point {
    /// The distance to another point: metres on the globe, the file's unit on a plane.
    pub fn distance(&self, other: &Point, system: Coordinates) -> f64 {
        match system {
            Coordinates::Degrees => system.distance([self.y, self.x], [other.y, other.x]),
            Coordinates::Plane => system.distance([self.x, self.y], [other.x, other.y]),
        }
    }
}

/// All points of an input.
#[derive(Debug)]
pub(crate) struct Points {
    /// What the coordinates are.
    pub system: Coordinates,
    /// Names of the people.
    pub subjects: Dictionary,
    /// The points; after [`Points::sort`], people and their records lie together, in order of time.
    pub points: Vec<Point>,
}

impl Points {
    /// Brings the points of a record together in order of time. Points of the same second stay in file order.
    pub fn sort(&mut self) {
        let key = |point: &Point| (point.subject, point.record, point.time);
        // Most files are sorted already: then nothing moves and no memory is taken.
        if !self.points.is_sorted_by_key(key) {
            self.points.sort_by_key(key);
        }
    }

    /// Moves the seam of the map out of the way: when the points lie on both sides of the antimeridian, and that
    /// makes a narrower map, longitudes west of the widest gap are counted on past 180 degrees. Bounds that hold
    /// the antimeridian decide for the gap.
    pub fn unwrap_longitudes(&mut self, bounds: Option<&Bounds>) {
        if self.system != Coordinates::Degrees {
            return;
        }
        let seam = match bounds {
            Some(bounds) => (bounds.east > 180.0).then_some(bounds.west),
            None => seam(self.points.iter().map(|point| point.x)),
        };
        let Some(seam) = seam else { return };
        for point in &mut self.points {
            if point.x < seam {
                point.x += 360.0;
            }
        }
    }
}

/// The meridian at which to cut the map, unless -180 will do. Looks at whole degrees: a gap narrower than two of
/// them is not worth a cut.
fn seam(longitudes: impl Iterator<Item = f64>) -> Option<f64> {
    let mut seen = [false; 360];
    for longitude in longitudes {
        seen[((longitude + 180.0).floor() as usize).min(359)] = true;
    }
    let first = seen.iter().position(|seen| *seen)?;
    let last = 359 - seen.iter().rev().position(|seen| *seen)?;
    // Widest run of empty degrees between the first and the last one seen, and where it ends.
    let (mut widest, mut end, mut run) = (0, 0, 0);
    for (degree, seen) in seen.iter().enumerate().take(last + 1).skip(first) {
        if *seen {
            if run > widest {
                (widest, end) = (run, degree);
            }
            run = 0;
        } else {
            run += 1;
        }
    }
    let around_the_antimeridian = first + 359 - last;
    (widest > around_the_antimeridian).then_some(end as f64 - 180.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(places: &[(u32, i64, f64)]) -> Points {
        let subjects = ["a", "b", "c"].into_iter().collect();
        let points =
            places.iter().map(|&(subject, time, x)| Point { subject, record: 0, time, x, y: 0.0 }).collect();
        Points { system: Coordinates::Degrees, subjects, points }
    }

    #[test]
    fn sorting_keeps_file_order_within_a_second() {
        let mut points = points(&[(1, 5, 1.0), (0, 9, 2.0), (1, 5, 3.0), (1, 4, 4.0)]);
        points.sort();
        assert_eq!(points.points.iter().map(|p| p.x).collect::<Vec<_>>(), [2.0, 4.0, 1.0, 3.0]);
    }

    #[test]
    fn points_on_both_sides_of_the_antimeridian_become_neighbours() {
        let mut fiji = points(&[(0, 1, 179.5), (0, 2, -179.5), (0, 3, 177.0), (0, 4, 180.0), (0, 5, -180.0)]);
        fiji.unwrap_longitudes(None);
        assert_eq!(fiji.points.iter().map(|p| p.x).collect::<Vec<_>>(), [179.5, 180.5, 177.0, 180.0, 180.0]);
    }

    #[test]
    fn points_away_from_the_antimeridian_stay_as_they_are() {
        for places in [vec![], vec![(0, 1, -75.0), (0, 2, 13.0)], vec![(0, 1, -180.0), (0, 2, -179.0)]] {
            let mut unmoved = points(&places);
            unmoved.unwrap_longitudes(None);
            assert_eq!(unmoved.points, points(&places).points);
        }
    }
}
