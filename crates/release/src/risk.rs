//! What attackers can do, before and after: the numbers of the manifest and the report.
//!
//! Shares and averages over all people only; nothing here speaks of a single record or of a rare pattern.

use serde::{Deserialize, Serialize};

use crate::rounding::Rounding;
use crate::table_risk::TableRisk;
use crate::together_risk::TogetherRisk;

/// What attackers who know some events or columns of a person can do, before and after.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// How many people attackers looked for; 0 where that is not told.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub targets: u64,
    /// Whether these are a sample of all people.
    pub sampled: bool,
    /// Whether attackers who have the release know the times of events: they do when times are published.
    #[serde(default)]
    pub times: bool,
    /// Whether attackers who have the data know them: they do when the data have times.
    #[serde(default)]
    pub times_before: bool,
    /// Whether attackers know the published columns of a person, too.
    #[serde(default)]
    pub columns: bool,
    /// One point for each number of known events, or of known columns of a table.
    pub points: Vec<RiskPoint>,
    /// Of a table: the risks from an attacker who knows all columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableRisk>,
    /// Of events beside published columns: what both give away together, by how many columns are known, from none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<TogetherRisk>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RiskPoint {
    /// How many events of a person the attacker knows, or how many columns.
    pub known: u64,
    /// With the original data.
    pub before: Crowds,
    /// With the release.
    pub after: Crowds,
}

/// Shares of people by the crowd they are found in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crowds {
    /// No one else fits.
    pub singled_out: f64,
    /// Fewer than 5 people fit.
    pub below_5: f64,
    /// Fewer than 20 people fit.
    pub below_20: f64,
    /// The 95% interval of the share singled out, when those looked for are a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The same for fewer than 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below_5_interval: Option<[f64; 2]>,
}

impl Risk {
    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The risk as it may be published: shares in steps, no counts and no intervals; nothing where shares are withheld.
    pub fn rounded(&self, rounding: &Rounding) -> Risk {
        let points = self.points.iter().map(|point| point.rounded(rounding));
        match points.collect::<Option<Vec<_>>>() {
            Some(points) if !points.is_empty() => {
                let table = self.table.and_then(|table| table.rounded(rounding));
                let together = self.together.iter().filter_map(|together| together.rounded(rounding));
                Risk { targets: 0, points, table, together: together.collect(), ..*self }
            }
            _ => Risk::default(),
        }
    }
}

impl RiskPoint {
    /// As it may be published; nothing where shares are withheld.
    pub fn rounded(&self, rounding: &Rounding) -> Option<RiskPoint> {
        Some(RiskPoint {
            known: self.known,
            before: self.before.rounded(rounding)?,
            after: self.after.rounded(rounding)?,
        })
    }
}

impl Crowds {
    fn rounded(&self, rounding: &Rounding) -> Option<Crowds> {
        Some(Crowds {
            singled_out: rounding.share(self.singled_out)?,
            below_5: rounding.share(self.below_5)?,
            below_20: rounding.share(self.below_20)?,
            interval: None,
            below_5_interval: None,
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
