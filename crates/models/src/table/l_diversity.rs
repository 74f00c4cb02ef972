//! l-diversity: among the people who fit, sensitive values are varied.
//!
//! For every sensitive column and every class of rows that look alike in their quasi-identifiers, by `form`:
//!
//! * `distinct`: at least `l` different values;
//! * `entropy`: the entropy of the values is at least log `l`, as if `l` values were equally frequent;
//! * `recursive`: the most frequent value occurs less often than `c` times all values from the `l`-th most frequent on.
//!
//! # Reference
//! MKGV07: Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam. l-Diversity. ACM TKDD 1(1), 2007.
//! # Guarantees
//! Counts are compared as whole numbers, `c` as the decimal fraction that was written. Entropies are compared with an allowance
//! for rounding of 1e-9 nats, so that `l` equally frequent values have an entropy of log `l`. A
//! sensitive cell that is no single value is taken for the most frequent value of its class, the worst it can be.
//!
//! A missing value does not diversify: an attacker who knows that a person is one of `{hiv, missing}` knows that the person's value, if there is one, is
//! `hiv`. So missing values are left out, and the values that are there must be diverse by themselves. A class in which all
//! values are missing keeps the promise: it shows no value to learn. With `missing = value`, a missing value counts as one more value.
//! # Cost
//! One pass over the rows of a class for each sensitive column.
//! # Departs from the paper
//! None. Why classes suffice against an attacker who knows original values is argued in `table.rs`.

use std::collections::BTreeMap;

use throng_contract::{DataKind, Descriptor, DescriptorKind, Key, OverParts, Progress, Settings, settings};

use super::classes::Classes;
use super::histogram::{Histogram, MISSING, sensitive};
use super::{Broken, missing_in_words, table_of, verdict};
use crate::choices::{MissingValue, Variety};
use crate::ranges::PEOPLE;
use crate::{Assumes, CheckError, Evidence, Promise, Verdict};

/// The promise `l-diversity`.
#[derive(Debug, Clone, Copy)]
pub struct LDiversity;

/// Entropies that differ by less, in nats, are the same.
const ROUNDING: f64 = 1e-9;

