//! Columns that identify people directly: names, numbers of documents, e-mail, telephone, addresses, accounts, devices, free text.
//!
//! A promise about crowds does not help a person whose name is in the release, be it as one of two: `{Rowe323|Runte676}` names both. So these columns are
//! recognised ([`direct_identifier`]), proposed as identifying with the reason, and refused in a release unless the publisher accepts the column by name.
//!
//! What a column is called decides first (`names`, in seven languages), where its values do not contradict; then what its values look like (`patterns`); then whether
//! nearly every row has a text of its own. Numbers and dates that are nearly unique (incomes, coordinates, dates of birth) are not names: they are what an
//! attacker may know.
//!
//! # Guarantees
//! A [`DirectIdentifier`] has a kind and counts, and no value of the data. The same values give the same answer in any order.
//! # Cost
//! One pass over the first 10,000 values.

mod names;
mod patterns;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;

use super::looks::Looks;
use crate::{Column, ColumnKind};

/// What identifies a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdentifierKind {
    /// Names of people.
    Name,
    /// Numbers of documents and insurances.
    Document,
    /// E-mail addresses.
    Email,
    /// Telephone numbers.
    Telephone,
    /// Where a person lives, to the house.
    Address,
    /// Accounts, cards and user names.
    Account,
    /// Numbers of devices, and their addresses.
    Device,
    /// Numbers that an organisation gives a person.
    PersonNumber,
    /// Sentences.
    FreeText,
    /// A value of its own for nearly every row.
    OwnValue,
}

impl IdentifierKind {
    /// The field's words.
    pub const fn words(self) -> &'static str {
        match self {
            IdentifierKind::Name => "names of people",
            IdentifierKind::Document => "numbers of documents",
            IdentifierKind::Email => "e-mail addresses",
            IdentifierKind::Telephone => "telephone numbers",
            IdentifierKind::Address => "addresses",
            IdentifierKind::Account => "accounts",
            IdentifierKind::Device => "numbers or addresses of devices",
            IdentifierKind::PersonNumber => "numbers of people",
            IdentifierKind::FreeText => "free text",
            IdentifierKind::OwnValue => "a value of its own for nearly every row",
        }
    }
}

/// Why a column identifies people directly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DirectIdentifier {
    /// What it holds.
    pub kind: IdentifierKind,
    /// Why that is thought.
    pub reason: String,
}

/// Values that are looked at.
const LOOKED_AT: usize = 10_000;

/// Different values of a column, and how many rows have one.
pub(super) struct Values<'v> {
    pub distinct: Vec<&'v str>,
    pub filled: usize,
}

impl<'v> Values<'v> {
    fn of(cells: impl Iterator<Item = &'v str>) -> Self {
        let (mut seen, mut filled, mut distinct) = (HashSet::new(), 0, Vec::new());
        for cell in cells.map(str::trim).filter(|cell| !cell.is_empty()).take(LOOKED_AT) {
            filled += 1;
            if seen.insert(cell) {
                distinct.push(cell);
            }
        }
        Values { distinct, filled }
    }

    /// Whether nearly every row has a value of its own.
    fn nearly_unique(&self) -> bool {
        self.filled > 1 && self.distinct.len() * 10 >= self.filled * 9
    }

    /// Whether at least every other row has a value of its own.
    fn mostly_own(&self) -> bool {
        self.distinct.len() * 2 >= self.filled
    }

    /// Whether a few values come back again and again: yes and no, kinds, countries.
    fn is_category(&self, few: usize) -> bool {
        self.distinct.len() <= few && self.distinct.len() * 5 <= self.filled
    }

    fn are_numbers(&self) -> bool {
        self.distinct.iter().all(|value| value.parse::<f64>().is_ok())
    }

    fn are_times(&self) -> bool {
        !self.are_numbers() && super::written_time(self.distinct.iter().copied()).is_some()
    }
}

/// Different values up to which a column with the name of a document or telephone holds categories, if they come back often.
const CATEGORIES: usize = 20;

/// The same for names of people: yes, no and unknown.
const ANSWERS: usize = 3;

/// Different values from which on a column with a name such as `name` holds names.
const MANY_NAMES: usize = 50;

/// Whether a column of that name and these values identifies people directly.
pub fn direct_identifier<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> Option<DirectIdentifier> {
    judge(name, &Values::of(values))
}

/// The same of a column of a table.
pub fn direct_identifier_of(column: &Column, people: usize) -> Option<DirectIdentifier> {
    if column.kind() == ColumnKind::Date {
        return None;
    }
    let texts: Vec<String> = (0..people.min(LOOKED_AT)).map(|person| column.text(person)).collect();
    direct_identifier(&column.name, texts.iter().map(String::as_str))
}

/// The same of items: only a pattern of their names tells, since every item has a name of its own.
pub fn direct_identifier_of_items<'v>(names: impl Iterator<Item = &'v str>) -> Option<DirectIdentifier> {
    let values = Values::of(names);
    let kind = patterns::of_items(&values)?;
    Some(DirectIdentifier { kind, reason: by_values(kind) })
}

/// The same of what was looked at already.
pub(super) fn of_looks(name: &str, looks: &Looks) -> Option<DirectIdentifier> {
    let distinct = looks.values.names().map(str::trim).filter(|value| !value.is_empty()).collect();
    judge(name, &Values { distinct, filled: looks.filled })
}

fn by_values(kind: IdentifierKind) -> String {
    format!("its values look like {}", kind.words())
}

fn judge(name: &str, values: &Values<'_>) -> Option<DirectIdentifier> {
    if values.filled == 0 || values.are_times() {
        return None;
    }
    let found = |kind, reason| Some(DirectIdentifier { kind, reason });
    if let Some(kind) = patterns::of(values) {
        return found(kind, by_values(kind));
    }
    if let Some(called) = names::called(name).filter(|called| agree(called, values)) {
        return found(called.kind, format!("its name is that of a column of {}", called.kind.words()));
    }
    if values.nearly_unique() && !names::is_known(name) {
        let counted =
            format!("{} of {} rows have a value of their own", values.distinct.len(), values.filled);
        if !values.are_numbers() && !patterns::are_measures(values) {
            return found(IdentifierKind::OwnValue, counted);
        }
        if names::is_number_of_something(name) {
            return found(
                IdentifierKind::OwnValue,
                format!("its name is that of a row number, and {counted}"),
            );
        }
    }
    None
}

/// Whether values do not contradict what the column is called.
fn agree(called: &names::Called, values: &Values<'_>) -> bool {
    match called.kind {
        IdentifierKind::Name | IdentifierKind::Address | IdentifierKind::FreeText if values.are_numbers() => {
            false
        }
        IdentifierKind::Name if called.sure => !values.is_category(ANSWERS),
        IdentifierKind::FreeText => values.mostly_own() && patterns::words(values) >= 3,
        IdentifierKind::Name => values.mostly_own() || values.distinct.len() >= MANY_NAMES,
        _ if called.sure => !values.is_category(CATEGORIES),
        _ => values.mostly_own(),
    }
}
