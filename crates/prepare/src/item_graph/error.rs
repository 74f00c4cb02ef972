//! Why a dataset has no graph of items.

use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help};
use throng_data::StagingError;

use super::MAX_PAIRS;

/// Why a dataset has no graph of items.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum ItemGraphError {
    #[error("sets of items have no order, so there are no moves between them")]
    NoOrder,
    #[error("no column of the data gives a category to each item")]
    NoCategories,
    #[error("no column of the data says where items are")]
    NoPlaces,
    #[error("the grid of regions would have more than 4294967295 cells")]
    NoRegions,
    #[error("no two items are joined by {min_people} people or more")]
    NothingLeft { min_people: u64 },
    #[error("records hold {pairs} pairs of items; {MAX_PAIRS} are the most that are counted")]
    TooManyPairs { pairs: u64 },
    #[error(transparent)]
    Output(#[from] StagingError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Failing for ItemGraphError {
    fn class(&self) -> Class {
        match self {
            ItemGraphError::NothingLeft { .. } => Class::Infeasible,
            ItemGraphError::TooManyPairs { .. } => Class::BadInput,
            ItemGraphError::Output(error) => error.class(),
            ItemGraphError::Cancelled(error) => error.class(),
            _ => Class::Usage,
        }
    }

    fn help(&self) -> Option<Help> {
        let help = match self {
            ItemGraphError::NoOrder => "join items of one record instead: {edges co-visits}",
            ItemGraphError::NoCategories => {
                "name the column with {category COLUMN}, give {places FILE} with categories, or take {labels same}"
            }
            ItemGraphError::NoPlaces => {
                "name the columns with {lat COLUMN} {lon COLUMN}, or {x} and {y}, or give {places FILE}"
            }
            ItemGraphError::NoRegions => "choose fewer with {regions}",
            ItemGraphError::NothingLeft { .. } => {
                "make places coarser first with {throng prepare events --cell SIDE}, or take a smaller {k}"
            }
            ItemGraphError::TooManyPairs { .. } => {
                "take {edges moves}, or make records shorter with {throng prepare events --max-length N}"
            }
            ItemGraphError::Output(error) => return error.help(),
            ItemGraphError::Cancelled(_) => return None,
        };
        Some(help.into())
    }
}
