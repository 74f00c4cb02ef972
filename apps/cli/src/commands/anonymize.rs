//! `throng anonymize`: a file in, a verified release directory out.

mod printed;
mod summary;

use self::printed::{Printed, Why};
use std::path::PathBuf;
use std::sync::Arc;

pub use self::summary::style_of;
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_data::Role;
use throng_data::formats::Source;
use throng_lab::ledger::{Ledger, Note};
use throng_lab::recipe::publishing as publish;
use throng_lab::report::InternalReport;
use throng_lab::{
    Before, Files, Job, KeptRun, Recipe, ReleaseFormat, Run, Salt, Saved, Saving, Target, explain, save,
};
use throng_lab::{Limits, catalogue};
use throng_methods::Variant;

use super::ledger::{flag, in_words, named, say_settled};
use super::{PLAN, force, output, path, plan, planned, seed};
use crate::failure::Stop;
use crate::session::Session;
use crate::{columns, flags, help, publishing, reading};

const EXAMPLES: &str = "\
With a file of your own, three steps; a made-up city stands for it below. `inspect` says what the
file is, what each column is taken for, and what to type where that is not clear. `recommend` goes
from what an attacker may know and what must survive to a promise, a method and its parameters, and
prints the command to run. `anonymize` tells two verdicts: whether the promise holds - a release
that breaks it is never written - and whether what is left is still of use, with what to change.

Examples:
  throng generate city -o city
  throng inspect city/events.csv
  throng recommend city/events.csv --places city/places.csv --attacker-knows 2
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release
  throng anonymize city/events.csv --method suppress -k 5 -m 2 -o clicks   nothing beside the data
  throng generate patients -o patients
  throng anonymize patients/patients.csv --schema patients/schema.toml \\
      --method mondrian -k 5 -l 2 -o table                                 one row a person
  throng generate baskets -o baskets
  throng anonymize baskets/events.csv --sets --taxonomy baskets/taxonomy.csv \\
      --method apriori -k 5 -m 2 -o sets                                   order means nothing
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 \\
      --print-recipe > recipe.toml
  throng anonymize --recipe recipe.toml -k 10 -o release --force --explain

What is left is poor, or it takes long? Coarser data first: `throng prepare events --help`.
Parameters, ranges and defaults of one method: `throng methods NAME`; which one needs what: README.";

const USAGE: &str = "\
throng anonymize <DATA> --method <METHOD> [SETTINGS] -o <DIR>
       throng anonymize --recipe <FILE> [CHANGES] -o <DIR>";

const SCREEN: &str = "\
Settings depend on the method; `throng methods` lists the methods:
  throng anonymize --method seqanon --help

Examples:
  throng generate city -o city
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release
  throng anonymize city/events.csv --method suppress -k 5 -m 2 -o clicks   no other files needed

Which method? `throng recommend DATA` tries those that protect the people, and prints a command.";

/// What `--help` explains; `--help-all` explains the other options.
#[rustfmt::skip]
const ESSENTIAL: [&str; 12] = [
    "data", "method", "output", "recipe", "print-recipe", "publish", "force",
    "places", "taxonomy", "records", "quasi", "sensitive-attribute",
];

/// Name, flags and help.
pub fn command() -> Command {
    help::essential(declared(), &ESSENTIAL)
}

