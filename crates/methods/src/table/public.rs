//! Bounds that say nothing of single people.
//!
//! The smallest range over a group begins and ends with values of people in it, and the smallest set lists only values that occur: both
//! prove that a person with that value is there. Public bounds are known without the data. Ranges of numbers begin and end at multiples of a
//! round step, ranges of dates at the ends of round spans of the calendar ([`Grid`]). Sets of categories are blocks of the column's values in the order of
//! their names ([`blocks`]), of at least three values, so that none of them has to occur. A hierarchy of the publisher's is public as it is.
//!
//! # Guarantees
//! A cell still covers every value of its group. Groups whose cells become equal are one class, which keeps whatever both kept.
//!
//! The step follows from the range that the publisher declares for the column. Without one it follows from the width of the column, rounded to the next of three steps in a power of ten, and from the digits that its values are
//! written with; nothing else of the data decides where a bound may lie. Without a declared list, values that fewer than `k` people have are in no
//! block: a group that has one says nothing in that column.

use throng_data::{ColumnKind, DeclaredRange, Hierarchy, position};

/// About so many cells of a grid make the width of a column.
const CELLS: f64 = 20.0;

/// Values of a block at least.
const SMALLEST_BLOCK: usize = 3;

/// Numbers of steps up to this are exact.
const MOST_STEPS: f64 = 4_503_599_627_370_496.0;

/// Where bounds of ranges may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grid {
    /// Multiples of `digit * 10^power`.
    Numbers {
        /// 1, 2 or 5.
        digit: i128,
        /// The power of ten.
        power: i32,
        /// Whether all values are whole: then a cell ends one before the next begins.
        whole: bool,
    },
    /// Spans of so many days of a month: `5` ends on the 5th, 10th, 15th, 20th, 25th and last of a month.
    Days(u32),
    /// Spans of so many months of a year.
    Months(u32),
    /// Spans of so many years.
    Years(i32),
}

/// The cell of a grid that holds a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Where it begins, as written.
    pub low: String,
    /// Where it ends, as written.
    pub high: String,
}

impl Grid {
    /// The grid of a column, over the range that was declared for it or over its values; `None` where these are all equal, or no round step fits.
    pub fn of(kind: ColumnKind, values: &[String], declared: Option<&DeclaredRange>) -> Option<Grid> {
        let known = || values.iter().filter_map(|value| position(value, kind));
        let (low, high) = declared.and_then(|range| range.ends(kind)).unwrap_or_else(|| {
            (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max))
        });
        let width = high - low;
        if !width.is_finite() || width <= 0.0 {
            return None;
        }
        match kind {
            ColumnKind::Category => None,
            ColumnKind::Date => Some(Grid::of_days(width / CELLS)),
            ColumnKind::Number => {
                let grid = Grid::of_numbers(width, values)?;
                let most = low.abs().max(high.abs()) / grid.step();
                (most < MOST_STEPS).then_some(grid)
            }
        }
    }

    fn of_days(wanted: f64) -> Grid {
        const SPANS: [(f64, Grid); 7] = [
            (5.0, Grid::Days(5)),
            (10.0, Grid::Days(10)),
            (30.4, Grid::Months(1)),
            (91.3, Grid::Months(3)),
            (365.25, Grid::Years(1)),
            (1_826.25, Grid::Years(5)),
            (3_652.5, Grid::Years(10)),
        ];
        let far = |days: f64| (wanted.max(1.0) / days).ln().abs();
        let nearest = SPANS.into_iter().min_by(|a, b| far(a.0).total_cmp(&far(b.0)));
        nearest.map_or(Grid::Years(10), |(_, grid)| grid)
    }

    fn of_numbers(width: f64, values: &[String]) -> Option<Grid> {
        let decimals = values.iter().map(|value| decimals(value)).max().unwrap_or(0);
        let wanted = width / CELLS;
        let power = wanted.log10().floor() as i32;
        let (digit, power) = match wanted / 10_f64.powi(power) {
            share if share < 2_f64.sqrt() => (1, power),
            share if share < 10_f64.sqrt() => (2, power),
            share if share < 50_f64.sqrt() => (5, power),
            _ => (1, power + 1),
        };
        // A cell of one value is that value, and of a cell of two both occur.
        let unit = -i32::try_from(decimals).ok()?;
        let narrow = width < 10.0 * 10_f64.powi(unit);
        let least = if narrow { (2, unit) } else { (5, unit) };
        let size = |(digit, power): (i128, i32)| digit as f64 * 10_f64.powi(power);
        let (digit, power) = if size((digit, power)) < size(least) { least } else { (digit, power) };
        (-12..=15).contains(&power).then_some(Grid::Numbers { digit, power, whole: decimals == 0 })
    }

    fn step(&self) -> f64 {
        match self {
            Grid::Numbers { digit, power, .. } => *digit as f64 * 10_f64.powi(*power),
            _ => 1.0,
        }
    }

    /// The cell that holds a value; `None` for what is no number or date.
    pub fn cell(&self, value: &str) -> Option<Cell> {
        match *self {
            Grid::Numbers { digit, power, whole } => {
                let at = position(value, ColumnKind::Number)?;
                let begin = |number: i128| scaled(number * digit, power, 0);
                let reaches = |number: i128| {
                    position(&begin(number), ColumnKind::Number).is_some_and(|from| from <= at)
                };
                let mut number = (at / self.step()).floor() as i128;
                // Division rounds: what is written decides.
                while !reaches(number) {
                    number -= 1;
                }
                while reaches(number + 1) {
                    number += 1;
                }
                let high = scaled((number + 1) * digit, power, i128::from(whole));
                Some(Cell { low: begin(number), high })
            }
            Grid::Days(days) => {
                let (year, month, day) = civil(value)?;
                let last = days_of(year, month);
                let from = ((day - 1) / days).min(30 / days - 1) * days + 1;
                let to = if from + 2 * days > 31 { last } else { from + days - 1 };
                Some(Cell { low: written(year, month, from), high: written(year, month, to.min(last)) })
            }
            Grid::Months(months) => {
                let (year, month, _) = civil(value)?;
                let from = (month - 1) / months * months + 1;
                let to = from + months - 1;
                Some(Cell { low: written(year, from, 1), high: written(year, to, days_of(year, to)) })
            }
            Grid::Years(years) => {
                let (year, ..) = civil(value)?;
                let from = year.div_euclid(years) * years;
                Some(Cell {
                    low: written(from.max(0), 1, 1),
                    high: written((from + years - 1).min(9_999), 12, 31),
                })
            }
        }
    }
}

