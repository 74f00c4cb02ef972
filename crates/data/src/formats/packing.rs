//! How files are packed, told by their first bytes, and how much may be unpacked of them.

use std::io::{self, Read};

use super::error::OverLimit;
use crate::limits::Limit;

/// Ways to pack a file, as they are called, and the ends of names that promise them.
pub(super) const PACKINGS: [(&str, &str); 5] =
    [("gzip", ".gz"), ("zstd", ".zst"), ("xz", ".xz"), ("bzip2", ".bz2"), ("zip", ".zip")];

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Zip,
}

impl Packing {
    /// By the first bytes of a file.
    pub fn of(magic: &[u8]) -> Option<Packing> {
        let begins: [(Packing, &[u8]); 5] = [
            (Packing::Gzip, &[0x1f, 0x8b]),
            (Packing::Zstd, &[0x28, 0xb5, 0x2f, 0xfd]),
            (Packing::Xz, &[0xfd, b'7', b'z', b'X', b'Z', 0]),
            (Packing::Bzip2, b"BZh"),
            (Packing::Zip, b"PK\x03\x04"),
        ];
        begins.into_iter().find(|(_, bytes)| magic.starts_with(bytes)).map(|(packing, _)| packing)
    }
}

/// What is unpacked, up to the limit: a few bytes can hold as many as one likes.
pub(super) struct Bounded<R> {
    reader: R,
    left: u64,
}

impl<R> Bounded<R> {
    /// Up to [`Limit::Unpacked`].
    pub fn new(reader: R) -> Self {
        Bounded { reader, left: Limit::Unpacked.now() }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer)?;
        self.left =
            self.left.checked_sub(got as u64).ok_or_else(|| io::Error::other(OverLimit(Limit::Unpacked)))?;
        Ok(got)
    }
}
