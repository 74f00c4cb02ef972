//! Where a value lies on an axis, and which values are written beside it.

use super::numbers::written;
use super::{Axis, Spacing};

/// An axis with its range, in drawing units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// Whether all values are whole numbers: then so are the ticks.
    whole: bool,
    from: f64,
    to: f64,
    /// Values that are written, with their text.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// Fits the values between `from` and `to`. Up to `at_values` different values are written as they are, if they
    /// keep apart.
    pub fn fit(axis: &Axis, values: &[f64], from: f64, to: f64, at_values: usize) -> Self {
        let log = axis.spacing == Spacing::Log;
        let usable = |value: &f64| value.is_finite() && (!log || *value > 0.0);
        let mut values: Vec<f64> = values.iter().copied().filter(usable).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let whole = !axis.share && !values.is_empty() && values.iter().all(|value| value.fract() == 0.0);
        let mut scale = Scale { low: 0.0, high: 1.0, log, whole, from, to, ticks: Vec::new() };
        match &axis.spacing {
            Spacing::Categories(names) => {
                (scale.low, scale.high) = (-0.5, names.len().max(1) as f64 - 0.5);
                scale.ticks = names.iter().enumerate().map(|(at, name)| (at as f64, name.clone())).collect();
                return scale;
            }
            Spacing::Log => scale.spread_log(&values),
            Spacing::FromZero => {
                let (low, high) = ends(&values);
                scale.spread(low.min(0.0), high.max(0.0));
            }
            Spacing::Around => {
                let (low, high) = ends(&values);
                scale.spread(low, high);
            }
        }
        if (1..=at_values).contains(&values.len()) && scale.keep_apart(&values) {
            scale.ticks = values.iter().map(|value| (*value, text(*value, 4, axis.share))).collect();
            if let (Spacing::Around | Spacing::Log, Some(low), Some(high)) =
                (&axis.spacing, values.first(), values.last())
                && low < high
            {
                (scale.low, scale.high) = (*low, *high);
            }
        } else {
            scale.ticks = scale.written_ticks(axis.share);
        }
        scale
    }

    /// The place of a value; none for a value the axis cannot hold.
    pub fn place(&self, value: f64) -> Option<f64> {
        if !value.is_finite() || (self.log && value <= 0.0) {
            return None;
        }
        let part = if self.log {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        Some(self.from + (self.to - self.from) * part.clamp(0.0, 1.0))
    }

    /// Where bars begin.
    pub fn floor(&self) -> f64 {
        if self.log { self.from } else { self.place(0.0).unwrap_or(self.from) }
    }

    /// How much room each of `count` places has.
    pub fn slot(&self, count: usize) -> f64 {
        (self.to - self.from).abs() / count.max(1) as f64
    }

    fn spread(&mut self, low: f64, high: f64) {
        let (low, high) = if high > low {
            (low, high)
        } else if low == 0.0 {
            (0.0, 1.0)
        } else {
            (low - low.abs() / 2.0, low + low.abs() / 2.0)
        };
        let step = step(low, high, self.whole);
        self.low = (low / step + 1e-9).floor() * step;
        self.high = (high / step - 1e-9).ceil() * step;
    }

    fn spread_log(&mut self, values: &[f64]) {
        let (low, high) = match (values.first(), values.last()) {
            (Some(low), Some(high)) => (*low, *high),
            _ => (1.0, 10.0),
        };
        self.low = log_ticks(low).take_while(|tick| *tick <= low * (1.0 + 1e-9)).last().unwrap_or(low);
        self.high = log_ticks(low).find(|tick| *tick >= high * (1.0 - 1e-9)).unwrap_or(high);
        if self.high <= self.low {
            self.high = self.low * 10.0;
        }
    }

    fn keep_apart(&self, values: &[f64]) -> bool {
        let places: Vec<f64> = values.iter().filter_map(|value| self.place(*value)).collect();
        places.windows(2).all(|pair| (pair[1] - pair[0]).abs() >= 30.0)
    }

    fn written_ticks(&self, share: bool) -> Vec<(f64, String)> {
        if self.log {
            let decades = (self.high / self.low).log10();
            let wanted = |tick: &f64| {
                let mantissa = tick / 10_f64.powf((tick.log10() + 1e-9).floor());
                decades <= 2.1 || mantissa < 1.5
            };
            let from = log_ticks(self.low).skip_while(|tick| *tick < self.low * (1.0 - 1e-9));
            let inside = from.take_while(|tick| *tick <= self.high * (1.0 + 1e-9));
            let mut ticks: Vec<f64> = inside.filter(wanted).collect();
            // Many decades: every second, every third, until about eight are left.
            let keep = ticks.len().div_ceil(8).max(1);
            ticks = ticks.into_iter().step_by(keep).collect();
            return ticks.into_iter().map(|tick| (tick, text(tick, 12, share))).collect();
        }
        let step = step(self.low, self.high, self.whole);
        let digits = (-step.log10().floor()).max(0.0) as usize + 1;
        let first = (self.low / step).round() as i64;
        let count = ((self.high - self.low) / step).round() as i64;
        let ticks = (first..=first + count).map(|multiple| multiple as f64 * step);
        ticks.map(|tick| (tick, text(tick, digits, share))).collect()
    }
}

