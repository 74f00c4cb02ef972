//! A release: verdict, risk and cost, what was merged and why, and maps before and after.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use throng_contract::{Failure, Input, Progress};
use throng_data::Release;
use throng_data::formats::{Source, read_places};
use throng_lab::manifest::{Counts, Manifest};
use throng_lab::{Exact, Lost, TableRisk, catalogue};

use super::frequencies::{self, FrequenciesView};
use crate::home::input_file;
use crate::jobs::{MAP, OUTPUT, RELEASE};
use crate::map::{self, MapView, Spot, east_north};
use crate::problem::Problem;
use crate::releases;
use crate::risk::{RiskPointView, RiskView, ShareView};

/// Generalised items and reasons that are shown.
const FIRST: usize = 200;
/// Members of a generalised item that are shown.
const MEMBERS: usize = 50;

/// What came of a release.
#[derive(Debug, Serialize)]
pub struct Anonymized {
    kind: &'static str,
    manifest: Value,
    verdict: VerdictView,
    /// Exact sizes, for the publisher.
    counts: Counts,
    risk: BeforeAfter,
    measures: Vec<MeasureView>,
    suppression: Option<SuppressionView>,
    generalised: Listed<GeneralisedView>,
    /// How often released values occur, and original ones seem to: by column, or of the items of sets.
    frequencies: Vec<FrequenciesView>,
    /// Further promises that were asked for and hold.
    also: Vec<VerdictView>,
    reasons: Listed<ReasonView>,
    map_before: Option<Value>,
    map_after: Option<MapView>,
    notes: Vec<String>,
    /// Seconds of each step.
    seconds: Vec<(String, f64)>,
}

/// How much was taken away, and the first of the items that no longer occur.
#[derive(Debug, Serialize)]
struct SuppressionView {
    #[serde(flatten)]
    counts: Lost,
    first: Vec<LostItem>,
}

#[derive(Debug, Serialize)]
struct VerdictView {
    holds: bool,
    statement: String,
    checked: u64,
}

#[derive(Debug, Serialize)]
struct BeforeAfter {
    before: RiskView,
    after: RiskView,
    /// Of a table: the risks of whoever is known by all columns.
    table: Option<TableRisk>,
}

#[derive(Debug, Serialize)]
struct MeasureView {
    name: String,
    value: f64,
    help: Option<&'static str>,
    better: Option<Value>,
}

/// The first of many.
#[derive(Debug, Serialize)]
struct Listed<T> {
    total: u64,
    first: Vec<T>,
}

