//! Relational attributes of subjects, each with a role.

use serde::Serialize;

use crate::Dictionary;

/// What may happen to a column. A column without a role is not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person: never published.
    Identifying,
    /// An attacker may know it.
    QuasiIdentifying,
    /// An attacker must not learn it.
    Sensitive,
    /// Neither known nor worth learning.
    Insensitive,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 4] =
        [Role::Identifying, Role::QuasiIdentifying, Role::Sensitive, Role::Insensitive];

    /// The word users type.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Identifying => "identifying",
            Role::QuasiIdentifying => "quasi-identifying",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "insensitive",
        }
    }

    /// The role of that name.
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// The values of a column, one for each subject.
#[derive(Debug, Clone)]
pub enum ColumnValues {
    /// Dictionary-coded text; the empty text means missing.
    Categories {
        /// The distinct values.
        values: Dictionary,
        /// One code for each subject.
        codes: Vec<u32>,
    },
    /// Numbers; `NaN` means missing.
    Numbers(Vec<f64>),
    /// Days since 1970-01-01; `None` means missing.
    Dates(Vec<Option<i32>>),
}

/// One relational attribute.
#[derive(Debug, Clone)]
pub struct Column {
    /// Header name.
    pub name: String,
    /// Role, if the publisher gave one.
    pub role: Option<Role>,
    /// One value for each subject.
    pub values: ColumnValues,
}

/// The relational attributes of all subjects of a dataset, row `s` for subject `s`.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Columns, in file order.
    pub columns: Vec<Column>,
}

impl Table {
    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The same attributes for other subjects: row `s` is the present row `rows[s]`.
    #[must_use]
    pub fn pick(&self, rows: &[u32]) -> Table {
        fn picked<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
            rows.iter().map(|row| values[*row as usize]).collect()
        }
        let pick = |column: &Column| Column {
            name: column.name.clone(),
            role: column.role,
            values: match &column.values {
                ColumnValues::Categories { values, codes } => {
                    ColumnValues::Categories { values: values.clone(), codes: picked(codes, rows) }
                }
                ColumnValues::Numbers(numbers) => ColumnValues::Numbers(picked(numbers, rows)),
                ColumnValues::Dates(dates) => ColumnValues::Dates(picked(dates, rows)),
            },
        };
        Table { columns: self.columns.iter().map(pick).collect() }
    }
}

impl Column {
    /// The value of a subject as text; empty when missing.
    pub fn text(&self, subject: usize) -> String {
        match &self.values {
            ColumnValues::Categories { values, codes } => values.name(codes[subject]).to_owned(),
            ColumnValues::Numbers(numbers) if numbers[subject].is_nan() => String::new(),
            ColumnValues::Numbers(numbers) => numbers[subject].to_string(),
            ColumnValues::Dates(dates) => dates[subject].map_or_else(String::new, civil_date),
        }
    }
}

/// Days since 1970-01-01 as `YYYY-MM-DD` in the proleptic Gregorian calendar.
fn civil_date(days: i32) -> String {
    // Years are counted from 1 March, so that the leap day is the last day of a year.
    let days = i64::from(days) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_print_as_iso_8601() {
        let days = [(0, "1970-01-01"), (-1, "1969-12-31"), (19_782, "2024-02-29"), (11_016, "2000-02-29")];
        for (day, text) in days {
            assert_eq!(civil_date(day), text);
        }
    }
}