fn declared() -> Command {
    let names: Vec<&str> = catalogue::methods().map(|method| method.descriptor().name).collect();
    Command::new("anonymize")
        .about("Turn data into a verified release")
        .arg(reading::data().required_unless_present_any(["recipe", PLAN]).required(false))
        .arg(
            Arg::new("method")
                .long("method")
                .value_name("METHOD")
                .required_unless_present_any(["recipe", PLAN])
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("How; see `throng methods`"),
        )
        .arg(output("Write the release into this directory").required_unless_present("print-recipe"))
        .arg(
            Arg::new("recipe")
                .long("recipe")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Do what the recipe says; flags given besides take precedence"),
        )
        .arg(plan())
        .arg(
            Arg::new("print-recipe")
                .long("print-recipe")
                .action(ArgAction::SetTrue)
                .help("Print the recipe of these flags, and do nothing else"),
        )
        .arg(
            Arg::new("keep-run")
                .long("keep-run")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Keep what is needed to repeat the run in this directory; not for publication"),
        )
        .arg(
            Arg::new("variant")
                .long("variant")
                .value_name("VARIANT")
                .value_parser(PossibleValuesParser::new(["sound", "as-printed"]))
                .default_value("sound")
                .help("With the published algorithm's gaps closed, or to the letter of the paper"),
        )
        .arg(seed())
        .arg(
            Arg::new("salt")
                .long("salt")
                .value_name("HEX")
                .value_parser(|text: &str| Salt::parse(text).map_err(|failure| failure.message))
                .help("Secret of an earlier run, to repeat it byte for byte; never published, drawn afresh unless given"),
        )
        .arg(publishing::flag(&publish::FORMAT).value_name("FORMAT"))
        .arg(publishing::flag(&publish::COLUMNS))
        .arg(publishing::flag(&publish::ACCEPT_EXPOSED_COLUMNS))
        .arg(publishing::flag(&publish::ACCEPT_IDENTIFIER))
        .arg(
            Arg::new("role")
                .long("role")
                .value_name("COLUMN=ROLE")
                .value_parser(role)
                .action(ArgAction::Append)
                .help(
                    "Role of an attribute column: identifying, quasi-identifying, sensitive or insensitive",
                ),
        )
        .arg(publishing::flag(&publish::ALLOW_EMPTY))
        .arg(publishing::flag(&publish::USEFULNESS))
        .arg(
            Arg::new("no-advice")
                .long("no-advice")
                .action(ArgAction::SetTrue)
                .help("Do not try on a sample what would make a release better that is not good"),
        )
        .arg(publishing::flag(&publish::SPREADSHEET_SAFE))
        .arg(publishing::flag(&publish::SPELL_OUT))
        .arg(
            Arg::new("linkage")
                .long("linkage")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Write which record is whose, for evaluation; never into the release directory"),
        )
        .arg(
            Arg::new("internal-report")
                .long("internal-report")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Write the publisher's report: maps with counts, reasons, rare items; never into the release directory"),
        )
        .arg(publishing::flag(&publish::MAP))
        .arg(
            Arg::new("explain")
                .long("explain")
                .action(ArgAction::SetTrue)
                .help("Print which pattern forced each step; for the publisher's eyes only"),
        )
        .arg(force("Replace an earlier release"))
        .arg(flag("Record the release in this ledger"))
        .arg(
            Arg::new("no-ledger")
                .long("no-ledger")
                .action(ArgAction::SetTrue)
                .conflicts_with("ledger")
                .help("Leave the release out of the ledger: no warning when these people are released again"),
        )
        .arg(publishing::flag(&publish::AFTER))
        .arg(publishing::flag(&publish::AFTER_LINKAGE))
        .arg(publishing::flag(&publish::TOGETHER).value_name("POLICY").conflicts_with("no-ledger"))
        .arg(
            Arg::new("dataset")
                .long("dataset")
                .value_name("NAME")
                .conflicts_with("no-ledger")
                .help("What the ledger calls these data: releases of one dataset are of the same people"),
        )
        .arg(
            Arg::new("trial")
                .long("trial")
                .action(ArgAction::SetTrue)
                .conflicts_with("no-ledger")
                .help("Mark the release as a trial that will not be shared: later ones are not compared with it"),
        )
        .arg(
            Arg::new("record-later")
                .long("record-later")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with_all(["ledger", "no-ledger"])
                .hide(true)
                .help("Write what the ledger is to record into this file, for the program that publishes the release"),
        )
        .args(flags::of_params(&catalogue::params_of_all_methods()))
        .args(flags::of_inputs(&catalogue::inputs_of_all_methods()))
        .args(columns::flags())
        .args(reading::flags())
        .override_usage(USAGE)
        .after_help(SCREEN)
        .after_long_help(EXAMPLES)
}

/// Runs the method, records the release and says what came of it.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let recipe = match planned(matches)? {
        Some(recipe) => recipe,
        None => described(matches)?,
    };
    if matches.get_flag("print-recipe") {
        return session.print(&recipe.to_toml());
    }
    let out = Target {
        directory: path(matches, "output").unwrap_or_default(),
        format: recipe.format,
        map: recipe.map,
        allow_empty: recipe.allow_empty,
        spreadsheet_safe: recipe.spreadsheet_safe,
        spell_out: recipe.spell_out,
        force: matches.get_flag("force"),
        advise: !matches.get_flag("no-advice"),
    };
    let later = path(matches, "record-later");
    let ledger = match matches.get_flag("no-ledger") || later.is_some() {
        true => None,
        false => Some(named(matches)?),
    };
    if let Some(ledger) = &ledger {
        say_settled(&ledger.prepare()?, session);
    }
    let drafts = later.as_ref().and_then(|_| ledger_of_drafts(matches, session));
    let kept = path(matches, "keep-run").map(|directory| KeptRun::stage(&directory, &out)).transpose()?;
    let internal = path(matches, "internal-report").map(|path| InternalReport::at(path, &out)).transpose()?;
    let prepared = recipe.prepare(&session.progress)?;
    let job = Job { after: earlier(&recipe, ledger.as_ref(), session)?, ..prepared.job.clone() };
    let run = Run { job, out, linkage: path(matches, "linkage") };
    let plan = run.check()?;
    let place = run.reserve()?;
    let made = plan.make(&session.progress)?;
    let drafted = later.as_deref().zip(drafts.as_ref());
    let saving = Saving {
        ledger: ledger.as_ref(),
        later: drafted,
        note: Note {
            dataset: matches.get_one::<String>("dataset").cloned(),
            trial: matches.get_flag("trial"),
        },
        together: recipe.together,
        kept: kept.map(|kept| (kept, &recipe)),
        internal,
    };
    let warn = |text: &str| session.say(&format!("{text}\n"));
    let Saved { made, recorded, finishing } = save(made, place, saving, &session.progress, &warn)?;
    finishing.is_done();
    let explained = matches.get_flag("explain");
    if session.json {
        let why = explained.then(|| Why::of(&made));
        let printed = Printed::of(&made, &run.out.directory, why, recorded.as_ref());
        return session.print_object(&printed);
    }
    let place = ledger.as_ref().map(Ledger::path).zip(recorded.as_ref().map(|recorded| recorded.number));
    session.say(&summary::of(&made, &run.out.directory, place));
    if let Some(recorded) = &recorded {
        session.say(&in_words::warnings(recorded));
    }
    if explained {
        session
            .print(&explain::table(&made.checked.outcome.explanation, &made.checked.outcome.release.base))?;
    }
    Ok(())
}

