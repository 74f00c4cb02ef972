//! Which column is what, from names and values; and what a row is.

mod events;

use super::form::Sample;
use super::identifiers;
use super::looks::Looks;
use super::{Confidence, FoundColumn, FoundRole, Proposal, Question, RowKind, written_time};
use crate::formats::{Format, Framing, ITEM, ReadOptions, RoleName, SUBJECT};

/// Rows from which on "each row has its own" says something.
pub(super) const TELLING: usize = 3;

/// Columns beyond which rows without a person, an item or a time are people rather than something else.
const FEW_COLUMNS: usize = 3;

/// The columns of a file while they are given roles.
pub(super) struct Columns<'a> {
    pub names: &'a [String],
    pub looks: &'a [Looks],
    pub rows: usize,
    pub roles: Vec<FoundRole>,
    reasons: Vec<(Confidence, String)>,
    pub question: Option<Question>,
}

/// Gives the columns of a sample their roles.
pub(super) fn assign(
    sample: Sample,
    framing: &Framing,
    format: Format,
    notes: Vec<String>,
    options: &ReadOptions,
) -> Proposal {
    let Sample { names, doubled, rows, whole } = sample;
    let looks: Vec<Looks> =
        (0..names.len()).map(|column| Looks::of(rows.iter().map(|row| row[column].as_str()))).collect();
    let mut columns = Columns {
        names: &names,
        looks: &looks,
        rows: rows.len(),
        roles: vec![FoundRole::None; names.len()],
        reasons: vec![(Confidence::Low, "nothing says what it is".to_owned()); names.len()],
        question: None,
    };
    let events =
        !matches!(format, Format::Table | Format::Matrix | Format::WideCsv) && options.wide.is_none();
    let mut read =
        ReadOptions { no_header: !framing.header, delimiter: framing.delimiter, ..options.clone() };
    let mut notes = notes;
    let mut time_format = None;
    let row = if events {
        let row = columns.of_events(options, &mut notes, whole);
        columns.doubt_names(&doubled, options);
        let name = |role: FoundRole| {
            let at = columns.roles.iter().position(|found| *found == role)?;
            Some(columns.names[at].clone())
        };
        if row == RowKind::Event {
            read.subject = name(FoundRole::Subject).or(read.subject);
            read.record = name(FoundRole::Record).or(read.record);
            read.item = name(FoundRole::Item).or(read.item);
            read.time = name(FoundRole::Time).or(read.time);
            read.date = name(FoundRole::Date).or(read.date);
        }
        if let Some(at) = columns.roles.iter().position(|found| *found == FoundRole::Time)
            && options.time_format.is_none()
        {
            let given = looks[at].values.names().filter(|value| !value.is_empty());
            time_format = written_time(given.collect::<Vec<_>>())
                .filter(|reader| !reader.is_undecided())
                .and_then(|reader| reader.format().map(str::to_owned));
        }
        row
    } else {
        columns.of_rows(format, options);
        if format == Format::Table { RowKind::Person } else { RowKind::Record }
    };
    let question = columns.question.take();
    let found = columns.roles.iter().zip(columns.reasons.clone()).zip(names.iter().zip(&looks));
    let found: Vec<FoundColumn> = found
        .map(|((role, (confidence, reason)), (name, looks))| FoundColumn {
            name: name.clone(),
            role: *role,
            confidence,
            reason,
            identifier: match role {
                FoundRole::None | FoundRole::Attribute => identifiers::of_looks(name, looks),
                _ => None,
            },
            looks: looks.clone(),
        })
        .collect();
    let format = if row == RowKind::Person && events { Format::Table } else { format };
    Proposal {
        format,
        row,
        delimiter: framing.delimiter.map(char::from),
        header: framing.header,
        rows: rows.len(),
        all_rows: whole,
        columns: found,
        time_format,
        notes,
        question,
        flags: Vec::new(),
        read,
        framing: *framing,
    }
}

