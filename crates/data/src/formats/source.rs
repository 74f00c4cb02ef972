//! Where data come from: a file, a pipe, standard input or memory, decompressed on the way; or columns that are in memory already.
//!
//! # Guarantees
//! An input is opened once, and [`Source::digest`] is the fingerprint of the bytes that were read. What cannot be read
//! again (a pipe, standard input) refuses to be opened a second time instead of giving what is left of it. A file in a `.zip` is
//! unpacked in memory, and refused where it would need more of it than [`Limit::Whole`]; whatever is packed ends at
//! [`Limit::Unpacked`].

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::digest::{Digest, Seen, Watched};
use super::error::{Defect, InputError, OverLimit};
use super::frame::Frame;
use super::stream::Stream;
use super::zipped::{self, Zipped};
use crate::limits::Limit;

/// An input, named as the user named it. Copies of it stand for the same input.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    place: Place,
    seen: Arc<Seen>,
}

/// The same place by the same name; what was read of it does not matter.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.place == other.place
    }
}

impl Eq for Source {}

/// A file by its path. Whatever else it is cannot be found again by another process.
impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.path().map(Path::to_str) {
            Some(Some(path)) => serializer.serialize_str(path),
            Some(None) => Err(ser::Error::custom("a path that is no text cannot be written down")),
            None => Err(ser::Error::custom("an input that is no file cannot be written down")),
        }
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let path = String::deserialize(deserializer)?;
        match path.is_empty() {
            true => Err(de::Error::custom("a file without a name")),
            false => Ok(Source::file(path)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    File(PathBuf),
    Stdin,
    Memory(Arc<[u8]>),
    Frame(Held),
}

/// A frame is the same as itself and its copies.
#[derive(Debug, Clone)]
struct Held(Arc<Frame>);

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Held {}

impl Source {
    /// What a user typed: `-` is standard input, anything else a path.
    pub fn parse(text: &str) -> Self {
        if text == "-" {
            return Source::of("-", Place::Stdin);
        }
        Source::file(text)
    }

    /// A file.
    pub fn file(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        Source::of(&path.display().to_string(), Place::File(path.to_owned()))
    }

    /// Bytes that are already in memory, with the name that errors and format guessing should use.
    pub fn memory(name: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        Source::of(name, Place::Memory(bytes.into()))
    }

    /// Columns that are already in memory, with the name that errors should use.
    pub fn frame(name: &str, frame: Frame) -> Self {
        Source::of(name, Place::Frame(Held(Arc::new(frame))))
    }

    /// The columns, unless the input is bytes.
    pub(super) fn columns(&self) -> Option<Arc<Frame>> {
        match &self.place {
            Place::Frame(Held(frame)) => Some(Arc::clone(frame)),
            Place::File(_) | Place::Stdin | Place::Memory(_) => None,
        }
    }

    fn of(name: &str, place: Place) -> Self {
        Source { name: name.to_owned(), place, seen: Arc::default() }
    }

    /// SHA-256 of the bytes as stored, if they were read to the end; of columns in memory, as a file of them has it.
    pub fn digest(&self) -> Option<Digest> {
        self.columns().map(|frame| frame.digest()).or_else(|| self.seen.digest())
    }

    /// Whether its first line says that it was cut from the data ([`CUT_FROM_DATA`](super::CUT_FROM_DATA)), if it was read as a list.
    pub fn is_cut_from_data(&self) -> bool {
        self.seen.is_cut_from_data()
    }

    pub(super) fn say_cut_from_data(&self) {
        self.seen.say_cut_from_data();
    }

    /// Whether this is standard input.
    pub fn is_stdin(&self) -> bool {
        self.place == Place::Stdin
    }

    /// Whether the bytes come through a channel that has no name of its own: standard input, or `<(command)` of a shell.
    pub fn is_unnamed(&self) -> bool {
        self.is_stdin() || ["/dev/fd/", "/proc/self/fd/"].iter().any(|place| self.name.starts_with(place))
    }

    /// Whether the bytes can be had again: a pipe and standard input give them once. What is not there counts as a file,
    /// for its reader to report.
    pub fn is_lasting(&self) -> bool {
        match &self.place {
            Place::Memory(_) | Place::Frame(_) => true,
            Place::Stdin => false,
            Place::File(path) => path.is_file() || !path.exists(),
        }
    }

    /// The same input in memory, as stored, for callers that read it more than once.
    pub fn held(&self) -> Result<Source, InputError> {
        if let Place::Memory(_) | Place::Frame(_) = &self.place {
            return Ok(self.clone());
        }
        let (mut raw, _) = self.stored()?;
        let mut bytes = Vec::new();
        raw.read_to_end(&mut bytes)
            .map_err(|source| InputError::file(&self.name, Defect::Read { after: 0, source }))?;
        Ok(Source::of(&self.name, Place::Memory(bytes.into())))
    }

    /// The name for messages: the path as given, or `-`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file's path, unless the input is not a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Stdin | Place::Memory(_) | Place::Frame(_) => None,
        }
    }

    /// The extension in lower case, below that of a compression: `csv` for `trips.csv.gz`.
    pub fn extension(&self) -> Option<String> {
        let name = self.name.to_lowercase();
        let plain = PACKINGS.iter().find_map(|(_, end)| name.strip_suffix(end)).unwrap_or(&name);
        Some(Path::new(plain).extension()?.to_str()?.to_owned())
    }

    /// The bytes as stored, and how many there are, if that is known.
    fn stored(&self) -> Result<(Box<dyn Read + Send>, Option<u64>), InputError> {
        let opened = |source| InputError::file(&self.name, Defect::Open { source });
        // Asked before opening: opening a named pipe would wait until another process writes to it again.
        if self.seen.is_spent() {
            return Err(InputError::file(&self.name, Defect::Spent));
        }
        Ok(match &self.place {
            Place::File(path) => {
                let file = File::open(path).map_err(opened)?;
                let meta = file.metadata().map_err(opened)?;
                if meta.is_dir() {
                    return Err(opened(io::Error::from(io::ErrorKind::IsADirectory)));
                }
                if !meta.is_file() {
                    self.seen.spend();
                }
                (Box::new(file), meta.is_file().then_some(meta.len()))
            }
            Place::Stdin => {
                self.seen.spend();
                if STDIN_TAKEN.swap(true, Ordering::Relaxed) {
                    return Err(InputError::file(&self.name, Defect::Spent));
                }
                (Box::new(io::stdin()), None)
            }
            Place::Memory(bytes) => (Box::new(Cursor::new(Arc::clone(bytes))), Some(bytes.len() as u64)),
            Place::Frame(Held(frame)) => {
                // As a file of it, for readers that want bytes.
                let mut bytes = Vec::new();
                frame.write(&mut bytes).map_err(opened)?;
                let total = bytes.len() as u64;
                (Box::new(Cursor::new(bytes)), Some(total))
            }
        })
    }

    /// Opens the stream and undoes compression. The content's first bytes decide; a name that promises
    /// compression its content does not have is an error.
    pub fn open(&self) -> Result<Stream, InputError> {
        let opened = |source| InputError::file(&self.name, Defect::Open { source });
        let (raw, total) = self.stored()?;
        let consumed = Arc::new(AtomicU64::new(0));
        let mut watched = Watched::new(raw, Arc::clone(&consumed), Arc::clone(&self.seen));
        let mut magic = Vec::new();
        (&mut watched).take(6).read_to_end(&mut magic).map_err(opened)?;
        let mut buffered = BufReader::with_capacity(BUFFER, Cursor::new(magic.clone()).chain(watched));
        let name = self.name.to_lowercase();
        let packing = Packing::of(&magic);
        let reader: Box<dyn Read + Send> = match packing {
            Some(Packing::Gzip) => Box::new(Bounded::new(MultiGzDecoder::new(buffered))),
            Some(Packing::Zstd) => {
                Box::new(Bounded::new(zstd::Decoder::with_buffer(buffered).map_err(opened)?))
            }
            Some(Packing::Xz) => Box::new(Bounded::new(XzReader::new(buffered, true))),
            Some(Packing::Bzip2) => Box::new(Bounded::new(MultiBzDecoder::new(buffered))),
            Some(Packing::Zip) => {
                let stored = self.within_limit(&mut buffered)?;
                match zipped::unpack(&self.name, stored)? {
                    Zipped::File(bytes) | Zipped::Workbook(bytes) => Box::new(Cursor::new(bytes)),
                }
            }
            None => {
                if let Some((named, _)) = PACKINGS.iter().find(|(_, end)| name.ends_with(end)) {
                    return Err(InputError::file(&self.name, Defect::NotCompressed { named }));
                }
                Box::new(buffered)
            }
        };
        Ok(Stream::new(&self.name, reader, consumed, total, packing.is_some()))
    }

    /// All bytes of a reader, unless they are too many to be held in memory.
    fn within_limit(&self, reader: &mut impl Read) -> Result<Vec<u8>, InputError> {
        let (mut bytes, limit) = (Vec::new(), Limit::Whole.now());
        reader
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|source| InputError::file(&self.name, Defect::Read { after: 0, source }))?;
        if bytes.len() as u64 > limit {
            return Err(InputError::file(&self.name, Defect::Limit(Limit::Whole)));
        }
        Ok(bytes)
    }
}

