//! `throng verify`: judges a release, or original data, by a promise.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Class, Failure, Input, Settings};
use throng_data::formats::write_file;
use throng_lab::verify::certificate::{Certificate, SigningKey, public_key};
use throng_lab::{Files, JudgedPromise, Verification, Verified, catalogue};
use throng_models::{Answer, Verdict};

use super::path;
use crate::failure::Stop;
use crate::layout::{BOLD, FAINT, Side, Table, count, counted, wrap};
use crate::session::Session;
use crate::{columns, flags, help, reading};

const EXAMPLES: &str = "\
Examples:
  throng verify release                                  by the promise its manifest makes
  throng verify release --promise km -k 5 -m 2
  throng verify release --promise km -k 50 -m 3 --list 20
  throng verify release --sensitive-attribute disease    every other published column is known
  throng verify release --certificate verdict.json       to publish beside it; `--sign KEY` signs it
  throng verify release --against verdict.json           repeats the verification, and compares
  throng verify city/events.csv --promise km -k 5 -m 2   original data, as it is

A directory may come from anyone: its files are judged, not its manifest. Every promise that the
manifest claims is judged, every published column counts as known to attackers unless you type
otherwise, and every file in the directory is looked at.

Exit code 0 when every promise holds, 5 when one does not or the manifest contradicts the files,
6 when the release could be judged only in part.";

/// What `--help` explains; `--help-all` explains the other options.
const ESSENTIAL: [&str; 9] =
    ["data", "promise", "list", "linkage", "insensitive", "certificate", "against", "quasi", "records"];

/// Name, flags and help.
pub fn command() -> Command {
    help::essential(declared(), &ESSENTIAL)
}

fn declared() -> Command {
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
        .arg(
            Arg::new("insensitive")
                .long("insensitive")
                .value_name("COLUMN[,COLUMN]")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("Published columns that attackers do not know, on your word; all others count as known")
                .help_heading("Columns of a table"),
        )
        .args(certificate_flags())
        .args(flags::of_params(&catalogue::params_of_all_promises()))
        .args(flags::of_inputs(&inputs()))
        .args(columns::flags())
        .args(reading::flags())
        .after_help(EXAMPLES)
}

fn certificate_flags() -> [Arg; 4] {
    let file = |name: &'static str, value: &'static str, help: &'static str| {
        let arg = Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf));
        arg.help(help).help_heading("Certificates")
    };
    [
        file("certificate", "FILE", "Write the answer to a file that can be published beside the release"),
        file(
            "sign",
            "KEY",
            "Sign it with a minisign secret key; THRONG_KEY_PASSWORD has its password, if any",
        )
        .requires("certificate"),
        file("against", "CERTIFICATE", "Repeat the verification of a certificate, and compare"),
        file("signer", "KEY", "The minisign public key that must have signed it").requires("against"),
    ]
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
    let mut verification = Verification {
        files,
        promise,
        settings: given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        linkage: path(matches, "linkage").map(|path| reading::source(&path)),
        list: matches.get_one::<u32>("list").map_or(10, |list| *list as usize),
        not_known: matches.get_many::<String>("insensitive").into_iter().flatten().cloned().collect(),
    };
    let certified = Certified::of(matches, &mut verification)?;
    let verified = throng_lab::verify(&verification, &session.progress)?;
    let differences = certified.settle(&verification, &verified)?;
    match session.json {
        true => session.print_json("throng-verify/1", &ForPrograms::of(&verified, differences.as_deref()))?,
        false => {
            let mut text = in_words(&verified, verification.list);
            text.push_str(&compared(&certified, differences.as_deref()));
            session.print(&text)?;
            if let Some((file, key)) = &certified.write {
                let signed = if key.is_some() { "signed " } else { "" };
                session.say(&format!("wrote the {signed}certificate to {}\n", file.display()));
            }
        }
    }
    match (verified.class(), differences) {
        (_, Some(differences)) if !differences.is_empty() => Err(Stop::Answered(Class::NotVerified)),
        (class, _) => class.map_or(Ok(()), |class| Err(Stop::Answered(class))),
    }
}

/// What is wanted of certificates.
struct Certified {
    /// Where to write one, and the key to sign it with.
    write: Option<(PathBuf, Option<SigningKey>)>,
    /// One to compare with, and who must have signed it.
    against: Option<(Certificate, Option<String>)>,
}

impl Certified {
    /// Reads keys and certificates before the work begins. A certificate says what to ask where nothing was typed.
    fn of(matches: &ArgMatches, verification: &mut Verification) -> Result<Self, Stop> {
        let directory = verification.files.data.path().is_some_and(std::path::Path::is_dir);
        if (path(matches, "certificate").or(path(matches, "against"))).is_some() && !directory {
            return Err(Stop::usage(
                "a certificate is about a release directory, and this is none",
                "give a directory that `throng anonymize` wrote",
            ));
        }
        let write = match path(matches, "certificate") {
            Some(file) if file.exists() => {
                let message = format!("`{}` already exists", file.display());
                return Err(Failure::new(Class::Refused, message).with_help("give another file").into());
            }
            Some(file) => {
                let password = std::env::var("THRONG_KEY_PASSWORD").ok();
                let key = path(matches, "sign").map(|key| SigningKey::read(&key, password)).transpose()?;
                Some((file, key))
            }
            None => None,
        };
        let against = match path(matches, "against") {
            Some(file) => {
                let certificate = Certificate::read(&file)?;
                certificate.ask(verification);
                let signer = path(matches, "signer").map(|signer| read_public_key(&signer)).transpose()?;
                Some((certificate, signer))
            }
            None => None,
        };
        Ok(Certified { write, against })
    }

