//! Attackers who know columns of a person *and* some of their events: whoever fits both is in the crowd.
//!
//! A *target* is a person with events. The attacker knows none of the columns, one, up to all of them, and besides none of the events,
//! one, up to what the plan says; what is known with less is known with more. Before, a person fits whose row and records hold what is
//! known; after, one whose published row and records may stand for it.
//!
//! # Guarantees
//! Crowds are exact, in original words. Same data and seed, same answer, with any number of threads.
//! # Suppression
//! Of known events an attacker uses as many as the target's own released records can hold, or, where nobody can say which those are, as
//! many as the records of anybody can whose row fits. A row that says nothing fits nobody, and its own person is looked for by events alone.
//! # Cost
//! Each target is looked for alone, as in `within`: rows that look alike are one class, and classes that fit are marked once for each
//! number of columns.
//! # Departs from the paper
//! None: this follows no paper.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use super::attacker::{Attacker, MOST_KNOWN, Plan};
use super::crowd::Crowd;
use super::knowledge::{Clue, Ground, Known};
use super::point::{Point, Reach};
use super::scene::Scene;
use super::table::knowledge::columns_of;
use super::table::{Fitting, TableScene};
use super::{Attack, Own};

/// What attackers can do who know so many columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Together {
    /// How many columns they know; 0 is none.
    pub columns: u64,
    /// One point for each number of known events, from 0.
    pub attack: Attack,
}

/// Lets an attacker loose on all targets: an answer for each number of columns, from none to what the plan says, and one for all of them.
/// The people of `table` are those of `scene`, on both sides.
pub fn attack_together(
    scene: &Scene<'_>,
    table: &TableScene,
    attacker: &Attacker,
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<Together>, Cancelled> {
    progress.check()?;
    let mut steps: Vec<usize> = (0..=plan.known.min(table.columns())).collect();
    if table.columns() > plan.known {
        steps.push(table.columns());
    }
    let most = plan.known.min(MOST_KNOWN);
    let ground = Ground { events: scene.known, secret: &scene.secret_items, seed };
    let people = ground.people();
    let targets = ground.learn(&ground.targets(&people, plan.targets), attacker, most);
    let clues = targets.iter().flat_map(Known::clues);
    let crowd = Crowd::of(scene.published, &scene.cover, attacker, clues, None, u32::MAX, progress)?;
    let hunt = Hunt { table, crowd: &crowd, own: &scene.own, attacker, most, seed };
    let phase = progress.phase("attack", Some(targets.len() as u64));
    let reached: Vec<Vec<Vec<u32>>> = targets
        .par_iter()
        .map(|target| {
            phase.advance(1)?;
            Ok(hunt.look_for(target, &steps))
        })
        .collect::<Result<_, Cancelled>>()?;
    let subjects: Vec<u32> = targets.iter().map(|target| target.subject).collect();
    let sampled = targets.len() < people.len();
    let point = |step: usize, known: usize| {
        let reach = |reached: &Vec<Vec<u32>>| Reach { people: reached[step][known], guess: None };
        let reached: Vec<Reach> = reached.iter().map(reach).collect();
        Point::of(known, &reached, &subjects, None, plan, sampled)
    };
    let answer = |(step, columns): (usize, &usize)| Together {
        columns: *columns as u64,
        attack: Attack {
            people: people.len() as u64,
            targets: subjects.len() as u64,
            sampled,
            points: if scene.has_people() {
                (0..=most).map(|known| point(step, known)).collect()
            } else {
                Vec::new()
            },
        },
    };
    Ok(steps.iter().enumerate().map(answer).collect())
}

struct Hunt<'a> {
    table: &'a TableScene,
    crowd: &'a Crowd<'a>,
    own: &'a Own,
    attacker: &'a Attacker,
    most: usize,
    seed: u64,
}

impl Hunt<'_> {
    /// How many people fit, by number of columns, then by number of events.
    fn look_for(&self, target: &Known, steps: &[usize]) -> Vec<Vec<u32>> {
        let columns = columns_of(self.table, self.attacker, target.subject, self.seed);
        let own = self.own.of(target.subject);
        let says_nothing = own.is_some_and(|own| self.table.is_silent(own));
        let with = |known: &usize| {
            let learned = if says_nothing { &[] } else { &columns[..*known] };
            let fitting = self.table.fitting(target.subject, learned);
            (0..=self.most).map(|known| self.count(own, &target.first(known), &fitting)).collect()
        };
        steps.iter().map(with).collect()
    }

    /// How many of some people have a record that holds what is usable of what is known.
    fn count(&self, own: Option<usize>, known: &[Clue], among: &Fitting<'_>) -> u32 {
        let holding = |known: &[Clue]| match known {
            [] => among.people,
            known => self.crowd.count_among(known, |person| among.has(person)),
        };
        if own.is_some() {
            return holding(&self.crowd.usable(own, known));
        }
        let mut choices: Vec<u32> = (0..1 << known.len()).collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.count_ones()));
        let choose = |choice: u32| -> Vec<Clue> {
            (0..known.len()).filter(|place| choice & (1 << place) != 0).map(|place| known[place]).collect()
        };
        let mut counts = choices.into_iter().map(|choice| holding(&choose(choice)));
        counts.find(|people| *people > 0).unwrap_or(0)
    }
}
