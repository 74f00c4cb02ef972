//! Runs `throng` in a directory of its own and says what came out.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A salt, for runs that are to be repeated byte for byte.
pub const SALT: &str = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";

/// A scratch directory in which `throng` is run.
pub struct Desk {
    home: TempDir,
    /// The ledger of releases lies outside, as it does at home.
    ledger: TempDir,
}

/// What a run printed, with paths and timings made the same everywhere.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Desk {
    pub fn new() -> Self {
        Desk { home: tempfile::tempdir().unwrap(), ledger: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The file of the ledger.
    pub fn ledger(&self) -> PathBuf {
        self.ledger.path().join("ledger.jsonl")
    }

    /// Names in the directory, hidden ones included, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The program with these arguments, not yet started.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(words(line)).current_dir(self.home.path()).env_clear().stdin(Stdio::null());
        command.env("THRONG_LEDGER", self.ledger());
        command
    }

    /// What a user types, as a shell understands it, with the program in the path and nothing of the user's own.
    pub fn shell(&self, typed: &str) -> Output {
        let bin = std::path::Path::new(env!("CARGO_BIN_EXE_throng")).parent().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-ec", typed]).current_dir(self.home.path()).env_clear().stdin(Stdio::null());
        shell.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).env("THRONG_LEDGER", self.ledger());
        shell.output().unwrap()
    }

    /// Runs `throng LINE`; quotes in the line work as in a shell.
    pub fn run(&self, line: &str) -> Ran {
        self.ran(&self.command(line).output().unwrap())
    }

    /// What a run printed, with this desk's paths made the same everywhere.
    pub fn ran(&self, output: &Output) -> Ran {
        let paths = [(self.home.path(), "HOME"), (self.ledger.path(), "LEDGER")];
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            paths.iter().fold(text, |text, (path, name)| text.replace(&path.display().to_string(), name))
        };
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Runs it and insists that it succeeds.
    pub fn ok(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "throng {line}\n{}", ran.stderr);
        ran
    }

    /// Runs it and insists on an exit code.
    pub fn fails(&self, line: &str, code: i32) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, code, "throng {line}\n{}{}", ran.stdout, ran.stderr);
        ran
    }
}

impl Ran {
    /// Everything a user sees, for a snapshot.
    pub fn all(&self) -> String {
        let mut text = String::new();
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                let _ = writeln!(text, "--- {name}\n{}", timeless(stream).trim_end());
            }
        }
        let _ = write!(text, "--- exit code {}", self.code);
        text
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// Splits a command line at blanks, keeping what stands in quotes together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Replaces what differs from run to run: seconds, speeds, fingerprints, versions.
pub fn timeless(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut kept: Vec<String> = Vec::new();
        for word in words {
            let unit = word.trim_end_matches(['.', ',', ';', ')']);
            let number = kept.last().is_some_and(|last| {
                let digits = last.trim_start_matches('(').replace([',', '.'], "");
                !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
            });
            if number && matches!(unit, "s" | "ms" | "MB/s" | "seconds") {
                let last = kept.last_mut().unwrap();
                *last = if last.starts_with('(') { "(#".to_owned() } else { "#".to_owned() };
            }
            kept.push(word);
        }
        lines.push(kept.join(" "));
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text.replace(concat!("throng ", env!("CARGO_PKG_VERSION")), "throng VERSION")
}
