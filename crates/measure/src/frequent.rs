//! Frequent patterns of the data and of a release, in the words of the data.

use throng_contract::{Progress, Setting, SettingKind, Settings, Threshold};
use throng_data::{Events, ItemId, Release};
use throng_mine::{Keep, MineError, Patterns, Search};

/// People a pattern needs.
pub(crate) const MIN_SUPPORT: Setting = Setting {
    name: "min-support",
    kind: SettingKind::Threshold,
    default: Some("1%"),
    help: "people that make a pattern frequent",
};

/// The longest pattern looked for.
pub(crate) const MAX_LENGTH: Setting = Setting {
    name: "max-length",
    kind: SettingKind::IntegerOrMax { min: 1, max: 1_000 },
    default: Some("5"),
    help: "leave out longer patterns; `max` finds all, which may take long",
};

/// Mines with the settings of a measure. A share is one of `people`, the people of the original data, also where a release
/// is mined: a synthetic release with more of them would otherwise hide its false patterns.
pub(crate) fn mine(
    events: &Events,
    people: usize,
    settings: &Settings,
    keep: Keep,
    progress: &Progress,
) -> Result<Patterns, MineError> {
    let longest = usize::try_from(settings.integer(MAX_LENGTH.name)).unwrap_or(usize::MAX);
    let min_support = Threshold::Absolute(settings.threshold(MIN_SUPPORT.name).of(people as u64));
    Search { lengths: 1..=longest, keep, ..Search::new(min_support) }.sequences(events, &|| false, progress)
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
