//! Exact shares and thresholds: `0.6`, `60%` and `3/5` are one value, compared without floating point.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A non-negative rational number in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };
    /// One.
    pub const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

    /// `numerator / denominator`, or `None` when the denominator is zero.
    pub const fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        Some(Fraction { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Numerator in lowest terms.
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// Denominator in lowest terms.
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// Nearest double, for display and plots only.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether `part / whole` is larger than this share; exact. False when `whole` is zero.
    pub fn is_exceeded_by(self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(self.denominator) > u128::from(self.numerator) * u128::from(whole)
    }

    /// The smallest whole number that is at least this share of `whole`.
    pub fn ceil_of(self, whole: u64) -> u64 {
        let product = u128::from(self.numerator) * u128::from(whole);
        u64::try_from(product.div_ceil(u128::from(self.denominator))).unwrap_or(u64::MAX)
    }

    /// The largest whole number that is at most this share of `whole`.
    pub fn floor_of(self, whole: u64) -> u64 {
        let product = u128::from(self.numerator) * u128::from(whole);
        u64::try_from(product / u128::from(self.denominator)).unwrap_or(u64::MAX)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        let right = u128::from(other.numerator) * u128::from(self.denominator);
        left.cmp(&right)
    }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
}

impl FromStr for Fraction {
    type Err = ();

    /// Accepts `3/5`, `0.6`, `60%`, `1`; at most 9 digits after the point.
    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        if let Some((numerator, denominator)) = text.split_once('/') {
            let numerator = numerator.trim().parse().map_err(|_| ())?;
            let denominator = denominator.trim().parse().map_err(|_| ())?;
            return Fraction::new(numerator, denominator).ok_or(());
        }
        let (digits, scale) = match text.strip_suffix('%') {
            Some(rest) => (rest.trim_end(), 100),
            None => (text, 1),
        };
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        if (whole.is_empty() && decimals.is_empty()) || decimals.len() > 9 {
            return Err(());
        }
        if !whole.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit()) {
            return Err(());
        }
        let unit = 10_u64.pow(decimals.len() as u32);
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| ())? };
        let decimals: u64 = if decimals.is_empty() { 0 } else { decimals.parse().map_err(|_| ())? };
        let numerator = whole.checked_mul(unit).and_then(|value| value.checked_add(decimals)).ok_or(())?;
        Fraction::new(numerator, unit.checked_mul(scale).ok_or(())?).ok_or(())
    }
}

impl fmt::Display for Fraction {
    /// Decimal when it is short, `n/d` otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.denominator;
        while rest.is_multiple_of(2) {
            rest /= 2;
        }
        while rest.is_multiple_of(5) {
            rest /= 5;
        }
        if rest == 1 && self.denominator <= 1_000_000 {
            write!(f, "{}", self.to_f64())
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number of people, or a share of all people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threshold {
    /// So many people.
    Absolute(u64),
    /// Such a share of all people.
    Relative(Fraction),
}

impl Threshold {
    /// The number of people meant among `total`; a relative threshold rounds up and is at least one.
    pub fn of(self, total: u64) -> u64 {
        match self {
            Threshold::Absolute(count) => count,
            Threshold::Relative(share) => share.ceil_of(total).max(1),
        }
    }
}

impl FromStr for Threshold {
    type Err = ();

    /// `30` is a number of people; `1%`, `0.01` and `1/100` are shares.
    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        if let Ok(count) = text.parse() {
            return Ok(Threshold::Absolute(count));
        }
        let share: Fraction = text.parse()?;
        if share > Fraction::ONE { Err(()) } else { Ok(Threshold::Relative(share)) }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threshold::Absolute(count) => write!(f, "{count}"),
            // The percent sign keeps `100%` apart from the absolute `1`.
            Threshold::Relative(share) => write!(f, "{}%", share.to_f64() * 100.0),
        }
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    #[test]
    fn the_same_share_in_three_notations_is_one_value() {
        assert_eq!(share("0.6"), share("60%"));
        assert_eq!(share("60%"), share("3/5"));
        assert_eq!(share("0.6").to_string(), "0.6");
        assert_eq!(share("2/3").to_string(), "2/3");
    }

    #[test]
    fn nonsense_is_not_a_share() {
        for text in ["", ".", "a", "1/0", "-1", "1e3", "0.1234567891", "%", "99999999999999999999"] {
            assert!(text.parse::<Fraction>().is_err(), "{text}");
        }
    }

    #[test]
    fn comparison_with_counts_is_exact() {
        let third = share("1/3");
        assert!(!third.is_exceeded_by(1, 3));
        assert!(third.is_exceeded_by(333_334, 1_000_000));
        assert_eq!(share("1%").ceil_of(1_000_001), 10_001);
        assert_eq!(share("5%").floor_of(5), 0);
    }

    #[test]
    fn thresholds_tell_people_from_shares() {
        assert_eq!("30".parse(), Ok(Threshold::Absolute(30)));
        assert_eq!("1%".parse::<Threshold>().unwrap().of(1_000_000), 10_000);
        assert_eq!("100%".parse::<Threshold>().unwrap().to_string(), "100%");
        assert!("1.5".parse::<Threshold>().is_err());
    }
}
