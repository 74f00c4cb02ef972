//! The smallest convex area around some points.

/// The corners of the convex hull, in order around it; all points if fewer than three differ.
///
/// # Reference
/// Andrew. Another efficient algorithm for convex hulls in two dimensions. Information Processing Letters 9(5), 1979.
pub(super) fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
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
            && turn(a, b, point) <= 0.0
        {
            side.pop();
        }
        side.push(point);
    }
    side.pop();
    side
}

/// Positive where the way from `a` over `b` to `c` turns left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_inside_and_on_the_edges_are_no_corners() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let mut points = square.to_vec();
        points.extend([[1.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.0]]);
        let mut corners = hull(&points);
        assert_eq!(corners.len(), 4);
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(corners, [[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]]);
    }

    #[test]
    fn points_on_a_line_have_its_ends_as_hull() {
        assert_eq!(hull(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), [[0.0, 0.0], [2.0, 2.0]]);
        assert_eq!(hull(&[[1.0, 1.0], [1.0, 1.0]]), [[1.0, 1.0]]);
        assert!(hull(&[]).is_empty());
    }
}
