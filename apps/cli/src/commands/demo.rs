//! `throng demo`: a sample city, anonymised, verified and attacked, on one screen.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command};
use serde::Serialize;
use throng_contract::{Failure, Input};
use throng_data::StagedDir;
use throng_data::formats::Source;
use throng_lab::manifest::Manifest;
use throng_lab::{
    Exact, Files, Grade, ITEMS, Job, Limits, Lost, MANIFEST, RECORDS, REPORT, ReleaseFormat, Run, Target,
    Verification, Verified,
};
use throng_methods::Variant;
use throng_prepare::worlds::{self, WorldOptions};

use super::anonymize::style_of;
use super::{output, path};
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, bar, count, counted, percent, wrap};
use crate::session::Session;

const WORLD: &str = "city";
const METHOD: &str = "seqanon";
const PROMISE: &str = "km";
const PARAMETERS: [(&str, &str); 2] = [("k", "5"), ("m", "2")];
const SEED: u64 = 0;

/// One screen.
const WIDTH: usize = 80;

const EXAMPLES: &str = "\
Examples:
  throng demo
  throng demo -o /tmp/throng-demo
  throng demo --json";

/// Name, flags and help.
pub fn command() -> Command {
    Command::new("demo")
        .about("Make a sample city, anonymise it, verify it and attack it")
        .arg(
            output("Where the demo's files go; an earlier demo there is replaced")
                .default_value("throng-demo"),
        )
        .after_help(EXAMPLES)
}

/// Makes the demo's directory as a whole, then tells what is in it. A city that is made up has no one whose releases a ledger could compare.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let directory = path(matches, "output").unwrap_or_else(|| PathBuf::from("throng-demo"));
    let world = worlds::find(WORLD)?;
    let released = [ReleaseFormat::Csv.file_name(), RECORDS, ITEMS, MANIFEST, REPORT];
    let made = world.files.iter().map(|(file, _)| format!("{WORLD}/{file}"));
    let ours: Vec<String> = made.chain(released.map(|file| format!("release/{file}"))).collect();
    let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
    let staged = StagedDir::create(&directory, true, &ours)?;

    let options = WorldOptions { seed: SEED, ..WorldOptions::default() };
    worlds::generate(WORLD, &options, &staged.path().join(WORLD), false, &session.progress)?;
    let finished = throng_lab::anonymize(&release_of(staged.path()), &session.progress)?;
    let verified = verify(staged.path(), session)?;
    session.progress.check()?;
    staged.publish()?;

    let shown = Shown {
        manifest: &finished.manifest,
        exact: &finished.exact,
        verified: &verified,
        directory: &directory,
    };
    match session.json {
        true => session.print_json("throng-demo/1", &shown.for_programs()),
        false => session.print(&shown.screen()),
    }
}

fn release_of(home: &Path) -> Run {
    let city = home.join(WORLD);
    let job = Job {
        files: Files::of(Source::file(city.join("events.csv")))
            .with(Input::Places, Source::file(city.join("places.csv"))),
        limits: Limits::default(),
        method: METHOD.to_owned(),
        settings: settings(),
        variant: Variant::Sound,
        seed: Some(SEED),
        salt: None,
        after: None,
    };
    Run { job, out: Target::new(home.join("release")), linkage: None }
}

/// Reads the written files back and judges them, as anyone could who gets the release.
fn verify(home: &Path, session: &Session) -> Result<Verified, Failure> {
    let verification = Verification {
        files: Files::of(Source::file(home.join("release"))),
        promise: Some(PROMISE.to_owned()),
        settings: settings(),
        linkage: None,
        list: 0,
        not_known: Vec::new(),
    };
    throng_lab::verify(&verification, &session.progress)
}

fn settings() -> Vec<(String, String)> {
    PARAMETERS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

struct Shown<'a> {
    manifest: &'a Manifest,
    exact: &'a Exact,
    verified: &'a Verified,
    directory: &'a Path,
}

#[derive(Serialize)]
struct ForPrograms<'a> {
    directory: &'a Path,
    holds: bool,
    checked: u64,
    manifest: &'a Manifest,
    exact: &'a Exact,
    commands: Vec<String>,
}

