//! How the letters of a text file are stored: UTF-8 inside, whatever came.
//!
//! A byte order mark decides. Without one, text that is valid UTF-8 is that; two bytes a letter show by their zeros; anything else that
//! is text is read as Windows-1252, which holds Latin-1. What was found is said, since other encodings of eight bits look the same.

use std::fmt;
use std::io::{self, Read};

use encoding_rs::{Decoder, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An encoding of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(UTF_8);

    /// The encoding of a name such as `latin1`, `windows-1252` or `utf-16`.
    pub fn parse(name: &str) -> Option<Encoding> {
        encoding_rs::Encoding::for_label(name.trim().as_bytes()).map(Encoding)
    }

    /// Its usual name, in lower case.
    pub fn name(self) -> String {
        self.0.name().to_lowercase()
    }

    /// The encoding of a text that begins like this, or that is this as a whole.
    pub fn guess(head: &[u8], whole: bool) -> Encoding {
        if let Some((marked, _)) = encoding_rs::Encoding::for_bom(head) {
            return Encoding(marked);
        }
        match head {
            [0, 1..=255, ..] if every_other_is_zero(head, 0) => return Encoding(UTF_16BE),
            [1..=255, 0, ..] if every_other_is_zero(head, 1) => return Encoding(UTF_16LE),
            _ => {}
        }
        match std::str::from_utf8(head) {
            Ok(_) => Encoding::UTF_8,
            // A letter that is cut at the end of the sample.
            Err(error) if error.error_len().is_none() && !whole => Encoding::UTF_8,
            // No text has such bytes: its reader shall say where they are.
            Err(_) if head.iter().any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)) => Encoding::UTF_8,
            Err(_) => Encoding(WINDOWS_1252),
        }
    }
}

/// Whether most letters at the beginning are such that two bytes have a zero in this place, and none in the other.
fn every_other_is_zero(head: &[u8], place: usize) -> bool {
    let pairs = head[..head.len().min(256)].chunks_exact(2);
    let all = pairs.len();
    pairs.filter(|pair| pair[place] == 0 && pair[1 - place] != 0).count() * 2 > all
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Encoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Encoding::parse(&name).ok_or_else(|| de::Error::custom("there is no such encoding"))
    }
}

/// Reads text of another encoding as UTF-8. A byte order mark is dropped; what means nothing becomes the replacement character.
pub(super) struct Decoding<R> {
    inner: R,
    decoder: Decoder,
    /// Bytes that were read and not decoded.
    stored: Vec<u8>,
    /// Text that was decoded and not handed on.
    text: Vec<u8>,
    given: usize,
    ended: bool,
}

const STEP: usize = 64 << 10;

impl<R: Read> Decoding<R> {
    pub fn new(inner: R, encoding: Encoding) -> Self {
        let decoder = encoding.0.new_decoder_with_bom_removal();
        Decoding { inner, decoder, stored: Vec::new(), text: Vec::new(), given: 0, ended: false }
    }

    fn decode_more(&mut self) -> io::Result<()> {
        self.given = 0;
        self.text.clear();
        let got = (&mut self.inner).take(STEP as u64).read_to_end(&mut self.stored)?;
        let last = got < STEP;
        let room = self.decoder.max_utf8_buffer_length(self.stored.len()).unwrap_or(STEP);
        self.text.resize(room.max(16), 0);
        let (_, read, written, _) = self.decoder.decode_to_utf8(&self.stored, &mut self.text, last);
        self.text.truncate(written);
        self.stored.drain(..read);
        self.ended = last && self.stored.is_empty();
        Ok(())
    }
}

impl<R: Read> Read for Decoding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            if self.ended {
                return Ok(0);
            }
            self.decode_more()?;
        }
        let step = buffer.len().min(self.text.len() - self.given);
        buffer[..step].copy_from_slice(&self.text[self.given..self.given + step]);
        self.given += step;
        Ok(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, String) {
        let encoding = Encoding::guess(bytes, true);
        let mut text = String::new();
        Decoding::new(bytes, encoding).read_to_string(&mut text).unwrap();
        (encoding.name(), text)
    }

    #[test]
    fn what_text_is_written_in_is_found() {
        let found = |bytes: &[u8]| decoded(bytes);
        assert_eq!(found("café".as_bytes()), ("utf-8".to_owned(), "café".to_owned()));
        assert_eq!(found(b"caf\xe9"), ("windows-1252".to_owned(), "café".to_owned()));
        assert_eq!(found(b"\xff\xfec\0a\0"), ("utf-16le".to_owned(), "ca".to_owned()));
        assert_eq!(found(b"\xfe\xff\0c\0a"), ("utf-16be".to_owned(), "ca".to_owned()));
        assert_eq!(found(b"c\0a\0"), ("utf-16le".to_owned(), "ca".to_owned()));
        assert_eq!(found(b"\xef\xbb\xbfc"), ("utf-8".to_owned(), "c".to_owned()));
    }

    #[test]
    fn bytes_that_are_no_text_are_left_for_their_reader_to_refuse() {
        assert_eq!(Encoding::guess(b"a\xff\x01b", true), Encoding::UTF_8);
        // The last letter is cut.
        assert_eq!(Encoding::guess(b"caf\xc3", false), Encoding::UTF_8);
    }

    #[test]
    fn long_text_is_decoded_in_steps() {
        let bytes: Vec<u8> = (0..200_000).map(|at| if at % 7 == 0 { 0xe9 } else { b'a' }).collect();
        let (_, text) = decoded(&bytes);
        assert_eq!(text.chars().count(), bytes.len());
    }
}