impl Cell {
    /// The same without what lies outside a declared range, unless less than half of it would be left: a narrow cell is nearly a value.
    #[must_use]
    pub fn within(self, declared: &DeclaredRange, kind: ColumnKind) -> Cell {
        let at = |text: &str| position(text, kind);
        let ends = (declared.ends(kind), at(&self.low), at(&self.high));
        let (Some((from, to)), Some(low), Some(high)) = ends else { return self };
        if (high.min(to) - low.max(from)) * 2.0 < high - low {
            return self;
        }
        let cell = |inside: bool, own: String, end: &str| if inside { own } else { end.to_owned() };
        Cell {
            low: cell(low >= from, self.low, declared.low()),
            high: cell(high <= to, self.high, declared.high()),
        }
    }
}

/// Digits behind the point.
fn decimals(value: &str) -> u32 {
    let (digits, power) = value.split_once(['e', 'E']).unwrap_or((value, "0"));
    let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
    (behind - power.parse::<i32>().unwrap_or(0)).clamp(0, 100) as u32
}

/// `number * 10^power`, less so many units of a whole number.
fn scaled(number: i128, power: i32, less: i128) -> String {
    if power >= 0 {
        return (number * 10_i128.pow(power.unsigned_abs()) - less).to_string();
    }
    let unit = 10_i128.pow(power.unsigned_abs());
    let (sign, size) = if number < 0 { ("-", -number) } else { ("", number) };
    let behind = format!("{:0width$}", size % unit, width = power.unsigned_abs() as usize);
    match behind.trim_end_matches('0') {
        "" => format!("{sign}{}", size / unit),
        behind => format!("{sign}{}.{behind}", size / unit),
    }
}

/// Year, month and day of `YYYY-MM-DD`.
fn civil(text: &str) -> Option<(i32, u32, u32)> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let fits = year.len() == 4 && parts.next().is_none();
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    (fits && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some((year, month, day))
}

fn written(year: i32, month: u32, day: u32) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

