//! What is unclear about the columns of a file, and what to type: the questions that stop a reader.

use throng_contract::{Help, did_you_mean, help};

use super::looks::{Looks, ValueKind};
use super::roles::{Columns, TELLING};
use super::{FoundRole, Question};
use crate::formats::{RECORD, ReadOptions, SUBJECT};

/// What may separate several items in one cell. A blank may be part of a name.
const SEPARATORS: [char; 4] = ['|', ';', '>', ','];

/// Rows beyond each person's first, from which on it says something that another column never changes for one person.
const REPEATS: usize = 20;

/// A column with fewer values than one in so many rows describes people rather than telling them apart.
const ROWS_EACH: usize = 10;

impl Columns<'_> {
    /// Asks, unless something was asked before.
    pub(super) fn ask(
        &mut self,
        about: &'static str,
        what: String,
        candidates: Vec<String>,
        answers: Vec<Help>,
    ) {
        self.question.get_or_insert(Question { about, what, candidates, answers });
    }

    pub(super) fn ask_time(&mut self, found: &[usize]) {
        let names = self.list(found);
        let what =
            format!("{} hold times, and the order of events depends on which one counts", quoted(&names));
        let answers =
            vec!["name the column with {time COLUMN}, or say {no-time} to keep the order of the file".into()];
        self.ask("time", what, names, answers);
    }

    /// The columns with one of these roles whose values are names and repeat: who or what could be in several rows.
    fn that_repeat(&self, roles: &[FoundRole]) -> Vec<String> {
        let may_be = |column: &usize| {
            let looks = &self.looks[*column];
            roles.contains(&self.roles[*column])
                && matches!(looks.kind, ValueKind::Whole | ValueKind::Text)
                && looks.distinct > 1
                && looks.distinct < looks.filled
        };
        let found: Vec<usize> = (0..self.names.len()).filter(may_be).collect();
        self.list(&found)
    }

    /// Asks which column could be the person, where no column has the name of one.
    pub(super) fn ask_person(&mut self) {
        let known = || self.names.iter().map(String::as_str);
        if SUBJECT.aliases.iter().any(|name| name.len() > 3 && did_you_mean(name, known()).is_some()) {
            // The reader says what may be misspelt.
            return;
        }
        let names = self.that_repeat(&[FoundRole::None, FoundRole::Record, FoundRole::Attribute]);
        if self.rows < TELLING || names.is_empty() {
            return;
        }
        if let (2.., trips) = self.called(RECORD, |_| true)
            && let [trip] = trips[..]
        {
            self.ask_whose(&self.names[trip].clone(), names);
            return;
        }
        let what = format!("no person-ID column found; {} could be it", either(&names));
        let answers = vec![
            "name the column of the person with {subject COLUMN}".into(),
            "if a row is a person, say {input-format table}".into(),
        ];
        self.ask("subject", what, names, answers);
    }

    /// Asks whose the trips, visits or baskets are, where no column says it.
    fn ask_whose(&mut self, trip: &str, mut names: Vec<String>) {
        // The likeliest answer first.
        names.sort_by_key(|name| name != trip);
        let what =
            format!("`{trip}` tells trips, visits or baskets apart, and no column says whose they are");
        let answers = vec![
            help!("where a person may have several of them, say {subject COLUMN} {record $}", trip),
            help!(
                "where everyone has one, or one is all that is to be protected, say {subject $}: protection then \
                 covers values of `$`, not people",
                trip,
                trip
            ),
        ];
        self.ask("subject", what, names, answers);
    }

    /// Rows without a name may be several of one person: a column that tells people apart has many values that repeat, and another
    /// one that never changes for any of them.
    pub(super) fn doubt_rows(&mut self) {
        let owns = |column: usize| {
            let looks = &self.looks[column];
            let repeats = looks.filled - looks.distinct;
            let apart = repeats >= REPEATS && looks.distinct * ROWS_EACH >= self.rows;
            let describes = |other: usize| {
                let belongs = &self.looks[other];
                other != column
                    && belongs.distinct > 1
                    && belongs.distinct < looks.distinct
                    && belongs.follows(looks)
            };
            apart
                && matches!(looks.kind, ValueKind::Whole | ValueKind::Text)
                && (0..self.names.len()).any(describes)
        };
        let found: Vec<usize> = (0..self.names.len()).filter(|column| owns(*column)).collect();
        if found.is_empty() {
            return;
        }
        let names = self.list(&found);
        let what = format!(
            "no person-ID column found; {} repeats, and other columns never change for one value of it: is it the person?",
            either(&names)
        );
        let answers = vec![
            "if a row is a person, say {input-format table}".into(),
            "else name the column of the person with {subject COLUMN}".into(),
        ];
        self.ask("subject", what, names, answers);
    }

    /// Rows with a position, no time and no person are places. A bare `id` names anything.
    pub(super) fn doubt_places(&mut self, subject: Option<usize>) {
        if self.rows < TELLING || subject.is_some_and(|column| !self.names[column].eq_ignore_ascii_case("id"))
        {
            return;
        }
        let what =
            "every row has a position, and neither a time nor a person's name: places rather than people";
        let answers = vec![
            "if they are the places of other data, give this file beside them: {places FILE}".into(),
            "if a row is a person, say {input-format table}".into(),
        ];
        self.ask("subject", what.to_owned(), Vec::new(), answers);
    }

    /// Rows that lead from a value to ever more general ones, up to a single one: what belongs beside data.
    pub(super) fn doubt_hierarchy(&mut self) {
        let [first, .., last] = self.looks else { return };
        let name = self.names.last().map(String::as_str);
        // Where there is one row, the first line may be another one.
        let root = last.distinct == 1
            && last.filled == self.rows
            && (self.rows > 1 || last.values.names().next() == name);
        let climbs = || self.looks.windows(2).all(|pair| pair[1].follows(&pair[0]));
        if self.rows == 0 || !root || first.distinct < self.rows || !climbs() {
            return;
        }
        let what = "each column follows from the one before it, and the last one has a single value: a hierarchy rather than \
                    people";
        let answers = vec![
            "give it beside a table with {hierarchy COLUMN=FILE}, or beside events with {taxonomy FILE}"
                .into(),
            "if a row is a person, say {input-format table}".into(),
        ];
        self.ask("subject", what.to_owned(), Vec::new(), answers);
    }

    /// Numbers without a name above them may be anything: edges of a network, measurements.
    pub(super) fn doubt_numbers(&mut self) {
        let unnamed = self.names.iter().enumerate().all(|(at, name)| *name == (at + 1).to_string());
        let telling =
            |looks: &Looks| matches!(looks.kind, ValueKind::Text | ValueKind::Time) && looks.distinct > 1;
        if self.rows < TELLING || !unnamed || self.looks.iter().any(telling) {
            return;
        }
        let what = "numbers in columns without names: nothing says that a row is a person";
        let answers = vec![
            "if it is one, say {input-format table}".into(),
            "else name the column of the person with {subject COLUMN}: columns go by their numbers, from 1"
                .into(),
        ];
        self.ask("subject", what.to_owned(), self.names.to_vec(), answers);
    }

    /// Nothing says what people did.
    pub(super) fn ask_item(&mut self) {
        let names = self.that_repeat(&[FoundRole::None, FoundRole::Category]);
        if self.rows < TELLING || names.is_empty() {
            return;
        }
        let what = format!("no item column found; {} could be it", either(&names));
        let answers = vec![
            "name the column of what people visited, did or bought with {item COLUMN}".into(),
            "if a row is a person, say {input-format table}".into(),
        ];
        self.ask("item", what, names, answers);
    }

    /// A role whose column is called as another: which of the two is meant?
    pub(super) fn doubt_names(&mut self, doubled: &[String], options: &ReadOptions) {
        let said = [&options.subject, &options.record, &options.item, &options.time];
        let roles = [FoundRole::Subject, FoundRole::Record, FoundRole::Item, FoundRole::Time];
        let flags = ["subject", "record", "item", "time"];
        for ((role, said), flag) in roles.into_iter().zip(said).zip(flags) {
            let found = self.roles.iter().position(|found| *found == role).map(|at| self.names[at].clone());
            let Some(name) = found.filter(|name| said.is_none() && doubled.contains(name)) else { continue };
            let what = format!("the name `{name}` occurs twice in the header");
            let answers = vec![help!(
                "say which one is meant: {$ $} the first, {$ $.2} the second",
                flag,
                name,
                flag,
                name
            )];
            let second = format!("{name}.2");
            self.ask(flag, what, vec![name, second], answers);
        }
    }

    /// A person in every row is hardly the one that events belong to.
    pub(super) fn doubt_person(&mut self, options: &ReadOptions, subject: Option<usize>) {
        let Some(subject) = subject.filter(|_| options.subject.is_none()) else { return };
        let name = self.names[subject].clone();
        if self.rows < TELLING || !self.looks[subject].is_unique() || SUBJECT.fits(&name) == 3 {
            return;
        }
        let question = one_row_each(&name, self.rows);
        self.question.get_or_insert(question);
    }

    /// An item that is several.
    pub(super) fn doubt_item(&mut self, options: &ReadOptions, item: Option<usize>) {
        let Some(item) = item.filter(|_| options.item.is_none()) else { return };
        let looks = &self.looks[item];
        let filled = || (0..self.rows).map(|row| looks.text(row)).filter(|text| !text.is_empty());
        let several = SEPARATORS.into_iter().find(|separator| {
            let split = filled()
                .filter(|text| text.split(*separator).filter(|part| !part.trim().is_empty()).count() > 1);
            let mut parts: Vec<&str> =
                looks.values.names().flat_map(|text| text.split(*separator)).map(str::trim).collect();
            parts.sort_unstable();
            let all = parts.len();
            parts.dedup();
            split.count() * 2 >= looks.filled.max(1) && parts.len() < all && looks.filled > 1
        });
        let Some(separator) = several else { return };
        let name = self.names[item].clone();
        let what = format!("most values of `{name}` hold a `{separator}`, as if they were several items");
        let answers = vec![
            help!("if they are, say {wide $} {separator '$'}", name, separator),
            help!("if each is one item, say {item $}", name),
        ];
        self.ask("wide", what, vec![name], answers);
    }
}

/// The doubt about a person who has one row, as everybody.
pub(crate) fn one_row_each(name: &str, rows: usize) -> Question {
    Question {
        about: "subject",
        what: format!(
            "`{name}` has a different value in each of {rows} rows: each person would have only one event"
        ),
        candidates: vec![name.to_owned()],
        answers: vec![
            "name the column of the person with {subject COLUMN}".into(),
            help!("if it is `$`, say {subject $}", name, name),
            "if a row is a person, say {input-format table}".into(),
        ],
    }
}

pub(super) fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

fn either(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}
