//! What each column of the data is: guessed as the command line guesses, confirmed or mended by the user.
//!
//! Default-deny: a column that is neither guessed nor given a role plays none and is not published.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use throng_data::formats::{Encoding, Format, ReadOptions};
use throng_data::recognize::{FoundRole, Question, recognize_columns};
use throng_data::{ColumnKind, Role};
use utoipa::ToSchema;

use crate::data_summary::kind_of;
use crate::working_table::{WorkingColumn, WorkingTable};

/// What a column of the data is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnRole {
    /// The person.
    Subject,
    /// The trip, visit or basket.
    Record,
    /// What was visited or bought.
    Item,
    /// When.
    Time,
    /// Names a person: never published.
    Identifying,
    /// An attacker may know it.
    QuasiIdentifying,
    /// An attacker must not learn it.
    Sensitive,
    /// Neither known nor worth learning.
    Insensitive,
    /// Nothing: the column is withheld.
    #[default]
    None,
}

impl From<Role> for ColumnRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Identifying => ColumnRole::Identifying,
            Role::QuasiIdentifying => ColumnRole::QuasiIdentifying,
            Role::Sensitive => ColumnRole::Sensitive,
            Role::Insensitive => ColumnRole::Insensitive,
        }
    }
}

impl ColumnRole {
    /// The same for an attribute of people; `None` for roles of events, and for none.
    pub fn of_attribute(self) -> Option<Role> {
        match self {
            ColumnRole::Identifying => Some(Role::Identifying),
            ColumnRole::QuasiIdentifying => Some(Role::QuasiIdentifying),
            ColumnRole::Sensitive => Some(Role::Sensitive),
            ColumnRole::Insensitive => Some(Role::Insensitive),
            _ => None,
        }
    }
}

/// Roles of events, in the order in which the reader looks for them.
const EVENT_ROLES: [(ColumnRole, FoundRole); 4] = [
    (ColumnRole::Subject, FoundRole::Subject),
    (ColumnRole::Record, FoundRole::Record),
    (ColumnRole::Item, FoundRole::Item),
    (ColumnRole::Time, FoundRole::Time),
];

/// Rows that are looked at.
const LOOKED_AT: usize = 2_000;

/// Columns of the events that belong to the person or to the item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Belonging {
    /// Those that never change for a person.
    pub attributes: Vec<usize>,
    /// The two coordinates of an item.
    pub coordinates: Option<[usize; 2]>,
    /// Whether they are x and y of a plane.
    pub plane: bool,
    /// The category of an item.
    pub category: Option<usize>,
}

/// What readers find in the columns: those of the roles of events, why each column is what it is, and what is unclear.
struct Found {
    columns: [Option<usize>; 4],
    belonging: Belonging,
    reasons: Vec<String>,
    question: Option<Question>,
}

fn found(working_table: &WorkingTable, names: &[String], options: &ReadOptions) -> Found {
    let text = |row: usize| working_table.columns.iter().map(|column| column.text(row).to_owned()).collect();
    let rows: Vec<Vec<String>> = working_table.rows().take(LOOKED_AT).map(text).collect();
    let whole = working_table.len() <= rows.len();
    let proposal = recognize_columns(names.to_vec(), rows, whole, Format::LongCsv, options);
    let column =
        |(_, role): (ColumnRole, FoundRole)| proposal.columns.iter().position(|column| column.role == role);
    let at = |role: FoundRole| proposal.columns.iter().position(|column| column.role == role);
    let pair = |first, second| Some([at(first)?, at(second)?]);
    let degrees = pair(FoundRole::Lat, FoundRole::Lon);
    let attribute = |column: &usize| proposal.columns[*column].role == FoundRole::Attribute;
    let belonging = Belonging {
        attributes: (0..proposal.columns.len()).filter(attribute).collect(),
        coordinates: degrees.or_else(|| pair(FoundRole::X, FoundRole::Y)),
        plane: degrees.is_none(),
        category: at(FoundRole::Category),
    };
    Found {
        columns: EVENT_ROLES.map(column),
        belonging,
        reasons: proposal.columns.iter().map(|column| column.reason.clone()).collect(),
        question: proposal.question,
    }
}

/// What a row of the data is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DataForm {
    /// An event, or a record of events in order.
    #[default]
    Sequences,
    /// An event, or a record of events, and order means nothing.
    Sets,
    /// A person.
    Table,
    /// A person, and one column holds all their items.
    Mixed,
}

/// What the user said about reading the data. Columns are numbered in file order: their names may change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// What a row is; guessed unless it is said.
    pub form: Option<DataForm>,
    /// Types of the columns of a table; guessed unless they are said.
    pub kinds: BTreeMap<usize, ColumnKind>,
    /// Roles of columns of the data.
    pub roles: BTreeMap<usize, ColumnRole>,
    /// Roles of columns of the records, by name.
    pub attributes: BTreeMap<String, ColumnRole>,
    /// What separates columns.
    pub delimiter: Option<char>,
    /// The column that holds all items of a record.
    pub wide: Option<usize>,
    /// What separates items in it.
    pub separator: Option<char>,
    /// How times are written.
    pub time_format: Option<String>,
    /// How the letters of the file are stored.
    pub encoding: Option<String>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// Whether the first line is a row.
    pub no_header: bool,
    /// Whether every line is a record: its items in order, without columns.
    pub lines: bool,
}

