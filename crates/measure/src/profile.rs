//! The shape of a dataset in numbers: what anyone should look at before choosing a method.
//!
//! # Guarantees
//! No item is named that fewer than [`MIN_PEOPLE`] people have: a profile may be shown around.
//! # Cost
//! One pass over the events and a sort of the record lengths.

use serde::Serialize;
use throng_data::{Dataset, EventKind, ItemId};

/// Items that fewer people have are counted, never named.
pub const MIN_PEOPLE: u64 = 5;

/// Sizes, lengths, repeats and frequent items of a dataset.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// Sequences or sets.
    pub kind: EventKind,
    /// People.
    pub subjects: u64,
    /// Records.
    pub records: u64,
    /// Events.
    pub events: u64,
    /// Distinct items that occur.
    pub items: u64,
    /// How long records are.
    pub lengths: Lengths,
    /// Records that hold some item more than once.
    pub records_with_repeats: u64,
    /// Events whose item occurred earlier in the same record.
    pub repeated_events: u64,
    /// First and last time, as in the data, if events have times.
    pub times: Option<(i64, i64)>,
    /// Items by number of people, most frequent first; only those that [`MIN_PEOPLE`] people have.
    pub frequent: Vec<Popularity>,
    /// Items that fewer than [`MIN_PEOPLE`] people have.
    pub rare_items: u64,
}

/// The lengths of records, in events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lengths {
    /// Shortest.
    pub min: u64,
    /// The lower of the two middle ones when their number is even.
    pub median: u64,
    /// Average.
    pub mean: f64,
    /// Longest.
    pub max: u64,
    /// How many records have which length; bins widen with length, and together cover `min..=max`.
    pub histogram: Vec<Bin>,
}

/// Records with `from..=to` events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Shortest length counted here.
    pub from: u64,
    /// Longest length counted here.
    pub to: u64,
    /// Number of records.
    pub records: u64,
}

/// An item and how many people have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Popularity {
    /// Its name.
    pub item: String,
    /// Number of people.
    pub people: u64,
}

impl Profile {
    /// Looks at the whole dataset; names at most `frequent` items.
    pub fn of(data: &Dataset, frequent: usize) -> Self {
        let events = &data.events;
        let tally = Tally::of(data);
        let mut by_people: Vec<(ItemId, u64)> =
            (0..).zip(tally.people.iter().copied()).filter(|(_, people)| *people >= MIN_PEOPLE).collect();
        by_people.sort_by(|(a, fewer), (b, more)| {
            more.cmp(fewer).then_with(|| data.items.name(*a).cmp(data.items.name(*b)))
        });
        by_people.truncate(frequent);
        let name = |(item, people)| Popularity { item: data.items.name(item).to_owned(), people };
        let times = events.times().and_then(|times| Some((*times.iter().min()?, *times.iter().max()?)));
        Profile {
            kind: events.kind(),
            subjects: events.subjects() as u64,
            records: events.records() as u64,
            events: events.len() as u64,
            items: tally.people.iter().filter(|people| **people > 0).count() as u64,
            lengths: Lengths::of(events.record_offsets()),
            records_with_repeats: tally.records_with_repeats,
            repeated_events: tally.repeated_events,
            times,
            frequent: by_people.into_iter().map(name).collect(),
            rare_items: tally.people.iter().filter(|people| (1..MIN_PEOPLE).contains(people)).count() as u64,
        }
    }
}

/// What one pass over the events counts.
struct Tally {
    /// People who have each item.
    people: Vec<u64>,
    records_with_repeats: u64,
    repeated_events: u64,
}

impl Tally {
    fn of(data: &Dataset) -> Self {
        let events = &data.events;
        let mut tally =
            Tally { people: vec![0; data.items.len()], records_with_repeats: 0, repeated_events: 0 };
        // One more than the last record and the last subject in which the item was seen.
        let mut last_record = vec![0_usize; data.items.len()];
        let mut last_subject = vec![0_usize; data.items.len()];
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                let before = tally.repeated_events;
                for item in events.record(record) {
                    let item = *item as usize;
                    if last_record[item] == record + 1 {
                        tally.repeated_events += 1;
                        continue;
                    }
                    last_record[item] = record + 1;
                    if last_subject[item] != subject + 1 {
                        last_subject[item] = subject + 1;
                        tally.people[item] += 1;
                    }
                }
                tally.records_with_repeats += u64::from(tally.repeated_events > before);
            }
        }
        tally
    }
}

