//! The workbench: the same power without a terminal.
//!
//! An HTTP API on loopback, the embedded web app, and jobs that run as child processes of the same program. Everything
//! stays on the machine.
//!
//! * `platform`: who asks, connections, sessions, jobs, storage, the log: nothing of what is served.
//! * `workbench`: a folder for each screen, with its handlers and its routes.
//! * `serve`: puts both together and runs them.

#![allow(unused_qualifications, reason = "the macro that describes handlers writes full paths")]

mod platform;
mod serve;
mod workbench;

// A server: how to run one, and where it keeps its files.
pub use platform::log::LogFormat;
pub use serve::{Ended, Occasion, Options, serve};
pub use workbench::project::home::{usual as usual_data_directory, way_in};

// What other commands of the program do for it.
pub use workbench::start::bundle::unpack_bundle;
pub use workbench::working_table::{READ_TABLE, read_for_parent};

// Where it stores rows.
pub use platform::storage;
