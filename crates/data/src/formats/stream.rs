//! The bytes of an input one after the other, decompressed, with a count of them.

use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::encoding::{Decoding, Encoding};
use super::error::{Defect, InputError};
use crate::limits::Limit;

/// A decompressed stream that knows how far it is.
pub struct Stream {
    name: String,
    reader: Box<dyn Read + Send>,
    delivered: u64,
    stored: Stored,
}

/// What is known of the bytes under a stream.
pub(super) struct Stored {
    /// How many were consumed.
    pub consumed: Arc<AtomicU64>,
    /// How many there are, if known.
    pub total: Option<u64>,
    /// Whether they are compressed.
    pub compressed: bool,
}

impl Stream {
    /// What `reader` makes of the bytes that are stored.
    pub(super) fn new(name: &str, reader: Box<dyn Read + Send>, stored: Stored) -> Self {
        Stream { name: name.to_owned(), reader, delivered: 0, stored }
    }

    /// Other bytes in place of what is left of this stream, of which so much was consumed.
    pub(super) fn replaced(mut self, bytes: Vec<u8>) -> Stream {
        self.reader = Box::new(Cursor::new(bytes));
        self.delivered = 0;
        self
    }

    /// All bytes that are left, up to what may be held in memory, and the stream without them.
    pub(super) fn drained(mut self) -> Result<(Stream, Vec<u8>), InputError> {
        let bytes = self.read_within()?;
        Ok((self, bytes))
    }

    /// The same text in UTF-8.
    pub(super) fn decoded(mut self, encoding: Encoding) -> Stream {
        self.reader = Box::new(Decoding::new(self.reader, encoding));
        self
    }

    /// The next bytes, at most `limit` of them and fewer only at the end, without taking them: they are still to be read.
    pub(super) fn peek(&mut self, limit: usize) -> Result<Vec<u8>, InputError> {
        let mut head = Vec::new();
        let before = self.delivered;
        self.read_some(&mut head, limit)?;
        self.delivered = before;
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }

    /// Reads everything that is left, up to what may be held in memory.
    pub(super) fn read_within(&mut self) -> Result<Vec<u8>, InputError> {
        let mut all = Vec::new();
        let limit = usize::try_from(Limit::Whole.now()).unwrap_or(usize::MAX);
        if self.read_some(&mut all, limit)? == limit && self.read_some(&mut Vec::new(), 1)? == 1 {
            return Err(InputError::file(&self.name, Defect::Limit(Limit::Whole)));
        }
        Ok(all)
    }

    /// Reads up to `limit` more bytes into `buffer`; fewer only at the end of the stream.
    pub fn read_some(&mut self, buffer: &mut Vec<u8>, limit: usize) -> Result<usize, InputError> {
        let got = (&mut self.reader)
            .take(limit as u64)
            .read_to_end(buffer)
            .map_err(|source| InputError::file(&self.name, Defect::Read { after: self.delivered, source }))?;
        self.delivered += got as u64;
        Ok(got)
    }

    /// Reads everything that is left.
    pub fn read_all(&mut self) -> Result<Vec<u8>, InputError> {
        let mut all = Vec::new();
        self.read_some(&mut all, usize::MAX)?;
        Ok(all)
    }

    /// Decompressed bytes delivered so far.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Bytes of the input as stored that were consumed so far.
    pub fn consumed(&self) -> u64 {
        self.stored.consumed.load(Ordering::Relaxed)
    }

    /// Whether the input is compressed.
    pub fn is_compressed(&self) -> bool {
        self.stored.compressed
    }

    /// Bytes of the input as stored, if known.
    pub fn total(&self) -> Option<u64> {
        self.stored.total
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer)?;
        self.delivered += got as u64;
        Ok(got)
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("name", &self.name).field("delivered", &self.delivered).finish()
    }
}
