//! The attacker's curve as a small drawing: share of people singled out against events known.

use std::fmt::Write;

use crate::measures::RiskPoint;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 14.0;
const RIGHT: f64 = 96.0;

/// Two lines, before and after. The numbers stand in the table below it, for those who cannot see it.
pub(super) fn svg(points: &[RiskPoint]) -> String {
    let mut drawing = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=img aria-labelledby=curve-title>\n\
         <title id=curve-title>Share of people singled out, by number of events an attacker knows</title>\n"
    );
    let top = top_of_axis(points);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| part * top) {
        let y = height(tick / top);
        let _ = writeln!(
            drawing,
            "<line class=grid x1={LEFT} x2={:.1} y1={y:.1} y2={y:.1} /><text x={:.1} y={:.1} text-anchor=end>{} %</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            (tick * 1e4).round() / 100.0
        );
    }
    for (position, point) in points.iter().enumerate() {
        let x = across(position, points.len());
        let _ = writeln!(
            drawing,
            "<text x={x:.1} y={:.1} text-anchor=middle>{}</text>",
            HEIGHT - BOTTOM + 18.0,
            point.known
        );
    }
    let _ = writeln!(
        drawing,
        "<text x={:.1} y={:.1} text-anchor=middle>events an attacker knows</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 4.0
    );
    line(&mut drawing, "before", points, |point| point.before.singled_out / top);
    line(&mut drawing, "after", points, |point| point.after.singled_out / top);
    drawing.push_str("</svg>");
    drawing
}

fn line(drawing: &mut String, class: &str, points: &[RiskPoint], share: impl Fn(&RiskPoint) -> f64) {
    let place =
        |(position, point): (usize, &RiskPoint)| (across(position, points.len()), height(share(point)));
    let path: Vec<String> =
        points.iter().enumerate().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(drawing, "<polyline class={class} points=\"{}\" />", path.join(" "));
    for (x, y) in points.iter().enumerate().map(place) {
        let _ = writeln!(drawing, "<circle class={class} cx={x:.1} cy={y:.1} r=3.5 />");
    }
    if let Some((x, y)) = points.iter().enumerate().map(place).last() {
        // The two labels keep apart when the lines end close together.
        let shift = if class == "before" { -4.0 } else { 12.0 };
        let word = if class == "before" { "data" } else { "release" };
        let _ = writeln!(drawing, "<text class={class} x={:.1} y={:.1}>{word}</text>", x + 10.0, y + shift);
    }
}

/// The lowest of a few round shares that no point lies above: small risks must not look like none.
fn top_of_axis(points: &[RiskPoint]) -> f64 {
    let highest = points
        .iter()
        .flat_map(|point| [point.before.singled_out, point.after.singled_out])
        .fold(0.0, f64::max);
    [0.01, 0.02, 0.04, 0.1, 0.2, 0.4].into_iter().find(|top| highest <= *top).unwrap_or(1.0)
}

fn across(position: usize, points: usize) -> f64 {
    let room = WIDTH - RIGHT - LEFT - 40.0;
    LEFT + 20.0 + room * position as f64 / points.saturating_sub(1).max(1) as f64
}

fn height(share: f64) -> f64 {
    let bottom = HEIGHT - BOTTOM;
    bottom - (bottom - TOP) * share.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::Crowds;

    fn point(known: u64, before: f64, after: f64) -> RiskPoint {
        let crowds = |singled_out| Crowds { singled_out, below_5: 1.0, below_20: 1.0, interval: None };
        RiskPoint { known, before: crowds(before), after: crowds(after) }
    }

    #[test]
    fn the_axis_ends_at_a_round_share_above_all_points() {
        assert_eq!(top_of_axis(&[point(1, 0.0, 0.0), point(2, 0.057, 0.011)]), 0.1);
        assert_eq!(top_of_axis(&[point(1, 0.3, 0.9)]), 1.0);
        let drawing = svg(&[point(1, 0.0, 0.0), point(2, 0.1, 0.05)]);
        // The highest point touches the top, half of it the middle.
        assert!(drawing.contains("points=\"72.0,200.0 444.0,14.0\""), "{drawing}");
        assert!(drawing.contains("points=\"72.0,200.0 444.0,107.0\""), "{drawing}");
        assert!(drawing.contains(">7.5 %<") && drawing.contains(">10 %<"), "{drawing}");
    }
}
