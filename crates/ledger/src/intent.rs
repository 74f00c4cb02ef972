//! What a run is about to publish, written down before it does.
//!
//! A release and its line are two files, and a run may die between them. So the line is drafted first, into a file beside the ledger; then the release gets
//! its name; then the line is appended, and the draft removed. [`Ledger::settle`] finds the drafts of runs that are gone: where the release has its name, the
//! line is appended; where it has not, the draft is forgotten.
//!
//! Which it is, the manifest tells: two releases of the same data may have the same bytes (records of few kinds in the same order by chance), but the secret
//! of a run is in the fingerprints of its manifest.
//!
//! # Guarantees
//! A release that has its name is in the ledger, or will be before the next one begins. A draft holds what a line holds, and is its owner's alone. A run that
//! lives holds a lock on its draft; drafts are made and settled under the lock of the ledger, so that none is settled before it is locked.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::{Key, Ledger, LedgerError};
use throng_release::directory::{MANIFEST, hash_file, hexadecimal};

const SUFFIX: &str = ".intent-";

/// What is written down: a line, and by which manifest its release is known.
#[derive(Serialize, Deserialize)]
struct Draft {
    #[serde(flatten)]
    entry: Entry,
    /// Absent in drafts of version 0.2.0 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    manifest_sha256: Option<String>,
}

/// The draft of a line, of a run that lives.
#[derive(Debug)]
pub struct Intent {
    path: PathBuf,
    _locked: File,
}

/// What became of a draft whose run is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// The release had its name: it is in the ledger now.
    Recorded {
        /// Its number.
        number: u64,
        /// Where it was written.
        directory: String,
    },
    /// The release never got its name.
    Forgotten,
}

impl Settled {
    /// The number of the release that is in the ledger now.
    pub fn number(&self) -> Option<u64> {
        match self {
            Settled::Recorded { number, .. } => Some(*number),
            Settled::Forgotten => None,
        }
    }
}

impl Intent {
    /// The line was appended, or the release was not published: the draft is of no use any more.
    pub fn settle(self) {
        // What cannot be removed now is looked at by the next run, which finds the line or no release.
        let _ = fs::remove_file(&self.path);
    }
}

impl Ledger {
    /// Writes down what is about to be published: an entry, and the fingerprint of its manifest as it is staged.
    pub fn intend(&self, entry: &Entry, manifest_sha256: &str) -> Result<Intent, LedgerError> {
        let _ledger = self.open_to_append()?;
        let mut name = [0; 8];
        getrandom::fill(&mut name)
            .map_err(|error| LedgerError::io(self.path(), std::io::Error::other(error)))?;
        let path = self.beside(&format!("{SUFFIX}{}", hexadecimal(&name)));
        let fail = |error| LedgerError::io(&path, error);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(fail)?;
        let draft = Draft { entry: entry.clone(), manifest_sha256: Some(manifest_sha256.to_owned()) };
        let text = serde_json::to_string(&draft).expect("an entry has string keys only");
        let written = file
            .lock()
            .and_then(|()| file.write_all(text.as_bytes()))
            .and_then(|()| file.sync_all())
            .and_then(|()| sync_folder(&path));
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(fail(error));
        }
        Ok(Intent { path, _locked: file })
    }

    /// Brings to an end what runs that are gone began to publish. A torn last line is theirs, and set aside.
    pub fn settle(&self) -> Result<Vec<Settled>, LedgerError> {
        // Without a draft nothing is opened, let alone made.
        if self.intents().is_empty() {
            return Ok(Vec::new());
        }
        let mut ledger = self.open_to_append()?;
        let mut settled = Vec::new();
        for path in self.intents() {
            let Ok(mut file) = File::open(&path) else { continue };
            if file.try_lock().is_err() {
                continue;
            }
            let mut text = String::new();
            // A draft that cannot be read was never whole, and nothing is published before it is.
            let drafted =
                file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str::<Draft>(&text).ok());
            settled.push(match drafted.filter(Draft::has_its_name) {
                None => Settled::Forgotten,
                Some(draft) => {
                    self.mend_locked(&mut ledger)?;
                    let (number, directory) = self.record_once(&mut ledger, draft.entry)?;
                    Settled::Recorded { number, directory }
                }
            });
            fs::remove_file(&path).map_err(|error| LedgerError::io(&path, error))?;
        }
        Ok(settled)
    }

    /// Appends a drafted line, unless the run came as far as that.
    fn record_once(&self, ledger: &mut File, mut entry: Entry) -> Result<(u64, String), LedgerError> {
        let directory = entry.directory.clone();
        entry.fingerprint_linkage(&Key::beside(self.path())?);
        let chain = self.read_locked(ledger)?;
        let same = |known: &&Entry| {
            known.when == entry.when && known.directory == directory && known.release == entry.release
        };
        if let Some(known) = chain.entries.iter().rev().find(same) {
            return Ok((known.number, directory));
        }
        let (entry, _) = self.append_locked(ledger, entry)?;
        Ok((entry.number, directory))
    }

    fn intents(&self) -> Vec<PathBuf> {
        let Some(name) = self.path().file_name() else { return Vec::new() };
        let prefix = format!("{}{SUFFIX}", name.to_string_lossy());
        let folder = self.path().parent().filter(|folder| !folder.as_os_str().is_empty());
        let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found
    }
}

