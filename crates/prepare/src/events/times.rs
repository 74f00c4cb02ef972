//! Spans of the calendar: where a moment's hour, part of the day, day or week begins.

use std::str::FromStr;

use throng_data::formats::TimeReader;

use super::{ReshapeError, Step};

const HOUR: i64 = 3600;
const DAY: i64 = 86_400;

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bin {
    /// An hour.
    Hour,
    /// Night, morning, afternoon or evening: six hours each.
    PartOfDay,
    /// A day.
    Day,
    /// A week, from Monday on.
    Week,
}

impl Bin {
    /// All of them with the words users type.
    pub const ALL: [(Bin, &'static str); 4] =
        [(Bin::Hour, "hour"), (Bin::PartOfDay, "part-of-day"), (Bin::Day, "day"), (Bin::Week, "week")];

    /// The moment at which the span of a moment begins, by a clock that is so many seconds ahead.
    pub fn begin(self, time: i64, offset: i64) -> i64 {
        let local = time.saturating_add(offset);
        let (length, shift) = match self {
            Bin::Hour => (HOUR, 0),
            Bin::PartOfDay => (6 * HOUR, 0),
            Bin::Day => (DAY, 0),
            // 1970 began on a Thursday.
            Bin::Week => (7 * DAY, 3 * DAY),
        };
        let begun = (local.saturating_add(shift)).div_euclid(length) * length - shift;
        begun.saturating_sub(offset)
    }
}

impl FromStr for Bin {
    type Err = ReshapeError;

    fn from_str(text: &str) -> Result<Self, ReshapeError> {
        let known = Bin::ALL.iter().find(|(_, word)| *word == text);
        known.map(|(bin, _)| *bin).ok_or_else(|| ReshapeError::Bin { text: text.to_owned() })
    }
}

/// The hour of the day, 0 to 23.
pub(super) fn hour(time: i64) -> i64 {
    time.rem_euclid(DAY) / HOUR
}

/// The day of the week, 1 for Monday.
pub(super) fn weekday(time: i64) -> i64 {
    (time.div_euclid(DAY) + 3).rem_euclid(7) + 1
}

/// Cuts events where another span begins.
pub(super) fn cut(events: &[Step], bin: Bin, offset: i64) -> Vec<Vec<Step>> {
    let parts = events.chunk_by(|(_, a), (_, b)| bin.begin(*a, offset) == bin.begin(*b, offset));
    parts.map(<[Step]>::to_vec).collect()
}

/// A moment as users type it: a number, or a date with or without a time.
pub fn moment(text: &str) -> Result<i64, ReshapeError> {
    let read = TimeReader::for_file(text, None).and_then(|reader| {
        let time = reader.read(text)?;
        let mut settled = [time];
        reader.settle(settled.iter_mut())?;
        Ok(settled[0])
    });
    read.map_err(|_| ReshapeError::Moment { text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_begin_by_the_clock_of_the_place() {
        // Thursday, 1970-01-08 at 13:30.
        let at = 7 * DAY + 13 * HOUR + 1800;
        assert_eq!(Bin::Hour.begin(at, 0), 7 * DAY + 13 * HOUR);
        assert_eq!(Bin::PartOfDay.begin(at, 0), 7 * DAY + 12 * HOUR);
        assert_eq!(Bin::Day.begin(at, 0), 7 * DAY);
        assert_eq!(Bin::Week.begin(at, 0), 4 * DAY);
        // Eleven hours ahead it is Friday already.
        assert_eq!(Bin::Day.begin(at, 11 * HOUR), 8 * DAY - 11 * HOUR);
        assert_eq!((hour(at), weekday(at)), (13, 4));
        assert_eq!(Bin::Day.begin(-1, 0), -DAY);
    }

    #[test]
    fn moments_are_dates_or_numbers() {
        assert_eq!(moment("1970-01-02").ok(), Some(DAY));
        assert_eq!(moment("17").ok(), Some(17));
        assert!(moment("01/02/1970").is_err() && moment("soon").is_err());
    }
}
