//! The values of published attributes that the crowds of both releases leave possible.

use throng_data::{Column, Dictionary, RecodedColumn, Role};

use super::Side;

/// The attributes that both releases publish, coded alike; of a table, the sensitive columns.
pub(super) struct Values {
    columns: Vec<Shared>,
}

struct Shared {
    name: String,
    /// How many distinct values there are.
    size: usize,
    /// The value of each subject, in each release.
    codes: [Vec<u32>; 2],
}

impl Values {
    pub fn shared(first: &Side<'_>, second: &Side<'_>) -> Self {
        let subjects = [first, second].map(|side| side.release.people());
        let one = published(first);
        let two = published(second);
        let both = one.iter().filter_map(|column| {
            let other = two.iter().find(|other| other.name() == column.name())?;
            Some(Shared::of([column, other], subjects))
        });
        Values { columns: both.collect() }
    }

    /// Names of the attributes.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// For each attribute: whether each crowd alone leaves several values, and both together one.
    pub fn learned<'c>(&self, crowd: impl Fn(usize) -> Box<dyn Iterator<Item = u32> + 'c>) -> Vec<bool> {
        let learned = |column: &Shared| {
            let [one, two] = [0, 1].map(|side: usize| column.possible(side, crowd(side)));
            let several = |possible: &[bool]| possible.iter().filter(|possible| **possible).count() > 1;
            let common = one.iter().zip(&two).filter(|(one, two)| **one && **two).count();
            several(&one) && several(&two) && common == 1
        };
        self.columns.iter().map(learned).collect()
    }
}

/// A column whose values may be learned.
enum Shown<'a> {
    Attribute(&'a Column),
    Sensitive(&'a RecodedColumn),
}

/// What a release publishes that may be learned.
fn published<'a>(side: &Side<'a>) -> Vec<Shown<'a>> {
    let sensitive = side.release.table().into_iter().flat_map(|table| table.with_role(Role::Sensitive));
    let attributes = side.attributes.into_iter().flat_map(|table| &table.columns);
    sensitive.map(Shown::Sensitive).chain(attributes.map(Shown::Attribute)).collect()
}

impl Shown<'_> {
    fn name(&self) -> &str {
        match self {
            Shown::Attribute(column) => &column.name,
            Shown::Sensitive(column) => &column.name,
        }
    }

    fn text(&self, subject: usize) -> String {
        match self {
            Shown::Attribute(column) => column.text(subject),
            Shown::Sensitive(column) => column.cover(subject).render(),
        }
    }
}

impl Shared {
    fn of(columns: [&Shown<'_>; 2], subjects: [usize; 2]) -> Self {
        let mut values = Dictionary::new();
        let codes = [0, 1].map(|side| {
            (0..subjects[side]).map(|subject| values.intern(&columns[side].text(subject))).collect()
        });
        Shared { name: columns[0].name().to_owned(), size: values.len(), codes }
    }

    fn possible(&self, side: usize, crowd: impl Iterator<Item = u32>) -> Vec<bool> {
        let mut possible = vec![false; self.size];
        let mut left = self.size;
        for person in crowd {
            let value = &mut possible[self.codes[side][person as usize] as usize];
            left -= usize::from(!*value);
            *value = true;
            if left == 0 {
                break;
            }
        }
        possible
    }
}
