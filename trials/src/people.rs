//! What an attacker sees: people, what they really did, and what was published of it.
//!
//! Plain lists, made from the data and the release once. A published event is the set of real items it may stand
//! for, as bits; nothing of the program's counting is used behind this point.

use throng_data::{Dataset, EventKind, Nature, Release};

/// A set of items of the data, as bits. Worlds have far fewer than 64 items.
pub type Items = u64;

/// A real event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    pub item: u32,
    pub time: Option<i64>,
}

/// A published event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    pub may_be: Items,
    pub time: Option<i64>,
}

impl Shown {
    /// Whether it may stand for the item.
    pub fn fits(self, item: u32) -> bool {
        self.may_be >> item & 1 == 1
    }
}

/// A person before and after.
#[derive(Debug, Clone, Default)]
pub struct Person {
    pub before: Vec<Vec<Event>>,
    pub after: Vec<Vec<Shown>>,
}

/// The item of the data that a published one stands for, if it is one, as the data write it.
pub fn original(release: &Release, item: u32) -> Option<&str> {
    match release.alphabet[item as usize].members[..] {
        [member] => Some(release.base.name(member)),
        _ => None,
    }
}

/// The people of a release that belongs to people: not for synthetic ones.
pub fn people(data: &Dataset, release: &Release) -> Vec<Person> {
    let before = |record: usize| {
        let times = data.events.times_of(record);
        let event = |(at, item): (usize, &u32)| Event { item: *item, time: times.map(|times| times[at]) };
        data.events.record(record).iter().enumerate().map(event).collect()
    };
    let after = |record: usize| {
        let times = release.events().times_of(record);
        let shown = |(at, item): (usize, &u32)| Shown {
            may_be: release.alphabet[*item as usize]
                .members
                .iter()
                .fold(0, |bits, member| bits | 1 << member),
            time: times.map(|times| times[at]),
        };
        release.events().record(record).iter().enumerate().map(shown).collect()
    };
    (0..data.events.subjects())
        .map(|person| Person {
            before: data.events.records_of(person).map(before).collect(),
            after: release.events().records_of(person).map(after).collect(),
        })
        .collect()
}

/// The same for a reader who does not know what the nodes of a taxonomy stand for: each is an item of its own, numbered after all others.
/// `None` where there is no such node, or too many.
pub fn as_written(data: &Dataset, release: &Release) -> Option<Vec<Person>> {
    let mut names: Vec<&str> = release.alphabet.iter().filter_map(|item| item.label.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let (known, named) = (release.base.len(), names.len());
    if named == 0 || known + named > 64 || !release.body.has_rows() {
        return None;
    }
    let mut release = release.clone();
    for item in &mut release.alphabet {
        let Some(label) = &item.label else { continue };
        let own = release
            .base
            .find(label)
            .unwrap_or_else(|| (known + names.partition_point(|name| *name < label.as_str())) as u32);
        item.members = vec![own];
    }
    Some(people(data, &release))
}

/// Whether a published record may contain the known items, in order, one event for each: by trying every way.
pub fn may_contain(record: &[Shown], known: &[u32]) -> bool {
    let Some((first, rest)) = known.split_first() else { return true };
    (0..record.len()).any(|at| record[at].fits(*first) && may_contain(&record[at + 1..], rest))
}

/// Whether one of the person's published records may.
pub fn fits(person: &Person, known: &[u32]) -> bool {
    person.after.iter().any(|record| may_contain(record, known))
}

/// Whether one of the person's published records may, when records are sets: every known item is covered by some
/// published one, which may stand for several.
pub fn fits_as_set(person: &Person, known: &[u32]) -> bool {
    person.after.iter().any(|record| known.iter().all(|item| record.iter().any(|shown| shown.fits(*item))))
}

/// Every published item covers a real one, and real ones that none covers are counted as missing.
fn truthful_sets(data: &Dataset, release: &Release) -> Result<(), String> {
    let mut lost = 0;
    for (number, person) in people(data, release).iter().enumerate() {
        for (shown, real) in person.after.iter().zip(&person.before) {
            if shown.iter().any(|shown| !real.iter().any(|event| shown.fits(event.item))) {
                return Err(format!("person {number} is shown with items that were not there"));
            }
            lost += real.iter().filter(|event| !shown.iter().any(|shown| shown.fits(event.item))).count();
        }
    }
    if release.suppression.events != lost as u64 {
        return Err(format!("{lost} items are missing, and {} are counted", release.suppression.events));
    }
    Ok(())
}

/// What a release says of its own nature: records keep their people, and a truthful one shows only what happened.
pub fn truthful(data: &Dataset, release: &Release) -> Result<(), String> {
    if data.events.subject_offsets() != release.events().subject_offsets() {
        return Err("the release has other records than the data".to_owned());
    }
    // Records that were taken apart are compared chunk by chunk, by their own judge.
    if release.nature != Nature::Truthful || !release.body.has_rows() {
        return Ok(());
    }
    if data.events.kind() == EventKind::Set {
        return truthful_sets(data, release);
    }
    fn covered(shown: &[Shown], real: &[Event]) -> bool {
        let Some((first, rest)) = shown.split_first() else { return true };
        let same_time = |event: &Event| first.time.is_none() || first.time == event.time;
        (0..real.len())
            .any(|at| first.fits(real[at].item) && same_time(&real[at]) && covered(rest, &real[at + 1..]))
    }
    let mut kept = 0;
    for (number, person) in people(data, release).iter().enumerate() {
        for (shown, real) in person.after.iter().zip(&person.before) {
            kept += shown.len();
            if !covered(shown, real) {
                return Err(format!("person {number} is shown with events that did not happen"));
            }
        }
    }
    let lost = data.events.len() - kept;
    if release.suppression.events != lost as u64 {
        return Err(format!("{lost} events are missing, and {} are counted", release.suppression.events));
    }
    Ok(())
}
