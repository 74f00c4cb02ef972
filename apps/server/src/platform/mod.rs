//! What any server of this program needs, whatever it serves: who asks, how a request comes in and an answer goes out, how work is
//! queued, how rows are stored.
//!
//! Nothing here knows of projects, data or releases: a module that does belongs to [`workbench`](crate::workbench).

pub mod assets;
pub mod connections;
pub mod extract;
pub mod guard;
pub mod handoff;
pub mod jobs;
pub mod log;
pub mod openapi;
pub mod principal;
pub mod problem;
pub mod secrets;
pub mod service;
pub mod sessions;
pub mod storage;
pub mod streamed;
pub mod upload;
