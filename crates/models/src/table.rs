//! Promises about tables: one row a person, each cell a value or what a value may be.
//!
//! Rows that show the same in every quasi-identifying column form a *class*. Checkers look at classes, and that is enough for
//! an attacker who knows original values instead of released words. What an attacker knows of a person, a part of their
//! quasi-identifiers or all of them, fits every row whose cells may stand for it. Rows of one class fit it together or not
//! at all, so the people who fit are a union of whole classes, and the person's own class is among them (unless the row is
//! suppressed, and then it says nothing). If every class has `k` people, so has the union. If in no class a sensitive value
//! is too frequent, too certain, or too unlike the whole, then it is not in the union either: shares of a union lie between
//! those of its parts, entropy is concave and the earth mover's distance convex.
//!
//! A row is suppressed when all its cells are. It is in no class, and counted. A missing
//! quasi-identifying value is a value like any other: an attacker may know that it is missing. A missing sensitive value is none: it tells nothing,
//! and hides nothing (`histogram`).

pub(crate) mod classes;
mod histogram;
pub(crate) mod k_anonymity;
pub(crate) mod l_diversity;
pub(crate) mod t_closeness;

use std::collections::BTreeMap;

use throng_data::RecodedTable;

use self::classes::Classes;
use crate::choices::MissingValue;
use crate::{CheckError, Evidence, Verdict, Violation};

/// The table of a release, or the error that says there is none.
fn table_of<'a>(evidence: &Evidence<'a>, promise: &'static str) -> Result<&'a RecodedTable, CheckError> {
    evidence.release.table().ok_or(CheckError::Missing {
        promise,
        what: "a table: one row a person, with quasi-identifying columns",
        help: "for sequences and sets, ask for `km`",
    })
}

/// What a statement says of missing sensitive values.
fn missing_in_words(missing: MissingValue) -> &'static str {
    match missing {
        MissingValue::Value => " A missing value counts as a value.",
        MissingValue::LeftOut => " Missing values are left out.",
    }
}

/// A class that breaks a promise.
struct Broken {
    class: u32,
    details: BTreeMap<&'static str, String>,
}

/// The verdict from all broken classes, the smallest class first, then by what is written in its cells.
fn verdict(
    promise: &'static str,
    classes: &Classes<'_>,
    checked: u64,
    mut broken: Vec<Broken>,
    needed: u64,
    list: usize,
) -> Verdict {
    let mut violations_total = broken.len() as u64;
    if list == 0 {
        violations_total = violations_total.min(1);
    } else {
        broken.sort_by(|a, b| classes.compare(a.class, b.class).then_with(|| a.details.cmp(&b.details)));
    }
    let violations = broken.into_iter().take(list).map(|broken| Violation {
        pattern: classes.pattern(broken.class),
        support: classes.size(broken.class),
        needed,
        details: broken.details,
    });
    Verdict {
        promise,
        holds: violations_total == 0,
        checked,
        violations: violations.collect(),
        violations_total,
        ..Verdict::default()
    }
}

#[cfg(test)]
mod tests;
