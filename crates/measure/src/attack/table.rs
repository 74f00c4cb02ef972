//! Attackers who know cells of a person's row.
//!
//! A *target* is a person of the table. The attacker knows the original values of one published column that is not sensitive, two, up to all of them,
//! and looks for every published row whose cells may stand for them: the *crowd*. A target found among few is at risk:
//!
//! * the *prosecutor* knows that the target is in the release: the risk of a target is one over the crowd;
//! * the *journalist* only knows that the release is about people of the population, and would need a table of the population to rule out others; without one, the
//!   release is the population, and the risk is the prosecutor's;
//! * the *marketer* is after as many people as possible: the average over all targets of one over the crowd.
//!
//! All three are read off the same crowds ([`Risks`]); the chance of guessing a sensitive value is that of the most frequent one in
//! the crowd. [`subsets`] tells which columns together single people out.
//!
//! # Guarantees
//! Crowds are exact, in original words. Same data and seed, same answer, with any number of threads; where targets are a
//! sample, shares carry intervals. What is known at one point is known at the next.
//! # Suppression
//! A suppressed row shows nothing: it fits no one, and its person is found among everyone.
//! # Cost
//! Rows that look alike are one class. For each target the classes that fit the first known column are listed, and filtered
//! by each further one.
//! # Departs from the paper
//! None: this follows no paper. The three names are those of El Emam and Dankar (JAMIA 2008).

pub(super) mod knowledge;
mod overlap;
mod play;
mod scene;

use rayon::prelude::*;
use serde::Serialize;
use throng_contract::{Cancelled, Progress};

use self::knowledge::{Learned, learn};
pub use self::play::{CellClue, Held, PlayedTable, play_table};
pub use self::scene::TableScene;
use super::AttackResult;
use super::attacker::{Attacker, Plan};
use super::point::{Point, Reach};
use super::share::{Mean, Share};

/// Lets an attacker loose on all targets: one point for each number of known columns up to what the plan says, and one for all
/// of them.
pub fn attack_table(
    scene: &TableScene,
    attacker: &Attacker,
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<AttackResult, Cancelled> {
    progress.check()?;
    let columns = scene.columns();
    let mut steps: Vec<usize> = (1..=plan.known.min(columns)).collect();
    if columns > plan.known {
        steps.push(columns);
    }
    let targets = learn(scene, attacker, plan.targets, seed);
    let sampled = targets.len() < scene.people();
    let phase = progress.phase("attack", Some(targets.len() as u64));
    let reached: Vec<Vec<Reach>> = targets
        .par_iter()
        .map_init(
            || scene.searcher(),
            |searcher, target| {
                phase.advance(1)?;
                Ok(searcher.reach(target.person, &target.columns, &steps))
            },
        )
        .collect::<Result<_, Cancelled>>()?;
    let subjects: Vec<u32> = targets.iter().map(|target| target.person).collect();
    let point = |(place, known): (usize, &usize)| {
        let reached: Vec<Reach> = reached.iter().map(|reached| reached[place]).collect();
        Point::of(*known, &reached, &subjects, scene.truth(), plan, sampled)
    };
    Ok(AttackResult {
        people: scene.people() as u64,
        targets: targets.len() as u64,
        sampled,
        points: steps.iter().enumerate().map(point).collect(),
    })
}

/// The three risks from an attacker who knows all columns that are not sensitive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Risks {
    /// People found among fewer than asked about.
    pub at_risk: Share,
    /// The highest risk of a person, to a prosecutor.
    pub prosecutor: f64,
    /// The highest risk of a person, to a journalist: the release is the population.
    pub journalist: f64,
    /// The average risk: the share of people that an attacker finds by picking one of each crowd.
    pub marketer: Mean,
}

impl Risks {
    /// The risks that an attack shows; `None` when it has no points.
    pub fn of(attack: &AttackResult) -> Option<Self> {
        let all = attack.points.last()?;
        let highest = match all.crowds.smallest {
            0 => 0.0,
            smallest => 1.0 / f64::from(smallest),
        };
        Some(Risks {
            at_risk: all.below,
            prosecutor: highest,
            journalist: highest,
            marketer: all.reidentified,
        })
    }
}

/// What some columns together give away.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subset {
    /// The columns.
    pub columns: Vec<String>,
    /// People whom no one else fits.
    pub singled_out: Share,
    /// People found among fewer than the attack was asked about.
    pub below: Share,
}

/// At most so many sets of columns are looked at: those of the largest size that keeps within it, and all smaller ones.
pub const MAX_SUBSETS: usize = 300;

/// What every set of up to `largest` columns gives away, the most telling first; fewer columns first among equals.
pub fn subsets(
    scene: &TableScene,
    plan: &Plan,
    largest: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<Subset>, Cancelled> {
    let chosen = column_sets(scene.columns(), largest);
    let targets: Vec<Learned> = learn(scene, &Attacker::PLAIN, plan.targets, seed);
    let sampled = targets.len() < scene.people();
    let phase = progress.phase("attack by columns", Some(chosen.len() as u64));
    let mut found: Vec<Subset> = chosen
        .par_iter()
        .map(|columns| {
            phase.advance(1)?;
            let mut searcher = scene.searcher();
            let crowds: Vec<u32> = targets
                .iter()
                .map(|target| searcher.reach(target.person, columns, &[columns.len()])[0].people)
                .collect();
            let below = |limit: u32| {
                let count = crowds.iter().filter(|crowd| **crowd < limit).count() as u64;
                Share::new(count, crowds.len() as u64, sampled)
            };
            let columns = columns.iter().map(|column| scene.name(*column).to_owned()).collect();
            Ok(Subset { columns, singled_out: below(2), below: below(plan.below) })
        })
        .collect::<Result<_, Cancelled>>()?;
    found.sort_by(|a, b| {
        let telling = |subset: &Subset| (subset.singled_out.count, subset.below.count);
        telling(b).cmp(&telling(a)).then_with(|| a.columns.len().cmp(&b.columns.len()))
    });
    Ok(found)
}

/// All sets of up to `largest` of the columns, as long as there are not too many.
fn column_sets(columns: usize, largest: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..largest.min(columns) {
        let longer = |set: &Vec<usize>| {
            let from = set.last().map_or(0, |last| last + 1);
            let set = set.clone();
            (from..columns).map(move |column| set.iter().copied().chain([column]).collect::<Vec<_>>())
        };
        last = last.iter().flat_map(longer).collect();
        if all.len() + last.len() > MAX_SUBSETS && !all.is_empty() {
            break;
        }
        all.extend(last.iter().cloned());
    }
    all
}

#[cfg(test)]
mod tests;
