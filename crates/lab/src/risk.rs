//! What an attacker who knows some events of a person could do, before and after.

use serde::{Deserialize, Serialize};

/// One point of the attacker's curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RiskPoint {
    /// How many events of a person the attacker knows.
    pub known: u64,
    /// Share of people singled out in the data.
    pub before: f64,
    /// Share of people singled out in the release.
    pub after: f64,
}
