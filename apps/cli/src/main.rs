//! The command `throng`: parse, call, print. No algorithm lives here.

mod arguments;
mod columns;
mod commands;
mod failure;
mod flags;
mod grading;
mod help;
mod interrupt;
mod layout;
mod progress;
mod publishing;
mod reading;
mod session;

use std::process::ExitCode;

fn main() -> ExitCode {
    failure::report_panics();
    let ended = std::panic::catch_unwind(|| {
        let matches = arguments::parse(std::env::args_os())?;
        let session = session::Session::open(&matches)?;
        commands::run(&matches, &session)
    });
    failure::exit_code(ended)
}
