//! `throng recommend`: which method to choose, from what an attacker may know and what must survive, by trying them.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Class, Failure, Input};
use throng_data::Nature;
use throng_data::formats::write_file;
use throng_lab::recipe::publishing as publish;
use throng_lab::recommend::{
    Candidate, Keep, Known, Point, Recommendation, Request, Trial, TrialResult, chart, recommend,
};
use throng_lab::{Files, Limits, Recipe, ReleaseFormat, catalogue, plot};

use super::{path, plan, planned, seed};
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, count, number, percent, wrap};
use crate::session::Session;
use crate::{columns, flags, grading, help, publishing, reading};

const EXAMPLES: &str = "\
Examples:
  throng generate city -o city --subjects 3000
  throng recommend city/events.csv --places city/places.csv --attacker-knows 2 --keep patterns
  throng recommend city/events.csv --places city/places.csv --promise km -k 5 -m 2 --keep counts
  throng recommend city/events.csv --places city/places.csv --promise km -k 3 -m 2 \\
      --keep distance --sample 500 --sample-only

--attacker-knows stands for a promise: of events `km` (with --sensitive `klm`), of everything
`p2k`, of a table `k`, with a sensitive column also `l-diversity` (or `t-closeness` with --t). What is graded poor is never recommended: `throng methods usefulness`.
Exit code 4 when nothing useful keeps the promise on these data.";

/// What `--help` explains; `--help-all` explains the other options.
const ESSENTIAL: [&str; 11] = [
    "data",
    "promise",
    "attacker-knows",
    "keep",
    "truthful",
    "search",
    "places",
    "taxonomy",
    "records",
    "quasi",
    "sensitive-attribute",
];

/// Name, flags and help.
pub fn command() -> Command {
    help::essential(declared(), &ESSENTIAL)
}

fn declared() -> Command {
    let names: Vec<&str> = catalogue::promises().map(|promise| promise.descriptor().name).collect();
    Command::new("recommend")
        .about("Try the methods that protect the people, and say which to choose")
        .arg(reading::data())
        .arg(plan())
        .arg(
            Arg::new("promise")
                .long("promise")
                .value_name("PROMISE")
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("Which promise the release has to keep; see `throng methods`"),
        )
        .arg(
            Arg::new("attacker-knows")
                .long("attacker-knows")
                .value_name("EVENTS|all")
                .conflicts_with("promise")
                .value_parser(|text: &str| Known::parse(text).ok_or("expected a number of events, or `all`"))
                .help("How many events of a person an attacker may know, in place of a promise [default: 2]"),
        )
        .arg(
            Arg::new("keep")
                .long("keep")
                .value_name("WHAT")
                .value_parser(PossibleValuesParser::new(Keep::ALL.map(Keep::name)))
                .help("What the release should still be good for [default: counts; with --truthful events, or cells]"),
        )
        .arg(
            Arg::new("truthful")
                .long("truthful")
                .action(ArgAction::SetTrue)
                .help("Only methods whose events all really happened"),
        )
        .arg(
            Arg::new("search").long("search").action(ArgAction::SetTrue).help(
                "Search crowds and attackers for what is affordable, even where something useful is found",
            ),
        )
        .arg(
            Arg::new("plot")
                .long("plot")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .requires("search")
                .help("Draw what is affordable as SVG"),
        )
        .arg(publishing::flag(&publish::USEFULNESS))
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
                .help("Do not run the best two methods on all people"),
        )
        .arg(
            Arg::new("effort")
                .long("effort")
                .value_name("UNITS")
                .value_parser(value_parser!(u32).range(1..))
                .default_value("40")
                .help("How much to try in all, in work and not in time: a unit takes a processor about a second"),
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
        .arg(publishing::flag(&publish::ACCEPT_IDENTIFIER))
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
    let request = match planned(matches)? {
        Some(request) => request,
        None => described(matches)?,
    };
    let found = recommend(&request, &session.progress)?;
    if let Some(file) = path(matches, "plot") {
        // A picture of an earlier answer is replaced.
        let picture = plot::standalone(&chart(&found.frontier));
        write_file(&file, true, |out| Ok(out.write_all(picture.as_bytes())?))?;
    }
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
    files.accept_identifiers.extend(columns::accepted_identifiers(matches));
    let mut limits = Limits::default();
    grading::apply(matches, &mut limits)?;
    let inputs = Input::ALL.into_iter().filter_map(|input| files.source(input));
    if inputs.chain([&files.data]).any(|source| !source.is_lasting()) {
        return Err(Stop::usage(
            "the data are read several times, which standard input and pipes do not allow",
            "write them to a file first",
        ));
    }
    let settings: Vec<(String, String)> =
        given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let truthful = matches.get_flag("truthful");
    let usual = Keep::usual(truthful, files.probable_shape().kind());
    let promise = word("promise");
    let mut request = Request::of(files, &promise, settings);
    if promise.is_empty() {
        request = request
            .against(matches.get_one::<Known>("attacker-knows").copied().unwrap_or(Known::Events(2)))?;
    }
    Ok(Request {
        limits,
        truthful,
        search: matches.get_flag("search"),
        keep: Keep::parse(&word("keep")).unwrap_or(usual),
        sample: matches.get_one::<u32>("sample").map_or(2000, |people| *people as usize),
        sample_only: matches.get_flag("sample-only"),
        effort: matches.get_one::<u32>("effort").map_or(40.0, |units| f64::from(*units)),
        limit: Duration::from_secs(matches.get_one("time-limit").copied().unwrap_or(60)),
        seed: matches.get_one("seed").copied().unwrap_or_default(),
        ..request
    })
}

