//! The roles of columns in rows of events: the person, the coordinates, the item, the time, the record, and what belongs to a person.

use super::{Columns, TELLING, confidence};
use crate::formats::{
    CATEGORY, DATE, ITEM, LAT, LON, RECORD, ReadOptions, RoleName, SUBJECT, TIME, TimeKind, X, Y,
};
use crate::recognize::looks::ValueKind;
use crate::recognize::questions::quoted;
use crate::recognize::{Confidence, FoundRole};

impl Columns<'_> {
    /// The person, by name. A name that may mean something else is taken only where nothing better is there, and said.
    pub(super) fn person(&mut self, options: &ReadOptions, notes: &mut Vec<String>) -> Option<usize> {
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
    pub(super) fn coordinates(&mut self, notes: &mut Vec<String>) -> bool {
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

    pub(super) fn item(&mut self, options: &ReadOptions, notes: &mut Vec<String>) -> Option<usize> {
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
    pub(super) fn time(
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

    pub(super) fn record(&mut self, options: &ReadOptions, subject: Option<usize>) {
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
    pub(super) fn belongings(&mut self, subject: Option<usize>, item: Option<usize>) {
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
