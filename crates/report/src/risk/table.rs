//! What attackers who know columns of a person can do with a table.

use crate::html::{Cell, Table, paragraph};
use crate::plot::percent;
use throng_release::risk::Risk;
use throng_release::table_risk::{AllKnown, Disclosure, TableRisk};

/// Who the attackers are, and what is promised against them.
pub(super) fn words(risk: &Risk) -> String {
    let mut text = paragraph(
        "An attacker knows some columns of a person, by their values in the data, and looks for every row that fits. The person is \
         singled out when no other row does. Who is suppressed is found among everybody.",
    );
    if let Some(point) = risk.points.last() {
        text.push_str(&paragraph(&format!(
            "An attacker who knows all {} columns singles out {} of the people in the original data, and {} in the release.",
            point.known,
            percent(point.before.singled_out),
            percent(point.after.singled_out)
        )));
    }
    text
}

/// The risks from an attacker who knows all columns.
pub(super) fn risks(table: &TableRisk) -> String {
    let TableRisk { before, after, by_chance, .. } = table;
    let mut rows = Table::new("Risks of people whose columns are all known", &["", "Data", "Release"]);
    let mut row = |what: &str, of: &dyn Fn(&AllKnown) -> Option<f64>| {
        let sides = [of(before), of(after)];
        if sides.iter().any(Option::is_some) {
            let [before, after] = sides.map(|share| share.map_or_else(|| "not told".to_owned(), percent));
            rows.row(&Cell::Text(what), &[Cell::Number(&before), Cell::Number(&after)]);
        }
    };
    row("Prosecutor: the highest risk of a person who is known to be there", &|all| all.prosecutor);
    row("Journalist: the same of some person who is there", &|all| all.journalist);
    row("Marketer: the average risk", &|all| Some(all.marketer));
    let disclosure =
        |of: fn(&Disclosure) -> Option<f64>| move |all: &AllKnown| all.disclosure.as_ref().and_then(of);
    row("How surely a sensitive value is guessed, on average", &disclosure(|told| Some(told.confidence)));
    row("How surely at most", &disclosure(|told| told.highest));
    row("People of whom a sensitive value is certain", &disclosure(|told| told.certain));
    let mut text = rows.render();
    text.push_str(&paragraph(
        "The risk of a person is one over the number of rows that fit; the highest is that of the smallest group of rows that look alike. \
         Without a table of the population, the journalist's risk is the prosecutor's.",
    ));
    if let Some(share) = by_chance {
        text.push_str(&paragraph(&format!(
            "The most frequent sensitive value is in {} of the published rows: so surely it is guessed of anybody, whatever is known.",
            percent(*share)
        )));
    }
    text
}
