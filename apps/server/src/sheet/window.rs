//! A page of the working table: filtered, sorted, cut.

use std::cmp::Ordering;

use super::{Sheet, SheetColumn};

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
    pub fn of(sheet: &Sheet, order: &Order) -> Option<Self> {
        let wanted = order.filter.as_deref().filter(|filter| !filter.is_empty());
        let mut rows: Vec<u32> = match wanted {
            None => sheet.rows().map(|row| row as u32).collect(),
            Some(filter) => {
                let hits = hits(sheet, filter);
                let hit = |row: &usize| hits.iter().any(|(column, hit)| hit[column.codes[*row] as usize]);
                sheet.rows().filter(hit).map(|row| row as u32).collect()
            }
        };
        if let Some(sort) = order.sort.as_deref().filter(|sort| !sort.is_empty()) {
            let (name, falling) = match (sheet.position(sort), sort.strip_prefix('-')) {
                (None, Some(name)) => (name, true),
                _ => (sort, false),
            };
            let column = &sheet.columns[sheet.position(name)?];
            let ranks = ranks(column);
            let rank = |row: &u32| ranks[column.codes[*row as usize] as usize];
            // Stable both ways: rows with equal cells stay in file order.
            match falling {
                true => rows.sort_by_key(|row| std::cmp::Reverse(rank(row))),
                false => rows.sort_by_key(rank),
            }
        }
        Some(Window { rows })
    }
}

/// For each column that is looked at, which of its values match.
fn hits<'a>(sheet: &'a Sheet, filter: &str) -> Vec<(&'a SheetColumn, Vec<bool>)> {
    let named = filter.split_once('=').and_then(|(name, text)| Some((sheet.position(name.trim())?, text)));
    let (columns, text) = match named {
        Some((column, text)) => (&sheet.columns[column..=column], text.trim()),
        None => (&sheet.columns[..], filter),
    };
    let text = text.to_lowercase();
    let matching = |column: &'a SheetColumn| {
        let hit = column.values.names().map(|value| value.to_lowercase().contains(&text)).collect();
        (column, hit)
    };
    columns.iter().map(matching).collect()
}

/// The place of each value in sorted order: numbers by size, before words by letter.
fn ranks(column: &SheetColumn) -> Vec<u32> {
    let numbers: Vec<Option<f64>> = column
        .values
        .names()
        .map(|value| value.parse().ok().filter(|number: &f64| number.is_finite()))
        .collect();
    let mut codes: Vec<u32> = (0..column.values.len() as u32).collect();
    codes.sort_by(|a, b| {
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
    use crate::sheet::read;

    #[test]
    fn rows_are_filtered_and_sorted_numbers_first() {
        let text = "id,n\na,10\nb,9\nA,x\nc,9\n";
        let (sheet, _) = read(&Source::memory("a.csv", text.as_bytes()), None, &Progress::silent());
        let rows = |sort: &str, filter: &str| {
            let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            Window::of(&sheet, &Order { sort: some(sort), filter: some(filter) }).map(|window| window.rows)
        };
        assert_eq!(rows("", ""), Some(vec![0, 1, 2, 3]));
        assert_eq!(rows("n", ""), Some(vec![1, 3, 0, 2]));
        assert_eq!(rows("-n", ""), Some(vec![2, 0, 1, 3]));
        assert_eq!(rows("", "a"), Some(vec![0, 2]));
        assert_eq!(rows("", "n=9"), Some(vec![1, 3]));
        assert_eq!(rows("nobody", ""), None);
    }
}
