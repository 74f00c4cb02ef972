//! t-closeness: among the people who fit, sensitive values are about as frequent as in the whole release.
//!
//! For every sensitive column, the values of each class of rows that look alike in their quasi-identifiers are compared with
//! those of all rows: the earth mover's distance between the two distributions is at most `t`. By `emd`, any two values are
//! equally far apart (`equal`: half the sum of differences), or values lie in a row (`ordered`: the sum of cumulative
//! differences, divided by the number of values less one). By default numbers and dates are ordered, and categories are not.
//!
//! # Reference
//! LLV07: Li, Li, Venkatasubramanian. t-Closeness: Privacy Beyond k-Anonymity and l-Diversity. ICDE 2007.
//! # Guarantees
//! Exact: `t` is a fraction, and both distances are compared as whole numbers. The whole is what is released: suppressed rows
//! belong to neither side. Missing values are left out of both: the values that are there are compared with all that are there, and a
//! class without any is as close as can be, because it shows no value. With `missing = value`, a missing value is a value after all others in
//! the row. A sensitive cell that is no single value counts as being as far from the whole as can be, which is never too little.
//! # Cost
//! One pass over the rows of a class, and one over all values, for each sensitive column.
//! # Departs from the paper
//! None.

use std::collections::BTreeMap;

use throng_contract::{
    DataKind, Descriptor, DescriptorKind, Fraction, Key, OverParts, Progress, Settings, settings,
};
use throng_data::ColumnKind;

use super::classes::Classes;
use super::histogram::{Histogram, MISSING, Values, sensitive};
use super::{Broken, missing_in_words, table_of, verdict};
use crate::choices::{Emd, MissingValue};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict};

/// The promise `t-closeness`.
#[derive(Debug, Clone, Copy)]
pub struct TCloseness;

