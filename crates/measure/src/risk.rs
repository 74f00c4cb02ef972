//! How many people an attacker singles out who knows a few events of a person, in order.
//!
//! A *target* is a person with events. The attacker knows one to [`MOST_KNOWN`] events of the target, drawn at random
//! from one of the target's records, in their order (all of them if the record has fewer), and looks for everyone whose
//! data hold these events in that order. Before: in the original records. After: in the released records, where a
//! released item fits an original one if it may stand for it. Targets and known events are the same before and after.
//!
//! # Guarantees
//! Same data and seed, same curve, with any number of threads. What is known at one point of the curve is known at the
//! next, so that the curve before never falls.
//! # Suppression
//! An attacker who looks at a release knows that events may be missing. Of the known events they use as many as the
//! target's own released record can hold, in order, and drop the others. So the target is always among the matches; when
//! nothing is left to use, everybody with a record is.
//! # Cost
//! All people are targets up to [`MOST_TARGETS`]; above, a sample of that size, with 95% Wilson intervals. Records of each
//! known item are kept as lists or bits and intersected lazily: counting stops at [`ENOUGH`] people.
//! # Departs from the paper
//! None: this follows no paper, but the unicity measure of mobility studies, with crowds of 5 and 20 beside 1.

mod crowd;
mod knowledge;
mod posting;
mod share;

use rayon::prelude::*;
use serde::Serialize;
use throng_contract::{Cancelled, Progress};
use throng_data::{Events, Nature, Release};

use self::crowd::Crowd;
use self::knowledge::Known;
pub use self::share::Share;
use crate::cover::Cover;

/// The most events an attacker knows.
pub const MOST_KNOWN: usize = 4;
/// Up to so many people all are targets; above, so many are drawn.
pub const MOST_TARGETS: usize = 2_000;
/// A crowd in which nobody is looked for any further.
pub const ENOUGH: u32 = 20;

/// What attackers who know more and more events can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskCurve {
    /// People with events.
    pub people: u64,
    /// People looked for.
    pub targets: u64,
    /// Whether the targets are a sample.
    pub sampled: bool,
    /// One point for each number of known events, from 1. Empty when no record of the release stands for a person.
    pub points: Vec<RiskPoint>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RiskPoint {
    /// How many events the attacker knows.
    pub known: u64,
    /// Targets whom nobody else fits.
    pub singled_out: Share,
    /// Targets in a crowd of fewer than 5, those singled out included.
    pub below_5: Share,
    /// Targets in a crowd of fewer than 20, those singled out included.
    pub below_20: Share,
}

/// What attackers can do today, with the original data.
pub fn curve(original: &Events, seed: u64, progress: &Progress) -> Result<RiskCurve, Cancelled> {
    let items = original.items().iter().max().map_or(0, |item| *item as usize + 1);
    attack(original, original, &Cover::identity(items), seed, progress)
}

/// What attackers can do with a release of the data. The curve of a synthetic release has no points: nobody stands
/// behind its records.
pub fn curve_after(
    original: &Events,
    release: &Release,
    seed: u64,
    progress: &Progress,
) -> Result<RiskCurve, Cancelled> {
    let cover = Cover::of(&release.alphabet, release.base.len());
    let mut curve = attack(original, &release.events, &cover, seed, progress)?;
    if release.nature == Nature::Synthetic || release.events.records() != original.records() {
        curve.points.clear();
    }
    Ok(curve)
}

fn attack(
    original: &Events,
    published: &Events,
    cover: &Cover,
    seed: u64,
    progress: &Progress,
) -> Result<RiskCurve, Cancelled> {
    let people = knowledge::people(original);
    let targets = knowledge::draw(original, &people, seed);
    let sampled = targets.len() < people.len();
    let phase = progress.phase("attack", Some(targets.len() as u64));
    let crowd = Crowd::of(published, cover, &targets, progress)?;
    let crowds: Vec<[u32; MOST_KNOWN]> = targets
        .par_iter()
        .map(|target| {
            let crowds = crowd_sizes(&crowd, target);
            phase.advance(1)?;
            Ok(crowds)
        })
        .collect::<Result<_, Cancelled>>()?;

    let points = (0..MOST_KNOWN).map(|index| {
        let below = |limit: u32| {
            let count = crowds.iter().filter(|sizes| sizes[index] < limit).count() as u64;
            Share::new(count, targets.len() as u64, sampled)
        };
        RiskPoint {
            known: index as u64 + 1,
            singled_out: below(2),
            below_5: below(5),
            below_20: below(ENOUGH),
        }
    });
    Ok(RiskCurve {
        people: people.len() as u64,
        targets: targets.len() as u64,
        sampled,
        points: points.collect(),
    })
}

/// How many people fit, for one to [`MOST_KNOWN`] known events; [`ENOUGH`] stands for more.
fn crowd_sizes(crowd: &Crowd<'_>, target: &Known) -> [u32; MOST_KNOWN] {
    let mut sizes = [0; MOST_KNOWN];
    for known in 1..=MOST_KNOWN {
        sizes[known - 1] = if known > 1 && known > target.len() {
            sizes[known - 2]
        } else {
            crowd.size(&crowd.usable(target.record, &target.first(known)))
        };
    }
    sizes
}

#[cfg(test)]
mod tests;
