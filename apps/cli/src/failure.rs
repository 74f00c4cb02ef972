//! How a command ends early, and what a person then reads: `error:`, then `help:`, then an exit code.

use std::any::Any;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::styling::{AnsiColor, Style};
use throng_contract::{Class, Failure, Help};
use throng_lab::worker::Message;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// Why a command did not come to its normal end.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong; say what.
    Failure(Failure),
    /// The result was printed, and it is not that all is well.
    Answered(Class),
    /// Help or version was asked for.
    Text(String),
    /// The reader of our output has closed it: `throng ... | head`.
    ClosedPipe,
}

impl<F: Into<Failure>> From<F> for Stop {
    fn from(failure: F) -> Self {
        Stop::Failure(failure.into())
    }
}

impl Stop {
    /// A wrong flag or parameter, with a way out.
    pub fn usage(message: impl Into<String>, help: impl Into<Help>) -> Self {
        Stop::Failure(Failure::new(Class::Usage, message).with_help(help))
    }

    /// Standard output could not be written.
    pub fn writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::ClosedPipe,
            _ => Stop::Failure(Failure::new(
                Class::BadInput,
                format!("standard output cannot be written: {error}"),
            )),
        }
    }
}

/// Reports how the program ended, as a message and an exit code.
pub fn exit_code(ended: Result<Result<(), Stop>, Box<dyn Any + Send>>) -> ExitCode {
    match ended {
        Ok(Ok(()) | Err(Stop::ClosedPipe)) => ExitCode::SUCCESS,
        Ok(Err(Stop::Answered(class))) => class.code().into(),
        Ok(Err(Stop::Text(text))) => {
            // There is no other place to report that the help text cannot be written.
            let _ = anstream::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Ok(Err(Stop::Failure(failure))) => {
            report(&failure);
            failure.class.code().into()
        }
        // The panic hook has spoken.
        Err(_) => Class::Internal.code().into(),
    }
}

/// Whether failures are told as messages to a parent process.
static AS_JSON: AtomicBool = AtomicBool::new(false);

/// Tells failures as messages to a parent process from now on.
pub fn report_as_json() {
    AS_JSON.store(true, Ordering::Relaxed);
}

/// Says why, on standard error.
pub fn report(failure: &Failure) {
    if AS_JSON.load(Ordering::Relaxed) {
        let _ = io::stderr().write_all(Message::Failed(failure.into()).line().as_bytes());
        return;
    }
    let mut text = format!("{ERROR}error:{ERROR:#} {}\n", failure.message);
    if let Some(help) = &failure.help {
        text.push_str(&format!("{HELP}help:{HELP:#} {help}\n"));
    }
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Turns a bug of ours into a short message. The panic's own text may quote data, so it is shown only to who
/// asks for a backtrace.
pub fn report_panics() {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    let in_full = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if throng_data::formats::is_decoding_parquet() {
            return;
        }
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            in_full(panic);
        }
        if REPORTED.swap(true, Ordering::Relaxed) {
            return;
        }
        let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        report(
            &Failure::new(
                Class::Internal,
                format!("internal: this is a bug in throng {}{place}", env!("CARGO_PKG_VERSION")),
            )
            .with_help("nothing was released; run again with RUST_BACKTRACE=1 and report what it says"),
        );
    }));
}
