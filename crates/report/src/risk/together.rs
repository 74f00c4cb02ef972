//! What attackers who know columns and events of a person can do, as a table for the release and one for the data.

use crate::html::{Cell, Table, paragraph};
use crate::plot::percent;
use throng_release::risk::Crowds;
use throng_release::together_risk::TogetherRisk;

/// Both tables; nothing where no column may be known beside the events.
pub(super) fn tables(together: &[TogetherRisk]) -> String {
    let Some(first) = together.first() else { return String::new() };
    let mut text = paragraph(
        "An attacker who knows some columns and some events of a person looks for everybody who fits both. Each cell is the share of people found among \
         fewer than 5 who fit; in brackets, of those who are singled out, since no one else fits.",
    );
    let mut head = vec!["Columns known".to_owned()];
    head.extend(first.points.iter().map(|point| match point.known {
        0 => "no events".to_owned(),
        1 => "and 1 event".to_owned(),
        known => format!("and {known} events"),
    }));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    for (name, after) in [("release", true), ("data", false)] {
        text.push_str(&format!("<h3>Columns and events of the {name}</h3>\n"));
        let mut table = Table::new(&format!("Columns and events of the {name} known together"), &head);
        for row in together {
            let lead = if row.columns == 0 { "none".to_owned() } else { row.columns.to_string() };
            let cells =
                row.points.iter().map(|point| share(if after { &point.after } else { &point.before }));
            let cells: Vec<String> = cells.collect();
            let cells: Vec<Cell<'_>> = cells.iter().map(|cell| Cell::Number(cell)).collect();
            table.row(&Cell::Text(&lead), &cells);
        }
        text.push_str(&table.render());
    }
    text
}

fn share(crowds: &Crowds) -> String {
    format!("{} ({})", percent(crowds.below_5), percent(crowds.singled_out))
}
