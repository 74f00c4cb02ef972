//! What is published.

mod body;
mod chunks;
mod counts;
mod layout;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::body::{Body, Mixed, Records, Rows};
pub use self::chunks::{ChunkKind, Chunks, Cluster};
pub use self::counts::{CountCell, CountTable, Counting, Counts, start_of};
pub use self::layout::{Forest, Layout};
use crate::short_names::SHORT;
use crate::{Dictionary, EventKind, Events, ItemId, RecodedTable, Table};

/// An item of a release: the original items it may stand for. In a sequence exactly one of them was there; in a set any of
/// them were, at least one ([`Meaning`]).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GeneralisedItem {
    /// Original items, by ascending number; a single member means the item is intact.
    pub members: Vec<ItemId>,
    /// A name of its own as it is written, for items that stand for a taxonomy node; otherwise the members are written out. See
    /// [`Release::with_names_apart`].
    pub label: Option<String>,
}

impl GeneralisedItem {
    /// An item that stands for one of `members`.
    pub fn of(mut members: Vec<ItemId>) -> Self {
        members.sort_unstable();
        members.dedup();
        GeneralisedItem { members, label: None }
    }

    /// Whether it stands for exactly one original item.
    pub fn is_intact(&self) -> bool {
        self.members.len() == 1
    }

    /// Whether it may stand for the original item.
    pub fn covers(&self, item: ItemId) -> bool {
        self.members.binary_search(&item).is_ok()
    }
}

/// What was taken away rather than made coarser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Suppression {
    /// Original items that no longer occur at all.
    pub items: u64,
    /// Events removed.
    pub events: u64,
    /// Records that had events and lost all of them; they keep their number.
    pub emptied_records: u64,
    /// Events of the input, to compare with.
    pub events_before: u64,
    /// Rows of a table of which nothing is said any more; they keep their number.
    pub rows: u64,
}

/// What a released value says of the original values it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// Exactly one of them was there: an event of a sequence, a cell of a table.
    ExactlyOne,
    /// Some of them were there, at least one: a generalised item of a set.
    AnySubset,
}

/// Whether the events of a release really happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Nature {
    /// Every event covers an event of the same person.
    Truthful,
    /// Every record belongs to a person, but may hold events that never happened to them.
    Perturbed,
    /// Records were drawn from a model; no person stands behind them.
    Synthetic,
}

/// What is published, with what each released value stands for.
#[derive(Debug, Clone)]
pub struct Release {
    /// Names of the original items; shared with the dataset.
    pub base: Arc<Dictionary>,
    /// The released alphabet; events, chunks and counts refer to it by position.
    pub alphabet: Vec<GeneralisedItem>,
    /// What it consists of.
    pub body: Body,
    /// What was taken away.
    pub suppression: Suppression,
    /// Whether the events really happened.
    pub nature: Nature,
}

impl Release {
    /// A release of items as they are, in some body.
    pub fn of_items(base: Arc<Dictionary>, body: Body) -> Self {
        let alphabet = (0..base.len() as ItemId).map(|item| GeneralisedItem::of(vec![item])).collect();
        let suppression = Suppression { events_before: body.events().len() as u64, ..Suppression::default() };
        Release { base, alphabet, body, suppression, nature: Nature::Truthful }
    }

    /// A release of counts over the items of the data.
    pub fn of_counts(base: Arc<Dictionary>, counts: Counts, nature: Nature) -> Self {
        Release { nature, ..Release::of_items(base, Body::Counts(counts)) }
    }

    /// The release that changes nothing, for judging original data by a promise.
    pub fn identity(base: Arc<Dictionary>, events: Events) -> Self {
        Release::of_items(base, Body::of_events(events))
    }

    /// The release of a table alone.
    pub fn of_table(table: RecodedTable, people: usize) -> Self {
        let rows = (0..people).filter(|person| table.is_suppressed(*person)).count() as u64;
        let body = Body::Table(Rows::of(table, people));
        let mut release = Release::of_items(Arc::new(Dictionary::new()), body);
        release.suppression.rows = rows;
        release
    }

    /// The events of the records. A table has an empty record for each person; chunks and counts have no records of anyone.
    pub fn events(&self) -> &Events {
        self.body.events()
    }

    /// The recoded table.
    pub const fn table(&self) -> Option<&RecodedTable> {
        self.body.table()
    }

    /// The attributes that may be published beside the records, as they are.
    pub const fn attributes(&self) -> Option<&Table> {
        self.body.attributes()
    }

    /// How many people it has something of.
    pub fn people(&self) -> usize {
        self.body.people()
    }

    /// How many records are written.
    pub fn records(&self) -> usize {
        self.body.records()
    }

    /// What the items are to the people who have them.
    pub fn event_kind(&self) -> EventKind {
        self.body.event_kind()
    }