settings! {
    /// What the promise is asked for.
    struct Asked {
        l: u64 = Key::integer(
            "l",
            PEOPLE,
            "how many different sensitive values there must be, or be as good as",
        ),
        form: Variety = Key::choice(
            "form",
            "distinct: so many values; entropy: as uncertain as so many; recursive: the first not above c times the rest",
        )
        .or("distinct"),
        c: f64 = Key::number(
            "c",
            0.000_001..=1_000_000.0,
            "recursive: how often the most frequent value may occur, relative to those from the l-th on",
        )
        .or("1"),
        missing: MissingValue = MISSING,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "l-diversity",
    purpose: "among the people who fit, sensitive values are varied",
    takes: &[DataKind::Table],
    params: Asked::ALL,
    paper: "MKGV07",
    example: "throng verify release --promise l-diversity -l 3 --form entropy --sensitive-attribute diagnosis",
    notes: "Speaks of every sensitive column by itself. Different values may mean nearly the same, and a value may be far more \
            frequent in a crowd than elsewhere: `t-closeness` speaks of that. Says nothing of how many people fit.",
    over_parts: Some(OverParts::FollowsWithSame("sensitive column")),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for LDiversity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let l = asked.l;
        let varied = match asked.form {
            Variety::Entropy => format!("is left as uncertain as by {l} equally frequent values"),
            Variety::Recursive => format!(
                "finds the most frequent value less often than {} times all values from number {l} on",
                asked.c
            ),
            Variety::Distinct => format!("finds at least {l} different values"),
        };
        format!(
            "An attacker who knows all quasi-identifying values of a person, or some of them, and looks at a sensitive column of the people \
             who fit, {varied}.{}",
            missing_in_words(asked.missing)
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let l = asked.l;
        let bound = match asked.form {
            Variety::Entropy => format!("−Σ (nᵢ/n) log (nᵢ/n) ≥ log {l}"),
            Variety::Recursive => format!("n₁ < {} · Σ nᵢ over i ≥ {l}", asked.c),
            Variety::Distinct => format!("|{{i : nᵢ > 0}}| ≥ {l}"),
        };
        format!(
            "∀ classes of people with equal released quasi-identifying cells, ∀ sensitive columns: {bound}, where n₁ ≥ n₂ ≥ … count \
             the values of the column in the class{} and n is their sum",
            if asked.missing == MissingValue::Value { "" } else { ", without missing ones," }
        )
    }

    fn assumes(&self, _: &Settings) -> Assumes {
        Assumes { crowd: None, known: Some(u64::MAX) }
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        let demand = Demand::of(&asked);
        let table = table_of(evidence, DESCRIPTOR.name)?;
        let classes = Classes::of(table, progress)?;
        let (mut checked, mut broken, mut notes) = (0, Vec::new(), Vec::new());
        for values in sensitive(table, asked.missing) {
            let phase = progress.phase("check sensitive values", Some(classes.len() as u64));
            let mut histogram = values.count(&[]);
            let mut without_a_value = 0;
            for class in 0..classes.len() as u32 {
                histogram.recount(&values, classes.rows(class));
                without_a_value += u64::from(histogram.is_all_missing());
                if !demand.is_met(&histogram) {
                    let mut details = BTreeMap::from([
                        ("sensitive", values.column.name.clone()),
                        ("values", histogram.touched.len().to_string()),
                    ]);
                    if let Some((value, count)) = histogram.most_frequent() {
                        details.insert("most-frequent", values.names[value as usize].to_owned());
                        details.insert(
                            "confidence",
                            format!("{count}/{}", classes.size(class) - histogram.missing),
                        );
                    }
                    broken.push(Broken { class, details });
                }
                phase.advance(1)?;
            }
            checked += classes.len() as u64;
            notes.extend(values.note(classes.all_rows(), without_a_value));
        }
        if checked == 0 && classes.len() > 0 {
            return Err(CheckError::Missing {
                promise: DESCRIPTOR.name,
                what: "a sensitive column",
                help: "name it with {sensitive-attribute COLUMN}",
            });
        }
        Ok(Verdict { notes, ..verdict(DESCRIPTOR.name, &classes, checked, broken, demand.l, list) })
    }
}

/// What is asked of the values of a class.
struct Demand {
    l: u64,
    form: Variety,
    /// `c` as a fraction.
    c: (u128, u128),
}

impl Demand {
    fn of(asked: &Asked) -> Self {
        Demand { l: asked.l, form: asked.form, c: decimal_fraction(asked.c) }
    }

    fn is_met(&self, histogram: &Histogram) -> bool {
        if histogram.is_all_missing() {
            return true;
        }
        match self.form {
            Variety::Entropy => entropy(&histogram.worst_case()) >= (self.l as f64).ln() - ROUNDING,
            Variety::Recursive => {
                let counts = histogram.worst_case();
                let rest: u64 =
                    counts.iter().skip(usize::try_from(self.l).unwrap_or(usize::MAX).saturating_sub(1)).sum();
                let most = counts.first().copied().unwrap_or(0);
                u128::from(most) * self.c.1 < self.c.0 * u128::from(rest)
            }
            Variety::Distinct => histogram.worst_case().len() as u64 >= self.l,
        }
    }
}

/// The entropy of counts, in nats.
fn entropy(counts: &[u64]) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    let parts = counts.iter().map(|count| *count as f64 / n).map(|share| -share * share.ln());
    parts.sum()
}

/// A number as the fraction that its shortest decimal form is: 0.1 is one tenth.
fn decimal_fraction(number: f64) -> (u128, u128) {
    let text = number.to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let digits = whole.bytes().chain(decimals.bytes()).filter(u8::is_ascii_digit);
    // Within its range, `c` has at most 7 digits before the point and 17 significant ones: both fit.
    let numerator =
        digits.fold(0_u128, |value, digit| value.saturating_mul(10).saturating_add(u128::from(digit - b'0')));
    (numerator, 10_u128.saturating_pow(decimals.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_fractions_they_are_written_as() {
        assert_eq!(decimal_fraction(0.1), (1, 10));
        assert_eq!(decimal_fraction(2.5), (25, 10));
        assert_eq!(decimal_fraction(1e6), (1_000_000, 1));
        assert_eq!(decimal_fraction(0.000_001), (1, 1_000_000));
    }

    /// The most frequent value occurs less than c times as often as all from the l-th on together.
    #[test]
    fn the_recursive_form_is_exact_where_c_is_no_whole_number() {
        let histogram = |counts: &[u64]| Histogram {
            touched: (0..counts.len() as u32).collect(),
            counts: counts.to_vec(),
            unknown: 0,
            missing: 0,
        };
        let met = |l, c, counts: &[u64]| {
            Demand { l, form: Variety::Recursive, c: decimal_fraction(c) }.is_met(&histogram(counts))
        };
        assert!(!met(2, 0.5, &[2, 2, 2]), "two is not less than half of four");
        assert!(met(2, 0.51, &[2, 2, 2]));
        assert!(met(2, 2.5, &[9, 4]));
        assert!(!met(2, 2.5, &[10, 4]));
        assert!(!met(3, 2.5, &[9, 4]));
    }

    #[test]
    fn equally_frequent_values_have_the_entropy_of_their_number() {
        for l in 1..200_u64 {
            assert!(entropy(&vec![7; l as usize]) >= (l as f64).ln() - ROUNDING);
            assert!(entropy(&vec![7; l as usize]) < ((l + 1) as f64).ln() - ROUNDING);
        }
    }
}
