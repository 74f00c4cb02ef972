//! The itineraries that most people have, which are the bits of SGA's keys.

use throng_contract::{Progress, Threshold};
use throng_data::{Events, ItemId};
use throng_mine::{MineError, Search};

/// The `top` most frequent itineraries of any length, the most frequent first.
pub(super) fn most_frequent(
    events: &Events,
    items: usize,
    top: usize,
    progress: &Progress,
) -> Result<Vec<Vec<ItemId>>, MineError> {
    let search =
        Search { top: Some(top), ..Search::new(Threshold::Absolute(least_people(events, items, top))) };
    let found = search.sequences(events, &|| false, progress)?;
    Ok(found.iter().map(|pattern| pattern.items.to_vec()).collect())
}

/// How many people each of the `top` most frequent itineraries has at least: as many single places have so many. What has fewer people
/// is not among them, nor is what holds it, so that the search need not look at it.
fn least_people(events: &Events, items: usize, top: usize) -> u64 {
    let mut people = events.people_by_item(items);
    people.sort_unstable_by(|a, b| b.cmp(a));
    top.checked_sub(1).and_then(|last| people.get(last)).copied().unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn nothing_is_missed_by_looking_at_frequent_places_only() {
        let progress = Progress::silent();
        for number in 0..200_usize {
            // Words over six letters, some far more frequent than others, so that pairs of these come before rare letters.
            let word = |person: usize| {
                let letter = |at: usize| {
                    let drawn =
                        (number * 31 + person * 17 + at * 7) * 2_654_435_761 % 4_294_967_296 / 65_536 % 100;
                    char::from(
                        b'a' + [40, 70, 85, 93, 98, 100].iter().position(|end| drawn < *end).unwrap_or(5)
                            as u8,
                    )
                };
                (0..1 + (number + person) % 4).map(letter).collect::<String>()
            };
            let words: Vec<String> = (0..12).map(word).collect();
            let data = Dataset::from_words(words.iter().map(String::as_str));
            for top in [1, 2, 3, 5, 10, 40] {
                let all = Search { top: Some(top), ..Search::new(Threshold::Absolute(1)) };
                let all = all.sequences(&data.events, &|| false, &progress).unwrap();
                let expected: Vec<Vec<ItemId>> = all.iter().map(|pattern| pattern.items.to_vec()).collect();
                let found = most_frequent(&data.events, data.items.len(), top, &progress).unwrap();
                assert_eq!(found, expected, "{number} {top} {words:?}");
            }
        }
    }
}
