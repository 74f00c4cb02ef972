//! The points that no other point beats on both axes, joined by a stair.
//!
//! The stair says what can be had: between two of its corners nothing was measured, and nothing better is claimed.

use throng_contract::Better;

use super::Chart;
use super::drawing::Drawing;
use super::frame::Frame;

pub(super) fn draw(chart: &Chart, better: [Better; 2], frame: &Frame, drawing: &mut Drawing) {
    let points = chart.series.iter().flat_map(|series| &series.points);
    // What has no place on the axes cannot beat what has.
    let drawn = points.filter(|point| point.height().is_some_and(|y| frame.place(point.x, y).is_some()));
    let places: Vec<[f64; 2]> = drawn.filter_map(|point| Some([point.x, point.height()?])).collect();
    let corners: Vec<[f64; 2]> =
        unbeaten(&places, better).into_iter().filter_map(|[x, y]| frame.place(x, y)).collect();
    for pair in corners.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        // Between two points the worse of both is all that is known to be had.
        let turn = if better[0] == Better::High { [from[0], to[1]] } else { [to[0], from[1]] };
        drawing.line("axis", from, turn);
        drawing.line("axis", turn, to);
    }
}

/// The points that no other is at least as good as on both axes and better on one, from left to right.
fn unbeaten(points: &[[f64; 2]], better: [Better; 2]) -> Vec<[f64; 2]> {
    let cost = |point: [f64; 2]| {
        let part = |axis: usize| match better[axis] {
            Better::Low => point[axis],
            Better::High => -point[axis],
            Better::Neither => 0.0,
        };
        [part(0), part(1)]
    };
    let beats = |a: [f64; 2], b: [f64; 2]| {
        let (a, b) = (cost(a), cost(b));
        a[0] <= b[0] && a[1] <= b[1] && a != b
    };
    let mut kept: Vec<[f64; 2]> =
        points.iter().copied().filter(|point| !points.iter().any(|other| beats(*other, *point))).collect();
    kept.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_points_that_nothing_beats_are_on_the_frontier() {
        let points = [[1.0, 9.0], [2.0, 4.0], [3.0, 5.0], [4.0, 4.0], [5.0, 1.0]];
        assert_eq!(unbeaten(&points, [Better::Low, Better::Low]), [[1.0, 9.0], [2.0, 4.0], [5.0, 1.0]]);
        assert_eq!(
            unbeaten(&points, [Better::High, Better::High]),
            [[1.0, 9.0], [3.0, 5.0], [4.0, 4.0], [5.0, 1.0]]
        );
    }
}
