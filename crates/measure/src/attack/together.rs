//! Attackers who know columns of a person *and* some of their events: people who fit both are the crowd.
//!
//! A *target* is a person with events. The attacker knows none of the columns, one, up to all of them, and besides none of the events,
//! one, up to what the plan says; what is known with less is known with more. Before, a person fits whose row and records hold what is
//! known; after, one whose published row and records may stand for it.
//!
//! # Guarantees
//! Crowds are exact, in original words. Same data and seed, same answer, with any number of threads.
//! # Suppression
//! Of known events an attacker uses as many as the target's own released records can hold, or, where it is not known which those are, as
//! many as the records of any person whose row fits can. A row that says nothing fits no one, and its own person is looked for by events alone.
//! # Cost
//! Rows that look alike are one class. People who hold some events are counted by class, once for all targets of whom the same events are
//! known; a target then looks through the classes of these people once for all numbers of columns.
//! # Departs from the paper
//! None: this follows no paper.

use std::collections::HashMap;
use std::ops::ControlFlow;

use rayon::prelude::*;
use throng_contract::{Cancelled, Phase, Progress};

use super::attacker::{Attacker, MAX_KNOWN, Plan};
use super::crowd::{Crowd, Published};
use super::knowledge::{Clue, Ground, Known};
use super::point::{Point, Reach};
use super::scene::Scene;
use super::table::TableScene;
use super::table::knowledge::columns_of;
use super::{AttackResult, Own};

/// Targets of whom the same is known are looked for in batches of this size, so that all threads have some.
const BATCH: usize = 1 << 8;

/// What attackers can do who know so many columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Together {
    /// How many columns they know; 0 is none.
    pub columns: u64,
    /// One point for each number of known events, from 0.
    pub attack: AttackResult,
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
    let most = plan.known.min(MAX_KNOWN);
    let ground = Ground { events: scene.known, secret: &scene.secret_items, seed };
    let people = ground.people();
    let targets = ground.learn(&ground.targets(&people, plan.targets), attacker, most);
    let clues = targets.iter().flat_map(Known::clues);
    let published = Published { secrets: None, ..scene.published() };
    let crowd = Crowd::of(published, attacker, clues, u32::MAX, progress)?;
    let hunt = Hunt { table, crowd: &crowd, own: &scene.own, attacker, steps: &steps, seed };
    let phase = progress.phase("attack", Some((targets.len() * (most + 1)) as u64));
    let mut reached: Vec<Vec<Vec<u32>>> = Vec::with_capacity(most + 1);
    for known in 0..=most {
        let level = hunt.look_for_all(&targets, known, reached.last(), &phase)?;
        reached.push(level);
    }
    let subjects: Vec<u32> = targets.iter().map(|target| target.subject).collect();
    let sampled = targets.len() < people.len();
    let point = |step: usize, known: usize| {
        let reach = |people: &Vec<u32>| Reach { people: people[step], guess: None };
        let reached: Vec<Reach> = reached[known].iter().map(reach).collect();
        Point::of(known, &reached, &subjects, None, plan, sampled)
    };
    let answer = |(step, columns): (usize, &usize)| Together {
        columns: *columns as u64,
        attack: AttackResult {
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

/// What clues are alike in that the same records fit them, in the order that counts.
type Likeness = Vec<(Option<usize>, i64)>;

/// People who hold some events.
struct Holders {
    people: u32,
    /// How many are in which class.
    by_class: Vec<(u32, u32)>,
}

struct Hunt<'a> {
    table: &'a TableScene,
    crowd: &'a Crowd<'a>,
    own: &'a Own,
    attacker: &'a Attacker,
    /// Numbers of known columns, ascending.
    steps: &'a [usize],
    seed: u64,
}

impl Hunt<'_> {
    /// For each target, how many people fit so many known events, by number of columns. `fewer` is the answer for one event less.
    fn look_for_all(
        &self,
        targets: &[Known],
        known: usize,
        fewer: Option<&Vec<Vec<u32>>>,
        phase: &Phase<'_>,
    ) -> Result<Vec<Vec<u32>>, Cancelled> {
        let likeness: Vec<Likeness> =
            targets.par_iter().map(|target| self.likeness(&target.first(known))).collect();
        let mut order: Vec<usize> = (0..targets.len()).collect();
        order.par_sort_unstable_by_key(|target| (&likeness[*target], *target));
        let alike = order.chunk_by(|a, b| likeness[*a] == likeness[*b]);
        let groups: Vec<&[usize]> = alike.flat_map(|group| group.chunks(BATCH)).collect();
        let reached: Vec<Vec<(usize, Vec<u32>)>> = groups
            .into_par_iter()
            .map_init(
                || vec![0; self.table.classes()],
                |counts, group| {
                    let mut party = Party { hunt: self, counts, found: HashMap::new() };
                    let look_for = |target: &usize| {
                        phase.advance(1)?;
                        let has_fewer = likeness[*target].len() < known;
                        let reached = match fewer.filter(|_| has_fewer) {
                            Some(fewer) => fewer[*target].clone(),
                            None => party.look_for(&targets[*target], &targets[*target].first(known)),
                        };
                        Ok((*target, reached))
                    };
                    group.iter().map(look_for).collect::<Result<Vec<_>, Cancelled>>()
                },
            )
            .collect::<Result<_, Cancelled>>()?;
        let mut by_target = vec![Vec::new(); targets.len()];
        for (target, reached) in reached.into_iter().flatten() {
            by_target[target] = reached;
        }
        Ok(by_target)
    }

    fn likeness(&self, known: &[Clue]) -> Likeness {
        let mut alike: Likeness = known.iter().map(|clue| self.crowd.likeness(*clue)).collect();
        if !self.crowd.is_ordered() {
            alike.sort_unstable();
        }
        alike
    }
}

