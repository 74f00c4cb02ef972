//! Who of a release fits what is known.

use throng_contract::{Cancelled, Progress};
use throng_data::{EventKind, Events, ItemId};

use super::Side;
use crate::cover::Cover;

/// A release, with the people of every released item.
pub(super) struct Book<'a> {
    events: &'a Events,
    cover: Cover,
    /// `people[offsets[item]..offsets[item + 1]]` have a record with the released item, ascending.
    offsets: Vec<usize>,
    people: Vec<u32>,
}

impl<'a> Book<'a> {
    pub fn of(side: &Side<'a>, progress: &Progress) -> Result<Self, Cancelled> {
        let release = side.release;
        let events = release.events();
        let size = release.alphabet.len();
        // Twice the same walk: the first counts, the second writes.
        let mut offsets = vec![0; size + 1];
        each_item_of_each_person(events, size, progress, |_, item| offsets[item as usize + 1] += 1)?;
        for item in 0..size {
            offsets[item + 1] += offsets[item];
        }
        let mut next = offsets.clone();
        let mut people = vec![0; offsets[size]];
        each_item_of_each_person(events, size, progress, |person, item| {
            people[next[item as usize]] = person;
            next[item as usize] += 1;
        })?;
        Ok(Book { events, cover: Cover::of(&release.alphabet, release.base.len()), offsets, people })
    }

    /// Everyone who has a record that fits, ascending; everyone with a record when nothing is known.
    pub fn crowd<'b>(&'b self, known: &'b [ItemId]) -> Box<dyn Iterator<Item = u32> + 'b> {
        let Some(rarest) = known.iter().min_by_key(|item| (self.length(**item), **item)) else {
            let has_record = |person: &u32| !self.events.records_of(*person as usize).is_empty();
            return Box::new((0..self.events.subjects() as u32).filter(has_record));
        };
        let fits = move |person: &u32| self.fits(*person as usize, known);
        match self.cover.of_item(*rarest) {
            [only] => Box::new(self.list(*only).iter().copied().filter(fits)),
            several => {
                let mut people: Vec<u32> =
                    several.iter().flat_map(|item| self.list(*item)).copied().collect();
                people.sort_unstable();
                people.dedup();
                Box::new(people.into_iter().filter(fits))
            }
        }
    }

    /// How many people have to be looked at to find a crowd.
    pub fn reach(&self, known: &[ItemId]) -> usize {
        known.iter().map(|item| self.length(*item)).min().unwrap_or(self.events.subjects())
    }

    /// Whether some record of a person holds what is known: in order and one each, or, in a set, all of it.
    pub fn fits(&self, person: usize, known: &[ItemId]) -> bool {
        self.events.records_of(person).any(|record| self.holds(record, known))
    }

    /// As many of the known events as some record of a person can hold; the first such choice.
    pub fn usable(&self, person: usize, known: &[ItemId]) -> Vec<ItemId> {
        let choose = |choice: u32| -> Vec<ItemId> {
            (0..known.len()).filter(|place| choice & (1 << place) != 0).map(|place| known[place]).collect()
        };
        let mut choices: Vec<u32> = (0..1 << known.len()).collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.count_ones()));
        let fits = |choice: &u32| self.fits(person, &choose(*choice));
        choices.into_iter().find(fits).map(choose).unwrap_or_default()
    }

    fn holds(&self, record: usize, known: &[ItemId]) -> bool {
        let mut events = self.events.record(record);
        for item in known {
            match events.iter().position(|event| self.cover.covers(*event, *item)) {
                Some(place) if self.events.kind() == EventKind::Sequence => events = &events[place + 1..],
                Some(_) => {}
                None => return false,
            }
        }
        true
    }

    fn length(&self, item: ItemId) -> usize {
        self.cover.of_item(item).iter().map(|released| self.list(*released).len()).sum()
    }

    fn list(&self, released: ItemId) -> &[u32] {
        &self.people[self.offsets[released as usize]..self.offsets[released as usize + 1]]
    }
}

/// Visits every released item of a person once, person after person.
fn each_item_of_each_person(
    events: &Events,
    alphabet: usize,
    progress: &Progress,
    mut visit: impl FnMut(u32, ItemId),
) -> Result<(), Cancelled> {
    let mut last = vec![u32::MAX; alphabet];
    for person in 0..events.subjects() {
        if person % 4096 == 0 {
            progress.check()?;
        }
        for item in events.records_of(person).flat_map(|record| events.record(record)) {
            if last[*item as usize] != person as u32 {
                last[*item as usize] = person as u32;
                visit(person as u32, *item);
            }
        }
    }
    Ok(())
}
