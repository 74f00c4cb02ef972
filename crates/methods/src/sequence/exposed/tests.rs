use super::*;
use throng_data::{Dataset, EventKind};

fn exposed_words(data: &Dataset, size: usize, k: u64) -> Vec<(String, u64)> {
    let groups = Groups::singletons(&data.events, data.items.len());
    let requirement = Requirement { k, diversity: None };
    let exposed =
        exposed_patterns(&data.events, &groups, size, requirement, &Progress::silent(), "count").unwrap();
    let mut words = Vec::new();
    let listed = exposed.try_each(|found| {
        let word = found.groups.iter().map(|group| data.items.name(*group)).collect();
        words.push((word, found.support));
        Ok::<_, Cancelled>(())
    });
    assert!(listed.is_ok() && exposed.count() == words.len());
    words
}

#[test]
fn ties_come_in_order_of_first_occurrence() {
    let data = Dataset::from_words(["dace", "baec", "ade", "bdec", "dc", "de"]);
    let expected = ["da", "ce", "ba", "ad", "bd"].map(|word| (word.to_owned(), 1));
    assert_eq!(exposed_words(&data, 2, 2), expected);
    assert_eq!(exposed_words(&data, 1, 3), [("b".to_owned(), 2)]);
}

#[test]
fn repeats_within_a_person_count_once() {
    let records = [("p", "abab"), ("p", "ab"), ("q", "ba")];
    let data = Dataset::from_records(
        EventKind::Sequence,
        records.map(|(subject, word)| (subject, word.split("").filter(|letter| !letter.is_empty()))),
    );
    assert_eq!(
        exposed_words(&data, 2, 9),
        [("ab", 1), ("aa", 1), ("bb", 1), ("ba", 2)].map(|(word, people)| (word.to_owned(), people))
    );
}

#[test]
fn a_long_record_over_few_items_is_quick() {
    let long = "abc".repeat(5_000);
    let data = Dataset::from_words([long.as_str()]);
    assert_eq!(exposed_words(&data, 4, 2).len(), 81);
}

#[test]
fn many_patterns_are_those_of_a_look_at_all_pairs() {
    // 150 items make more pairs than are counted in one pass; every third person has two records.
    let drawn = |number: u64, at: u64| (number * 9 + at).pow(3).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
    let record = |number: u64| (0..9).map(move |at| format!("i{}", drawn(number, at) % 150));
    let records: Vec<(String, Vec<String>)> =
        (0..400).map(|number| (format!("p{:03}", number * 3 / 4), record(number).collect())).collect();
    let named = records.iter().map(|(person, items)| (person.as_str(), items.iter().map(String::as_str)));
    let data = Dataset::from_records(EventKind::Sequence, named);

    let mut all = std::collections::BTreeMap::<String, (Vec<usize>, (usize, usize, usize))>::new();
    for person in 0..data.events.subjects() {
        for record in data.events.records_of(person) {
            let items = data.events.record(record);
            for (one, other) in
                (0..items.len()).flat_map(|one| (one + 1..items.len()).map(move |other| (one, other)))
            {
                let word = [items[one], items[other]].map(|item| data.items.name(item)).concat();
                let (people, _) = all.entry(word).or_insert((Vec::new(), (record, one, other)));
                people.push(person);
                people.dedup();
            }
        }
    }
    for k in [2, 4] {
        let mut expected: Vec<_> = all.iter().filter(|(_, (people, _))| people.len() < k).collect();
        expected.sort_by_key(|(_, (people, first))| (people.len(), *first));
        let expected: Vec<(String, u64)> =
            expected.into_iter().map(|(word, (people, _))| (word.clone(), people.len() as u64)).collect();
        assert!(expected.len() > 1_000);
        assert_eq!(exposed_words(&data, 2, k as u64), expected);
    }
}
