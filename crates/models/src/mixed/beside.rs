//! A promise about events, judged for attackers who know the published columns as well.
//!
//! Columns that are published beside events are known to attackers (see [`throng_data::Role::is_known`]). What an attacker knows of
//! the columns fits whole groups of people whose rows show the same, so the promise has to hold inside each group by itself, and
//! each group has to be as large as the promise's crowd (`mixed.rs` argues why groups are enough).
//!
//! Promises that speak of columns themselves (`k`, `kkm`, ...) count every known column already and are asked as they are. So are
//! promises about one person's own record or about noise: columns change nothing in them.
//!
//! # Cost
//! That of the promise on each group; groups in parallel.

use std::collections::BTreeSet;
use std::sync::Arc;

use throng_contract::{DataKind, Progress, Settings};
use throng_data::{Dataset, Dictionary, Events, EventsBuilder, Inputs, RecodedTable, Table};

use super::groups::{Group, Groups};
use crate::table::classes::Classes;
use crate::{CheckError, Evidence, Promise, Verdict, Violation};

/// Judges a release whose events lie beside published columns: the promise for everyone, and inside each group of people who look
/// alike in all known columns. Lists at most `list` broken cases (0 means: stop at the first), but counts all.
pub fn check_beside(
    promise: &dyn Promise,
    evidence: &Evidence<'_>,
    columns: &RecodedTable,
    settings: &Settings,
    list: usize,
    progress: &Progress,
) -> Result<Verdict, CheckError> {
    let mut verdict = promise.check(evidence, settings, list, progress)?;
    let by_itself = promise.rests_on_secret_noise()
        || promise.needs_original()
        || promise.descriptor().takes.iter().any(|kind| matches!(kind, DataKind::Table | DataKind::Mixed));
    if by_itself || columns.known().next().is_none() || (list == 0 && !verdict.holds) {
        return Ok(verdict);
    }
    let classes = Classes::of(columns, progress)?;
    let groups = Groups::of(evidence.release, &classes);
    // One person alone is found, whatever a promise with a crowd of one says.
    let crowd = promise.assumes(settings).crowd().max(2);
    let found = groups.each(progress, |group, quiet| {
        let part = Part::of(group, evidence);
        let mut found = promise.check(&part.evidence(group), settings, list.max(1), quiet)?;
        for violation in &mut found.violations {
            violation.pattern.splice(0..0, group.shown.iter().cloned());
        }
        if group.people() < crowd {
            found.violations_total += 1;
            found.violations.push(Violation {
                pattern: group.shown.clone(),
                support: group.people(),
                needed: crowd,
                details: Default::default(),
            });
        }
        Ok(found)
    })?;
    verdict.checked += found.iter().map(|part| part.checked + 1).sum::<u64>();
    // Whatever is broken among all people is broken in a group of them: it is counted there.
    if found.iter().any(|part| part.violations_total > 0) {
        verdict.violations_total = found.iter().map(|part| part.violations_total).sum();
        verdict.violations = found.into_iter().flat_map(|part| part.violations).collect();
    }
    verdict.holds = verdict.violations_total == 0;
    verdict.violations.sort_by(|a, b| {
        (a.pattern.len(), a.support, &a.pattern).cmp(&(b.pattern.len(), b.support, &b.pattern))
    });
    verdict.violations.truncate(list);
    if list == 0 {
        verdict.violations_total = verdict.violations_total.min(1);
    }
    Ok(verdict)
}

/// What belongs to the people of one group beside their released events.
struct Part {
    original: Option<Dataset>,
    inputs: Inputs,
}

impl Part {
    /// The data of the group, and of the lists what occurs in it: a name that no one in the group has cannot be learned there.
    fn of(group: &Group, evidence: &Evidence<'_>) -> Self {
        let people = &group.members;
        let original = evidence.original.map(|original| Dataset {
            subjects: Dictionary::new(),
            items: Arc::clone(&original.items),
            events: of_people(&original.events, people),
            places: None,
            own_categories: None,
            attributes: original.attributes.as_ref().map(|table| table.pick(people)),
        });
        let base = &group.release.base;
        let tables: Vec<&Table> = group
            .release
            .attributes()
            .into_iter()
            .chain(original.as_ref().and_then(|original| original.attributes.as_ref()))
            .collect();
        let held = |(column, value): &(String, String)| {
            let column = tables.iter().find_map(|table| table.column(column));
            column.is_none_or(|column| (0..people.len()).any(|person| column.text(person) == *value))
        };
        let inputs = Inputs {
            sensitive_items: keep(&evidence.inputs.sensitive_items, |name| base.find(name).is_some()),
            sensitive_values: keep(&evidence.inputs.sensitive_values, held),
            ..evidence.inputs.clone()
        };
        Part { original, inputs }
    }

    fn evidence<'a>(&'a self, group: &'a Group) -> Evidence<'a> {
        Evidence { original: self.original.as_ref(), inputs: &self.inputs, ..Evidence::of(&group.release) }
    }
}

fn keep<T: Clone + Ord>(all: &[T], kept: impl Fn(&T) -> bool) -> Vec<T> {
    let kept: BTreeSet<&T> = all.iter().filter(|one| kept(one)).collect();
    kept.into_iter().cloned().collect()
}

/// The events of some people alone, over the same items.
fn of_people(events: &Events, people: &[u32]) -> Events {
    let timed = events.times().is_some();
    let mut builder = EventsBuilder::new(events.kind(), timed);
    for (number, person) in (0..).zip(people) {
        for record in events.records_of(*person as usize) {
            builder.push(number, events.record(record), events.times_of(record).unwrap_or_default());
        }
    }
    builder.finish(people.len())
}
