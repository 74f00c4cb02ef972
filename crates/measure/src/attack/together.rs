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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use throng_data::{Column, ColumnValues, Dataset, EventKind, Role, Table};

    use super::*;

    fn data(people: &[(u32, u32, Vec<usize>)]) -> Dataset {
        let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
        let records = names
            .iter()
            .zip(people)
            .map(|(name, (_, _, items))| (name.as_str(), items.iter().map(|item| ["a", "b", "c"][*item])));
        let mut data = Dataset::from_records(EventKind::Sequence, records);
        let column = |name: &str, cells: Vec<f64>| Column {
            name: name.to_owned(),
            role: Some(Role::QuasiIdentifying),
            values: ColumnValues::Numbers(cells),
        };
        let ages = column("age", people.iter().map(|person| f64::from(person.0)).collect());
        let homes = column("home", people.iter().map(|person| f64::from(person.1)).collect());
        data.attributes = Some(Table { columns: vec![ages, homes] });
        data
    }

    fn holds(record: &[u32], known: &[Clue]) -> bool {
        let mut left = record.iter();
        known.iter().all(|clue| left.any(|item| *item == clue.item))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Person by person: who has the values of the known columns, and the known events in this order.
        #[test]
        fn crowds_are_who_fits_columns_and_events(
            people in vec((0..3_u32, 0..2_u32, vec(0..3_usize, 1..5)), 1..9),
            seed in any::<u64>(),
        ) {
            let data = data(&people);
            let scene = Scene::original(&data.events);
            let table = TableScene::original(data.attributes.as_ref().unwrap(), people.len());
            let settings = throng_contract::Settings::parse(&super::super::ATTACKER, [("known", "3")]).unwrap();
            let (attacker, plan) = (Attacker::PLAIN, Plan { targets: None, ..Plan::of(&settings) });
            let progress = Progress::silent();
            let found = attack_together(&scene, &table, &attacker, &plan, seed, &progress).unwrap();
            let ground = Ground { events: &data.events, secret: &[], seed };
            let targets = ground.learn(&ground.people(), &attacker, 3);
            for answer in &found {
                for point in &answer.attack.points {
                    let crowd = |target: &Known| {
                        let own = &people[target.subject as usize];
                        let columns = columns_of(&table, &attacker, target.subject, seed);
                        let learned = &columns[..answer.columns as usize];
                        let known = target.first(point.known as usize);
                        let fits = |other: &usize| {
                            let cells = &people[*other];
                            (!learned.contains(&0) || cells.0 == own.0)
                                && (!learned.contains(&1) || cells.1 == own.1)
                                && holds(data.events.record(*other), &known)
                        };
                        (0..people.len()).filter(fits).count() as u32
                    };
                    let crowds: Vec<u32> = targets.iter().map(crowd).collect();
                    prop_assert_eq!(point.crowds.smallest, crowds.iter().copied().min().unwrap());
                    prop_assert_eq!(point.crowds.largest, crowds.iter().copied().max().unwrap());
                    let alone = crowds.iter().filter(|crowd| **crowd < 2).count() as u64;
                    prop_assert_eq!(point.singled_out.count, alone);
                }
            }
            prop_assert_eq!(found.len(), 3);
        }
    }
}