settings! {
    /// What the promise is asked for.
    struct Asked {
        t: Fraction = Key::share(
            "t",
            "how far the values of the people who fit may be from those of all, from 0 to 1",
        ),
        emd: Emd = Key::choice(
            "emd",
            "how far values are apart: equal: all the same; ordered: by place; by-type: numbers and dates by place",
        )
        .or("by-type"),
        missing: MissingValue = MISSING,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "t-closeness",
    purpose: "among the people who fit, sensitive values are about as frequent as in the whole release",
    takes: &[DataKind::Table],
    params: Asked::ALL,
    paper: "LLV07",
    example: "throng verify release --promise t-closeness --t 0.2 --sensitive-attribute diagnosis",
    notes: "Speaks of every sensitive column by itself, and takes what the whole release shows for known. Says nothing of how \
            many people fit.",
    over_parts: Some(OverParts::FollowsWithSame("distribution of the sensitive values of all people")),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for TCloseness {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "An attacker who knows all quasi-identifying values of a person, or some of them, and looks at a sensitive column of the people \
             who fit, finds values within {} of their frequencies among all people{}.{}",
            asked.t,
            match asked.emd {
                Emd::Equal => ", any two values being equally far apart",
                Emd::Ordered => ", values being as far apart as they lie in order",
                Emd::ByType => "",
            },
            missing_in_words(asked.missing)
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "∀ classes of people with equal released quasi-identifying cells, ∀ sensitive columns: EMD(P, Q) ≤ {}, where P are the \
             shares of the column's values in the class, Q those among all people, and EMD = ½ Σ |pᵢ − qᵢ| for categories and \
             Σᵢ |Σⱼ≤ᵢ (pⱼ − qⱼ)| / (m − 1) for m ordered values",
            asked.t
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
        let t = asked.t;
        let table = table_of(evidence, DESCRIPTOR.name)?;
        let classes = Classes::of(table, progress)?;
        let (mut checked, mut broken, mut notes) = (0, Vec::new(), Vec::new());
        for values in sensitive(table, asked.missing) {
            let phase = progress.phase("check sensitive values", Some(classes.len() as u64));
            let ordered = asked.emd.is_ordered(values.column.kind == ColumnKind::Category);
            let whole = Whole::of(&values, classes.all_rows(), ordered);
            let mut histogram = values.count(&[]);
            let mut without_a_value = 0;
            for class in 0..classes.len() as u32 {
                histogram.recount(&values, classes.rows(class));
                without_a_value += u64::from(histogram.is_all_missing());
                let distance = whole.distance(&histogram);
                if distance.exceeds(t) {
                    let details = BTreeMap::from([
                        ("sensitive", values.column.name.clone()),
                        ("distance", format!("{:.4}", distance.to_f64())),
                        ("allowed", t.to_string()),
                    ]);
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
        Ok(Verdict { notes, ..verdict(DESCRIPTOR.name, &classes, checked, broken, 0, list) })
    }
}

/// A distance as a fraction that need not be in lowest terms.
struct Distance {
    numerator: u128,
    denominator: u128,
}

impl Distance {
    /// Exact: all terms are sums of products of two counts of people, which leave room for a fraction of 64 bits only
    /// where there are few; beyond, the same in floating point.
    fn exceeds(&self, t: Fraction) -> bool {
        let left = self.numerator.checked_mul(u128::from(t.denominator()));
        let right = self.denominator.checked_mul(u128::from(t.numerator()));
        match (left, right) {
            (Some(left), Some(right)) => left > right,
            _ => self.to_f64() > t.to_f64(),
        }
    }

    fn to_f64(&self) -> f64 {
        if self.denominator == 0 { 0.0 } else { self.numerator as f64 / self.denominator as f64 }
    }
}

/// The values of all rows, to compare with.
struct Whole {
    /// Values in order, where order counts.
    order: Vec<u32>,
    counts: Vec<u64>,
    total: u64,
    ordered: bool,
}

impl Whole {
    fn of(values: &Values<'_>, rows: &[u32], ordered: bool) -> Self {
        let counts = values.count(rows).counts;
        let mut order: Vec<u32> =
            (0..values.names.len() as u32).filter(|value| counts[*value as usize] > 0).collect();
        if values.column.kind == ColumnKind::Number {
            let place = |value: u32| values.names[value as usize].parse::<f64>().ok();
            // What is no number (a missing value) comes last.
            order.sort_by(|a, b| match (place(*a), place(*b)) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
        } else {
            order.sort_by_key(|value| (values.names[*value as usize].is_empty(), *value));
        }
        let total = counts.iter().sum();
        Whole { order, counts, total, ordered }
    }

    /// How far the values of a class are from those of all.
    fn distance(&self, class: &Histogram) -> Distance {
        let known: u64 = class.touched.iter().map(|value| class.counts[*value as usize]).sum();
        let people = known + class.unknown;
        let (n, total) = (i128::from(known), i128::from(self.total));
        let difference = |value: u32| {
            i128::from(class.counts[value as usize]) * total - i128::from(self.counts[value as usize]) * n
        };
        let (sum, scale) = if self.ordered {
            let (mut sum, mut cumulative) = (0_u128, 0_i128);
            for value in &self.order {
                cumulative += difference(*value);
                sum += cumulative.unsigned_abs();
            }
            (sum, self.order.len().saturating_sub(1).max(1) as u128)
        } else {
            (self.order.iter().map(|value| difference(*value).unsigned_abs()).sum(), 2)
        };
        // The known part is `sum / (known * total * scale)` away. Of all people it is `known / people`, and the others are at
        // most 1 away.
        let whole = u128::from(self.total.max(1)) * scale;
        Distance {
            numerator: sum + u128::from(class.unknown) * whole,
            denominator: u128::from(people) * whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where products do not fit, numbers that are as near as floating point has them decide.
    #[test]
    fn distances_of_any_size_are_compared() {
        let third = Fraction::new(1, 3).expect("not by nothing");
        let exceeds = |numerator, denominator| Distance { numerator, denominator }.exceeds(third);
        assert!(!exceeds(1, 3));
        assert!(!exceeds(333_333, 1_000_000));
        assert!(exceeds(333_334, 1_000_000));
        assert!(!exceeds(u128::MAX / 4, u128::MAX));
        assert!(exceeds(u128::MAX / 2, u128::MAX));
        assert!(!exceeds(0, 0), "a class without people");
    }
}
