//! The promise in words and in symbols, the verdict, and who gave it.

use super::Evidence;
use super::html::{self, code};
use crate::manifest::{Manifest, PromiseEntry};
use crate::plot::{escape, grouped};

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let manifest = evidence.manifest;
    let symbols = evidence.promise.symbols(evidence.promised);
    let content = format!(
        "<div class=\"card\">\n<p class=\"words\">{}</p>\n<p class=\"symbols\">{}: {}</p>\n</div>\n{}{}",
        escape(&manifest.promise.statement),
        escape(&written(&manifest.promise)),
        escape(&symbols),
        sensitive(&manifest.promise),
        verdict(manifest, evidence.secret()),
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
    let (checked, program) = (grouped(manifest.verdict.checked), escape(&manifest.program));
    let answer = match (manifest.verdict.holds, secret) {
        (true, true) => "The budget was kept.",
        (true, false) => "The promise holds.",
        (false, _) => "The promise does not hold.",
    };
    let answer = format!("<span class=\"verdict\">{answer}</span>");
    if secret {
        return format!(
            "<p>{answer} The method paid for each of {checked} groups of noisy counts from a ledger, whose paths {program} \
             added up again before anything was written. The released files alone prove nothing: nobody can see in them \
             how much noise was drawn. This promise has to be trusted to whoever ran the program.</p>\n"
        );
    }
    format!(
        "<p>{answer} It was checked by {program}, with its checker for {}, which went through {checked} distinct cases of the \
         finished release and found none that breaks it. The checker shares no counting code with the method that made \
         the release, and counts people, not rows.</p>\n",
        code(&manifest.promise.name)
    )
}
