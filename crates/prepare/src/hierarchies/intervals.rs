//! Numbers and dates cut into intervals `[lo,hi]`, and intervals grouped from level to level.
//!
//! Both ends belong to an interval, so the next one begins one *step* later: a day for dates, for numbers the last digit
//! that any of them is written with. No value of the data falls between two intervals.

use throng_data::{ColumnKind, position};

use super::{GenerateError, Generated, Plan, ROOT, Rule, Values, within};

/// Steps from one end to the other that are still exact in a double.
const MAX_STEPS: f64 = 9_007_199_254_740_992.0;

/// Positions as whole numbers of steps.
struct Scale {
    kind: ColumnKind,
    decimals: usize,
}

impl Scale {
    fn of<'a>(kind: ColumnKind, texts: impl Iterator<Item = &'a str>) -> Self {
        // `1.50` is the number 1.5.
        let decimals = |text: &str| {
            let number = position(text, kind).unwrap_or(0.0).to_string();
            number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
        };
        let decimals = if kind == ColumnKind::Number { texts.map(decimals).max().unwrap_or(0) } else { 0 };
        Scale { kind, decimals }
    }

    fn steps(&self, text: &str) -> Result<i64, GenerateError> {
        let wanted = if self.kind == ColumnKind::Date { "a date such as 2024-02-29" } else { "a number" };
        let at =
            position(text, self.kind).ok_or_else(|| GenerateError::End { end: text.to_owned(), wanted })?;
        let steps = (at * 10_f64.powi(self.decimals as i32)).round();
        if steps.abs() < MAX_STEPS { Ok(steps as i64) } else { Err(GenerateError::TooFine) }
    }

    fn text(&self, steps: i64) -> String {
        match self.kind {
            ColumnKind::Date => super::calendar::day(steps).map_or_else(String::new, |date| date.to_string()),
            _ => (steps as f64 / 10_f64.powi(self.decimals as i32)).to_string(),
        }
    }

    fn interval(&self, (low, high): (i64, i64)) -> String {
        format!("[{},{}]", self.text(low), self.text(high))
    }
}

pub(super) fn generate(plan: &Plan, values: &Values<'_>) -> Result<Generated, GenerateError> {
    if values.kind == ColumnKind::Category {
        return Err(GenerateError::NoOrder);
    }
    let given = || values.names.iter().copied().filter(|name| !name.is_empty());
    let ends = plan.from.iter().chain(&plan.to).map(String::as_str);
    let scale = Scale::of(values.kind, given().chain(ends));
    let mut counted: Vec<(i64, u64)> = Vec::with_capacity(values.names.len());
    for (name, people) in values.names.iter().zip(&values.people).filter(|(name, _)| !name.is_empty()) {
        counted.push((scale.steps(name)?, *people));
    }
    counted.sort_unstable();
    let (Some(first), Some(last)) = (counted.first(), counted.last()) else {
        return Err(GenerateError::Empty);
    };
    let end = |end: &Option<String>, data: i64| end.as_ref().map_or(Ok(data), |text| scale.steps(text));
    let (low, high) = (end(&plan.from, first.0)?, end(&plan.to, last.0)?);
    let (from, to) = (scale.text(low), scale.text(high));
    if low > high {
        return Err(GenerateError::EmptyRange { from, to });
    }
    let outside = counted.iter().filter(|(at, _)| *at < low || *at > high).count();
    if outside > 0 {
        return Err(GenerateError::Outside { values: outside, from, to });
    }
    let bins = usize::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(usize::MAX).min(plan.bins);
    within(bins, bins.max(1).ilog(plan.fan_out) as usize + 3, from.len() + to.len())?;
    let starts = match plan.rule {
        Rule::Depth => starts_by_people(&counted, low, plan.bins),
        _ => starts_by_width(low, high, plan.bins),
    };
    let ends = starts[1..].iter().map(|start| start - 1).chain([high]);
    let lowest: Vec<(i64, i64)> = starts.iter().copied().zip(ends).collect();
    Ok(Generated { paths: paths(&lowest, plan.fan_out, &scale), from_data: from_data(plan, values) })
}

