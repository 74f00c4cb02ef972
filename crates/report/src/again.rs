//! A report made again from a release directory, with whatever else is at hand.

use std::path::PathBuf;

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{ReadOptions, Source, read_dataset, read_places};

use super::{Atlas, Evidence, Insight, internal, publishable};
use throng_release::catalogue;
use throng_release::manifest::Manifest;
use throng_release::published::read_release;
use throng_release::verify::{compare_fingerprints, settings_of};

/// Which page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// For everybody: the same page that lies in the directory.
    Publishable,
    /// For the publisher.
    Internal,
}

/// A release directory, and what goes with it.
#[derive(Debug, Clone)]
pub struct Reporting {
    /// The release directory.
    pub directory: PathBuf,
    /// Which page.
    pub form: PageKind,
    /// Coordinates of the items, for maps.
    pub places: Option<Source>,
    /// The data the release was made from, for the publisher's page.
    pub original: Option<Source>,
    /// How to read it.
    pub read: ReadOptions,
    /// Which record is whose, to count people in the release.
    pub linkage: Option<Source>,
}

/// The page. Files that are not those the manifest speaks of are refused.
pub fn report(reporting: &Reporting, progress: &Progress) -> Result<String, Failure> {
    let directory = &reporting.directory;
    let mut manifest = Manifest::read(directory)?.ok_or_else(|| {
        Failure::new(Class::BadInput, format!("`{}` has no manifest to report on", directory.display()))
            .with_help("give a directory that {throng anonymize} wrote")
    })?;
    // The page that lies in the directory is not part of what it speaks of.
    manifest.outputs.retain(|file| file.role != "report");
    compare_fingerprints(directory, &manifest)?;
    let promise = catalogue::promise(&manifest.promise.name)?;
    let promised = settings_of(promise.descriptor(), Some(&manifest), &[])?;
    let private = reporting.form == PageKind::Internal;
    let linkage = reporting.linkage.as_ref().filter(|_| private);
    let original = match &reporting.original {
        Some(source) if private => Some(read_dataset(source, &reporting.read, progress)?.dataset),
        _ => None,
    };
    let counted = match &manifest.form {
        Some(_) => Some(read_release(directory, Some(&manifest), linkage, progress)?),
        None => None,
    };
    let atlas = match &reporting.places {
        // Where noise hides people, the public page has no map; nor are there places of people among counts.
        Some(source) if counted.is_none() && (private || !promise.rests_on_secret_noise()) => {
            let release = read_release(directory, Some(&manifest), linkage, progress)?;
            let source = source.held()?;
            let atlas = Atlas::of(&release, &read_places(&source, &release.base, progress)?);
            Some(match &original {
                Some(data) => atlas.with_original(data, &read_places(&source, &data.items, progress)?),
                None => atlas,
            })
        }
        _ => None,
    };
    let evidence = Evidence {
        manifest: &manifest,
        exact: None,
        promise,
        promised: &promised,
        atlas: atlas.as_ref(),
        release: counted.as_ref(),
    };
    Ok(match reporting.form {
        PageKind::Publishable => publishable(&evidence),
        PageKind::Internal => {
            let insight =
                Insight { data: original.as_ref(), seed: manifest.method.seed, ..Insight::default() };
            internal(&evidence, &insight)
        }
    })
}
