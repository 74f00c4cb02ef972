//! A comparison on one page that needs nothing else: plots with their numbers, what failed and why, the recipe.

use super::cell::Cell;
use super::charts::Charts;
use super::grid::Planned;
use super::recipe::Comparing;
use super::table::Table;
use throng_report::plot::{escape, figure, page};

pub(super) fn render(
    comparing: &Comparing,
    planned: &[Planned],
    cells: &[Cell],
    charts: &Charts,
    results: &Table,
) -> String {
    let mut body = format!("<header>\n<h1>{}</h1>\n", escape(&comparing.title));
    if let Some(about) = &comparing.about {
        body.push_str(&format!("<p>{}</p>\n", escape(about.trim())));
    }
    body.push_str(&format!("<p class=\"soft\">{}</p>\n</header>\n<main>\n", count(comparing, cells)));
    body.push_str("<section>\n<h2>Plots</h2>\n");
    charts.results.iter().for_each(|chart| body.push_str(&figure(chart)));
    body.push_str("</section>\n");
    if !charts.runtime.is_empty() {
        body.push_str("<section>\n<h2>Runtime</h2>\n<p>Wall-clock time of the method alone, as measured in this run.</p>\n");
        charts.runtime.iter().for_each(|chart| body.push_str(&figure(chart)));
        body.push_str("</section>\n");
    }
    body.push_str(&failures(comparing, planned, cells));
    body.push_str(&format!("<section>\n<h2>All numbers</h2>\n{}</section>\n", table(results)));
    body.push_str(&format!(
        "<section>\n<h2>Recipe</h2>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Recipe\">\
         <pre>{}</pre></div>\n</section>\n",
        lines(&comparing.text)
    ));
    body.push_str(&format!(
        "</main>\n<footer><p>Made by throng {}.</p></footer>\n",
        env!("CARGO_PKG_VERSION")
    ));
    page(&comparing.title, &body)
}

fn count(comparing: &Comparing, cells: &[Cell]) -> String {
    let done = cells.iter().filter(|cell| cell.outcome.reason().is_none()).count();
    let broken = cells.iter().filter(|cell| cell.outcome.is_broken()).count();
    let data: Vec<&str> = comparing.data.iter().map(|(label, _)| label.as_str()).collect();
    let methods: Vec<&str> = comparing.methods.iter().map(|method| method.label.as_str()).collect();
    let failed = match cells.len() - done {
        0 => "every release keeps its promise, as judged by the promise's own checker".to_owned(),
        failed if broken == 0 => format!("{failed} without a release, listed below"),
        failed => format!(
            "{failed} without a release, listed below; {broken} of them follow a paper to the letter and break their \
             promise, and are measured all the same"
        ),
    };
    let words = format!("{} on {}: {} cells, {failed}.", methods.join(", "), data.join(", "), cells.len());
    escape(&words)
}

fn failures(comparing: &Comparing, planned: &[Planned], cells: &[Cell]) -> String {
    let mut rows = String::new();
    for (planned, cell) in planned.iter().zip(cells) {
        let Some(reason) = cell.outcome.reason() else { continue };
        rows.push_str(&format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
            escape(&planned.words(comparing)),
            cell.outcome.word(),
            escape(&reason)
        ));
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<section>\n<h2>Cells without a release</h2>\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Cells without a release\"><table>\n\
         <thead><tr><th scope=\"col\">cell</th><th scope=\"col\">outcome</th><th scope=\"col\">why</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n</section>\n"
    )
}

/// The table behind everything, folded away.
fn table(results: &Table) -> String {
    let shown: Vec<usize> = results.filled();
    let mut text = String::from(
        "<details><summary>One row a cell</summary>\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"All numbers\"><table>\n<thead><tr>",
    );
    for at in &shown {
        text.push_str(&format!("<th scope=\"col\">{}</th>", escape(&results.columns[*at].replace('_', " "))));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &results.rows {
        text.push_str("<tr>");
        for at in &shown {
            text.push_str(&format!("<td>{}</td>", escape(&super::table::rounded(&row[*at]))));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div></details>\n");
    text
}

/// Text with its lines kept.
fn lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
