//! `throng anonymize`: a file in, a verified release directory out.

mod summary;

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_data::Role;
use throng_lab::catalogue;
use throng_lab::manifest::Manifest;
use throng_lab::{Files, Finished, Job, ReleaseFormat, Run, Target, explain};
use throng_methods::Variant;

use super::{force, output, path, seed};
use crate::failure::Stop;
use crate::session::Session;
use crate::{flags, reading};

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release
  throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release \\
      --force --explain

Parameters, ranges and defaults of one method: throng methods NAME";

/// Name, flags and help.
pub fn command() -> Command {
    let names: Vec<&str> = catalogue::methods().map(|method| method.descriptor().name).collect();
    Command::new("anonymize")
        .about("Turn a file of events into a verified release")
        .arg(reading::data())
        .arg(
            Arg::new("method")
                .long("method")
                .value_name("METHOD")
                .required(true)
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("How; see `throng methods`"),
        )
        .arg(output("Write the release into this directory").required(true))
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
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(["csv", "parquet"]))
                .default_value("csv")
                .help("Form of the released events"),
        )
        .arg(
            Arg::new("publish")
                .long("publish")
                .value_name("COLUMN[,COLUMN]")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("Attribute columns to publish with the events; others stay at home"),
        )
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
        .arg(
            Arg::new("linkage")
                .long("linkage")
                .value_name("FILE")
                .value_parser(value_parser!(std::path::PathBuf))
                .help("Write which record is whose, for evaluation; never into the release directory"),
        )
        .arg(
            Arg::new("explain")
                .long("explain")
                .action(ArgAction::SetTrue)
                .help("Print which pattern forced each step; for the publisher's eyes only"),
        )
        .arg(force("Replace an earlier release"))
        .args(flags::of_params(&catalogue::params_of_all_methods()))
        .args(flags::of_inputs(&catalogue::inputs_of_all_methods()))
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Runs the method and says what came of it.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let run = described(matches)?;
    let finished = throng_lab::anonymize(&run, &session.progress)?;
    let explained = matches.get_flag("explain");
    if session.json {
        let reasons = explained
            .then(|| explain::table(&finished.made.outcome.explanation, &finished.made.outcome.release.base));
        return session.print_object(&Printed::of(&finished, &run.out.directory, reasons));
    }
    session.say(&summary::of(&finished, &run.out.directory));
    if explained {
        session.print(&explain::table(
            &finished.made.outcome.explanation,
            &finished.made.outcome.release.base,
        ))?;
    }
    Ok(())
}

/// `COLUMN=ROLE`.
fn role(text: &str) -> Result<(String, Role), String> {
    let (column, word) = text.split_once('=').ok_or("expected COLUMN=ROLE")?;
    let role = match word {
        "identifying" => Role::Identifying,
        "quasi-identifying" => Role::QuasiIdentifying,
        "sensitive" => Role::Sensitive,
        "insensitive" => Role::Insensitive,
        _ => return Err("a role is identifying, quasi-identifying, sensitive or insensitive".to_owned()),
    };
    Ok((column.to_owned(), role))
}

/// The run that the flags describe.
fn described(matches: &ArgMatches) -> Result<Run, Stop> {
    let method = matches.get_one::<String>("method").cloned().unwrap_or_default();
    flags::refuse_unused(matches, catalogue::method(&method)?.descriptor())?;
    let given = flags::given(matches, &catalogue::params_of_all_methods());
    let publish = matches.get_many::<String>("publish").into_iter().flatten().cloned().collect();
    let roles = matches.get_many::<(String, Role)>("role").into_iter().flatten().cloned().collect();
    let data = Files::of(reading::data_source(matches));
    let files = flags::inputs(matches, Files { read: reading::options(matches)?, publish, roles, ..data });
    let job = Job {
        files,
        method,
        settings: given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        variant: match matches.get_one::<String>("variant").map(String::as_str) {
            Some("as-printed") => Variant::AsPrinted,
            _ => Variant::Sound,
        },
        // The default is no choice of the user's: noise that hides people is not drawn from it.
        seed: matches
            .get_one("seed")
            .copied()
            .filter(|_| matches.value_source("seed") == Some(ValueSource::CommandLine)),
    };
    Ok(Run {
        job,
        out: Target {
            directory: path(matches, "output").unwrap_or_default(),
            format: match matches.get_one::<String>("format").map(String::as_str) {
                Some("parquet") => ReleaseFormat::Parquet,
                _ => ReleaseFormat::Csv,
            },
            force: matches.get_flag("force"),
        },
        linkage: path(matches, "linkage"),
    })
}

/// The manifest, and what belongs to this run rather than to the release.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    directory: &'a Path,
    seconds: Vec<(&'static str, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<String>,
}

impl<'a> Printed<'a> {
    fn of(finished: &'a Finished, directory: &'a Path, reasons: Option<String>) -> Self {
        let seconds =
            finished.timings.iter().map(|timing| (timing.step, timing.took.as_secs_f64())).collect();
        Printed { manifest: &finished.manifest, directory, seconds, reasons }
    }
}
