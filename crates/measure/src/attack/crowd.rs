//! Everyone who fits what is known.

mod party;

use std::ops::{ControlFlow, Range};

use throng_contract::{Cancelled, Progress};
use throng_data::{EventKind, Events, ItemId};

use self::party::Party;
use super::attacker::Attacker;
use super::index::Index;
use super::knowledge::Clue;
use super::posting::Posting;
use super::secrets::{Guess, Secrets};
use crate::cover::Cover;

/// Looking at every record for a clue pays when one record in so many fits it.
const COMMON: usize = 256;

/// How known events must lie in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One event for each, one after the other.
    Ordered,
    /// One event for each, anywhere.
    Unordered,
    /// An event for each, perhaps the same: sets, and events at exact times, which are somewhere once.
    All,
}

/// What attackers look into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Published<'a> {
    pub events: &'a Events,
    /// What released items stand for.
    pub cover: &'a Cover,
    /// The secrets of the published people, where attackers are after some.
    pub secrets: Option<&'a Secrets>,
}

/// Published records, and how to find those that fit.
#[derive(Debug)]
pub(super) struct Crowd<'a> {
    events: &'a Events,
    cover: &'a Cover,
    index: Index,
    form: Form,
    /// How far times may be off; `None` when times are not known or not published.
    within: Option<u64>,
    /// The person of each record; `None` when every record is a person.
    owners: Option<Vec<u32>>,
    secrets: Option<&'a Secrets>,
    /// The search for more people stops at a crowd of this size.
    enough: u32,
}

/// Whom an attacker finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matches {
    /// How many people fit, at most as many as are enough.
    pub people: u32,
    /// The best guess at a secret, if there are secrets and people.
    pub guess: Option<Guess>,
    /// The records that fit, ascending; `None` when they were not all looked for.
    pub records: Option<Vec<u32>>,
}

/// What released events have to look like.
struct Wanted<'a> {
    items: &'a [ItemId],
    time: i64,
}

impl<'a> Crowd<'a> {
    /// Prepares to look for people who fit some of these clues.
    pub fn of(
        published: Published<'a>,
        attacker: &Attacker,
        clues: impl Iterator<Item = Clue>,
        enough: u32,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let Published { events, cover, secrets } = published;
        let within = attacker.times.filter(|_| events.times().is_some());
        let form = match (events.kind(), within) {
            (EventKind::Set, _) | (_, Some(0)) => Form::All,
            _ if attacker.ordered => Form::Ordered,
            _ => Form::Unordered,
        };
        let index = Index::of(events, cover, clues, within == Some(0), progress)?;
        let owners = (events.records() != events.subjects()
            || (0..events.subjects()).any(|subject| events.records_of(subject).len() != 1))
        .then(|| {
            let records = (0..events.subjects()).map(|subject| events.records_of(subject).len());
            (0_u32..)
                .zip(records)
                .flat_map(|(subject, records)| std::iter::repeat_n(subject, records))
                .collect()
        });
        Ok(Crowd { events, cover, index, form, within, owners, secrets, enough })
    }

