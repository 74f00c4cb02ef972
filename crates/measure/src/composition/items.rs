//! The same event, generalised in two ways: what it was follows from what both may stand for.

use std::collections::BTreeMap;

use serde::Serialize;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use super::Side;
use super::knowledge::same_record;
use crate::cover::Cover;

/// How many examples are given.
const EXAMPLES: usize = 5;

/// Events that both releases generalised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Items {
    /// How many there are.
    pub events: u64,
    /// Of these, events for which both together leave fewer possibilities than either.
    pub narrowed: u64,
    /// Of these, events for which both together leave one.
    pub pinned: u64,
    /// The items pinned down most often.
    pub examples: Vec<PinnedItem>,
}

/// Two generalised items that have one member in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PinnedItem {
    /// As written in the first release.
    pub first: String,
    /// As written in the second.
    pub second: String,
    /// What it was.
    pub item: String,
    /// How many events.
    pub events: u64,
}

/// Compares the events of all records that both releases were made from; `None` when there are none, or when it is
/// not known which released record is which.
pub(super) fn compare(
    first: &Side<'_>,
    second: &Side<'_>,
    people: &[[u32; 2]],
    progress: &Progress,
) -> Result<Option<Items>, Cancelled> {
    if !first.by_record || !second.by_record {
        return Ok(None);
    }
    let covers = [first, second].map(|side| Cover::of(&side.release.alphabet, side.release.base.len()));
    let kind = first.original.events.kind();
    let mut pairs: BTreeMap<(ItemId, ItemId), u64> = BTreeMap::new();
    let (mut aligned, mut other_aligned) = (Vec::new(), Vec::new());
    let mut compared = false;
    for (place, pair) in people.iter().enumerate() {
        if place % 4096 == 0 {
            progress.check()?;
        }
        for record in first.original.events.records_of(pair[0] as usize) {
            let Some(other) = same_record(first.original, second.original, *pair, record) else { continue };
            compared = true;
            let released = first.release.events().record(record);
            covers[0].align(kind, first.original.events.record(record), released, &mut aligned);
            let released = second.release.events().record(other);
            covers[1].align(kind, second.original.events.record(other), released, &mut other_aligned);
            for (one, two) in aligned.iter().zip(&other_aligned) {
                if let (Some(one), Some(two)) = (one, two) {
                    *pairs.entry((*one, *two)).or_default() += 1;
                }
            }
        }
    }
    Ok(compared.then(|| sum_up(first, second, &pairs)))
}

fn sum_up(first: &Side<'_>, second: &Side<'_>, pairs: &BTreeMap<(ItemId, ItemId), u64>) -> Items {
    let mut items = Items { events: 0, narrowed: 0, pinned: 0, examples: Vec::new() };
    for (&(one, two), &events) in pairs {
        let members = &first.release.alphabet[one as usize].members;
        let others = &second.release.alphabet[two as usize].members;
        if members.len() < 2 || others.len() < 2 {
            continue;
        }
        let name = |item: &ItemId| first.release.base.name(*item);
        let is_other = |item: &&ItemId| {
            second.release.base.find(name(item)).is_some_and(|other| others.binary_search(&other).is_ok())
        };
        let common: Vec<&ItemId> = members.iter().filter(is_other).collect();
        items.events += events;
        if !common.is_empty() && common.len() < members.len().min(others.len()) {
            items.narrowed += events;
        }
        if let [only] = common.as_slice() {
            items.pinned += events;
            items.examples.push(PinnedItem {
                first: first.release.name(one),
                second: second.release.name(two),
                item: name(only).to_owned(),
                events,
            });
        }
    }
    items.examples.sort_by(|a, b| (b.events, &a.first, &a.second).cmp(&(a.events, &b.first, &b.second)));
    items.examples.truncate(EXAMPLES);
    items
}
