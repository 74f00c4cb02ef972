//! `throng inspect`: the shape of the data, and what an attacker could do with it today.

mod page;
mod points;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::Input;
use throng_data::formats::{
    Format, Opened, People, Read, ReadOptions, ReadShape, open_dataset, read_people, write_file,
};
use throng_data::recognize::{DirectIdentifier, Proposal, direct_identifier_of};
use throng_data::{Column, EventKind};
use throng_lab::Files;
use throng_lab::schema::Schema;
use throng_measure::Profile;
use throng_measure::attack::curve::{RiskCurve, USUALLY_KNOWN, curve};

use throng_measure::table_profile::TableProfile;

use super::{force, path, seed};
use crate::failure::Stop;
use crate::session::Session;
use crate::{columns, flags, reading};

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng inspect city/events.csv
  throng inspect city/events.csv --json
  throng generate patients -o patients
  throng inspect patients/patients.csv --write-schema schema.toml
  throng inspect patients/codes.csv --sets --records patients/records.csv --quasi age,sex
  printf 'card;station;when\\n7;mill;31/12/2023 08:10\\n7;quay;31/12/2023 09:00\\n' > taps.csv
  throng inspect taps.csv
  cat city/events.csv | throng inspect - --subject subject --item item";

/// Items named in the list of the most frequent ones.
const FREQUENT: usize = 5;

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("inspect")
        .about("Show the shape of the data and what an attacker could do with it today")
        .arg(reading::data())
        .arg(seed())
        .arg(
            Arg::new("write-schema")
                .long("write-schema")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Draft the schema of a table: a role and a type for each column, to be checked by you"),
        )
        .arg(force("Replace an earlier schema"))
        .args(flags::of_inputs(&[Input::Records]))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Reads the data, looks at it, and tells.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = reading::data_source(matches);
    let files = Files { read: reading::options(matches)?, ..Files::of(source.clone()) };
    let mut files = flags::inputs(matches, files);
    columns::apply(matches, &mut files)?;
    let began = Instant::now();
    if files.is_table() && files.source(Input::Records).is_none() {
        files.read.format = Some(Format::Table);
    }
    let mut opened = open_dataset(&files.data, &files.read, &session.progress)?;
    if opened.read.is_none() && matches.contains_id("write-schema") {
        // A register with a position and a date for each person looks like points; who wants a schema says that it is a table.
        files.read.format = Some(Format::Table);
        opened = open_dataset(&files.data, &files.read, &session.progress)?;
    }
    let Opened { proposal, read } = opened;
    let Some(mut read) = read else {
        let found = points::PointsFound { source: source.name(), proposal: &proposal };
        return match session.json {
            true => session.print_json("throng-inspect/1", &found.as_json()),
            false => session.print(&points::of(&found)),
        };
    };
    let speed = Speed::of(read.shape.bytes, began.elapsed().as_secs_f64());
    if read.dataset.events.kind() == EventKind::Absent {
        return inspect_table(matches, &files, &proposal, &mut read, speed, session);
    }
    if matches.contains_id("write-schema") {
        let help = "events have no schema: only a table with one row a person has";
        return Err(Stop::usage("`--write-schema` is for tables", help));
    }
    let beside = columns_beside(&files, &mut read, session)?;
    let profile = Profile::of(&read.dataset, FREQUENT);
    let seed = matches.get_one("seed").copied().unwrap_or(0);
    let risk = curve(&read.dataset.events, USUALLY_KNOWN, seed, &session.progress)?;
    let found = Inspected {
        source: source.name(),
        read: speed,
        shape: &read.shape,
        found: &proposal,
        profile: &profile,
        table: beside.as_ref(),
        risk: &risk,
    };
    match session.json {
        true => session.print_json("throng-inspect/1", &found),
        false => session.print(&page::of(&found)),
    }
}

/// The columns of the people, from a file of their own or from the events themselves.
fn columns_beside(files: &Files, read: &mut Read, session: &Session) -> Result<Option<TableProfile>, Stop> {
    let (data, shape) = (&mut read.dataset, &mut read.shape);
    if let Some(records) = files.source(Input::Records) {
        let options = ReadOptions { subject: None, ..files.read.clone() };
        let own = shape.roles.subject.as_deref();
        let People { table, others } =
            read_people(records, &options, own, &data.subjects, &session.progress)?;
        if others > 0 {
            let left_out = format!(
                "{others} rows of `{}` are of people without events, and are left out",
                records.name()
            );
            shape.notes.push(left_out);
        }
        data.attributes = Some(table);
    }
    let people = data.events.subjects();
    Ok(data.attributes.as_mut().map(|table| {
        give_roles(&mut table.columns, files);
        TableProfile::of(table, people)
    }))
}

fn give_roles(columns: &mut [Column], files: &Files) {
    for (name, role) in &files.roles {
        if let Some(column) = columns.iter_mut().find(|column| column.name == *name) {
            column.role = Some(*role);
        }
    }
}

/// Tells of a table, and drafts its schema where that is asked for.
fn inspect_table(
    matches: &ArgMatches,
    files: &Files,
    proposal: &Proposal,
    read: &mut Read,
    speed: Speed,
    session: &Session,
) -> Result<(), Stop> {
    let people = read.dataset.events.subjects();
    let id = read.shape.roles.subject.clone();
    let table = read.dataset.attributes.get_or_insert_default();
    give_roles(&mut table.columns, files);
    if let Some(path) = path(matches, "write-schema") {
        let draft = Schema::draft(id.as_deref(), table, people).to_toml();
        write_file(&path, matches.get_flag("force"), |out| Ok(out.write_all(draft.as_bytes())?))?;
        session.say(&format!("wrote a draft of the schema to {}; check every role in it\n", path.display()));
    }
    let profile = TableProfile::of(table, people);
    let identifiers = identifiers(&table.columns, people);
    let found = FoundTable {
        source: files.data.name(),
        read: speed,
        shape: &read.shape,
        found: proposal,
        table: &profile,
        identifiers: &identifiers,
    };
    match session.json {
        true => session.print_json("throng-inspect/1", &found),
        false => session.print(
            &(table::of(&profile) + &table::identifiers(&identifiers) + &page::decided(&read.shape.notes)),
        ),
    }
}

/// The columns that identify people directly.
fn identifiers(columns: &[Column], people: usize) -> BTreeMap<String, DirectIdentifier> {
    let found = |column: &Column| Some((column.name.clone(), direct_identifier_of(column, people)?));
    columns.iter().filter_map(found).collect()
}

/// All that is told of a table.
#[derive(Serialize)]
struct FoundTable<'a> {
    source: &'a str,
    read: Speed,
    shape: &'a ReadShape,
    found: &'a Proposal,
    table: &'a TableProfile,
    /// Columns that identify people directly, by name.
    identifiers: &'a BTreeMap<String, DirectIdentifier>,
}

/// All that is told.
#[derive(Serialize)]
struct Inspected<'a> {
    source: &'a str,
    read: Speed,
    shape: &'a ReadShape,
    /// What the file was found to be, and why.
    found: &'a Proposal,
    #[serde(flatten)]
    profile: &'a Profile,
    /// The columns of the people, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a TableProfile>,
    risk: &'a RiskCurve,
}

/// How fast the file was read.
#[derive(Clone, Copy, Serialize)]
struct Speed {
    /// After decompression.
    bytes: u64,
    seconds: f64,
    mb_per_second: f64,
}

impl Speed {
    fn of(bytes: u64, seconds: f64) -> Self {
        Speed { bytes, seconds, mb_per_second: bytes as f64 / 1e6 / seconds.max(1e-9) }
    }
}
