//! Bars: how often values occur, and among how many people.

use rayon::prelude::*;
use serde::Serialize;
use throng_data::formats::TimeReader;
use utoipa::ToSchema;

use crate::workbench::working_table::{WorkingColumn, WorkingTable};

/// Bars of a histogram over numbers.
const BINS: usize = 30;
/// Values with a bar of their own.
const VALUES: usize = 30;
const _: () = assert!(BINS <= 32 && VALUES <= 32, "a bar is a bit of a 32-bit number");

/// How often values, or ranges of them, occur.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Histogram {
    /// The column, or what is counted.
    pub column: String,
    /// Everything counted, `other` included.
    pub total: u64,
    /// The bars, in order.
    pub bars: Vec<Bar>,
    /// How often values without a bar of their own occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<u64>,
    /// Whether ranges are seconds since 1970: an axis then has the ticks of a calendar.
    pub calendar: bool,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Bar {
    /// The value or range in words.
    pub label: String,
    /// Begin of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// End of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// How often.
    pub count: u64,
    /// Among how many people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<u64>,
}

/// The histogram of a column: ranges for many numbers, the most frequent values otherwise.
pub fn of_column(working_table: &WorkingTable, column: usize, subject: Option<usize>) -> Histogram {
    let cells = &working_table.columns[column];
    let counts = working_table.tally(column);
    let present: Vec<usize> = (0..counts.len()).filter(|code| counts[*code] > 0).collect();
    if let Some(histogram) = of_dates(cells, &counts, &present) {
        return histogram;
    }
    let name = |code: usize| cells.values.name(code as u32);
    let numbers: Vec<Option<f64>> = present
        .par_iter()
        .map(|code| name(*code).parse().ok().filter(|number: &f64| number.is_finite()))
        .collect();
    let given = present.iter().zip(&numbers).filter(|(code, _)| !name(**code).is_empty());
    let numeric = present.len() > VALUES && given.clone().all(|(_, number)| number.is_some());
    let mut place = vec![usize::MAX; counts.len()];
    let mut bars: Vec<Bar> = Vec::new();
    let mut other = 0;
    if numeric {
        let range = Range::of(numbers.iter().flatten().copied());
        bars = range.bars();
        for (code, number) in given {
            let Some(number) = number else { continue };
            place[*code] = range.place(*number);
            bars[place[*code]].count += counts[*code];
        }
        // Only the empty cell is left.
        for code in present.iter().filter(|code| name(**code).is_empty()) {
            other = counts[*code];
        }
    } else {
        let mut order = present.clone();
        let first = |a: &usize, b: &usize| counts[*b].cmp(&counts[*a]).then_with(|| name(*a).cmp(name(*b)));
        if order.len() > VALUES {
            // Only those with a bar of their own need an order.
            order.select_nth_unstable_by(VALUES, first);
            other = order.drain(VALUES..).map(|code| counts[code]).sum();
        }
        order.sort_by(first);
        for (rank, code) in order.into_iter().enumerate() {
            place[code] = rank;
            let label = name(code).to_owned();
            bars.push(Bar { label, from: None, to: None, count: counts[code], people: None });
        }
    }
    if let Some(subject) = subject {
        let people = people(working_table, column, subject, &place, bars.len());
        for (bar, people) in bars.iter_mut().zip(people) {
            bar.people = Some(people);
        }
    }
    let other = Some(other).filter(|other| *other > 0);
    Histogram { column: cells.name.clone(), total: working_table.len() as u64, bars, other, calendar: false }
}

/// The histogram of a column of many dates; `None` where some value is no date.
fn of_dates(cells: &WorkingColumn, counts: &[u64], present: &[usize]) -> Option<Histogram> {
    let given = || present.iter().filter(|code| !cells.values.name(**code as u32).is_empty());
    if present.len() <= VALUES {
        return None;
    }
    let first = cells.values.name(*given().next()? as u32);
    let reader = TimeReader::for_file(first, None).ok()?;
    if first.parse::<f64>().is_ok() {
        return None;
    }
    let read = |code: &usize| reader.read(cells.values.name(*code as u32)).ok();
    let times: Vec<i64> = given().map(read).collect::<Option<_>>()?;
    let range = Range::of(times.iter().map(|time| *time as f64));
    let mut bars = range.bars();
    for (code, time) in given().zip(&times) {
        bars[range.place(*time as f64)].count += counts[*code];
    }
    for bar in &mut bars {
        let from = jiff::Timestamp::from_second(bar.from.unwrap_or_default() as i64);
        bar.label = from.map_or_else(|_| bar.label.clone(), |from| from.to_string());
    }
    let missing: u64 = present.iter().map(|code| counts[*code]).sum::<u64>()
        - given().map(|code| counts[*code]).sum::<u64>();
    let other = Some(missing).filter(|missing| *missing > 0);
    let total = counts.iter().sum();
    Some(Histogram { column: cells.name.clone(), total, bars, other, calendar: true })
}

