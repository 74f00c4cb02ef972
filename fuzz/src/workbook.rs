//! Workbooks: archives of XML parts.
//!
//! The bytes are an archive as they are, or a text from which one is made: a line `=== NAME` begins a part. So a change reaches the XML, where
//! it would only break the sums of a packed archive.

use std::io::{Cursor, Write};

use throng_data::formats::{Format, ReadOptions};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::events;

/// Parts that a text may have.
const MAX_PARTS: usize = 32;

/// Events in the one sheet that holds something.
pub fn events(bytes: &[u8]) {
    let archive = if bytes.starts_with(b"PK") { Some(bytes.to_vec()) } else { packed(bytes) };
    if let Some(archive) = archive {
        events::read(Format::Workbook, "events.xlsx", &archive, &ReadOptions::default());
    }
}

/// An archive of the parts of a text.
pub(crate) fn packed(text: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(b"=== ").and_then(|name| std::str::from_utf8(name.trim_ascii()).ok()) {
            Some(name) if parts.len() < MAX_PARTS => parts.push((name.to_owned(), Vec::new())),
            _ => parts.last_mut()?.1.extend_from_slice(line),
        }
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        // A name that is there twice is refused.
        archive.start_file(name, SimpleFileOptions::default()).ok()?;
        archive.write_all(content.trim_ascii_end()).ok()?;
    }
    Some(archive.finish().ok()?.into_inner())
}
