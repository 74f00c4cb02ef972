//! Suppresses timed visits everywhere until every short sequence of them is shared by K people and gives no
//! sensitive value away.
//!
//! # Reference
//! MFD: Mohammed, Fung, Debbabi. Preserving Privacy and Utility in RFID Data Publishing. Algorithms 1 and 2. Its
//! words and ours: a pair is a doublet (item and time), MVS are minimal violating sequences, MFS are maximal frequent
//! sequences, K' is `K-prime`, PrivGain and UtilityLoss are `gain` and `loss`.
//! # Guarantees
//! The release satisfies the promise `lkc`. What is left was really visited, and the support of every sequence that
//! is left is the one it had.
//! # Cost
//! Counting dominates: each record is scanned once for every sequence of up to L of its doublets whose parts are all
//! safe. The choice itself is linear in the violating and frequent sequences found.
//! # Departs from the paper
//! * Support counts people; a person contains a sequence when one of their records does.
//! * `sound` keeps a candidate only if all its parts are non-violating; the letter of Algorithm 1 consults the last
//!   level only, finds sequences that are not minimal from size four on, and then scores too much.
//! * `sound` refuses when too few people, or too sure a sensitive value, are there before any visit is known; the
//!   paper does not look at the empty sequence.
//! * Equal scores go to the doublet with fewer people, then to the earlier one; with Score 3, which ties in most steps,
//!   first to the one that clears more violating sequences. The paper does not say.
//! * Sequences may become maximal only after suppression, so the loss has two readings; both are in the notes.

mod local;
mod requirement;
mod scores;
mod tournament;
mod violating;

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Fraction, Input, Key, Need, Product, Threshold, settings,
};
use throng_data::{Events, Release, Suppression};
use throng_mine::doublets::{DoubletTable, FrequentSet, Ties, maximal};
use throng_models::choices::MissingSecret;
use throng_models::ranges;

use crate::method::{Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

pub use local::LkcLocal;
pub use requirement::{Requirement, Sensitive};
pub use scores::{Choice, Score, choose};
pub use violating::{Pruning, ViolatingSets, minimal_violating};

/// The method `lkc`: global suppression.
pub struct Lkc;

const NAME: &str = "lkc";

const LENGTH: Key<u64> = Key::integer_or_max(
    "L",
    ranges::KNOWN_OR_ALL,
    "how many timed visits an attacker may know; `max` for all of a record",
);
const PEOPLE: Key<u64> =
    Key::integer("K", ranges::PEOPLE, "how many people must fit whatever the attacker knows");
const SHARE: Key<Fraction> =
    Key::share("C", "how sure the attacker may be of a sensitive value, above 0").or("1");
const MISSING: Key<MissingSecret> = Key::choice(
    "missing",
    "people whose sensitive value is missing: worst: they may have any; value: they have none of those named",
)
.or("worst");
const FREQUENT: Key<Threshold> =
    Key::threshold("K-prime", "people that make a sequence frequent, and so worth keeping").or("1%");
const TIES: Key<Ties> = Key::choice(
    "resolve-ties",
    "two events of a record at the same time: an error, or keep the first and count the others as suppressed",
)
.or("error");

settings! {
    /// What is promised.
    struct Promised {
        length: u64 = LENGTH,
        people: u64 = PEOPLE,
        share: Fraction = SHARE,
        missing: MissingSecret = MISSING,
    }
}

settings! {
    /// What the method is asked for.
    struct Asked {
        promised: Promised,
        frequent: Threshold = FREQUENT,
        score: Score = Key::choice(
            "score",
            "what to suppress first: 1 most violations for each pattern lost, 2 most violations, 3 fewest patterns",
        )
        .or("1"),
        resolve_ties: Ties = TIES,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: NAME,
    purpose: "Suppresses timed visits everywhere until L of them fit K people and give no sensitive value away",
    takes: &[DataKind::Timed],
    needs: &[Need::optional(Input::Records), Need::optional(Input::SensitiveValues)],
    params: Asked::ALL,
    keeps: Some("lkc"),
    product: Some(Product::of(BodyKind::Records)),
    variants: true,
    paper: "MFD",
    example: "throng anonymize metro/events.csv --records metro/records.csv --method lkc --L 3 --K 30 --C 0.6 \
              --sensitive-values status=on-welfare --publish status -o release",
    notes: "Without sensitive values only identities are protected. `L = max` covers attackers who know any number of \
            visits, but not that a person made no others: it is not K-anonymity. Times are published; coarser times \
            (bins) keep more visits.",
    ..Descriptor::blank(DescriptorKind::Method)
};

impl Method for Lkc {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let requirement = Requirement::new(NAME, &asked.promised)?;
        let sensitive = Sensitive::named_by(NAME, task, asked.promised.missing)?;
        let table = requirement::doublets(task, asked.resolve_ties)?;
        if task.variant == Variant::Sound {
            requirement::judge_everyone(&requirement, &sensitive, &table)?;
        }
        let pruning = match task.variant {
            Variant::Sound => Pruning::AllParts,
            Variant::AsPrinted => Pruning::LastLevel,
        };
        let violating = minimal_violating(&table, &sensitive, &requirement, pruning, task.progress)?;
        let min_support = asked.frequent.of(table.people() as u64);
        let frequent = maximal(&table, min_support, task.progress)?;
        let support: Vec<u64> =
            (0..table.len() as u32).map(|doublet| table.people_of(table.holders(doublet))).collect();
        let choices = choose(&violating, &frequent, &support, asked.score, task.progress)?;

        let mut suppressed = vec![false; table.len()];
        for choice in &choices {
            suppressed[choice.doublet as usize] = true;
        }
        let events = table.to_events(|_, doublet| !suppressed[doublet as usize]);
        let mut notes = notes_on_input(task, &table);
        notes.push(format!(
            "{} of {} distinct timed visits were suppressed everywhere, to clear {} violating sequences",
            choices.len(),
            table.len(),
            violating.len()
        ));
        notes.extend(note_on_loss(&frequent, &suppressed, min_support));
        let steps = choices.iter().map(|choice| explain(choice, &violating, &table, &requirement)).collect();
        Ok(Outcome {
            also: Vec::new(),
            release: release(task, events),
            explanation: Explanation { steps },
            notes,
            public_notes: public_notes(&requirement, &sensitive),
            ledger: None,
        })
    }
}

/// The release of the events that are left.
fn release(task: &Task<'_>, events: Events) -> Release {
    let before = &task.data.events;
    let suppression = Suppression {
        rows: 0,
        items: count_items(before) - count_items(&events),
        events: (before.len() - events.len()) as u64,
        emptied_records: (0..before.records())
            .filter(|record| !before.span(*record).is_empty() && events.span(*record).is_empty())
            .count() as u64,
        events_before: before.len() as u64,
    };
    Release { suppression, ..Release::identity(Arc::clone(&task.data.items), events) }
}

fn count_items(events: &Events) -> u64 {
    let mut seen = vec![false; events.items().iter().max().map_or(0, |largest| *largest as usize + 1)];
    events.items().iter().for_each(|item| seen[*item as usize] = true);
    seen.into_iter().filter(|seen| *seen).count() as u64
}

fn notes_on_input(task: &Task<'_>, table: &DoubletTable) -> Vec<String> {
    let mut notes = Vec::new();
    let dropped = task.data.events.len() - table.events();
    if dropped > 0 {
        notes.push(format!(
            "{dropped} events were suppressed because their record has an earlier event at the same time"
        ));
    }
    notes
}

/// What every reader of such a release should know.
fn public_notes(requirement: &Requirement, sensitive: &Sensitive) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if sensitive.values() == 0 && requirement.share < Fraction::ONE {
        notes.push("no sensitive values were given: C has no effect, only identities are protected");
    }
    if sensitive.values() > 0 && requirement.share == Fraction::ONE {
        notes.push("C is 1: an attacker may become certain of a sensitive value");
    }
    notes
}