    /// Writes the certificate of an answer, and compares it with an earlier one; where they differ.
    fn settle(&self, verification: &Verification, verified: &Verified) -> Result<Option<Vec<String>>, Stop> {
        if self.write.is_none() && self.against.is_none() {
            return Ok(None);
        }
        let directory = verification.files.data.path().unwrap_or_else(|| std::path::Path::new("."));
        let key = self.write.as_ref().and_then(|(_, key)| key.as_ref());
        let certificate = Certificate::of(verification, verified, directory, key)?;
        if let Some((file, _)) = &self.write {
            write_file(file, false, |out| Ok(out.write_all(certificate.to_json().as_bytes())?))?;
        }
        Ok(self
            .against
            .as_ref()
            .map(|(earlier, signer)| earlier.differences(&certificate, signer.as_deref())))
    }
}

fn read_public_key(file: &std::path::Path) -> Result<String, Stop> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        // The key itself may be given.
        Err(_) => file.display().to_string(),
    };
    Ok(public_key(&text)?)
}

/// What became of the comparison with a certificate.
fn compared(certified: &Certified, differences: Option<&[String]>) -> String {
    let (Some((certificate, signer)), Some(differences)) = (&certified.against, differences) else {
        return String::new();
    };
    if !differences.is_empty() {
        return listed("the certificate is not one of this release", differences);
    }
    let signed = match (certificate.signer(), signer) {
        (Some(_), Some(_)) => "; it is signed with the key that was given".to_owned(),
        (Some(key), None) => format!("; it is signed with `{key}`, whose owner you have to know"),
        (None, _) => "; it is not signed".to_owned(),
    };
    format!("\n  the certificate agrees with this verification{signed}\n")
}

#[derive(Serialize)]
struct ForPrograms<'a> {
    #[serde(flatten)]
    verdict: Verdict,
    answer: Answer,
    /// One entry for each promise that was judged.
    promises: Vec<PromiseForPrograms>,
    known: &'a [String],
    sensitive: &'a [String],
    contradictions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_differences: Option<&'a [String]>,
    statement: &'a str,
    parameters: &'a Settings,
    notes: &'a [String],
}

#[derive(Serialize)]
struct PromiseForPrograms {
    #[serde(flatten)]
    verdict: Verdict,
    answer: Answer,
    statement: String,
    parameters: Settings,
}

impl<'a> ForPrograms<'a> {
    fn of(verified: &'a Verified, differences: Option<&'a [String]>) -> Self {
        let entry = |JudgedPromise { verdict, statement, settings, .. }: JudgedPromise| PromiseForPrograms {
            answer: verdict.answer(),
            verdict,
            statement,
            parameters: settings,
        };
        let holds = verified.verdict.holds && verified.also.iter().all(|also| also.verdict.holds);
        ForPrograms {
            verdict: Verdict { not_judged: verified.not_judged(), holds, ..verified.verdict.clone() },
            answer: verified.answer(),
            promises: verified.promises().map(entry).collect(),
            known: &verified.known,
            sensitive: &verified.sensitive,
            contradictions: &verified.contradictions,
            certificate_differences: differences,
            statement: &verified.statement,
            parameters: &verified.settings,
            notes: &verified.notes,
        }
    }
}

fn in_words(verified: &Verified, list: usize) -> String {
    let mut text = String::new();
    for judged in verified.promises() {
        text.push_str(&promise_in_words(&judged, list));
    }
    let columns = |names: &[String]| names.join(", ");
    if !verified.known.is_empty() || !verified.sensitive.is_empty() {
        let known = if verified.known.is_empty() { "no column".to_owned() } else { columns(&verified.known) };
        text.push_str(&format!("\n  {BOLD}known to attackers{BOLD:#}  {known}\n"));
    }
    if !verified.sensitive.is_empty() {
        text.push_str(&format!("  {BOLD}sensitive{BOLD:#}           {}\n", columns(&verified.sensitive)));
    }
    text.push_str(&listed("not judged", &verified.unjudged));
    text.push_str(&listed("the directory contradicts itself", &verified.contradictions));
    for note in &verified.notes {
        for (line, words) in wrap(note, 90).iter().enumerate() {
            let lead = if line == 0 { "note: " } else { "      " };
            text.push_str(&format!("{}{FAINT}{lead}{words}{FAINT:#}\n", if line == 0 { "\n" } else { "" }));
        }
    }
    text
}

fn promise_in_words(judged: &JudgedPromise, list: usize) -> String {
    let verdict = &judged.verdict;
    let answer = match verdict.answer() {
        Answer::Holds => "holds",
        Answer::DoesNotHold => "does not hold",
        Answer::JudgedInPart => "is partly verified; what was judged holds",
        Answer::NotJudged => "was not judged",
    };
    let mut text = format!("{BOLD}{} {answer}{BOLD:#}\n", verdict.promise);
    for line in wrap(&judged.statement, 96) {
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
