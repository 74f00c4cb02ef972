//! Numbers, tables and bars as text.

use clap::builder::styling::Style;

/// Bold on a terminal.
pub const BOLD: Style = Style::new().bold();

/// `18143` as `18,143`.
pub fn count(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 person`, `2 people`: a count with its noun.
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Breaks text at blanks so that no line is longer than `width`, unless a word is.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Which side of a column its cells lean on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
}

/// Columns as wide as their widest cell; the last one wraps at the edge of the page.
#[derive(Debug)]
pub struct Table {
    sides: Vec<Side>,
    header: Option<Vec<String>>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

/// Where tables wrap their last column.
const PAGE: usize = 100;

impl Table {
    /// A table with these columns.
    pub fn new(sides: &[Side]) -> Self {
        Table { sides: sides.to_vec(), header: None, rows: Vec::new(), indent: 0 }
    }

    /// Names the columns.
    #[must_use]
    pub fn header<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.header = Some(names.into_iter().map(str::to_owned).collect());
        self
    }

    /// Moves the table to the right.
    #[must_use]
    pub fn indent(mut self, indent: usize) -> Self {
        self.indent = indent;
        self
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as lines of text, each with its line end.
    pub fn render(&self) -> String {
        let last = self.sides.len() - 1;
        let widths: Vec<usize> = (0..=last)
            .map(|column| {
                let cells = self.header.iter().chain(&self.rows).filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        let before_last = self.indent + widths[..last].iter().map(|width| width + 2).sum::<usize>();
        let room = PAGE.saturating_sub(before_last).max(20);
        let mut text = String::new();
        for (position, row) in self.header.iter().chain(&self.rows).enumerate() {
            let style = if position == 0 && self.header.is_some() { BOLD } else { Style::new() };
            let wrapped = wrap(row.get(last).map_or("", String::as_str), room);
            for (line, tail) in wrapped.iter().enumerate() {
                let mut cells = " ".repeat(self.indent);
                for (column, width) in widths[..last].iter().enumerate() {
                    let cell = if line == 0 { row.get(column).map_or("", String::as_str) } else { "" };
                    self.pad(&mut cells, column, cell, *width);
                    cells.push_str("  ");
                }
                self.pad(&mut cells, last, tail, widths[last].min(room));
                text.push_str(&format!("{style}{}{style:#}\n", cells.trim_end()));
            }
        }
        text
    }

    fn pad(&self, line: &mut String, column: usize, cell: &str, width: usize) {
        let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
        match self.sides[column] {
            Side::Left => {
                line.push_str(cell);
                line.push_str(&blanks);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([count(7_u64), count(18_143_u64), count(1_000_000_u64)], ["7", "18,143", "1,000,000"]);
    }

    #[test]
    fn the_last_column_wraps_under_itself() {
        let mut table = Table::new(&[Side::Left, Side::Left]);
        table.row(["name".to_owned(), "word ".repeat(30)]);
        let text = table.render();
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.chars().count() <= PAGE));
        assert!(text.lines().nth(1).unwrap().starts_with("      word"));
    }
}
