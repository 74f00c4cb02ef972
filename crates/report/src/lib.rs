//! The evidence of a release on one page: what is promised, who checked it, what it cost and what is left to fear.
//!
//! No network, no script; light or dark as the reader prefers; prints well. There are two forms.
//!
//! The *publishable* form lies in the release directory. It may say what the manifest and the released files say, and
//! nothing else: both are public. The one thing it takes from elsewhere are positions of places, and a places file was
//! never published: where an item stands for a person's home, its name may hide what its coordinates would tell. So the
//! map shows only places that the release names, moved to the nearest knot of a wide net, without coordinates or a scale
//! (`atlas`). How many people visited a place *before* is what the promise hides, so that the map before has no
//! counts; how often a released item occurs anyone can count in the release.
//!
//! The *internal* form is for the publisher's eyes: exact positions, people at each place before and after, rare items,
//! the patterns that forced each step, timings. It is refused inside a release directory.
//!
//! # Guarantees
//! Same release, same bytes of the publishable form, whether it is made with the release or from its directory later.
//! Every name is escaped. Lists are cut at a stated length: 10,000 places make a page well below a megabyte.

mod again;
mod atlas;
mod cite;
mod coarser;
mod cost;
mod counts;
mod html;
mod internal;
mod limits;
mod maps;
pub mod plot;
mod promised;
mod risk;
mod samples;
mod write;

use throng_contract::Settings;
use throng_data::Release;
use throng_models::Promise;

pub use self::again::{PageKind, Reporting, report};
pub use self::atlas::Atlas;
pub use self::cite::with_written_files;
pub use self::internal::Insight;
pub use self::samples::{Sample, Samples, samples};
pub use self::write::{InternalReport, write_report};
use throng_release::exact::Exact;
use throng_release::manifest::Manifest;

/// What a page speaks of.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// What the directory says about itself.
    pub manifest: &'a Manifest,
    /// Exact numbers, on the publisher's page only.
    pub exact: Option<&'a Exact>,
    /// The promise.
    pub promise: &'a dyn Promise,
    /// Its parameters.
    pub promised: &'a Settings,
    /// Where released items are, if that is known.
    pub atlas: Option<&'a Atlas>,
    /// The released counts, where the release has some.
    pub release: Option<&'a Release>,
}

impl Evidence<'_> {
    /// Whether noise hides the exact numbers of the data.
    fn secret(&self) -> bool {
        self.promise.rests_on_secret_noise()
    }
}

/// The page that may be published. It says what the manifest says, whatever else is known.
pub fn publishable(evidence: &Evidence<'_>) -> String {
    let evidence = &Evidence { exact: None, ..*evidence };
    let header = html::header(
        "About this release",
        "What is promised to the people in the data, who checked it, what it cost, and what is not promised.",
    );
    let maps = evidence.atlas.map(maps::publishable).unwrap_or_default();
    let counts = counts::section(evidence.release);
    let main = format!("{}{counts}{maps}{}", opening(evidence), ending(evidence));
    plot::page("About this release", &html::body(&header, &main, &cite::footer(evidence.manifest)))
}

/// The page for the publisher.
pub fn internal(evidence: &Evidence<'_>, insight: &Insight<'_>) -> String {
    let header = html::header(
        "Behind this release",
        "The publisher's view: everything the published page says, and what must not be published.",
    );
    let maps = evidence.atlas.map(|atlas| maps::internal(atlas, crowd(evidence))).unwrap_or_default();
    let main = format!(
        "{}{}{}{maps}{}{}",
        internal::warning(),
        opening(evidence),
        counts::section(evidence.release),
        internal::sections(evidence, insight),
        ending(evidence)
    );
    plot::page("Behind this release", &html::body(&header, &main, &cite::footer(evidence.manifest)))
}

fn opening(evidence: &Evidence<'_>) -> String {
    format!("{}{}", promised::section(evidence), risk::section(evidence))
}

fn ending(evidence: &Evidence<'_>) -> String {
    let manifest = evidence.manifest;
    format!(
        "{}{}{}{}",
        cost::section(evidence),
        coarser::section(manifest),
        limits::section(evidence),
        cite::section(evidence)
    )
}

/// How many people have to look alike.
fn crowd(evidence: &Evidence<'_>) -> u64 {
    evidence.promise.assumes(evidence.promised).crowd()
}
