//! Which line is which: beside their ends where few lines have short names, above the plot otherwise.

use super::drawing::{Anchor, Drawing, shortened, width};
use super::frame::{Frame, WIDTH};
use super::style::{colour, marker};
use super::{Chart, ChartKind, bars};

const ROW: f64 = 19.0;
const SAMPLE: f64 = 34.0;
/// Names beside the ends of lines take at most so much of the width.
const BESIDE: f64 = 96.0;

#[derive(PartialEq)]
enum Kind {
    Nothing,
    Beside,
    Above,
}

fn kind(chart: &Chart) -> Kind {
    let short = chart.series.iter().all(|series| width(&series.name) <= BESIDE - 10.0);
    let ends = chart.series.iter().all(|series| series.points.iter().any(|point| point.height().is_some()));
    match chart.series.len() {
        0 | 1 => Kind::Nothing,
        2..=4 if chart.form == ChartKind::Lines && short && ends => Kind::Beside,
        _ => Kind::Above,
    }
}

/// Room the legend needs above the plot.
pub(super) fn height(chart: &Chart) -> f64 {
    if kind(chart) == Kind::Above { rows(chart).last().map_or(0.0, |(_, y, _)| y + ROW) } else { 0.0 }
}

/// Room the legend needs to the right of the plot.
pub(super) fn margin(chart: &Chart) -> f64 {
    if kind(chart) != Kind::Beside {
        return 0.0;
    }
    chart.series.iter().map(|series| width(&series.name)).fold(0.0, f64::max) + 16.0
}

/// Corner and name of each entry, filled row by row.
fn rows(chart: &Chart) -> Vec<(f64, f64, String)> {
    let (mut x, mut y) = (0.0, 0.0);
    let mut entries = Vec::new();
    for series in &chart.series {
        let name = shortened(&series.name, WIDTH - SAMPLE - 8.0);
        let wide = SAMPLE + width(&name) + 14.0;
        if x > 0.0 && x + wide > WIDTH {
            (x, y) = (0.0, y + ROW);
        }
        entries.push((x, y, name));
        x += wide;
    }
    entries
}

pub(super) fn draw(chart: &Chart, frame: &Frame, drawing: &mut Drawing) {
    match kind(chart) {
        Kind::Nothing => {}
        Kind::Beside => beside(chart, frame, drawing),
        Kind::Above => above(chart, drawing),
    }
}

fn above(chart: &Chart, drawing: &mut Drawing) {
    for (index, (x, y, name)) in rows(chart).into_iter().enumerate() {
        let middle = y + 10.0;
        match chart.form {
            ChartKind::Bars => {
                let hatch = bars::hatching(chart, index);
                drawing.bar(index, hatch.as_deref(), [x + 8.0, middle - 6.0], [16.0, 12.0], "");
            }
            ChartKind::Lines => {
                drawing.path(index, &[[x + 2.0, middle], [x + 28.0, middle]]);
                drawing.mark(index, marker(index), [x + 15.0, middle], 3.6, "");
            }
            ChartKind::Scatter | ChartKind::Frontier { .. } => {
                drawing.mark(index, marker(index), [x + 18.0, middle], 4.2, "");
            }
        }
        drawing.word("name", [x + SAMPLE, y + 14.5], Anchor::Start, &name);
    }
}

/// Names at the ends of their lines, pushed apart where the lines end close together.
fn beside(chart: &Chart, frame: &Frame, drawing: &mut Drawing) {
    const APART: f64 = 16.0;
    let end = |index: usize| {
        let points = chart.series[index].points.iter().rev();
        points.filter_map(|point| frame.place(point.x, point.height()?)).next()
    };
    let mut ends: Vec<(usize, [f64; 2])> =
        (0..chart.series.len()).filter_map(|index| Some((index, end(index)?))).collect();
    ends.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]).then(a.0.cmp(&b.0)));
    let mut lowest = f64::NEG_INFINITY;
    let mut heights: Vec<f64> = Vec::new();
    for (_, [_, y]) in &ends {
        lowest = y.max(lowest + APART);
        heights.push(lowest);
    }
    // Those pushed out at the bottom push the others back up.
    let mut highest = frame.bottom;
    for height in heights.iter_mut().rev() {
        *height = height.min(highest);
        highest = *height - APART;
    }
    for ((index, _), y) in ends.iter().zip(heights) {
        let class = format!("word {}", colour(*index));
        let at = [frame.right + 8.0, y + 4.0];
        drawing.word(&class, at, Anchor::Start, &chart.series[*index].name);
    }
}
