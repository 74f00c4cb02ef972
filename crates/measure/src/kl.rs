//! How far the distribution of supports in a release is from that in the data.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5 (KL-divergence).
//! # Guarantees
//! Never negative, and 0 for a release that changes no support.
//! # Departs from the paper
//! * Supports are normalised to distributions first: the printed formula on raw supports is negative on the paper's own
//!   example (-4.26, where the divergence is 0.05).
//! * A support of 0 in the release is taken for a small one, because the divergence would be infinite otherwise.
//! * The paper takes the support of the generalised counterpart for that of a pattern, so that all members of a
//!   generalised item get the support of all of them together. The divergence of the estimates is given beside it.

use throng_contract::{
    Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Key, Need, Scale, Settings, choices, settings,
};
use throng_data::ItemId;

use crate::counting::{Meaning, count};
use crate::workload::{self, Drawn};
use crate::{Comparison, Measure, MeasureError, Readings};

choices! {
    /// Whose supports are compared.
    enum Over {
        /// Those of all items.
        Items = "items",
        /// Those of the queries of a workload.
        Queries = "queries",
    }
}

settings! {
    /// What the measure is asked for.
    struct Asked {
        over: Over = Key::choice(
            "over",
            "compare the supports of all items, or of the queries of a workload",
        )
        .or("items"),
        drawn: Drawn,
        smoothing: f64 = Key::number(
            "smoothing",
            1e-9..=1e9,
            "people that a support of 0 in the release is taken for",
        )
        .or("0.5"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "kl",
    purpose: "how far the distribution of supports is from that in the data (Kullback-Leibler divergence)",
    takes: &[DataKind::Sequences],
    needs: &[Need::optional(Input::Queries)],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Queries,
        scales: &[
            Scale::loss(
                "kl_divergence",
                "divergence of the supports of generalised counterparts, in nats",
                f64::INFINITY,
            ),
            Scale::loss(
                "kl_divergence_estimated",
                "divergence of the estimated supports, in nats",
                f64::INFINITY,
            ),
        ],
    }),
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure kl",
    notes: "Supports count people. They are normalised to distributions, which the paper's formula leaves out.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// The divergence of supports.
#[derive(Debug, Clone, Copy)]
pub struct KlMeasure;

impl Measure for KlMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::Reconstructed
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let patterns = patterns(on, &asked)?;
        let identity = Meaning::identity(on.original.items.len());
        let before = count(&on.original.events, &identity, &patterns, on.progress)?;
        let after = count(on.release.events(), &Meaning::of(on.release), &patterns, on.progress)?;
        let smoothing = asked.smoothing;
        let supports: Vec<f64> = before.iter().map(|people| people.possible as f64).collect();
        let of = |after: Vec<f64>| {
            let reason = "none of the patterns occurs";
            let no_support = MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason };
            divergence(&supports, &after, smoothing).ok_or(no_support)
        };
        Ok(vec![
            ("kl_divergence", of(after.iter().map(|people| people.possible as f64).collect())?),
            ("kl_divergence_estimated", of(after.iter().map(|people| people.expected).collect())?),
        ])
    }
}

/// The patterns whose supports are compared, each once.
fn patterns(on: &Comparison<'_>, asked: &Asked) -> Result<Vec<Vec<ItemId>>, MeasureError> {
    if asked.over == Over::Queries {
        let mut queries = workload::asked(on, asked.drawn, DESCRIPTOR.name)?;
        queries.sort_unstable();
        queries.dedup();
        return Ok(queries);
    }
    workload::sequences_only(on, DESCRIPTOR.name)?;
    let mut occurs = vec![false; on.original.items.len()];
    on.original.events.items().iter().for_each(|item| occurs[*item as usize] = true);
    Ok((0..).zip(occurs).filter(|(_, occurs)| *occurs).map(|(item, _)| vec![item]).collect())
}

/// D(P || Q) of two lists of supports, in nats; `None` when P is all 0.
pub fn divergence(before: &[f64], after: &[f64], smoothing: f64) -> Option<f64> {
    let smooth = |support: &f64| if *support > 0.0 { *support } else { smoothing };
    let (total_before, total_after) = (before.iter().sum::<f64>(), after.iter().map(smooth).sum::<f64>());
    if total_before <= 0.0 {
        return None;
    }
    let mut sum = 0.0;
    for (before, after) in before.iter().zip(after).filter(|(before, _)| **before > 0.0) {
        let (p, q) = (before / total_before, smooth(after) / total_after);
        sum += p * (p / q).ln();
    }
    // Equal up to rounding is equal.
    Some(sum.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divergence_of_figure_4c_is_positive_once_normalised() {
        // Vector kl-support.
        let found = divergence(&[3.0, 2.0, 4.0, 5.0, 5.0], &[5.0; 5], 0.5).unwrap();
        assert!((found - 0.050350923).abs() < 1e-9);
        assert_eq!(divergence(&[3.0, 2.0], &[6.0, 4.0], 0.5), Some(0.0));
    }

    #[test]
    fn a_lost_pattern_is_far_but_not_infinitely_far() {
        // P = (1/2, 1/2), Q = (4/5, 1/5) with 1 for the lost one.
        let found = divergence(&[2.0, 2.0], &[4.0, 0.0], 1.0).unwrap();
        assert!((found - (0.5 * (5.0_f64 / 8.0).ln() + 0.5 * (5.0_f64 / 2.0).ln())).abs() < 1e-12);
        assert_eq!(divergence(&[0.0], &[1.0], 1.0), None);
    }
}