impl Reading {
    /// How the file is written, for a reader that knows nothing of roles yet.
    pub fn written(&self) -> ReadOptions {
        ReadOptions {
            delimiter: self.delimiter.and_then(|c| u8::try_from(c).ok()).filter(u8::is_ascii),
            encoding: self.encoding.as_deref().and_then(Encoding::parse),
            sheet: self.sheet.clone(),
            no_header: self.no_header,
            format: self.lines.then_some(Format::Lines),
            separator: self.separator.filter(|_| self.lines),
            ..ReadOptions::default()
        }
    }
}

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
        let Found { columns: guesses, mut reasons, question: first, .. } = looked_at(&ReadOptions::default());
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
        if form == DataForm::Mixed {
            return Assignment { reasons, ..Assignment::of_mixed(working_table, reading, columns[0]) };
        }
        if form == DataForm::Table {
            return Assignment { reasons, ..Assignment::of_table(working_table, reading, columns[0]) };
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
        // Whoever says that one column holds all items has answered.
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
            Some(person) if person == column => ColumnRole::Subject,
            _ => guess_attribute(working_table, column),
        };
        let guessed = (0..said.len()).map(guess).collect();
        Assignment {
            columns: [person, None, None, None],
            wide: None,
            guessed,
            said,
            plain: true,
            form: DataForm::Table,
            reasons: Vec::new(),
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
        if let Some((column, _)) = found {
            guessed[column] = ColumnRole::Item;
        }
        let separator = wide.and_then(|column| separator_of(working_table, column));
        // Somebody may have several rows, if it was said who they are.
        let person =
            person.filter(|column| table.said[*column] == Some(ColumnRole::Subject)).or(table.columns[0]);
        Assignment {
            columns: [person, None, None, None],
            wide,
            guessed,
            form: DataForm::Mixed,
            separator,
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

/// Whether a file without items has a row for each person: nobody has two, or many columns say neither who nor when.
fn looks_like_people(working_table: &WorkingTable, person: Option<usize>) -> bool {
    match person {
        Some(person) => !repeats(working_table, person),
        None => {
            let columns = &working_table.columns;
            let values = |column: &WorkingColumn| {
                let codes = 0..column.values.len() as u32;
                kind_of(codes.map(|code| column.values.name(code)))
            };
            columns.len() > 3 && !columns.iter().any(|column| values(column) == "time")
        }
    }
}

/// What may separate the items of a cell.
const SEPARATORS: [char; 4] = [';', '|', ',', ' '];

/// The first column whose cells hold sets of items, and what separates them.
fn set_column(working_table: &WorkingTable) -> Option<(usize, char)> {
    (0..working_table.columns.len()).find_map(|column| Some((column, separator_of(working_table, column)?)))
}

/// Different cells from which on a column may hold sets.
const FEWEST_SETS: usize = 10;

/// What separates the items of a column's cells, if they are sets: their parts come back, there are more different cells than parts, some cells have
/// few parts and others many, and none twice. A phrase that many people share is no set.
fn separator_of(working_table: &WorkingTable, column: usize) -> Option<char> {
    let text = |row: usize| working_table.columns[column].text(row).trim();
    let cells: Vec<&str> = working_table.rows().take(LOOKED_AT).map(text).collect();
    if matches!(kind_of(cells.iter().copied()), "time" | "number" | "empty") {
        return None;
    }
    let distinct: BTreeSet<&str> = cells.iter().copied().collect();
    let sets = |separator: &char| {
        let (mut lengths, mut kinds, mut total, mut twice) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
        for cell in &cells {
            let parts: Vec<&str> =
                cell.split(*separator).map(str::trim).filter(|part| !part.is_empty()).collect();
            let own: BTreeSet<&str> = parts.iter().copied().collect();
            twice += usize::from(own.len() < parts.len());
            lengths.insert(parts.len());
            total += parts.len();
            kinds.extend(own);
        }
        lengths.len() >= 3
            && kinds.len() * 2 <= total
            && kinds.len() < distinct.len()
            && twice * 20 <= cells.len()
    };
    SEPARATORS.into_iter().find(sets).filter(|_| distinct.len() >= FEWEST_SETS)
}

/// Whether a column has the same value in two rows.
fn repeats(working_table: &WorkingTable, column: usize) -> bool {
    working_table.tally(column).iter().any(|rows| *rows > 1)
}

/// What an attribute is, until the user says so: nearly a value for everybody names people; an attacker may know any other.
fn guess_attribute(working_table: &WorkingTable, column: usize) -> ColumnRole {
    let tally = working_table.tally(column);
    let values = &working_table.columns[column].values;
    let present = || (0_u32..).zip(&tally).filter(|(_, rows)| **rows > 0).map(|(code, _)| values.name(code));
    let number = present().all(|value| value.is_empty() || value.parse::<f64>().is_ok());
    let (distinct, rows) = (present().count(), working_table.len());
    match !number && rows > 1 && distinct * 10 >= rows * 9 {
        true => ColumnRole::Identifying,
        false => ColumnRole::QuasiIdentifying,
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::formats::Source;

    use super::*;
    use crate::working_table::read;

    /// What columns are is seen by their values, too.
    const ROWS: &str = "ann,t1,home,x\nann,t1,work,y\nann,t2,home,z\nbob,t1,work,x\nbob,t1,home,y\n";

    fn working_table(header: &str) -> WorkingTable {
        let text = format!("{header}\n{ROWS}");
        read(&Source::memory("a.csv", text.into_bytes()), None, &Progress::silent()).0
    }

    #[test]
    fn names_are_guessed_and_the_user_has_the_last_word() {
        let working_table = working_table("user,trip,place,when");
        let guess = Assignment::of(&working_table, &Reading::default());
        assert_eq!(
            (guess.subject(), guess.record(), guess.item(), guess.time()),
            (Some(0), Some(1), Some(2), None)
        );
        assert!(guess.plain);
        let said = Reading {
            roles: BTreeMap::from([(1, ColumnRole::None), (3, ColumnRole::Time)]),
            ..Reading::default()
        };
        let told = Assignment::of(&working_table, &said);
        assert_eq!((told.record(), told.time()), (None, Some(3)));
        // The command line would take `trip` for the record: the file has to be written anew without it.
        assert!(!told.plain);
        assert_eq!(told.used(), [0, 2, 3]);
    }

    #[test]
    fn a_row_is_a_person_where_nothing_speaks_of_events() {
        let form = |text: &str| {
            let source = Source::memory("a.csv", text.as_bytes().to_vec());
            Assignment::of(&read(&source, None, &Progress::silent()).0, &Reading::default()).form
        };
        assert_eq!(form("id,age,sex\n1,30,f\n2,31,m\n"), DataForm::Table);
        assert_eq!(form("age,sex,zip,job\n30,f,1,a\n30,f,1,b\n"), DataForm::Table);
        assert_eq!(form("user,ward\n1,a\n1,b\n"), DataForm::Sequences);
        assert_eq!(form("who,ward,day\np,a,2024-03-01\np,b,2024-03-02\n"), DataForm::Sequences);
        assert_eq!(form("subject,item\n1,a\n"), DataForm::Sequences);
    }

    #[test]
    fn a_table_with_sets_is_recognised_by_the_cells_of_a_column() {
        let (codes, phrases) = (["a b c", "b", "a c d", "d b", "c a", "a"], ["New York", "Rome"]);
        let more = ["e f", "g", "", "f g", "h e"];
        let rows: String = (0..30)
            .map(|row| {
                let cell = format!("{} {}", codes[row % 6], more[(row / 6) % 5]);
                format!("p{row},{},{},{cell}\n", 20 + row % 7, phrases[row % 2])
            })
            .collect();
        let source = Source::memory("a.csv", format!("id,age,town,codes\n{rows}").into_bytes());
        let (table, _) = read(&source, None, &Progress::silent());
        let found = Assignment::of(&table, &Reading::default());
        assert_eq!((found.form, found.item(), found.subject()), (DataForm::Mixed, Some(3), Some(0)));
        assert_eq!(found.attributes(), [1, 2]);
        let options = found.options(&table, &Reading::default());
        assert_eq!(
            (options.wide.as_deref(), options.sets, options.separator),
            (Some("codes"), true, Some(' '))
        );
        assert_eq!(options.attributes, ["age", "town"]);
    }

    #[test]
    fn a_guess_does_not_answer_the_doubt_about_it() {
        let rows: String = (0..40).map(|row| format!("r{row},m{},{}\n", row % 5, row % 3)).collect();
        let source = Source::memory("a.csv", format!("user_id,code,place\n{rows}").into_bytes());
        let (table, _) = read(&source, None, &Progress::silent());
        let about =
            |reading: &Reading| Assignment::of(&table, reading).question.map(|question| question.about);
        assert_eq!(about(&Reading::default()), Some("subject"));
        let roles = BTreeMap::from([(0, ColumnRole::Subject)]);
        assert_eq!(about(&Reading { roles, ..Reading::default() }), None);
    }

    #[test]
    fn a_column_that_could_be_two_things_is_not_guessed() {
        let guess = Assignment::of(&working_table("user,person,place"), &Reading::default());
        assert_eq!(guess.subject(), None);
        assert!(!guess.plain);
    }
}
