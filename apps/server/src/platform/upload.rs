//! A request's body, streamed to a file and cut off at the limit.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use futures_util::StreamExt;
use tempfile::NamedTempFile;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::platform::problem::Problem;

/// Begins the name of a file that is being uploaded.
pub const UPLOAD: &str = ".upload-";
/// Chunks under way between the network and the disk.
const UNDER_WAY: usize = 8;

/// How long an upload may stand still.
const STANDSTILL: Duration = Duration::from_secs(60);

/// Writes the body to a temporary file in `folder`. The caller gives it its name; otherwise it disappears.
pub async fn receive(body: Body, folder: &Path, limit: u64) -> Result<(NamedTempFile, u64), Problem> {
    let temporary = tempfile::Builder::new().prefix(UPLOAD).tempfile_in(folder)?;
    let file: File = temporary.reopen()?;
    let (chunks, mut arriving) = mpsc::channel::<axum::body::Bytes>(UNDER_WAY);
    let writing = tokio::task::spawn_blocking(move || -> std::io::Result<()> {
        let mut out = BufWriter::new(file);
        while let Some(chunk) = arriving.blocking_recv() {
            out.write_all(&chunk)?;
        }
        out.flush()
    });
    let mut size = 0_u64;
    let mut stream = body.into_data_stream();
    loop {
        let next = timeout(STANDSTILL, stream.next()).await;
        let Some(chunk) = next.map_err(|_| Problem::request("the upload stood still for too long"))? else {
            break;
        };
        let chunk = chunk.map_err(|_| Problem::request("the upload broke off"))?;
        size += chunk.len() as u64;
        if size > limit {
            return Err(Problem::too_large(limit));
        }
        // The writer has gone only when it failed; its error is reported below.
        if chunks.send(chunk).await.is_err() {
            break;
        }
    }
    drop(chunks);
    writing.await.map_err(|_| Problem::internal("the upload could not be written"))??;
    Ok((temporary, size))
}
