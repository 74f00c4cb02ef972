//! Small random data, and exhaustive answers about it.

use std::collections::BTreeSet;

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs, ItemId, Release, Taxonomy};
use throng_methods::{MethodError, Outcome, Task, Variant, find};

/// Names of the items; the taxonomy of [`taxonomy`] has them as leaves.
pub const ITEMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The records of each person, as numbers of [`ITEMS`].
pub type People = Vec<Vec<Vec<usize>>>;

/// Mostly one record a person, sometimes up to three, some empty, some the same.
pub fn people(most: usize) -> impl Strategy<Value = People> {
    let record = prop::collection::vec(0..ITEMS.len(), 0..=4);
    let person = prop_oneof![3 => prop::collection::vec(record.clone(), 1..=1), 1 => prop::collection::vec(record, 1..=3)];
    prop::collection::vec(person, 1..=most)
}

/// The data of these people.
pub fn dataset(people: &People) -> Dataset {
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let records = people.iter().zip(&names).flat_map(|(records, name)| {
        records.iter().map(|record| (name.as_str(), record.iter().map(|item| ITEMS[*item])))
    });
    Dataset::from_records(EventKind::Set, records)
}

/// All non-empty sets of up to `m` of the numbers below `bound`.
pub fn sets_below(bound: ItemId, m: usize) -> Vec<BTreeSet<ItemId>> {
    (1..1_u32 << bound)
        .filter(|bits| bits.count_ones() as usize <= m)
        .map(|bits| (0..bound).filter(|item| bits >> item & 1 == 1).collect())
        .collect()
}

/// How many people have a record with all the items.
pub fn support(data: &Dataset, set: &BTreeSet<ItemId>) -> usize {
    let has = |record: usize| set.iter().all(|item| data.events.record(record).contains(item));
    (0..data.events.subjects()).filter(|subject| data.events.records_of(*subject).any(has)).count()
}

/// Hierarchies over [`ITEMS`], deep and flat, with leaves that no person has; none at all.
pub fn taxonomy(number: usize) -> Option<Taxonomy> {
    let paths: &[&str] = match number {
        0 => &["a;x;all", "b;x;all", "c;x;all", "d;y;all", "e;y;all", "f;z;all", "g;z;all"],
        1 => &["a;ab;abcd;all", "b;ab;abcd;all", "c;cd;abcd;all", "d;cd;abcd;all", "e;ef;all", "f;ef;all"],
        2 => &["a;all", "b;all", "c;all", "d;all", "e;all", "f;all"],
        _ => return None,
    };
    Some(Taxonomy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap())
}

/// Runs a method by name.
pub fn run(
    data: &Dataset,
    method: &str,
    given: &[(&str, &str)],
    variant: Variant,
    inputs: &Inputs,
) -> Result<Outcome, MethodError> {
    let method = find(method).unwrap();
    let settings = Settings::parse(method.descriptor(), given.iter().copied()).unwrap();
    let progress = Progress::silent();
    method.anonymize(&Task { variant, inputs, ..Task::new(data, &settings, &progress) })
}

/// The people of whom some released record may hold all the items: each is covered by an item of the record.
pub fn fitting(release: &Release, clue: &BTreeSet<ItemId>) -> Vec<usize> {
    let may_hold = |record: usize| {
        let words = release.events().record(record);
        clue.iter().all(|item| words.iter().any(|word| release.alphabet[*word as usize].covers(*item)))
    };
    (0..release.people()).filter(|subject| release.events().records_of(*subject).any(may_hold)).collect()
}

/// Whether every clue of up to `m` original items that are not secret fits no person or at least `k` people, of whom at most
/// one in `l` may have a secret.
pub fn is_safe(release: &Release, k: usize, l: usize, m: usize, secrets: &[&str]) -> bool {
    let secret = |item: &ItemId| secrets.contains(&release.base.name(*item));
    let hidden: Vec<ItemId> = (0..release.base.len() as ItemId).filter(secret).collect();
    sets_below(release.base.len() as ItemId, m).into_iter().filter(|clue| !clue.iter().any(secret)).all(
        |clue| {
            let people = fitting(release, &clue);
            let share = |item: &ItemId| {
                let carriers = fitting(release, &BTreeSet::from([*item]));
                people.iter().filter(|person| carriers.contains(person)).count()
            };
            people.is_empty()
                || (people.len() >= k && hidden.iter().all(|item| share(item) * l <= people.len()))
        },
    )
}

/// Whether every record says of each of its items that it may be there, and nothing that is not covered by one.
pub fn is_truthful(data: &Dataset, release: &Release) -> bool {
    (0..data.events.records()).all(|record| {
        let (items, words) = (data.events.record(record), release.events().record(record));
        let covers = |word: &ItemId, item: &ItemId| release.alphabet[*word as usize].covers(*item);
        words.is_sorted_by(|a, b| a < b)
            && items.iter().all(|item| words.iter().any(|word| covers(word, item)))
            && words.iter().all(|word| items.iter().any(|item| covers(word, item)))
    })
}

/// A simple generator, so that what is drawn is the same on every machine.
pub fn draw(state: &mut u64, below: u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % below) as usize
}

/// Up to `most` people and three more, with one record each.
pub fn random_people(state: &mut u64, most: u64) -> People {
    (0..3 + draw(state, most))
        .map(|_| vec![(0..1 + draw(state, 4)).map(|_| draw(state, 6)).collect()])
        .collect()
}
