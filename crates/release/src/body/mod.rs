//! How each body is published: the files it becomes, when nothing is left of it, and what may lie beside it.
//!
//! One file for each body. What cannot lie beside a body is refused before the work begins ([`admit`]): a method's descriptor
//! says which body it will publish.

mod chunks;
mod counts;
mod mixed;
mod output_files;
mod records;
mod table;

use throng_contract::{BodyKind, Class, Failure, Help, Product, help};
use throng_data::{Body, Events, Release};

use crate::directory::{DirectoryError, ReleaseFormat};

pub use self::output_files::OutputFiles;

/// What a publisher wants beside the release, and its format.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// A file that says which record is whose.
    pub linkage: bool,
    /// Columns of people, as they are.
    pub columns: bool,
    /// The format of the files.
    pub format: ReleaseFormat,
}

/// Refuses what cannot lie beside the body that a method will publish.
pub fn admit(product: Product, beside: Beside) -> Result<(), Failure> {
    match product.body {
        BodyKind::Chunks => chunks::admit(beside)?,
        BodyKind::Counts => counts::admit(beside)?,
        BodyKind::Records | BodyKind::Table | BodyKind::Mixed => {}
    }
    match product.synthetic && beside.linkage {
        true => Err(refused(
            "the records of this release are synthetic: no linkage can say whose they are",
            "linkage",
        )),
        false => Ok(()),
    }
}

/// Refuses a release of which nothing is left: it keeps every promise, and is good for nothing.
pub fn refuse_empty(release: &Release, before: &Events) -> Result<(), Failure> {
    let nothing = match &release.body {
        Body::Records(records) => records::nothing_left(&records.events, before),
        Body::Table(rows) => table::nothing_left(&rows.table, release, before),
        Body::Mixed(mixed) => table::nothing_left(&mixed.table, release, before),
        Body::Chunks(chunks) => chunks::nothing_left(chunks, before),
        Body::Counts(counts) => counts::nothing_left(counts, before),
    };
    match nothing {
        Some((message, help)) => Err(Failure::new(Class::Refused, format!("nothing was written: {message}"))
            .with_help(Help::from(help).and("; {allow-empty} writes it all the same"))),
        None => Ok(()),
    }
}

/// Writes the files of a release.
pub fn write(release: &Release, files: &mut OutputFiles<'_>) -> Result<(), DirectoryError> {
    match &release.body {
        Body::Records(records) => records::write(release, records, files),
        Body::Table(rows) => table::write(rows, release, files),
        Body::Mixed(mixed) => mixed::write(release, mixed, files),
        Body::Chunks(chunks) => chunks::write(release, chunks, files),
        Body::Counts(counts) => counts::write(release, counts, files),
    }
}

fn refused(message: &str, setting: &str) -> Failure {
    Failure::new(Class::Usage, message.to_owned()).with_help(help!("leave out {$}", setting))
}
