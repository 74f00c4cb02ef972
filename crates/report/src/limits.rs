//! What is *not* promised, each in a plain sentence or two.
//!
//! # Reference
//! Minimality: Wong, Fu, Wang, Pei. VLDB 2007. Composition: Ganta, Kasiviswanathan, Smith. KDD 2008. Beyond `m`: de
//! Montjoye et al. Scientific Reports 3, 2013.

use std::fmt::Write;

use throng_data::Nature;

use super::Evidence;
use super::html;
use crate::plot::escape;

pub(super) fn section(evidence: &Evidence<'_>) -> String {
    let mut list = String::from("<dl>\n");
    for (what, why) in limits(evidence) {
        let _ = writeln!(list, "<dt>{}</dt><dd>{}</dd>", escape(&what), html::prose(&why));
    }
    list.push_str("</dl>\n");
    html::section("limits", "What is not promised", &list)
}

fn limits(evidence: &Evidence<'_>) -> Vec<(String, String)> {
    let manifest = evidence.manifest;
    let mut list: Vec<(String, String)> = Vec::new();
    let mut limit = |what: &str, why: &str| list.push((what.to_owned(), why.to_owned()));
    let notes = evidence.promise.descriptor().notes;
    if !notes.is_empty() {
        limit("Attackers outside the promise", notes);
    }
    if evidence.secret() {
        limit(
            "Several releases",
            "Budgets add up: two releases about the same people cost each of them the sum of both.",
        );
    } else {
        limit(
            "Several releases",
            "Promises do not add up. Two releases about the same people, each safe by itself, can be laid on top of each \
             other, and what fits both may be one person.",
        );
        limit(
            "Minimality",
            "Each change hints that the original was rare. An attacker who knows the method can sometimes infer more.",
        );
        limit(
            "Absence",
            "What is not there tells something too: that a released item or sequence does not occur says that no one did \
             it, or too few people.",
        );
    }
    match manifest.nature {
        Nature::Truthful => {}
        Nature::Perturbed => limit(
            "Truth of single records",
            "A record may hold events that never happened to the person behind it; only the whole is close to the data.",
        ),
        Nature::Synthetic if manifest.form.is_some() => limit(
            "Truth of single counts",
            "Every count has noise in it: small ones may be off by a large part of themselves.",
        ),
        Nature::Synthetic => limit(
            "Truth of single records",
            "Records were drawn from a model; no person stands behind them. Nothing in one of them has to have happened.",
        ),
    }
    if manifest.nature != Nature::Synthetic && manifest.form.is_none() {
        limit(
            "Order and number of records",
            "Records are numbered in an order drawn at random with a secret of the publisher's; there is nothing to read in it. \
             Which records are one person's is not told, but habits may give it away.",
        );
    }
    if !manifest.table.is_empty() {
        if let Some(verdict) = &manifest.columns_verdict {
            limit("Published columns", &verdict.statement);
        }
    } else if manifest.columns.is_empty() {
        limit("Published columns", "None: no attribute of a person is part of this release.");
    } else {
        limit(
            "Published columns",
            &format!(
                "These attributes are published with the events: {}. {} What they give away together with the events is not \
                 covered, unless the promise above speaks of them.",
                manifest.columns.join(", "),
                manifest.columns_verdict.as_ref().map_or("", |verdict| verdict.statement.as_str())
            ),
        );
    }
    if !manifest.accepted_identifiers.is_empty() {
        let named = manifest.accepted_identifiers.iter();
        let named: Vec<String> = named.map(|one| format!("{} ({})", one.column, one.holds)).collect();
        limit(
            "Direct identifiers",
            &format!(
                "The publisher accepted that these columns identify people directly: {}. The promise does not protect a person \
                 who is named in them.",
                named.join(", ")
            ),
        );
    }
    let cut = manifest.inputs.iter().filter(|input| input.cut_from_data);
    let cut: Vec<String> = cut.map(|input| format!("`{}`", input.role)).collect();
    if !cut.is_empty() {
        limit(
            "Cut from the data",
            &format!(
                "Made from the data themselves, and not from what everybody knows: {}. The names and the ends of ranges that come \
                 from there tell something of the data before anybody looks at a record.",
                cut.join(", ")
            ),
        );
    }
    for note in &manifest.notes {
        limit("Note", note);
    }
    list
}
