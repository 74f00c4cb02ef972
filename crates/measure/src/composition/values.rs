//! The values of published attributes that the crowds of both releases leave possible.

use throng_data::{Column, Dictionary, ItemId};

use super::Side;
use super::book::Book;

/// The attributes that both releases publish, coded alike.
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
        let [Some(one), Some(two)] = [first, second].map(|side| side.attributes) else {
            return Values { columns: Vec::new() };
        };
        let both = one.columns.iter().filter_map(|column| Some((column, two.column(&column.name)?)));
        let subjects = [first, second].map(|side| side.release.events.subjects());
        Values { columns: both.map(|(one, two)| Shared::of([one, two], subjects)).collect() }
    }

    /// Names of the attributes.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// For each attribute: whether each crowd alone leaves several values, and both together one.
    pub fn learned(&self, sides: [(&Book<'_>, &[ItemId]); 2]) -> Vec<bool> {
        let learned = |column: &Shared| {
            let [one, two] = [0, 1].map(|side| {
                let (book, known) = sides[side];
                column.possible(side, book.crowd(known))
            });
            let several = |possible: &[bool]| possible.iter().filter(|possible| **possible).count() > 1;
            let common = one.iter().zip(&two).filter(|(one, two)| **one && **two).count();
            several(&one) && several(&two) && common == 1
        };
        self.columns.iter().map(learned).collect()
    }
}

impl Shared {
    fn of(columns: [&Column; 2], subjects: [usize; 2]) -> Self {
        let mut values = Dictionary::new();
        let codes = [0, 1].map(|side| {
            (0..subjects[side]).map(|subject| values.intern(&columns[side].text(subject))).collect()
        });
        Shared { name: columns[0].name.clone(), size: values.len(), codes }
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
