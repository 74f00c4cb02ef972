//! Charts as SVG: for the report, for comparison pages, and as files of their own.
//!
//! A [`Chart`] is plain data. [`inline`] draws it for a page that carries [`STYLE`], [`standalone`] as a file that
//! carries its own. Each drawing has a name and a description for those who cannot see it, and [`figure`] puts the
//! numbers behind it beside it. Nothing is told by colour alone: series differ in marker, dash and hatching too. Colours
//! are CSS variables, so that one drawing serves light screens, dark screens and paper; that, and the accessible names,
//! are why no plotting library is used: they write fixed colours and fonts into the drawing.
//!
//! A [`Map`] shows places and areas around places that became one. [`page()`] makes a page that stands alone.
//!
//! # Guarantees
//! Same data, same bytes. Every name is escaped. A value that is absent, not finite, or not positive on a logarithmic
//! axis leaves a gap and is never drawn as something else.

mod bars;
mod drawing;
mod frame;
mod frontier;
mod hull;
mod legend;
mod lines;
mod map;
mod marks;
mod numbers;
mod page;
mod scale;
mod style;
mod table;

use throng_contract::Better;

use self::drawing::Drawing;
use self::frame::Frame;
pub use self::hull::hull;
pub use self::map::{Area, Map, Spot, map};
pub use self::numbers::{escape, figures, grouped, percent};
pub use self::page::page;
pub use self::style::STYLE;
pub use self::table::{csv, figure, table};

/// A chart, before it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Unique on its page; letters, digits and dashes.
    pub id: String,
    /// What is shown, in a line.
    pub title: String,
    /// What there is to see, for those who cannot: one or two sentences.
    pub description: String,
    /// How the points are drawn.
    pub form: ChartKind,
    /// Across.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is compared.
    pub series: Vec<Series>,
}

/// How the points of a chart are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartKind {
    /// Markers joined by lines, in the order of `x`.
    Lines,
    /// Bars beside each other at each place of `x`, which has to be of categories.
    Bars,
    /// Markers with their labels.
    Scatter,
    /// Markers with their labels, and a stair through those that no other beats on both axes.
    Frontier {
        /// Which way `x` is better.
        x: Better,
        /// Which way `y` is better.
        y: Better,
    },
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// How values are spaced.
    pub spacing: Spacing,
    /// Whether values are shares, written in percent.
    pub share: bool,
}

/// How values are spaced along an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Spacing {
    /// Evenly, with zero on the axis.
    FromZero,
    /// Evenly, around the values.
    Around,
    /// By factors; only positive values have a place.
    Log,
    /// One place each: the value of a point is the position of its category.
    Categories(Vec<String>),
}

impl Axis {
    /// Numbers, from zero.
    pub fn from_zero(label: impl Into<String>) -> Self {
        Axis { label: label.into(), spacing: Spacing::FromZero, share: false }
    }

    /// Numbers, wherever they are.
    pub fn around(label: impl Into<String>) -> Self {
        Axis { spacing: Spacing::Around, ..Axis::from_zero(label) }
    }

    /// Positive numbers, by factors.
    pub fn log(label: impl Into<String>) -> Self {
        Axis { spacing: Spacing::Log, ..Axis::from_zero(label) }
    }

    /// Shares of a whole, from zero, written in percent.
    pub fn share(label: impl Into<String>) -> Self {
        Axis { share: true, ..Axis::from_zero(label) }
    }

    /// One place for each name.
    pub fn categories(label: impl Into<String>, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Axis { spacing: Spacing::Categories(names), ..Axis::from_zero(label) }
    }
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<Point>,
}

impl Series {
    /// Points without labels and intervals: `x`, and `y` where there is one.
    pub fn of(name: impl Into<String>, points: impl IntoIterator<Item = (f64, Option<f64>)>) -> Self {
        let point = |(x, y)| Point { x, y, interval: None, label: None };
        Series { name: name.into(), points: points.into_iter().map(point).collect() }
    }
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Upwards; absent where there is none, which leaves a gap.
    pub y: Option<f64>,
    /// Between which values it lies, where that is known.
    pub interval: Option<[f64; 2]>,
    /// A name of its own.
    pub label: Option<String>,
}

impl Point {
    /// The value upwards, where it is a number.
    fn height(&self) -> Option<f64> {
        self.y.filter(|y| y.is_finite() && self.x.is_finite())
    }
}

/// The drawing for a page that carries [`STYLE`].
pub fn inline(chart: &Chart) -> String {
    draw(chart, false)
}

/// The drawing as a file of its own.
pub fn standalone(chart: &Chart) -> String {
    draw(chart, true)
}

fn draw(chart: &Chart, standalone: bool) -> String {
    let frame = Frame::of(chart);
    let mut drawing = Drawing::begin(&chart.id, &chart.title, &chart.description, frame.size(), standalone);
    frame.draw(chart, &mut drawing);
    match chart.form {
        ChartKind::Lines => lines::draw(chart, &frame, &mut drawing),
        ChartKind::Bars => bars::draw(chart, &frame, &mut drawing),
        ChartKind::Scatter => marks::draw(chart, &frame, &mut drawing),
        ChartKind::Frontier { x, y } => {
            frontier::draw(chart, [x, y], &frame, &mut drawing);
            marks::draw(chart, &frame, &mut drawing);
        }
    }
    legend::draw(chart, &frame, &mut drawing);
    drawing.end()
}

#[cfg(test)]
mod tests;
