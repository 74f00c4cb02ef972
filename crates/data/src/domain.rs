//! The values of one column, coded: what methods for tables work on.

use crate::hierarchy::{Hierarchy, HierarchyError};
use crate::table::{ColumnKind, position};
use crate::{Column, ColumnValues, Dictionary, NodeId};

/// A column as dense codes over its distinct values.
///
/// Numbers and dates are numbered in their order, categories in the order of their hierarchy's leaves or, without one, of their
/// names. A missing value is a value of its own, and comes last.
#[derive(Debug, Clone)]
pub struct Domain {
    /// Name of the column.
    pub name: String,
    /// What its values are.
    pub kind: ColumnKind,
    /// The distinct values that occur, as written.
    pub values: Vec<String>,
    /// For numbers and dates: where each value lies, ascending; a missing value is `NaN`.
    pub positions: Option<Vec<f64>>,
    /// One code for each subject.
    pub codes: Vec<u32>,
    /// The hierarchy, over at least these values.
    pub hierarchy: Option<Hierarchy>,
    /// The leaf of each value; empty without a hierarchy.
    pub leaves: Vec<NodeId>,
}

impl Domain {
    /// Codes a column.
    pub fn of(column: &Column, hierarchy: Option<&Hierarchy>) -> Result<Domain, HierarchyError> {
        let kind = column.kind();
        let (mut values, mut codes) = distinct(column);
        let mut leaves = Vec::new();
        let mut whole = None;
        if let Some(hierarchy) = hierarchy {
            let (over, found) = hierarchy.clone().over(&values, kind)?;
            (whole, leaves) = (Some(over), found);
        }
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        let at = |code: u32| position(&values[code as usize], kind);
        match kind {
            ColumnKind::Number | ColumnKind::Date => {
                order.sort_by(|a, b| match (at(*a), at(*b)) {
                    (Some(a), Some(b)) => a.total_cmp(&b),
                    (a, b) => a.is_none().cmp(&b.is_none()),
                });
            }
            ColumnKind::Category => {
                let rank = ranks(whole.as_ref());
                let key = |code: &u32| {
                    let value = &values[*code as usize];
                    let leaf = leaves.get(*code as usize).map(|leaf| rank[*leaf as usize]);
                    (value.is_empty(), leaf, value)
                };
                order.sort_by(|a, b| key(a).cmp(&key(b)));
            }
        }
        let mut code_of = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            code_of[*old as usize] = new as u32;
        }
        codes.iter_mut().for_each(|code| *code = code_of[*code as usize]);
        values = order.iter().map(|old| std::mem::take(&mut values[*old as usize])).collect();
        if !leaves.is_empty() {
            leaves = order.iter().map(|old| leaves[*old as usize]).collect();
        }
        let positions = (kind != ColumnKind::Category)
            .then(|| values.iter().map(|value| position(value, kind).unwrap_or(f64::NAN)).collect());
        Ok(Domain { name: column.name.clone(), kind, values, positions, codes, hierarchy: whole, leaves })
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The position of every leaf among the leaves, by node.
fn ranks(hierarchy: Option<&Hierarchy>) -> Vec<u32> {
    let Some(tree) = hierarchy.map(Hierarchy::tree) else { return Vec::new() };
    let mut ranks = vec![0; tree.nodes()];
    for (rank, leaf) in tree.leaves_under(tree.root()).into_iter().enumerate() {
        ranks[leaf as usize] = rank as u32;
    }
    ranks
}

/// The distinct values that occur, in order of appearance, and the code of each subject.
fn distinct(column: &Column) -> (Vec<String>, Vec<u32>) {
    fn coded<T: Copy>(
        all: &[T],
        key: impl Fn(T) -> u64,
        text: impl Fn(usize) -> String,
    ) -> (Vec<String>, Vec<u32>) {
        let mut seen = hashbrown::HashMap::with_hasher(foldhash::fast::FixedState::with_seed(0));
        let mut values = Vec::new();
        let codes = all.iter().enumerate().map(|(row, value)| {
            *seen.entry(key(*value)).or_insert_with(|| {
                values.push(text(row));
                values.len() as u32 - 1
            })
        });
        let codes = codes.collect();
        (values, codes)
    }
    let text = |row: usize| column.text(row);
    match &column.values {
        ColumnValues::Categories { values, codes } => {
            let name = |values: &Dictionary, row: usize| values.name(codes[row]).to_owned();
            coded(codes, u64::from, |row| name(values, row))
        }
        ColumnValues::Numbers(numbers) => {
            // Both zeros are one value, and so is everything that is missing.
            let key = |number: f64| if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() };
            coded(numbers, key, text)
        }
        ColumnValues::Dates(dates) => {
            coded(dates, |date| date.map_or(u64::MAX, |day| u64::from(day.cast_unsigned())), text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: ColumnValues) -> Column {
        Column { name: "c".to_owned(), role: None, values }
    }

    #[test]
    fn numbers_are_numbered_in_their_order_and_missing_ones_come_last() {
        let numbers = ColumnValues::Numbers(vec![30.0, f64::NAN, 4.0, 30.0, -1.5]);
        let domain = Domain::of(&column(numbers), None).unwrap();
        assert_eq!(domain.values, ["-1.5", "4", "30", ""]);
        assert_eq!(domain.codes, [2, 3, 1, 2, 0]);
        assert_eq!(domain.positions.unwrap()[..3], [-1.5, 4.0, 30.0]);
    }

    #[test]
    fn categories_follow_the_leaves_of_their_hierarchy() {
        let values: Dictionary = ["b", "a", "c"].into_iter().collect();
        let categories = column(ColumnValues::Categories { values, codes: vec![0, 1, 2, 0] });
        let tree = Hierarchy::from_paths(["c;x;*", "b;x;*", "a;y;*", "d;y;*"].map(|l| l.split(';'))).unwrap();
        let domain = Domain::of(&categories, Some(&tree)).unwrap();
        assert_eq!(
            (domain.values.clone(), domain.codes.clone()),
            (vec!["c".into(), "b".into(), "a".into()], vec![1, 2, 0, 1])
        );
        let plain = Domain::of(&categories, None).unwrap();
        assert_eq!((plain.values, plain.codes), (vec!["a".into(), "b".into(), "c".into()], vec![1, 0, 2, 1]));
    }
}