fn days_of(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A tree of blocks over the values of a category, by code in the order of names: what is `common` lies in blocks, and everything else below the root.
/// Names begin with a letter of ours, so that a value is called as nothing else is.
pub fn blocks(values: &[String], common: &[bool]) -> Option<Hierarchy> {
    let listed: Vec<usize> = (0..values.len()).filter(|code| common[*code]).collect();
    let mut paths: Vec<Vec<String>> = values.iter().map(|value| vec![format!("v{value}")]).collect();
    let mut made = 0;
    halve(&listed, &mut made, true, &mut paths);
    paths.iter_mut().for_each(|path| path.push("*".to_owned()));
    Hierarchy::from_paths(paths.iter().map(|path| path.iter().map(String::as_str))).ok()
}

/// Puts the blocks of some values on their paths, the smallest first. All values together are no block of their own where that is the root.
fn halve(listed: &[usize], made: &mut usize, whole: bool, paths: &mut [Vec<String>]) {
    if listed.len() >= 2 * SMALLEST_BLOCK {
        let (left, right) = listed.split_at(listed.len() / 2);
        halve(left, made, false, paths);
        halve(right, made, false, paths);
    }
    if listed.len() >= SMALLEST_BLOCK && (!whole || listed.len() < paths.len()) {
        let name = format!("b{made}");
        *made += 1;
        listed.iter().for_each(|code| paths[*code].push(name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn cell(kind: ColumnKind, values: &[&str], of: &str) -> (String, String) {
        let cell = Grid::of(kind, &words(values), None).and_then(|grid| grid.cell(of)).expect("a cell");
        (cell.low, cell.high)
    }

    fn ends(low: &str, high: &str) -> (String, String) {
        (low.to_owned(), high.to_owned())
    }

    #[test]
    fn numbers_have_round_steps() {
        let number = ColumnKind::Number;
        assert_eq!(cell(number, &["17", "90"], "38"), ends("35", "39"));
        assert_eq!(cell(number, &["17", "90", ""], "17"), ends("15", "19"));
        assert_eq!(cell(number, &["-17", "90"], "-1"), ends("-5", "-1"));
        assert_eq!(cell(number, &["0", "1500000"], "1499999"), ends("1400000", "1499999"));
        assert_eq!(cell(number, &["1", "4"], "4"), ends("4", "5"), "a narrow column has steps of two");
        assert_eq!(cell(number, &["0.25", "9.5"], "0.25"), ends("0", "0.5"));
        assert_eq!(cell(number, &["0.1", "0.2", "0.9"], "0.3"), ends("0.2", "0.4"));
        assert_eq!(cell(number, &["1e3", "1e5"], "1e3"), ends("0", "4999"));
        assert_eq!(Grid::of(number, &words(&["5", ""]), None), None);
    }

    #[test]
    fn a_declared_range_decides_whatever_the_values_are() {
        let range: DeclaredRange = "18..98".parse().unwrap();
        let ends = |values: &[&str], of: &str| {
            let grid = Grid::of(ColumnKind::Number, &words(values), Some(&range)).unwrap();
            let cell = grid.cell(of).unwrap().within(&range, ColumnKind::Number);
            (cell.low, cell.high)
        };
        let text = |low: &str, high: &str| (low.to_owned(), high.to_owned());
        for values in [&["40", "41"][..], &["18", "98"], &["40"]] {
            assert_eq!(ends(values, "41"), text("40", "44"));
            assert_eq!(ends(values, "97"), text("95", "98"), "what was declared ends it");
            assert_eq!(ends(values, "18"), text("15", "19"), "two years would be nearly the age");
        }
    }

    #[test]
    fn a_cell_holds_its_value_whatever_the_rounding() {
        for tenth in -400..400_i32 {
            let text = (f64::from(tenth) / 10.0).to_string();
            let (low, high) = cell(ColumnKind::Number, &["-40.5", "40.7"], &text);
            let [low, at, high] = [low, text, high].map(|text| text.parse::<f64>().unwrap());
            assert!(low <= at && at <= high, "{low} {at} {high}");
        }
    }

    #[test]
    fn dates_have_spans_of_the_calendar() {
        let date = ColumnKind::Date;
        assert_eq!(cell(date, &["1930-05-01", "2010-03-04"], "1974-06-30"), ends("1970-01-01", "1974-12-31"));
        assert_eq!(cell(date, &["2019-01-01", "2020-12-31"], "2020-02-07"), ends("2020-02-01", "2020-02-29"));
        assert_eq!(cell(date, &["2020-01-01", "2020-03-30"], "2020-02-28"), ends("2020-02-26", "2020-02-29"));
        assert_eq!(cell(date, &["2020-01-01", "2020-08-30"], "2020-01-31"), ends("2020-01-21", "2020-01-31"));
    }

    #[test]
    fn blocks_have_three_values_and_never_a_rare_one() {
        let values: Vec<String> = ('a'..='h').map(String::from).collect();
        let mut common = vec![true; 8];
        common[1] = false;
        let tree = blocks(&values, &common).expect("a tree");
        let names = tree.tree();
        for node in (0..names.nodes() as u32).filter(|node| !names.is_leaf(*node) && *node != names.root()) {
            let leaves: Vec<&str> =
                names.leaves_under(node).into_iter().map(|leaf| names.name(leaf)).collect();
            assert!(leaves.len() >= 3 && !leaves.contains(&"vb"), "{leaves:?}");
        }
        assert_eq!(
            blocks(&values[..5], &[true; 5]).expect("a tree").height(),
            1,
            "five values have no block"
        );
        assert_eq!(blocks(&values[..6], &[true; 6]).expect("a tree").height(), 2);
    }
}
