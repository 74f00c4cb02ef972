//! Margins, grid, axes and their words.

use super::drawing::{Anchor, Drawing, shortened, width};
use super::legend;
use super::scale::Scale;
use super::{Chart, ChartKind, Spacing};

/// Drawings are narrow, so that letters stay readable on a telephone.
pub(super) const WIDTH: f64 = 480.0;
const PLOT_HEIGHT: f64 = 220.0;
const TOP: f64 = 14.0;
/// Room for the words under the axis, and for its label.
const WORDS: f64 = 24.0;
const LABEL: f64 = 22.0;
/// Markers keep away from the edges.
const INSET: f64 = 14.0;
/// Words that would touch are turned by so much.
const TURN: f64 = -35.0;

/// Where things are.
pub(super) struct Frame {
    /// Across.
    pub x: Scale,
    /// Upwards.
    pub y: Scale,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    height: f64,
    turned: bool,
}

impl Frame {
    pub fn of(chart: &Chart) -> Self {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let heights: Vec<f64> = points()
            .filter_map(|p| p.height())
            .chain(points().filter_map(|p| p.interval).flatten())
            .collect();
        let across: Vec<f64> = points().filter(|p| p.height().is_some()).map(|p| p.x).collect();

        let top = TOP + legend::height(chart) + if chart.y.label.is_empty() { 0.0 } else { 18.0 };
        let bottom = top + PLOT_HEIGHT;
        let y = Scale::fit(&chart.y, &heights, bottom, top, 0);
        let widest = y.ticks.iter().map(|(_, text)| width(text)).fold(0.0, f64::max);
        let left = (widest + 14.0).clamp(36.0, 130.0);
        let right = WIDTH - legend::margin(chart).max(16.0);
        let inset = if matches!(chart.x.spacing, Spacing::Categories(_)) { 0.0 } else { INSET };
        let inset = if chart.form == ChartKind::Bars { 0.0 } else { inset };
        let x = Scale::fit(&chart.x, &across, left + inset, right - inset, 8);
        let longest = x.ticks.iter().map(|(_, text)| width(text)).fold(0.0, f64::max);
        let turned = matches!(chart.x.spacing, Spacing::Categories(_)) && longest > x.slot(x.ticks.len());
        let words = if turned { (longest * 0.6 + 16.0).min(110.0) } else { WORDS };
        let label = if chart.x.label.is_empty() { 0.0 } else { LABEL };
        Frame { x, y, left, right, top, bottom, height: bottom + words + label + 4.0, turned }
    }

    pub fn size(&self) -> [f64; 2] {
        [WIDTH, self.height]
    }

    pub fn draw(&self, chart: &Chart, drawing: &mut Drawing) {
        for (value, text) in &self.y.ticks {
            let Some(y) = self.y.place(*value) else { continue };
            drawing.line("grid", [self.left, y], [self.right, y]);
            drawing.word("", [self.left - 8.0, y + 4.0], Anchor::End, text);
        }
        drawing.line("axis", [self.left, self.bottom], [self.right, self.bottom]);
        self.draw_places(drawing);
        if !chart.x.label.is_empty() {
            let room = self.right - self.left + 30.0;
            let middle = (self.left + self.right) / 2.0;
            let label = shortened(&chart.x.label, room);
            drawing.word("name", [middle, self.height - 8.0], Anchor::Middle, &label);
        }
        if !chart.y.label.is_empty() {
            let label = shortened(&chart.y.label, WIDTH - 12.0);
            drawing.word("name", [2.0, self.top - 16.0], Anchor::Start, &label);
        }
    }

    /// The words under the axis; where there are too many, only some of them.
    fn draw_places(&self, drawing: &mut Drawing) {
        let slot = self.x.slot(self.x.ticks.len());
        let every = if self.turned { (15.0 / slot).ceil().max(1.0) as usize } else { 1 };
        for (value, text) in self.x.ticks.iter().step_by(every) {
            let Some(x) = self.x.place(*value) else { continue };
            drawing.line("axis", [x, self.bottom], [x, self.bottom + 4.0]);
            if self.turned {
                let at = [x + 4.0, self.bottom + 14.0];
                drawing.turned("", at, Anchor::End, TURN, &shortened(text, 140.0));
            } else {
                drawing.word("", [x, self.bottom + 18.0], Anchor::Middle, text);
            }
        }
    }

    /// The place of a point.
    pub fn place(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        Some([self.x.place(x)?, self.y.place(y)?])
    }
}
