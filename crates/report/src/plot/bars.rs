//! Bars beside each other, hatched differently.

use std::fmt::Write;

use super::drawing::{Drawing, coordinate};
use super::frame::Frame;
use super::marks::{whisker, words_of};
use super::style::colour;
use super::{Chart, Spacing, escape};

pub(super) fn draw(chart: &Chart, frame: &Frame, drawing: &mut Drawing) {
    let mut patterns = String::new();
    for series in 1..chart.series.len() {
        patterns.push_str(&pattern(chart, series));
    }
    if !patterns.is_empty() {
        drawing.raw(&format!("<defs>\n{patterns}</defs>\n"));
    }
    let places = match &chart.x.spacing {
        Spacing::Categories(names) => names.len(),
        _ => frame.x.ticks.len(),
    };
    let group = frame.x.slot(places) * 0.78;
    let wide = (group / chart.series.len().max(1) as f64).min(56.0);
    let floor = frame.y.floor();
    for (index, series) in chart.series.iter().enumerate() {
        let offset = (index as f64 - chart.series.len() as f64 / 2.0) * wide;
        let hatch = hatching(chart, index);
        for point in &series.points {
            let Some([x, y]) = point.height().and_then(|y| frame.place(point.x, y)) else { continue };
            let corner = [x + offset + 0.5, y.min(floor)];
            let size = [(wide - 1.0).max(0.5), (floor - y).abs()];
            drawing.bar(index, hatch.as_deref(), corner, size, &words_of(chart, series, point));
            whisker(point, index, [x + offset + wide / 2.0, y], frame, drawing);
        }
    }
}

/// The pattern that fills the bars of a series; the first is full.
pub(super) fn hatching(chart: &Chart, series: usize) -> Option<String> {
    (series > 0).then(|| format!("{}-hatch-{series}", escape(&chart.id)))
}

/// Stripes, each series with its own angle and distance.
fn pattern(chart: &Chart, series: usize) -> String {
    let id = hatching(chart, series).unwrap_or_default();
    let angle = [45, 135, 0, 90, 20, 70, 110, 160][(series - 1) % 8];
    let apart = 5.0 + ((series - 1) / 8) as f64 * 2.0;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<pattern id=\"{id}\" class=\"{}\" patternUnits=\"userSpaceOnUse\" width=\"{apart}\" height=\"{apart}\" \
         patternTransform=\"rotate({angle})\"><line class=\"stroke\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"{}\"/></pattern>",
        colour(series),
        coordinate(apart)
    );
    text
}
