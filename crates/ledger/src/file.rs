//! The file of a ledger: locked while it is read or appended to, and on the disk before a run is over.
//!
//! # Guarantees
//! Entries are only ever added. Two programs that append at the same time do so one after the other. A line is written at
//! once and flushed to the disk; a crash in between leaves at most a torn last line, behind which nothing is written until
//! [`Ledger::mend`] has set it aside. A line that does not fit on the disk is taken back.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use throng_data::limits::Limit;

use super::chain::{BEGINNING, Chain, seal};
use super::entry::{Entry, SCHEMA};
use super::{Key, LedgerError, Settled};

/// A ledger on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The ledger in that file, which need not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Ledger { path: path.into() }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that an entry can be added, so that work does not begin whose end could not be recorded. What earlier runs left unfinished is
    /// brought to its end first.
    pub fn prepare(&self) -> Result<Vec<Settled>, LedgerError> {
        let settled = self.settle()?;
        let mut file = self.open_to_append()?;
        self.refuse_torn(&self.read_locked(&mut file)?)?;
        Key::beside(&self.path)?;
        Ok(settled)
    }

    /// Everything in it, checked. A ledger that does not exist is empty.
    pub fn read(&self) -> Result<Chain, LedgerError> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Chain::default()),
            Err(error) => return Err(self.fail(error)),
        };
        file.lock_shared().map_err(|error| self.fail(error))?;
        self.read_locked(&mut file)
    }

    /// Adds an entry, which gets its number and its link to the line before. Gives back everything before it, too.
    pub fn append(&self, entry: Entry) -> Result<(Entry, Chain), LedgerError> {
        self.append_locked(&mut self.open_to_append()?, entry)
    }

    /// The same with the file of [`Ledger::open_to_append`].
    pub(super) fn append_locked(
        &self,
        file: &mut File,
        mut entry: Entry,
    ) -> Result<(Entry, Chain), LedgerError> {
        let chain = self.read_locked(file)?;
        self.refuse_torn(&chain)?;
        // A draft of an earlier version becomes a line of this one.
        entry = entry.keyed(Key::find(&self.path).as_ref());
        SCHEMA.clone_into(&mut entry.schema);
        entry.number = chain.lines as u64 + 1;
        entry.previous = chain.last.clone().unwrap_or_else(|| BEGINNING.to_owned());
        let line = format!("{}\n", seal(&entry));
        let before = file.metadata().map_err(|error| self.fail(error))?.len();
        if let Err(error) = file.write_all(line.as_bytes()).and_then(|()| file.sync_all()) {
            // A full disk leaves no half line that would block those after it.
            let _ = file.set_len(before);
            return Err(self.fail(error));
        }
        Ok((entry, chain))
    }

    /// Moves a torn last line to a file beside the ledger, whose name is given back. `None` when nothing is torn.
    pub fn mend(&self) -> Result<Option<PathBuf>, LedgerError> {
        self.mend_locked(&mut self.open_to_append()?)
    }

    /// The same with the file of [`Ledger::open_to_append`].
    pub(super) fn mend_locked(&self, file: &mut File) -> Result<Option<PathBuf>, LedgerError> {
        let text = self.read_whole(file)?;
        let Some(torn) = Chain::read(&text).torn else { return Ok(None) };
        let whole = text.len() - torn;
        let aside = (1..).map(|number| self.beside(&format!(".torn-{number}"))).find(|path| !path.exists());
        let aside = aside.expect("there are more numbers than files");
        fs::write(&aside, &text[whole..]).map_err(|error| LedgerError::io(&aside, error))?;
        file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(|error| self.fail(error))?;
        Ok(Some(aside))
    }

    /// Opens the file for one writer, making it and its folder if they do not exist; both are their owner's alone.
    pub(super) fn open_to_append(&self) -> Result<File, LedgerError> {
        let fail = |error| self.fail(error);
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            private(&mut fs::DirBuilder::new()).recursive(true).create(folder).map_err(fail)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&self.path).map_err(fail)?;
        file.lock().map_err(fail)?;
        Ok(file)
    }

    /// All of it, unless it is more than may be held.
    fn read_whole(&self, file: &mut File) -> Result<Vec<u8>, LedgerError> {
        let mut text = Vec::new();
        file.rewind().map_err(|error| self.fail(error))?;
        let size = file.metadata().map_err(|error| self.fail(error))?.len();
        if !Limit::Ledger.allows(size) {
            return Err(LedgerError::Long { path: self.path.clone() });
        }
        file.read_to_end(&mut text).map_err(|error| self.fail(error))?;
        Ok(text)
    }

    pub(super) fn read_locked(&self, file: &mut File) -> Result<Chain, LedgerError> {
        let text = self.read_whole(file)?;
        let mut chain = Chain::read(&text);
        let key = Key::find(&self.path);
        chain.entries = chain.entries.into_iter().map(|entry| entry.keyed(key.as_ref())).collect();
        Ok(chain)
    }

    fn refuse_torn(&self, chain: &Chain) -> Result<(), LedgerError> {
        match chain.torn {
            None => Ok(()),
            Some(bytes) => Err(LedgerError::Torn { path: self.path.clone(), bytes }),
        }
    }

    pub(super) fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    }

    fn fail(&self, error: io::Error) -> LedgerError {
        LedgerError::io(&self.path, error)
    }
}

fn private(builder: &mut fs::DirBuilder) -> &mut fs::DirBuilder {
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
    builder
}

#[cfg(test)]
mod tests {
    use throng_contract::Failing;

    use super::super::entry::tests::entry;
    use super::*;

    #[test]
    fn entries_are_numbered_and_linked_by_several_writers_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::at(folder.path().join("deep/ledger.jsonl"));
        assert!(ledger.read().unwrap().is_whole());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..5).for_each(|_| drop(ledger.append(entry()).unwrap())));
            }
        });
        let chain = ledger.read().unwrap();
        assert!(chain.is_whole(), "{:?}", chain.faults);
        let numbers: Vec<u64> = chain.entries.iter().map(|entry| entry.number).collect();
        assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    }

    #[test]
    fn behind_a_torn_line_nothing_is_written_until_it_was_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::at(folder.path().join("ledger.jsonl"));
        ledger.append(entry()).unwrap();
        let whole = fs::read(ledger.path()).unwrap();
        let mut torn = whole.clone();
        torn.extend_from_slice(&whole[..100]);
        fs::write(ledger.path(), &torn).unwrap();

        let refused = ledger.prepare().unwrap_err();
        assert_eq!((refused.class().code(), ledger.append(entry()).is_err()), (7, true));
        assert!(refused.help().unwrap().to_string().contains("--mend"));
        assert_eq!(fs::read(ledger.path()).unwrap(), torn);

        let aside = ledger.mend().unwrap().unwrap();
        assert_eq!(fs::read(aside).unwrap(), whole[..100]);
        assert_eq!(ledger.mend().unwrap(), None);
        ledger.append(entry()).unwrap();
        assert!(ledger.read().unwrap().is_whole());
    }

    #[test]
    fn a_ledger_that_cannot_be_written_is_refused_with_a_way_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let refused = Ledger::at(file.join("ledger.jsonl")).prepare().unwrap_err();
        assert_eq!(refused.class().code(), 7);
        assert!(refused.help().unwrap().to_string().contains("--no-ledger"));
    }
}
