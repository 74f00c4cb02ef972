//! Relational attributes of subjects, each with a role.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::Dictionary;

/// What may happen to a column. A column without a role is not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person: never published.
    Identifying,
    /// An attacker may know it.
    QuasiIdentifying,
    /// An attacker must not learn it.
    Sensitive,
    /// Not worth learning; known to attackers as soon as it is published.
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

    /// Whether attackers are taken to know a published column of this role. The one definition for promises, verdicts, risks and
    /// attacks: everything that is published is known, but for what the promise is there to hide.
    pub const fn is_known(self) -> bool {
        !matches!(self, Role::Sensitive)
    }

    /// The role of that name.
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Words and codes without an order.
    Category,
    /// Numbers.
    Number,
    /// Days.
    Date,
}

impl ColumnKind {
    /// All kinds.
    pub const ALL: [ColumnKind; 3] = [ColumnKind::Category, ColumnKind::Number, ColumnKind::Date];

    /// The word users type.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnKind::Category => "category",
            ColumnKind::Number => "number",
            ColumnKind::Date => "date",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<ColumnKind> {
        ColumnKind::ALL.into_iter().find(|kind| kind.name() == name)
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
    /// What its values are.
    pub fn kind(&self) -> ColumnKind {
        match self.values {
            ColumnValues::Categories { .. } => ColumnKind::Category,
            ColumnValues::Numbers(_) => ColumnKind::Number,
            ColumnValues::Dates(_) => ColumnKind::Date,
        }
    }

    /// The value of a subject as text; empty when missing.
    pub fn text(&self, subject: usize) -> String {
        match &self.values {
            ColumnValues::Categories { values, codes } => values.name(codes[subject]).to_owned(),
            ColumnValues::Numbers(numbers) if numbers[subject].is_nan() => String::new(),
            ColumnValues::Numbers(numbers) => numbers[subject].to_string(),
            ColumnValues::Dates(dates) => dates[subject].map_or_else(String::new, civil_date),
        }
    }

    /// Number of subjects.
    pub fn len(&self) -> usize {
        match &self.values {
            ColumnValues::Categories { codes, .. } => codes.len(),
            ColumnValues::Numbers(numbers) => numbers.len(),
            ColumnValues::Dates(dates) => dates.len(),
        }
    }

    /// Whether there are no subjects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a subject's value is missing.
    pub fn is_missing(&self, subject: usize) -> bool {
        match &self.values {
            ColumnValues::Categories { values, codes } => values.name(codes[subject]).is_empty(),
            ColumnValues::Numbers(numbers) => numbers[subject].is_nan(),
            ColumnValues::Dates(dates) => dates[subject].is_none(),
        }
    }
}

/// Days since 1970-01-01 as `YYYY-MM-DD`.
pub(crate) fn civil_date(days: i32) -> String {
    let date = EPOCH.checked_add(jiff::Span::new().days(i64::from(days)));
    date.map_or_else(|_| String::new(), |date| date.to_string())
}

/// Days since 1970 of a date `YYYY-MM-DD`.
pub(crate) fn days(text: &str) -> Option<i32> {
    if text.len() != 10 {
        return None;
    }
    let date: Date = text.parse().ok()?;
    i32::try_from(date.duration_since(EPOCH).as_hours() / 24).ok()
}

const EPOCH: Date = Date::constant(1970, 1, 1);

/// Digits that a number always keeps.
const KEPT_DIGITS: usize = 15;

/// A number that keeps its value. Codes such as `007` are none.
pub(crate) fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    let significant = mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count();
    let value: f64 = text.parse().ok()?;
    // Too small a number becomes zero.
    let vanished = value == 0.0 && significant > 0;
    (value.is_finite() && !code && significant <= KEPT_DIGITS && !vanished).then_some(value)
}

/// Where a value lies among those of its column: the number itself, or the days since 1970. `None` for categories and
/// for what is missing.
pub fn position(text: &str, kind: ColumnKind) -> Option<f64> {
    match kind {
        ColumnKind::Category => None,
        ColumnKind::Number => number(text),
        ColumnKind::Date => days(text).map(f64::from),
    }
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

    #[test]
    fn only_what_keeps_its_value_is_read_as_a_number() {
        for text in ["0", "-1.5", "12", "0.25", "1e5", "123456789012345", "0.0000000000000000000001"] {
            assert!(number(text).is_some(), "{text}");
        }
        // 2^53 + 1 would be published as 2^53: another person's number.
        for text in
            ["007", "9007199254740993", "1.0000000000000001", "1e-400", "1e400", "NaN", "inf", "1,5", ""]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
