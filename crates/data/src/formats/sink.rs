//! Where bytes go: a file or standard output; compressed on the way, and all or nothing.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;
use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help};

use crate::staging::Passing;

/// A buffered writer that compresses when the name ends in `.gz` or `.zst`.
pub struct Sink<W: Write> {
    inner: Encoder<BufWriter<W>>,
}

enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Sink<W> {
    /// Wraps a writer; `name` decides about compression.
    pub fn new(writer: W, name: &Path) -> io::Result<Self> {
        let writer = BufWriter::with_capacity(128 << 10, writer);
        let extension = name.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase);
        let inner = match extension.as_deref() {
            Some("gz") => Encoder::Gzip(GzEncoder::new(writer, Compression::default())),
            Some("zst") => Encoder::Zstd(zstd::Encoder::new(writer, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            _ => Encoder::Plain(writer),
        };
        Ok(Sink { inner })
    }

    /// Writes what is still buffered, and the end of the compressed stream.
    pub fn finish(self) -> io::Result<W> {
        let buffered = match self.inner {
            Encoder::Plain(writer) => writer,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Zstd(encoder) => encoder.finish()?,
        };
        buffered.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.inner {
            Encoder::Plain(writer) => writer.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.inner {
            Encoder::Plain(writer) => writer.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
        }
    }
}

impl<W: Write> std::fmt::Debug for Sink<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sink").finish_non_exhaustive()
    }
}

/// Writes a file all at once: to a temporary file beside it, renamed when `write` succeeded. Nothing is left
/// when it failed, and an existing file is replaced only with `force`. `-` is standard output.
pub fn write_file<T>(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, OutputError>,
) -> Result<T, OutputError> {
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        let result =
            write(&mut out).and_then(|result| out.flush().map(|()| result).map_err(OutputError::from));
        return result.map_err(|error| error.at(path));
    }
    if !force && path.exists() {
        return Err(OutputError::Exists { path: path.to_owned() });
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let create = |source| OutputError::Create { path: path.to_owned(), source };
    Passing::sweep(folder, PREFIX, SUFFIX);
    let file = temporary(folder).map_err(create)?;
    let _passing = Passing::of(&file);
    let mut sink = Sink::new(file, path).map_err(create)?;
    let result = write(&mut sink).map_err(|error| error.at(path))?;
    let file = sink.finish().map_err(|error| OutputError::from(error).at(path))?;
    if force {
        file.persist(path).map_err(|error| create(error.error))?;
    } else {
        // Refuses a file that appeared in the meantime, too.
        file.persist_noclobber(path).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => OutputError::Exists { path: path.to_owned() },
            _ => create(error.error),
        })?;
    }
    Ok(result)
}

/// Around the name of a file that is not whole yet.
const PREFIX: &str = ".throng-";
const SUFFIX: &str = ".part";

/// A temporary file that others may read later, as far as the user's mask allows: it will be the result.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes a CSV field, in quotes only when it needs them.
pub fn write_field(writer: &mut (impl Write + ?Sized), field: &str) -> io::Result<()> {
    let special = |byte: u8| matches!(byte, b',' | b';' | b'\t' | b'"' | b'\n' | b'\r');
    if !field.bytes().any(special) {
        return writer.write_all(field.as_bytes());
    }
    writer.write_all(b"\"")?;
    for (number, part) in field.split('"').enumerate() {
        if number > 0 {
            writer.write_all(b"\"\"")?;
        }
        writer.write_all(part.as_bytes())?;
    }
    writer.write_all(b"\"")
}

/// Writes a CSV row. A row of one empty field is written `""`, or it would be an empty line.
pub fn write_row<'a>(
    writer: &mut (impl Write + ?Sized),
    fields: impl IntoIterator<Item = &'a str>,
) -> io::Result<()> {
    let mut written = 0;
    let mut only_empty = true;
    for field in fields {
        if written > 0 {
            writer.write_all(b",")?;
        }
        only_empty &= field.is_empty();
        write_field(writer, field)?;
        written += 1;
    }
    if written == 1 && only_empty {
        writer.write_all(b"\"\"")?;
    }
    writer.write_all(b"\n")
}

/// Why a file was not written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// It exists, and replacing it was not asked for.
    #[error("`{}` already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be created or put in place.
    #[error("`{}` cannot be created", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing stopped half-way; nothing was left behind.
    #[error("writing `{}` failed", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The work was cancelled; nothing was left behind.
    #[error("interrupted")]
    Cancelled,
}

impl OutputError {
    /// Names the file in an error that came from a bare writer.
    fn at(self, name: &Path) -> Self {
        match self {
            OutputError::Write { path, source } if path.as_os_str().is_empty() => {
                OutputError::Write { path: name.to_owned(), source }
            }
            other => other,
        }
    }
}

impl From<io::Error> for OutputError {
    fn from(source: io::Error) -> Self {
        OutputError::Write { path: PathBuf::new(), source }
    }
}

impl From<Cancelled> for OutputError {
    fn from(_: Cancelled) -> Self {
        OutputError::Cancelled
    }
}

impl Failing for OutputError {
    fn class(&self) -> Class {
        match self {
            OutputError::Exists { .. } => Class::Refused,
            OutputError::Create { .. } => Class::Usage,
            OutputError::Write { .. } => Class::Internal,
            OutputError::Cancelled => Class::Interrupted,
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            OutputError::Exists { .. } => Some("choose another name, or replace it with {force}".into()),
            OutputError::Create { .. } => {
                Some("check that the folder exists and that you may write to it".into())
            }
            OutputError::Write { .. } => Some("check that the disk is not full".into()),
            OutputError::Cancelled => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Source;

    fn csv(fields: &[&str]) -> String {
        let mut out = Vec::new();
        write_row(&mut out, fields.iter().copied()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_fields_that_need_quotes_get_them() {
        assert_eq!(csv(&["a b", "5\" x", "1,5", ""]), "a b,\"5\"\" x\",\"1,5\",\n");
        assert_eq!(csv(&[""]), "\"\"\n");
    }

    #[test]
    fn a_file_is_compressed_as_its_name_says_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.csv", "a.csv.gz", "a.csv.zst"] {
            let path = folder.path().join(name);
            write_file(&path, false, |out| Ok(out.write_all(b"text")?)).unwrap();
            assert_eq!(Source::file(&path).open().unwrap().read_all().unwrap(), b"text");
        }
    }

    #[test]
    fn a_failed_write_leaves_nothing_and_an_existing_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let refused = write_file(&path, false, |_| Ok(())).unwrap_err();
        assert_eq!(refused.class(), Class::Refused);
        let failed = write_file(&path, true, |out| {
            out.write_all(b"half")?;
            Err::<(), _>(OutputError::Cancelled)
        });
        assert_eq!(failed.unwrap_err().class(), Class::Interrupted);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write_file(&path, true, |out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