/// Both readings of the loss of patterns: those that are gone, and how many fewer there are.
fn note_on_loss(frequent: &[FrequentSet], suppressed: &[bool], min_support: u64) -> Option<String> {
    if frequent.is_empty() {
        return None;
    }
    let left = maximal_after(frequent, suppressed);
    let intact = frequent
        .iter()
        .filter(|set| set.doublets.iter().all(|doublet| !suppressed[*doublet as usize]))
        .count();
    let before = frequent.len();
    Some(format!(
        "of {before} maximal sequences shared by at least {min_support} people {} were lost; with those that became \
         maximal in their place there are {} now",
        before - intact,
        left.len()
    ))
}

/// The maximal frequent sequences of the release. Global suppression keeps supports, so they are the maximal ones among
/// what is left of the former.
pub fn maximal_after(frequent: &[FrequentSet], suppressed: &[bool]) -> Vec<Vec<u32>> {
    let mut left: Vec<Vec<u32>> = frequent
        .iter()
        .map(|set| set.doublets.iter().copied().filter(|doublet| !suppressed[*doublet as usize]).collect())
        .filter(|set: &Vec<u32>| !set.is_empty())
        .collect();
    left.sort_unstable();
    left.dedup();
    let mut containing: Vec<Vec<u32>> = vec![Vec::new(); suppressed.len()];
    for (number, set) in left.iter().enumerate() {
        set.iter().for_each(|doublet| containing[*doublet as usize].push(number as u32));
    }
    let is_inside = |part: &[u32], whole: &[u32]| {
        let mut rest = whole.iter();
        part.len() < whole.len() && part.iter().all(|doublet| rest.any(|other| other == doublet))
    };
    let is_maximal = |set: &Vec<u32>| {
        let rarest = set.iter().map(|doublet| &containing[*doublet as usize]).min_by_key(|list| list.len());
        !rarest.into_iter().flatten().any(|other| is_inside(set, &left[*other as usize]))
    };
    left.iter().filter(|set| is_maximal(set)).cloned().collect()
}

fn explain(
    choice: &Choice,
    violating: &ViolatingSets,
    table: &DoubletTable,
    requirement: &Requirement,
) -> Reason {
    let pattern = violating.get(choice.example);
    let (people, most_holders) = violating.evidence(choice.example);
    let mut reason = reason(table, requirement, choice.doublet, pattern, people, most_holders);
    reason.details.insert("cleared", choice.gain.to_string());
    reason.details.insert("patterns lost", choice.loss.to_string());
    reason
}

/// One suppression and one violating sequence that forced it.
fn reason(
    table: &DoubletTable,
    requirement: &Requirement,
    doublet: u32,
    pattern: &[u32],
    people: u32,
    most_holders: u32,
) -> Reason {
    let times: Vec<String> = pattern.iter().map(|doublet| table.doublet(*doublet).time.to_string()).collect();
    let mut details = BTreeMap::from([
        ("time", table.doublet(doublet).time.to_string()),
        ("pattern times", times.join(" ")),
    ]);
    if requirement.share.is_exceeded_by(most_holders.into(), people.into())
        && let Some(confidence) = Fraction::new(most_holders.into(), people.into())
    {
        details.insert("confidence", confidence.to_string());
        details.insert("allowed", requirement.share.to_string());
    }
    Reason {
        action: "suppress",
        items: vec![vec![table.doublet(doublet).item]],
        pattern: pattern.iter().map(|doublet| vec![table.doublet(*doublet).item]).collect(),
        support: people.into(),
        needed: requirement.people,
        details,
    }
}
