//! Days, months, quarters and years.
//!
//! All days of the years that the data touch are listed, so that the file does not say which of them occur.

use jiff::civil::Date;
use throng_data::{ColumnKind, position};

use super::{GenerateError, Generated, Plan, ROOT, Values};

/// Two thousand years: more than the dates of any data span.
const MAX_DAYS: i64 = 730_500;

const EPOCH: Date = Date::constant(1970, 1, 1);

/// The day so many days after 1970-01-01.
pub(super) fn day(days: i64) -> Option<Date> {
    EPOCH.checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

pub(super) fn generate(plan: &Plan, values: &Values<'_>) -> Result<Generated, GenerateError> {
    if values.kind != ColumnKind::Date {
        return Err(GenerateError::NoDates);
    }
    let days = |text: &str| position(text, ColumnKind::Date).map(|days| days as i64);
    let given: Vec<i64> = values.names.iter().filter_map(|name| days(name)).collect();
    let (first, last) = (given.iter().min().copied(), given.iter().max().copied());
    let (Some(first), Some(last)) = (first.and_then(day), last.and_then(day)) else {
        return Err(GenerateError::Empty);
    };
    let end = |end: &Option<String>, year: i16, month: i8, day: i8| match end {
        None => Ok(Date::constant(year, month, day)),
        Some(text) => {
            let wanted = "a date such as 2024-02-29";
            text.parse().map_err(|_| GenerateError::End { end: text.clone(), wanted })
        }
    };
    let (from, to) = (end(&plan.from, first.year(), 1, 1)?, end(&plan.to, last.year(), 12, 31)?);
    let named = || (from.to_string(), to.to_string());
    if from > to {
        let (from, to) = named();
        return Err(GenerateError::EmptyRange { from, to });
    }
    let outside = given.iter().filter_map(|days| day(*days)).filter(|day| *day < from || *day > to).count();
    if outside > 0 {
        let (from, to) = named();
        return Err(GenerateError::Outside { values: outside, from, to });
    }
    let length = i64::from((to - from).get_days()) + 1;
    if length > MAX_DAYS {
        return Err(GenerateError::TooLong { days: length, most: MAX_DAYS });
    }
    let paths = from.series(jiff::Span::new().days(1)).take(length as usize).map(path).collect();
    let open = plan.from.is_none() || plan.to.is_none();
    Ok(Generated {
        paths,
        from_data: (open && !values.listed).then_some("the first and the last year of the data"),
    })
}

fn path(day: Date) -> Vec<String> {
    let (year, month) = (day.year(), day.month());
    let quarter = (month - 1) / 3 + 1;
    vec![
        day.to_string(),
        format!("{year:04}-{month:02}"),
        format!("{year:04}-Q{quarter}"),
        format!("{year:04}"),
        ROOT.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::Rule;
    use super::*;

    fn generated(plan: &Plan, names: &[&str]) -> Result<Generated, GenerateError> {
        let names = names.to_vec();
        let people = vec![1; names.len()];
        plan.generate(&Values {
            names,
            people,
            kind: ColumnKind::Date,
            places: None,
            categories: None,
            listed: false,
        })
    }

    #[test]
    fn whole_years_are_listed_day_by_day() {
        let made = generated(&Plan::new(Rule::Calendar), &["2024-02-29", "", "2025-01-01"]).unwrap();
        assert_eq!(made.paths.len(), 366 + 365);
        assert_eq!(made.paths[59].join(";"), "2024-02-29;2024-02;2024-Q1;2024;*");
        assert_eq!(made.paths[730].join(";"), "2025-12-31;2025-12;2025-Q4;2025;*");
        assert_eq!((made.height(), made.from_data), (4, Some("the first and the last year of the data")));
    }

    #[test]
    fn a_public_range_takes_nothing_from_the_data() {
        let ends = |from: &str, to: &str| Plan {
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
            ..Plan::new(Rule::Calendar)
        };
        let made = generated(&ends("2024-12-30", "2025-01-02"), &["2025-01-01"]).unwrap();
        assert_eq!((made.paths.len(), made.from_data), (4, None));
        let refused = generated(&ends("2024-12-30", "2025-01-02"), &["2025-01-03"]).unwrap_err();
        assert!(matches!(refused, GenerateError::Outside { values: 1, .. }));
        let endless = generated(&ends("0001-01-01", "9999-12-31"), &["2025-01-03"]).unwrap_err();
        assert!(matches!(endless, GenerateError::TooLong { .. }));
    }
}
