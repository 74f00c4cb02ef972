//! Which events to keep or drop: `COLUMN=a|b` or `COLUMN=low..high`.
//!
//! `item` and `category` are those of the event, `hour` (0 to 23) and `weekday` (1 is Monday) come from its time, any other column is an
//! attribute of the person.

use std::str::FromStr;

use throng_data::{Column, Dataset, ItemId};

use super::ReshapeError;
use super::times::{hour, weekday};

/// A condition on events.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    column: String,
    wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq)]
enum Wanted {
    OneOf(Vec<String>),
    Between(f64, f64),
}

impl FromStr for Condition {
    type Err = ReshapeError;

    fn from_str(text: &str) -> Result<Self, ReshapeError> {
        let wrong = || ReshapeError::Condition { text: text.to_owned() };
        let (column, values) = text.split_once('=').ok_or_else(wrong)?;
        let (column, values) = (column.trim(), values.trim());
        if column.is_empty() || values.is_empty() {
            return Err(wrong());
        }
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let between = values.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
        let wanted = match between {
            Some((low, high)) => Wanted::Between(low, high),
            None => Wanted::OneOf(values.split('|').map(|value| value.trim().to_owned()).collect()),
        };
        Ok(Condition { column: column.to_owned(), wanted })
    }
}

impl Condition {
    /// Whether it looks at times.
    pub fn needs_times(&self) -> bool {
        matches!(self.column.as_str(), "hour" | "weekday")
    }

    /// The condition on these data.
    pub(super) fn on<'a>(&'a self, data: &'a Dataset) -> Result<Test<'a>, ReshapeError> {
        let fits_item = |name: &dyn Fn(usize) -> &'a str| {
            (0..data.items.len()).map(|item| self.wanted.holds(name(item))).collect()
        };
        let what = match self.column.as_str() {
            "item" => What::Items(fits_item(&|item| data.items.name(item as ItemId))),
            "category" => {
                let categories = data.categories().ok_or(ReshapeError::NoCategories)?;
                What::Items(fits_item(&|item| &categories[item]))
            }
            "hour" => What::Hour,
            "weekday" => What::Weekday,
            name => {
                let table = data.attributes.as_ref();
                let column = table.and_then(|table| table.column(name));
                What::Person(column.ok_or_else(|| ReshapeError::Column { name: name.to_owned() })?)
            }
        };
        Ok(Test { wanted: &self.wanted, what })
    }
}

impl Wanted {
    fn holds(&self, text: &str) -> bool {
        match self {
            Wanted::OneOf(values) => values.iter().any(|value| value == text),
            Wanted::Between(low, high) => {
                text.trim().parse::<f64>().is_ok_and(|value| value >= *low && value <= *high)
            }
        }
    }
}

/// A condition that knows the data.
pub(super) struct Test<'a> {
    wanted: &'a Wanted,
    what: What<'a>,
}

enum What<'a> {
    /// Whether each item fulfils it.
    Items(Vec<bool>),
    Hour,
    Weekday,
    Person(&'a Column),
}

impl Test<'_> {
    /// Whether an event fulfils it; its time is that of its place.
    pub fn holds(&self, person: usize, item: ItemId, time: i64) -> bool {
        match &self.what {
            What::Items(fitting) => fitting[item as usize],
            What::Hour => self.wanted.holds(&hour(time).to_string()),
            What::Weekday => self.wanted.holds(&weekday(time).to_string()),
            What::Person(column) => self.wanted.holds(&column.text(person)),
        }
    }
}
