//! Precision: how far up their hierarchies released values went.
//!
//! Every cell is charged with its level over the height of its column's hierarchy; precision is one less the average charge.
//!
//! # Reference
//! S02: Sweeney. Achieving k-Anonymity Privacy Protection Using Generalization and Suppression. IJUFKS 10(5), 2002 (Prec).
//! # Cost
//! One pass.
//! # Departs from the paper
//! Columns without a hierarchy have no levels and are left out. A node that stands on several levels of a line counts with the
//! lowest.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Input, Need, Scale, Settings};
use throng_data::{Cover, Hierarchy};

use crate::table::{Cells, quasi};
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "precision",
    purpose: "how far down their hierarchies released values stayed",
    takes: &[DataKind::Table],
    needs: &[Need::required(Input::Hierarchies)],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[Scale::kept(
            "precision",
            "one less the average level over the height of the hierarchy",
            1.0,
        )],
    }),
    paper: "S02",
    example: "throng measure patients/patients.csv release --schema patients/schema.toml --measure precision",
    notes: "Speaks of columns that have a hierarchy. A range or set that is no node of it counts as the lowest node above it.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Precision.
#[derive(Debug, Clone, Copy)]
pub struct PrecisionMeasure;

impl Measure for PrecisionMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let columns = quasi(on, DESCRIPTOR.name)?;
        let (mut charge, mut cells) = (0.0, 0_u64);
        for column in &columns {
            let Some(hierarchy) = column.domain.hierarchy.as_ref().filter(|tree| tree.height() > 0) else {
                continue;
            };
            let level =
                |cover: usize| level(column, hierarchy, cover as u32) as f64 / hierarchy.height() as f64;
            let charges: Vec<f64> = (0..column.column.covers.len()).map(level).collect();
            charge += column.column.cells.iter().map(|cover| charges[*cover as usize]).sum::<f64>();
            cells += column.column.cells.len() as u64;
        }
        if cells == 0 {
            return Err(MeasureError::MissingInput { measure: DESCRIPTOR.name, input: Input::Hierarchies });
        }
        Ok(vec![("precision", (1.0 - charge / cells as f64).clamp(0.0, 1.0))])
    }
}

/// The lowest level at which a node stands for all that a cover may be.
fn level(column: &Cells<'_>, hierarchy: &Hierarchy, cover: u32) -> usize {
    let tree = hierarchy.tree();
    if column.column.covers[cover as usize] == Cover::Suppressed {
        return hierarchy.height();
    }
    let leaves: Vec<u32> =
        column.codes(cover).iter().map(|code| column.domain.leaves[*code as usize]).collect();
    let Some(first) = leaves.first().copied() else { return 0 };
    let named = match &column.column.covers[cover as usize] {
        Cover::Node { name, .. } | Cover::Value(name) => tree.find(name),
        _ => None,
    };
    let node = named.unwrap_or_else(|| leaves.iter().fold(first, |node, leaf| tree.lca(node, *leaf)));
    (0..=hierarchy.height()).find(|level| hierarchy.at(first, *level) == node).unwrap_or(hierarchy.height())
}
