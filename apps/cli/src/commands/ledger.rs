//! `throng ledger`: the releases so far, and what two of them give away together.

pub mod in_words;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Class, Descriptor, DescriptorKind, Failure};
use throng_data::formats::{Format, Source};
use throng_data::{Dataset, EventKind};
use throng_lab::ledger::{Chain, Entry, Fault, Ledger, LinkedRelease, Settled, Whose, attack, place};
use throng_lab::{Files, Manifest, load};
use throng_measure::Composition;

use super::{path, seed};
use crate::failure::Stop;
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng ledger                          every release so far
  throng ledger show 1
  throng ledger check                    whether a line was changed
  throng ledger attack 1 2               what two releases give away together
  throng ledger attack release coarser --original city/events.csv

The ledger is $THRONG_LEDGER, or throng/ledger.jsonl in $XDG_DATA_HOME or ~/.local/share. No name is in it.";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("ledger")
        .about("Look up earlier releases, and attack two of them together")
        .arg(flag("Use this ledger").global(true))
        .subcommand(Command::new("list").about("Every release so far"))
        .subcommand(
            Command::new("show").about("All that is recorded of one release").arg(
                Arg::new("number")
                    .value_name("N")
                    .required(true)
                    .value_parser(value_parser!(u64))
                    .help("Its number"),
            ),
        )
        .subcommand(
            Command::new("check").about("Whether a line was changed; exit code 5 if so").arg(
                Arg::new("mend")
                    .long("mend")
                    .action(ArgAction::SetTrue)
                    .help("Set a torn last line aside, so that the ledger can be used again"),
            ),
        )
        .subcommand(attack_command())
        .disable_help_subcommand(true)
        .after_help(EXAMPLES)
}

fn attack_command() -> Command {
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    let release =
        |name: &'static str, help: &'static str| Arg::new(name).value_name(name).required(true).help(help);
    Command::new("attack")
        .about("What two releases of the same people give away together")
        .arg(release("A", "A release directory, or its number in the ledger"))
        .arg(release("B", "Another one"))
        .arg(file("original", "The data that A was made from [default: as the ledger says]"))
        .arg(file("original-b", "The data that B was made from [default: those of A]"))
        .arg(file("linkage-a", "Which record of A is whose [default: as data and seed say]"))
        .arg(file("linkage-b", "Which record of B is whose"))
        .arg(
            Arg::new("id").long("id").value_name("COLUMN").conflicts_with("subject").help(
                "Column of a table that tells people apart; `-` if every row is a person [default: id]",
            ),
        )
        .arg(seed())
        .args(reading::flags())
}

/// `--ledger FILE`.
pub fn flag(help: &'static str) -> Arg {
    Arg::new("ledger")
        .long("ledger")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help(format!("{help} [default: $THRONG_LEDGER, or throng/ledger.jsonl among the user's data]"))
}

/// The ledger that was named, or the user's.
pub fn named(matches: &ArgMatches) -> Result<Ledger, Stop> {
    Ok(Ledger::at(place(path(matches, "ledger"))?))
}

/// Says what earlier runs had left unfinished.
pub fn say_settled(settled: &[Settled], session: &Session) {
    for settled in settled {
        session.say(&match settled {
            Settled::Recorded { number, directory } => {
                format!("note: an earlier run ended behind its release `{directory}`; it is recorded now, as release {number}\n")
            }
            Settled::Forgotten => "note: an earlier run ended before its release had a name; nothing of it is left\n".to_owned(),
        });
    }
}

/// Does what was asked for; without a word, lists.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    say_settled(&named(matches.subcommand().map_or(matches, |(_, matches)| matches))?.settle()?, session);
    match matches.subcommand() {
        Some(("show", matches)) => show(&named(matches)?, matches, session),
        Some(("check", matches)) => check(&named(matches)?, matches.get_flag("mend"), session),
        Some(("attack", matches)) => attack_both(matches, session),
        Some((_, matches)) => list(&named(matches)?, session),
        None => list(&named(matches)?, session),
    }
}