/// Looks for targets of whom the same is known.
struct Party<'p, 'h> {
    hunt: &'p Hunt<'h>,
    /// By class; all zero in between.
    counts: &'p mut Vec<u32>,
    /// Who holds a part of what is known.
    found: HashMap<Likeness, Holders>,
}

impl Party<'_, '_> {
    /// How many people fit, by number of columns.
    fn look_for(&mut self, target: &Known, known: &[Clue]) -> Vec<u32> {
        let Hunt { table, crowd, own, attacker, seed, steps } = self.hunt;
        let own = own.of(target.subject);
        let columns = match own {
            // A row that says nothing says nothing of its columns either.
            Some(own) if table.is_silent(own) => Vec::new(),
            _ => columns_of(table, attacker, target.subject, *seed),
        };
        if own.is_some() {
            return self.count(target.subject, &columns, &crowd.usable(own, known));
        }
        let mut choices: Vec<u32> = (0..1 << known.len()).collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.count_ones()));
        let mut reached = vec![0; steps.len()];
        for choice in choices {
            let usable: Vec<Clue> = (0..known.len())
                .filter(|place| choice & (1 << place) != 0)
                .map(|place| known[place])
                .collect();
            let counted = self.count(target.subject, &columns, &usable);
            reached
                .iter_mut()
                .zip(counted)
                .filter(|(people, _)| **people == 0)
                .for_each(|(people, counted)| *people = counted);
            if reached.iter().all(|people| *people > 0) {
                break;
            }
        }
        reached
    }

    /// How many people hold all of some events and fit in the first columns, by number of these.
    fn count(&mut self, person: u32, columns: &[usize], usable: &[Clue]) -> Vec<u32> {
        let Hunt { table, steps, .. } = self.hunt;
        let fitting = match usable {
            [] => table.people_fitting(person, columns),
            usable => {
                let holders = self.holders(usable);
                let mut people = vec![0; columns.len() + 1];
                for (class, held) in &holders.by_class {
                    people[table.fitting(*class, person, columns)] += held;
                }
                // Who is in no class fits where nothing of the columns is known.
                people[0] = holders.people - people[1..].iter().sum::<u32>();
                people
            }
        };
        steps.iter().map(|step| fitting[(*step).min(columns.len())..].iter().sum()).collect()
    }

    /// Who holds all of some events, looked for once.
    fn holders(&mut self, usable: &[Clue]) -> &Holders {
        let Party { hunt, counts, found } = self;
        found.entry(hunt.likeness(usable)).or_insert_with(|| {
            let (mut people, mut classes) = (0, Vec::new());
            let _ = hunt.crowd.visit_among(
                usable,
                |_| true,
                |person| {
                    people += 1;
                    if let Some(class) = hunt.table.class_of(person) {
                        let count = &mut counts[class as usize];
                        if *count == 0 {
                            classes.push(class);
                        }
                        *count += 1;
                    }
                    ControlFlow::Continue(())
                },
            );
            let by_class =
                classes.into_iter().map(|class| (class, std::mem::take(&mut counts[class as usize])));
            Holders { people, by_class: by_class.collect() }
        })
    }
}

#[cfg(test)]
mod tests;
