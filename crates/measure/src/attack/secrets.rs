//! What attackers want to learn of a person: sensitive values and sensitive items.

use serde::Serialize;
use throng_data::{Column, Events, ItemId, Release, Table};

use super::share::{Mean, Share};

/// Who has which secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secrets {
    names: Vec<String>,
    /// `held[starts[s]..starts[s + 1]]` are the secrets of subject `s`.
    starts: Vec<u32>,
    held: Vec<u32>,
}

impl Secrets {
    /// Values of attributes (column, value), by subject. What is in no column is nobody's secret.
    pub fn of_values(table: &Table, subjects: usize, values: &[(String, String)]) -> Self {
        let names = values.iter().map(|(column, value)| format!("{column}={value}")).collect();
        let mut columns: Vec<&Column> =
            values.iter().filter_map(|(column, _)| table.column(column)).collect();
        columns.dedup_by_key(|column| &column.name);
        Secrets::collect(names, subjects, |subject, held| {
            for column in &columns {
                let text = column.text(subject);
                let known = values.iter().position(|(name, value)| *name == column.name && *value == text);
                held.extend(known.map(|place| place as u32));
            }
            held.sort_unstable();
            held.dedup();
        })
    }

    /// These secrets and others of the same subjects, numbered after these.
    #[must_use]
    pub fn and(&self, other: &Secrets) -> Self {
        let names = self.names.iter().chain(&other.names).cloned().collect();
        Secrets::collect(names, self.starts.len() - 1, |subject, held| {
            held.extend_from_slice(self.of(subject as u32));
            held.extend(other.of(subject as u32).iter().map(|secret| secret + self.len() as u32));
        })
    }

    /// Sensitive items, by the subjects who have them. Items are released ones, and have a secret when everything they
    /// may stand for is that secret.
    pub fn of_items(names: Vec<String>, events: &Events, secret_of: &[Option<u32>]) -> Self {
        Secrets::collect(names, events.subjects(), |subject, held| {
            let items = events.records_of(subject).flat_map(|record| events.record(record));
            held.extend(items.filter_map(|item| secret_of[*item as usize]));
            held.sort_unstable();
            held.dedup();
        })
    }

    /// The secret each released item gives away, for [`Secrets::of_items`]: the sensitive item it surely is.
    pub fn given_away(release: &Release, sensitive: &[ItemId]) -> Vec<Option<u32>> {
        let secret =
            |item: ItemId| sensitive.iter().position(|known| *known == item).map(|place| place as u32);
        let only = |members: &[ItemId]| match members {
            [only] => secret(*only),
            _ => None,
        };
        release.alphabet.iter().map(|item| only(&item.members)).collect()
    }

    /// Secrets that each subject is asked for: `of(subject, held)` adds them, ascending.
    pub(super) fn of_people(
        names: Vec<String>,
        subjects: usize,
        of: impl FnMut(usize, &mut Vec<u32>),
    ) -> Self {
        Secrets::collect(names, subjects, of)
    }

    fn collect(names: Vec<String>, subjects: usize, mut of: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let (mut starts, mut all, mut held) = (vec![0], Vec::new(), Vec::new());
        for subject in 0..subjects {
            held.clear();
            of(subject, &mut held);
            all.extend_from_slice(&held);
            starts.push(all.len() as u32);
        }
        Secrets { names, starts, held: all }
    }

    /// How many secrets there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The secrets by name.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The secrets of a subject.
    pub fn of(&self, subject: u32) -> &[u32] {
        &self.held[self.starts[subject as usize] as usize..self.starts[subject as usize + 1] as usize]
    }
}

/// The secret that most of the people who fit have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guess {
    /// Which; the first among equals.
    pub secret: u32,
    /// How many of them have it.
    pub people: u32,
}

impl Guess {
    /// The best guess, given how many people have each secret.
    pub fn best(counts: &[u32]) -> Option<Guess> {
        let best =
            (0_u32..).zip(counts).max_by_key(|(secret, people)| (**people, std::cmp::Reverse(*secret)));
        best.map(|(secret, people)| Guess { secret, people: *people })
    }
}

/// How well attackers guess a secret of the people they look for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inference {
    /// The share of the people found who have the secret that is guessed, on average over targets.
    pub confidence: Mean,
    /// The highest such share.
    pub highest: f64,
    /// Targets of whom a secret is certain: everybody who fits has it.
    pub certain: Share,
    /// Targets of whom some secret is guessed with more than the confidence asked about.
    pub confident: Share,
    /// Targets of whom it is, and rightly so.
    pub right: Share,
}