#[derive(Serialize)]
struct Listed<'a> {
    ledger: &'a Path,
    releases: Vec<Shown<'a>>,
    whole: bool,
}

/// An entry as programs get it: the sketch of people is of no use outside the ledger, and the salt does not leave it.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    entry: Cow<'a, Entry>,
}

impl<'a> Shown<'a> {
    fn of(entry: &Entry) -> Shown<'static> {
        Shown { entry: Cow::Owned(Entry { sketch: None, salt: None, ..entry.clone() }) }
    }
}

fn list(ledger: &Ledger, session: &Session) -> Result<(), Stop> {
    let chain = ledger.read()?;
    if session.json {
        let releases = chain.entries.iter().map(Shown::of).collect();
        let listed = Listed { ledger: ledger.path(), releases, whole: chain.is_whole() };
        return session.print_json("throng-ledger-list/1", &listed);
    }
    session.print(&in_words::list(&chain, ledger.path()))?;
    say_faults(&chain, session);
    Ok(())
}

fn show(ledger: &Ledger, matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let chain = ledger.read()?;
    let number = matches.get_one::<u64>("number").copied().unwrap_or_default();
    let entry = find(&chain, number)?;
    if session.json {
        return session.print_object(&Shown::of(entry));
    }
    session.print(&in_words::entry(entry, &chain))
}

fn find(chain: &Chain, number: u64) -> Result<&Entry, Stop> {
    chain.entries.iter().find(|entry| entry.number == number).ok_or_else(|| {
        Stop::usage(format!("the ledger has no release {number}"), "`throng ledger list` shows those it has")
    })
}

#[derive(Serialize)]
struct Checked<'a> {
    ledger: &'a Path,
    lines: usize,
    whole: bool,
    faults: Vec<Faulty>,
    torn: Option<usize>,
    set_aside: Option<PathBuf>,
}

#[derive(Serialize)]
struct Faulty {
    line: usize,
    fault: Fault,
}

fn check(ledger: &Ledger, mend: bool, session: &Session) -> Result<(), Stop> {
    let set_aside = if mend { ledger.mend()? } else { None };
    let chain = ledger.read()?;
    if session.json {
        let faults = chain.faults.iter().map(|(line, fault)| Faulty { line: *line, fault: fault.clone() });
        session.print_json(
            "throng-ledger-check/1",
            &Checked {
                ledger: ledger.path(),
                lines: chain.lines,
                whole: chain.is_whole(),
                faults: faults.collect(),
                torn: chain.torn,
                set_aside,
            },
        )?;
    } else {
        session.print(&in_words::checked(&chain, ledger.path(), set_aside.as_deref()))?;
    }
    if chain.is_whole() { Ok(()) } else { Err(Stop::Answered(Class::NotVerified)) }
}

