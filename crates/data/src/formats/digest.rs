//! The fingerprint of an input: SHA-256 of its bytes as stored, taken while they are read.
//!
//! An input is read once. The caller asks its [`Source`](super::Source) afterwards which file was read, and
//! gets the fingerprint of the very bytes that were parsed: not of a file that changed in between, and not of what
//! was left in a pipe.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use sha2::{Digest as _, Sha256};

/// SHA-256 of some bytes. Shown in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The fingerprint of bytes in memory.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha256::digest(bytes).into())
    }

    /// The fingerprint of what is written; all zeros where writing fails, which hashing does not.
    pub(super) fn of_written(write: impl FnOnce(&mut Hashing) -> io::Result<()>) -> Self {
        let mut hashing = Hashing(Sha256::new());
        write(&mut hashing).map_or(Digest([0; 32]), |()| Digest(hashing.0.finalize().into()))
    }

    /// The fingerprint that was written as 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> =
            text.chars().map(|letter| letter.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
        let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
        bytes.try_into().ok().filter(|_| digits.len() == 64).map(Digest)
    }

    /// The fingerprint itself.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Takes the fingerprint of what is written to it.
pub(super) struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is known of an input's bytes: shared by all copies of a source, and by the streams that read from it.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Of the latest reading that came to the end.
    digest: Mutex<Option<Digest>>,
    /// Whether it cannot be read again, because its bytes came and went.
    spent: AtomicBool,
    /// Whether its first line says that it was cut from the data.
    cut_from_data: AtomicBool,
}

impl Seen {
    pub fn digest(&self) -> Option<Digest> {
        self.digest.lock().ok().and_then(|digest| *digest)
    }

    fn set(&self, digest: Option<Digest>) {
        if let Ok(mut known) = self.digest.lock() {
            *known = digest;
        }
    }

    /// Remembers that the bytes come once.
    pub fn spend(&self) {
        self.spent.store(true, Ordering::Relaxed);
    }

    /// Remembers what the first line says.
    pub fn say_cut_from_data(&self) {
        self.cut_from_data.store(true, Ordering::Relaxed);
    }

    pub fn is_cut_from_data(&self) -> bool {
        self.cut_from_data.load(Ordering::Relaxed)
    }

    pub fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }
}

/// Reads bytes as stored, counts them and takes their fingerprint.
pub(super) struct Watched<R> {
    inner: R,
    consumed: Arc<AtomicU64>,
    hash: Option<Sha256>,
    seen: Arc<Seen>,
}

impl<R: Read> Watched<R> {
    pub fn new(inner: R, consumed: Arc<AtomicU64>, seen: Arc<Seen>) -> Self {
        // A reading that is begun and not finished leaves no fingerprint, not that of the one before.
        seen.set(None);
        Watched { inner, consumed, hash: Some(Sha256::new()), seen }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.consumed.fetch_add(got as u64, Ordering::Relaxed);
        if let Some(hash) = &mut self.hash {
            hash.update(&buffer[..got]);
        }
        if got == 0
            && !buffer.is_empty()
            && let Some(hash) = self.hash.take()
        {
            self.seen.set(Some(Digest(hash.finalize().into())));
        }
        Ok(got)
    }
}