fn nothing_keeps(found: &Recommendation) -> Stop {
    let kept = found.trials.iter().chain(&found.on_all).any(|trial| trial.kept().is_some());
    let message = match kept {
        true => format!("nothing useful keeps `{}` on these data", found.promise),
        false => format!("no method that could be tried keeps `{}` on these data", found.promise),
    };
    let nearest =
        found.nearest.as_ref().and_then(|point| Some((point, point.best.as_ref()?, point.grade()?)));
    let help = match (nearest, found.missing.first()) {
        (Some((point, best, grade)), _) => {
            let method = &best.candidate.method;
            format!("ask for less: {} is {} with `{method}`", point.in_words(), grade.name())
        }
        (None, Some(missing)) => {
            format!("`{}` was not tried: it needs {}", missing.method, missing.needs.join(" and "))
        }
        (None, None) => "ask for less: a smaller crowd, or attackers who know less".to_owned(),
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
    if let Some(command) = found.nearest.as_ref().and_then(|point| point.command.as_ref()) {
        text.push_str(&format!("\n{BOLD}First{BOLD:#}\n  {command}\n"));
    }
    if !found.frontier.is_empty() {
        text.push_str(&format!("\n{BOLD}What is affordable{BOLD:#}\n{}", affordable(&found.frontier)));
    }
    if let Some(counts) = &found.counts {
        let people = count(counts.people);
        let trials = std::slice::from_ref(counts);
        text.push_str(&format!(
            "\n{BOLD}Counts of {people} people in place of records{BOLD:#}\n{}",
            tried(trials, found)
        ));
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
    if !found.missing.is_empty() || !found.untried.is_empty() {
        let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
        for missing in &found.missing {
            table.row([missing.method.clone(), format!("needs {}", missing.needs.join(" and "))]);
        }
        for untried in &found.untried {
            let settings = settings(&untried.candidate);
            let (method, why) = (&untried.candidate.method, untried.in_words());
            table.row([method.clone(), format!("{settings} on {} people: {why}", count(untried.people))]);
        }
        text.push_str(&format!("\n{BOLD}Not tried{BOLD:#}\n{}", table.render()));
    }
    text
}

/// A table for items as they are and for each coarser form: a row for each crowd, a column for each number of known events, with the grade
/// of the best method, and its name.
fn affordable(points: &[Point]) -> String {
    let mut text = String::new();
    for group in points.chunk_by(|a, b| a.coarse == b.coarse) {
        if let Some(first) = group.first().and_then(|point| point.first.as_ref()) {
            for line in wrap(first, 94) {
                text.push_str(&format!("  {line}\n"));
            }
        }
        text.push_str(&grades(group));
    }
    text
}

fn grades(points: &[Point]) -> String {
    let mut knowns: Vec<Option<u64>> = points.iter().map(|point| point.known).collect();
    knowns.dedup();
    let mut crowds: Vec<u64> = points.iter().map(|point| point.crowd).collect();
    crowds.sort_unstable();
    crowds.dedup();
    let mut columns = vec![Side::Right];
    columns.extend(knowns.iter().map(|_| Side::Left));
    let mut header = vec!["CROWD".to_owned()];
    header.extend(knowns.iter().map(|known| match known {
        Some(known) => format!("{known} KNOWN"),
        None => "BEST".to_owned(),
    }));
    let cell = |point: &Point| match (point.grade(), &point.best) {
        (Some(grade), Some(best)) => format!("{} ({})", grade.name(), best.candidate.method),
        _ => "-".to_owned(),
    };
    let mut table = Table::new(&columns).header(header.iter().map(String::as_str)).indent(2);
    for crowd in crowds {
        let mut row = vec![crowd.to_string()];
        row.extend(knowns.iter().map(|known| {
            let point = points.iter().find(|point| point.crowd == crowd && point.known == *known);
            point.map_or_else(|| "-".to_owned(), cell)
        }));
        table.row(row);
    }
    table.render()
}

/// What kept the promise, then what did not.
fn tried(trials: &[Trial], found: &Recommendation) -> String {
    let columns = [Side::Left, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left];
    let judged = found.scale.replace('_', " ").to_uppercase();
    let header = ["METHOD", "GRADE", judged.as_str(), "SUPPRESSED", "SINGLED OUT", "TIME", "SETTINGS"];
    let mut table = Table::new(&columns).header(header).indent(2);
    let mut failed = Table::new(&[Side::Left, Side::Left, Side::Left]).indent(2);
    let mut failures = 0;
    for trial in trials {
        let settings = settings(&trial.candidate);
        match &trial.result {
            TrialResult::Kept(kept) => table.row([
                trial.candidate.method.clone(),
                kept.grade.name().to_owned(),
                kept.reading.map_or_else(|| "-".to_owned(), number),
                percent(kept.suppressed),
                match (kept.singled_out, kept.nature) {
                    (Some(share), _) => percent(share),
                    (None, Nature::Synthetic) => "synthetic".to_owned(),
                    (None, _) => "-".to_owned(),
                },
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
