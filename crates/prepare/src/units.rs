//! Distances, durations and speeds as people write them: `500m`, `30min`, `150km/h`.
//!
//! On the globe a distance needs a unit; on a plane it must not have one, because the file does not say what its
//! coordinates measure. Which of the two applies is known only once the points are read, so a distance keeps its
//! unit until [`Distance::on`] is asked.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use throng_contract::{Class, Failing, Help};
use throng_data::Coordinates;

/// A distance with its unit: `500m`, `0.5km`, or a bare number in the unit of a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distance {
    /// Metres on the globe.
    Metres(f64),
    /// The unit of the plane's coordinates.
    Plane(f64),
}

impl Distance {
    /// The number to compare with distances of a coordinate system.
    pub fn on(self, system: Coordinates) -> Result<f64, UnitError> {
        match (self, system) {
            (Distance::Metres(value), Coordinates::Degrees)
            | (Distance::Plane(value), Coordinates::Plane) => Ok(value),
            (distance, _) => Err(UnitError::WrongSystem { text: distance.to_string(), system }),
        }
    }
}

impl FromStr for Distance {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let expected = "a distance such as `500m`, `0.5km`, or a bare number on a plane";
        let (number, unit) = number_and_unit(text).ok_or_else(|| UnitError::new(text, expected))?;
        match unit {
            "" => Ok(Distance::Plane(number)),
            "m" => Ok(Distance::Metres(number)),
            "km" => Ok(Distance::Metres(number * 1000.0)),
            _ => Err(UnitError::new(text, expected)),
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distance::Metres(metres) => write!(f, "{metres}m"),
            Distance::Plane(length) => write!(f, "{length}"),
        }
    }
}

/// A duration in whole seconds: `90s`, `30min`, `1h`, `1d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(i64);

impl Span {
    /// So many seconds; `None` when not positive.
    pub const fn from_seconds(seconds: i64) -> Option<Self> {
        if seconds > 0 { Some(Span(seconds)) } else { None }
    }

    /// The duration in seconds, at least one.
    pub const fn seconds(self) -> i64 {
        self.0
    }
}

impl FromStr for Span {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let fail =
            || UnitError::new(text, "a duration of whole seconds such as `90s`, `30min`, `1h` or `1d`");
        let (number, unit) = number_and_unit(text).ok_or_else(fail)?;
        let scale = match unit {
            "s" => 1.0,
            "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(fail()),
        };
        let seconds = number * scale;
        // Beyond 2^53 a double no longer tells neighbouring seconds apart.
        if seconds.fract() != 0.0 || seconds > 9.0e15 {
            return Err(fail());
        }
        Span::from_seconds(seconds as i64).ok_or_else(fail)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds if seconds % 86_400 == 0 => write!(f, "{}d", seconds / 86_400),
            seconds if seconds % 3600 == 0 => write!(f, "{}h", seconds / 3600),
            seconds if seconds % 60 == 0 => write!(f, "{}min", seconds / 60),
            seconds => write!(f, "{seconds}s"),
        }
    }
}

/// A speed: `150km/h`, `40m/s`, or a bare number of a plane's units a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed(Distance);

impl Speed {
    /// So many kilometres an hour.
    pub const fn kilometres_per_hour(speed: f64) -> Self {
        Speed(Distance::Metres(speed / 3.6))
    }

    /// The distance a second, to compare with distances of a coordinate system.
    pub fn on(self, system: Coordinates) -> Result<f64, UnitError> {
        self.0.on(system).map_err(|_| UnitError::WrongSystem { text: self.to_string(), system })
    }
}

impl FromStr for Speed {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let expected = "a speed such as `150km/h`, `40m/s`, or a bare number of units a second on a plane";
        let (number, unit) = number_and_unit(text).ok_or_else(|| UnitError::new(text, expected))?;
        match unit {
            "" => Ok(Speed(Distance::Plane(number))),
            "m/s" => Ok(Speed(Distance::Metres(number))),
            "km/h" => Ok(Speed::kilometres_per_hour(number)),
            _ => Err(UnitError::new(text, expected)),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // Rounded to a millionth, so that 150 km/h is shown as it was written.
            Distance::Metres(speed) => write!(f, "{}km/h", (speed * 3.6e6).round() / 1e6),
            Distance::Plane(speed) => write!(f, "{speed}"),
        }
    }
}

/// A clock's distance from UTC: `+02:00`, `-0330`, `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UtcOffset(i32);

impl UtcOffset {
    /// Seconds to add to UTC.
    pub const fn seconds(self) -> i64 {
        self.0 as i64
    }
}

