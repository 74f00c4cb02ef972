//! The server's log, on standard error: what happened, when, and how it ended, one event a line.
//!
//! # Guarantees
//! Nothing personal: events carry words of ours, routes without what stood in their place, identifiers that the database made,
//! counts and times. Names of files, items or people, the text of a request and of an error are never part of one.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Level;

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// For people, and only what should not happen.
    #[default]
    Quiet,
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Begins to write. A process has one log: a later call changes nothing.
pub fn start(format: LogFormat) {
    let level = if format == LogFormat::Quiet { Level::WARN } else { Level::INFO };
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_ansi(false);
    let _ = match format {
        LogFormat::Quiet | LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).with_target(false).try_init(),
    };
}

/// Tells of a request once it is answered.
pub async fn requests(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    // The route as it is described, not as it was asked for: an address may hold a name.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("page", MatchedPath::as_str);
    let (status, milliseconds) = (response.status().as_u16(), began.elapsed().as_millis() as u64);
    match status {
        500.. => tracing::error!(%method, route, status, milliseconds, "request"),
        _ => tracing::info!(%method, route, status, milliseconds, "request"),
    }
    response
}
