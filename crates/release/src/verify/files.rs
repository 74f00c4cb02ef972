//! Every file of a release directory: what is judged, what is compared, and what lies there besides.
//!
//! A directory is published as a whole, so a verdict on some of its files says nothing of the others. A file of a release's own kind
//! that does not belong to this one (`records.csv` beside chunks) breaks the answer; a file of any other kind cannot be judged, and the
//! answer says so by name. Copies for spreadsheets are compared cell by cell with what they are copies of.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use throng_data::formats::{Source, parquet_rows};

use crate::directory::{CLUSTERS, COPIES, DATA_FILES, ITEMS, MANIFEST, REPORT};
use crate::manifest::Manifest;
use crate::published::Published;
use crate::spreadsheet::is_run_by_spreadsheets;

/// So many files are named.
const SHOWN: usize = 20;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Lying {
    /// What does not belong to the release, each as a sentence.
    pub strays: Vec<String>,
    /// What cannot be judged, each as a sentence.
    pub not_judged: Vec<String>,
    /// The files that were judged, or compared with one that was.
    pub judged: Vec<String>,
}

impl Lying {
    /// Looks at everything that lies in the directory.
    pub fn of(directory: &Path, published: &Published, manifest: Option<&Manifest>) -> Self {
        let mut lying = Lying::default();
        let own = own_files(published);
        let listed: BTreeSet<&str> =
            manifest.iter().flat_map(|manifest| &manifest.outputs).map(|file| file.name.as_str()).collect();
        for name in &listed {
            let mut parts = Path::new(name).components();
            if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
                || name.contains('\\')
            {
                lying.strays.push(format!("it lists `{}`, which is no file of this directory", shape(name)));
            }
        }
        let Ok(entries) = std::fs::read_dir(directory) else { return lying };
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        for name in &names {
            let is_file = directory.join(name).is_file();
            let known = own.iter().any(|own| own == name);
            if known && is_file {
                lying.judged.push(name.clone());
                if manifest.is_some() && !listed.contains(name.as_str()) {
                    lying.strays.push(format!("it does not list `{name}`, which is published"));
                }
            } else if is_file && DATA_FILES.contains(&name.as_str()) {
                lying.strays.push(format!("`{name}` lies beside a release that it does not belong to"));
            } else if let Some((_, original)) = COPIES.into_iter().find(|(copy, _)| is_file && name == copy) {
                match original.iter().find(|name| own.iter().any(|own| own == *name)) {
                    Some(original) if is_copy(&directory.join(name), &directory.join(original)) => {
                        lying.judged.push(name.clone());
                    }
                    _ => lying.strays.push(format!("`{name}` is no copy of a file of this release")),
                }
            } else if name == MANIFEST
                || (name == REPORT && is_file && (manifest.is_none() || listed.contains(REPORT)))
            {
                // What the manifest says is looked up; a report is a page about it.
            } else if is_file && super::certificate::lies_at(&directory.join(name)) {
                lying.judged.push(name.clone());
            } else {
                let what = if is_file { "file" } else { "folder" };
                lying.not_judged.push(format!("the {what} `{}`: no promise speaks of it", shape(name)));
            }
        }
        let more = lying.not_judged.len().saturating_sub(SHOWN);
        if more > 0 {
            lying.not_judged.truncate(SHOWN);
            lying.not_judged.push(format!("{more} more files and folders: no promise speaks of them"));
        }
        lying
    }
}

/// The files that this release is read from.
fn own_files(published: &Published) -> Vec<String> {
    let events = published.events.as_ref().and_then(Source::path).and_then(Path::file_name);
    let mut own: Vec<String> = events.map(|name| name.to_string_lossy().into_owned()).into_iter().collect();
    own.extend(published.attributes.iter().map(|attributes| attributes.name.to_owned()));
    own.extend(published.counts.iter().map(|counts| counts.name.to_owned()));
    own.extend(published.chunks.iter().map(|_| CLUSTERS.to_owned()));
    own.extend(published.items.digest.map(|_| ITEMS.to_owned()));
    own
}

/// Whether every cell of the copy is that of the file, or that cell behind an apostrophe where a spreadsheet would run it.
fn is_copy(copy: &Path, file: &Path) -> bool {
    let source = Source::file(file);
    let rows = match file.extension().is_some_and(|extension| extension == "parquet") {
        true => parquet_rows(&source),
        false => Ok(source),
    };
    let read = |source: Source| source.open().and_then(|mut stream| stream.read_all());
    let (Ok(Ok(file)), Ok(copy)) = (rows.map(read), read(Source::file(copy))) else { return false };
    let reader = |bytes| csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let (mut file, mut copy) = (reader(&file[..]), reader(&copy[..]));
    let (mut rows, mut copied) = (file.byte_records(), copy.byte_records());
    loop {
        match (rows.next(), copied.next()) {
            (None, None) => return true,
            (Some(Ok(row)), Some(Ok(copied))) if row.len() == copied.len() => {
                let same = row.iter().zip(&copied).all(|(cell, copied)| {
                    let runs = std::str::from_utf8(cell).is_ok_and(is_run_by_spreadsheets);
                    cell == copied || (runs && copied.strip_prefix(b"'") == Some(cell))
                });
                if !same {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// A name as it may be quoted: it comes with the directory, and may be long.
fn shape(name: &str) -> String {
    let cut: String =
        name.chars().take(60).map(|letter| if letter.is_control() { '?' } else { letter }).collect();
    if cut.len() < name.len() { format!("{cut}...") } else { cut }
}