    /// The same release of sets with items numbered in the order of their names: sets are written in the order of numbers, and
    /// that order must say nothing.
    #[must_use]
    pub fn in_order_of_names(mut self) -> Self {
        debug_assert_eq!(self.event_kind(), EventKind::Set);
        let names = self.names();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| names[*a].cmp(&names[*b]));
        let mut number = vec![0; names.len()];
        for (new, old) in order.iter().enumerate() {
            number[*old] = new as ItemId;
        }
        let image = |item: ItemId| number[item as usize];
        self.body = match self.body {
            Body::Chunks(chunks) => Body::Chunks(chunks.recode(image)),
            Body::Counts(counts) => Body::Counts(counts.recode(image)),
            body => body.with_events(|events| events.recode(image, false).as_sets()),
        };
        let mut alphabet: Vec<Option<GeneralisedItem>> = self.alphabet.into_iter().map(Some).collect();
        self.alphabet = order.iter().filter_map(|old| alphabet[*old].take()).collect();
        self
    }

    /// The same release without names that could be read as something else: a node that is called as an item is, or as another node, and a name that is no
    /// name. What such an item stands for is written out.
    #[must_use]
    pub fn with_names_apart(mut self) -> Self {
        let mut named: BTreeMap<&str, &[ItemId]> = BTreeMap::new();
        let mut ambiguous: BTreeSet<String> = BTreeSet::new();
        for (label, members) in
            self.alphabet.iter().filter_map(|item| Some((item.label.as_deref()?, item.members.as_slice())))
        {
            let single = match parse_item(label) {
                Some(names) if names.len() == 1 && !label.starts_with(['{', SHORT]) => {
                    names.into_iter().next()
                }
                _ => None,
            };
            let is_name = single.as_ref().is_some_and(|name| !name.is_empty());
            let item = single.and_then(|name| self.base.find(&name));
            let is_item = item.is_some_and(|item| members != [item]);
            if !is_name || is_item || *named.entry(label).or_insert(members) != members {
                ambiguous.insert(label.to_owned());
            }
        }
        for item in &mut self.alphabet {
            item.label = item.label.take().filter(|label| !ambiguous.contains(label));
        }
        self
    }

    /// The same release with every item written out.
    #[must_use]
    pub fn spelled_out(mut self) -> Self {
        self.alphabet.iter_mut().for_each(|item| item.label = None);
        if self.event_kind() == EventKind::Set { self.in_order_of_names() } else { self }
    }

    /// What a released item says of the items it covers.
    pub fn meaning(&self) -> Meaning {
        match self.event_kind() {
            EventKind::Set => Meaning::AnySubset,
            EventKind::Sequence | EventKind::Absent => Meaning::ExactlyOne,
        }
    }

    /// How a released item is written: its name, or `{a|b|c}` with members sorted.
    pub fn name(&self, item: ItemId) -> String {
        let item = &self.alphabet[item as usize];
        match &item.label {
            Some(label) => label.clone(),
            None => render_item(item.members.iter().map(|member| self.base.name(*member))),
        }
    }

    /// The names of all released items, by number.
    pub fn names(&self) -> Vec<String> {
        (0..self.alphabet.len() as ItemId).map(|item| self.name(item)).collect()
    }

    /// The written items of a record, in order.
    pub fn names_of(&self, record: usize) -> Vec<String> {
        self.events().record(record).iter().map(|item| self.name(*item)).collect()
    }
}

/// Writes an item that may stand for several names: `{a|b|c}`, sorted, with `{ } | \` inside names escaped, and a `~` at the start of
/// one, which would read as a short name.
/// A single name is written without braces, but escaped all the same, so that reading it back is unambiguous.
pub fn render_item<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    let mut text = String::new();
    let braces = names.len() != 1;
    if braces {
        text.push('{');
    }
    for (position, name) in names.iter().enumerate() {
        if position > 0 {
            text.push('|');
        }
        for (place, c) in name.chars().enumerate() {
            if matches!(c, '{' | '}' | '|' | '\\') || (place == 0 && c == SHORT) {
                text.push('\\');
            }
            text.push(c);
        }
    }
    if braces {
        text.push('}');
    }
    text
}

/// Reads what [`render_item`] wrote; `None` when the text is not well formed.
pub fn parse_item(text: &str) -> Option<Vec<String>> {
    let mut names = vec![String::new()];
    let braces = text.starts_with('{');
    let mut closed = false;
    let mut characters = text.chars().skip(usize::from(braces));
    while let Some(c) = characters.next() {
        match c {
            _ if closed => return None,
            '\\' => names.last_mut()?.push(characters.next()?),
            '|' if braces => names.push(String::new()),
            '}' if braces => closed = true,
            '{' | '}' | '|' => return None,
            _ => names.last_mut()?.push(c),
        }
    }
    (closed == braces).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_written_sorted_and_escaped_and_read_back() {
        assert_eq!(render_item(["c", "a", "b"]), "{a|b|c}");
        assert_eq!(render_item(["pub"]), "pub");
        for names in [
            vec!["a|b", "c{}"],
            vec!["{x}"],
            vec!["back\\slash", "é"],
            vec!["", "a"],
            vec!["~1"],
            vec!["a~", "~b"],
        ] {
            let text = render_item(names.iter().copied());
            assert_eq!(parse_item(&text).unwrap(), names, "{text}");
        }
    }

    #[test]
    fn a_node_that_is_called_like_an_item_is_written_out() {
        let data = crate::Dataset::from_words(["abc", "c"]);
        let of = |label: &str, members: Vec<ItemId>| GeneralisedItem {
            label: Some(label.to_owned()),
            ..GeneralisedItem::of(members)
        };
        let named = |alphabet: Vec<GeneralisedItem>| {
            let identity = Release::identity(data.items.clone(), data.events.clone());
            Release { alphabet, ..identity }.with_names_apart().names()
        };
        assert_eq!(named(vec![of("any", vec![0, 1]), of("c", vec![2])]), ["any", "c"]);
        assert_eq!(named(vec![of("c", vec![0, 1]), GeneralisedItem::of(vec![2])]), ["{a|b}", "c"]);
        assert_eq!(named(vec![of("x", vec![0, 1]), of("x", vec![1, 2])]), ["{a|b}", "{b|c}"]);
        for bad in ["", "{a|c}", "~1", "a|b", "\\"] {
            assert_eq!(named(vec![of(bad, vec![0, 1])]), ["{a|b}"], "{bad}");
        }
    }

    #[test]
    fn unbalanced_items_are_not_read() {
        for text in ["{a", "a}", "a|b", "{a}b", "{a\\", "{{a}}"] {
            assert_eq!(parse_item(text), None, "{text}");
        }
    }
}
