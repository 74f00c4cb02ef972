//! A release: verdict, risk and cost, what was merged and why, and maps before and after.

mod places;
mod printed;
mod risk;
mod shown;

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use throng_contract::Better;
use throng_data::Release;
use throng_lab::manifest::{Counts, Manifest};
use throng_lab::{Exact, Samples, Survived, catalogue};
use utoipa::ToSchema;

use self::places::map_after;
use self::printed::{LostItem, Printed, Reason, Step};
use self::risk::{BeforeAfter, risk};
use self::shown::{ShownAdvice, ShownManifest, shown};
use super::frequencies::{self, Frequencies};
use super::reader::{self, ReaderVerdict};
use super::releases;
use super::shapes::{CountsShape, SamplesShape, SurvivedShape};
use crate::platform::problem::Problem;
use crate::workbench::data::map::PlacesMap;
use crate::workbench::described::BetterName;
use crate::workbench::run::{MAP, OUTPUT, RELEASE};

/// Generalised items and reasons that are shown.
const FIRST: usize = 200;
/// Members of a generalised item that are shown.
const MEMBERS: usize = 50;

/// What came of a release.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnonymizeResult)]
pub struct Anonymized {
    /// What the release says of itself, as far as it is shown.
    manifest: ShownManifest,
    /// Whether the promise holds, judged with the original data.
    verdict: PromiseVerdict,
    /// What a reader of the published files can verify; absent in results of earlier versions.
    reader: Option<ReaderVerdict>,
    /// Exact sizes, for the publisher.
    #[schema(value_type = CountsShape)]
    counts: Counts,
    /// What attackers could do, before and after.
    risk: BeforeAfter,
    /// What the release is still good for.
    measures: Vec<MeasureReading>,
    /// What was taken away; absent for synthetic records, which were never events of the data.
    suppression: Option<Suppressed>,
    /// Which shares of the data are left.
    #[schema(value_type = Vec<SurvivedShape>)]
    survived: Vec<Survived>,
    /// What would help where it is not good, each tried on a sample.
    advice: Vec<ShownAdvice>,
    /// Items that stand for several.
    generalised: Listed<GeneralisedGroup>,
    /// How often released values occur, and original ones seem to: by column, or of the items of sets.
    frequencies: Vec<Frequencies>,
    /// Further promises that were asked for and hold.
    also: Vec<PromiseVerdict>,
    /// Why the method did what it did.
    reasons: Listed<Reason>,
    /// Some records before and after.
    #[schema(value_type = SamplesShape)]
    samples: Samples,
    /// The places of the data, if they are known.
    #[schema(value_type = Option<PlacesMap>)]
    map_before: Option<Value>,
    /// The places of the release.
    map_after: Option<PlacesMap>,
    /// What the method says to the publisher.
    notes: Vec<String>,
    /// Seconds of each step.
    seconds: Vec<(String, f64)>,
}

/// How much was taken away, and the first of the items that no longer occur.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Suppression)]
struct Suppressed {
    /// Original items that no longer occur at all.
    items: u64,
    /// Events suppressed.
    events: u64,
    /// As a share of all events.
    events_share: f64,
    /// Records that had events and lost all of them.
    emptied_records: u64,
    /// Rows of a table of which nothing is said any more.
    rows: u64,
    /// Items that no longer occur, with the people who had them.
    first: Vec<LostItem>,
}

/// The answer of a promise's own checker.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReleaseVerdict)]
struct PromiseVerdict {
    /// Whether it holds.
    holds: bool,
    /// The promise in plain words.
    statement: String,
    /// Cases looked at.
    checked: u64,
}

/// One number of a measure.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Reading)]
struct MeasureReading {
    /// The scale's name.
    name: String,
    /// The number.
    value: f64,
    /// What it says.
    help: Option<&'static str>,
    /// Which way is better.
    #[schema(value_type = Option<BetterName>)]
    better: Option<Better>,
}

/// The first of many.
#[derive(Debug, Serialize, ToSchema)]
struct Listed<T> {
    /// How many there are.
    total: u64,
    /// The first of them.
    first: Vec<T>,
}

/// A released item that stands for several.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Generalised)]
struct GeneralisedGroup {
    /// As released.
    item: String,
    /// The first of those it may stand for.
    members: Vec<String>,
    /// How many it may stand for.
    members_total: u64,
    /// People who have it.
    people: Option<u64>,
}

/// Reads a job's folder; the release is read on the way.
pub fn of(folder: &Path) -> Result<(Anonymized, Release), Problem> {
    let directory = folder.join(RELEASE);
    let manifest = Manifest::read(&directory)?
        .ok_or_else(|| Problem::internal("the run ended well and left no manifest"))?;
    let printed: Printed = serde_json::from_reader(BufReader::new(File::open(folder.join(OUTPUT))?))?;
    let release = releases::read(folder)?;
    let people = release.events().people_by_item(release.alphabet.len());
    let names = release.names();
    let find = |item: &str| names.iter().position(|name| name == item);
    let generalised = manifest.generalised.iter().take(FIRST).map(|entry| GeneralisedGroup {
        item: entry.item.chars().take(200).collect(),
        members: entry.members.iter().take(MEMBERS).cloned().collect(),
        members_total: entry.members.len() as u64,
        people: find(&entry.item).map(|item| people[item]),
    });
    let reasons = printed.reasons.iter().take(FIRST).map(Step::view);
    let view = Anonymized {
        verdict: PromiseVerdict {
            holds: manifest.verdict.holds,
            statement: manifest.promise.statement.clone(),
            checked: manifest.verdict.checked.unwrap_or_default(),
        },
        reader: reader::of(folder),
        counts: printed.exact.counts,
        risk: risk(&printed.exact),
        measures: measures(&printed.exact),
        suppression: printed.exact.suppression.map(|lost| Suppressed {
            items: lost.items,
            events: lost.events,
            events_share: lost.events_share,
            emptied_records: lost.emptied_records,
            rows: lost.rows,
            first: printed.lost_items.into_iter().take(FIRST).collect(),
        }),
        survived: printed.exact.survived,
        advice: printed.exact.advice.into_iter().map(ShownAdvice::of).collect(),
        generalised: Listed { total: manifest.generalised.len() as u64, first: generalised.collect() },
        frequencies: frequencies::of(folder, &release),
        also: manifest
            .also
            .iter()
            .map(|also| PromiseVerdict {
                holds: also.verdict.holds,
                statement: also.promise.statement.clone(),
                checked: also.verdict.checked.unwrap_or_default(),
            })
            .collect(),
        reasons: Listed { total: printed.reasons.len() as u64, first: reasons.collect() },
        samples: printed.samples,
        map_before: fs::read(folder.join(MAP)).ok().and_then(|text| serde_json::from_slice(&text).ok()),
        map_after: map_after(folder, &release, &people)?,
        notes: printed.exact.notes,
        seconds: printed.seconds,
        manifest: shown(&manifest),
    };
    Ok((view, release))
}

fn measures(exact: &Exact) -> Vec<MeasureReading> {
    let scale = |name: &str| {
        let scales =
            catalogue::measures().filter_map(|measure| measure.descriptor().gauge).flat_map(|g| g.scales);
        scales.into_iter().find(|scale| scale.name == name)
    };
    let view = |(name, value): (&String, &f64)| MeasureReading {
        name: name.clone(),
        value: *value,
        help: scale(name).map(|scale| scale.help),
        better: scale(name).map(|scale| scale.better),
    };
    exact.measures.iter().map(view).collect()
}
