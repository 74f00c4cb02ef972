//! What attackers could do before and after, as curves with their numbers.

mod table;
mod together;

use throng_data::EventKind;

use super::Evidence;
use super::html::{self, paragraph};
use crate::plot::{Axis, Chart, ChartKind, Point, Series, figure, grouped, percent};
use throng_release::risk::{Crowds, Risk};
use throng_release::rounding::Rounding;

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let risk = evidence.exact.map_or(&evidence.manifest.risk, |exact| &exact.risk);
    let content = if evidence.secret() {
        paragraph(
            "No attack was simulated: its result would tell exact numbers of the data, which the noise is there to hide.",
        )
    } else if evidence.manifest.form.as_ref().is_some_and(|form| form.name == "counts") {
        paragraph("The release has no records, so there is no person to look for in it.")
    } else if let (true, Some(Rounding::Withheld(why))) =
        (risk.points.is_empty(), &evidence.manifest.rounding)
    {
        paragraph(&format!("Withheld: {why}, and shares of so few would speak of single ones."))
    } else if risk.points.is_empty() && evidence.manifest.kind == EventKind::Absent {
        paragraph("No attack is told: the release was made before attacks on tables were.")
    } else if risk.points.is_empty() {
        paragraph("No record of this release stands for a person, so no attack on one was simulated.")
    } else if let Some(columns) = &risk.table {
        let method = method(risk, "columns", evidence.exact.is_none());
        format!("{}{}{}{method}", table::words(risk), table::risks(columns), charts(risk, "Columns"))
    } else {
        let words = words(risk, evidence.manifest.kind, known_of_promise(evidence));
        let method = method(risk, "events", evidence.exact.is_none());
        format!("{words}{}{}{method}", charts(risk, "Events"), together::tables(&risk.together))
    };
    html::section("risk", "What an attacker could do", &content)
}

/// How many known events the promise speaks of; none where it speaks of any number.
fn known_of_promise(evidence: &Evidence<'_>) -> Option<u64> {
    evidence.promise.assumes(evidence.promised).known.filter(|known| *known != u64::MAX)
}

fn words(risk: &Risk, kind: EventKind, promised: Option<u64>) -> String {
    let how = |times: bool| match (times, kind) {
        (true, _) => "with their times",
        (false, EventKind::Sequence) => "in their order",
        (false, EventKind::Set | EventKind::Absent) => "in no order",
    };
    let columns = if risk.columns { ", and all published columns," } else { "," };
    let mut text = paragraph(&format!(
        "An attacker knows some events of a person, {}{columns} and looks for everybody who fits. The person is singled out \
         when no one else fits.",
        how(risk.times)
    ));
    if risk.times_before && !risk.times {
        text.push_str(&paragraph(
            "The data had times and the release has none: in the data the attacker looks for the events with their times.",
        ));
    }
    let told = promised.and_then(|known| risk.points.iter().find(|point| point.known == known));
    let told = told.or(risk.points.last());
    if let Some(point) = told {
        let events = if point.known == 1 { "event" } else { "events" };
        text.push_str(&paragraph(&format!(
            "An attacker who knows {} {events} singles out {} of the people in the original data, and {} in the release.",
            point.known,
            percent(point.before.singled_out),
            percent(point.after.singled_out)
        )));
    }
    if let (Some(known), Some(last)) = (promised, risk.points.last())
        && last.known > known
    {
        text.push_str(&paragraph(&format!(
            "The promise ends at {known} known {}. Beyond it the release may give more away: with {} known events {} are singled \
             out, and {} are among fewer than 5.",
            if known == 1 { "event" } else { "events" },
            last.known,
            percent(last.after.singled_out),
            percent(last.after.below_5)
        )));
    }
    text
}

fn charts(risk: &Risk, what: &str) -> String {
    let alone = chart(risk, what, "risk-alone", "Share of people singled out: no one else fits", |crowds| {
        (crowds.singled_out, crowds.interval)
    });
    let few = chart(risk, what, "risk-few", "Share of people among fewer than 5 who fit", |crowds| {
        (crowds.below_5, crowds.below_5_interval)
    });
    format!("<div class=\"pair\">\n{}{}</div>\n", figure(&alone), figure(&few))
}

fn chart(
    risk: &Risk,
    what: &str,
    id: &str,
    title: &str,
    share: impl Fn(&Crowds) -> (f64, Option<[f64; 2]>),
) -> Chart {
    let series = |name: &str, of: &dyn Fn(usize) -> Crowds| {
        let points = risk.points.iter().enumerate().map(|(index, point)| {
            let (y, interval) = share(&of(index));
            Point { x: point.known as f64, y: Some(y), interval, label: None }
        });
        Series { name: name.to_owned(), points: points.collect() }
    };
    let series = vec![
        // As in the workbench: the release is the unbroken line.
        series("release", &|index| risk.points[index].after),
        series("data", &|index| risk.points[index].before),
    ];
    Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        description: description(&series),
        form: ChartKind::Lines,
        x: Axis::around(format!("{what} of a person the attacker knows")),
        y: Axis::share("Share of people"),
        series,
    }
}

fn description(series: &[Series]) -> String {
    let ends = series.iter().filter_map(|series| {
        let (first, last) = (series.points.first()?, series.points.last()?);
        Some(format!(
            "In the {} it goes from {} for {} known to {} for {} known.",
            series.name,
            percent(first.y?),
            first.x,
            percent(last.y?),
            last.x
        ))
    });
    ends.collect::<Vec<_>>().join(" ")
}

fn method(risk: &Risk, what: &str, rounded: bool) -> String {
    let who = match (risk.sampled, risk.targets) {
        (true, 0) => "a random sample of the people".to_owned(),
        (false, 0) => "all people".to_owned(),
        (true, targets) => format!("a random sample of {} people", grouped(targets)),
        (false, targets) => format!("all {} people", grouped(targets)),
    };
    let more = match (rounded, risk.sampled) {
        (true, _) => " Shares are rounded.",
        (false, true) => " Bars show where the share among all people lies with 95 % confidence.",
        (false, false) => "",
    };
    format!(
        "<p class=\"soft\">Simulated for {who}, whose known {what} were drawn at random; the same targets and {what} before and \
         after.{more}</p>\n"
    )
}
