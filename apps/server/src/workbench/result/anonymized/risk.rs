//! What attackers could do with the data and can do with the release.

use serde::Serialize;
use throng_lab::{Exact, RiskPoint, TogetherRisk};
use utoipa::ToSchema;

use crate::workbench::result::table_risk::TableRisks;
use crate::workbench::risk::curve::{KnownRisk, PeopleShare, RiskCurve, TogetherCurve};

/// What attackers could do, before and after.
#[derive(Debug, Serialize, ToSchema)]
pub struct BeforeAfter {
    /// With the data.
    before: RiskCurve,
    /// With the release.
    after: RiskCurve,
    /// Of a table: the risks of people whom an attacker knows by all columns.
    table: Option<TableRisks>,
    /// Of events beside published columns: what both give away together with the data, by how many columns are known.
    together_before: Vec<TogetherCurve>,
    /// The same with the release.
    together_after: Vec<TogetherCurve>,
}

/// Attackers before and after, from the exact numbers of a run.
pub fn risk(exact: &Exact) -> BeforeAfter {
    let points = |points: &[RiskPoint], after: bool| -> Vec<KnownRisk> {
        let of = |point: &RiskPoint| {
            let crowds = if after { point.after } else { point.before };
            let view = |share: f64, interval: Option<[f64; 2]>| PeopleShare {
                count: (share * exact.risk.targets as f64).round() as u64,
                share,
                low: interval.map(|[low, _]| low),
                high: interval.map(|[_, high]| high),
            };
            KnownRisk {
                known: point.known,
                singled_out: view(crowds.singled_out, crowds.interval),
                below: view(crowds.below_5, crowds.below_5_interval),
                expected: None,
            }
        };
        points.iter().map(of).collect()
    };
    let curve = |after: bool| RiskCurve {
        people: exact.counts.subjects.unwrap_or(0),
        targets: exact.risk.targets,
        sampled: exact.risk.sampled,
        below: 5,
        points: points(&exact.risk.points, after),
    };
    let together = |after: bool| -> Vec<TogetherCurve> {
        let of = |known: &TogetherRisk| TogetherCurve {
            columns: known.columns,
            points: points(&known.points, after),
        };
        exact.risk.together.iter().map(of).collect()
    };
    BeforeAfter {
        before: curve(false),
        after: curve(true),
        table: exact.risk.table.map(TableRisks::from),
        together_before: together(false),
        together_after: together(true),
    }
}
