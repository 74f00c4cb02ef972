//! How another `throng open` reaches the server that already runs on a data directory.
//!
//! The server leaves its address and a key in the data directory, which only its owner can read. A command that has the
//! key may hand it a file and gets an address with a fresh token, as if it had been printed in the terminal.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failure, Help};

use super::principal::Principal;
use super::secrets::{same, secret};

/// The file in the data directory.
const NOTE: &str = "server.json";
/// Where the server listens to it.
pub const PATH: &str = "/door";
/// The header that carries the key.
const KEY: &str = "x-throng-key";
/// How long the other command waits: large files are copied meanwhile.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Where a server is and the key that lets a command in.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    address: SocketAddr,
    key: String,
}

/// The note of a running server; it disappears with it.
#[derive(Debug)]
pub struct Handoff {
    path: PathBuf,
    key: String,
    announced: AtomicBool,
}

impl Handoff {
    /// Leaves the note.
    pub fn announce(data_directory: &Path, address: SocketAddr) -> Result<Self, Failure> {
        let (path, key) = (data_directory.join(NOTE), secret()?);
        let write = || -> std::io::Result<()> {
            // A temporary file is its owner's alone, and stays so under its new name.
            let mut file = tempfile::Builder::new().prefix(".server-").tempfile_in(data_directory)?;
            serde_json::to_writer(&mut file, &Note { address, key: key.clone() })?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map_err(|error| {
            Failure::new(Class::BadInput, format!("`{}` cannot be written: {error}", path.display()))
                .with_help("look at the space left on the disk, or give another directory with `--data-dir`")
        })?;
        Ok(Handoff { path, key, announced: AtomicBool::new(true) })
    }

    /// The principal of a request that carries the key: the command runs as the user whose data directory it is.
    pub fn principal(&self, headers: &HeaderMap) -> Option<Principal> {
        let given = headers.get(KEY).and_then(|value| value.to_str().ok()).unwrap_or_default();
        same(given, &self.key).then(Principal::local)
    }

    /// Takes the note away, once: a later one is that of the next server.
    ///
    /// A server that stops calls this while the data directory is still its own. Dropping is not enough: requests that are
    /// being worked on hold the workbench, and the process may end before they do.
    pub fn withdraw(&self) {
        if self.announced.swap(false, Ordering::Relaxed) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Drop for Handoff {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// A file to be opened.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// Its path.
    pub file: PathBuf,
}

/// The address to open.
#[derive(Debug, Serialize, Deserialize)]
pub struct Opened {
    /// With a fresh token, and the screen to begin with.
    pub address: String,
}

/// The problem that the server answered with.
#[derive(Debug, Deserialize)]
struct Refusal {
    detail: String,
    help: Option<Help>,
}

/// Where the server of a data directory says it is; the server may be gone.
pub fn running(data_directory: &Path) -> Option<SocketAddr> {
    note(data_directory).map(|note| note.address)
}

fn note(data_directory: &Path) -> Option<Note> {
    serde_json::from_slice(&fs::read(data_directory.join(NOTE)).ok()?).ok()
}

/// Hands a file to the server that runs on a data directory. `None` when none answers.
pub fn hand_over(data_directory: &Path, file: &Path) -> Result<Option<String>, Failure> {
    let Some(note) = note(data_directory) else { return Ok(None) };
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let body = serde_json::to_string(&Handover { file }).map_err(|_| {
        Failure::new(Class::Usage, "the name of the file is not text").with_help("rename the file")
    })?;
    let Some((status, text)) = send(&note, &body) else { return Ok(None) };
    if status == 200 {
        return Ok(serde_json::from_str::<Opened>(&text).ok().map(|opened| opened.address));
    }
    let refusal = serde_json::from_str(&text).unwrap_or_else(|_| Refusal {
        detail: format!("the workbench at {} refused with status {status}", note.address),
        help: None,
    });
    let class = if status == 401 { Class::Refused } else { Class::BadInput };
    let failure = Failure::new(class, refusal.detail);
    Err(match refusal.help {
        Some(help) => failure.with_help(help),
        None => failure,
    })
}

/// One request, small enough not to need a client library: HTTP/1.0, so that the answer ends with the connection.
fn send(note: &Note, body: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect_timeout(&note.address, Duration::from_secs(2)).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let address = note.address;
    let request = format!(
        "POST {PATH} HTTP/1.0\r\nHost: {address}\r\nOrigin: http://{address}\r\n{KEY}: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        note.key,
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let status = text.split(' ').nth(1)?.parse().ok()?;
    Some((status, text.split_once("\r\n\r\n")?.1.to_owned()))
}
