//! What the values of a column look like.

use serde::Serialize;

use super::written_time;
use crate::Dictionary;
use crate::formats::TimeKind;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// No row has one.
    Empty,
    /// Whole numbers.
    Whole,
    /// Numbers, some with a fraction.
    Number,
    /// Dates or times that are not plain numbers.
    Time,
    /// Anything else.
    Text,
}

/// The values of a column in the rows that were looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Looks {
    /// What they are.
    pub kind: ValueKind,
    /// How many different ones there are.
    pub distinct: usize,
    /// How many rows have one.
    pub filled: usize,
    /// Smallest and largest, of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// The first few, for the holder of the data only: never printed.
    #[serde(skip)]
    pub examples: Vec<String>,
    /// How times are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeKind>,
    /// Whether some of what is text otherwise are times or numbers.
    #[serde(skip)]
    pub(super) partly_times: bool,
    /// One code a row, of equal values the same.
    #[serde(skip)]
    pub(super) codes: Vec<u32>,
    #[serde(skip)]
    pub(super) values: Dictionary,
}

/// Values that are shown.
const EXAMPLES: usize = 3;

/// Seconds since 1970 in this and the last thirty years, which other numbers with a fraction hardly are.
const EPOCHS: std::ops::Range<f64> = 631_152_000.0..2_208_988_800.0;

/// Values that are tried one by one.
const TRIED: usize = 200;

/// Whether most values are times, though not all in one form: then the column is to be read as times, and the value at fault to be found.
fn mostly_times(values: &[&str]) -> bool {
    let tried = &values[..values.len().min(TRIED)];
    let times =
        tried.iter().filter(|value| written_time([**value]).is_some() && value.parse::<f64>().is_err());
    !tried.is_empty() && times.count() * 2 > tried.len()
}

impl Looks {
    /// Looks at the values of a column, one a row.
    pub(super) fn of<'v>(column: impl Iterator<Item = &'v str>) -> Self {
        let mut values = Dictionary::new();
        let codes: Vec<u32> = column.map(|value| values.intern(value.trim())).collect();
        let filled = codes.iter().filter(|code| !values.name(**code).is_empty()).count();
        let given = || values.names().filter(|value| !value.is_empty());
        let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
        let numbers = given().all(|value| number(value).is_some());
        let whole = numbers && given().all(|value| value.parse::<i64>().is_ok());
        let range = (numbers && filled > 0).then(|| {
            let ends = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
            let (low, high) = given().filter_map(number).fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            [low, high]
        });
        let mut looks = Looks {
            kind: match (filled, whole, numbers) {
                (0, _, _) => ValueKind::Empty,
                (_, true, _) => ValueKind::Whole,
                (_, _, true) => ValueKind::Number,
                _ => ValueKind::Text,
            },
            distinct: given().count(),
            filled,
            range,
            examples: given().take(EXAMPLES).map(str::to_owned).collect(),
            time: None,
            partly_times: false,
            codes,
            values,
        };
        let epoch = looks.kind == ValueKind::Number
            && looks.range.is_some_and(|[low, high]| EPOCHS.contains(&low) && EPOCHS.contains(&high));
        if looks.kind == ValueKind::Text || epoch {
            let given: Vec<&str> = looks.values.names().filter(|value| !value.is_empty()).collect();
            if let Some(reader) = written_time(given.iter().copied()) {
                looks.time = Some(reader.kind);
                looks.kind = ValueKind::Time;
            } else if mostly_times(&given) {
                looks.kind = ValueKind::Time;
            } else {
                let timely = |value: &&str| number(value).is_some() || written_time([*value]).is_some();
                looks.partly_times = given.iter().take(TRIED).any(timely);
            }
        }
        looks
    }

    /// The text of a row.
    pub(super) fn text(&self, row: usize) -> &str {
        self.codes.get(row).map_or("", |code| self.values.name(*code))
    }

    /// Whether all values are numbers farther from zero than this, on one side of it.
    pub(super) fn beyond(&self, limit: f64) -> bool {
        self.range.is_some_and(|[least, most]| least > limit || most < -limit)
    }

    /// Whether every row has a value of its own.
    pub(super) fn is_unique(&self) -> bool {
        self.filled > 1 && self.distinct == self.filled && self.filled == self.codes.len()
    }

    /// Whether the value of a row follows from that of the other column: no two rows that are alike there differ here. What is empty does
    /// not count.
    pub(super) fn follows(&self, other: &Looks) -> bool {
        let mut seen: Vec<Option<u32>> = vec![None; other.values.len()];
        self.codes.iter().zip(&other.codes).all(|(own, owner)| {
            self.values.name(*own).is_empty() || *seen[*owner as usize].get_or_insert(*own) == *own
        })
    }
}