    /// As many of the known events as the person's published records can hold, in one record; the first such choice.
    /// Without a person, as many as any published record can.
    pub fn usable(&self, own: Option<usize>, known: &[Clue]) -> Vec<Clue> {
        let held = |choice: &[Clue]| match own {
            Some(subject) => {
                let wanted = self.wanted(choice);
                self.events.records_of(subject).any(|record| self.holds(record, &wanted))
            }
            None => choice.is_empty() || self.anybody(choice),
        };
        if held(known) {
            return known.to_vec();
        }
        let choose = |choice: u32| -> Vec<Clue> {
            (0..known.len()).filter(|place| choice & (1 << place) != 0).map(|place| known[place]).collect()
        };
        let mut choices: Vec<u32> = (1..1 << known.len()).collect();
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.count_ones()));
        choices.into_iter().map(choose).find(|choice| held(choice)).unwrap_or_default()
    }

    /// Everyone with a record that fits; any record fits when nothing is known. `among` are records that hold a part
    /// of what is known, all there are.
    pub fn find(&self, known: &[Clue], among: Option<&[u32]>) -> Matches {
        let mut party = Party::new(self);
        let wanted = self.wanted(known);
        if known.is_empty() {
            let _ = (0..self.events.records() as u32).try_for_each(|record| party.meet(record));
            return party.found(false);
        }
        let sure = self.is_told_by_lists(known);
        let complete = match among.filter(|_| !sure) {
            Some(among) => among
                .iter()
                .filter(|record| self.holds(**record as usize, &wanted))
                .try_for_each(|record| party.meet(*record)),
            None => {
                let postings = self.postings(known);
                let dense = postings.first().is_some_and(|posting| known.len() == 1 || posting.is_dense());
                if sure && dense && self.owners.is_none() && self.secrets.is_none() {
                    let people = Posting::count_common(&postings).min(self.enough as usize) as u32;
                    return Matches { people, guess: None, records: None };
                }
                Posting::each_common(&postings, |record| {
                    if sure || self.holds(record as usize, &wanted) {
                        return party.meet(record);
                    }
                    ControlFlow::Continue(())
                })
            }
        };
        party.found(complete.is_continue())
    }

    /// How many of some people have a record that fits, at most as many as are enough.
    pub fn count_among(&self, known: &[Clue], counts: impl Fn(u32) -> bool) -> u32 {
        let mut people = 0;
        let _ = self.visit_among(known, counts, |_| {
            people += 1;
            if people == self.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        people
    }

    /// Visits those of some people who have a record that fits, each once, until told to break.
    pub fn visit_among(
        &self,
        known: &[Clue],
        counts: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (wanted, sure) = (self.wanted(known), self.is_told_by_lists(known));
        let mut last = None;
        let mut meet = |record: u32| {
            let owner = self.owner(record);
            if last == Some(owner) || !counts(owner) || !(sure || self.holds(record as usize, &wanted)) {
                return ControlFlow::Continue(());
            }
            last = Some(owner);
            visit(owner)
        };
        match known {
            [] => (0..self.events.records() as u32).try_for_each(&mut meet),
            known => Posting::each_common(&self.postings(known), &mut meet),
        }
    }

    /// What is alike for clues that the same records fit.
    pub fn likeness(&self, clue: Clue) -> (Option<usize>, i64) {
        let place = self.index.records(clue).map(|(place, _)| place);
        (place, self.within.map_or(0, |_| clue.time))
    }

    /// All records that fit, ascending.
    pub fn records(&self, known: &[Clue]) -> Vec<u32> {
        if known.is_empty() {
            return (0..self.events.records() as u32).collect();
        }
        let wanted = self.wanted(known);
        let mut records = Vec::new();
        let _ = Posting::each_common(&self.postings(known), |record| {
            if self.holds(record as usize, &wanted) {
                records.push(record);
            }
            ControlFlow::Continue(())
        });
        records
    }

    /// The published events.
    pub fn events(&self) -> &'a Events {
        self.events
    }

    /// What attackers are after.
    pub fn secrets(&self) -> Option<&'a Secrets> {
        self.secrets
    }

    /// The released items that fit a clue.
    pub fn released(&self, clue: Clue) -> &'a [ItemId] {
        self.cover.of_item(clue.item)
    }

    /// Whether so many records fit a clue that looking at all of them is no loss.
    pub fn is_common(&self, clue: Clue) -> bool {
        self.index.records(clue).is_some_and(|(_, posting)| posting.len() * COMMON >= self.events.records())
    }

    /// Whether known events must lie in their order.
    pub fn is_ordered(&self) -> bool {
        self.form == Form::Ordered
    }

    /// Whether clues that do not fit the same released items have none in common.
    pub fn stand_apart(&self, known: &[Clue]) -> bool {
        let apart = |(place, clue): (usize, &Clue)| {
            let own = self.released(*clue);
            let others =
                known[..place].iter().map(|other| self.released(*other)).filter(|other| *other != own);
            others.flatten().all(|item| !own.contains(item))
        };
        known.iter().enumerate().all(apart)
    }

    /// Whether places decide and not times, everybody counts, and places are small enough to be kept in columns.
    pub fn has_columns(&self) -> bool {
        let short = |record: usize| self.events.span(record).len() < i16::MAX as usize;
        self.form != Form::All
            && self.within.is_none()
            && self.enough == u32::MAX
            && (0..self.events.records()).all(short)
    }

    /// All records in pieces of about this size; records of one person stay together.
    pub fn blocks(&self, size: usize) -> Vec<Range<usize>> {
        let (mut blocks, mut start) = (Vec::new(), 0);
        for end in self.events.subject_offsets().iter().skip(1).map(|end| *end as usize) {
            if end - start >= size || end == self.events.records() && end > start {
                blocks.push(start..end);
                start = end;
            }
        }
        blocks
    }

    /// Whether no person has several records.
    pub fn every_record_is_a_person(&self) -> bool {
        self.owners.is_none()
    }

    /// The person of a record.
    pub fn owner(&self, record: u32) -> u32 {
        self.owners.as_ref().map_or(record, |owners| owners[record as usize])
    }

    /// Whether lists of records say all there is to say: about one event, and about events in no order that no released
    /// event could stand for two of.
    fn is_told_by_lists(&self, known: &[Clue]) -> bool {
        let repeated = |(place, clue): (usize, &Clue)| {
            known[..place].iter().any(|other| self.released(*other) == self.released(*clue))
        };
        let told = match self.form {
            _ if known.len() == 1 => true,
            Form::All => true,
            Form::Unordered => self.stand_apart(known) && !known.iter().enumerate().any(repeated),
            Form::Ordered => false,
        };
        told && self.within.unwrap_or(0) == 0
    }

    fn anybody(&self, known: &[Clue]) -> bool {
        let wanted = self.wanted(known);
        Posting::each_common(&self.postings(known), |record| match self.holds(record as usize, &wanted) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
        .is_break()
    }

    /// The records of each clue, the shortest first. A clue that the index was not made for fits nothing.
    fn postings(&self, known: &[Clue]) -> Vec<&Posting> {
        let found: Option<Vec<(usize, &Posting)>> =
            known.iter().map(|clue| self.index.records(*clue)).collect();
        let mut found = found.unwrap_or_default();
        found.sort_by_key(|(place, posting)| (posting.len(), *place));
        found.dedup_by_key(|(place, _)| *place);
        found.into_iter().map(|(_, posting)| posting).collect()
    }

    fn wanted(&self, known: &[Clue]) -> Vec<Wanted<'a>> {
        let cover: &'a Cover = self.cover;
        known.iter().map(|clue| Wanted { items: cover.of_item(clue.item), time: clue.time }).collect()
    }

    /// Whether a record holds the known events.
    fn holds(&self, record: usize, wanted: &[Wanted<'_>]) -> bool {
        let items = self.events.record(record);
        match (self.within, self.events.times_of(record)) {
            (Some(within), Some(times)) => self.fit(items.len(), wanted, |place, wanted| {
                wanted.items.contains(&items[place]) && times[place].abs_diff(wanted.time) <= within
            }),
            _ => self.fit(items.len(), wanted, |place, wanted| wanted.items.contains(&items[place])),
        }
    }

    fn fit(&self, length: usize, wanted: &[Wanted<'_>], fits: impl Fn(usize, &Wanted<'_>) -> bool) -> bool {
        match self.form {
            Form::All => wanted.iter().all(|wanted| (0..length).any(|place| fits(place, wanted))),
            // Taking the first event that fits leaves most to those that follow.
            Form::Ordered => {
                let mut places = 0..length;
                wanted.iter().all(|wanted| places.any(|place| fits(place, wanted)))
            }
            Form::Unordered => {
                let mut taken = Vec::with_capacity(wanted.len());
                (0..wanted.len()).all(|number| {
                    taken.push(usize::MAX);
                    assign(number, length, &mut taken, &mut Vec::new(), &|place, number| {
                        fits(place, &wanted[number])
                    })
                })
            }
        }
    }
}

/// Finds a place for one more known event, moving others where that helps: one step of bipartite matching.
fn assign(
    number: usize,
    length: usize,
    taken: &mut Vec<usize>,
    tried: &mut Vec<usize>,
    fits: &impl Fn(usize, usize) -> bool,
) -> bool {
    for place in 0..length {
        if tried.contains(&place) || !fits(place, number) {
            continue;
        }
        tried.push(place);
        let holder = taken.iter().position(|other| *other == place);
        if holder.is_none_or(|holder| assign(holder, length, taken, tried, fits)) {
            taken[number] = place;
            return true;
        }
    }
    false
}
