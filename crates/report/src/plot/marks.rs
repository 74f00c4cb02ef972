//! Markers of single points, their intervals, and labels where there is room for them.

use super::drawing::{Anchor, Drawing, shortened, width};
use super::frame::{Frame, WIDTH};
use super::numbers::{figures, percent};
use super::style::{colour, marker};
use super::{Axis, Chart, Point, Series, Spacing};

/// A box that is taken: left, top, right, bottom.
type Taken = [f64; 4];

pub(super) fn draw(chart: &Chart, frame: &Frame, drawing: &mut Drawing) {
    let mut placed = Vec::new();
    for (index, series) in chart.series.iter().enumerate() {
        for point in &series.points {
            let Some(place) = point.height().and_then(|y| frame.place(point.x, y)) else { continue };
            whisker(point, index, place, frame, drawing);
            drawing.mark(index, marker(index), place, 4.4, &words_of(chart, series, point));
            placed.push((place, point.label.as_deref().unwrap_or_default()));
        }
    }
    let around = |[x, y]: [f64; 2]| [x - 5.0, y - 5.0, x + 5.0, y + 5.0];
    let mut taken: Vec<Taken> = placed.iter().map(|(place, _)| around(*place)).collect();
    for (place, label) in placed.iter().filter(|(_, label)| !label.is_empty()) {
        label_beside(*place, &shortened(label, 150.0), &mut taken, drawing);
    }
}

/// Tries right, left, above and below. A label that fits nowhere is left out: the table has it.
fn label_beside([x, y]: [f64; 2], label: &str, taken: &mut Vec<Taken>, drawing: &mut Drawing) {
    let (wide, tall) = (width(label), 13.0);
    let spots = [
        ([x + 9.0, y + 4.0], Anchor::Start, x + 9.0),
        ([x - 9.0, y + 4.0], Anchor::End, x - 9.0 - wide),
        ([x, y - 9.0], Anchor::Middle, x - wide / 2.0),
        ([x, y + 18.0], Anchor::Middle, x - wide / 2.0),
    ];
    for (at, anchor, left) in spots {
        let area = [left, at[1] - tall + 2.0, left + wide, at[1] + 2.0];
        let inside = area[0] >= 0.0 && area[2] <= WIDTH && area[1] >= 0.0;
        if inside && taken.iter().all(|other| apart(area, *other)) {
            drawing.word("name", at, anchor, label);
            taken.push(area);
            return;
        }
    }
}

fn apart(a: Taken, b: Taken) -> bool {
    a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]
}

/// The interval of a point, as a line with two ends.
pub(super) fn whisker(point: &Point, series: usize, place: [f64; 2], frame: &Frame, drawing: &mut Drawing) {
    let Some([low, high]) = point.interval else { return };
    let (Some(low), Some(high)) = (frame.y.place(low), frame.y.place(high)) else { return };
    let class = format!("hair {}", colour(series));
    let x = place[0];
    drawing.line(&class, [x, low], [x, high]);
    for end in [low, high] {
        drawing.line(&class, [x - 3.5, end], [x + 3.5, end]);
    }
}

/// What a pointer resting on a point shows.
pub(super) fn words_of(chart: &Chart, series: &Series, point: &Point) -> String {
    let name = point.label.as_deref().unwrap_or(&series.name);
    let y = value_text(&chart.y, point.y.unwrap_or(f64::NAN));
    let mut text = format!("{name}: {}, {y}", value_text(&chart.x, point.x));
    if let Some([low, high]) = point.interval {
        text.push_str(&format!(" ({} to {})", value_text(&chart.y, low), value_text(&chart.y, high)));
    }
    text
}

/// A value as its axis writes it.
pub(super) fn value_text(axis: &Axis, value: f64) -> String {
    match &axis.spacing {
        Spacing::Categories(names) => {
            let at = if value >= 0.0 { names.get(value.round() as usize) } else { None };
            at.cloned().unwrap_or_default()
        }
        _ if axis.share => percent(value),
        _ => figures(value),
    }
}