#[derive(Debug, Serialize)]
struct GeneralisedView {
    item: String,
    members: Vec<String>,
    members_total: u64,
    people: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ReasonView {
    did: String,
    items: Vec<String>,
    pattern: Vec<String>,
    support: u64,
    needed: u64,
}

/// What the child prints beside the manifest.
#[derive(Debug, Deserialize)]
struct Printed {
    /// Exact numbers, for the publisher.
    exact: Exact,
    #[serde(default)]
    reasons: Vec<Step>,
    #[serde(default)]
    lost_items: Vec<LostItem>,
    #[serde(default)]
    seconds: Vec<(String, f64)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LostItem {
    item: String,
    people: u64,
}

#[derive(Debug, Deserialize)]
struct Step {
    action: String,
    items: Vec<String>,
    pattern: Vec<String>,
    people: u64,
    needed: u64,
    #[serde(default)]
    details: BTreeMap<String, String>,
}

impl Step {
    /// As people read it: a timed visit with its time.
    fn view(&self) -> ReasonView {
        let timed = |words: &[String], times: &str| -> Vec<String> {
            let times = self.details.get(times).map(|times| times.split(' ').collect::<Vec<&str>>());
            match times {
                Some(times) if times.len() == words.len() => {
                    words.iter().zip(times).map(|(word, time)| format!("{word} at {time}")).collect()
                }
                _ => words.to_vec(),
            }
        };
        ReasonView {
            did: self.action.clone(),
            items: timed(&self.items, "time"),
            pattern: timed(&self.pattern, "pattern times"),
            support: self.people,
            needed: self.needed,
        }
    }
}

/// Reads a job's folder; the release is read on the way.
pub fn of(folder: &Path) -> Result<(Anonymized, Release), Problem> {
    let directory = folder.join(RELEASE);
    let manifest = Manifest::read(&directory)?
        .ok_or_else(|| Problem::internal("the run ended well and left no manifest"))?;
    let printed: Printed = serde_json::from_reader(BufReader::new(File::open(folder.join(OUTPUT))?))?;
    let release = releases::read(folder)?;
    let people = release.events.people_by_item(release.alphabet.len());
    let names = release.names();
    let find = |item: &str| names.iter().position(|name| name == item);
    let generalised = manifest.generalised.iter().take(FIRST).map(|entry| GeneralisedView {
        item: entry.item.chars().take(200).collect(),
        members: entry.members.iter().take(MEMBERS).cloned().collect(),
        members_total: entry.members.len() as u64,
        people: find(&entry.item).map(|item| people[item]),
    });
    let reasons = printed.reasons.iter().take(FIRST).map(Step::view);
    let view = Anonymized {
        kind: "anonymize",
        verdict: VerdictView {
            holds: manifest.verdict.holds,
            statement: manifest.promise.statement.clone(),
            checked: manifest.verdict.checked.unwrap_or_default(),
        },
        counts: printed.exact.counts,
        risk: risk(&printed.exact),
        measures: measures(&printed.exact),
        suppression: printed.exact.suppression.map(|counts| SuppressionView {
            counts,
            first: printed.lost_items.into_iter().take(FIRST).collect(),
        }),
        generalised: Listed { total: manifest.generalised.len() as u64, first: generalised.collect() },
        frequencies: frequencies::of(folder, &release),
        also: manifest
            .also
            .iter()
            .map(|also| VerdictView {
                holds: also.verdict.holds,
                statement: also.promise.statement.clone(),
                checked: also.verdict.checked.unwrap_or_default(),
            })
            .collect(),
        reasons: Listed { total: printed.reasons.len() as u64, first: reasons.collect() },
        map_before: fs::read(folder.join(MAP)).ok().and_then(|text| serde_json::from_slice(&text).ok()),
        map_after: map_after(folder, &release, &people)?,
        notes: printed.exact.notes,
        seconds: printed.seconds,
        manifest: short(&directory)?,
    };
    Ok((view, release))
}

/// The manifest without its longest list, which is told apart.
fn short(directory: &Path) -> Result<Value, Problem> {
    let mut manifest: Map<String, Value> =
        serde_json::from_slice(&fs::read(directory.join(throng_lab::MANIFEST))?)?;
    manifest.remove("generalised");
    Ok(Value::Object(manifest))
}

fn risk(exact: &Exact) -> BeforeAfter {
    let curve = |after: bool| RiskView {
        people: exact.counts.subjects.unwrap_or(0),
        targets: exact.risk.targets,
        sampled: exact.risk.sampled,
        below: 5,
        points: exact
            .risk
            .points
            .iter()
            .map(|point| {
                let crowds = if after { point.after } else { point.before };
                let view = |share: f64, interval: Option<[f64; 2]>| ShareView {
                    count: (share * exact.risk.targets as f64).round() as u64,
                    share,
                    low: interval.map(|[low, _]| low),
                    high: interval.map(|[_, high]| high),
                };
                RiskPointView {
                    known: point.known,
                    singled_out: view(crowds.singled_out, crowds.interval),
                    below: view(crowds.below_5, crowds.below_5_interval),
                    expected: None,
                }
            })
            .collect(),
    };
    BeforeAfter { before: curve(false), after: curve(true), table: exact.risk.table }
}

fn measures(exact: &Exact) -> Vec<MeasureView> {
    let scale = |name: &str| {
        let scales =
            catalogue::measures().filter_map(|measure| measure.descriptor().gauge).flat_map(|g| g.scales);
        scales.into_iter().find(|scale| scale.name == name)
    };
    let view = |(name, value): (&String, &f64)| MeasureView {
        name: name.clone(),
        value: *value,
        help: scale(name).map(|scale| scale.help),
        better: scale(name).and_then(|scale| serde_json::to_value(scale.better).ok()),
    };
    exact.measures.iter().map(view).collect()
}

/// The places of the release: a hull stands for a generalised place.
fn map_after(folder: &Path, release: &Release, people: &[u64]) -> Result<Option<MapView>, Problem> {
    let path = folder.join(input_file(Input::Places));
    if !path.is_file() {
        return Ok(None);
    }
    let places =
        read_places(&Source::file(path), &release.base, &Progress::silent()).map_err(Failure::from)?;
    let names = release.names();
    let spots =
        release.alphabet.iter().enumerate().filter(|(item, _)| people[*item] > 0).map(|(item, general)| {
            Spot {
                name: names[item].clone(),
                points: general.members.iter().map(|member| east_north(&places, *member as usize)).collect(),
                people: people[item],
            }
        });
    Ok(Some(map::draw(places.system, spots.collect())))
}
