//! Publishes made-up sets with the frequent combinations of the real ones, under differential privacy.
//!
//! People are divided along a hierarchy of the items: first all of them have something, then some have something of the first
//! half and some of the second or of both, and so on, until a part of the people is told by single items. A part is divided
//! further only while enough people seem to be in it.
//!
//! # Reference
//! CMFDX11: Chen, Mohammed, Fung, Desai, Xiong. Publishing set-valued data via differential privacy. PVLDB 4(11), 2011.
//! Algorithm DiffPart. Our `c1`, `c2` are the paper's C1, C2.
//! # Guarantees
//! The release satisfies `dp` with the given epsilon, for people. From each person one record is counted. A division sends every
//! record to exactly one of the parts it makes, so one person changes one of its counts by one: discrete Laplace noise of
//! scale `1 / e` costs `e`, for all parts together. Along a path of divisions costs add up; the [`BudgetLedger`] lets no path spend
//! more than epsilon, and the last answer on each path spends what is left, so paths that end in a set spend epsilon
//! exactly. Parts without people are treated like all others: noise is drawn for each, and some seem large enough. Which
//! divisions are made depends on noisy counts only. The list of items is public knowledge, never taken from the data.
//!
//! This holds while the noise is secret, and for what is published. The release is *synthetic*: no record belongs to anybody.
//! # Cost
//! Each division looks at the records of its part and draws noise for each of its `2^fan_out - 1` parts.
//! # Departs from the paper
//! * The guarantee is for a person: only the first record of each with an item is counted. `as-printed` counts all
//!   records; where a person has several, that release is refused by the checker.
//! * Of the highest groups of a part the leftmost is divided, not a random one: that needs no chance, and no data either.
//! * The noise is a whole number, drawn exactly; budgets are whole numbers of steps of 2^-32, rounded down.
//! * The threshold of a part that can be divided further is `sqrt(2) c1 / e`, whatever its height.

mod asked;
mod hierarchy;

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_contract::{Descriptor, Input};
use throng_data::{Body, EventKind, Events, GeneralisedItem, ItemId, Nature, Release, Suppression};
use throng_models::{Budget, BudgetLedger, Entry, LedgerError};

use self::asked::{Asked, DESCRIPTOR};
pub use self::hierarchy::{Group, Hierarchy};
use crate::sequence::ngrams::{Alphabet, DiscreteLaplace, Noise};
use crate::{Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

/// Divisions that are made at most.
const MOST_DIVISIONS: usize = 1 << 18;
/// Items of all made-up records together, at most.
const MOST_ITEMS: u64 = 1 << 28;

/// DiffPart.
#[derive(Debug, Clone, Copy)]
pub struct DiffPart;

impl Method for DiffPart {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        anonymize(task, &mut DiscreteLaplace::of(task))
    }
}

/// The method with noise from elsewhere.
pub fn anonymize(task: &Task<'_>, noise: &mut dyn Noise) -> Result<Outcome, MethodError> {
    let missing = MethodError::MissingInput { method: DESCRIPTOR.name, input: Input::Alphabet };
    let alphabet = Alphabet::new(task.inputs.alphabet.as_ref().ok_or(missing)?, &task.data.items)?;
    let asked = Asked::of(task.settings);
    let hierarchy = Hierarchy::new(alphabet.items.len() as u32, asked.fan_out as usize);
    let counted = Counted::collect(&task.data.events, &alphabet.symbol_of, task.variant);
    let budget = Budget::within(asked.epsilon);
    let mut division = Division {
        task,
        asked,
        hierarchy: &hierarchy,
        counted: &counted,
        ledger: BudgetLedger::new(budget, counted.per_person),
        for_sets: budget.steps() - budget.share(2).steps(),
        noise,
        sets: Vec::new(),
        items: 0,
        steps: Vec::new(),
    };
    division.run(&alphabet)?;
    let Division { ledger, sets, steps, .. } = division;
    let release = publish(task, alphabet, &counted, &sets);
    Ok(Outcome {
        release,
        explanation: Explanation { steps },
        notes: Vec::new(),
        public_notes: public_notes(task.variant),
        ledger: Some(ledger),
        also: Vec::new(),
    })
}

/// The records that are counted, as ascending places in the public list.
struct Counted {
    offsets: Vec<u64>,
    places: Vec<u32>,
    per_person: u64,
    unused: u64,
}

impl Counted {
    fn collect(events: &Events, symbol_of: &[u32], variant: Variant) -> Self {
        let mut counted = Counted { offsets: vec![0], places: Vec::new(), per_person: 1, unused: 0 };
        let most = if variant == Variant::Sound { 1 } else { u64::MAX };
        for person in 0..events.subjects() {
            let mut records = 0;
            for record in events.records_of(person).filter(|record| !events.span(*record).is_empty()) {
                if records == most {
                    counted.unused += 1;
                    continue;
                }
                records += 1;
                let begin = counted.places.len();
                counted.places.extend(events.record(record).iter().map(|item| symbol_of[*item as usize]));
                super::baskets::sort_and_dedup(&mut counted.places, begin);
                counted.offsets.push(counted.places.len() as u64);
            }
            counted.per_person = counted.per_person.max(records);
        }
        counted
    }