/// People behind each bar. There are at most 32 bars: one bit each says in which of them a person was seen.
fn people(
    working_table: &WorkingTable,
    column: usize,
    subject: usize,
    place: &[usize],
    bars: usize,
) -> Vec<u64> {
    let mut counts = vec![0; bars];
    let mut seen = vec![0_u32; working_table.columns[subject].values.len()];
    let (cells, people) = (&working_table.columns[column].codes, &working_table.columns[subject].codes);
    for row in working_table.rows() {
        let at = place[cells[row] as usize];
        let met = &mut seen[people[row] as usize];
        if at < bars && *met & (1 << at) == 0 {
            *met |= 1 << at;
            counts[at] += 1;
        }
    }
    counts
}

/// The histogram of times.
pub fn of_times(times: &[i64], calendar: bool, label: impl Fn(i64) -> String) -> Histogram {
    let range = Range::of(times.iter().map(|time| *time as f64));
    let mut bars = range.bars();
    for time in times {
        bars[range.place(*time as f64)].count += 1;
    }
    for bar in &mut bars {
        bar.label = label(bar.from.unwrap_or_default() as i64);
    }
    Histogram { column: "time".to_owned(), total: times.len() as u64, bars, other: None, calendar }
}

/// Equal ranges over numbers.
struct Range {
    from: f64,
    width: f64,
    bins: usize,
}

impl Range {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let (mut from, mut to, mut whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
        for number in numbers {
            (from, to) = (from.min(number), to.max(number));
            whole &= number.fract() == 0.0;
        }
        if from > to {
            return Range { from: 0.0, width: 1.0, bins: 1 };
        }
        let span = to - from;
        // Whole numbers get bars of whole width.
        if whole && span < 1e15 {
            let width = ((span + 1.0) / BINS as f64).ceil().max(1.0);
            return Range { from, width, bins: (((span + 1.0) / width).ceil() as usize).clamp(1, BINS) };
        }
        let width = if span > 0.0 { span / BINS as f64 } else { 1.0 };
        Range { from, width, bins: if span > 0.0 { BINS } else { 1 } }
    }

    fn place(&self, number: f64) -> usize {
        (((number - self.from) / self.width) as usize).min(self.bins - 1)
    }

    fn bars(&self) -> Vec<Bar> {
        let bar = |bin: usize| {
            let from = self.from + self.width * bin as f64;
            let to = from + self.width;
            let label = format!("{} to {}", short(from), short(to));
            Bar { label, from: Some(from), to: Some(to), count: 0, people: None }
        };
        (0..self.bins).map(bar).collect()
    }
}

fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::formats::Source;

    use super::*;
    use crate::workbench::working_table::read;

    #[test]
    fn bars_count_rows_and_people() {
        let text = "subject,item\nann,zoo\nann,zoo\nbob,zoo\nbob,pub\n";
        let (working_table, _) = read(&Source::memory("a.csv", text.as_bytes()), None, &Progress::silent());
        let histogram = of_column(&working_table, 1, Some(0));
        let bars: Vec<_> =
            histogram.bars.iter().map(|bar| (bar.label.as_str(), bar.count, bar.people)).collect();
        assert_eq!(bars, [("zoo", 3, Some(2)), ("pub", 1, Some(1))]);
        assert_eq!((histogram.total, histogram.other), (4, None));
    }

    #[test]
    fn many_dates_share_bars_of_a_calendar() {
        let rows: String = (1..=28)
            .flat_map(|day| (1..=2).map(move |month| (month, day)))
            .map(|(month, day)| format!("p,2024-{month:02}-{day:02}\n"))
            .collect();
        let text = format!("subject,day\n{rows}p,\n");
        let (working_table, _) = read(&Source::memory("a.csv", text.into_bytes()), None, &Progress::silent());
        let histogram = of_column(&working_table, 1, None);
        assert!(histogram.calendar);
        assert_eq!(histogram.bars.iter().map(|bar| bar.count).sum::<u64>(), 56);
        assert_eq!((histogram.total, histogram.other), (57, Some(1)));
        assert!(histogram.bars[0].label.starts_with("2024-01-01"));
    }

    #[test]
    fn many_numbers_share_bars_that_cover_all_of_them() {
        let rows: String = (0..1000).map(|n| format!("p,{n}\n")).collect();
        let text = format!("subject,age\n{rows}p,\n");
        let (working_table, _) = read(&Source::memory("a.csv", text.into_bytes()), None, &Progress::silent());
        let histogram = of_column(&working_table, 1, None);
        assert_eq!(histogram.bars.iter().map(|bar| bar.count).sum::<u64>(), 1000);
        assert_eq!(histogram.other, Some(1));
        assert_eq!(histogram.bars[0].from, Some(0.0));
    }
}
