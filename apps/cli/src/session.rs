//! What every command has at hand: progress, and where results and messages go.

use std::io::Write;

use clap::ArgMatches;
use serde::Serialize;
use throng_contract::{Class, Failure, Progress};
use throng_data::formats;
use throng_data::limits::{self, Limit, LimitError};
use throng_data::memory;

use crate::commands::read_workbook;
use crate::failure::Stop;
use crate::{interrupt, progress};

/// One run of the program.
#[derive(Debug)]
pub struct Session {
    /// Phases, counters, cancel.
    pub progress: Progress,
    /// Whether results are printed as JSON.
    pub json: bool,
    quiet: bool,
}

impl Session {
    /// Reads the shared flags, sizes the thread pool, and listens for Ctrl-C.
    pub fn open(matches: &ArgMatches) -> Result<Self, Stop> {
        let quiet = matches.get_flag("quiet");
        let how = matches.get_one::<String>("progress").map_or("auto", String::as_str);
        let progress = progress::choose(how, quiet);
        let serves = matches!(matches.subcommand_name(), Some("serve" | "open"));
        let with_parent = matches.get_flag("with-parent");
        interrupt::raise_on_signal(progress.cancel_flag(), serves, with_parent)?;
        if let Some(jobs) = matches.get_one::<u16>("jobs") {
            rayon::ThreadPoolBuilder::new()
                .num_threads(usize::from(*jobs))
                .build_global()
                .map_err(|error| Failure::new(Class::Internal, format!("cannot start threads: {error}")))?;
        }
        for limit in matches.get_many::<String>("limit").into_iter().flatten() {
            limits::say(limit).map_err(|error| Stop::usage(error.to_string(), help(&error)))?;
        }
        if let Some(bytes) = matches.get_one::<u64>("own-memory") {
            // Threads that cannot start are a crash; they start while there is memory.
            let _ = rayon::current_num_threads();
            memory::limit(*bytes).map_err(|error| {
                Failure::new(Class::Internal, format!("the limit of memory cannot be set: {error}"))
            })?;
        }
        if let Ok(program) = std::env::current_exe() {
            formats::read_workbooks_apart(program, vec![read_workbook::NAME.to_owned()]);
        }
        Ok(Session { progress, json: matches.get_flag("json"), quiet })
    }

    /// Prints a result on standard output. Styles reach terminals only.
    pub fn print(&self, text: &str) -> Result<(), Stop> {
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| Stop::writing(&error))
    }

    /// Prints a result as one JSON object, led by the name of its form.
    pub fn print_json(&self, schema: &str, result: &impl Serialize) -> Result<(), Stop> {
        self.print_object(&Tagged { schema, result })
    }

    /// Prints one JSON object that names its form itself.
    pub fn print_object(&self, result: &impl Serialize) -> Result<(), Stop> {
        let mut text = serde_json::to_string_pretty(result).map_err(|error| {
            Failure::new(Class::Internal, format!("internal: a result cannot be written as JSON: {error}"))
        })?;
        text.push('\n');
        self.print(&text)
    }

    /// Says something on standard error, unless `--quiet`.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            // A message that cannot be written is no reason to fail.
            let _ = anstream::stderr().write_all(text.as_bytes());
        }
    }
}

#[derive(Serialize)]
struct Tagged<'a, T> {
    schema: &'a str,
    #[serde(flatten)]
    result: &'a T,
}

fn help(error: &LimitError) -> String {
    match error {
        LimitError::Unknown { suggestion: Some(name), .. } => format!("did you mean `{name}`?"),
        _ => format!("the limits are {}", Limit::ALL.map(Limit::name).join(", ")),
    }
}
