//! The secret under which people's names and private files are hashed: 32 random bytes beside the ledger, for its owner's eyes only.
//!
//! Without it no one can ask the ledger whether some name is in it, or whether a guess of the data is right. With ledger, key and a name, anyone can.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use throng_data::formats::Digest as FileDigest;

use super::LedgerError;
use throng_release::directory::hexadecimal;
use throng_release::salt::keyed_fingerprint;

const BYTES: usize = 32;

/// The secret of one ledger.
pub struct Key([u8; BYTES]);

impl Key {
    /// The key beside a ledger; it is made when there is none yet.
    pub fn beside(ledger: &Path) -> Result<Self, LedgerError> {
        let path = place(ledger);
        match fs::read_to_string(&path) {
            Ok(text) => {
                refuse_readable_by_others(&path)?;
                parse(text.trim()).map(Key).ok_or(LedgerError::BadKey { path })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Key::create(&path),
            Err(error) => Err(LedgerError::io(&path, error)),
        }
    }

    /// The key beside a ledger, if there is one that can be used.
    pub fn find(ledger: &Path) -> Option<Self> {
        let text = fs::read_to_string(place(ledger)).ok()?;
        parse(text.trim()).map(Key)
    }

    fn create(path: &Path) -> Result<Self, LedgerError> {
        let fail = |error| LedgerError::io(path, error);
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| fail(io::Error::other(error)))?;
        let parent = path.parent().unwrap_or(Path::new("."));
        // A temporary file is readable by its owner only, and so is the key it becomes.
        let mut file = tempfile::Builder::new().prefix(".key-").tempfile_in(parent).map_err(fail)?;
        writeln!(file, "{}", hexadecimal(&bytes)).map_err(fail)?;
        file.as_file().sync_all().map_err(fail)?;
        match file.persist_noclobber(path) {
            Ok(_) => Ok(Key(bytes)),
            // Another run was faster: its key is the ledger's.
            Err(lost) if lost.error.kind() == io::ErrorKind::AlreadyExists => {
                let text = fs::read_to_string(path).map_err(fail)?;
                parse(text.trim()).map(Key).ok_or_else(|| LedgerError::BadKey { path: path.to_owned() })
            }
            Err(lost) => Err(fail(lost.error)),
        }
    }

    /// A name as a number that means nothing without the key.
    pub fn hash(&self, name: &str) -> u64 {
        // The key stands on both sides, so that no hash is the beginning of another one.
        let digest = Sha256::new().chain_update(self.0).chain_update(name).chain_update(self.0).finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        u64::from_be_bytes(first)
    }

    /// The fingerprint of a file, which tells nothing to readers without the key.
    pub fn fingerprint_of(&self, digest: &FileDigest) -> String {
        keyed_fingerprint(&self.0, digest)
    }

    /// Tells keys apart without giving them away.
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::new().chain_update(b"throng: key of a ledger").chain_update(self.0).finalize();
        hexadecimal(&digest[..8])
    }

    #[cfg(test)]
    pub(crate) fn of(byte: u8) -> Self {
        Key([byte; BYTES])
    }
}

fn place(ledger: &Path) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(".key");
    PathBuf::from(name)
}

fn parse(text: &str) -> Option<[u8; BYTES]> {
    let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect();
    (digits.len() == 2 * BYTES).then(|| bytes.try_into().ok()).flatten()
}

#[cfg(unix)]
fn refuse_readable_by_others(path: &Path) -> Result<(), LedgerError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map_err(|error| LedgerError::io(path, error))?.permissions().mode();
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(LedgerError::OpenKey { path: path.to_owned() }),
    }
}

#[cfg(not(unix))]
fn refuse_readable_by_others(_: &Path) -> Result<(), LedgerError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_made_once_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.jsonl");
        let made = Key::beside(&ledger).unwrap();
        let read = Key::beside(&ledger).unwrap();
        assert_eq!(made.hash("anna"), read.hash("anna"));
        assert_ne!(made.hash("anna"), Key::of(0).hash("anna"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = place(&ledger);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(matches!(Key::beside(&ledger), Err(LedgerError::OpenKey { .. })));
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.jsonl");
        Key::beside(&ledger).unwrap();
        for text in ["", "00", "x".repeat(64).as_str(), "0".repeat(66).as_str()] {
            fs::write(place(&ledger), text).unwrap();
            assert!(matches!(Key::beside(&ledger), Err(LedgerError::BadKey { .. })), "{text}");
        }
    }
}
