//! Numbers, tables and bars as text.

use clap::builder::styling::{AnsiColor, Style};

/// Bold on a terminal.
pub const BOLD: Style = Style::new().bold();
/// A verdict that is good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A verdict to think about.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
/// A verdict that is bad news.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Faint on a terminal.
pub const FAINT: Style = Style::new().dimmed();

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

/// `931 bytes`, `12.4 kB`, `1.3 GB`: in thousands, as disks are sold.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => counted(bytes, "byte", "bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// `1 person`, `2 people`: a count with its noun.
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Whole numbers as they are; of others four digits are enough to compare by.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if value >= 0.0 && (size >= 1000.0 || size.fract() == 0.0) => count(value.round() as u64),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// A share as a percentage that never rounds something to nothing, or nearly all to all.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    match value {
        _ if value > 0.0 && value < 0.1 => "<0.1%".to_owned(),
        _ if value > 99.9 && value < 100.0 => ">99.9%".to_owned(),
        _ => format!("{value:.1}%"),
    }
}

/// A bar of `width` cells filled to `share`, in eighths of a cell.
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    // Whatever is there must be seen.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let mut text = "█".repeat(eighths / 8);
    text.push_str(EIGHTHS[eighths % 8]);
    text
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
    /// Numbers.
    Right,
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
            Side::Right => {
                line.push_str(&blanks);
                line.push_str(cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_shares_never_round_to_nothing() {
        assert_eq!([count(7_u64), count(18_143_u64), count(1_000_000_u64)], ["7", "18,143", "1,000,000"]);
        assert_eq!(
            [percent(0.0), percent(0.0001), percent(0.5), percent(0.9999)],
            ["0.0%", "<0.1%", "50.0%", ">99.9%"]
        );
        assert_eq!(bar(0.0, 10), "");
        assert_eq!(bar(1e-9, 10), "▏");
        assert_eq!(bar(1.0, 3), "███");
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
