//! Answers that are sent while they are written: whole files, whatever their size.

use std::io::{self, Write};

use axum::body::{Body, Bytes};
use futures_util::stream;
use tokio::sync::mpsc::{self, Sender};

/// Bytes sent at a time.
const CHUNK: usize = 64 << 10;
/// Chunks under way: a slow reader holds the writer up, not the memory.
const UNDER_WAY: usize = 4;

/// A body that `write` fills, on a thread where that may take its time. It breaks off where writing fails.
pub fn body(write: impl FnOnce(&mut Outlet) -> io::Result<()> + Send + 'static) -> Body {
    let (chunks, arriving) = mpsc::channel::<io::Result<Bytes>>(UNDER_WAY);
    tokio::task::spawn_blocking(move || {
        let mut outlet = Outlet { chunks, buffer: Vec::with_capacity(CHUNK) };
        if let Err(error) = write(&mut outlet).and_then(|()| outlet.flush()) {
            // The client may be gone.
            let _ = outlet.chunks.blocking_send(Err(error));
        }
    });
    Body::from_stream(stream::unfold(arriving, |mut arriving| async move {
        arriving.recv().await.map(|chunk| (chunk, arriving))
    }))
}

/// Where a streamed answer is written to.
#[derive(Debug)]
pub struct Outlet {
    chunks: Sender<io::Result<Bytes>>,
    buffer: Vec<u8>,
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK));
        self.chunks.blocking_send(Ok(full.into())).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
