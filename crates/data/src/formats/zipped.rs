//! Archives: a `.zip` with one file in it, and workbooks, which are archives too.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::error::{Defect, InputError};
use crate::limits::Limit;

/// What an archive holds.
pub(super) enum Zipped {
    /// One file, unpacked.
    File(Vec<u8>),
    /// A workbook (`.xlsx`, `.ods`), as it is stored.
    Workbook(Vec<u8>),
}

/// Looks into an archive. What was declared larger than what may be held in memory is refused before it is unpacked, and what
/// turns out larger while it is.
pub(super) fn unpack(name: &str, stored: Vec<u8>) -> Result<Zipped, InputError> {
    let limit = Limit::Whole.now();
    let damaged = |error: ZipError| InputError::file(name, Defect::Zip { what: error.to_string() });
    let mut archive = ZipArchive::new(Cursor::new(stored)).map_err(damaged)?;
    let names: Result<Vec<String>, ZipError> =
        archive.file_names().map(|name| name.map(|name| name.into_owned())).collect();
    let names = names.map_err(damaged)?;
    let sizes: Result<Vec<u64>, ZipError> =
        (0..archive.len()).map(|at| archive.by_index_raw(at).map(|file| file.size())).collect();
    let declared = sizes.map_err(damaged)?.iter().fold(0_u64, |all, size| all.saturating_add(*size));
    if declared > limit {
        return Err(InputError::file(name, Defect::Limit(Limit::Whole)));
    }
    let holds = |wanted: &str| names.iter().any(|name| name == wanted);
    if holds("xl/workbook.xml") || (holds("content.xml") && holds("mimetype")) {
        return Ok(Zipped::Workbook(archive.into_inner().into_inner()));
    }
    // What some programs pack beside the file that was meant.
    let beside =
        |name: &str| name.ends_with('/') || name.starts_with("__MACOSX/") || name.ends_with(".DS_Store");
    let files: Vec<&String> = names.iter().filter(|name| !beside(name)).collect();
    let [only] = files[..] else {
        return Err(InputError::file(name, Defect::SeveralFiles { count: files.len() }));
    };
    let mut bytes = Vec::new();
    let file = archive.by_name(only).map_err(damaged)?;
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|source| InputError::file(name, Defect::Read { after: 0, source }))?;
    if bytes.len() as u64 > limit {
        return Err(InputError::file(name, Defect::Limit(Limit::Whole)));
    }
    Ok(Zipped::File(bytes))
}
