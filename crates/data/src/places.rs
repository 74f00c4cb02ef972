//! Where items are, and how far apart.

/// The coordinate system of a places file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinates {
    /// `x,y` on a plane; Euclidean distance in the file's unit.
    Plane,
    /// `lat,lon` in degrees; great-circle distance in metres.
    Degrees,
}

/// Coordinates (and categories) of items, by item number.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    /// The coordinate system.
    pub system: Coordinates,
    /// `[x, y]` or `[lat, lon]` of each item of the dataset.
    pub points: Vec<[f64; 2]>,
    /// Category of each item, if the file has them.
    pub categories: Option<Vec<String>>,
}

/// Mean Earth radius in metres (IUGG).
const EARTH_RADIUS: f64 = 6_371_008.8;

impl Places {
    /// The distance between two items.
    #[inline]
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        self.system.distance(self.points[a as usize], self.points[b as usize])
    }

    /// The z-value of every item: the bits of its column and row, interleaved, the column's lowest bit lowest.
    ///
    /// Coordinates that are small whole numbers are taken as the cells they are; others are laid on a grid of 65,536 by
    /// 65,536 cells over their own extent.
    pub fn z_values(&self) -> Vec<u64> {
        let cell = |value: f64| value.fract() == 0.0 && (0.0..65_536.0).contains(&value);
        let whole =
            self.system == Coordinates::Plane && self.points.iter().flatten().all(|value| cell(*value));
        let axis = |axis: usize| -> Vec<u64> {
            let values = self.points.iter().map(|point| point[axis]);
            let low = values.clone().fold(f64::INFINITY, f64::min);
            let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
            let scale = if high > low { 65_535.0 / (high - low) } else { 0.0 };
            values.map(|value| if whole { value as u64 } else { ((value - low) * scale) as u64 }).collect()
        };
        axis(0).iter().zip(axis(1)).map(|(x, y)| spread(*x) | spread(y) << 1).collect()
    }
}

/// Puts a zero between any two of the lowest sixteen bits.
fn spread(value: u64) -> u64 {
    (0..16).map(|bit| (value >> bit & 1) << (2 * bit)).sum()
}

impl Coordinates {
    /// How far from the origin of a plane a place may lie, in whatever unit: with distances beyond, sums of their squares are no
    /// longer exact, and at last no numbers.
    pub const FARTHEST: f64 = 1e15;

    /// The point in space. Straight distances between such points are never longer than [`Coordinates::distance`].
    pub fn in_space(self, point: [f64; 2]) -> [f64; 3] {
        match self {
            Coordinates::Plane => [point[0], point[1], 0.0],
            Coordinates::Degrees => {
                let (lat, lon) = (point[0].to_radians(), point[1].to_radians());
                [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()].map(|value| value * EARTH_RADIUS)
            }
        }
    }

    /// A point with what every distance from it needs.
    pub fn prepared(self, point: [f64; 2]) -> Point {
        let across = match self {
            Coordinates::Plane => None,
            Coordinates::Degrees => Some([point[0].to_radians(), point[0].to_radians().cos()]),
        };
        Point { point, across }
    }

    /// The distance between two points of this system.
    #[inline]
    pub fn distance(self, a: [f64; 2], b: [f64; 2]) -> f64 {
        self.prepared(a).distance(&self.prepared(b))
    }
}

/// A point with what every distance from it needs, for callers that ask for many.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    point: [f64; 2],
    /// The latitude in radians and its cosine, of a point on the earth.
    across: Option<[f64; 2]>,
}

impl Point {
    /// The distance to another point of the same system.
    #[inline]
    pub fn distance(&self, other: &Point) -> f64 {
        let (a, b) = (self.point, other.point);
        match (self.across, other.across) {
            (Some([lat_a, cos_a]), Some([lat_b, cos_b])) => {
                let half_lat = ((lat_b - lat_a) / 2.0).sin();
                let half_lon = ((b[1] - a[1]).to_radians() / 2.0).sin();
                let h = half_lat * half_lat + cos_a * cos_b * half_lon * half_lon;
                2.0 * EARTH_RADIUS * h.sqrt().min(1.0).asin()
            }
            _ => (a[0] - b[0]).hypot(a[1] - b[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_follow_the_coordinate_system() {
        assert_eq!(Coordinates::Plane.distance([0.0, 0.0], [3.0, 4.0]), 5.0);
        // One degree of latitude is a 360th of the meridian circle of the mean Earth.
        let degree = Coordinates::Degrees.distance([52.0, 13.0], [53.0, 13.0]);
        assert!((degree - EARTH_RADIUS.to_radians()).abs() < 1e-6 * degree);
        assert_eq!(Coordinates::Degrees.distance([10.0, 20.0], [10.0, 20.0]), 0.0);
    }

    #[test]
    fn z_values_interleave_columns_and_rows() {
        let points = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 4.0], [3.0, 5.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        assert_eq!(places.z_values(), [0, 1, 10, 36, 39]);
    }

    #[test]
    fn any_coordinates_keep_their_order_along_an_axis() {
        let points = vec![[-3.5, 9.0], [0.25, 9.0], [77.0, 9.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        assert!(places.z_values().is_sorted());
    }
}
