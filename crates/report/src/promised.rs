//! The promise in words and in symbols, the verdict, and who gave it.

use super::Evidence;
use super::html::{self, code, paragraph};
use crate::plot::{escape, grouped};
use throng_release::manifest::{Manifest, PromiseEntry};

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let manifest = evidence.manifest;
    let symbols = evidence.promise.symbols(evidence.promised);
    let content = format!(
        "<div class=\"card\">\n<p class=\"words\">{}</p>\n<p class=\"symbols\">{}: {}</p>\n</div>\n{}{}{}{}",
        escape(&manifest.promise.statement),
        escape(&written(&manifest.promise)),
        escape(&symbols),
        sensitive(&manifest.promise),
        verdict(manifest, evidence.secret()),
        also(manifest),
        columns(manifest),
    );
    html::section("promise", "What is promised", &content)
}

/// `km(k = 5, m = 2)`.
fn written(promise: &PromiseEntry) -> String {
    let values = promise.parameters.iter().map(|(name, value)| match value.as_str() {
        Some(word) => format!("{name} = {word}"),
        None => format!("{name} = {value}"),
    });
    format!("{}({})", promise.name, values.collect::<Vec<_>>().join(", "))
}

/// What must not be inferred, where the promise speaks of it.
fn sensitive(promise: &PromiseEntry) -> String {
    const LISTED: usize = 40;
    let values = promise.sensitive_values.iter().map(|(column, value)| format!("{column} = {value}"));
    let all: Vec<String> = promise.sensitive_items.iter().cloned().chain(values).collect();
    if all.is_empty() {
        return String::new();
    }
    format!("<p>Sensitive are {}.</p>\n", html::listed(&all, LISTED, ", "))
}

/// What was checked. A promise about noise cannot be seen in the files, and the page must not pretend it can.
fn verdict(manifest: &Manifest, secret: bool) -> String {
    let program = escape(&manifest.program);
    let exposed = manifest.columns_verdict.as_ref().filter(|columns| !columns.covered);
    let (class, answer) = match (manifest.verdict.holds, exposed) {
        (true, Some(columns)) => ("verdict doubtful", columns.statement.as_str()),
        (true, None) if secret => ("verdict", "The budget was kept."),
        (true, None) => ("verdict", "The promise holds."),
        (false, _) => ("verdict doubtful", "The promise does not hold."),
    };
    let answer = format!("<span class=\"{class}\">{}</span>", escape(answer));
    if secret {
        return format!(
            "<p>{answer} The method paid for each group of noisy counts from a ledger, whose paths {program} added up again \
             before anything was written. The released files alone prove nothing: they do not show how much noise \
             was drawn. Readers have to trust the publisher for this promise.</p>\n"
        );
    }
    let cases = manifest.verdict.checked.map_or_else(|| "all".to_owned(), grouped);
    format!(
        "<p>{answer} It was checked by {program}, with its checker for {}, which went through {cases} distinct cases of the \
         finished release and found none that breaks it. The checker shares no counting code with the method that made \
         the release, and counts people, not rows.</p>\n",
        code(&manifest.promise.name)
    )
}

/// Further promises, each checked by its own checker.
fn also(manifest: &Manifest) -> String {
    let kept = manifest.also.iter().map(|also| {
        format!(
            "<p>The release also keeps {}: {} Its own checker judged that before anything was written.</p>\n",
            code(&written(&also.promise)),
            escape(&also.promise.statement)
        )
    });
    kept.collect()
}

/// What the published columns give away: a verdict of its own.
fn columns(manifest: &Manifest) -> String {
    let Some(columns) = &manifest.columns_verdict else { return String::new() };
    if columns.covered {
        return paragraph(&columns.statement);
    }
    paragraph(&format!(
        "By the published columns alone {} people are in groups of fewer than {}, {} of them alone. The publisher accepted that.",
        grouped(columns.people_below),
        columns.crowd,
        grouped(columns.unique)
    ))
}
