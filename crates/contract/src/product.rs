//! What a method publishes, and what making it costs.

use serde::Serialize;

/// The five things that can be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    /// Records of events.
    Records,
    /// A table with a row for each person.
    Table,
    /// Records of events, and a row of a table for each of their people.
    Mixed,
    /// Records taken apart: groups of people, and parts of their records that nothing links.
    Chunks,
    /// Counts of people.
    Counts,
}

impl BodyKind {
    /// All kinds.
    pub const ALL: [BodyKind; 5] =
        [BodyKind::Records, BodyKind::Table, BodyKind::Mixed, BodyKind::Chunks, BodyKind::Counts];

    /// The word in a manifest: whatever has rows of people is `rows` there.
    pub const fn form(self) -> &'static str {
        match self {
            BodyKind::Records | BodyKind::Table | BodyKind::Mixed => "rows",
            BodyKind::Chunks => "chunks",
            BodyKind::Counts => "counts",
        }
    }

    /// Whether every person of the data has something of their own in it: records, a row, or both.
    pub const fn has_rows(self) -> bool {
        matches!(self, BodyKind::Records | BodyKind::Table | BodyKind::Mixed)
    }
}

/// Whether a release keeps a promise whose parts keep it, where every person is in exactly one part, by what is known of that person alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverParts {
    /// It does: how many people fit adds up over the parts.
    Follows,
    /// It does, if every part is judged with the same of this.
    FollowsWithSame(&'static str),
    /// It does not: the whole has to be judged.
    DoesNotFollow,
}

/// What a method takes for each pattern that it counts, each item and each event, in microseconds on the machine of
/// `docs/BENCHMARKS.md`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rates {
    /// For each pattern of as many events as the promise's attacker knows.
    pub pattern: f64,
    /// For each different item.
    pub item: f64,
    /// For each event.
    pub event: f64,
}

/// What a method publishes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Product {
    /// Its body.
    pub body: BodyKind,
    /// Whether records are drawn from a model, so that they are no person's.
    pub synthetic: bool,
    /// What making it costs.
    pub rates: Rates,
}

impl Product {
    /// Made of the records of people, by a method that looks at each pattern once.
    pub const fn of(body: BodyKind) -> Self {
        Product { body, synthetic: false, rates: Rates { pattern: 0.1, item: 0.0, event: 0.5 } }
    }

    /// Drawn from a model.
    #[must_use]
    pub const fn synthetic(self) -> Self {
        Product { synthetic: true, ..self }
    }

    /// With measured rates: microseconds for a pattern, an item and an event.
    #[must_use]
    pub const fn at(self, pattern: f64, item: f64, event: f64) -> Self {
        Product { rates: Rates { pattern, item, event }, ..self }
    }
}
