//! Which column is what, from names and values; and what a row is.

use super::form::Sample;
use super::identifiers;
use super::looks::{Looks, ValueKind};
use super::questions::quoted;
use super::{Confidence, FoundColumn, FoundRole, Proposal, Question, RowKind, written_time};
use crate::formats::{
    CATEGORY, DATE, Format, Framing, ITEM, LAT, LON, RECORD, ReadOptions, RoleName, SUBJECT, TIME, TimeKind,
    X, Y,
};

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

    /// The person, by name. A name that may mean something else is taken only where nothing better is there, and said.
    fn person(&mut self, options: &ReadOptions, notes: &mut Vec<String>) -> Option<usize> {
        if options.subject.is_some() {
            return self.roles.iter().position(|role| *role == FoundRole::Subject);
        }
        let (sure, mut found) = self.called(SUBJECT, |_| true);
        if found.len() > 1 && self.rows >= TELLING {
            // A number of the row is called `id`, too.
            let repeated: Vec<usize> =
                found.iter().copied().filter(|column| !self.looks[*column].is_unique()).collect();
            if !repeated.is_empty() {
                found = repeated;
            }
        }
        match found[..] {
            [] => None,
            [column] => {
                let reason = match sure {
                    3 => "its name says so",
                    2 => "it has the name of a person ID",
                    _ => "it is the only column that may be a person",
                };
                self.give(column, FoundRole::Subject, confidence(sure), reason);
                if sure == 1 {
                    notes.push(format!(
                        "every value of `{}` counts as a person; where people have several, name their column with the setting `subject`",
                        self.names[column]
                    ));
                }
                Some(column)
            }
            _ => {
                let names = self.list(&found);
                let what = format!("{} could each be the person", quoted(&names));
                let answers = vec!["name the column with {subject COLUMN}".into()];
                self.ask("subject", what, names, answers);
                None
            }
        }
    }

    /// Coordinates, by name and values. Numbers that are no degrees lie on a plane, whatever their columns are called.
    fn coordinates(&mut self, notes: &mut Vec<String>) -> bool {
        let has = |roles: &[FoundRole], role| roles.contains(&role);
        let given = (has(&self.roles, FoundRole::Lat) && has(&self.roles, FoundRole::Lon))
            || (has(&self.roles, FoundRole::X) && has(&self.roles, FoundRole::Y));
        if given {
            return true;
        }
        let number = |column: usize| matches!(self.looks[column].kind, ValueKind::Number | ValueKind::Whole);
        let one = |role: RoleName| match self.called(role, number) {
            (_, found) if found.len() == 1 && number(found[0]) => Some(found[0]),
            _ => None,
        };
        if let (Some(lat), Some(lon)) = (one(LAT), one(LON)) {
            // One value beyond all degrees is a mistake, which its reader reports; all of them lie on a plane.
            if !(self.looks[lat].beyond(90.0) && self.looks[lon].beyond(180.0)) {
                self.give(lat, FoundRole::Lat, Confidence::High, "name and values are those of latitudes");
                self.give(lon, FoundRole::Lon, Confidence::High, "name and values are those of longitudes");
            } else {
                let reason = "the name says degrees, the values lie on a plane";
                self.give(lon, FoundRole::X, Confidence::Medium, reason);
                self.give(lat, FoundRole::Y, Confidence::Medium, reason);
                notes.push(format!(
                    "`{}` and `{}` hold numbers beyond 90 and 180 degrees: taken as positions on a plane",
                    self.names[lat], self.names[lon]
                ));
            }
            return true;
        }
        if let (Some(x), Some(y)) = (one(X), one(Y)) {
            self.give(
                x,
                FoundRole::X,
                Confidence::Medium,
                "it has the name of a coordinate and holds numbers",
            );
            self.give(
                y,
                FoundRole::Y,
                Confidence::Medium,
                "it has the name of a coordinate and holds numbers",
            );
            return true;
        }
        false
    }

    fn item(&mut self, options: &ReadOptions, notes: &mut Vec<String>) -> Option<usize> {
        if options.item.is_some() {
            return self.roles.iter().position(|role| *role == FoundRole::Item);
        }
        let fits = |column: usize| {
            !matches!(self.looks[column].kind, ValueKind::Time | ValueKind::Number | ValueKind::Empty)
        };
        let (sure, found) = self.called(ITEM, fits);
        // A name that may mean anything, in a row for each person, describes the person.
        if sure == 1
            && self
                .roles
                .iter()
                .zip(self.looks)
                .any(|(role, looks)| *role == FoundRole::Subject && looks.is_unique())
        {
            return None;
        }
        let (first, others) = found.split_first()?;
        // An item's number and its name say the same.
        let same = |column: &usize| {
            self.looks[*first].follows(&self.looks[*column])
                && self.looks[*column].follows(&self.looks[*first])
        };
        if !(others.is_empty() || others.iter().all(same) && self.rows >= TELLING) {
            let names = self.list(&found);
            let what = format!("{} could each be the item", quoted(&names));
            self.ask("item", what, names, vec!["name the column with {item COLUMN}".into()]);
            return None;
        }
        if !others.is_empty() {
            let others = quoted(&self.list(others));
            notes
                .push(format!("`{}` is taken for the item; {others} would say the same", self.names[*first]));
        }
        let reason = if sure == 3 {
            "its name says so"
        } else {
            "it has the name of something that people visit, do or buy"
        };
        self.give(*first, FoundRole::Item, confidence(sure), reason);
        Some(*first)
    }

    /// The time, by name or else by values: a column that is a time has to be used, or the order of events would be wrong.
    fn time(
        &mut self,
        options: &ReadOptions,
        subject: Option<usize>,
        notes: &mut Vec<String>,
    ) -> Option<usize> {
        let found = match self.roles.iter().position(|role| *role == FoundRole::Time) {
            Some(column) => Some(column),
            None if options.time.is_some() => return None,
            None => self.unsaid_time(subject, notes),
        };
        let column = found?;
        if self.looks[column].time == Some(TimeKind::Clock) && options.date.is_none() {
            let dated = |at: usize| {
                self.looks[at].kind == ValueKind::Time && self.looks[at].time != Some(TimeKind::Clock)
            };
            let (sure, dates) = self.called(DATE, dated);
            if let ([date], true) = (&dates[..], sure > 0)
                && dated(*date)
            {
                self.give(*date, FoundRole::Date, Confidence::High, "it holds the dates of the times of day");
                notes.push(format!(
                    "`{}` holds times of day and `{}` their dates: taken together",
                    self.names[column], self.names[*date]
                ));
            }
        }
        Some(column)
    }

    fn unsaid_time(&mut self, subject: Option<usize>, notes: &mut Vec<String>) -> Option<usize> {
        let timely = |column: usize| {
            let looks = &self.looks[column];
            matches!(looks.kind, ValueKind::Time | ValueKind::Whole | ValueKind::Number)
                // One bad value must not cost the order of events: its reader reports it.
                || (looks.partly_times && TIME.fits(&self.names[column]) > 1)
        };
        // What never changes for a person is a birthday, or the like.
        let repeats =
            subject.is_some_and(|subject| self.looks[subject].distinct < self.looks[subject].filled);
        let moves = |column: usize| {
            !repeats || subject.is_none_or(|subject| !self.looks[column].follows(&self.looks[subject]))
        };
        let (sure, found) = self.called(TIME, |column| timely(column) && moves(column));
        if sure >= 2 || (sure == 1 && found.len() == 1) {
            if let [column] = found[..] {
                let reason = if sure == 3 { "its name says so" } else { "it has the name of a time" };
                self.give(column, FoundRole::Time, confidence(sure), reason);
                return Some(column);
            }
            // A date beside a column that has the time of day as well.
            let finest = found
                .iter()
                .copied()
                .filter(|column| found.iter().all(|other| self.looks[*other].follows(&self.looks[*column])));
            let finest: Vec<usize> = finest.collect();
            if let [column] = finest[..] {
                self.give(
                    column,
                    FoundRole::Time,
                    Confidence::Medium,
                    "it has the name of a time, and the finest",
                );
                return Some(column);
            }
            self.ask_time(&found);
            return None;
        }
        let written = |column: &usize| {
            self.is_free(*column) && self.looks[*column].kind == ValueKind::Time && moves(*column)
        };
        let found: Vec<usize> = (0..self.names.len()).filter(written).collect();
        match found[..] {
            [] => None,
            [column] => {
                self.give(column, FoundRole::Time, Confidence::Medium, "its values are times");
                notes.push(format!(
                    "`{}` holds times: events are put in its order; the setting `no-time` keeps that of the file",
                    self.names[column]
                ));
                Some(column)
            }
            _ => {
                self.ask_time(&found);
                None
            }
        }
    }

    fn record(&mut self, options: &ReadOptions, subject: Option<usize>) {
        if options.record.is_some() || subject.is_none() {
            return;
        }
        let several = |column: usize| self.rows < TELLING || !self.looks[column].is_unique();
        let (sure, found) = self.called(RECORD, several);
        match found[..] {
            [] => {}
            [column] => {
                let reason =
                    if sure == 3 { "its name says so" } else { "it has the name of a trip, visit or basket" };
                self.give(column, FoundRole::Record, confidence(sure), reason);
            }
            _ => {
                let names = self.list(&found);
                let what = format!("{} could each be the record", quoted(&names));
                self.ask("record", what, names, vec!["name the column with {record COLUMN}".into()]);
            }
        }
    }

    /// The category of items, and what never changes for a person.
    fn belongings(&mut self, subject: Option<usize>, item: Option<usize>) {
        if let Some(item) = item
            && let (_, found) = self.called(CATEGORY, |column| self.looks[column].follows(&self.looks[item]))
            && let [column] = found[..]
            && !self.roles.contains(&FoundRole::Category)
        {
            self.give(
                column,
                FoundRole::Category,
                Confidence::Medium,
                "it is called so, and every item has one",
            );
        }
        let Some(subject) = subject else { return };
        if self.looks[subject].distinct * 3 > self.looks[subject].filled * 2 {
            return;
        }
        for column in 0..self.names.len() {
            let looks = &self.looks[column];
            if self.is_free(column) && looks.distinct > 1 && looks.follows(&self.looks[subject]) {
                self.give(column, FoundRole::Attribute, Confidence::Medium, "it never changes for a person");
            }
        }
    }
}

fn confidence(sure: u8) -> Confidence {
    match sure {
        3 => Confidence::High,
        2 => Confidence::Medium,
        _ => Confidence::Low,
    }
}
