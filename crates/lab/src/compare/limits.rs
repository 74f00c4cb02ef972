//! What one cell may cost, as people write it: `90s`, `5min`, `2GiB`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What one cell of a comparison may cost, and how many run at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Longest time of a cell.
    pub time: Option<Duration>,
    /// Most memory of a cell, in bytes.
    pub memory: Option<u64>,
    /// How many cells run at once.
    pub jobs: Option<usize>,
}

/// `90s`, `5min`, `1h`, `500ms`; a number alone is seconds.
pub fn parse_time(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1e3,
        "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
}

/// `512MiB`, `2GiB`, `2GB`; a number alone is bytes.
pub fn parse_memory(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let factor = match unit {
        "" | "B" => 1.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0_f64.powi(2),
        "GiB" => 1024.0_f64.powi(3),
        _ => return None,
    };
    let bytes = number * factor;
    // Beyond this a double no longer counts bytes, and no machine has as much.
    (1.0..9e15).contains(&bytes).then_some(bytes as u64)
}

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_as_people_write_them() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs_f64());
        assert_eq!(["90s", "1.5min", "250ms", "7"].map(seconds), [90.0, 90.0, 0.25, 7.0].map(Some));
        assert_eq!(["0s", "1 year", "-1s", "", "1e400s"].map(seconds), [None; 5]);
        assert_eq!(["2GiB", "1.5 kB", "12"].map(parse_memory), [2_u64 << 30, 1500, 12].map(Some));
        assert_eq!(["0", "2 elephants", "-1", "99999999GB"].map(parse_memory), [None; 4]);
    }
}
