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
use super::crowd::Crowd;
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
    let crowd = Crowd::of(scene.published, &scene.cover, attacker, clues, None, u32::MAX, progress)?;
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
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use throng_data::{
        Column, ColumnValues, Dataset, EventKind, EventsBuilder, RecodedTable, Release, Role, Table,
    };

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

    /// Everybody's events without one item.
    fn without(data: &Dataset, item: u32) -> Release {
        let mut events = EventsBuilder::new(EventKind::Sequence, false);
        for person in 0..data.events.subjects() {
            let kept: Vec<u32> =
                data.events.record(person).iter().copied().filter(|other| *other != item).collect();
            events.push(person as u32, &kept, &[]);
        }
        Release::identity(Arc::clone(&data.items), events.finish(data.events.subjects()))
    }

    fn plan() -> Plan {
        knowing("3")
    }

    fn knowing(known: &str) -> Plan {
        let settings = throng_contract::Settings::parse(&super::super::ATTACKER, [("known", known)]).unwrap();
        Plan { targets: None, ..Plan::of(&settings) }
    }

    #[test]
    fn all_columns_are_known_in_the_last_answer_however_few_are_asked_for() {
        let data = data(&[(1, 0, vec![0]), (2, 1, vec![1])]);
        let release = without(&data, 2);
        let columns = data.attributes.as_ref().unwrap();
        let published = RecodedTable::identity(columns);
        let scene = Scene::release(&data.events, &release, Own::Unknown);
        let table = TableScene::release(columns, &published, 2, &BTreeMap::new(), Own::Unknown);
        let steps = |known: &str| -> Vec<u64> {
            let silent = Progress::silent();
            let found = attack_together(&scene, &table, &Attacker::PLAIN, &knowing(known), 1, &silent);
            found.unwrap().iter().map(|answer| answer.columns).collect()
        };
        assert_eq!([steps("1"), steps("2"), steps("3")], [[0, 1, 2], [0, 1, 2], [0, 1, 2]]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Whether or not it is known whose the records are, what was taken away does not help: the crowd is that of the rest.
        #[test]
        fn what_was_removed_is_not_looked_for(
            people in vec((0..3_u32, 0..2_u32, vec(0..3_usize, 1..5)), 1..9),
            seed in any::<u64>(),
            item in 0..3_u32,
            linked in any::<bool>(),
        ) {
            let data = data(&people);
            let release = without(&data, item);
            let own = if linked { Own::Linked((0..people.len() as u32).map(Some).collect()) } else { Own::Unknown };
            let scene = Scene::release(&data.events, &release, own.clone());
            let columns = data.attributes.as_ref().unwrap();
            let published = RecodedTable::identity(columns);
            let table = TableScene::release(columns, &published, people.len(), &BTreeMap::new(), own);
            let (attacker, plan) = (Attacker::PLAIN, plan());
            let found = attack_together(&scene, &table, &attacker, &plan, seed, &Progress::silent()).unwrap();
            let ground = Ground { events: &data.events, secret: &[], seed };
            for answer in &found {
                for point in &answer.attack.points {
                    let crowd = |target: &Known| {
                        let own = &people[target.subject as usize];
                        let learned = &columns_of(&table, &attacker, target.subject, seed)[..answer.columns as usize];
                        let mut known = target.first(point.known as usize);
                        known.retain(|clue| clue.item != item);
                        let fits = |other: &usize| {
                            let cells = &people[*other];
                            (!learned.contains(&0) || cells.0 == own.0)
                                && (!learned.contains(&1) || cells.1 == own.1)
                                && holds(release.events().record(*other), &known)
                        };
                        (0..people.len()).filter(fits).count() as u32
                    };
                    let crowds: Vec<u32> = ground.learn(&ground.people(), &attacker, 3).iter().map(crowd).collect();
                    prop_assert_eq!(point.crowds.smallest, crowds.iter().copied().min().unwrap());
                    prop_assert_eq!(point.crowds.largest, crowds.iter().copied().max().unwrap());
                    let alone = crowds.iter().filter(|crowd| **crowd < 2).count() as u64;
                    prop_assert_eq!(point.singled_out.count, alone);
                }
            }
        }

        /// Person by person: who has the values of the known columns, and the known events in this order.
        #[test]
        fn crowds_are_who_fits_columns_and_events(
            people in vec((0..3_u32, 0..2_u32, vec(0..3_usize, 1..5)), 1..9),
            seed in any::<u64>(),
        ) {
            let data = data(&people);
            let scene = Scene::original(&data.events);
            let table = TableScene::original(data.attributes.as_ref().unwrap(), people.len());
            let (attacker, plan) = (Attacker::PLAIN, plan());
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
