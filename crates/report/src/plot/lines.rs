//! Markers joined by lines. A point without a value breaks the line.

use super::Chart;
use super::drawing::Drawing;
use super::frame::Frame;
use super::marks::{whisker, words_of};
use super::style::marker;

pub(super) fn draw(chart: &Chart, frame: &Frame, drawing: &mut Drawing) {
    for (index, series) in chart.series.iter().enumerate() {
        let mut points: Vec<_> = series.points.iter().filter(|point| point.x.is_finite()).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let places: Vec<Option<[f64; 2]>> =
            points.iter().map(|point| frame.place(point.x, point.height()?)).collect();
        for run in places.split(Option::is_none).filter(|run| run.len() > 1) {
            let run: Vec<[f64; 2]> = run.iter().copied().flatten().collect();
            drawing.path(index, &run);
        }
        for (point, place) in points.iter().zip(&places) {
            let Some(place) = place else { continue };
            whisker(point, index, *place, frame, drawing);
            drawing.mark(index, marker(index), *place, 3.8, &words_of(chart, series, point));
        }
    }
}