impl Lengths {
    fn of(offsets: &[u64]) -> Self {
        let mut lengths: Vec<u64> = offsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
        lengths.sort_unstable();
        let (Some(min), Some(max)) = (lengths.first().copied(), lengths.last().copied()) else {
            return Lengths { min: 0, median: 0, mean: 0.0, max: 0, histogram: Vec::new() };
        };
        let mut histogram = Vec::new();
        let mut from = bin_start(min);
        while from <= max {
            let next = bin_after(from);
            let (first, end) =
                (lengths.partition_point(|len| *len < from), lengths.partition_point(|len| *len < next));
            histogram.push(Bin { from, to: next - 1, records: (end - first) as u64 });
            from = next;
        }
        Lengths {
            min,
            median: lengths[(lengths.len() - 1) / 2],
            mean: lengths.iter().sum::<u64>() as f64 / lengths.len() as f64,
            max,
            histogram,
        }
    }
}

/// The bin after the one that starts at `from`: 0, 1, ... 10, then 20, 50, 100, 200, 500, ...
fn bin_after(from: u64) -> u64 {
    if from < 10 {
        return from + 1;
    }
    let mut unit = 10;
    while unit * 10 <= from {
        unit *= 10;
    }
    match from / unit {
        1 => 2 * unit,
        2..5 => 5 * unit,
        _ => 10 * unit,
    }
}

/// The start of the bin that holds `length`.
fn bin_start(length: u64) -> u64 {
    let mut from = 0;
    while bin_after(from) <= length {
        from = bin_after(from);
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_counted_once_however_often_they_come() {
        let records = [("ann", vec!["a", "a", "b"]), ("bob", vec!["a"]), ("ann", vec!["a"])];
        let profile = Profile::of(&Dataset::from_records(EventKind::Sequence, records), 10);
        assert_eq!((profile.subjects, profile.records, profile.events, profile.items), (2, 3, 5, 2));
        assert_eq!((profile.records_with_repeats, profile.repeated_events), (1, 1));
        assert_eq!((profile.lengths.min, profile.lengths.median, profile.lengths.max), (1, 1, 3));
        assert_eq!(profile.rare_items, 2);
    }

    #[test]
    fn items_of_fewer_than_five_people_are_never_named() {
        let words = ["ab", "ab", "ab", "ab", "a"];
        let profile = Profile::of(&Dataset::from_words(words), 10);
        assert_eq!(profile.frequent, [Popularity { item: "a".to_owned(), people: 5 }]);
        assert_eq!(profile.rare_items, 1);
    }

    #[test]
    fn bins_cover_every_length_once() {
        let starts: Vec<u64> =
            std::iter::successors(Some(0), |from| Some(bin_after(*from))).take(17).collect();
        assert_eq!(starts, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 200, 500, 1000]);
        let lengths = Lengths::of(&[0, 12, 15, 115, 115]);
        assert_eq!(lengths.histogram.iter().map(|bin| bin.records).sum::<u64>(), 4);
        assert_eq!(lengths.histogram.last(), Some(&Bin { from: 100, to: 199, records: 1 }));
    }

    #[test]
    fn lengths_have_a_mean_and_a_lower_median() {
        let of = |words: &[&str]| {
            let lengths = Profile::of(&Dataset::from_words(words.iter().copied()), 10).lengths;
            (lengths.median, lengths.mean, lengths.histogram.first().map(|bin| bin.from))
        };
        assert_eq!(of(&["abc", "abcabc", "abcd", "abcab"]), (4, 4.5, Some(3)));
        assert_eq!(of(&["abcabcabcabcabc", "abcabcabcabc", "abcabcabcabcabcabc"]), (15, 15.0, Some(10)));
        assert_eq!(bin_start(10), 10);
        assert_eq!(bin_start(19), 10);
        assert_eq!(bin_start(20), 20);
    }

    #[test]
    fn nothing_at_all_has_a_profile() {
        let profile = Profile::of(&Dataset::from_words([]), 10);
        assert_eq!((profile.records, profile.lengths.histogram.len()), (0, 0));
    }
}
