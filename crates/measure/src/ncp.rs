//! The normalised certainty penalty: how much of a domain a released value leaves open, on average.
//!
//! A range of numbers costs its length over that of all numbers, a node of a hierarchy its leaves over all leaves, a set its values
//! over all that occur; a single value costs nothing and a suppressed one everything. Items are charged in the same way,
//! once for each original occurrence.
//!
//! # Reference
//! XWPTSF06: Xu, Wang, Pei, Wang, Shi, Fu. Utility-Based Anonymization Using Local Recoding. KDD 2006; for items
//! TMK08: Terrovitis, Mamoulis, Kalnis. Privacy-Preserving Anonymization of Set-Valued Data. VLDB 2008.
//! # Cost
//! One pass.
//! # Departs from the paper
//! Columns have equal weights. A range of length 1 is not free, as one printed form has it.

use rayon::prelude::*;
use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Scale, Settings};
use throng_data::{EventKind, Nature, Release};

use crate::cover::Cover;
use crate::table::quasi;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ncp",
    purpose: "how much of its domain a released value leaves open, on average",
    takes: &[DataKind::Table, DataKind::Sets, DataKind::Mixed],
    needs: &[
        Need::optional(Input::Records),
        Need::optional(Input::Hierarchies),
        Need::optional(Input::Taxonomy),
    ],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss("ncp", "share of its domain that a released value leaves open, on average", 1.0),
            Scale::loss("ncp_worst_column", "the same in the column that lost most", 1.0),
        ],
    }),
    paper: "XWPTSF06",
    example: "throng measure patients/patients.csv release --schema patients/schema.toml --measure ncp",
    notes: "0 is unchanged, 1 is all suppressed. With a hierarchy or taxonomy its leaves are the domain, otherwise the values \
            that occur.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// The normalised certainty penalty.
#[derive(Debug, Clone, Copy)]
pub struct NcpMeasure;

impl Measure for NcpMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        if on.release.table().is_some() {
            let columns = of_columns(on)?;
            let mean = columns.iter().map(|(_, ncp)| ncp).sum::<f64>() / columns.len() as f64;
            let worst = columns.iter().map(|(_, ncp)| *ncp).fold(0.0, f64::max);
            return Ok(vec![("ncp", mean.min(1.0)), ("ncp_worst_column", worst)]);
        }
        Ok(vec![("ncp", of_items(on)?)])
    }
}

/// The penalty of each quasi-identifying column, on average over its rows.
pub fn of_columns(on: &Comparison<'_>) -> Result<Vec<(String, f64)>, MeasureError> {
    let columns = quasi(on, DESCRIPTOR.name)?;
    let penalty = |cells: &crate::table::Cells<'_>| {
        let mut rows = vec![0_u64; cells.column.covers.len()];
        cells.column.cells.iter().for_each(|cover| rows[*cover as usize] += 1);
        let total: f64 = (0..).zip(&rows).map(|(cover, rows)| cells.ncp(cover) * *rows as f64).sum();
        (cells.column.name.clone(), (total / cells.column.cells.len() as f64).min(1.0))
    };
    Ok(columns.iter().map(penalty).collect())
}

/// The penalty of items, on average over original occurrences.
fn of_items(on: &Comparison<'_>) -> Result<f64, MeasureError> {
    let (before, after) = (&on.original.events, on.release.events());
    let not = |reason| Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
    if before.kind() != EventKind::Set || after.kind() != EventKind::Set {
        return not("it is about tables and sets");
    }
    if on.release.nature != Nature::Truthful || !on.aligned || before.records() != after.records() {
        return not("it is not known which released record is whose");
    }
    if before.is_empty() {
        return not("the data have no items");
    }
    let cover = Cover::of(&on.release.alphabet, on.release.base.len());
    let penalties = penalties(on, on.release);
    let lost = |record: usize| {
        let (mut aligned, original) = (Vec::new(), before.record(record));
        cover.align(EventKind::Set, original, after.record(record), &mut aligned);
        aligned.iter().map(|image| image.map_or(1.0, |item| penalties[item as usize])).sum::<f64>()
    };
    // Records are added up in their order, in parts of a size that the data decide: the same sum with any number of threads.
    let records: Vec<usize> = (0..before.records()).collect();
    let parts: Vec<f64> =
        records.par_chunks(4096).map(|part| part.iter().map(|record| lost(*record)).sum()).collect();
    Ok((parts.into_iter().sum::<f64>() / before.len() as f64).min(1.0))
}

/// What each released item costs: its leaves over all leaves of the taxonomy, or its members over all items.
fn penalties(on: &Comparison<'_>, release: &Release) -> Vec<f64> {
    let tree = on.inputs.taxonomy.as_ref();
    release
        .alphabet
        .iter()
        .map(|item| {
            let node =
                item.label.as_ref().zip(tree).and_then(|(label, tree)| Some((tree, tree.find(label)?)));
            match node {
                _ if item.is_intact() => 0.0,
                Some((tree, node)) => f64::from(tree.leaf_count(node)) / f64::from(tree.leaves()),
                None => {
                    item.members.len() as f64
                        / tree.map_or(release.base.len(), |tree| tree.leaves() as usize) as f64
                }
            }
        })
        .map(|penalty: f64| penalty.min(1.0))
        .collect()
}