fn from_data(plan: &Plan, values: &Values<'_>) -> Option<&'static str> {
    if values.listed {
        return None;
    }
    match (plan.rule, plan.from.is_some() && plan.to.is_some()) {
        (Rule::Depth, _) => Some("how many people have which values"),
        (_, false) => Some("the lowest and the highest value of the data"),
        (_, true) => None,
    }
}

/// Where intervals of equal width begin, up to one step apart.
fn starts_by_width(low: i64, high: i64, bins: usize) -> Vec<i64> {
    // In 128 bits, a range of 2^54 steps times as many bins cannot overflow.
    let steps = i128::from(high) - i128::from(low) + 1;
    let bins = steps.min(bins as i128);
    (0..bins).map(|bin| low + (steps * bin / bins) as i64).collect()
}

/// Where intervals of about as many people begin. A value that many share may fill several of them, which become one.
fn starts_by_people(counted: &[(i64, u64)], low: i64, bins: usize) -> Vec<i64> {
    let mut left: u64 = counted.iter().map(|(_, people)| people).sum();
    let mut starts = vec![low];
    let mut inside = 0;
    for (nth, (at, people)) in counted.iter().enumerate() {
        // The interval is full when what it holds is nearer to its share than with one value more.
        let open = (bins + 1 - starts.len().min(bins)) as u64;
        let full = inside > 0 && starts.len() < bins && (2 * inside + people) * open >= 2 * left;
        if nth > 0 && full && *at > counted[nth - 1].0 {
            starts.push(*at);
            left -= inside;
            inside = 0;
        }
        inside += people;
    }
    starts
}

/// A line for each of the lowest intervals; `fan_out` of them become one on the next level, until one level up only the root
/// is left.
fn paths(lowest: &[(i64, i64)], fan_out: usize, scale: &Scale) -> Vec<Vec<String>> {
    let mut paths: Vec<Vec<String>> = lowest.iter().map(|interval| vec![scale.interval(*interval)]).collect();
    let mut width = fan_out;
    while width < lowest.len() {
        for (at, path) in paths.iter_mut().enumerate() {
            let start = at / width * width;
            let end = lowest.len().min(start + width) - 1;
            path.push(scale.interval((lowest[start].0, lowest[end].1)));
        }
        width = width.saturating_mul(fan_out);
    }
    paths.iter_mut().for_each(|path| path.push(ROOT.to_owned()));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(plan: &Plan, kind: ColumnKind, counted: &[(&str, u64)]) -> Result<String, GenerateError> {
        let (names, people) = counted.iter().copied().unzip();
        let values = Values { names, people, kind, places: None, categories: None, listed: false };
        plan.generate(&values).map(|generated| generated.render())
    }

    fn ends(mut plan: Plan, from: &str, to: &str) -> Plan {
        (plan.from, plan.to) = (Some(from.to_owned()), Some(to.to_owned()));
        plan
    }

    #[test]
    fn whole_numbers_are_cut_between_them() {
        let plan = ends(Plan { bins: 4, ..Plan::new(Rule::Width) }, "0", "99");
        let text = lines(&plan, ColumnKind::Number, &[("7", 1), ("80", 1), ("", 9)]).unwrap();
        assert_eq!(text, "[0,24];[0,49];*\n[25,49];[0,49];*\n[50,74];[50,99];*\n[75,99];[50,99];*\n");
    }

    #[test]
    fn the_last_digit_in_use_is_the_step() {
        let plan = Plan { bins: 2, ..Plan::new(Rule::Width) };
        let text = lines(&plan, ColumnKind::Number, &[("-0.5", 1), ("1.50", 1), ("0", 1)]).unwrap();
        assert_eq!(
            text,
            "# cut from the data: publishing it gives away the lowest and the highest value of the data\n[-0.5,0.4];*\n[0.5,1.5];*\n"
        );
    }

    #[test]
    fn an_odd_interval_is_carried_up_alone() {
        let plan = ends(Plan { bins: 3, ..Plan::new(Rule::Width) }, "1", "3");
        let text = lines(&plan, ColumnKind::Number, &[("1", 1)]).unwrap();
        assert_eq!(text, "[1,1];[1,2];*\n[2,2];[1,2];*\n[3,3];[3,3];*\n");
    }

    #[test]
    fn intervals_of_as_many_people_leave_no_gap() {
        let plan = Plan { bins: 3, fan_out: 3, ..Plan::new(Rule::Depth) };
        let counted = [("1", 10), ("2", 1), ("3", 1), ("4", 9), ("9", 5), ("20", 4)];
        let text = lines(&plan, ColumnKind::Number, &counted).unwrap();
        assert_eq!(
            text,
            "# cut from the data: publishing it gives away how many people have which values\n[1,1];*\n[2,8];*\n[9,20];*\n"
        );
    }

    #[test]
    fn dates_are_cut_between_days() {
        let plan = ends(Plan { bins: 2, ..Plan::new(Rule::Width) }, "2024-01-01", "2024-12-31");
        let text = lines(&plan, ColumnKind::Date, &[("2024-02-29", 1)]).unwrap();
        assert_eq!(text, "[2024-01-01,2024-07-01];*\n[2024-07-02,2024-12-31];*\n");
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let refused = |from: &str, to: &str, value: &str| {
            lines(&ends(Plan::new(Rule::Width), from, to), ColumnKind::Number, &[(value, 1)]).unwrap_err()
        };
        assert_eq!(refused("9", "1", "5").to_string(), "the range from 9 to 1 is empty");
        assert_eq!(
            refused("1", "9", "10").to_string(),
            "1 value of the data lies outside the range from 1 to 9"
        );
        assert_eq!(refused("few", "9", "5").to_string(), "`few` is not a number");
        assert_eq!(refused("0", "1e300", "0.001"), GenerateError::TooFine);
    }
}
