//! What attackers could do before and after, as curves with their numbers.

use super::Evidence;
use super::html::{self, paragraph};
use crate::measures::{Crowds, Risk};
use crate::plot::{Axis, Chart, Form, Point, Series, figure, grouped, percent};

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let risk = &evidence.manifest.risk;
    let content = if evidence.secret() {
        paragraph(
            "No attack was simulated: its result would tell exact numbers of the data, which the noise is there to hide.",
        )
    } else if risk.points.is_empty() {
        paragraph("No record of this release stands for a person, so no attack on one was simulated.")
    } else {
        format!("{}{}{}", words(risk, known_of_promise(evidence)), charts(risk), method(risk))
    };
    html::section("risk", "What an attacker could do", &content)
}

/// How many known events the promise speaks of; none where it speaks of any number.
fn known_of_promise(evidence: &Evidence<'_>) -> Option<u64> {
    evidence.promise.assumes(evidence.promised).known.filter(|known| *known != u64::MAX)
}

fn words(risk: &Risk, promised: Option<u64>) -> String {
    let how = if risk.times { "with their times" } else { "in their order" };
    let mut text = paragraph(&format!(
        "An attacker knows some events of a person, {how}, and looks for everybody who fits. The person is singled out when \
         nobody else fits."
    ));
    let told = promised.and_then(|known| risk.points.iter().find(|point| point.known == known));
    let told = told.or(risk.points.last());
    if let Some(point) = told {
        let events = if point.known == 1 { "event" } else { "events" };
        text.push_str(&paragraph(&format!(
            "Whoever knows {} {events} singled out {} of the people in the data as they were, and singles out {} in the release.",
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

fn charts(risk: &Risk) -> String {
    let alone = chart(risk, "risk-alone", "Share of people singled out: nobody else fits", |crowds| {
        (crowds.singled_out, crowds.interval)
    });
    let few = chart(risk, "risk-few", "Share of people among fewer than 5 who fit", |crowds| {
        (crowds.below_5, crowds.below_5_interval)
    });
    format!("<div class=\"pair\">\n{}{}</div>\n", figure(&alone), figure(&few))
}

fn chart(risk: &Risk, id: &str, title: &str, share: impl Fn(&Crowds) -> (f64, Option<[f64; 2]>)) -> Chart {
    let series = |name: &str, of: &dyn Fn(usize) -> Crowds| {
        let points = risk.points.iter().enumerate().map(|(index, point)| {
            let (y, interval) = share(&of(index));
            Point { x: point.known as f64, y: Some(y), interval, label: None }
        });
        Series { name: name.to_owned(), points: points.collect() }
    };
    let series = vec![
        series("data", &|index| risk.points[index].before),
        series("release", &|index| risk.points[index].after),
    ];
    Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        description: description(&series),
        form: Form::Lines,
        x: Axis::around("Events of a person the attacker knows"),
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

fn method(risk: &Risk) -> String {
    let who = if risk.sampled { "a random sample of " } else { "all " };
    let bars = if risk.sampled {
        " Bars show where the share among all people lies with 95 % confidence."
    } else {
        ""
    };
    format!(
        "<p class=\"soft\">Simulated for {who}{} people, whose known events were drawn at random; the same targets and events \
         before and after.{bars}</p>\n",
        grouped(risk.targets)
    )
}
