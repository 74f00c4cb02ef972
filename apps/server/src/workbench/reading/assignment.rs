//! Which column plays which role.

use throng_data::formats::{Format, ReadOptions};
use throng_data::recognize::Question;

use super::found::{Belonging, EVENT_ROLES, FoundColumns, found};
use super::guesses::{guess_attribute, looks_like_people, repeats, separator_of, set_column};
use super::{ColumnRole, DataForm, Reading};
use crate::workbench::working_table::WorkingTable;

/// Which column plays which role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// Column of the person, the record, the item and the time.
    columns: [Option<usize>; 4],
    /// The column with all items of a record.
    wide: Option<usize>,
    /// What each column was guessed to be.
    pub guessed: Vec<ColumnRole>,
    /// What the user said each column is.
    pub said: Vec<Option<ColumnRole>>,
    /// Whether the reader, told these columns, would guess no further one.
    pub plain: bool,
    /// What a row is.
    pub form: DataForm,
    /// Why each column was guessed to be what it is.
    pub reasons: Vec<String>,
    /// What has to be answered before the data can be relied on.
    pub question: Option<Question>,
    /// Columns of the events that could be taken as attributes of people or places of items.
    pub belonging: Belonging,
    /// What separates the items of a cell, where it was guessed.
    separator: Option<char>,
}

impl Assignment {
    /// Guesses, then follows the user.
    pub fn of(working_table: &WorkingTable, reading: &Reading) -> Self {
        let names: Vec<String> = working_table.columns.iter().map(|column| column.name.clone()).collect();
        let count = names.len();
        let looked_at = |options: &ReadOptions| found(working_table, &names, options);
        let FoundColumns { columns: guesses, mut reasons, question: first, .. } =
            looked_at(&ReadOptions::default());
        reasons.resize(count, String::new());
        let wide = reading.wide.filter(|column| *column < count);
        let mut columns = [None; 4];
        for (place, (role, _)) in EVENT_ROLES.iter().enumerate() {
            let given = reading.roles.iter().find(|(column, given)| *given == role && **column < count);
            let guess = guesses[place].filter(|column| !reading.roles.contains_key(column));
            columns[place] =
                given.map(|(column, _)| *column).or(guess).filter(|column| Some(*column) != wide);
        }
        let form = reading.form.unwrap_or_else(|| {
            let written = wide.is_some() || working_table.delimiter.is_none();
            let people = !written && looks_like_people(working_table, columns[0]);
            // Beside who it is and what they have there is something else.
            let more = count > 1 + usize::from(columns[0].is_some());
            match set_column(working_table).filter(|_| people && more && columns[3].is_none()) {
                Some((column, _)) if columns[2].is_none_or(|item| item == column) => DataForm::Mixed,
                _ if people && columns[2].is_none() => DataForm::Table,
                _ => DataForm::Sequences,
            }
        });
        if matches!(form, DataForm::Mixed | DataForm::Table) {
            let mut of = match form {
                DataForm::Mixed => Assignment::of_mixed(working_table, reading, columns[0]),
                _ => Assignment::of_table(working_table, reading, columns[0]),
            };
            // Why a column identifies people says more than that it is no event's.
            for (own, found) in of.reasons.iter_mut().zip(reasons).filter(|(own, _)| own.is_empty()) {
                *own = found;
            }
            return of;
        }
        // What a reader would find that is told these columns, and that there is no other time.
        let name = |column: Option<usize>| column.map(|column| names[column].clone());
        let again = looked_at(&ReadOptions {
            subject: name(columns[0]),
            record: name(columns[1]),
            item: name(columns[2]),
            time: name(columns[3]),
            no_time: columns[3].is_none() && (guesses[3].is_some() || refused(reading)),
            ..ReadOptions::default()
        });
        let plain = again.question.is_none() && again.columns == columns;
        let mut guessed = vec![ColumnRole::None; count];
        let said = (0..count).map(|column| reading.roles.get(&column).copied()).collect();
        for (place, (role, _)) in EVENT_ROLES.iter().enumerate() {
            if let Some(column) = guesses[place] {
                guessed[column] = *role;
            }
        }
        // A user who says that one column holds all items has answered.
        let unanswered = |question: &Question| {
            let said = |role: ColumnRole| reading.roles.values().any(|given| *given == role);
            match question.about {
                "subject" => !said(ColumnRole::Subject),
                "record" => !said(ColumnRole::Record),
                "time" => !said(ColumnRole::Time) && !refused(reading),
                _ => !said(ColumnRole::Item),
            }
        };
        // A guess is no answer: what made the first look doubt stands until the user says so.
        let question = again.question.or(first.filter(unanswered)).filter(|_| wide.is_none());
        let belonging = again.belonging;
        Assignment {
            columns,
            wide,
            guessed,
            said,
            plain,
            form,
            reasons,
            question,
            belonging,
            separator: None,
        }
    }

    /// Columns of a table: one names the person, the others are attributes.
    fn of_table(working_table: &WorkingTable, reading: &Reading, person: Option<usize>) -> Self {
        let said: Vec<Option<ColumnRole>> =
            (0..working_table.columns.len()).map(|column| reading.roles.get(&column).copied()).collect();
        let person = person.filter(|column| !repeats(working_table, *column));
        let guess = |column: usize| match person {
            Some(person) if person == column => (ColumnRole::Subject, String::new()),
            _ => guess_attribute(working_table, column),
        };
        let (guessed, reasons) = (0..said.len()).map(guess).unzip();
        Assignment {
            columns: [person, None, None, None],
            wide: None,
            guessed,
            said,
            plain: true,
            form: DataForm::Table,
            reasons,
            question: None,
            belonging: Belonging::default(),
            separator: None,
        }
    }

