//! `throng verify`: judges a release, or original data, by a promise.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Input, Settings};
use throng_lab::{Files, Verification, Verified, catalogue};
use throng_models::{Answer, Verdict};

use super::path;
use crate::failure::Stop;
use crate::layout::{BOLD, FAINT, Side, Table, count, counted, wrap};
use crate::session::Session;
use crate::{columns, flags, reading};

const EXAMPLES: &str = "\
Examples:
  throng verify release                                  by the promise its manifest makes
  throng verify release --promise km -k 5 -m 2
  throng verify release --promise km -k 50 -m 3 --list 20
  throng verify city/events.csv --promise km -k 5 -m 2   original data, as it is

A directory may come from anybody: its files are judged, not its manifest, and a manifest that
contradicts them is reported.

Exit code 0 when the promise holds, 5 when it does not or the manifest contradicts the files,
6 when it could be judged only in part.";

/// Name, flags and help.
pub fn command() -> Command {
    let names: Vec<&str> = catalogue::promises().map(|promise| promise.descriptor().name).collect();
    Command::new("verify")
        .about("Check whether a release keeps a promise")
        .arg(
            Arg::new("data")
                .value_name("RELEASE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("A release directory, or a file of events"),
        )
        .arg(
            Arg::new("promise")
                .long("promise")
                .value_name("PROMISE")
                .value_parser(PossibleValuesParser::new(names))
                .hide_possible_values(true)
                .help("Which promise [default: the one in the release's manifest]"),
        )
        .arg(
            Arg::new("list")
                .long("list")
                .value_name("N")
                .value_parser(value_parser!(u32))
                .default_value("10")
                .help("List at most so many broken cases; 0 stops at the first"),
        )
        .arg(
            Arg::new("linkage")
                .long("linkage")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Which record is whose, to count people where someone has several records"),
        )
        .args(flags::of_params(&catalogue::params_of_all_promises()))
        .args(flags::of_inputs(&inputs()))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// What some promise looks at beside the release.
fn inputs() -> Vec<Input> {
    let mut inputs = Vec::new();
    for need in catalogue::promises().flat_map(|promise| promise.descriptor().needs) {
        if !inputs.contains(&need.input) {
            inputs.push(need.input);
        }
    }
    inputs
}

/// Judges, prints the answer, and ends with its exit code.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let promise = matches.get_one::<String>("promise").cloned();
    let given = flags::given(matches, &catalogue::params_of_all_promises());
    let data = Files { read: reading::options(matches)?, ..Files::of(reading::data_source(matches)) };
    let mut files = flags::inputs(matches, data);
    columns::apply(matches, &mut files)?;
    if let Some(name) = &promise {
        flags::refuse_unused(&files, catalogue::promise(name)?.descriptor())?;
    }
    let verification = Verification {
        files,
        promise,
        settings: given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        linkage: path(matches, "linkage").map(|path| reading::source(&path)),
        list: matches.get_one::<u32>("list").map_or(10, |list| *list as usize),
    };
    let verified = throng_lab::verify(&verification, &session.progress)?;
    match session.json {
        true => session.print_json("throng-verify/1", &ForPrograms::of(&verified))?,
        false => session.print(&in_words(&verified, verification.list))?,
    }
    verified.class().map_or(Ok(()), |class| Err(Stop::Answered(class)))
}

#[derive(Serialize)]
struct ForPrograms<'a> {
    #[serde(flatten)]
    verdict: &'a Verdict,
    answer: Answer,
    contradictions: &'a [String],
    statement: &'a str,
    parameters: &'a Settings,
    notes: &'a [String],
}

impl<'a> ForPrograms<'a> {
    fn of(verified: &'a Verified) -> Self {
        ForPrograms {
            verdict: &verified.verdict,
            answer: verified.verdict.answer(),
            contradictions: &verified.contradictions,
            statement: &verified.statement,
            parameters: &verified.settings,
            notes: &verified.notes,
        }
    }
}

fn in_words(verified: &Verified, list: usize) -> String {
    let verdict = &verified.verdict;
    let answer = match verdict.answer() {
        Answer::Holds => "holds",
        Answer::DoesNotHold => "does not hold",
        Answer::JudgedInPart => "was judged in part; what was judged holds",
        Answer::NotJudged => "was not judged",
    };
    let mut text = format!("{BOLD}{} {answer}{BOLD:#}\n", verdict.promise);
    for line in wrap(&verified.statement, 96) {
        text.push_str(&format!("  {line}\n"));
    }
    if verdict.answer() != Answer::NotJudged {
        text.push_str(&format!("\n  {} looked at", counted(verdict.checked, "case", "cases")));
        match verdict.violations_total {
            0 => text.push_str(", none broken\n"),
            _ if list == 0 => text.push_str(" until the first was broken\n"),
            total => text.push_str(&format!(", {} broken\n", count(total))),
        }
    }
    if !verdict.violations.is_empty() {
        text.push('\n');
        text.push_str(&broken_cases(verdict));
    }
    text.push_str(&listed("judged", &verdict.judged));
    text.push_str(&listed("not judged", &verdict.not_judged));
    text.push_str(&listed("the manifest contradicts the files", &verified.contradictions));
    for note in &verified.notes {
        for (line, words) in wrap(note, 90).iter().enumerate() {
            let lead = if line == 0 { "note: " } else { "      " };
            text.push_str(&format!("{}{FAINT}{lead}{words}{FAINT:#}\n", if line == 0 { "\n" } else { "" }));
        }
    }
    text
}

/// A heading and its points; nothing when there are none.
fn listed(heading: &str, points: &[String]) -> String {
    if points.is_empty() {
        return String::new();
    }
    let mut text = format!("\n  {BOLD}{heading}{BOLD:#}\n");
    for point in points {
        for (line, words) in wrap(point, 90).iter().enumerate() {
            text.push_str(&format!("  {} {words}\n", if line == 0 { "*" } else { " " }));
        }
    }
    text
}

fn broken_cases(verdict: &Verdict) -> String {
    let columns = [Side::Right, Side::Right, Side::Left, Side::Left];
    let mut table = Table::new(&columns).header(["PEOPLE", "NEEDED", "KNOWN", ""]).indent(2);
    for case in &verdict.violations {
        let details: Vec<String> =
            case.details.iter().map(|(name, value)| format!("{name} {value}")).collect();
        table.row([count(case.support), count(case.needed), case.pattern.join(" > "), details.join(", ")]);
    }
    let mut text = table.render();
    let more = verdict.violations_total.saturating_sub(verdict.violations.len() as u64);
    if more > 0 {
        text.push_str(&format!("  and {} more; show them with `--list N`\n", count(more)));
    }
    text
}