fn ends(values: &[f64]) -> (f64, f64) {
    (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0))
}

/// One, two, two and a half or five times a power of ten: four to six steps over the range. Counts get whole steps.
fn step(low: f64, high: f64, whole: bool) -> f64 {
    let raw = (high - low) / 5.0;
    let power = 10_f64.powf(raw.log10().floor());
    let fits =
        |factor: &f64| raw <= power * factor * (1.0 + 1e-9) && !(whole && power <= 1.0 && *factor == 2.5);
    let step = power * [1.0, 2.0, 2.5, 5.0].into_iter().find(fits).unwrap_or(10.0);
    if whole { step.max(1.0) } else { step }
}

/// 1, 2, 5 times powers of ten, from the power below `low`.
fn log_ticks(low: f64) -> impl Iterator<Item = f64> {
    let first = (low.log10() + 1e-9).floor() as i32;
    (first..first + 400).flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10_f64.powi(power)))
}

fn text(value: f64, decimals: usize, share: bool) -> String {
    if share {
        return format!("{}\u{a0}%", written(value * 100.0, decimals.saturating_sub(2).max(1)));
    }
    let size = value.abs();
    match size {
        _ if size >= 1e9 => format!("{}\u{a0}bn", written(value / 1e9, 2)),
        _ if size >= 1e6 => format!("{}\u{a0}m", written(value / 1e6, 2)),
        _ if size != 0.0 && size < 1e-4 => format!("{value:e}"),
        _ => written(value, decimals),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: &Axis, values: &[f64]) -> Vec<String> {
        Scale::fit(axis, values, 0.0, 300.0, 0).ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_that_hold_all_values() {
        assert_eq!(ticks(&Axis::from_zero("y"), &[3.0, 11.0]), ["0", "5", "10", "15"]);
        assert_eq!(ticks(&Axis::from_zero("y"), &[1.0, 2.0]), ["0", "1", "2"]);
        assert_eq!(ticks(&Axis::from_zero("y"), &[3.0, 9.2]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(
            ticks(&Axis::share("y"), &[0.011, 0.057]),
            ["0\u{a0}%", "2\u{a0}%", "4\u{a0}%", "6\u{a0}%"]
        );
        assert_eq!(
            ticks(&Axis::around("y"), &[101.0, 101.9]),
            ["101", "101.2", "101.4", "101.6", "101.8", "102"]
        );
        assert_eq!(ticks(&Axis::log("y"), &[3.0, 40.0]), ["2", "5", "10", "20", "50"]);
        assert_eq!(
            ticks(&Axis::log("y"), &[0.02, 30_000.0]),
            ["0.1", "1", "10", "100", "1\u{202f}000", "10\u{202f}000"]
        );
        assert_eq!(ticks(&Axis::from_zero("y"), &[]), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    }

    #[test]
    fn a_few_values_are_written_as_they_are() {
        let scale = Scale::fit(&Axis::around("k"), &[2.0, 5.0, 10.0, 25.0], 0.0, 400.0, 8);
        assert_eq!(scale.ticks.iter().map(|tick| tick.0).collect::<Vec<_>>(), [2.0, 5.0, 10.0, 25.0]);
        assert_eq!((scale.place(2.0), scale.place(25.0)), (Some(0.0), Some(400.0)));
    }

    #[test]
    fn what_an_axis_cannot_hold_has_no_place() {
        let scale = Scale::fit(&Axis::log("s"), &[0.0, 1.0, 100.0, f64::NAN], 0.0, 100.0, 0);
        assert_eq!([scale.place(0.0), scale.place(-1.0), scale.place(f64::INFINITY)], [None; 3]);
        assert_eq!(scale.place(10.0), Some(50.0));
    }
}
