//! Why a hierarchy cannot be made.

use thiserror::Error;
use throng_contract::{Class, Failing, Help, help};
use throng_data::limits::Limit;

/// Why a hierarchy cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum GenerateError {
    #[error("there is no value to put into a hierarchy")]
    Empty,
    #[error("a hierarchy needs one interval or more, and two nodes or more below a node")]
    Sizes,
    #[error("intervals are cut from numbers or dates, and these values are neither")]
    NoOrder,
    #[error("months and years are those of dates, and these values are none")]
    NoDates,
    #[error("neighbours on the map need places")]
    NoPlaces,
    #[error("no item has a category")]
    NoCategories,
    #[error("`{end}` is not {wanted}")]
    End { end: String, wanted: &'static str },
    #[error("the range from {from} to {to} is empty")]
    EmptyRange { from: String, to: String },
    #[error("{} outside the range from {from} to {to}", lying(*values))]
    Outside { values: usize, from: String, to: String },
    #[error("these numbers are too far apart, or written with too many digits, to be cut into intervals")]
    TooFine,
    #[error("a calendar of {days} days is longer than {most}")]
    TooLong { days: i64, most: i64 },
    #[error("{0}")]
    Limit(Limit),
    #[error("a value of the data ends with `*`, which is how masked values are written")]
    Masked,
}

fn lying(values: usize) -> String {
    match values {
        1 => "1 value of the data lies".to_owned(),
        _ => format!("{values} values of the data lie"),
    }
}

impl Failing for GenerateError {
    fn class(&self) -> Class {
        match self {
            GenerateError::Empty | GenerateError::TooFine | GenerateError::Masked => Class::BadInput,
            GenerateError::Limit(_) => Class::Infeasible,
            _ => Class::Usage,
        }
    }

    fn help(&self) -> Option<Help> {
        let help = match self {
            GenerateError::Empty => "choose a column that has values",
            GenerateError::Sizes => "give {bins 1} or more and {fan-out 2} or more",
            GenerateError::NoOrder => "use {by name}, {by frequency} or {by prefix}",
            GenerateError::NoDates => "write dates as 2024-02-29, or use another {by}",
            GenerateError::NoPlaces => {
                "give the file with coordinates with {places}, or columns of the data with {lat} and {lon}"
            }
            GenerateError::NoCategories => {
                "give a column `category` in the file of {places}, or a column of the data with {category}"
            }
            GenerateError::End { .. } => "write the ends as the data write their values",
            GenerateError::EmptyRange { .. } => "swap {from} and {to}",
            GenerateError::Outside { .. } => "widen {from} and {to}",
            GenerateError::TooFine => "round the numbers, or write the hierarchy by hand",
            GenerateError::TooLong { .. } => {
                "correct the dates that are centuries away, or cut intervals with {by width}"
            }
            GenerateError::Limit(limit) => {
                return Some(help!(
                    "make fewer levels: shorten the values, or group them with {by name}; or $",
                    limit.way_out()
                ));
            }
            GenerateError::Masked => "write the value otherwise",
        };
        Some(help.into())
    }
}
