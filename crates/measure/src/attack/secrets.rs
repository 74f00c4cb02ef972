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
    /// Values of attributes (column, value), by subject. A value that occurs in no column is no secret.
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

#[cfg(test)]
mod tests {
    use throng_data::{ColumnValues, Dataset, GeneralisedItem};

    use super::*;

    fn words(name: &str, words: &[&str], codes: &[u32]) -> Column {
        let values =
            ColumnValues::Categories { values: words.iter().copied().collect(), codes: codes.to_vec() };
        Column { name: name.to_owned(), role: None, values }
    }

    fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(column, value)| ((*column).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn values_are_secrets_of_those_who_have_them_in_that_column() {
        let columns =
            vec![words("disease", &["flu", "cold"], &[0, 1, 0]), words("job", &["cold", "flu"], &[1, 1, 0])];
        let table = Table { columns };
        let secrets =
            Secrets::of_values(&table, 3, &named(&[("disease", "flu"), ("job", "cold"), ("pet", "cat")]));
        assert_eq!(secrets.names(), ["disease=flu", "job=cold", "pet=cat"]);
        assert_eq!([secrets.of(0), secrets.of(1), secrets.of(2)], [&[0][..], &[], &[0, 1]]);
        assert_eq!((secrets.len(), secrets.is_empty()), (3, false));
        assert!(Secrets::of_values(&table, 3, &[]).is_empty());
    }

    #[test]
    fn secrets_of_two_kinds_are_numbered_one_after_the_other() {
        let table = Table { columns: vec![words("disease", &["flu", "cold"], &[0, 1, 0])] };
        let first = Secrets::of_values(&table, 3, &named(&[("disease", "cold"), ("disease", "flu")]));
        let data = Dataset::from_words(["ab", "b", "c"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let sensitive = [data.items.find("b").expect("there"), data.items.find("c").expect("there")];
        // What an item surely is, it gives away.
        assert_eq!(Secrets::given_away(&release, &sensitive), [None, Some(0), Some(1)]);
        release.alphabet[1] = GeneralisedItem::of(vec![0, 1]);
        assert_eq!(Secrets::given_away(&release, &sensitive), [None, None, Some(1)]);
        let items =
            Secrets::of_items(vec!["b".to_owned(), "c".to_owned()], &data.events, &[None, Some(0), Some(1)]);
        let both = first.and(&items);
        assert_eq!(both.names(), ["disease=cold", "disease=flu", "b", "c"]);
        assert_eq!([both.of(0), both.of(1), both.of(2)], [&[1, 2][..], &[0, 2], &[1, 3]]);
    }
}