    /// Columns of a table with sets: one holds all items of a person, the others are as in a table.
    fn of_mixed(working_table: &WorkingTable, reading: &Reading, person: Option<usize>) -> Self {
        let table = Assignment::of_table(working_table, reading, person);
        let found = set_column(working_table);
        let told = |(column, role): (usize, &Option<ColumnRole>)| {
            (*role == Some(ColumnRole::Item)).then_some(column)
        };
        let guess = found.map(|(column, _)| column).filter(|column| table.said[*column].is_none());
        let said = reading.wide.filter(|column| *column < table.said.len());
        let wide = table.said.iter().enumerate().find_map(told).or(said).or(guess);
        let mut guessed = table.guessed;
        let mut reasons = table.reasons;
        if let Some((column, _)) = found {
            guessed[column] = ColumnRole::Item;
            reasons[column].clear();
        }
        let separator = wide.and_then(|column| separator_of(working_table, column));
        // A person may have several rows, if the user said which column names people.
        let person =
            person.filter(|column| table.said[*column] == Some(ColumnRole::Subject)).or(table.columns[0]);
        Assignment {
            columns: [person, None, None, None],
            wide,
            guessed,
            form: DataForm::Mixed,
            separator,
            reasons,
            said: table.said,
            ..Assignment::default()
        }
    }

    /// Whether a row is a person.
    pub fn is_table(&self) -> bool {
        self.form == DataForm::Table
    }

    /// Whether a row is a person with their items.
    pub fn is_mixed(&self) -> bool {
        self.form == DataForm::Mixed
    }

    /// The columns of the events' own file that are attributes of people.
    pub fn attributes(&self) -> Vec<usize> {
        let attribute = |column: &usize| self.is_mixed() && self.role(*column).of_attribute().is_some();
        (0..self.said.len()).filter(attribute).filter(|column| Some(*column) != self.wide).collect()
    }

    /// The role in force: what the user said, otherwise the guess.
    pub fn role(&self, column: usize) -> ColumnRole {
        self.said[column].unwrap_or(self.guessed[column])
    }

    /// Column of the person.
    pub fn subject(&self) -> Option<usize> {
        self.columns[0]
    }

    /// Column of the record.
    pub fn record(&self) -> Option<usize> {
        self.columns[1]
    }

    /// Column of the item; in the wide form, of all items of a record.
    pub fn item(&self) -> Option<usize> {
        self.wide.or(self.columns[2])
    }

    /// Column of the time.
    pub fn time(&self) -> Option<usize> {
        self.columns[3]
    }

    /// Whether one column holds all items of a record.
    pub fn is_wide(&self) -> bool {
        self.wide.is_some()
    }

    /// The columns that a reader needs, in file order.
    pub fn used(&self) -> Vec<usize> {
        let mut used: Vec<usize> = match self.wide {
            // Whatever has no role plays no part.
            None if self.is_table() => {
                let played = |column: &usize| self.role(*column) != ColumnRole::None;
                (0..self.said.len()).filter(played).collect()
            }
            Some(wide) if self.is_mixed() => {
                self.subject().into_iter().chain([wide]).chain(self.attributes()).collect()
            }
            Some(wide) => self.subject().into_iter().chain([wide]).collect(),
            None => self.columns.iter().flatten().copied().collect(),
        };
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The same for a reader of a file with these columns.
    pub fn options(&self, working_table: &WorkingTable, reading: &Reading) -> ReadOptions {
        let name = |column: Option<usize>| column.map(|column| working_table.columns[column].name.clone());
        if self.is_table() {
            let used = self.used();
            let said = reading.kinds.iter().filter(|(column, _)| used.contains(column));
            return ReadOptions {
                format: Some(Format::Table),
                subject: Some(name(self.subject()).unwrap_or_else(|| NO_SUBJECT.to_owned())),
                types: said.filter_map(|(column, kind)| Some((name(Some(*column))?, *kind))).collect(),
                ..reading.written()
            };
        }
        let long = |column: Option<usize>| if self.wide.is_some() { None } else { name(column) };
        ReadOptions {
            format: None,
            subject: name(self.subject()),
            record: long(self.record()),
            item: long(self.columns[2]),
            time: long(self.time()),
            wide: name(self.wide),
            separator: reading.separator.or(self.separator).filter(|_| self.wide.is_some()),
            attributes: self.attributes().into_iter().filter_map(|column| name(Some(column))).collect(),
            time_format: reading.time_format.clone(),
            sets: matches!(self.form, DataForm::Sets | DataForm::Mixed),
            // A reader would take the time that was found for one, unless it is told that it is none.
            no_time: self.wide.is_none()
                && self.time().is_none()
                && (self.guessed.contains(&ColumnRole::Time) || refused(reading)),
            ..reading.written()
        }
    }
}

/// Whether the user said of a column that it is nothing.
fn refused(reading: &Reading) -> bool {
    reading.roles.values().any(|role| *role == ColumnRole::None)
}

/// How a reader is told that no column of a table names people.
const NO_SUBJECT: &str = "-";
