//! The attack on two releases, with what their promises speak of.

use throng_contract::{Class, Failure, Progress};
use throng_data::EventKind;
use throng_measure::composition::{Composition, Demand, MAX_KNOWN, Question, intersect};

use super::LinkedRelease;

/// What two releases give away together, to attackers who know up to one event more than the promises assume.
pub fn attack(
    first: &LinkedRelease<'_>,
    second: &LinkedRelease<'_>,
    seed: u64,
    progress: &Progress,
) -> Result<Composition, Failure> {
    if first.release.body.counts().is_some() != second.release.body.counts().is_some() {
        let message = "one release has counts of people, and the other has records: what follows from both was not looked for";
        return Err(Failure::new(Class::Usage, message)
            .with_help("two releases of counts are compared, or two with records"));
    }
    if first.release.body.chunks().is_some() != second.release.body.chunks().is_some() {
        let message = "the records of one release were taken apart, and those of the other were not";
        return Err(Failure::new(Class::Usage, message)
            .with_help("two releases by `disassociation` are compared, or two of whole records"));
    }
    let most_known = (first.events().max(second.events()) + 1).min(MAX_KNOWN);
    let spoken = |release: &LinkedRelease<'_>| release.assumes().known.unwrap_or(u64::MAX);
    let question = Question {
        k: u32::try_from(first.assumes().crowd().min(second.assumes().crowd())).unwrap_or(u32::MAX),
        most_known,
        promised: spoken(first).min(spoken(second)).min(most_known as u64),
        demand: weaker(first.demand(), second.demand()),
        seed,
    };
    let mut found = intersect(&first.side(), &second.side(), &question, progress)?;
    found.not_compared = not_compared(first, second);
    Ok(found)
}

/// What both promise of sensitive values: where only one speaks of it, what that one says.
fn weaker(one: Demand, two: Demand) -> Demand {
    let diversity = match (one.diversity, two.diversity) {
        (Some(one), Some(two)) => Some(if one.1 <= two.1 { one } else { two }),
        (one, two) => one.or(two),
    };
    let closeness = match (one.closeness, two.closeness) {
        (Some(one), Some(two)) => Some(if one.0 >= two.0 { one } else { two }),
        (one, two) => one.or(two),
    };
    Demand { diversity, closeness }
}

/// What an attack on two releases of different bodies leaves out.
fn not_compared(first: &LinkedRelease<'_>, second: &LinkedRelease<'_>) -> Vec<String> {
    let mut left_out = Vec::new();
    let has_table = [first, second].map(|release| release.release.table().is_some());
    let has_events = [first, second].map(|release| release.release.event_kind() != EventKind::Absent);
    if first.release.body.has_rows() && has_table[0] != has_table[1] {
        let which = if has_table[0] { "first" } else { "second" };
        left_out.push(format!(
            "only the {which} release has columns: they narrow down its people, and no value was compared"
        ));
    }
    if has_events[0] != has_events[1] {
        let which = if has_events[0] { "first" } else { "second" };
        left_out.push(format!(
            "only the {which} release has events: they narrow down its people, and no event was compared"
        ));
    }
    left_out
}
