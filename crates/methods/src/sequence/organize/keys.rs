//! Select: what a trajectory looks like from afar, as a string of bits.

use throng_data::{Coordinates, Events, ItemId, Places};

/// A key for each subject: one bit for each selected pattern, the most significant first, in whole words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    words: usize,
    bits: Vec<u64>,
}

impl Keys {
    fn zero(subjects: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64).max(1);
        Keys { words, bits: vec![0; subjects * words] }
    }

    fn set(&mut self, subject: usize, column: usize) {
        self.bits[subject * self.words + column / 64] |= 1 << (63 - column % 64);
    }

    /// The key of a subject.
    pub fn of(&self, subject: usize) -> &[u64] {
        &self.bits[subject * self.words..(subject + 1) * self.words]
    }

    /// Keys that say which of the items each subject has; `columns[0]` is the most significant bit.
    pub fn of_items(events: &Events, columns: &[ItemId], items: usize) -> Self {
        let mut column_of = vec![None; items];
        for (column, item) in columns.iter().enumerate() {
            column_of[*item as usize] = Some(column);
        }
        let mut keys = Keys::zero(events.subjects(), columns.len());
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                for column in events.record(record).iter().filter_map(|item| column_of[*item as usize]) {
                    keys.set(subject, column);
                }
            }
        }
        keys
    }

    /// Keys that say which of the patterns each subject has; `columns[0]` is the most significant bit.
    pub fn of_patterns(events: &Events, columns: &[Vec<ItemId>]) -> Self {
        let mut keys = Keys::zero(events.subjects(), columns.len());
        for subject in 0..events.subjects() {
            for (column, pattern) in columns.iter().enumerate() {
                if events.records_of(subject).any(|record| contains(events.record(record), pattern)) {
                    keys.set(subject, column);
                }
            }
        }
        keys
    }
}

fn contains(record: &[ItemId], pattern: &[ItemId]) -> bool {
    let mut events = record.iter();
    pattern.iter().all(|wanted| events.any(|item| item == wanted))
}

/// The z-value of every place: the bits of its column and row, interleaved, the column's lowest bit lowest.
///
/// Coordinates that are small whole numbers are taken as the cells they are; others are laid on a grid of 65,536 by
/// 65,536 cells over their own extent.
pub fn z_values(places: &Places) -> Vec<u64> {
    let cell = |value: f64| value.fract() == 0.0 && (0.0..65_536.0).contains(&value);
    let whole =
        places.system == Coordinates::Plane && places.points.iter().flatten().all(|value| cell(*value));
    let axis = |axis: usize| -> Vec<u64> {
        let values = places.points.iter().map(|point| point[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
        let scale = if high > low { 65_535.0 / (high - low) } else { 0.0 };
        values.map(|value| if whole { value as u64 } else { ((value - low) * scale) as u64 }).collect()
    };
    axis(0).iter().zip(axis(1)).map(|(x, y)| spread(*x) | spread(y) << 1).collect()
}

/// Puts a zero between any two of the lowest sixteen bits.
fn spread(value: u64) -> u64 {
    (0..16).map(|bit| (value >> bit & 1) << (2 * bit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_values_interleave_columns_and_rows() {
        let points = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 4.0], [3.0, 5.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        assert_eq!(z_values(&places), [0, 1, 10, 36, 39]);
    }

    #[test]
    fn any_coordinates_keep_their_order_along_an_axis() {
        let points = vec![[-3.5, 9.0], [0.25, 9.0], [77.0, 9.0]];
        let places = Places { system: Coordinates::Plane, points, categories: None };
        assert!(z_values(&places).is_sorted());
    }
}
