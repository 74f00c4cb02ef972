//! Which released record is which original one.

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{BLOCK, Blocks, Header, ReadOptions, Source, read_dataset};
use throng_data::{Dataset, Dictionary, Events};

use throng_release::directory::POSITION;

/// An order of the released records.
#[derive(Debug)]
pub(crate) struct Alignment {
    /// The released record of each original one.
    pub order: Vec<u32>,
    /// Whether records are matched one by one, and not only with the people they belong to.
    pub exact: bool,
}

impl Alignment {
    /// By the file that was written with the release. `names` are those of the released records.
    pub fn by_linkage(
        linkage: &Source,
        data: &Dataset,
        names: &Dictionary,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let linkage = &linkage.held()?;
        let options = ReadOptions {
            subject: Some("subject".to_owned()),
            item: Some("record".to_owned()),
            time: has_positions(linkage)?.then(|| POSITION.to_owned()),
            ..ReadOptions::default()
        };
        let links = read_dataset(linkage, &options, progress)?.dataset;
        let other = |what: &str| {
            Failure::new(Class::BadInput, format!("`{}` {what}", linkage.name()))
                .with_help("give the file that {linkage} wrote together with this release of these data")
        };
        let mut order = vec![u32::MAX; data.events.records()];
        let mut exact = true;
        for person in 0..links.events.subjects() {
            let known = data.subjects.find(links.subjects.name(person as u32));
            let known = known.ok_or_else(|| other("names people who are not in the data"))?;
            let places = data.events.records_of(known as usize);
            let mut next = places.clone();
            for record in links.events.records_of(person) {
                let positions = links.events.times_of(record);
                for (event, number) in links.events.record(record).iter().enumerate() {
                    let place = match positions {
                        Some(positions) => usize::try_from(positions[event] - 1)
                            .ok()
                            .and_then(|position| places.clone().nth(position)),
                        None => next.next(),
                    };
                    let place = place.filter(|place| order[*place] == u32::MAX);
                    let place = place.ok_or_else(|| other("gives people other records than the data do"))?;
                    let released = names.find(links.items.name(*number));
                    order[place] = released.ok_or_else(|| other("names records that the release lacks"))?;
                }
            }
            exact &= options.time.is_some() || places.len() == 1;
        }
        let missing = order.iter().filter(|record| **record == u32::MAX).count();
        if missing > 0 {
            return Err(other(&format!("does not say which {missing} of the {} records are", order.len())));
        }
        Ok(Alignment { order, exact })
    }

    /// By the names of people, where both have the same people with as many records.
    pub fn by_name(data: &Dataset, names: &Dictionary, released: &Events) -> Option<Self> {
        let mut order = Vec::with_capacity(data.events.records());
        for (subject, name) in data.subjects.names().enumerate() {
            let records = released.records_of(names.find(name)? as usize);
            if records.len() != data.events.records_of(subject).len() {
                return None;
            }
            order.extend(records.map(|record| record as u32));
        }
        (order.len() == released.records()).then_some(Alignment { order, exact: true })
    }
}

/// Whether a linkage says which record of a person is which.
fn has_positions(linkage: &Source) -> Result<bool, Failure> {
    let mut blocks = Blocks::new(linkage.open()?, linkage.name(), BLOCK, true)?;
    let (header, _) = Header::read(&mut blocks, None)?;
    Ok(header.names.iter().any(|name| name == POSITION))
}