    fn records(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }

    /// Which children of a group the record has something of, as bits.
    fn touches(&self, record: u32, group: &Group, hierarchy: &Hierarchy) -> u32 {
        let own =
            &self.places[self.offsets[record as usize] as usize..self.offsets[record as usize + 1] as usize];
        let inside = &own[own.partition_point(|place| *place < group.start)..];
        let mut bits = 0;
        let mut child = 0;
        for place in inside.iter().take_while(|place| **place < group.end) {
            while hierarchy.group(group.children[child]).end <= *place {
                child += 1;
            }
            bits |= 1 << child;
        }
        bits
    }
}

/// Some of the people, as far as they are told apart.
struct Part {
    /// The groups they have something of, and no others.
    cut: Vec<u32>,
    records: Vec<u32>,
    /// The last noisy answer on the way here.
    after: Option<Entry>,
    noisy: i64,
}

/// A set that seems frequent, and how often.
struct Frequent {
    items: Vec<u32>,
    copies: u64,
}

struct Division<'a> {
    task: &'a Task<'a>,
    asked: Asked,
    hierarchy: &'a Hierarchy,
    counted: &'a Counted,
    ledger: BudgetLedger,
    /// Steps of the budget that are kept for the last answer of a path.
    for_sets: u64,
    noise: &'a mut dyn Noise,
    sets: Vec<Frequent>,
    items: u64,
    steps: Vec<Reason>,
}

impl Division<'_> {
    fn run(&mut self, alphabet: &Alphabet) -> Result<(), MethodError> {
        let root = vec![self.hierarchy.root()];
        let everybody: Vec<u32> = (0..self.counted.records()).collect();
        if self.hierarchy.is_divided(&root) {
            let last = self.ledger.left(None);
            self.ledger.spend(None, last).map_err(refused)?;
            return self.tell(root, everybody.len(), last);
        }
        let phase = self.task.progress.phase("divide people", None);
        let mut open = vec![Part { cut: root, records: everybody, after: None, noisy: 0 }];
        let mut divisions = 0;
        while let Some(part) = open.pop() {
            divisions += 1;
            if divisions > MOST_DIVISIONS {
                return Err(MethodError::Infeasible {
                    why: format!(
                        "more than {MOST_DIVISIONS} parts of the people seem large enough to be divided"
                    ),
                    help: "raise `c1`, use a smaller `fan-out`, or a larger `epsilon`".into(),
                });
            }
            let first = open.len();
            self.divide(part, &mut open, alphabet)?;
            open[first..].reverse();
            phase.advance(1)?;
        }
        Ok(())
    }

    /// Divides the highest group of a part, and asks how many people each of the parts has.
    fn divide(&mut self, part: Part, open: &mut Vec<Part>, alphabet: &Alphabet) -> Result<(), MethodError> {
        let hierarchy = self.hierarchy;
        let height = |group: &u32| hierarchy.group(*group).height;
        let highest = part.cut.iter().copied().max_by_key(|group| (height(group), std::cmp::Reverse(*group)));
        let Some(highest) = highest else { return Ok(()) };
        let group = hierarchy.group(highest);
        let others: Vec<u32> = part.cut.iter().copied().filter(|other| *other != highest).collect();
        let left = self.ledger.left(part.after);
        let for_division = from_steps(left.steps().saturating_sub(self.for_sets));
        let share = for_division.share(hierarchy.divisions(&part.cut));
        let [to_divide, to_tell] = {
            let sides = (1_u32..1 << group.children.len()).map(|bits| self.is_set(&others, group, bits));
            let sets = sides.filter(|set| *set).count();
            [sets < (1 << group.children.len()) - 1, sets > 0]
        };
        let divided =
            if to_divide { Some(self.ledger.spend(part.after, share).map_err(refused)?) } else { None };
        if to_tell {
            self.ledger.spend(part.after, left).map_err(refused)?;
        }
        self.explain(&part, share, alphabet);
        let mut sorted: Vec<(u32, u32)> = part
            .records
            .iter()
            .map(|record| (self.counted.touches(*record, group, hierarchy), *record))
            .collect();
        sorted.sort_unstable();
        let mut rest = sorted.as_slice();
        for bits in 1_u32..1 << group.children.len() {
            let (own, after) = rest.split_at(rest.partition_point(|(touched, _)| *touched <= bits));
            rest = after;
            let mut cut = others.clone();
            cut.extend(chosen(group, bits));
            cut.sort_unstable_by_key(|group| hierarchy.group(*group).start);
            if self.is_set(&others, group, bits) {
                self.tell(cut, own.len(), left)?;
                continue;
            }
            let noisy = (own.len() as i64).saturating_add(self.noise.draw(1, share));
            if noisy as f64 >= threshold(self.asked.c1, share) {
                let records = own.iter().map(|(_, record)| *record).collect();
                open.push(Part { cut, records, after: divided, noisy });
            }
        }
        Ok(())
    }

    /// Whether nothing is left to be divided in the part with these children.
    fn is_set(&self, others: &[u32], group: &Group, bits: u32) -> bool {
        self.hierarchy.is_divided(others)
            && chosen(group, bits).all(|child| self.hierarchy.group(child).height == 0)
    }

    /// Asks how many people have just these items, for all that is left, and publishes as many if they seem to be enough.
    fn tell(&mut self, cut: Vec<u32>, people: usize, budget: Budget) -> Result<(), MethodError> {
        let noisy = (people as i64).saturating_add(self.noise.draw(1, budget));
        if noisy <= 0 || (noisy as f64) < threshold(self.asked.c2, budget) {
            return Ok(());
        }
        let copies = noisy.unsigned_abs();
        self.items = self.items.saturating_add(copies.saturating_mul(cut.len() as u64));
        if self.items > MOST_ITEMS {
            return Err(MethodError::Infeasible {
                why: format!("the made-up records would have more than {MOST_ITEMS} items"),
                help: "use a larger `epsilon`: the noise is larger than the data".into(),
            });
        }
        let items = cut.iter().map(|group| self.hierarchy.group(*group).start).collect();
        self.sets.push(Frequent { items, copies });
        Ok(())
    }

    fn explain(&mut self, part: &Part, share: Budget, alphabet: &Alphabet) {
        // Nothing was asked about everybody.
        if part.after.is_none() {
            return;
        }
        let members = |group: &u32| {
            let Group { start, end, .. } = self.hierarchy.group(*group);
            alphabet.items[*start as usize..*end as usize].to_vec()
        };
        let needed = threshold(self.asked.c1, share).ceil().max(0.0) as u64;
        self.steps.push(Reason {
            action: "divide",
            items: Vec::new(),
            pattern: part.cut.iter().map(members).collect(),
            support: part.noisy.max(0) as u64,
            needed,
            details: BTreeMap::from([
                ("counted", "people, with noise".to_owned()),
                ("epsilon", format!("{:.6}", share.epsilon())),
            ]),
        });
    }
}

