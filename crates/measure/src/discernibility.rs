//! Discernibility: how many others each person can no longer be told from.
//!
//! Everybody is charged with the size of their group, those suppressed with the number of all people: the sum of squared group
//! sizes, and people times suppressed ones.
//!
//! # Reference
//! BA05: Bayardo, Agrawal. Data Privacy through Optimal k-Anonymization. ICDE 2005 (DM).
//! # Cost
//! One pass.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale, Settings};

use crate::table::{Groups, released};
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "discernibility",
    purpose: "how many others each person can no longer be told from",
    takes: &[DataKind::Table],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss(
                "dm_share",
                "share of all people that a person can no longer be told from, on average",
                1.0,
            ),
            Scale::loss(
                "dm",
                "sum of squared group sizes, and of all people for each suppressed one",
                f64::INFINITY,
            ),
        ],
    }),
    paper: "BA05",
    example: "throng measure patients/patients.csv release --schema patients/schema.toml --measure discernibility",
    notes: "Group sizes alone: a wide range costs as much as a narrow one with the same people in it.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// The discernibility metric.
#[derive(Debug, Clone, Copy)]
pub struct DiscernibilityMeasure;

impl Measure for DiscernibilityMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let people = on.release.people();
        let groups = Groups::of_table(released(on, DESCRIPTOR.name)?, people);
        if people == 0 {
            let reason = "there is no row";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        }
        let squares: f64 = groups.sizes.iter().map(|size| f64::from(*size) * f64::from(*size)).sum();
        let dm = squares + groups.left_out() as f64 * people as f64;
        Ok(vec![("dm_share", dm / (people as f64 * people as f64)), ("dm", dm)])
    }
}