/// The ledger that may record a trial later. A trial is worth something even where there is no place for one.
fn ledger_of_drafts(matches: &ArgMatches, session: &Session) -> Option<Ledger> {
    match named(matches) {
        Ok(ledger) => Some(ledger),
        Err(stop) => {
            if let Stop::Failure(failure) = stop {
                session.say(&format!("warning: the release cannot be recorded later: {}\n", failure.message));
            }
            None
        }
    }
}

/// The release that this one is made after, if it is.
fn earlier(recipe: &Recipe, ledger: Option<&Ledger>, session: &Session) -> Result<Option<Arc<Before>>, Stop> {
    let Some(directory) = &recipe.after else { return Ok(None) };
    let linkage = recipe.after_linkage.as_ref().map(|path| reading::source(path));
    let data = &recipe.data.files.data;
    Ok(Some(Arc::new(Before::read(directory, linkage.as_ref(), ledger, data, &session.progress)?)))
}

/// `COLUMN=ROLE`.
fn role(text: &str) -> Result<(String, Role), String> {
    let (column, word) = text.split_once('=').ok_or("expected COLUMN=ROLE")?;
    match Role::parse(word) {
        Some(role) => Ok((column.to_owned(), role)),
        None => Err("a role is identifying, quasi-identifying, sensitive or insensitive".to_owned()),
    }
}

/// What the recipe and the flags ask for; flags take precedence.
fn described(matches: &ArgMatches) -> Result<Recipe, Stop> {
    let mut recipe = match path(matches, "recipe") {
        Some(file) => Recipe::read(&file)?,
        None => Recipe::of(&nothing_yet(), ReleaseFormat::Csv),
    };
    let typed = |name: &str| {
        let given = matches.value_source(name) == Some(ValueSource::CommandLine);
        matches.get_one::<String>(name).filter(|_| given).map(String::as_str)
    };
    let written = recipe.data.clone();
    if matches.contains_id("data") {
        recipe.data.files.data = reading::data_source(matches);
        recipe.data.world = None;
    }
    recipe.data.files.read = reading::options_over(matches, recipe.data.files.read)?;
    recipe.data.files = flags::inputs(matches, recipe.data.files);
    // Another file has another fingerprint than the recipe's.
    let kept = recipe.data.clone();
    recipe.data.fingerprints.retain(|(role, _)| written.source(role) == kept.source(role));
    recipe.data.files.roles.extend(matches.get_many::<(String, Role)>("role").into_iter().flatten().cloned());
    columns::apply(matches, &mut recipe.data.files)?;
    publishing::apply(matches, &mut recipe)?;
    if let Some(method) = typed("method") {
        recipe.method = method.to_owned();
    }
    for (name, value) in flags::given(matches, &catalogue::params_of_all_methods()) {
        recipe.settings.retain(|(known, _)| known != name);
        recipe.settings.push((name.to_owned(), value.to_owned()));
    }
    if let Some(variant) = typed("variant").and_then(Variant::parse) {
        recipe.variant = variant;
    }
    // The default is no choice of the user's: noise that hides people is not drawn from it.
    if matches.value_source("seed") == Some(ValueSource::CommandLine) {
        recipe.seed = matches.get_one("seed").copied();
    }
    if let Some(salt) = matches.get_one::<Salt>("salt") {
        recipe.salt = Some(*salt);
    }
    flags::refuse_unused(&recipe.data.files, catalogue::method(&recipe.method)?.descriptor())?;
    recipe.check()?;
    Ok(recipe)
}

/// A job to be filled in by flags.
fn nothing_yet() -> Job {
    Job {
        limits: Limits::default(),
        files: Files::of(Source::parse("-")),
        method: String::new(),
        settings: Vec::new(),
        variant: Variant::Sound,
        seed: None,
        salt: None,
        after: None,
    }
}
