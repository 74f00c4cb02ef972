//! A page of the working table: filtered, sorted, cut.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::{WorkingColumn, WorkingTable};

/// Which rows are shown, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Order {
    /// A column's name, with a minus before it for descending order.
    pub sort: Option<String>,
    /// Text that some cell holds, or `column=text` for that column's cells; case does not matter.
    pub filter: Option<String>,
}

/// The rows that an [`Order`] leaves, in its order.
#[derive(Debug)]
pub struct Window {
    /// Row numbers.
    pub rows: Vec<u32>,
}

impl Window {
    /// `None` when the order names a column that is not there.
    pub fn of(working_table: &WorkingTable, order: &Order) -> Option<Self> {
        let wanted = order.filter.as_deref().filter(|filter| !filter.is_empty());
        let mut rows: Vec<u32> = match wanted {
            None => working_table.rows().map(|row| row as u32).collect(),
            Some(filter) => {
                let hits = hits(working_table, filter);
                let hit = |row: &usize| hits.iter().any(|(column, hit)| hit[column.codes[*row] as usize]);
                working_table.rows().filter(hit).map(|row| row as u32).collect()
            }
        };
        if let Some(sort) = order.sort.as_deref().filter(|sort| !sort.is_empty()) {
            let (name, falling) = match (working_table.position(sort), sort.strip_prefix('-')) {
                (None, Some(name)) => (name, true),
                _ => (sort, false),
            };
            let column = &working_table.columns[working_table.position(name)?];
            rows = sorted(&rows, column, falling);
        }
        Some(Window { rows })
    }
}

/// Rows by the rank of their cells. Stable both ways: rows with equal cells stay in file order.
fn sorted(rows: &[u32], column: &WorkingColumn, falling: bool) -> Vec<u32> {
    let mut ranks = ranks(column);
    if falling {
        let last = ranks.len().saturating_sub(1) as u32;
        ranks.iter_mut().for_each(|rank| *rank = last - *rank);
    }
    // Ranks are dense, so that counting them tells each row its place.
    let rank = |row: &u32| ranks[column.codes[*row as usize] as usize] as usize;
    let mut places = vec![0_u32; ranks.len() + 1];
    rows.iter().for_each(|row| places[rank(row) + 1] += 1);
    for rank in 1..places.len() {
        places[rank] += places[rank - 1];
    }
    let mut sorted = vec![0; rows.len()];
    for row in rows {
        let place = &mut places[rank(row)];
        sorted[*place as usize] = *row;
        *place += 1;
    }
    sorted
}

/// For each column that is looked at, which of its values match.
fn hits<'a>(working_table: &'a WorkingTable, filter: &str) -> Vec<(&'a WorkingColumn, Vec<bool>)> {
    let named =
        filter.split_once('=').and_then(|(name, text)| Some((working_table.position(name.trim())?, text)));
    let (columns, text) = match named {
        Some((column, text)) => (&working_table.columns[column..=column], text.trim()),
        None => (&working_table.columns[..], filter),
    };
    let text = text.to_lowercase();
    let matching = |column: &'a WorkingColumn| {
        let codes = (0..column.values.len() as u32).into_par_iter();
        let hit = codes.map(|code| column.values.name(code).to_lowercase().contains(&text)).collect();
        (column, hit)
    };
    columns.iter().map(matching).collect()
}

/// The place of each value in sorted order: numbers by size, before words by letter.
fn ranks(column: &WorkingColumn) -> Vec<u32> {
    let number = |code: u32| column.values.name(code).parse().ok().filter(|number: &f64| number.is_finite());
    let mut codes: Vec<u32> = (0..column.values.len() as u32).collect();
    let numbers: Vec<Option<f64>> = codes.par_iter().map(|code| number(*code)).collect();
    // Values are distinct, so that no order among equals has to be kept.
    codes.par_sort_unstable_by(|a, b| {
        match (numbers[*a as usize], numbers[*b as usize]) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
        .then_with(|| column.values.name(*a).cmp(column.values.name(*b)))
    });
    let mut ranks = vec![0; codes.len()];
    for (rank, code) in (0..).zip(codes) {
        ranks[code as usize] = rank;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::formats::Source;

    use super::*;
    use crate::workbench::working_table::read;

    #[test]
    fn rows_are_filtered_and_sorted_numbers_first() {
        let text = "id,n\na,10\nb,9\nA,x\nc,9\n";
        let (working_table, _) = read(&Source::memory("a.csv", text.as_bytes()), None, &Progress::silent());
        let rows = |sort: &str, filter: &str| {
            let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            Window::of(&working_table, &Order { sort: some(sort), filter: some(filter) })
                .map(|window| window.rows)
        };
        assert_eq!(rows("", ""), Some(vec![0, 1, 2, 3]));
        assert_eq!(rows("n", ""), Some(vec![1, 3, 0, 2]));
        assert_eq!(rows("-n", ""), Some(vec![2, 0, 1, 3]));
        assert_eq!(rows("", "a"), Some(vec![0, 2]));
        assert_eq!(rows("", "n=9"), Some(vec![1, 3]));
        assert_eq!(rows("missing", ""), None);
    }
}
