//! What a file is, found by looking at it: its form, what separates its fields, which column is the person, the item, the time.
//!
//! Publishers have files that were not written for this program. Looking at the beginning of one (all of a small one), five things are found, in this order:
//!
//! 1. **The form of the text** (`form`): sequences (SPMF), lines of items in order or as sets, a matrix of counts, or rows of fields with a
//!    delimiter, perhaps a header, perhaps comments before it.
//! 2. **What the values of a column look like** (`looks`): numbers, times in one of the common forms, coordinates, how many different ones.
//! 3. **Roles** (`roles`, and what is unclear about them: `questions`) from names *and* values: a column that has the name of a person ID and a different value in each row is no
//!    person's; a date that never changes for a person is no time of an event.
//! 4. **What a row is**: an event, a point, or a person.
//! 5. **What identifies people directly** (`identifiers`): names, numbers of documents, addresses and the like, which no release should have.
//!
//! # Guarantees
//! The unit of privacy is never guessed silently: the person is taken from a name that says so, and where several columns could be it, or none
//! says so, the answer is a [`Question`] with the candidates and the flag that answers it. Whatever the user said stands. What was found is said
//! ([`Proposal::notes`]) and can be typed ([`Proposal::read`]). The same bytes give the same answer, with any number of threads.
//! # Cost
//! A pass over the first mebibyte.

mod fields;
pub(crate) mod form;
mod identifiers;
mod looks;
mod prose;
mod questions;
mod roles;

use serde::Serialize;
use throng_contract::{Help, shell_line};

use crate::formats::{
    BLOCK, Blocks, Defect, Format, Framing, InputError, ReadOptions, Source, TimeReader, open_text,
};
pub use identifiers::{
    DirectIdentifier, IdentifierKind, direct_identifier, direct_identifier_of, direct_identifier_of_items,
};
pub use looks::{Looks, ValueKind};
pub(crate) use questions::one_row_each;

/// Bytes that are looked at.
pub(crate) const HEAD: usize = 1 << 20;

/// What a row of the data is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// An event of a person.
    Event,
    /// A record with all its items.
    Record,
    /// A person.
    Person,
    /// A position at a time, to be turned into events with `throng prepare`.
    Point,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Nothing speaks against it, little for it.
    Low,
    /// A name or the values say so.
    Medium,
    /// The user, or name and values say so.
    High,
}

/// What a column is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundRole {
    /// The person.
    Subject,
    /// The trip, visit or basket.
    Record,
    /// What was visited or bought.
    Item,
    /// When.
    Time,
    /// The date of a time of day.
    Date,
    /// The latitude of the item or the point.
    Lat,
    /// The longitude.
    Lon,
    /// Its x on a plane.
    X,
    /// Its y on a plane.
    Y,
    /// The category of the item.
    Category,
    /// Something that belongs to the person: it never changes for one.
    Attribute,
    /// Nothing: the column is not read.
    None,
}

/// A column, and what was found about it.
#[derive(Debug, Clone, Serialize)]
pub struct FoundColumn {
    /// Its name; its number if it has none.
    pub name: String,
    /// What it is taken for.
    pub role: FoundRole,
    /// How sure that is.
    pub confidence: Confidence,
    /// Why.
    pub reason: String,
    /// What its values look like.
    pub looks: Looks,
    /// What it holds, if it identifies people directly; the column that tells people apart is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<DirectIdentifier>,
}

/// What is unclear, who could be meant, and what to type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The role or option it is about: a flag without its dashes.
    pub about: &'static str,
    /// What is unclear.
    pub what: String,
    /// Columns or values that could be the answer.
    pub candidates: Vec<String>,
    /// What to change, one for each way out.
    #[serde(serialize_with = "throng_contract::typed")]
    pub answers: Vec<Help>,
}

impl Question {
    /// The same as a reason to stop.
    pub fn into_error(self, file: &str) -> InputError {
        InputError::file(file, self.into_defect())
    }

    fn into_defect(self) -> Defect {
        Defect::Question { what: self.what, help: Help::any_of(self.answers) }
    }
}

/// What a file is, as far as its beginning tells.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// The form of the file.
    pub format: Format,
    /// What a row is.
    pub row: RowKind,
    /// What separates fields or items, where it is not a blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Whether the first line names the columns.
    pub header: bool,
    /// Rows that were looked at.
    pub rows: usize,
    /// Whether these are all.
    pub all_rows: bool,
    /// The columns.
    pub columns: Vec<FoundColumn>,
    /// The form of the times in the letters of `strptime`, where it is neither a number nor ISO-8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_format: Option<String>,
    /// What was decided without having been told.
    pub notes: Vec<String>,
    /// What has to be answered before the file can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The flags that say all of this.
    pub flags: Vec<String>,
    /// How to read the file: what the user said, and what was found.
    #[serde(skip)]
    pub read: ReadOptions,
    /// What comes before the rows.
    #[serde(skip)]
    pub(crate) framing: Framing,
}

impl Proposal {
    /// What comes before the rows, and what separates their fields.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// The column of a role.
    pub fn column(&self, role: FoundRole) -> Option<&str> {
        self.columns.iter().find(|column| column.role == role).map(|column| column.name.as_str())
    }

