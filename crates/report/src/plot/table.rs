//! The numbers behind a drawing, for those who cannot see it and those who want them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::marks::value_text;
use super::{Chart, ChartKind, Point, escape, inline};

/// The drawing with its caption and its numbers, for a page that carries [`super::STYLE`].
pub fn figure(chart: &Chart) -> String {
    format!(
        "<figure id=\"{}\">\n{}<figcaption>{}</figcaption>\n{}</figure>\n",
        escape(&chart.id),
        inline(chart),
        escape(&chart.title),
        table(chart)
    )
}

/// The numbers behind a drawing, folded away.
pub fn table(chart: &Chart) -> String {
    let rows = match chart.form {
        ChartKind::Lines | ChartKind::Bars => by_place(chart),
        ChartKind::Scatter | ChartKind::Frontier { .. } => by_point(chart),
    };
    format!(
        "<details class=\"numbers\"><summary>The numbers behind it</summary>\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Numbers: {}\">\n<table>\n{rows}</table></div></details>\n",
        escape(&chart.title)
    )
}

/// A row for each place, a column for each series.
fn by_place(chart: &Chart) -> String {
    let mut text = format!("<thead><tr><th scope=\"col\">{}</th>", escape(&chart.x.label));
    for series in &chart.series {
        let _ = write!(text, "<th scope=\"col\">{}</th>", escape(&series.name));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    let points = chart.series.iter().flat_map(|series| &series.points);
    let mut places: Vec<f64> = points.map(|point| point.x).filter(|x| x.is_finite()).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let cells: Vec<BTreeMap<u64, &Point>> = chart
        .series
        .iter()
        .map(|series| series.points.iter().map(|point| (point.x.to_bits(), point)).collect())
        .collect();
    for x in places {
        let _ = write!(text, "<tr><th scope=\"row\">{}</th>", escape(&value_text(&chart.x, x)));
        for points in &cells {
            let value = points.get(&x.to_bits()).map_or_else(String::new, |point| cell(chart, point));
            let _ = write!(text, "<td>{value}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n");
    text
}

/// A row for each point.
fn by_point(chart: &Chart) -> String {
    let mut text = String::from("<thead><tr>");
    let (x, y) = (chart.x.label.as_str(), chart.y.label.as_str());
    for name in ["", "Setting", x, y] {
        let _ = match name {
            "" => write!(text, "<td></td>"),
            name => write!(text, "<th scope=\"col\">{}</th>", escape(name)),
        };
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for series in &chart.series {
        for point in &series.points {
            let _ = writeln!(
                text,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&series.name),
                escape(point.label.as_deref().unwrap_or_default()),
                escape(&value_text(&chart.x, point.x)),
                cell(chart, point)
            );
        }
    }
    text.push_str("</tbody>\n");
    text
}

fn cell(chart: &Chart, point: &Point) -> String {
    let Some(y) = point.height() else { return "–".to_owned() };
    let mut text = escape(&value_text(&chart.y, y));
    if let Some([low, high]) = point.interval {
        let [low, high] = [low, high].map(|end| escape(&value_text(&chart.y, end)));
        let _ = write!(text, " <span class=\"interval\">({low} to {high})</span>");
    }
    text
}

/// The same for programs: `series,label,x,y,low,high`, a row for each point, absent values empty.
pub fn csv(chart: &Chart) -> String {
    let mut text = String::from("series,label,x,y,low,high\n");
    let number = |value: Option<f64>| value.filter(|value| value.is_finite()).map(|value| value.to_string());
    for series in &chart.series {
        for point in &series.points {
            let x = match value_text(&chart.x, point.x) {
                name if matches!(chart.x.spacing, super::Spacing::Categories(_)) => quoted(&name),
                _ => number(Some(point.x)).unwrap_or_default(),
            };
            let [low, high] =
                [0, 1].map(|end| point.interval.and_then(|interval| number(Some(interval[end]))));
            let _ = writeln!(
                text,
                "{},{},{x},{},{},{}",
                quoted(&series.name),
                quoted(point.label.as_deref().unwrap_or_default()),
                number(point.y).unwrap_or_default(),
                low.unwrap_or_default(),
                high.unwrap_or_default()
            );
        }
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
