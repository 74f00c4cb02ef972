//! Whose each record is, worked out from the data.

use std::sync::Arc;

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::Source;
use throng_data::{
    Body, Dataset, Dictionary, EventKind, EventsBuilder, GeneralisedItem, ItemId, Mixed, RecodedTable,
    Release, Rows,
};
use throng_release::manifest::Manifest;

use super::{Numbering, read_links};

/// Whose each record of a release is.
pub(super) struct Owners {
    /// By published record: the record of the data, if that is known.
    record: Vec<usize>,
    /// By published record: the subject.
    subject: Vec<u32>,
}

impl Owners {
    /// Numbers the records of the data again; `None` when there are not as many.
    pub(super) fn by_number(
        numbering: &Numbering,
        manifest: &Manifest,
        numbers: &Dictionary,
        data: &Dataset,
    ) -> Option<Self> {
        let records = data.events.records();
        if records != numbers.len() || records as u64 != manifest.counts.records {
            return None;
        }
        let shuffle = numbering.shuffle(data, records);
        let number = |name: &str| name.parse::<usize>().ok()?.checked_sub(1);
        let record: Vec<usize> = numbers
            .names()
            .map(|name| shuffle.order().get(number(name)?).map(|record| *record as usize))
            .collect::<Option<_>>()?;
        let subject = record.iter().map(|record| data.events.subject_of(*record) as u32).collect();
        Some(Owners { record, subject })
    }

    /// Believes a linkage file.
    pub(super) fn by_linkage(
        linkage: &Source,
        numbers: &Dictionary,
        data: &Dataset,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let links = read_links(linkage, progress)?;
        let mut subject = vec![None; numbers.len()];
        for person in 0..links.events.subjects() {
            let known = data.subjects.find(links.subjects.name(person as u32));
            for number in links.events.records_of(person).flat_map(|record| links.events.record(record)) {
                if let Some(record) = numbers.find(links.items.name(*number)) {
                    subject[record as usize] = known;
                }
            }
        }
        let subject: Option<Vec<u32>> = subject.into_iter().collect();
        let Some(subject) = subject else {
            let message =
                format!("`{}` does not say which people of the data all records belong to", linkage.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("give the file that {linkage} wrote together with this release"));
        };
        Ok(Owners { record: (0..subject.len()).collect(), subject })
    }

    /// The release over the items and subjects of the data; `None` when it speaks of items the data do not have.
    pub(super) fn arrange(
        &self,
        published: &Release,
        kind: EventKind,
        data: &Dataset,
        by_record: bool,
    ) -> Option<Release> {
        let mut order: Vec<usize> = (0..self.record.len()).collect();
        order.sort_by_key(|published| {
            if by_record { (0, self.record[*published]) } else { (self.subject[*published], *published) }
        });
        let people = data.events.subjects();
        let table = published.table().map(|table| self.rows(table, data));
        let events = || {
            let mut builder = EventsBuilder::new(kind, false);
            for record in order {
                builder.push(self.subject[record], published.events().record(record), &[]);
            }
            builder.finish(people)
        };
        let body = match (kind, table) {
            (EventKind::Absent, table) => Body::Table(Rows::of(table.unwrap_or_default(), people)),
            (_, Some(table)) => Body::Mixed(Mixed { events: events(), table }),
            (_, None) => Body::of_events(events()),
        };
        let members = |item: &GeneralisedItem| -> Option<GeneralisedItem> {
            let names = item.members.iter().map(|member| published.base.name(*member));
            let members: Vec<ItemId> = names.map(|name| data.items.find(name)).collect::<Option<_>>()?;
            Some(GeneralisedItem { label: item.label.clone(), ..GeneralisedItem::of(members) })
        };
        Some(Release {
            base: Arc::clone(&data.items),
            alphabet: published.alphabet.iter().map(members).collect::<Option<_>>()?,
            body,
            suppression: published.suppression,
            nature: published.nature,
        })
    }

    /// The rows of a published table in the order of the data; nothing is said of people without a row.
    fn rows(&self, table: &RecodedTable, data: &Dataset) -> RecodedTable {
        let mut picked = table.pick(&self.row_of_person(data));
        let mut absent = vec![true; data.events.subjects()];
        self.subject.iter().for_each(|subject| absent[*subject as usize] = false);
        let absent: Vec<u32> =
            (0..).zip(&absent).filter(|(_, absent)| **absent).map(|(row, _)| row).collect();
        picked.suppress(&absent);
        picked
    }

    /// A published record of each person; all records of a person have the same attributes.
    pub(super) fn row_of_person(&self, data: &Dataset) -> Vec<u32> {
        let mut rows = vec![0; data.events.subjects()];
        for (record, subject) in (0..).zip(&self.subject) {
            rows[*subject as usize] = record;
        }
        rows
    }
}

/// Whether every released record may stand for its original, or for some record of its person.
pub(super) fn stands_for(release: &Release, data: &Dataset, by_record: bool) -> bool {
    (0..release.people()).all(|person| {
        release.events().records_of(person).all(|record| {
            let released = release.events().record(record);
            if by_record {
                return may_stand_for(release, released, data.events.record(record));
            }
            let mut originals = data.events.records_of(person);
            originals.any(|original| may_stand_for(release, released, data.events.record(original)))
        })
    })
}

fn may_stand_for(release: &Release, released: &[ItemId], original: &[ItemId]) -> bool {
    let covers = |event: &ItemId, item: &ItemId| release.alphabet[*event as usize].covers(*item);
    match release.event_kind() {
        EventKind::Set => released.iter().all(|event| original.iter().any(|item| covers(event, item))),
        EventKind::Sequence | EventKind::Absent => {
            let mut rest = original.iter();
            released.iter().all(|event| rest.any(|item| covers(event, item)))
        }
    }
}
