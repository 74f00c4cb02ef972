//! `throng compare`: methods, values and data against each other, as tables and plots.

use std::path::{Path, PathBuf};
use std::thread;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;
use throng_contract::{Class, Failure};
use throng_lab::compare::{
    ChildProcess, Comparing, Limits, Planned, Sweep, SweepDirectory, Swept, parse_memory, parse_time, plan,
    write,
};

use super::{cell, output, path, plan as plan_file, planned};
use crate::failure::Stop;
use crate::layout::{BOLD, Side, Table, counted};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  throng compare compare.toml -o comparison
  throng compare compare.toml -o comparison --dry-run
  throng compare compare.toml -o comparison --time 60s --memory 2GiB --jobs 4

A recipe of a comparison:
  schema = \"throng-compare/1\"
  data = { world = \"city\", subjects = 2000 }
  methods = [{ name = \"seqanon\", m = 2 }, { name = \"zga\", m = 2, l = 1 }]
  vary = { k = [2, 5, 10] }

Cells are kept in the directory as they are decided: after Ctrl-C the same command resumes. A cell
that fails, or takes more time or memory than it may, says so in the tables; the exit code is 0
unless no cell succeeds.";

/// Name, flags and help.
pub fn command() -> Command {
    let limit = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("compare")
        .about("Compare methods over ranges of parameters, as tables and plots")
        .arg(
            Arg::new("recipe")
                .value_name("RECIPE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("What to compare, as a TOML file"),
        )
        .arg(plan_file())
        .arg(output("Where cells, tables and plots go; an earlier comparison there goes on").required(true))
        .arg(
            limit(
                "time",
                "TIME",
                "Longest time of a cell, such as 90s or 5min [default: as the recipe says]",
            )
            .value_parser(|text: &str| parse_time(text).ok_or("expected a time such as 90s or 5min")),
        )
        .arg(
            limit("memory", "SIZE", "Most memory of a cell, such as 2GiB [default: as the recipe says]")
                .value_parser(|text: &str| parse_memory(text).ok_or("expected a size such as 512MiB")),
        )
        .arg(
            Arg::new("retry-failed")
                .long("retry-failed")
                .action(ArgAction::SetTrue)
                .help("Try cells again that had no release before"),
        )
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("List the cells, and decide none"),
        )
        .arg(
            Arg::new("stop-after")
                .long("stop-after")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .hide(true)
                .help("Stop as if interrupted after so many cells"),
        )
        .after_help(EXAMPLES)
}

/// Decides all cells and says what came of them.
pub fn run(matches: &ArgMatches, session: &Session) -> Result<(), Stop> {
    let comparing = match planned(matches)? {
        Some(comparing) => comparing,
        None => Comparing::read(&path(matches, "recipe").unwrap_or_default())?,
    };
    let directory = SweepDirectory::open(&path(matches, "output").unwrap_or_default())?;
    let planned = plan(&comparing, &directory, &session.progress)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let limits = Limits {
        time: matches.get_one("time").copied().or(comparing.limits.time),
        memory: matches.get_one("memory").copied().or(comparing.limits.memory),
        jobs: matches
            .get_one("jobs")
            .map(|jobs: &u16| usize::from(*jobs))
            .or(comparing.limits.jobs)
            .or(Some(cores)),
    };
    let retry = matches.get_flag("retry-failed");
    if matches.get_flag("dry-run") {
        let decided = |cell: &Planned| directory.find(&cell.key, &limits, retry).is_some();
        return list(&comparing, &planned, &decided, session);
    }
    directory.forget_results_unless(&comparing.text);
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(Class::Internal, format!("the program cannot find itself: {error}")))?;
    let threads = (cores / limits.jobs.unwrap_or(1)).max(1);
    let runner = ChildProcess { program, command: cell::NAME, threads };
    let sweep = Sweep {
        comparing: &comparing,
        planned: &planned,
        directory: &directory,
        runner: &runner,
        limits,
        retry,
        stop_after: matches.get_one("stop-after").copied(),
    };
    let swept = sweep.run(&session.progress)?;
    let results = write(&comparing, &planned, &swept.cells, &directory)?;
    if session.json {
        session.print_json(
            "throng-comparison/1",
            &Printed::of(&comparing, &swept, &directory, results.json()),
        )?;
    } else {
        session.say(&summary(&comparing, &planned, &swept, directory.path()));
    }
    nothing_came_of_it(&swept)
}

/// A comparison without a single release is a failure.
fn nothing_came_of_it(swept: &Swept) -> Result<(), Stop> {
    if swept.cells.is_empty() || swept.cells.iter().any(|cell| cell.outcome.numbers().is_some()) {
        return Ok(());
    }
    let reason = swept.cells.iter().find_map(|cell| cell.outcome.reason()).unwrap_or_default();
    let failure = Failure::new(Class::Infeasible, format!("no cell succeeded; the first says: {reason}"));
    Err(failure.with_help("change the recipe, or give the cells more time or memory").into())
}

#[derive(Serialize)]
struct Printed<'a> {
    title: &'a str,
    directory: &'a Path,
    cells: usize,
    done: usize,
    reused: usize,
    rows: serde_json::Value,
}

impl<'a> Printed<'a> {
    fn of(
        comparing: &'a Comparing,
        swept: &Swept,
        directory: &'a SweepDirectory,
        rows: serde_json::Value,
    ) -> Self {
        Printed {
            title: &comparing.title,
            directory: directory.path(),
            cells: swept.cells.len(),
            done: done(swept),
            reused: swept.reused,
            rows,
        }
    }
}

fn done(swept: &Swept) -> usize {
    swept.cells.iter().filter(|cell| cell.outcome.reason().is_none()).count()
}

fn list(
    comparing: &Comparing,
    planned: &[Planned],
    decided: &dyn Fn(&Planned) -> bool,
    session: &Session,
) -> Result<(), Stop> {
    #[derive(Serialize)]
    struct Listed {
        cell: String,
        key: String,
        decided: bool,
    }
    let listed: Vec<Listed> = planned
        .iter()
        .map(|cell| Listed { cell: cell.words(comparing), key: cell.key.clone(), decided: decided(cell) })
        .collect();
    if session.json {
        #[derive(Serialize)]
        struct Plan {
            cells: Vec<Listed>,
        }
        return session.print_json("throng-comparison-plan/1", &Plan { cells: listed });
    }
    let mut table = Table::new(&[Side::Left, Side::Left]);
    for cell in &listed {
        table.row([if cell.decided { "decided" } else { "open" }, &cell.cell]);
    }
    session.print(&table.render())
}

fn summary(comparing: &Comparing, planned: &[Planned], swept: &Swept, directory: &Path) -> String {
    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {}, {} with a release, {} decided before\n\n",
        comparing.title,
        counted(swept.cells.len(), "cell", "cells"),
        done(swept),
        swept.reused
    );
    let mut failed = Table::new(&[Side::Left, Side::Left, Side::Left]).indent(2);
    let mut any = false;
    for (planned, cell) in planned.iter().zip(&swept.cells) {
        if let Some(reason) = cell.outcome.reason() {
            failed.row([planned.words(comparing), cell.outcome.word().to_owned(), reason]);
            any = true;
        }
    }
    if any {
        text.push_str(&failed.render());
        text.push('\n');
    }
    let mut table = Table::new(&[Side::Left, Side::Left]).indent(2);
    for (name, what) in [
        ("index.html", "plots, numbers and the recipe on one page"),
        ("table.csv", "one row a cell; also as table.json and table.md"),
        ("timings.csv", "how long each step took"),
        ("plots", "each plot as SVG"),
    ] {
        table.row([directory.join(name).display().to_string(), what.to_owned()]);
    }
    text.push_str(&table.render());
    text
}
