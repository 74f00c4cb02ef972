//! Frequent patterns of the data and of a release, in the words of the data.

use throng_contract::{Key, Progress, Threshold, settings};
use throng_data::{Events, ItemId, Release};
use throng_mine::{Keep, MineError, Patterns, Search};

/// People a pattern needs.
const MIN_SUPPORT: Key<Threshold> =
    Key::threshold("min-support", "people that make a pattern frequent").or("1%");

/// The longest pattern looked for.
const MAX_LENGTH: Key<u64> = Key::integer_or_max(
    "max-length",
    1..=1_000,
    "leave out longer patterns; `max` finds all, which may take long",
)
.or("5");

settings! {
    /// Which patterns are frequent.
    #[derive(Copy)]
    pub(crate) struct Frequent {
        min_support: Threshold = MIN_SUPPORT,
        max_length: u64 = MAX_LENGTH,
    }
}

impl Frequent {
    /// The longest pattern looked for.
    pub fn longest(self) -> usize {
        usize::try_from(self.max_length).unwrap_or(usize::MAX)
    }
}

/// Mines with the settings of a measure. A share is one of `people`, the people of the original data, also where a release
/// is mined: a synthetic release with more of them would otherwise hide its false patterns.
pub(crate) fn mine(
    events: &Events,
    people: usize,
    frequent: Frequent,
    keep: Keep,
    progress: &Progress,
) -> Result<Patterns, MineError> {
    let min_support = Threshold::Absolute(frequent.min_support.of(people as u64));
    Search { lengths: 1..=frequent.longest(), keep, ..Search::new(min_support) }.sequences(
        events,
        &|| false,
        progress,
    )
}

/// The original item that a released one is, if it is one.
pub(crate) fn intact(release: &Release, item: ItemId) -> Option<ItemId> {
    match release.alphabet[item as usize].members[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// A released pattern in original items; `None` when it speaks of a generalised one.
pub(crate) fn in_original_words(release: &Release, pattern: &[ItemId]) -> Option<Vec<ItemId>> {
    pattern.iter().map(|item| intact(release, *item)).collect()
}
