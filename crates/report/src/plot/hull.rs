//! The smallest convex area around some points.

use robust::{Coord, orient2d};

/// The corners of the convex hull, counter-clockwise; the two ends of points on a line, and one point where all are the same.
///
/// Turns are judged exactly, also for places that lie nearly on a line.
///
/// # Reference
/// Andrew. Another efficient algorithm for convex hulls in two dimensions. Information Processing Letters 9(5), 1979.
pub fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = points.to_vec();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut around = chain(points.iter().copied());
    let back = chain(points.iter().rev().copied());
    around.extend(back);
    around
}

/// One side of the hull, without its last corner.
fn chain(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let mut side: Vec<[f64; 2]> = Vec::new();
    for point in points {
        while let [.., a, b] = side[..]
            && !turns_left(a, b, point)
        {
            side.pop();
        }
        side.push(point);
    }
    side.pop();
    side
}

/// Whether the way from `a` over `b` to `c` turns left.
fn turns_left(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let [a, b, c] = [a, b, c].map(|[x, y]| Coord { x, y });
    orient2d(a, b, c) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_inside_and_on_the_edges_are_no_corners() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let mut points = square.to_vec();
        points.extend([[1.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.0]]);
        assert_eq!(hull(&points), square);
    }

    #[test]
    fn points_on_a_line_have_its_ends_as_hull() {
        assert_eq!(hull(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), [[0.0, 0.0], [2.0, 2.0]]);
        assert_eq!(hull(&[[1.0, 1.0], [1.0, 1.0]]), [[1.0, 1.0]]);
        assert!(hull(&[]).is_empty());
    }

    #[test]
    fn a_turn_that_rounding_would_lose_is_seen() {
        // Rounded differences say that the three lie on a line; the first one lies a little above it.
        let (b, c) = ([12.0, 12.0], [24.0, 24.0]);
        assert!(turns_left([0.5, 0.5_f64.next_up()], b, c) && !turns_left([0.5, 0.5], b, c));
    }
}
