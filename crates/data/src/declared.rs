//! Ranges that a publisher declares for columns: public knowledge such as "ages lie between 0 and 120".
//!
//! A declared bound says nothing of the people in the data: it is the same whatever the age of the oldest person is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::table::{ColumnKind, position};

/// The smallest and the largest value that a column of numbers or dates may hold, both of them allowed. Written `LOW..HIGH`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct DeclaredRange {
    low: String,
    high: String,
}

impl DeclaredRange {
    /// Its ends among the values of a column; `None` if they are not of that type, or do not ascend.
    pub fn ends(&self, kind: ColumnKind) -> Option<(f64, f64)> {
        let (low, high) = (position(&self.low, kind)?, position(&self.high, kind)?);
        (low < high).then_some((low, high))
    }

    /// The smallest value allowed, as written.
    pub fn low(&self) -> &str {
        &self.low
    }

    /// The largest value allowed, as written.
    pub fn high(&self) -> &str {
        &self.high
    }
}

impl fmt::Display for DeclaredRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}..{}", self.low, self.high)
    }
}

impl From<DeclaredRange> for String {
    fn from(range: DeclaredRange) -> String {
        range.to_string()
    }
}

impl TryFrom<String> for DeclaredRange {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for DeclaredRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str =
            "a range is two numbers or two dates, the smaller one first: 0..120, 1900-01-01..2030-12-31";
        let (low, high) = text.split_once("..").ok_or(FORM)?;
        let range = DeclaredRange { low: low.trim().to_owned(), high: high.trim().to_owned() };
        let fits = [ColumnKind::Number, ColumnKind::Date].iter().any(|kind| range.ends(*kind).is_some());
        fits.then_some(range).ok_or(FORM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_or_dates_ascend() {
        for text in ["0..120", "-5..5", "0.5..9.25", "1e3..1e4", "1900-01-01..2030-12-31"] {
            assert_eq!(text.parse::<DeclaredRange>().map(|range| range.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "..", "5", "5..5", "9..1", "0..", "a..b", "0..2020-01-01", "0..120..130"] {
            assert!(text.parse::<DeclaredRange>().is_err(), "{text}");
        }
    }
}