fn say_faults(chain: &Chain, session: &Session) {
    if !chain.is_whole() {
        session.say("\nwarning: the ledger is not as it was written; see `throng ledger check`\n");
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    composition: &'a Composition,
}

fn attack_both(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let word = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let (a, b) = (word("A"), word("B"));
    let given = |name: &str| path(matches, name).map(|path| reading::source(&path));
    // The data may be those of both releases.
    let original = match given("original") {
        Some(source) if !source.is_lasting() => Some(source.held()?),
        original => original,
    };
    let original_b = given("original-b").or_else(|| original.clone());
    let first = linked(matches, a, original.as_ref(), "linkage-a", session)?;
    let second = linked(matches, b, original_b.as_ref(), "linkage-b", session)?;
    let seed = matches.get_one("seed").copied().unwrap_or_default();
    let composition = attack(&first, &second, seed, &session.progress)?;
    if session.json {
        let answer = Answer { first: a, second: b, composition: &composition };
        return session.print_json("throng-composition/1", &answer);
    }
    session.print(&in_words::attacked(a, b, &composition))
}

/// A release and its data: as the flags say, or as the ledger does.
fn linked(
    matches: &ArgMatches,
    typed: &str,
    original: Option<&Source>,
    linkage: &str,
    session: &Session,
) -> Result<LinkedRelease<'static>, Stop> {
    let directory = Path::new(typed);
    let entry = match (original, typed.parse::<u64>()) {
        (Some(_), _) if directory.is_dir() => None,
        (_, Ok(number)) if !directory.is_dir() => Some(find(&named(matches)?.read()?, number)?.clone()),
        _ => Some(recorded(&named(matches)?.read()?, directory)?),
    };
    match (original, entry) {
        (Some(original), None) => {
            let linkage = path(matches, linkage).map(|path| reading::source(&path));
            let entry = same_release(matches, directory);
            let whose = match (&linkage, &entry) {
                (Some(linkage), _) => Whose::Linkage(linkage),
                (None, Some(entry)) => Whose::Entry(entry),
                (None, None) => Whose::Manifest,
            };
            let data = Cow::Owned(data(matches, original, directory, session)?);
            if let Whose::Entry(entry) = whose
                && !entry.is_made_from(&named(matches)?, original)?
            {
                return Err(Stop::Failure(other_data(typed)));
            }
            Ok(LinkedRelease::read(directory, data, whose, &session.progress)?)
        }
        (_, Some(entry)) => entry.linked(&named(matches)?, &session.progress).map_err(|mut failure| {
            let number = entry.number;
            failure.message = format!("release {number} is not at hand: {}", failure.message);
            failure.help.get_or_insert_with(|| {
                "give its directory and {original DATA}, perhaps with its linkage".into()
            });
            Stop::Failure(failure)
        }),
        (None, None) => Err(no_data(typed)),
    }
}

/// The latest entry of the release in a directory, wherever it lies now. A ledger that cannot be read has none.
fn same_release(matches: &ArgMatches, directory: &Path) -> Option<Entry> {
    let manifest = Manifest::read(directory).ok()??;
    let published = manifest.output("release").or_else(|| manifest.output("records"))?.sha256.clone()?;
    let chain = named(matches).ok()?.read().ok()?;
    chain.entries.into_iter().rev().find(|entry| entry.release.sha256.as_ref() == Some(&published))
}

/// The latest entry of a directory.
fn recorded(chain: &Chain, directory: &Path) -> Result<Entry, Stop> {
    let typed = directory.display().to_string();
    let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let entry = chain.entries.iter().rev().find(|entry| Path::new(&entry.directory) == absolute);
    entry.cloned().ok_or_else(|| no_data(&typed))
}

fn other_data(typed: &str) -> Failure {
    Failure::new(
        Class::BadInput,
        format!("the records of `{typed}` do not fit the data: they were made from others"),
    )
    .with_help("give the data exactly as the release was made from them, or its linkage file")
}

fn no_data(typed: &str) -> Stop {
    Stop::usage(
        format!("`{typed}` is not in the ledger, so its data are not known"),
        "give them with `--original DATA`; `throng ledger list` shows what is in the ledger",
    )
}

/// The data as they are, with nothing beside them; a table where the release is one.
fn data(
    matches: &ArgMatches,
    original: &Source,
    directory: &Path,
    session: &Session,
) -> Result<Dataset, Stop> {
    let mut files = Files { read: reading::options(matches)?, ..Files::of(original.clone()) };
    if Manifest::read(directory)?.is_some_and(|manifest| manifest.kind == EventKind::Absent) {
        files.read.format.get_or_insert(Format::Table);
    }
    if let Some(id) = matches.get_one::<String>("id") {
        files.read.subject = Some(id.clone());
    }
    Ok(load(&files, &NOTHING_BESIDE, &session.progress)?.data)
}

/// Reading data alone asks for no parameter and no other file.
static NOTHING_BESIDE: Descriptor =
    Descriptor { name: "ledger", ..Descriptor::blank(DescriptorKind::Measure) };