impl Draft {
    /// Whether its release lies where it was to be published.
    fn has_its_name(&self) -> bool {
        let directory = Path::new(&self.entry.directory);
        let release = &self.entry.release;
        let is_there = |name: &str, sha256: &String| {
            hash_file(&directory.join(name)).is_ok_and(|found| found == *sha256)
        };
        release.sha256.as_ref().is_some_and(|sha256| is_there(&release.path, sha256))
            && self.manifest_sha256.as_ref().is_none_or(|sha256| is_there(MANIFEST, sha256))
    }
}

/// A name is on the disk when its folder is.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    match path.parent().filter(|folder| cfg!(unix) && !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::OutputFile;
    use super::super::entry::tests::entry;
    use super::*;

    /// The fingerprint of the manifest that lies beside a release here.
    const EMPTY: &str = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

    /// A ledger, and the draft of a release in a folder, which has its name or has not.
    fn world(published: bool) -> (tempfile::TempDir, Ledger, Entry) {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("out");
        let bytes = b"record,item\n1,a\n";
        let other = home.path().join("bytes");
        fs::write(&other, bytes).unwrap();
        if published {
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join("release.csv"), bytes).unwrap();
            fs::write(directory.join(MANIFEST), "{}").unwrap();
        }
        let release = OutputFile { path: "release.csv".to_owned(), sha256: hash_file(&other).ok() };
        let draft = Entry { directory: directory.display().to_string(), release, linkage: None, ..entry() };
        let ledger = Ledger::at(home.path().join("ledger.jsonl"));
        ledger.append(entry()).unwrap();
        (home, ledger, draft)
    }

    #[test]
    fn a_run_that_died_behind_its_release_is_finished_once() {
        let (_home, ledger, draft) = world(true);
        drop(ledger.intend(&draft, EMPTY).unwrap());
        let recorded = Settled::Recorded { number: 2, directory: draft.directory.clone() };
        assert_eq!(ledger.settle().unwrap(), std::slice::from_ref(&recorded));
        assert!(ledger.settle().unwrap().is_empty());
        let chain = ledger.read().unwrap();
        assert!(chain.is_whole() && chain.entries[1].directory == draft.directory);

        // It came as far as the line, and not to the draft's end.
        let intent =
            ledger.intend(&Entry { when: chain.entries[1].when.clone(), ..draft.clone() }, EMPTY).unwrap();
        drop(intent);
        assert_eq!(ledger.settle().unwrap(), [recorded]);
        assert_eq!(ledger.read().unwrap().entries.len(), 2);
    }

    #[test]
    fn a_torn_line_of_such_a_run_is_set_aside() {
        let (home, ledger, draft) = world(true);
        drop(ledger.intend(&draft, EMPTY).unwrap());
        let mut text = fs::read(ledger.path()).unwrap();
        text.extend_from_slice(b"{\"schema\":\"thro");
        fs::write(ledger.path(), text).unwrap();
        assert_eq!(ledger.settle().unwrap().len(), 1);
        assert!(ledger.read().unwrap().is_whole());
        assert!(home.path().join("ledger.jsonl.torn-1").exists());
    }

    #[test]
    fn a_run_that_died_before_its_release_had_a_name_is_forgotten() {
        let (home, ledger, draft) = world(false);
        drop(ledger.intend(&draft, EMPTY).unwrap());
        fs::write(home.path().join("ledger.jsonl.intent-0"), "{ torn").unwrap();
        assert_eq!(ledger.settle().unwrap(), [Settled::Forgotten, Settled::Forgotten]);
        assert_eq!(ledger.read().unwrap().entries.len(), 1);
        assert!(ledger.intents().is_empty());
    }

    #[test]
    fn an_earlier_release_with_the_same_bytes_is_another_one() {
        let (home, ledger, draft) = world(true);
        fs::write(home.path().join("out").join(MANIFEST), "{\"earlier\": true}").unwrap();
        drop(ledger.intend(&draft, EMPTY).unwrap());
        assert_eq!(ledger.settle().unwrap(), [Settled::Forgotten]);
        assert_eq!(ledger.read().unwrap().entries.len(), 1);
    }

    #[test]
    fn a_draft_of_an_earlier_version_is_known_by_its_release_alone() {
        let (home, ledger, draft) = world(true);
        let text = serde_json::to_string(&draft).unwrap();
        fs::write(home.path().join("ledger.jsonl.intent-0"), text).unwrap();
        assert_eq!(ledger.settle().unwrap()[0].number(), Some(2));
    }

    #[test]
    fn the_draft_of_a_run_that_lives_is_left_alone_and_readable_by_its_owner_only() {
        let (_home, ledger, draft) = world(true);
        let intent = ledger.intend(&draft, EMPTY).unwrap();
        assert!(ledger.settle().unwrap().is_empty());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&intent.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        intent.settle();
        assert!(ledger.intents().is_empty());
    }
}
