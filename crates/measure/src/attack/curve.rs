//! The curve of the manifest and of `throng inspect`: who is singled out, or nearly, by how many known events.
//!
//! # Cost
//! Counting stops at [`ENOUGH`] people, so that the curve costs little more than listing the records of the known items.

use serde::Serialize;
use throng_contract::{Cancelled, Fraction, Progress};
use throng_data::{EventKind, Events, Release};

use super::attacker::{Attacker, MAX_KNOWN, Plan};
use super::scene::{Own, Scene};
use super::share::Share;

/// Events known at the end of the curve, unless a promise speaks of more.
pub const USUALLY_KNOWN: usize = 4;
/// Up to so many people all are targets; above, so many are drawn.
pub const MAX_TARGETS: usize = 2_000;
/// The search for more people stops at a crowd of this size.
pub const ENOUGH: u32 = 20;

/// What attackers who know more and more random events can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskCurve {
    /// People with events.
    pub people: u64,
    /// People looked for.
    pub targets: u64,
    /// Whether the targets are a sample.
    pub sampled: bool,
    /// Whether attackers know the times of the events.
    pub times: bool,
    /// One point for each number of known events, from 1. Empty when no record of the release stands for a person.
    pub points: Vec<RiskPoint>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RiskPoint {
    /// How many events the attacker knows.
    pub known: u64,
    /// Targets whom no one else fits.
    pub singled_out: Share,
    /// Targets in a crowd of fewer than 5, those singled out included.
    pub below_5: Share,
    /// Targets in a crowd of fewer than 20, those singled out included.
    pub below_20: Share,
}

/// How many events the curve of a release goes up to: two more than its promise speaks of.
pub fn known_beyond(promised: u64) -> usize {
    usize::try_from(promised.saturating_add(2)).unwrap_or(MAX_KNOWN).clamp(USUALLY_KNOWN, MAX_KNOWN)
}

/// What attackers can do today, with the data as they are. They know times if there are any.
pub fn curve(
    original: &Events,
    known: usize,
    seed: u64,
    progress: &Progress,
) -> Result<RiskCurve, Cancelled> {
    let attacker = usual_attacker(original, original.times().is_some());
    of(&Scene::original(original), &attacker, known, seed, progress)
}

/// What attackers can do with the data and with a release of them, looking for the same people by the same events. With
/// the data they know times if there are any, with the release if it publishes times. `columns` numbers people alike who
/// agree in all published columns, and is empty where none is known. The curve of a synthetic release has no points:
/// its records stand for no person.
pub fn before_and_after(
    original: &Events,
    release: &Release,
    columns: &[u32],
    known: usize,
    seed: u64,
    progress: &Progress,
) -> Result<(RiskCurve, RiskCurve), Cancelled> {
    let timed = original.times().is_some();
    let scene = Scene::original(original).with_columns(columns);
    let before = of(&scene, &usual_attacker(original, timed), known, seed, progress)?;
    let published = timed && release.events().times().is_some();
    let scene = Scene::release(original, release, Own::Same).with_columns(columns);
    if !scene.has_people() || release.people() != original.subjects() {
        let after = RiskCurve { points: Vec::new(), times: published, ..before };
        return Ok((before, after));
    }
    let after = of(&scene, &usual_attacker(original, published), known, seed, progress)?;
    Ok((before, after))
}

/// The attacker unless another is asked for: knows random events in their order, with times if these are known.
pub fn usual_attacker(original: &Events, times: bool) -> Attacker {
    let ordered = original.kind() == EventKind::Sequence;
    Attacker { ordered, times: times.then_some(0), ..Attacker::PLAIN }
}

fn of(
    scene: &Scene<'_>,
    attacker: &Attacker,
    known: usize,
    seed: u64,
    progress: &Progress,
) -> Result<RiskCurve, Cancelled> {
    let plan = Plan { known, below: 5, targets: Some(MAX_TARGETS), confidence: Fraction::ONE };
    let raid = super::raid(scene, attacker, &plan, ENOUGH, seed, progress)?;
    let points = (0..known).map(|place| {
        let below = |limit: u32| {
            let count = raid.reached.iter().filter(|reached| reached[place].people < limit).count();
            Share::new(count as u64, raid.targets.len() as u64, raid.sampled())
        };
        RiskPoint {
            known: place as u64 + 1,
            singled_out: below(2),
            below_5: below(5),
            below_20: below(ENOUGH),
        }
    });
    Ok(RiskCurve {
        people: raid.people,
        targets: raid.targets.len() as u64,
        sampled: raid.sampled(),
        times: attacker.times.is_some(),
        points: points.collect(),
    })
}
