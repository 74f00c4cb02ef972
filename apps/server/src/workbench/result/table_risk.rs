//! What an attacker who knows all columns of a person can do with a table, before and after.

use serde::Serialize;
use throng_lab::TableRisk;
use utoipa::ToSchema;

/// What an attacker who knows all columns of a person can do.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TableRisk)]
pub struct TableRisks {
    /// How many columns there are to know.
    columns: u64,
    /// With the data.
    before: AllKnownRisks,
    /// With the release.
    after: AllKnownRisks,
    /// How surely a sensitive value is guessed without knowing anything.
    by_chance: Option<f64>,
}

/// The risks of people whose columns are all known.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AllKnown)]
struct AllKnownRisks {
    /// The highest risk of a person who is known to be in the table.
    prosecutor: Option<f64>,
    /// The same of a person in the table.
    journalist: Option<f64>,
    /// The average risk.
    marketer: f64,
    /// What becomes known of sensitive values.
    disclosure: Option<Disclosures>,
}

/// What becomes known of sensitive values.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Disclosure)]
struct Disclosures {
    /// How surely the best guess is right, on average.
    confidence: f64,
    /// How surely at most.
    highest: Option<f64>,
    /// Of what share of people a value is certain.
    certain: Option<f64>,
}

impl From<TableRisk> for TableRisks {
    fn from(risk: TableRisk) -> Self {
        let side = |after: bool| {
            let known = if after { risk.after } else { risk.before };
            AllKnownRisks {
                prosecutor: known.prosecutor,
                journalist: known.journalist,
                marketer: known.marketer,
                disclosure: known.disclosure.map(|told| Disclosures {
                    confidence: told.confidence,
                    highest: told.highest,
                    certain: told.certain,
                }),
            }
        };
        TableRisks {
            columns: risk.columns,
            before: side(false),
            after: side(true),
            by_chance: risk.by_chance,
        }
    }
}