impl Shown<'_> {
    fn for_programs(&self) -> ForPrograms<'_> {
        let verdict = &self.verified.verdict;
        ForPrograms {
            directory: self.directory,
            holds: verdict.holds,
            checked: verdict.checked,
            manifest: self.manifest,
            exact: self.exact,
            commands: self.commands(),
        }
    }

    fn screen(&self) -> String {
        let counts = &self.exact.counts;
        let mut text = format!(
            "{BOLD}A made-up city: {} people, {} places, {} visits{BOLD:#}\n\n",
            count(counts.subjects.unwrap_or_default()),
            count(counts.items_before.unwrap_or_default()),
            count(counts.events_before.unwrap_or_default())
        );
        text.push_str(
            "People whom someone finds alone, or in a group of fewer than 5, who knows in\n\
             order some of the places they visited:\n",
        );
        text.push_str(&self.attacker());
        text.push('\n');
        for line in wrap(&self.verified.statement, WIDTH) {
            text.push_str(&format!("{line}\n"));
        }
        text.push_str(&format!(
            "Read back and verified: {} looked at, {} broken.\n",
            counted(self.verified.verdict.checked, "case", "cases"),
            count(self.verified.verdict.violations_total)
        ));
        let grade = self.manifest.usefulness.as_ref().map_or(Grade::Good, |usefulness| usefulness.grade);
        let (plain, style) = (format!("Usefulness: {}.", grade.name()), style_of(grade));
        for line in wrap(&format!("{plain} {}", self.lost()), WIDTH) {
            // Styled after wrapping: what a terminal does not show takes no room.
            text.push_str(&format!("{}\n", line.replace(&plain, &format!("{style}{plain}{style:#}"))));
        }
        text.push('\n');
        let home = self.directory.display();
        text.push_str(&format!("{BOLD}{home}/release/report.html{BOLD:#} tells it on one page.\n"));
        text.push_str("`throng serve` does it in the browser. By hand:\n");
        for command in self.commands() {
            text.push_str(&format!("  {command}\n"));
        }
        text
    }

    fn attacker(&self) -> String {
        const BAR: usize = 12;
        let points = &self.exact.risk.points;
        let largest = points.iter().map(|point| point.before.below_5).fold(f64::MIN_POSITIVE, f64::max);
        let bar = |share: f64| format!("{:<BAR$}", bar(share / largest, BAR));
        let columns =
            [Side::Left, Side::Right, Side::Right, Side::Left, Side::Right, Side::Right, Side::Left];
        let header = ["KNOWN", "CITY: ALONE", "<5", "", "RELEASE: ALONE", "<5", ""];
        let mut table = Table::new(&columns).header(header).indent(2);
        for point in points {
            table.row([
                counted(point.known, "place", "places"),
                percent(point.before.singled_out),
                percent(point.before.below_5),
                bar(point.before.below_5),
                percent(point.after.singled_out),
                percent(point.after.below_5),
                bar(point.after.below_5),
            ]);
        }
        table.render()
    }

    fn lost(&self) -> String {
        let counts = &self.exact.counts;
        let suppressed = match &self.exact.suppression {
            None | Some(Lost { events: 0, .. }) => "no visit was removed".to_owned(),
            Some(lost) => {
                format!(
                    "{} removed ({})",
                    counted(lost.events, "visit", "visits"),
                    percent(lost.events_share)
                )
            }
        };
        format!(
            "Lost: {} places became {}, so that a visit may be at any of {:.1} on average; {suppressed}.",
            count(counts.items_before.unwrap_or_default()),
            count(counts.items_after),
            self.exact.measures.get("members_per_event").copied().unwrap_or(1.0)
        )
    }

    /// What to type to make the same files.
    fn commands(&self) -> Vec<String> {
        let home = self.directory.display();
        let values: Vec<String> = PARAMETERS.iter().map(|(name, value)| format!("-{name} {value}")).collect();
        let values = values.join(" ");
        vec![
            format!("cd {home}"),
            format!("throng generate {WORLD} -o {WORLD} --force"),
            format!("throng inspect {WORLD}/events.csv"),
            format!("throng anonymize {WORLD}/events.csv --places {WORLD}/places.csv \\"),
            format!("    --method {METHOD} {values} -o release --force"),
            format!("throng verify release --promise {PROMISE} {values}"),
        ]
    }
}
