//! What any server of this program needs, whatever it serves: who asks, how a request comes in and an answer goes out, how work is
//! queued, how rows are stored.
//!
//! Nothing here knows of projects, data or releases: a module that does belongs to [`workbench`](crate::workbench).

// Who asks.
pub mod connections;
pub mod guard;
pub mod handoff;
pub mod principal;
pub mod secrets;
pub mod service;
pub mod sessions;

// Requests and answers.
pub mod assets;
pub mod extract;
pub mod log;
pub mod openapi;
pub mod problem;
pub mod streamed;
pub mod upload;

// Work and rows.
pub mod jobs;
pub mod storage;
