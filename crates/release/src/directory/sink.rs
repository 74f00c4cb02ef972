//! A file that is fingerprinted while it is written.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::DirectoryError;

/// Passes bytes on and keeps their SHA-256.
pub struct HashingWriter<W> {
    inner: W,
    hash: Sha256,
}

impl<W: Write> HashingWriter<W> {
    /// Hashes what passes through.
    pub fn new(inner: W) -> Self {
        HashingWriter { inner, hash: Sha256::new() }
    }

    /// The fingerprint of all bytes so far, in hexadecimal.
    pub fn fingerprint(self) -> String {
        hexadecimal(&self.hash.finalize())
    }
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Writes a small file and returns its fingerprint.
pub fn write_text(path: &Path, text: &str) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = HashingWriter::new(File::create(path).map_err(fail)?);
    file.write_all(text.as_bytes()).map_err(fail)?;
    Ok(file.fingerprint())
}

/// The fingerprint of a file as it lies on disk.
pub fn hash_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// Bytes as lower-case digits, two each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_and_what_lies_on_disk_have_one_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        let written = write_text(&path, "abc").unwrap();
        // The first test vector of the standard (FIPS 180-2, appendix B.1).
        assert_eq!(written, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash_file(&path).unwrap(), written);
    }
}
