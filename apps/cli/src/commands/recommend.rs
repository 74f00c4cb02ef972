//! `throng recommend`: which method to choose for a promise, by trying them.

use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Class, Failure, Input};
use throng_lab::recommend::{Candidate, Keep, Recommendation, Request, Trial, TrialResult, recommend};
use throng_lab::{Files, Recipe, ReleaseFormat, catalogue};

use super::seed;
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, count, number, percent, wrap};
use crate::session::Session;
use crate::{columns, flags, reading};

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city --subjects 3000
  throng recommend city/events.csv --places city/places.csv --promise km -k 5 -m 2 --keep counts
  throng recommend city/events.csv --places city/places.csv --promise km -k 5 -m 2 \\
      --keep distance --sample 500 --sample-only

Exit code 4 when no method keeps the promise on these data.";

/// Name, flags and help.
pub fn command() -> Command {
    let names: Vec<&str> = catalogue::promises().map(|promise| promise.descriptor().name).collect();
    Command::new("recommend")
        .about("Try the methods that keep a promise, and say which to choose")
        .arg(reading::data())
        .arg(
            Arg::new("promise")
                .long("promise")
                .value_name("PROMISE")
                .required(true)
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("Which promise the release has to keep; see `throng methods`"),
        )
        .arg(
            Arg::new("keep")
                .long("keep")
                .value_name("WHAT")
                .required(true)
                .value_parser(PossibleValuesParser::new(Keep::ALL.map(Keep::name)))
                .help("What the release should still be good for"),
        )
        .arg(
            Arg::new("sample")
                .long("sample")
                .value_name("PEOPLE")
                .value_parser(value_parser!(u32).range(1..))
                .default_value("2000")
                .help("Try every method on so many people first; the best two then run on all"),
        )
        .arg(
            Arg::new("sample-only")
                .long("sample-only")
                .action(ArgAction::SetTrue)
                .help("Leave it at the sample"),
        )
        .arg(
            Arg::new("time-limit")
                .long("time-limit")
                .value_name("SECONDS")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("60")
                .help("Give up on a method after so long on the sample, and ten times as long on all people"),
        )
        .arg(seed())
        .args(flags::of_params(&catalogue::params_of_all_promises()))
        .args(flags::of_inputs(&inputs()))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// What some method uses, or some measure compares with.
fn inputs() -> Vec<Input> {
    let mut inputs = catalogue::inputs_of_all_methods();
    for input in catalogue::inputs_of_all_measures() {
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    inputs
}

/// Tries, and prints what to choose.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let request = described(matches)?;
    let found = recommend(&request, &session.progress)?;
    let job = found.chosen.as_ref().map(|chosen| chosen.candidate.job_to_publish(&request)).transpose()?;
    let recipe = job.as_ref().map(|job| Recipe::of(job, ReleaseFormat::Csv));
    let command = recipe.as_ref().map(|recipe| recipe.command_line("release"));
    match session.json {
        true => {
            let recipe = recipe.as_ref().map(Recipe::to_toml);
            session.print_json("throng-recommend/1", &Answer { command, recipe, found: &found })?;
        }
        false => session.print(&in_words(&found, command.as_deref()))?,
    }
    match found.chosen {
        Some(_) => Ok(()),
        None => Err(nothing_keeps(&found)),
    }
}

fn described(matches: &ArgMatches) -> Result<Request, Stop> {
    let word = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let given = flags::given(matches, &catalogue::params_of_all_promises());
    let files = Files { read: reading::options(matches)?, ..Files::of(reading::data_source(matches)) };
    let mut files = flags::inputs(matches, files);
    columns::apply(matches, &mut files)?;
    let inputs = Input::ALL.into_iter().filter_map(|input| files.source(input));
    if inputs.chain([&files.data]).any(|source| !source.is_lasting()) {
        return Err(Stop::usage(
            "the data are read several times, which standard input and pipes do not allow",
            "write them to a file first",
        ));
    }
    Ok(Request {
        files,
        promise: word("promise"),
        settings: given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        keep: Keep::parse(&word("keep")).unwrap_or(Keep::Counts),
        sample: matches.get_one::<u32>("sample").map_or(2000, |people| *people as usize),
        sample_only: matches.get_flag("sample-only"),
        limit: Duration::from_secs(matches.get_one("time-limit").copied().unwrap_or(60)),
        seed: matches.get_one("seed").copied().unwrap_or_default(),
    })
}

fn nothing_keeps(found: &Recommendation) -> Stop {
    let message = format!("no method that could be tried keeps `{}` on these data", found.promise);
    let help = match found.missing.first() {
        Some(missing) => {
            format!("`{}` was not tried: it needs {}", missing.method, missing.needs.join(" and "))
        }
        None => "ask for less: a smaller crowd, or attackers who know less".to_owned(),
    };
    Stop::Failure(Failure::new(Class::Infeasible, message).with_help(help))
}

#[derive(Serialize)]
struct Answer<'a> {
    command: Option<String>,
    recipe: Option<String>,
    #[serde(flatten)]
    found: &'a Recommendation,
}

