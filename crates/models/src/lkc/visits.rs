//! A release as the `lkc` checker sees it: records as ascending doublets, people as holders of sensitive values.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_contract::Progress;
use throng_data::{ColumnValues, ItemId, Release};

use crate::{CheckError, Evidence};

/// Records as sets of doublets. Doublets are numbered by time, then by written name.
pub(super) struct Visits {
    pub people: usize,
    /// Time and released item of each doublet.
    doublets: Vec<(i64, ItemId)>,
    /// `starts[r]..starts[r + 1]` are the positions of record `r` in `visits`.
    pub starts: Vec<u32>,
    /// The doublets of all records, ascending and without repeats in each.
    pub visits: Vec<u32>,
    /// The person of each record; ascending.
    pub person: Vec<u32>,
}

impl Visits {
    /// Reads the release; it must have times.
    pub fn collect(
        promise: &'static str,
        release: &Release,
        progress: &Progress,
    ) -> Result<Self, CheckError> {
        let events = release.events();
        let Some(times) = events.times() else {
            return Err(CheckError::Missing {
                promise,
                what: "the time of each event",
                help: "publish the times: the release needs the columns `record,item,time`",
            });
        };
        if u32::try_from(events.len()).is_err() {
            return Err(CheckError::TooLarge {
                promise,
                what: format!("{} events", events.len()),
                limit: u32::MAX.to_string(),
            });
        }
        let phase = progress.phase("read visits", Some(events.len() as u64));
        let hasher = FixedState::with_seed(0);
        let mut seen: HashTable<u32> = HashTable::new();
        let mut doublets: Vec<(i64, ItemId)> = Vec::new();
        let mut codes = Vec::with_capacity(events.len());
        for (position, doublet) in times.iter().copied().zip(events.items().iter().copied()).enumerate() {
            if position.is_multiple_of(1 << 16) {
                phase.advance(1 << 16)?;
            }
            let hash = hasher.hash_one(doublet);
            let code = match seen.find(hash, |code| doublets[*code as usize] == doublet) {
                Some(code) => *code,
                None => {
                    let code = doublets.len() as u32;
                    doublets.push(doublet);
                    seen.insert_unique(hash, code, |code| hasher.hash_one(doublets[*code as usize]));
                    code
                }
            };
            codes.push(code);
        }

        let names = release.names();
        let mut order: Vec<u32> = (0..doublets.len() as u32).collect();
        order.sort_unstable_by_key(|code| {
            let (time, item) = doublets[*code as usize];
            (time, &names[item as usize], item)
        });
        let mut number = vec![0_u32; doublets.len()];
        for (rank, code) in order.iter().enumerate() {
            number[*code as usize] = rank as u32;
        }
        let doublets = order.iter().map(|code| doublets[*code as usize]).collect();

        let mut visits: Vec<u32> = Vec::with_capacity(codes.len());
        let mut starts = Vec::with_capacity(events.records() + 1);
        let mut person = Vec::with_capacity(events.records());
        let mut record: Vec<u32> = Vec::new();
        starts.push(0);
        for subject in 0..events.subjects() {
            for at in events.records_of(subject) {
                record.clear();
                record.extend(codes[events.span(at)].iter().map(|code| number[*code as usize]));
                record.sort_unstable();
                record.dedup();
                visits.extend_from_slice(&record);
                starts.push(visits.len() as u32);
                person.push(subject as u32);
            }
        }
        Ok(Visits { people: events.subjects(), doublets, starts, visits, person })
    }

    /// How many distinct doublets there are.
    pub fn alphabet(&self) -> usize {
        self.doublets.len()
    }

    /// A doublet as people read it: `item@time`.
    pub fn written(&self, doublet: u32, release: &Release) -> String {
        let (time, item) = self.doublets[doublet as usize];
        format!("{}@{time}", release.name(item))
    }
}

/// Which person holds which sensitive values.
pub(super) struct Sensitive {
    /// `column=value` of each sensitive value.
    pub names: Vec<String>,
    /// `starts[p]..starts[p + 1]` are the positions of person `p` in `held`; empty when nothing is sensitive.
    starts: Vec<u32>,
    held: Vec<u32>,
}

impl Sensitive {
    /// Finds the named values among the attributes of the release or, for columns that are not published, of the data
    /// it was made from.
    /// With `worst`, a person whose value is missing may have any value of the column, and counts as a holder of each.
    pub fn collect(promise: &'static str, evidence: &Evidence<'_>, worst: bool) -> Result<Self, CheckError> {
        let mut named: Vec<&(String, String)> = Vec::new();
        for value in &evidence.inputs.sensitive_values {
            if !named.contains(&value) {
                named.push(value);
            }
        }
        let people = evidence.release.people();
        let tables = [
            evidence.release.attributes(),
            evidence.original.and_then(|original| original.attributes.as_ref()),
        ];
        if !named.is_empty() && tables.iter().all(Option::is_none) {
            return Err(CheckError::Missing {
                promise,
                what: "the attributes that hold the sensitive values",
                help: "add {records FILE}, or check without sensitive values",
            });
        }
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (number, (column, value)) in named.iter().enumerate() {
            let found = tables.iter().flatten().find_map(|table| table.column(column));
            let Some(found) = found else {
                return Err(CheckError::Unknown { what: "the column", name: column.clone() });
            };
            let before = pairs.len();
            let mut hold = |person: usize| pairs.push((person as u32, number as u32));
            match &found.values {
                ColumnValues::Categories { values, codes } => {
                    let wanted = values.find(value);
                    let holders = codes.iter().take(people).enumerate();
                    holders.filter(|(_, code)| Some(**code) == wanted).for_each(|(person, _)| hold(person));
                }
                ColumnValues::Numbers(_) | ColumnValues::Dates(_) => {
                    (0..people).filter(|person| found.text(*person) == *value).for_each(hold);
                }
            }
            if pairs.len() == before {
                let name = format!("{column}={value}");
                return Err(CheckError::Unknown { what: "the sensitive value", name });
            }
            if worst && !value.is_empty() {
                let missing = (0..people).filter(|person| found.is_missing(*person));
                pairs.extend(missing.map(|person| (person as u32, number as u32)));
            }
        }
        pairs.sort_unstable();
        let mut starts = Vec::new();
        if !named.is_empty() {
            starts.resize(people + 1, 0);
            for (person, _) in &pairs {
                starts[*person as usize + 1] += 1;
            }
            for person in 0..people {
                starts[person + 1] += starts[person];
            }
        }
        Ok(Sensitive {
            names: named.iter().map(|(column, value)| format!("{column}={value}")).collect(),
            starts,
            held: pairs.into_iter().map(|(_, value)| value).collect(),
        })
    }

    /// The sensitive values of a person.
    pub fn of(&self, person: usize) -> &[u32] {
        if self.starts.is_empty() {
            return &[];
        }
        &self.held[self.starts[person] as usize..self.starts[person + 1] as usize]
    }
}
