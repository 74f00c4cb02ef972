//! What attackers who know a few events of a person can do with published data.
//!
//! A *target* is a person with events. The attacker knows one to [`MAX_KNOWN`] events of one of the target's records (all
//! of them if it has fewer) and looks for everyone who has a record that holds them: the *crowd*. Knowledge comes from
//! the original data. Before, it is looked up in the original records; after, in released ones, where a released item
//! fits whatever it may stand for. Targets and known events are the same before and after.
//!
//! * [`Attack`], [`catalogue::ALL`]: which events or columns become known, and in what order.
//! * [`attack`]: crowds for one [`Attacker`], exactly counted, with what is learned of secrets.
//! * [`curve`]: the short form of it that every release carries.
//! * [`play()`]: one query of an attacker, and what it tells.
//! * [`table`]: the same for attackers who know columns of a table; [`attack_together`]: for those who know columns and events.
//! * [`attack_worlds`]: the same where records were taken apart, over possible datasets.
//!
//! # Guarantees
//! Same data and seed, same answer, with any number of threads. What is known at one point is known at the next, so that
//! crowds in the original data never grow. Crowds are exact; where targets are a sample, shares carry intervals.
//! # Suppression
//! An attacker who looks at a release knows that events may be missing. Of the known events they use as many as the
//! target's own released records can hold, and drop the others. So the target is always among the matches; when nothing
//! is left to use, everyone with a record is. Where it is not known which records are the target's, they use as many as
//! any released record can hold.
//! # Times
//! Events at exactly known times are matched by time, not by order. Where a release publishes no times, knowing them
//! does not help, and order is used alone.
//! # Columns
//! Where attribute columns are published with the events, attackers may know those of a person as well ([`Scene::with_columns`]):
//! people who differ in one of them do not fit.
//! # Cost
//! One pass to list the records of the known items, kept as lists or bits. Then, for each target, an intersection of lists;
//! or, for ordered events that are common, comparisons of columns. See `search` and `dense`.
//! # Departs from the paper
//! None: this follows no paper, but the unicity measure of mobility studies, with crowd sizes instead of uniqueness alone.

mod attacker;
pub mod catalogue;
mod crowd;
pub mod curve;
mod dense;
mod index;
mod knowledge;
mod listing;
mod person;
mod play;
mod point;
mod posting;
mod scene;
mod search;
mod secrets;
mod share;
pub mod table;
mod together;
mod within;
mod worlds;

use serde::Serialize;
use throng_contract::{Cancelled, Progress};

pub use self::attacker::{ATTACKER, Asked, Attacker, Knowledge, MAX_KNOWN, Plan, Run, Times};
pub use self::catalogue::{Attack, NamedAttack};
use self::crowd::Crowd;
pub use self::knowledge::Clue;
use self::knowledge::{Ground, Known};
pub use self::person::{ColumnsOf, Draw, EventsOf};
pub use self::play::{Common, Played, play};
use self::point::Reach;
pub use self::point::{Bin, Crowds, Point};
pub use self::scene::{Own, Scene};
pub use self::secrets::{Inference, Secrets};
pub use self::share::{Mean, Share};
pub use self::together::{Together, attack_together};
pub use self::worlds::{Links, attack_worlds, links};

/// What an attacker can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttackResult {
    /// People something can be known of.
    pub people: u64,
    /// People looked for.
    pub targets: u64,
    /// Whether the targets are a sample.
    pub sampled: bool,
    /// One point for each number of known events, from 1. Empty when no published record stands for a person.
    pub points: Vec<Point>,
}

/// Lets an attacker loose on all targets.
pub fn attack(
    scene: &Scene<'_>,
    attacker: &Attacker,
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<AttackResult, Cancelled> {
    let raid = raid(scene, attacker, plan, u32::MAX, seed, progress)?;
    let subjects: Vec<u32> = raid.targets.iter().map(|target| target.subject).collect();
    let point = |place: usize| {
        let reached: Vec<Reach> = raid.reached.iter().map(|reached| reached[place]).collect();
        Point::of(place + 1, &reached, &subjects, scene.truth.as_ref(), plan, raid.sampled())
    };
    let points = if scene.has_people() { (0..plan.known).map(point).collect() } else { Vec::new() };
    Ok(AttackResult { people: raid.people, targets: subjects.len() as u64, sampled: raid.sampled(), points })
}

/// Everything that was found out about each target.
struct Raid {
    people: u64,
    targets: Vec<Known>,
    /// By target, then by number of known events.
    reached: Vec<Vec<Reach>>,
}

impl Raid {
    fn sampled(&self) -> bool {
        (self.targets.len() as u64) < self.people
    }
}

fn raid(
    scene: &Scene<'_>,
    attacker: &Attacker,
    plan: &Plan,
    enough: u32,
    seed: u64,
    progress: &Progress,
) -> Result<Raid, Cancelled> {
    progress.check()?;
    let ground = Ground { events: scene.known, secret: &scene.secret_items, seed };
    let people = ground.people();
    let most = plan.known.min(MAX_KNOWN);
    let targets = ground.learn(&ground.targets(&people, plan.targets), attacker, most);
    let clues = targets.iter().flat_map(Known::clues);
    let crowd = Crowd::of(scene.published(), attacker, clues, enough, progress)?;
    let reached = match scene.columns {
        [] => search::look_for(&targets, most, &crowd, &scene.own, progress)?,
        groups => within::look_for(&targets, most, &crowd, groups, progress)?,
    };
    Ok(Raid { people: people.len() as u64, targets, reached })
}

#[cfg(test)]
mod tests;
