//! The workbench: the same power without a terminal.
//!
//! An HTTP API on loopback, the embedded web app, and jobs that run as child processes of the same program. Everything
//! stays on the machine.
//!
//! * Who may ask: `connections` (how many), `session` (a token becomes a cookie), `guard` (host, origin, headers), `handoff` (another
//!   command on this machine), `problem` (refusals); `log`.
//! * What is kept: `home` (files), `gates` (who writes or deletes them), `store` (the database), `workspace` (data in memory), `working_table` (the working table).
//! * One file for each resource: `projects`, `data_view`, `columns`, `edits`, `inputs`, `taxonomy`, `map`, `items`,
//!   `risk`, `play`, `fit`, `check`, `copy`, `jobs`, `results`, `differences`, `checklist`, `publish`, `ledger`, `catalogue`.
//! * `openapi`: all of it as routes, and their description.

#![allow(unused_qualifications, reason = "the macro that describes handlers writes full paths")]

mod assets;
mod bundle;
mod catalogue;
mod check;
mod checklist;
mod columns;
mod connections;
mod copy;
mod data_summary;
mod data_view;
mod described;
mod differences;
mod earlier_inputs;
mod edits;
mod entries;
mod extract;
mod fit;
mod flows;
mod format;
mod gates;
mod generate;
mod guard;
mod handoff;
mod hierarchies;
mod histogram;
mod home;
mod input_key;
mod input_rows;
mod inputs;
mod items;
mod jobs;
mod ledger;
mod log;
mod map;
mod members;
mod openapi;
mod patterns;
mod people;
mod play;
mod points;
mod problem;
mod projects;
mod publish;
mod reading;
mod release_rows;
mod releases;
mod results;
mod risk;
mod samples;
mod serve;
mod session;
mod store;
mod streamed;
mod taken;
mod taxonomy;
mod upload;
mod workbench;
mod working_table;
mod workspace;

pub use bundle::unpack_bundle;
pub use home::{usual as usual_data_directory, way_in};
pub use log::LogFormat;
pub use serve::{Ended, Occasion, Options, serve};
pub use working_table::{READ_TABLE, read_for_parent};
