//! Single times in each of the ways they are written, to whole numbers.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::{DateTimeParser, PiecesOffset};

static ISO: DateTimeParser = DateTimeParser::new();

/// What a number with a fraction is multiplied with while events are put in order.
pub const FRACTIONS: i64 = 1_000_000;

/// A decimal number, perhaps signed.
pub fn whole(bytes: &[u8]) -> Option<i64> {
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

/// Millionths of a number that may have a fraction: further digits are cut off.
pub fn fraction(text: &str) -> Option<i64> {
    let (front, digits) = text.split_once('.').unwrap_or((text, ""));
    let negative = front.starts_with('-');
    let units = whole(if matches!(front, "" | "-" | "+") { b"0" } else { front.as_bytes() })?;
    // There has to be a digit: neither nothing nor a sign alone is a number, nor is `1.`.
    let digitless = digits.is_empty() && (text.contains('.') || matches!(front, "" | "-" | "+"));
    if digitless || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = digits.get(..6).unwrap_or(digits);
    let part = digits.bytes().chain(std::iter::repeat(b'0')).take(6);
    let part = part.fold(0_i64, |part, byte| part * 10 + i64::from(byte - b'0'));
    units.checked_mul(FRACTIONS)?.checked_add(if negative { -part } else { part })
}

/// Seconds since midnight of a time of day, `H:MM` or `H:MM:SS`. Timetables go on past midnight: hours may be more than 23.
pub fn clock(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let part = |text: &str, most: i64| {
        let value = whole(text.as_bytes()).filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        (value <= most && (1..=2).contains(&text.len())).then_some(value)
    };
    let hours = part(parts.next()?, 99)?;
    let minutes = parts.next().filter(|text| text.len() == 2).and_then(|text| part(text, 59))?;
    let seconds = match parts.next() {
        None => 0,
        Some(text) => part(text.split_once('.').map_or(text, |(seconds, _)| seconds), 59)?,
    };
    parts.next().is_none().then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Seconds since 1970 of an ISO-8601 time or date, and whether it names a zone. Without one it is taken as UTC.
pub fn iso(text: &str) -> Option<(i64, bool)> {
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

/// The time of a text in a form of `strptime`, in seconds since 1970, or since midnight where it has no date.
pub fn formatted(format: &str, text: &str) -> Option<i64> {
    let parsed = BrokenDownTime::parse(format, text).ok()?;
    if let Ok(timestamp) = parsed.to_timestamp() {
        return Some(timestamp.as_second());
    }
    if let Ok(local) = parsed.to_datetime() {
        return Some(seconds(local.date(), local.time()));
    }
    if let Ok(date) = parsed.to_date() {
        return Some(seconds(date, Time::midnight()));
    }
    // A day that does not exist is no time of day.
    if parsed.year().is_some() || parsed.month().is_some() || parsed.day().is_some() {
        return None;
    }
    // A time of day alone: seconds since midnight.
    parsed.to_time().ok().map(|time| seconds(Date::constant(1970, 1, 1), time))
}

/// The same moment with day and month swapped, unless the day is no month.
pub fn swap_day_and_month(time: i64) -> i64 {
    let at = DateTime::constant(1970, 1, 1, 0, 0, 0, 0)
        .checked_add(jiff::SignedDuration::from_secs(time))
        .unwrap_or(DateTime::MIN);
    if at.day() > 12 {
        return time;
    }
    match Date::new(at.year(), at.day(), at.month()) {
        Ok(date) => seconds(date, at.time()),
        Err(_) => time,
    }
}

/// Seconds since 1970 in UTC.
fn seconds(date: Date, time: Time) -> i64 {
    let days = date.duration_since(Date::constant(1970, 1, 1)).as_secs();
    days + i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second())
}
