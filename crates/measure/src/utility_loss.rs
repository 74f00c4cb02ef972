//! What generalising items of sets costs: the more a released item may be, the more, exponentially.
//!
//! A released item `u` may be any non-empty part of its members: one of `2^|u| - 1`. Three readings of the same idea:
//!
//! * `ul_printed`: of each record, the sum of `2^|u| - 1` over its items, divided by `2^s - 1` where `s` adds up all `|u|`; the average
//!   over records that have items. For comparison with publications: data that were not touched do not score 0, and more
//!   generalisation may score less.
//! * `ul_domain`: over items that stand for several, `2^|u| - 1` for each record that has one, relative to all records having one item
//!   that stands for everything. It grows with every generalisation; `ul_domain_log2` is its logarithm, because it is
//!   a very small number where there are many items.
//! * `ncp_items`: of each original occurrence, how many other items its released item may be, as a share of all others.
//!
//! # Reference
//! LGM11: Loukides, Gkoulalas-Divanis, Malin. COAT. KAIS 28(2), 2011 (UL).
//! # Guarantees
//! Powers are taken in base-2 logarithms, so that no number of items overflows.
//! # Cost
//! One pass.
//! # Departs from the paper
//! Weights are 1.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale, Settings};
use throng_data::{EventKind, Nature};

use crate::cover::Cover;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "utility-loss",
    kind: DescriptorKind::Measure,
    purpose: "how many readings generalised items of sets leave open",
    takes: &[DataKind::Sets],
    needs: &[],
    params: &[],
    keeps: None,
    product: None,
    over_parts: None,
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss(
                "ncp_items",
                "share of the other items that a released item may be too, on average",
                1.0,
            ),
            Scale {
                min: f64::NEG_INFINITY,
                ..Scale::loss("ul_domain_log2", "logarithm to base 2 of `ul_domain`", 0.0)
            },
            Scale::loss(
                "ul_domain",
                "readings left open, relative to one item that stands for everything",
                1.0,
            ),
            Scale {
                better: throng_contract::Better::Neither,
                ..Scale::loss(
                    "ul_printed",
                    "readings of a record's items, as printed; not 0 for untouched data",
                    1.0,
                )
            },
        ],
    }),
    variants: false,
    paper: "LGM11",
    example: "throng measure baskets/baskets.dat release --sets --measure utility-loss",
    notes: "`ul_printed` is there for comparison with publications only: it may fall when more is generalised.",
};

/// Utility loss.
#[derive(Debug, Clone, Copy)]
pub struct UtilityLossMeasure;

impl Measure for UtilityLossMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let not = |reason| Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        let (before, after) = (&on.original.events, on.release.events());
        if before.kind() != EventKind::Set || after.kind() != EventKind::Set {
            return not("it is about sets");
        }
        if before.is_empty() {
            return not("the data have no items");
        }
        if on.release.nature == Nature::Synthetic {
            return not("the records are synthetic, and stand for no person");
        }
        let sizes: Vec<u32> = on.release.alphabet.iter().map(|item| item.members.len() as u32).collect();
        let items = on.original.items.len() as u32;
        let mut readings = Readings::new();
        if on.aligned && before.records() == after.records() {
            readings.push(("ncp_items", of_occurrences(on, &sizes, items)));
        }
        let log = domain_log2(after.items().iter().map(|item| sizes[*item as usize]), items, after.records());
        if let Some(log) = log.filter(|log| log.is_finite()) {
            readings.push(("ul_domain_log2", log.min(0.0)));
        }
        readings.push(("ul_domain", log.map_or(0.0, |log| log.exp2().min(1.0))));
        let records =
            (0..after.records()).map(|record| after.record(record)).filter(|record| !record.is_empty());
        let (mut total, mut count) = (0.0, 0_u64);
        for record in records {
            let record: Vec<u32> = record.iter().map(|item| sizes[*item as usize]).collect();
            total += printed(&record);
            count += 1;
        }
        if count > 0 {
            readings.push(("ul_printed", total / count as f64));
        }
        Ok(readings)
    }
}

/// The printed loss of a record whose items have so many members.
pub fn printed(sizes: &[u32]) -> f64 {
    let all = f64::from(sizes.iter().sum::<u32>());
    // (2^a - 1) / (2^s - 1) with both divided by 2^s.
    let least = (-all).exp2();
    let part = |size: u32| (f64::from(size) - all).exp2() - least;
    if sizes.is_empty() { 0.0 } else { sizes.iter().map(|size| part(*size)).sum::<f64>() / (1.0 - least) }
}

/// The logarithm of the loss over all occurrences of items with so many members; `None` when nothing is generalised.
pub fn domain_log2(occurrences: impl Iterator<Item = u32>, items: u32, records: usize) -> Option<f64> {
    let mut by_size = vec![0_u64; items as usize + 1];
    for size in occurrences {
        by_size[(size as usize).min(items as usize)] += 1;
    }
    let largest = by_size.iter().rposition(|count| *count > 0).filter(|size| *size > 1)?;
    let readings = |size: usize| (2_f64.powf(size as f64 - largest as f64)) - (-(largest as f64)).exp2();
    let sum: f64 = (2..=largest).map(|size| by_size[size] as f64 * readings(size)).sum();
    let all = f64::from(items) + (-(-f64::from(items)).exp2()).ln_1p() / std::f64::consts::LN_2;
    Some(sum.log2() + largest as f64 - all - (records as f64).log2())
}

fn of_occurrences(on: &Comparison<'_>, sizes: &[u32], items: u32) -> f64 {
    let (before, after) = (&on.original.events, on.release.events());
    let cover = Cover::of(&on.release.alphabet, on.release.base.len());
    let others = f64::from(items.max(2) - 1);
    let (mut lost, mut aligned) = (0.0, Vec::new());
    for record in 0..before.records() {
        cover.align(EventKind::Set, before.record(record), after.record(record), &mut aligned);
        let loss =
            |image: &Option<u32>| image.map_or(1.0, |item| f64::from(sizes[item as usize] - 1) / others);
        lost += aligned.iter().map(loss).sum::<f64>();
    }
    (lost / before.len() as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_loss_is_one_for_an_untouched_item_and_for_full_generalisation_alike() {
        // Vector ul-anomaly.
        assert!((printed(&[1]) - 1.0).abs() < 1e-12);
        assert!((printed(&[3]) - 1.0).abs() < 1e-12);
        assert!((printed(&[2, 1, 1]) - 5.0 / 15.0).abs() < 1e-12);
        assert_eq!(printed(&[]), 0.0);
        assert!(printed(&[4000, 3]).is_finite());
    }

    #[test]
    fn the_loss_over_the_domain_grows_with_every_generalisation() {
        let loss = |sizes: &[u32]| domain_log2(sizes.iter().copied(), 5, 2);
        assert_eq!(loss(&[1, 1, 1]), None);
        // Two records, one {a|b}: 3 of 31 * 2.
        assert!((loss(&[2, 1]).unwrap() - (3.0_f64 / 62.0).log2()).abs() < 1e-12);
        assert!((loss(&[5, 5]).unwrap()).abs() < 1e-12);
        assert!(loss(&[2, 2]).unwrap() < loss(&[2, 3]).unwrap());
        assert!(domain_log2([2, 900].into_iter(), 100_000, 10).unwrap().is_finite());
    }
}
