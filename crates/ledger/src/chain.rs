//! The lines of a ledger, each sealed and tied to the one before.
//!
//! A line is a JSON object that ends with its own fingerprint: `...,"sha256":"HEX"}`. The fingerprint covers every byte
//! before `,"sha256"`, among them `previous`, the fingerprint of the line before (64 zeros in the first line).
//!
//! # Guarantees
//! A line that was edited no longer fits its fingerprint; one that was replaced with a fitting fingerprint, or removed, no
//! longer fits the line after it. What a chain alone cannot show is that lines are missing at the end, or that someone
//! wrote the whole ledger anew.

use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::entry::{Entry, SCHEMA, SCHEMA_0_1_0};
use throng_release::directory::hexadecimal;

/// What the first line has in place of a fingerprint of the line before.
pub const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

const SEAL: &str = ",\"sha256\":\"";

/// A ledger as read.
#[derive(Debug, Clone, Default)]
pub struct Chain {
    /// The entries that can be read, in order, whatever is wrong with them.
    pub entries: Vec<Entry>,
    /// What is wrong, in the order of lines.
    pub faults: Vec<(usize, Fault)>,
    /// Number of bytes behind the last complete line: a line that was being written when something went wrong.
    pub torn: Option<usize>,
    /// Complete lines.
    pub lines: usize,
    /// Fingerprint of the last complete line, if it has one.
    pub last: Option<String>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// No entry.
    #[error("cannot be read")]
    Unreadable,
    /// Of another version.
    #[error("has another form than `{SCHEMA}`")]
    Schema,
    /// It does not fit its own fingerprint.
    #[error("was changed after it was written")]
    Changed,
    /// It was not written behind the line that now stands before it.
    #[error("does not follow the line before it: that line was replaced, or lines were removed or moved")]
    Unlinked,
}

impl Chain {
    /// Reads the lines of a ledger and checks them.
    pub fn read(text: &[u8]) -> Self {
        let mut chain = Chain::default();
        let mut expected = Some(BEGINNING.to_owned());
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let Some(line) = line.strip_suffix(b"\n") else {
                chain.torn = Some(line.len());
                break;
            };
            chain.lines += 1;
            let number = chain.lines;
            let (entry, seal) = match open(line) {
                Ok(opened) => opened,
                Err(fault) => {
                    chain.faults.push((number, fault));
                    expected = None;
                    chain.last = None;
                    continue;
                }
            };
            if !seal.fits {
                chain.faults.push((number, Fault::Changed));
            }
            // Behind a line that cannot be read, any predecessor is believed: the fault was named already.
            let follows = expected.is_none_or(|expected| expected == entry.previous);
            if !follows || entry.number != number as u64 {
                chain.faults.push((number, Fault::Unlinked));
            }
            expected = Some(seal.sha256.clone());
            chain.last = Some(seal.sha256);
            chain.entries.push(entry);
        }
        chain
    }

    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.faults.is_empty() && self.torn.is_none()
    }
}

/// An entry as a sealed line, without its end.
pub fn seal(entry: &Entry) -> String {
    let text = serde_json::to_string(entry).expect("an entry has string keys only");
    let body = text.strip_suffix('}').unwrap_or(&text);
    format!("{body}{SEAL}{}\"}}", fingerprint(body.as_bytes()))
}

struct Seal {
    sha256: String,
    fits: bool,
}

fn open(line: &[u8]) -> Result<(Entry, Seal), Fault> {
    let text = std::str::from_utf8(line).map_err(|_| Fault::Unreadable)?;
    let value: serde_json::Value = serde_json::from_str(text).map_err(|_| Fault::Unreadable)?;
    let known = |schema: &str| [SCHEMA, SCHEMA_0_1_0].contains(&schema);
    if value.get("schema").and_then(|schema| schema.as_str()).is_some_and(|schema| !known(schema)) {
        return Err(Fault::Schema);
    }
    let entry = serde_json::from_value(value).map_err(|_| Fault::Unreadable)?;
    let (body, tail) = text.rsplit_once(SEAL).ok_or(Fault::Unreadable)?;
    let sha256 = tail.strip_suffix("\"}").ok_or(Fault::Unreadable)?.to_owned();
    let fits = fingerprint(body.as_bytes()) == sha256;
    Ok((entry, Seal { sha256, fits }))
}

fn fingerprint(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::entry;
    use super::*;

    fn lines(count: u64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut previous = BEGINNING.to_owned();
        for number in 1..=count {
            let line = seal(&Entry { number, previous, ..entry() });
            previous = line.rsplit('"').nth(1).unwrap().to_owned();
            lines.push(line);
        }
        lines
    }

    fn read(lines: &[String]) -> Chain {
        Chain::read(lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes())
    }

    #[test]
    fn an_untouched_ledger_is_whole() {
        let chain = read(&lines(4));
        assert!(chain.is_whole());
        assert_eq!((chain.entries.len(), chain.lines), (4, 4));
        assert_eq!(
            chain.entries[2],
            Entry { number: 3, previous: chain.entries[2].previous.clone(), ..entry() }
        );
        assert!(Chain::read(b"").is_whole());
    }

    #[test]
    fn the_line_that_was_edited_is_named() {
        for at in 0..4 {
            let mut lines = lines(4);
            lines[at] = lines[at].replace("\"people\":", "\"people\":9");
            assert_eq!(read(&lines).faults, [(at + 1, Fault::Changed)]);
        }
    }

    #[test]
    fn a_line_with_a_seal_made_anew_does_not_fit_the_next() {
        let mut lines = lines(3);
        let chain = read(&lines);
        let forged = Entry { directory: "elsewhere".to_owned(), ..chain.entries[1].clone() };
        lines[1] = seal(&forged);
        assert_eq!(read(&lines).faults, [(3, Fault::Unlinked)]);
    }

    #[test]
    fn lines_that_were_removed_or_moved_are_missed() {
        let mut gone = lines(3);
        gone.remove(0);
        assert_eq!(read(&gone).faults[0], (1, Fault::Unlinked));
        let mut moved = lines(3);
        moved.swap(0, 1);
        assert!(!read(&moved).is_whole());
    }

    #[test]
    fn every_torn_end_is_noticed_and_the_lines_before_it_are_kept() {
        let text: String = lines(2).iter().map(|line| format!("{line}\n")).collect();
        let first = text.find('\n').unwrap() + 1;
        for end in first + 1..text.len() {
            let chain = Chain::read(&text.as_bytes()[..end]);
            assert_eq!((chain.entries.len(), chain.torn), (1, Some(end - first)), "cut at {end}");
        }
    }

    #[test]
    fn a_line_that_is_no_entry_is_named_and_the_others_are_read() {
        let mut lines = lines(3);
        lines[1] = "not JSON".to_owned();
        let chain = read(&lines);
        assert_eq!(chain.faults, [(2, Fault::Unreadable)]);
        assert_eq!(chain.entries.len(), 2);
        lines[1] = r#"{"schema":"throng-ledger/9"}"#.to_owned();
        assert_eq!(read(&lines).faults, [(2, Fault::Schema)]);
    }
}