/// The children of a group that bits name.
fn chosen(group: &Group, bits: u32) -> impl Iterator<Item = u32> + '_ {
    group.children.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1).map(|(_, child)| *child)
}

/// So many standard deviations of the noise.
pub fn threshold(deviations: f64, budget: Budget) -> f64 {
    std::f64::consts::SQRT_2 * deviations / budget.epsilon()
}

/// A budget of so many steps; exact, since a budget has far fewer than 2^53.
fn from_steps(steps: u64) -> Budget {
    Budget::within(steps as f64 / Budget::STEPS as f64)
}

fn refused(error: LedgerError) -> MethodError {
    MethodError::Infeasible {
        why: error.to_string(),
        help: "give a larger `epsilon`, or a shorter alphabet".into(),
    }
}

/// Every copy is a record of its own, of no real person.
fn publish(task: &Task<'_>, alphabet: Alphabet, counted: &Counted, sets: &[Frequent]) -> Release {
    let mut items: Vec<ItemId> = Vec::new();
    let mut record_events = vec![0];
    for Frequent { items: set, copies } in sets {
        for _ in 0..*copies {
            items.extend_from_slice(set);
            record_events.push(items.len() as u64);
        }
    }
    let records = record_events.len() as u32 - 1;
    let before = task.data.events.len() as u64;
    let suppression = Suppression {
        items: 0,
        events: before.saturating_sub(counted.places.len() as u64),
        emptied_records: counted.unused,
        events_before: before,
        rows: 0,
    };
    Release {
        base: Arc::new(alphabet.base),
        alphabet: alphabet.items.into_iter().map(|item| GeneralisedItem::of(vec![item])).collect(),
        body: Body::of_events(Events::from_parts(
            EventKind::Set,
            (0..=records).collect(),
            record_events,
            items,
            None,
        )),
        suppression,
        nature: Nature::Synthetic,
    }
}

/// What every reader should know; parameters stand in the manifest.
fn public_notes(variant: Variant) -> Vec<&'static str> {
    vec![
        "synthetic: no record belongs to a person, and none should be read as something that happened",
        match variant {
            Variant::Sound => "of each person only the first record was counted",
            Variant::AsPrinted => "every record was counted: the guarantee is for a record, not for a person",
        },
        "the guarantee rests on noise that stays secret: the seed is not published, nor is any exact number of the data",
    ]
}
