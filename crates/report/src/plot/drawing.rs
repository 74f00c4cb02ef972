//! SVG as text: well-formed, escaped, one decimal for each coordinate.

use std::fmt::Write;

use super::numbers::escape;
use super::style::{GROUND, Marker, STYLE, colour, dashes};

/// Where a text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing in the making.
pub(super) struct Drawing {
    text: String,
}

impl Drawing {
    pub fn begin(id: &str, title: &str, description: &str, size: [f64; 2], standalone: bool) -> Self {
        let id = escape(id);
        let [width, height] = size.map(coordinate);
        let mut text = String::from("<svg ");
        if standalone {
            let _ =
                write!(text, "xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" ");
        }
        let _ = writeln!(
            text,
            "class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>",
            escape(title),
            escape(description)
        );
        if standalone {
            let _ = writeln!(
                text,
                "<style>\n{STYLE}{GROUND}</style>\n<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>"
            );
        }
        Drawing { text }
    }

    pub fn end(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// A line with a class.
    pub fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let ([x1, y1], [x2, y2]) = (from.map(coordinate), to.map(coordinate));
        let _ =
            writeln!(self.text, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// The line of a series through some points.
    pub fn path(&mut self, series: usize, points: &[[f64; 2]]) {
        let dash = match dashes(series) {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let points = joined(points);
        let _ =
            writeln!(self.text, "<polyline class=\"stroke {}\"{dash} points=\"{points}\"/>", colour(series));
    }

    /// A closed area, perhaps filled with a pattern.
    pub fn area(&mut self, class: &str, fill: Option<&str>, corners: &[[f64; 2]], title: &str) {
        let fill = fill.map_or_else(String::new, |fill| format!(" style=\"fill: url(#{fill})\""));
        let _ = writeln!(
            self.text,
            "<polygon class=\"{class}\"{fill} points=\"{}\">{}</polygon>",
            joined(corners),
            tooltip(title)
        );
    }

    /// The marker of a point. The title is what a pointer resting on it shows.
    pub fn mark(&mut self, series: usize, shape: Marker, at: [f64; 2], size: f64, title: &str) {
        let [x, y] = at;
        let class = colour(series);
        let title = tooltip(title);
        let s = size;
        let closed = |corners: &[[f64; 2]]| joined(corners);
        let element = match shape {
            Marker::Disc | Marker::Ring => {
                let fill = if shape == Marker::Disc { "full" } else { "open" };
                let [cx, cy, r] = [x, y, s].map(coordinate);
                format!("circle class=\"{fill} {class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\"")
            }
            Marker::Square | Marker::Frame | Marker::Triangle | Marker::Wedge | Marker::Diamond => {
                let fill = if shape == Marker::Frame { "open" } else { "full" };
                let corners = match shape {
                    Marker::Triangle => {
                        closed(&[[x, y - 1.2 * s], [x + 1.1 * s, y + 0.8 * s], [x - 1.1 * s, y + 0.8 * s]])
                    }
                    Marker::Wedge => {
                        closed(&[[x, y + 1.2 * s], [x + 1.1 * s, y - 0.8 * s], [x - 1.1 * s, y - 0.8 * s]])
                    }
                    Marker::Diamond => {
                        closed(&[[x, y - 1.3 * s], [x + 1.3 * s, y], [x, y + 1.3 * s], [x - 1.3 * s, y]])
                    }
                    _ => {
                        let h = 0.9 * s;
                        closed(&[[x - h, y - h], [x + h, y - h], [x + h, y + h], [x - h, y + h]])
                    }
                };
                format!("polygon class=\"{fill} {class}\" points=\"{corners}\"")
            }
            Marker::Cross | Marker::Plus => {
                let (a, b) = if shape == Marker::Cross { (s, s) } else { (1.2 * s, 0.0) };
                let ends = [[x - a, y - b], [x + a, y + b], [x - b, y + a], [x + b, y - a]];
                let [p, q, r, t] = ends.map(|[x, y]| format!("{} {}", coordinate(x), coordinate(y)));
                format!("path class=\"stroke {class}\" d=\"M{p}L{q}M{r}L{t}\"")
            }
        };
        let name = element.split(' ').next().unwrap_or_default().to_owned();
        let _ = match title.as_str() {
            "" => writeln!(self.text, "<{element}/>"),
            title => writeln!(self.text, "<{element}>{title}</{name}>"),
        };
    }

    /// A bar, hatched by its series.
    pub fn bar(&mut self, series: usize, fill: Option<&str>, corner: [f64; 2], size: [f64; 2], title: &str) {
        let ([x, y], [width, height]) = (corner.map(coordinate), size.map(coordinate));
        let fill = fill.map_or_else(String::new, |fill| format!(" style=\"fill: url(#{fill})\""));
        let _ = writeln!(
            self.text,
            "<rect class=\"full {}\"{fill} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{}</rect>",
            colour(series),
            tooltip(title)
        );
    }

    /// Words.
    pub fn word(&mut self, class: &str, at: [f64; 2], anchor: Anchor, words: &str) {
        self.turned(class, at, anchor, 0.0, words);
    }

    /// Words at an angle, in degrees.
    pub fn turned(&mut self, class: &str, at: [f64; 2], anchor: Anchor, angle: f64, words: &str) {
        let [x, y] = at.map(coordinate);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let turn = if angle == 0.0 {
            String::new()
        } else {
            format!(" transform=\"rotate({} {x} {y})\"", coordinate(angle))
        };
        let _ =
            writeln!(self.text, "<text{class} x=\"{x}\" y=\"{y}\"{anchor}{turn}>{}</text>", escape(words));
    }

    /// Text that is SVG already.
    pub fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

fn tooltip(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) }
}

fn joined(points: &[[f64; 2]]) -> String {
    let points = points.iter().map(|point| point.map(coordinate).join(","));
    points.collect::<Vec<_>>().join(" ")
}

/// One decimal, and no zero with a sign.
pub(super) fn coordinate(value: f64) -> String {
    let tenths = (value * 10.0).round();
    let tenths = if tenths.is_finite() { tenths as i64 } else { 0 };
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        (0, rest) if rest < 0 => format!("-0.{}", rest.abs()),
        (whole, rest) => format!("{whole}.{}", rest.abs()),
    }
}

/// About how wide a text is; letters differ, so this errs to the wide side.
pub(super) fn width(text: &str) -> f64 {
    let letter = |c: char| if (c as u32) < 0x1100 { 8.2 } else { 15.0 };
    text.chars().map(letter).sum()
}

/// The text, or its beginning where it is wider than there is room.
pub(super) fn shortened(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short) + 14.0 > room {
            break;
        }
        short.push(c);
    }
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_one_decimal_at_most() {
        let texts = [1.0, 1.25, -0.04, -0.26, -3.51, 1e300, f64::NAN].map(coordinate);
        assert_eq!(texts[..5], ["1", "1.3", "0", "-0.3", "-3.5"]);
        assert_eq!(texts[6], "0");
    }

    #[test]
    fn long_texts_are_cut_where_they_would_not_fit() {
        assert_eq!(shortened("seqanon", 80.0), "seqanon");
        assert_eq!(shortened("a very long name", 70.0), "a very…");
    }
}