impl FromStr for UtcOffset {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let fail = || UnitError::new(text, "an offset from UTC such as `+02:00`, `-03:30` or `Z`");
        if text.eq_ignore_ascii_case("z") {
            return Ok(UtcOffset(0));
        }
        let (sign, digits) = match text.split_at_checked(1) {
            Some(("+", digits)) => (1, digits),
            Some(("-", digits)) => (-1, digits),
            _ => return Err(fail()),
        };
        let digits = digits.replacen(':', "", 1);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 2 | 4) {
            return Err(fail());
        }
        let (hours, minutes) = digits.split_at(2);
        let hours: i32 = hours.parse().map_err(|_| fail())?;
        let minutes: i32 = if minutes.is_empty() { 0 } else { minutes.parse().map_err(|_| fail())? };
        if hours > 15 || minutes > 59 {
            return Err(fail());
        }
        Ok(UtcOffset(sign * (hours * 3600 + minutes * 60)))
    }
}

impl fmt::Display for UtcOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        let minutes = self.0.abs() / 60;
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// A positive, finite number and the unit written behind it.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    (number > 0.0 && number.is_finite()).then(|| (number, text[end..].trim_start()))
}

/// A quantity that cannot be understood, or does not fit the data.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnitError {
    /// Not the form expected.
    #[error("`{text}` is not {expected}")]
    Malformed {
        /// What was written.
        text: String,
        /// What can be written instead.
        expected: &'static str,
    },
    /// A unit for the globe on a plane, or none on the globe.
    #[error("`{text}` does not fit the points, which are {}", describe(*system))]
    WrongSystem {
        /// What was written.
        text: String,
        /// What the points are.
        system: Coordinates,
    },
}

impl UnitError {
    pub(crate) fn new(text: &str, expected: &'static str) -> Self {
        UnitError::Malformed { text: text.to_owned(), expected }
    }
}

fn describe(system: Coordinates) -> &'static str {
    match system {
        Coordinates::Degrees => "latitudes and longitudes",
        Coordinates::Plane => "on a plane (x, y)",
    }
}

impl Failing for UnitError {
    fn class(&self) -> Class {
        Class::Usage
    }

    fn help(&self) -> Option<Help> {
        match self {
            UnitError::Malformed { .. } => None,
            UnitError::WrongSystem { system: Coordinates::Degrees, .. } => {
                Some("add the unit, for example `500m`, `0.5km` or `150km/h`".into())
            }
            UnitError::WrongSystem { system: Coordinates::Plane, .. } => {
                Some("leave the unit out: on a plane, distances are in the unit of the coordinates".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_with_their_units() {
        assert_eq!("500m".parse(), Ok(Distance::Metres(500.0)));
        assert_eq!("0.5 km".parse(), Ok(Distance::Metres(500.0)));
        assert_eq!("12.5".parse(), Ok(Distance::Plane(12.5)));
        assert_eq!(
            ["90s", "30min", "1.5h", "2d"].map(|t| t.parse().map(Span::seconds)),
            [Ok(90), Ok(1800), Ok(5400), Ok(172_800)]
        );
        assert_eq!("150km/h".parse::<Speed>().map(|s| s.to_string()), Ok("150km/h".to_owned()));
        assert_eq!("+02:00".parse().map(UtcOffset::seconds), Ok(7200));
        assert_eq!("-0330".parse().map(UtcOffset::seconds), Ok(-12_600));
        assert_eq!("-0330".parse::<UtcOffset>().map(|o| o.to_string()), Ok("-03:30".to_owned()));
    }

    #[test]
    fn malformed_quantities_say_what_can_be_written() {
        for text in ["", "m", "-5m", "0m", "5 miles", "1e3m", "inf", "1.2.3m", "5µ"] {
            assert!(text.parse::<Distance>().is_err(), "{text}");
        }
        for text in ["", "5", "0s", "1.5s", "5m", "9999999999999d", "-1h"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
        for text in ["", "5", "+2:0", "+25:00", "+02:60", "é", "+0é:00", "02:00"] {
            assert!(text.parse::<UtcOffset>().is_err(), "{text}");
        }
        assert_eq!(
            "5m".parse::<Span>().unwrap_err().to_string(),
            "`5m` is not a duration of whole seconds such as `90s`, `30min`, `1h` or `1d`"
        );
    }

    #[test]
    fn the_unit_must_fit_the_points() {
        assert_eq!(Distance::Metres(5.0).on(Coordinates::Degrees), Ok(5.0));
        let error = Distance::Metres(500.0).on(Coordinates::Plane).unwrap_err();
        assert_eq!(error.to_string(), "`500m` does not fit the points, which are on a plane (x, y)");
        assert!("40".parse::<Speed>().unwrap().on(Coordinates::Degrees).unwrap_err().help().is_some());
    }
}
