//! A workbench in a directory of its own, and a client small enough to send what no browser would.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A data directory that outlives servers.
pub struct Place {
    home: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Place { home: tempfile::tempdir().unwrap() }
    }

    pub fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The file of the ledger, in a folder that is made when it is needed.
    pub fn ledger(&self) -> PathBuf {
        self.home.path().join("share/throng/ledger.jsonl")
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(words).arg("--no-browser").arg("--data-dir").arg(self.data()).stdin(Stdio::null());
        // Nothing of the user's own: neither the ledger nor the data directory.
        command.env_clear().env("THRONG_LEDGER", self.ledger());
        command
    }

    pub fn serve(&self) -> Server {
        self.start(&["serve"])
    }

    pub fn start(&self, words: &[&str]) -> Server {
        Server::of(self.command(words).stderr(Stdio::null()))
    }
}

/// The next address that is printed, with its host and its token. A server that prints none in time is ended.
fn next_address(told: &mut impl BufRead, child: &Child) -> (String, String, String) {
    let (printed, waits) = mpsc::channel::<()>();
    let number = child.id().to_string();
    let watch = std::thread::spawn(move || {
        if waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &number]).status();
        }
    });
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    drop(printed);
    watch.join().unwrap();
    assert!(!line.is_empty(), "the workbench ended, or printed no address in {} s", PATIENCE.as_secs());
    let address = line.trim().to_owned();
    let (host, rest) = address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    let token = rest.split('#').next().unwrap().to_owned();
    (address.clone(), host.to_owned(), token)
}

/// A running server, ended when it is dropped.
pub struct Server {
    child: Child,
    told: BufReader<ChildStdout>,
    /// What our pages send as `Host`.
    pub host: String,
    /// Where it listens.
    pub socket: SocketAddr,
    pub token: String,
    pub cookie: String,
    pub address: String,
    ended: bool,
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}: {}", self.status, self.text()))
    }

    /// A refusal: the right status, told as a problem.
    pub fn refused(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.head);
        let problem = self.json();
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
        problem
    }
}

impl Server {
    /// Started by a command.
    pub fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let (address, host, token) = next_address(&mut told, &child);
        // This machine may not resolve names under `.localhost`; browsers do it themselves.
        let socket = match host.split_once(".localhost:") {
            Some((_, port)) => SocketAddr::from(([127, 0, 0, 1], port.parse().unwrap())),
            None => host.parse().unwrap(),
        };
        Server { child, told, host, socket, token, cookie: String::new(), address, ended: false }
    }

    /// A connection on which no read waits longer than a test may.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.socket).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes as they are and reads until the server closes.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut all = Vec::new();
        if let Err(error) = stream.read_to_end(&mut all) {
            let late = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
            assert!(!late, "waited {} s in vain for the end of an answer", PATIENCE.as_secs());
        }
        let split = all.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(all.len());
        let head = String::from_utf8_lossy(&all[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Answer { status, head, body: all.get(split + 4..).unwrap_or_default().to_vec() }
    }

    /// HTTP/1.0, so that answers come unchunked and connections close.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.0\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            request.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        request.push_str("\r\n");
        let mut bytes = request.into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes)
    }

    /// What our own page would send.
    pub fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        self.ask_raw(method, path, "application/json", &body)
    }

    pub fn ask_raw(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Answer {
        let origin = format!("http://{}", self.host);
        let headers = [
            ("Host", self.host.as_str()),
            ("Cookie", &self.cookie),
            ("Origin", &origin),
            ("Content-Type", kind),
        ];
        self.send(method, path, &headers, body)
    }

    pub fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    pub fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.ask("POST", path, Some(body));
        assert!((200..300).contains(&answer.status), "{path}: {}", answer.text());
        answer.json()
    }

    /// Exchanges the token for a cookie.
    pub fn enter(mut self) -> Self {
        let answer = self.send("GET", &format!("/?token={}", self.token), &[("Host", &self.host)], b"");
        assert_eq!(answer.status, 303, "{}", answer.text());
        self.cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        self
    }

    /// Waits for another address to be printed and returns its token.
    pub fn next_token(&mut self) -> String {
        next_address(&mut self.told, &self.child).2
    }

    pub fn upload(&self, name: &str, text: &str) -> Answer {
        self.ask_raw("POST", &format!("/api/projects/upload?name={name}"), "text/csv", text.as_bytes())
    }

    /// A project from a file; its address.
    pub fn project(&self, name: &str, text: &str) -> String {
        let answer = self.upload(name, text);
        assert_eq!(answer.status, 201, "{}", answer.text());
        format!("/api/projects/{}", answer.json()["id"].as_str().unwrap())
    }

    /// A project from a world; its address.
    pub fn world(&self, name: &str, subjects: u64) -> String {
        let project = self.post("/api/projects", serde_json::json!({ "world": name, "subjects": subjects }));
        format!("/api/projects/{}", project["id"].as_str().unwrap())
    }

    /// Waits until something holds.
    pub fn until(&self, path: &str, mut holds: impl FnMut(&Value) -> bool) -> Value {
        let what = format!("the right answer of {path}");
        wait_for(&what, || {
            let value = self.get(path);
            holds(&value).then_some(value)
        })
    }

    /// The data screen, once the file is read.
    pub fn data(&self, project: &str) -> Value {
        self.until(&format!("{project}/data"), |view| view["state"] != "loading")
    }

    /// The attacker curve, once it is there.
    pub fn risk(&self, project: &str, query: &str) -> Value {
        self.until(&format!("{project}/risk?{query}"), |risk| risk["state"] != "preparing")
    }

    /// Waits until a job ended.
    pub fn finish(&self, job: &Value) -> Value {
        let path = format!("/api/jobs/{}", job["id"].as_str().unwrap());
        self.until(&path, |job| !matches!(job["state"].as_str(), Some("queued" | "running")))
    }

    /// Ends it without a chance to tidy up.
    pub fn crash(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.ended = true;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A process that has ended may have given its number to another.
        if !self.ended {
            let _ = Command::new("kill").arg(self.child.id().to_string()).status();
            let _ = self.child.wait();
        }
    }
}

/// How long a test waits for an event before it fails. No event takes as long on any machine: only one that never comes does.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Waits for an event that is named, at most for [`PATIENCE`].
#[track_caller]
pub fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait(what, PATIENCE, look).unwrap_or_else(|late| panic!("{late}"))
}

fn wait<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Option<T>) -> Result<T, String> {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return Ok(found);
        }
        if began.elapsed() >= patience {
            return Err(format!("waited {} s in vain for {what}", patience.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_never_comes_is_named_and_not_waited_for_without_end() {
    let late = wait("the end of the world", Duration::ZERO, || None::<()>).unwrap_err();
    assert_eq!(late, "waited 0 s in vain for the end of the world");
    assert_eq!(wait("a number", Duration::ZERO, || Some(7)), Ok(7));
}

/// Processes whose command line holds a text.
pub fn processes(text: &str) -> usize {
    let named = |path: &Path| std::fs::read(path.join("cmdline")).unwrap_or_default();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter(|entry| String::from_utf8_lossy(&named(&entry.path())).contains(text)).count()
}
