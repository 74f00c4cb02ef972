//! Short names for items that stand for many: `~17`.
//!
//! Spelled out, a row is as long as what its item may stand for, and a release many times as large as its data. So an item of more
//! than [`SPELLED_OUT`] members gets a number, and a list beside the rows says what is behind it. Numbers follow the names of the members,
//! and nothing else: they say neither how often an item occurs nor when it came about.

use crate::{Body, EventKind, GeneralisedItem, ItemId, Release};

/// Items of up to so many members are written `{a|b|c}`.
pub const SPELLED_OUT: usize = 8;

/// What a short name begins with. A name that begins with it itself is escaped.
pub const SHORT: char = '~';

/// Whether a written item is a short name.
pub fn is_short_name(written: &str) -> bool {
    written.starts_with(SHORT)
}

impl Release {
    /// The same release with short names for its large items. Items that have a name of their own keep it.
    #[must_use]
    pub fn with_short_names(mut self) -> Self {
        let occurs = self.occurring();
        let sorted = |item: &GeneralisedItem| {
            let mut names: Vec<&str> = item.members.iter().map(|member| self.base.name(*member)).collect();
            names.sort_unstable();
            names
        };
        let is_large = |item: &GeneralisedItem| item.label.is_none() && item.members.len() > SPELLED_OUT;
        let mut large: Vec<(Vec<&str>, usize)> = self
            .alphabet
            .iter()
            .enumerate()
            .filter(|(number, item)| occurs[*number] && is_large(item))
            .map(|(number, item)| (sorted(item), number))
            .collect();
        large.sort();
        let numbers: Vec<usize> = large.into_iter().map(|(_, number)| number).collect();
        for label in self.alphabet.iter_mut().filter_map(|item| item.label.as_mut()) {
            if is_short_name(label) {
                label.insert(0, '\\');
            }
        }
        for (place, number) in numbers.into_iter().enumerate() {
            self.alphabet[number].label = Some(format!("{SHORT}{}", place + 1));
        }
        // Sets are written in the order of names.
        if self.event_kind() == EventKind::Set { self.in_order_of_names() } else { self }
    }

    /// Whether each released item occurs, by number.
    pub fn occurring(&self) -> Vec<bool> {
        let mut occurs = vec![false; self.alphabet.len()];
        self.events().items().iter().for_each(|item| occurs[*item as usize] = true);
        match &self.body {
            Body::Records(_) | Body::Table(_) | Body::Mixed(_) => {}
            Body::Chunks(chunks) => chunks.items().iter().for_each(|item| occurs[*item as usize] = true),
            Body::Counts(counts) => {
                let items = counts.cells.iter().flat_map(|(cell, _)| [Some(cell.item), cell.to]);
                items.flatten().for_each(|item| occurs[item as usize] = true);
            }
        }
        occurs
    }

    /// How a released item is told to people: a short name with the first of its members.
    pub fn described(&self, item: ItemId) -> String {
        const FIRST: usize = 3;
        let name = self.name(item);
        let members = &self.alphabet[item as usize].members;
        if !is_short_name(&name) || members.len() <= FIRST {
            return name;
        }
        let mut names: Vec<&str> = members.iter().map(|member| self.base.name(*member)).collect();
        names.sort_unstable();
        format!("{name} ({}, and {} more)", names[..FIRST].join(", "), names.len() - FIRST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dataset;

    /// Ten items become one, three another; the last stays.
    fn release() -> Release {
        let data = Dataset::from_words(["abcdefghijklmn", "nk"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        release.alphabet = vec![
            GeneralisedItem::of((0..10).collect()),
            GeneralisedItem::of(vec![10, 11, 12]),
            GeneralisedItem::of(vec![13]),
            GeneralisedItem::of((1..11).collect()),
        ];
        release.body = Body::of_events(data.events.recode(
            |item| match item {
                0..10 => 0,
                10..13 => 1,
                _ => 2,
            },
            false,
        ));
        release
    }

    #[test]
    fn only_large_items_that_occur_get_a_number() {
        let short = release().with_short_names();
        assert_eq!(short.names()[..3], ["~1", "{k|l|m}", "n"]);
        assert!(short.names()[3].starts_with('{'));
        assert_eq!(short.described(0), "~1 (a, b, c, and 7 more)");
        assert_eq!(short.described(1), "{k|l|m}");
    }

    #[test]
    fn numbers_follow_the_members_and_not_the_order_of_items() {
        let mut other = release();
        other.alphabet.swap(0, 3);
        other.body =
            other.body.with_events(|events| events.recode(|item| if item == 1 { 3 } else { item }, false));
        // Members from `a` come before members from `b`, whichever occurs first.
        let names = other.with_short_names().names();
        assert_eq!((names[3].as_str(), names[0].as_str()), ("~1", "~2"));
    }

    #[test]
    fn a_name_that_looks_like_a_short_one_is_escaped() {
        let mut release = release();
        release.alphabet[1].label = Some("~1".to_owned());
        assert_eq!(release.with_short_names().names()[..2], ["~1", "\\~1"]);
    }
}
