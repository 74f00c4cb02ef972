//! What a release is still good for, and what it still gives away: the numbers of the manifest and the report.
//!
//! Shares and averages over all people only; nothing here speaks of a single record or of a rare pattern.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_contract::{Cancelled, Progress};
use throng_data::Release;
use throng_measure::risk::{RiskCurve, RiskPoint as Attacked, curve, curve_after};
use throng_measure::{Shape, distance, semantic};

use crate::load::Loaded;

/// What attackers who know some events of a person can do, before and after.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// How many people attackers looked for.
    pub targets: u64,
    /// Whether these are a sample of all people.
    pub sampled: bool,
    /// One point for each number of known events.
    pub points: Vec<RiskPoint>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RiskPoint {
    /// How many events of a person the attacker knows.
    pub known: u64,
    /// With the original data.
    pub before: Crowds,
    /// With the release.
    pub after: Crowds,
}

/// Shares of people by the crowd they are found in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crowds {
    /// Nobody else fits.
    pub singled_out: f64,
    /// Fewer than 5 people fit.
    pub below_5: f64,
    /// Fewer than 20 people fit.
    pub below_20: f64,
}

/// Measures of a release by name, and the risk that is left.
pub(crate) fn measure(
    loaded: &Loaded,
    release: &Release,
    seed: u64,
    progress: &Progress,
) -> Result<(BTreeMap<String, f64>, Risk), Cancelled> {
    let original = &loaded.data.events;
    let before = curve(original, seed, progress)?;
    let after = curve_after(original, release, seed, progress)?;
    Ok((losses(loaded, release), risk(&before, &after)))
}

fn losses(loaded: &Loaded, release: &Release) -> BTreeMap<String, f64> {
    let shape = Shape::of(&loaded.data.events, release);
    let mut values = BTreeMap::from([
        ("generalised_items", shape.generalised_items as f64),
        ("intact_items", shape.intact_items as f64),
        ("largest_generalised_item", shape.largest_size as f64),
        ("members_per_event", shape.mean_size_of_events),
        ("members_per_generalised_item", shape.mean_size),
    ]);
    let places = loaded.data.places.as_ref();
    if let Some(loss) = places.and_then(|places| distance::dataset(&loaded.data.events, places, release)) {
        values.insert("distance", loss.mean);
        values.insert("distance_share_of_largest", loss.normalised);
    }
    // A taxonomy that lacks an item of the data was refused when it was read.
    if let Some(penalty) = loaded.taxonomy.as_ref().and_then(|tree| semantic::penalty(release, tree).ok()) {
        values.insert("semantic_penalty", penalty);
    }
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A synthetic release has no curve of its own: nobody stands behind its records.
fn risk(before: &RiskCurve, after: &RiskCurve) -> Risk {
    let crowds = |point: &Attacked| Crowds {
        singled_out: point.singled_out.share,
        below_5: point.below_5.share,
        below_20: point.below_20.share,
    };
    let both = before.points.iter().zip(&after.points);
    Risk {
        targets: before.targets,
        sampled: before.sampled,
        points: both
            .map(|(before, after)| RiskPoint {
                known: before.known,
                before: crowds(before),
                after: crowds(after),
            })
            .collect(),
    }
}