    /// The command that turns points into events.
    pub fn prepare_command(&self, file: &str) -> String {
        let mut words = vec!["throng".to_owned(), "prepare".to_owned(), file.to_owned()];
        let roles = [
            ("--subject", FoundRole::Subject),
            ("--record", FoundRole::Record),
            ("--time", FoundRole::Time),
            ("--lat", FoundRole::Lat),
            ("--lon", FoundRole::Lon),
            ("--x", FoundRole::X),
            ("--y", FoundRole::Y),
        ];
        for (flag, role) in roles {
            if let Some(name) = self.column(role) {
                words.extend([flag.to_owned(), name.to_owned()]);
            }
        }
        if let Some(format) = &self.time_format {
            words.extend(["--time-format".to_owned(), format.clone()]);
        }
        words.extend(["-o".to_owned(), "prepared".to_owned()]);
        shell_line(words.iter().map(String::as_str))
    }
}

/// Looks at the beginning of a file. What is unclear is part of the answer, and no error.
pub fn propose(source: &Source, options: &ReadOptions) -> Result<Proposal, InputError> {
    let text = open_text(source, options)?;
    if text.foreign == Some(Format::Parquet) {
        return crate::formats::propose_parquet(source, text.stream, options);
    }
    let foreign = text.foreign;
    look(&mut text.blocks(source.name(), HEAD)?, source, foreign, options)
}

/// Looks at the beginning of a file of rows, and gives all of its text to read on.
pub fn open_rows(source: &Source, options: &ReadOptions) -> Result<(Proposal, Blocks), InputError> {
    let text = open_text(source, options)?;
    if text.foreign == Some(Format::Parquet) {
        return Err(InputError::file(source.name(), Defect::UnknownFormat));
    }
    let foreign = text.foreign;
    let mut blocks = text.blocks(source.name(), BLOCK)?;
    let proposal = look(&mut blocks, source, foreign, options)?;
    Ok((proposal, blocks))
}

/// What an input is, by the beginning of what `blocks` have: all of it is still to be read.
pub(crate) fn look(
    blocks: &mut Blocks,
    source: &Source,
    foreign: Option<Format>,
    options: &ReadOptions,
) -> Result<Proposal, InputError> {
    if let Some(frame) = blocks.frame() {
        let shaped = fields::form_of_frame(frame, source, options)?;
        let all = shaped.columns.as_ref().is_some_and(|sample| sample.whole);
        return Ok(proposed(shaped, all, options));
    }
    let head = blocks.head(HEAD)?;
    let whole = head.len() < HEAD;
    let text = form::whole_lines(&head, whole);
    Ok(proposed(form::form_of(&text, whole, source, foreign, options)?, whole, options))
}

fn proposed(shaped: form::Shaped, whole: bool, options: &ReadOptions) -> Proposal {
    let mut proposal = match shaped.columns {
        None => Proposal {
            format: shaped.format,
            row: RowKind::Record,
            delimiter: shaped.framing.delimiter.map(char::from),
            header: false,
            rows: shaped.rows,
            all_rows: whole,
            columns: Vec::new(),
            time_format: None,
            notes: shaped.notes,
            question: None,
            flags: Vec::new(),
            read: ReadOptions {
                format: Some(shaped.format),
                delimiter: shaped.framing.delimiter,
                ..options.clone()
            },
            framing: shaped.framing,
        },
        Some(sample) => roles::assign(sample, &shaped.framing, shaped.format, shaped.notes, options),
    };
    proposal.flags = flags(&proposal, options);
    proposal
}

/// What columns with these names and these first rows are: for callers that hold rows already.
pub fn recognize_columns(
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    whole: bool,
    format: Format,
    options: &ReadOptions,
) -> Proposal {
    let sample = form::Sample { names, doubled: Vec::new(), rows, whole };
    let mut proposal = roles::assign(sample, &Framing::default(), format, Vec::new(), options);
    proposal.read.delimiter = options.delimiter;
    proposal.flags = flags(&proposal, options);
    proposal
}

/// What to type: what was said, the roles that were found, and what else the file knows of items.
fn flags(proposal: &Proposal, said: &ReadOptions) -> Vec<String> {
    let mut options = ReadOptions { delimiter: said.delimiter, ..proposal.read.clone() };
    if proposal.row == RowKind::Event {
        let places = proposal.column(FoundRole::Item).is_some();
        let name = |role| proposal.column(role).filter(|_| places).map(str::to_owned);
        let follows = |role| {
            let find = |role| proposal.columns.iter().find(|column| column.role == role);
            find(role)
                .zip(find(FoundRole::Item))
                .is_some_and(|(column, item)| column.looks.follows(&item.looks))
        };
        if follows(FoundRole::Lat) && follows(FoundRole::Lon) {
            (options.lat, options.lon) = (name(FoundRole::Lat), name(FoundRole::Lon));
        }
        if follows(FoundRole::X) && follows(FoundRole::Y) {
            (options.x, options.y) = (name(FoundRole::X), name(FoundRole::Y));
        }
        if follows(FoundRole::Category) {
            options.category = name(FoundRole::Category);
        }
    }
    options.given().flat_map(|(option, value)| option.typed(value)).collect()
}

/// The form of times of which these are some, if they are times and no plain numbers.
fn written_time<'v>(values: impl IntoIterator<Item = &'v str, IntoIter: Clone>) -> Option<TimeReader> {
    let values = values.into_iter();
    let reader = TimeReader::for_values(values.clone(), None).ok()?;
    let all = values.clone().all(|value| reader.read(value).is_ok());
    all.then_some(reader)
}