/// Standard input is one for the whole program, whatever sources name it.
static STDIN_TAKEN: AtomicBool = AtomicBool::new(false);

const BUFFER: usize = 128 << 10;

/// Ways to pack a file, as they are called, and the ends of names that promise them.
const PACKINGS: [(&str, &str); 5] =
    [("gzip", ".gz"), ("zstd", ".zst"), ("xz", ".xz"), ("bzip2", ".bz2"), ("zip", ".zip")];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Zip,
}

impl Packing {
    /// By the first bytes of a file.
    fn of(magic: &[u8]) -> Option<Packing> {
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
struct Bounded<R> {
    reader: R,
    left: u64,
}

impl<R> Bounded<R> {
    fn new(reader: R) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(source: &Source) -> Vec<u8> {
        source.open().unwrap().read_all().unwrap()
    }

    #[test]
    fn content_decides_about_compression_and_names_must_agree() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"a,b\n").unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = zstd::encode_all(&b"a,b\n"[..], 1).unwrap();
        let twice = [gzip.clone(), gzip.clone()].concat();
        assert_eq!(all(&Source::memory("t.csv.gz", gzip.clone())), b"a,b\n");
        assert_eq!(all(&Source::memory("t.csv", gzip)), b"a,b\n");
        assert_eq!(all(&Source::memory("t.csv.gz", twice)), b"a,b\na,b\n");
        assert_eq!(all(&Source::memory("-", zstd)), b"a,b\n");
        let lie = Source::memory("t.csv.zst", &b"a,b\n"[..]).open().unwrap_err();
        assert_eq!(lie.to_string(), "`t.csv.zst`: named as zstd data, but its content is not");
    }

    #[test]
    fn extensions_are_looked_up_below_compression() {
        assert_eq!(Source::parse("a/Trips.CSV.gz").extension().as_deref(), Some("csv"));
        assert_eq!(Source::parse("trips").extension(), None);
        assert_eq!(Source::parse("-").name(), "-");
    }
}