impl Columns<'_> {
    fn position(&self, name: &str) -> Option<usize> {
        let alike = || self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
        self.names.iter().position(|known| known == name).or_else(alike)
    }

    fn is_free(&self, column: usize) -> bool {
        self.roles[column] == FoundRole::None
    }

    fn give(&mut self, column: usize, role: FoundRole, confidence: Confidence, reason: &str) {
        self.roles[column] = role;
        self.reasons[column] = (confidence, reason.to_owned());
    }

    /// Gives a role to the column the user named.
    fn say(&mut self, role: FoundRole, named: &Option<String>) -> Option<usize> {
        let column = self.position(named.as_deref()?)?;
        self.give(column, role, Confidence::High, "you said so");
        Some(column)
    }

    /// Free columns that have the name of a role, the surest name first that any has, and how sure it is.
    pub(super) fn called(&self, role: RoleName, fits: impl Fn(usize) -> bool) -> (u8, Vec<usize>) {
        for sure in (1..=3).rev() {
            let found: Vec<usize> = (0..self.names.len())
                .filter(|column| role.fits(&self.names[*column]) == sure)
                .filter(|column| self.is_free(*column) && (sure == 3 || fits(*column)))
                .collect();
            if !found.is_empty() {
                return (sure, found);
            }
        }
        (0, Vec::new())
    }

    pub(super) fn list(&self, columns: &[usize]) -> Vec<String> {
        columns.iter().map(|column| self.names[*column].clone()).collect()
    }

    /// Rows of files whose form is known to have none of the roles of events: only the person is looked for.
    fn of_rows(&mut self, format: Format, options: &ReadOptions) {
        if self.say(FoundRole::Subject, &options.subject).is_some() || format == Format::Matrix {
            return;
        }
        self.say(FoundRole::Item, &options.wide);
        let (sure, found) = self.called(SUBJECT, |_| true);
        if let ([column], true) = (&found[..], sure > 1) {
            self.give(*column, FoundRole::Subject, confidence(sure), "it has the name of a person ID");
        }
    }

    /// Roles of events.
    fn of_events(&mut self, options: &ReadOptions, notes: &mut Vec<String>, whole: bool) -> RowKind {
        for (role, named) in [
            (FoundRole::Subject, &options.subject),
            (FoundRole::Item, &options.item),
            (FoundRole::Record, &options.record),
            (FoundRole::Time, &options.time),
            (FoundRole::Date, &options.date),
            (FoundRole::Lat, &options.lat),
            (FoundRole::Lon, &options.lon),
            (FoundRole::X, &options.x),
            (FoundRole::Y, &options.y),
            (FoundRole::Category, &options.category),
        ] {
            self.say(role, named);
        }
        for name in &options.attributes {
            self.say(FoundRole::Attribute, &Some(name.clone()));
        }
        let subject = self.person(options, notes);
        let places = self.coordinates(notes);
        let item = self.item(options, notes);
        let time = if options.no_time || options.sets { None } else { self.time(options, subject, notes) };
        self.record(options, subject);
        self.belongings(subject, item);

        let alone = subject.is_none_or(|column| self.looks[column].is_unique() || self.rows < 2);
        let told = options.item.is_some() || options.time.is_some() || options.record.is_some();
        // Wards and departments are columns of tables, too.
        let certain =
            item.is_some_and(|column| ITEM.fits(&self.names[column]) == 3 || options.item.is_some());
        let row = match (item, subject) {
            (Some(_), _)
                if !certain && alone && time.is_none() && self.names.len() > FEW_COLUMNS && !told =>
            {
                RowKind::Person
            }
            (Some(_), _) => RowKind::Event,
            (None, _) if places && (time.is_some() || !alone) => RowKind::Point,
            (None, Some(_)) if alone && !told => RowKind::Person,
            (None, None) if time.is_none() && self.names.len() > FEW_COLUMNS && !told => RowKind::Person,
            _ => RowKind::Event,
        };
        match row {
            RowKind::Person => {
                self.question = None;
                if places && time.is_none() && options.subject.is_none() {
                    self.doubt_places(subject);
                }
                if subject.is_none() {
                    self.doubt_hierarchy();
                    notes.push(
                        "one row is one person: no person-ID column found; where people have several rows, name \
                         their column as `subject`"
                            .into(),
                    );
                    self.doubt_numbers();
                    self.doubt_rows();
                }
            }
            RowKind::Event | RowKind::Point => {
                if subject.is_none() && options.subject.is_none() {
                    if item.is_none() && !told {
                        self.doubt_hierarchy();
                    }
                    self.ask_person();
                }
                if row == RowKind::Event && item.is_none() && options.item.is_none() {
                    self.ask_item();
                }
                if row == RowKind::Event && whole {
                    self.doubt_person(options, subject);
                }
                self.doubt_item(options, item);
            }
            RowKind::Record => {}
        }
        row
    }
}

fn confidence(sure: u8) -> Confidence {
    match sure {
        3 => Confidence::High,
        2 => Confidence::Medium,
        _ => Confidence::Low,
    }
}
