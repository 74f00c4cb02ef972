//! Times as they are written in files, to whole numbers.

use jiff::civil::{Date, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::{DateTimeParser, PiecesOffset};

use super::error::{Defect, Shape};
use super::options::TimeKind;

static ISO: DateTimeParser = DateTimeParser::new();

/// Reads times of one kind. Fractions of a second are cut off.
#[derive(Debug, Clone)]
pub struct TimeReader {
    /// How times are written.
    pub kind: TimeKind,
    format: String,
}

impl TimeReader {
    /// The reader for a file, by its first time: whole numbers, or ISO-8601, or the format the user gave.
    pub fn for_file(first: &str, format: Option<&str>) -> Result<Self, Defect> {
        let first = first.trim();
        let kind = if format.is_some() {
            TimeKind::Formatted
        } else if whole(first.as_bytes()).is_some() {
            TimeKind::Whole
        } else {
            match iso(first) {
                Some((_, true)) => TimeKind::Zoned,
                Some((_, false)) => TimeKind::Local,
                None => {
                    return Err(Defect::Time {
                        expected: "a whole number or an ISO-8601 time",
                        found: Shape::of(first),
                        help: "give the format with `--time-format`, for example \"%d/%m/%Y %H:%M\"",
                    });
                }
            }
        };
        Ok(TimeReader { kind, format: format.unwrap_or_default().to_owned() })
    }

    /// The time as a number: itself, or seconds since 1970.
    pub fn read(&self, text: &str) -> Result<i64, Defect> {
        if self.kind == TimeKind::Whole
            && let Some(time) = whole(text.as_bytes())
        {
            return Ok(time);
        }
        let text = text.trim();
        let time = match self.kind {
            TimeKind::Whole => whole(text.as_bytes()),
            TimeKind::Local => iso(text).filter(|(_, zoned)| !zoned).map(|(time, _)| time),
            TimeKind::Zoned => iso(text).filter(|(_, zoned)| *zoned).map(|(time, _)| time),
            TimeKind::Formatted => formatted(&self.format, text),
        };
        time.ok_or_else(|| Defect::Time {
            expected: self.expected(),
            found: Shape::of(text),
            help: match self.kind {
                TimeKind::Formatted => "correct the value, or the format given with `--time-format`",
                _ => "write all times of a file in one form, as the first row has it",
            },
        })
    }

    fn expected(&self) -> &'static str {
        match self.kind {
            TimeKind::Whole => "a whole number, as in the rows before",
            TimeKind::Local => "an ISO-8601 time without a zone, as in the rows before",
            TimeKind::Zoned => "an ISO-8601 time with a zone, as in the rows before",
            TimeKind::Formatted => "a time as `--time-format` describes",
        }
    }
}

/// A decimal number, perhaps signed.
fn whole(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_i64;
    if digits.len() <= 18 {
        for byte in digits {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            value = value * 10 + i64::from(digit);
        }
        return Some(if negative { -value } else { value });
    }
    // Nineteen digits and more may overflow.
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// Seconds since 1970 of an ISO-8601 time or date, and whether it names a zone. Without one it is taken as UTC.
fn iso(text: &str) -> Option<(i64, bool)> {
    // Digits alone are a number, though ISO-8601 would allow `20240131`.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let pieces = ISO.parse_pieces(text).ok()?;
    let local = seconds(pieces.date(), pieces.time().unwrap_or(Time::midnight()));
    match pieces.offset() {
        Some(PiecesOffset::Numeric(offset)) => Some((local - i64::from(offset.offset().seconds()), true)),
        Some(_) => Some((local, true)),
        None if pieces.time_zone_annotation().is_some() => None,
        None => Some((local, false)),
    }
}

fn formatted(format: &str, text: &str) -> Option<i64> {
    let parsed = BrokenDownTime::parse(format, text).ok()?;
    if let Ok(timestamp) = parsed.to_timestamp() {
        return Some(timestamp.as_second());
    }
    if let Ok(local) = parsed.to_datetime() {
        return Some(seconds(local.date(), local.time()));
    }
    // A time of day alone: seconds since midnight.
    parsed.to_time().ok().map(|time| seconds(Date::constant(1970, 1, 1), time))
}

/// Seconds since 1970 in UTC.
fn seconds(date: Date, time: Time) -> i64 {
    let days = date.duration_since(Date::constant(1970, 1, 1)).as_secs();
    days + i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(first: &str, format: Option<&str>, text: &str) -> Result<i64, String> {
        let reader = TimeReader::for_file(first, format).map_err(|defect| defect.to_string())?;
        reader.read(text).map_err(|defect| defect.to_string())
    }

    #[test]
    fn whole_numbers_are_kept() {
        assert_eq!(read("1", None, "-42"), Ok(-42));
        assert_eq!(read("1", None, "9223372036854775807"), Ok(i64::MAX));
        assert!(read("1", None, "9223372036854775808").is_err());
        assert_eq!(read("1", None, " 7 "), Ok(7));
    }

    #[test]
    fn iso_times_become_seconds_since_1970() {
        assert_eq!(read("1970-01-02", None, "1970-01-02"), Ok(86_400));
        assert_eq!(read("1970-01-02", None, "1970-01-01 00:01"), Ok(60));
        assert_eq!(read("1970-01-02", None, "1969-12-31T23:59:59"), Ok(-1));
        assert_eq!(read("1970-01-01T00:00:00Z", None, "1970-01-01T02:00:00+02:00"), Ok(0));
        assert_eq!(read("1970-01-01T00:00:00Z", None, "1970-01-01T00:00:01.75Z"), Ok(1));
    }

    #[test]
    fn formats_of_the_user_are_followed() {
        let format = Some("%d/%m/%Y %H:%M");
        assert_eq!(read("02/01/1970 00:01", format, "02/01/1970 00:01"), Ok(86_460));
        assert_eq!(read("", Some("%H:%M"), "01:00"), Ok(3600));
        assert!(read("", format, "1970-01-02").is_err());
    }

    #[test]
    fn kinds_do_not_mix() {
        assert!(read("1", None, "1970-01-02").unwrap_err().contains("as in the rows before"));
        assert!(read("1970-01-02T00:00:00", None, "1970-01-02T00:00:00Z").is_err());
        assert!(read("soon", None, "1").unwrap_err().contains("found text of 4 characters"));
    }
}
