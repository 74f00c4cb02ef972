//! Why events cannot be prepared.

use thiserror::Error;
use throng_contract::{Class, Failing, Help};
use throng_data::StagingError;

use crate::units::UnitError;

/// Why events cannot be prepared.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum ReshapeError {
    #[error("`{text}` is not a condition")]
    Condition { text: String },
    #[error("`{text}` is not a span of time")]
    Bin { text: String },
    #[error("`{text}` is not a moment")]
    Moment { text: String },
    #[error("the events have no times")]
    NoTimes,
    #[error("no column of the data gives a category to each item")]
    NoCategories,
    #[error("no column of the data says where items are")]
    NoPlaces,
    #[error("the people have no attribute `{name}`")]
    Column { name: String },
    #[error("item `{name}` has no group")]
    NoGroup { name: String },
    #[error("the grid would have more than 4294967295 cells")]
    TooManyCells,
    #[error("nothing is left of the events")]
    NothingLeft,
    #[error(transparent)]
    Unit(#[from] UnitError),
    #[error(transparent)]
    Output(#[from] StagingError),
}

impl Failing for ReshapeError {
    fn class(&self) -> Class {
        match self {
            ReshapeError::NoGroup { .. } | ReshapeError::NothingLeft => Class::BadInput,
            ReshapeError::Unit(error) => error.class(),
            ReshapeError::Output(error) => error.class(),
            _ => Class::Usage,
        }
    }

    fn help(&self) -> Option<Help> {
        let help = match self {
            ReshapeError::Condition { .. } => {
                "write `item=a|b`, `hour=8..17`, `weekday=1..5` or `age=20..29`"
            }
            ReshapeError::Bin { .. } => "choose one of hour, part-of-day, day, week",
            ReshapeError::Moment { .. } => {
                "write a date such as 2024-02-29, or a number where times are numbers"
            }
            ReshapeError::NoTimes => "name their column with {time COLUMN}",
            ReshapeError::NoCategories => {
                "name the column with {category COLUMN}, together with {lat} and {lon}"
            }
            ReshapeError::NoPlaces => "name the columns with {lat COLUMN} {lon COLUMN}, or {x} and {y}",
            ReshapeError::Column { .. } => "name the columns that belong to people with {attributes COLUMNS}",
            ReshapeError::NoGroup { .. } => {
                "give every item a group: a line `item,group` in the file of {map}"
            }
            ReshapeError::TooManyCells => "choose larger cells with {cell}",
            ReshapeError::NothingLeft => "widen the period or the conditions",
            ReshapeError::Unit(error) => return error.help(),
            ReshapeError::Output(error) => return error.help(),
        };
        Some(help.into())
    }
}
