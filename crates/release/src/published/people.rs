//! Whose the records of a directory are, by a linkage file.

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{
    Format, InputError, ReadOptions, Source, read_dataset, read_people, read_records,
};
use throng_data::{ColumnKind, Dictionary, EventKind, Events, EventsBuilder, Table};

use super::{Attributes, by_record};

/// All records of a release, those without events included, and whose they are.
pub struct People {
    /// Names of the records: first those of the events file, in its order, then those without events.
    pub records: Dictionary,
    /// The person of each record; `None` when every record is a person.
    of_record: Option<Vec<u32>>,
    /// Names of people; empty when every record is a person.
    names: Dictionary,
    /// People in all.
    pub(super) people: usize,
}

impl People {
    /// Every record is a person.
    pub fn each(records: Dictionary) -> Self {
        People { people: records.len(), records, of_record: None, names: Dictionary::new() }
    }

    /// A linkage reads like a file of events, in which every person has visited their records.
    pub fn by_linkage(seen: &Dictionary, linkage: &Source, progress: &Progress) -> Result<Self, Failure> {
        let options = ReadOptions {
            subject: Some("subject".to_owned()),
            item: Some("record".to_owned()),
            ..ReadOptions::default()
        };
        let links = read_dataset(linkage, &options, progress)?.dataset;
        let mut records = seen.clone();
        let mut of_record = vec![u32::MAX; seen.len()];
        for person in 0..links.events.subjects() {
            for number in links.events.records_of(person).flat_map(|record| links.events.record(record)) {
                let record = records.intern(links.items.name(*number)) as usize;
                of_record.resize(records.len(), u32::MAX);
                if of_record[record] != u32::MAX && of_record[record] != person as u32 {
                    let message = format!("`{}` gives one record to two people", linkage.name());
                    return Err(Failure::new(Class::BadInput, message)
                        .with_help("give the file that {linkage} wrote together with this release"));
                }
                of_record[record] = person as u32;
            }
        }
        let missing = of_record.iter().filter(|person| **person == u32::MAX).count();
        if missing > 0 {
            let seen = seen.len();
            let message =
                format!("`{}` does not say whose {missing} of the {seen} records are", linkage.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("give the file that {linkage} wrote together with this release"));
        }
        let (people, names) = (links.subjects.len(), links.subjects);
        Ok(People { records, of_record: Some(of_record), names, people })
    }

    fn person(&self, record: usize) -> u32 {
        self.of_record.as_ref().map_or(record as u32, |persons| persons[record])
    }

    /// The same records under the people they belong to.
    pub(super) fn regroup(&self, events: &Events, kind: EventKind) -> Events {
        if self.of_record.is_none() && self.records.len() == events.records() && kind == events.kind() {
            return events.clone();
        }
        let timed = events.times().is_some() && kind == EventKind::Sequence;
        let mut builder = EventsBuilder::new(kind, timed);
        for record in 0..self.records.len() {
            if record < events.records() {
                let times = events.times_of(record).unwrap_or_default();
                builder.push(self.person(record), events.record(record), times);
            } else {
                builder.push(self.person(record), &[], &[]);
            }
        }
        builder.finish(self.people)
    }

    /// Attributes of a file keyed by `record`, by person. All records of a person have the same ones.
    pub fn by_record(&self, source: &Source, progress: &Progress) -> Result<Table, Failure> {
        let table = read_records(source, &by_record(), &self.records, progress)?;
        let mut row_of = vec![u32::MAX; self.people];
        for record in 0..self.records.len() {
            let row = &mut row_of[self.person(record) as usize];
            let same =
                |row: usize| table.columns.iter().all(|column| column.text(row) == column.text(record));
            if *row != u32::MAX && !same(*row as usize) {
                let message = format!("`{}` gives records of one person different attributes", source.name());
                return Err(Failure::new(Class::BadInput, message)
                    .with_help("the linkage belongs to another release, or the file was changed"));
            }
            *row = record as u32;
        }
        Ok(table.pick(&row_of))
    }

    /// The cells of a file keyed by `record`, as they are written, by person.
    pub(super) fn as_written(&self, attributes: &Attributes, progress: &Progress) -> Result<Table, Failure> {
        let types = attributes.columns.iter().map(|column| (column.clone(), ColumnKind::Category));
        let options = ReadOptions { format: Some(Format::Table), types: types.collect(), ..by_record() };
        let read = read_dataset(&attributes.held, &options, progress)?.dataset;
        let table = read.attributes.unwrap_or_default();
        let mut row_of = vec![u32::MAX; self.people];
        for (row, name) in read.subjects.names().enumerate() {
            let Some(record) = self.records.find(name) else { continue };
            let own = &mut row_of[self.person(record as usize) as usize];
            let same =
                |other: usize| table.columns.iter().all(|column| column.text(other) == column.text(row));
            if *own != u32::MAX && !same(*own as usize) {
                let message =
                    format!("`{}` gives records of one person different cells", attributes.held.name());
                return Err(Failure::new(Class::BadInput, message)
                    .with_help("the linkage belongs to another release, or the file was changed"));
            }
            *own = row as u32;
        }
        if row_of.contains(&u32::MAX) {
            let (who, help) = match self.of_record {
                Some(_) => {
                    ("people of the linkage", "give the file that {linkage} wrote together with this release")
                }
                None => {
                    ("records that have events", "fetch the whole release again: both files belong together")
                }
            };
            let message = format!("`{}` has no row for some {who}", attributes.held.name());
            return Err(Failure::new(Class::BadInput, message).with_help(help));
        }
        Ok(table.pick(&row_of))
    }

    /// Attributes of a file keyed by person; `None` when nothing says whose records are.
    pub fn by_person(
        &self,
        source: &Source,
        options: &ReadOptions,
        progress: &Progress,
    ) -> Result<Option<Table>, InputError> {
        match self.of_record {
            Some(_) => {
                let people = read_people(source, options, None, &self.names, progress)?;
                Ok(Some(people.table))
            }
            None => Ok(None),
        }
    }
}
