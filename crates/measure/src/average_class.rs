//! How large groups of people who look alike are, next to how large they have to be.
//!
//! # Reference
//! LDR06: LeFevre, DeWitt, Ramakrishnan. Mondrian Multidimensional k-Anonymity. ICDE 2006 (C_avg).
//! # Cost
//! One pass.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Key, Scale, Settings, settings};

use crate::table::{Groups, released};
use crate::{Comparison, Measure, MeasureError, Readings};

settings! {
    /// What the measure is asked for.
    struct Asked {
        k: u64 = Key::integer("k", 1..=u32::MAX as u64, "how large a group has to be").or("1"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "average-class",
    purpose: "how large groups of people who look alike are, next to how large they have to be",
    takes: &[DataKind::Table],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss("c_avg", "people for each group, on average, next to k", f64::INFINITY),
            Scale::size("classes", "groups of people who look alike"),
            Scale::size("smallest_class", "people in the smallest group"),
            Scale::size("largest_class", "people in the largest group"),
        ],
    }),
    paper: "LDR06",
    example: "throng measure patients/patients.csv release --schema patients/schema.toml --measure average-class -k 5",
    notes: "1 is as small as groups may be. Suppressed rows are in no group, and count among the people: taking them away does not \
            make groups better.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Average group size.
#[derive(Debug, Clone, Copy)]
pub struct AverageClassMeasure;

impl Measure for AverageClassMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        let groups = Groups::of_table(released(on, DESCRIPTOR.name)?, on.release.people());
        let (Some(smallest), Some(largest)) = (groups.sizes.iter().min(), groups.sizes.iter().max()) else {
            let reason = "no row is left";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        };
        let classes = groups.sizes.len() as f64;
        Ok(vec![
            ("c_avg", on.release.people() as f64 / (classes * asked.k as f64)),
            ("classes", classes),
            ("smallest_class", f64::from(*smallest)),
            ("largest_class", f64::from(*largest)),
        ])
    }
}
