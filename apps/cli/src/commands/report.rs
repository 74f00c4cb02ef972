//! `throng report`: the evidence of a release on one page, made again from its directory.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_lab::report::{PageKind, Reporting, report, write_report};

use super::{force, path};
use crate::failure::Stop;
use crate::reading;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng report release -o report.html --places city/places.csv
  throng report release -o internal.html --internal --original city/events.csv --places city/places.csv

The page that `throng anonymize` puts into the release directory is the first of these. The publisher's page
knows the reasons behind each step only when `throng anonymize --internal-report FILE` writes it.";

/// Name, flags and help.
pub fn command() -> Command {
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    Command::new("report")
        .about("Make the report of a release again, for the public or for the publisher")
        .arg(
            Arg::new("directory")
                .value_name("RELEASE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("A release directory"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Write the page to this file; `-` is standard output"),
        )
        .arg(
            Arg::new("internal")
                .long("internal")
                .action(ArgAction::SetTrue)
                .help("The publisher's page, with what must not be published"),
        )
        .arg(file("places", "Coordinates of the items, for maps"))
        .arg(
            file("original", "The data the release was made from, to count people before")
                .requires("internal"),
        )
        .arg(file("linkage", "Which record is whose, to count people in the release").requires("internal"))
        .arg(force("Replace an earlier page"))
        .args(reading::flags())
        .after_help(EXAMPLES)
}

/// Makes the page and puts it where it was asked for.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let source = |name: &str| path(matches, name).map(|path| reading::source(&path));
    let internal = matches.get_flag("internal");
    let reporting = Reporting {
        directory: path(matches, "directory").unwrap_or_default(),
        form: if internal { PageKind::Internal } else { PageKind::Publishable },
        places: source("places"),
        original: source("original"),
        read: reading::options(matches)?,
        linkage: source("linkage"),
    };
    let file = path(matches, "output").unwrap_or_default();
    let page = report(&reporting, &session.progress)?;
    if file == Path::new("-") {
        return session.print(&page);
    }
    write_report(&file, &page, &reporting.directory, matches.get_flag("force"))?;
    if session.json {
        let form = if internal { "internal" } else { "publishable" };
        return session.print_json("throng-report/1", &Written { file: &file, form });
    }
    let warning = if internal { "; it must not be published" } else { "" };
    session.say(&format!("{} was written{warning}\n", file.display()));
    Ok(())
}

#[derive(Serialize)]
struct Written<'a> {
    file: &'a Path,
    form: &'a str,
}
