//! `throng serve` and `throng open`: the workbench in a browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use throng_contract::{Class, Failure};
use throng_data::{limits, memory};
use throng_server::{Ended, LogFormat, Occasion, Options};

use super::path;
use crate::failure::Stop;
use crate::session::Session;

const SERVE_EXAMPLES: &str = "\
Examples:
  throng serve                                    starts the workbench and opens it in the browser
  throng serve --no-browser --port 4711           prints the address only
  throng serve --data-dir study                   keeps projects in a directory of its own

The address works once and for this machine only. Ctrl-C stops the workbench; finished jobs are kept.";

const OPEN_EXAMPLES: &str = "\
Examples:
  throng open trips.csv
  throng open trips.csv.gz --no-browser

A workbench that runs on the same data directory already opens the file; this command then ends.";

/// Name, flags and help of `serve`.
pub fn command() -> Command {
    Command::new("serve")
        .about("Start the workbench: everything in a browser, nothing leaves this machine")
        .args(flags())
        .after_help(SERVE_EXAMPLES)
}

/// Name, flags and help of `open`.
pub fn open_command() -> Command {
    Command::new("open")
        .about("Start the workbench with a file")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The events: CSV, TSV, SPMF, FIMI or Parquet, perhaps .gz or .zst"),
        )
        .args(flags())
        .after_help(OPEN_EXAMPLES)
}

fn flags() -> [Arg; 9] {
    [
        Arg::new("port")
            .long("port")
            .value_name("N")
            .value_parser(value_parser!(u16))
            .default_value("0")
            .help("Port to listen on; 0 takes one that is free"),
        Arg::new("data-dir")
            .long("data-dir")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .help("Where projects are kept [default: ~/.local/share/throng]"),
        Arg::new("no-browser")
            .long("no-browser")
            .action(ArgAction::SetTrue)
            .help("Print the address and open no browser"),
        Arg::new("max-upload")
            .long("max-upload")
            .value_name("MB")
            .value_parser(value_parser!(u64).range(1..=1_000_000))
            .default_value("1024")
            .help("Largest file that may be uploaded, in megabytes"),
        Arg::new("max-memory")
            .long("max-memory")
            .value_name("MB")
            .value_parser(value_parser!(u64).range(50..=1_000_000_000))
            .help("Most memory of a job; reading a file may take half [default: 3/4 of the machine's]"),
        Arg::new("bind")
            .long("bind")
            .value_name("ADDRESS")
            .value_parser(value_parser!(IpAddr))
            .default_value("127.0.0.1")
            .help("Address to listen on; any but this machine's own is refused"),
        Arg::new("log-format")
            .long("log-format")
            .value_name("FORM")
            .value_parser(PossibleValuesParser::new(["text", "json"]))
            .help("Log every request and job on standard error, without names or values; else trouble only"),
        Arg::new("head-timeout")
            .long("head-timeout")
            .value_name("MILLISECONDS")
            .value_parser(value_parser!(u64).range(1..))
            .default_value("20000")
            .hide(true)
            .help("How long a client may take for the head of a request"),
        Arg::new("web-dir")
            .long("web-dir")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .hide(true)
            .help("Serve the web app from here, for those who work on it"),
    ]
}

/// Runs the workbench until Ctrl-C.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let data_directory =
        path(matches, "data-dir").or_else(throng_server::usual_data_directory).ok_or_else(|| {
            Stop::usage(
                "there is no home directory to keep projects in",
                "give a directory with `--data-dir`",
            )
        })?;
    let options = Options {
        address: matches.get_one("bind").copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: matches.get_one("port").copied().unwrap_or(0),
        data_directory,
        upload_limit: matches.get_one("max-upload").copied().unwrap_or(1024) * 1_000_000,
        web_directory: path(matches, "web-dir"),
        child_words: limits::said().into_iter().flat_map(|limit| ["--limit".to_owned(), limit]).collect(),
        memory: match matches.get_one::<u64>("max-memory") {
            Some(megabytes) => Some(megabytes * 1_000_000),
            None => memory::machine().map(|bytes| bytes / 4 * 3),
        },
        log: match matches.get_one::<String>("log-format").map(String::as_str) {
            None => LogFormat::Quiet,
            Some("json") => LogFormat::Json,
            Some(_) => LogFormat::Text,
        },
        head_patience: Duration::from_millis(matches.get_one("head-timeout").copied().unwrap_or(20_000)),
        open: matches.try_get_one::<PathBuf>("file").ok().flatten().cloned(),
    };
    let browser = !matches.get_flag("no-browser");
    let mut printed = Ok(());
    let announce = |address: &str, occasion: Occasion| {
        if occasion == Occasion::Asked {
            session.say(
                "\nA browser that is not known opened the workbench. If that was you, use this address:\n",
            );
        }
        // Programs that start the workbench read this line, and perhaps no further one.
        let told = session.print(&format!("{address}\n"));
        if occasion != Occasion::Asked {
            printed = told;
        }
        session.say("Open this address in a browser on this machine. It works once. ");
        session.say(match occasion {
            Occasion::Started | Occasion::Asked => "Ctrl-C stops the workbench.\n",
            Occasion::Joined => "The workbench that runs already has opened the file.\n",
        });
        // The one who asked has a browser open.
        if browser && occasion != Occasion::Asked {
            open_browser(&options.data_directory, address);
        }
    };
    let ended = throng_server::serve(&options, announce, &session.progress)?;
    printed?;
    match (ended, session.progress.is_cancelled()) {
        (Ended::Joined, _) | (Ended::Served, true) => Ok(()),
        (Ended::Served, false) => {
            Err(Failure::new(Class::Internal, "the workbench stopped by itself").into())
        }
    }
}

/// Opens the browser of the desktop, if there is one; the address is printed, too. It is told a file to open, not the address
/// itself: every user of this machine can read what commands are given.
fn open_browser(data_directory: &Path, address: &str) {
    let desktop = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if let Some(page) = desktop.then(|| throng_server::way_in(data_directory, address)).and_then(Result::ok) {
        let page = std::path::absolute(&page).unwrap_or(page);
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let quiet = || (Stdio::null(), Stdio::null(), Stdio::null());
        let (input, output, errors) = quiet();
        let _ = Program::new(opener).arg(page).stdin(input).stdout(output).stderr(errors).spawn();
    }
}
