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
}

impl Coordinates {
    /// The distance between two points of this system.
    #[inline]
    pub fn distance(self, a: [f64; 2], b: [f64; 2]) -> f64 {
        match self {
            Coordinates::Plane => (a[0] - b[0]).hypot(a[1] - b[1]),
            Coordinates::Degrees => {
                let (lat_a, lat_b) = (a[0].to_radians(), b[0].to_radians());
                let half_lat = ((lat_b - lat_a) / 2.0).sin();
                let half_lon = ((b[1] - a[1]).to_radians() / 2.0).sin();
                let h = half_lat * half_lat + lat_a.cos() * lat_b.cos() * half_lon * half_lon;
                2.0 * EARTH_RADIUS * h.sqrt().min(1.0).asin()
            }
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
}
