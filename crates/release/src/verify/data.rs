//! Data judged as a release, and fingerprints compared.

use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, DataKind, Failure, Progress, Settings};
use throng_data::{Body, EventKind, Mixed, RecodedTable, Records, Release, Rows};
use throng_models::{Evidence, Promise, Verdict};

use super::case::NOISE;
use crate::directory::hash_file;
use crate::judge::check_promise;
use crate::load::load;
use crate::manifest::Manifest;

use super::Verification;

pub(super) fn judge_data(
    promise: &dyn Promise,
    settings: &Settings,
    verification: &Verification,
    progress: &Progress,
) -> Result<(Verdict, EventKind, Vec<String>), Failure> {
    if promise.rests_on_secret_noise() {
        let verdict = Verdict::not_judged(promise.descriptor().name, NOISE.to_owned());
        return Ok((verdict, EventKind::Sequence, Vec::new()));
    }
    let loaded = load(&verification.files, promise.descriptor(), progress)?;
    // Data judged as they are, are their own original: some promises compare the two.
    let data = &loaded.data;
    let mixed = promise.descriptor().takes.contains(&DataKind::Mixed);
    let body = match (data.events.kind(), &data.attributes) {
        (EventKind::Absent, table) => Body::Table(Rows::of(
            table.as_ref().map(RecodedTable::identity).unwrap_or_default(),
            data.events.subjects(),
        )),
        (_, Some(table)) if mixed => {
            Body::Mixed(Mixed { events: data.events.clone(), table: RecodedTable::identity(table) })
        }
        (_, attributes) => {
            Body::Records(Records { events: data.events.clone(), attributes: attributes.clone() })
        }
    };
    let release = Release::of_items(Arc::clone(&data.items), body);
    let evidence =
        Evidence { original: Some(&loaded.data), inputs: &loaded.inputs, ..Evidence::of(&release) };
    let verdict = check_promise(promise, &evidence, None, settings, verification.list, progress)?;
    Ok((verdict, loaded.data.events.kind(), loaded.notes))
}

pub(super) fn no_promise() -> Failure {
    Failure::new(Class::Usage, "no promise to judge by")
        .with_help("name one, for example {promise km} {k 5} {m 2}; see {throng methods}")
}

/// A file that is not the one the manifest speaks of makes the manifest worthless.
pub fn compare_fingerprints(directory: &Path, manifest: &Manifest) -> Result<(), Failure> {
    for entry in &manifest.outputs {
        let Some(expected) = &entry.sha256 else { continue };
        // Only base names are followed: a manifest cannot point outside its directory.
        let Some(name) = Path::new(&entry.name).file_name() else { continue };
        let path = directory.join(name);
        let found = hash_file(&path).map_err(|error| {
            Failure::new(Class::BadInput, format!("`{}` cannot be read: {error}", path.display()))
                .with_help("the manifest lists it; fetch the whole release again")
        })?;
        if found != *expected {
            let message =
                format!("`{}` is not the file the manifest speaks of: its SHA-256 differs", path.display());
            return Err(Failure::new(Class::NotVerified, message)
                .with_help("it was changed after the release was made; fetch the release again"));
        }
    }
    Ok(())
}