fn in_words(found: &Recommendation, command: Option<&str>) -> String {
    let mut text = String::new();
    if let (Some(chosen), Some(command)) = (&found.chosen, command) {
        text.push_str(&format!("{BOLD}{}{BOLD:#}\n\n  {command}\n\n", chosen.candidate.method));
    }
    for line in wrap(&found.reasons.join(" "), 96) {
        text.push_str(&format!("  {line}\n"));
    }
    if !found.on_all.is_empty() {
        let people = count(found.people);
        text.push_str(&format!("\n{BOLD}On all {people} people{BOLD:#}\n{}", tried(&found.on_all, found)));
    }
    if !found.trials.is_empty() {
        let people = count(found.sample.unwrap_or(found.people));
        let whom = if found.sample.is_some() { "On a sample of" } else { "On all" };
        text.push_str(&format!("\n{BOLD}{whom} {people} people{BOLD:#}\n{}", tried(&found.trials, found)));
    }
    if !found.missing.is_empty() {
        let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
        for missing in &found.missing {
            table.row([missing.method.clone(), format!("needs {}", missing.needs.join(" and "))]);
        }
        text.push_str(&format!("\n{BOLD}Not tried{BOLD:#}\n{}", table.render()));
    }
    text
}

/// What kept the promise, then what did not.
fn tried(trials: &[Trial], found: &Recommendation) -> String {
    let columns = [Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left];
    let judged = found.scale.replace('_', " ").to_uppercase();
    let header = ["METHOD", judged.as_str(), "SUPPRESSED", "SINGLED OUT", "TIME", "SETTINGS"];
    let mut table = Table::new(&columns).header(header).indent(2);
    let mut failed = Table::new(&[Side::Left, Side::Left, Side::Left]).indent(2);
    let mut failures = 0;
    for trial in trials {
        let settings = settings(&trial.candidate);
        match &trial.result {
            TrialResult::Kept(kept) => table.row([
                trial.candidate.method.clone(),
                number(kept.reading),
                percent(kept.suppressed),
                kept.singled_out.map_or_else(|| "synthetic".to_owned(), percent),
                format!("{:.2} s", trial.took.as_secs_f64()),
                settings,
            ]),
            TrialResult::Failed(why) => {
                failures += 1;
                failed.row([trial.candidate.method.clone(), settings, why.clone()]);
            }
        }
    }
    let mut text = if failures < trials.len() { table.render() } else { String::new() };
    if failures > 0 {
        text.push_str(&format!("  {BOLD}failed{BOLD:#}\n{}", failed.render()));
    }
    text
}

/// The settings that differ from the defaults of the method.
fn settings(candidate: &Candidate) -> String {
    let values = candidate.settings.iter().map(|(name, value)| format!("{name}={value}"));
    values.collect::<Vec<_>>().join(" ")
}
