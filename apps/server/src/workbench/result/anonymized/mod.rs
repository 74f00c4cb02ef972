//! A release: verdict, risk and cost, what was merged and why, and maps before and after.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_contract::{Better, Failure, Input, Progress};
use throng_data::formats::{Source, read_places};
use throng_data::{Nature, Release, Role};
use throng_lab::manifest::{ColumnEntry, Counts, Manifest};
use throng_lab::{
    Advice, ColumnsVerdict, Exact, Grade, RiskPoint, Samples, Survived, TogetherRisk, Usefulness, catalogue,
};
use utoipa::ToSchema;

use super::frequencies::{self, FrequenciesView};
use super::reader::{self, ReaderView};
use super::samples::SamplesView;
use super::table_risk::TableRiskView;
use crate::platform::problem::Problem;
use crate::workbench::data::map::{self, MapView, Spot, east_north};
use crate::workbench::described::BetterName;
use crate::workbench::project::home::input_file;
use crate::workbench::result::releases;
use crate::workbench::risk::curve::{RiskPointView, RiskView, ShareView, TogetherView};
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
    manifest: ManifestView,
    /// Whether the promise holds, judged with the original data.
    verdict: VerdictView,
    /// What a reader of the published files can verify; absent in results of earlier versions.
    reader: Option<ReaderView>,
    /// Exact sizes, for the publisher.
    counts: CountsView,
    /// What attackers could do, before and after.
    risk: BeforeAfter,
    /// What the release is still good for.
    measures: Vec<MeasureView>,
    /// What was taken away; absent for synthetic records, which were never events of the data.
    suppression: Option<SuppressionView>,
    /// Which shares of the data are left.
    survived: Vec<SurvivedView>,
    /// What would help where it is not good, each tried on a sample.
    advice: Vec<AdviceView>,
    /// Items that stand for several.
    generalised: Listed<GeneralisedView>,
    /// How often released values occur, and original ones seem to: by column, or of the items of sets.
    frequencies: Vec<FrequenciesView>,
    /// Further promises that were asked for and hold.
    also: Vec<VerdictView>,
    /// Why the method did what it did.
    reasons: Listed<ReasonView>,
    /// Some records before and after.
    samples: SamplesView,
    /// The places of the data, if they are known.
    #[schema(value_type = Option<MapView>)]
    map_before: Option<Value>,
    /// The places of the release.
    map_after: Option<MapView>,
    /// What the method says to the publisher.
    notes: Vec<String>,
    /// Seconds of each step.
    seconds: Vec<(String, f64)>,
}

/// The part of a manifest that screens show.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Manifest)]
struct ManifestView {
    /// The method's name.
    method: String,
    /// Whether the events really happened: `truthful`, `perturbed` or `synthetic`.
    #[schema(value_type = String)]
    nature: Nature,
    /// What the rows are where they are no events of records: `counts`.
    form: Option<String>,
    /// The second verdict; releases of version 0.1.0 have none.
    usefulness: Option<UsefulnessView>,
    /// The columns of a released table.
    table: Vec<PublishedColumn>,
    /// What published columns give away.
    columns_verdict: Option<ColumnsVerdictView>,
}

/// What a release is good for, and why.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usefulness)]
struct UsefulnessView {
    /// The grade.
    #[schema(value_type = GradeName)]
    grade: Grade,
    /// What it rests on, the worst first.
    reasons: Vec<String>,
}

/// Three grades.
#[derive(ToSchema)]
#[schema(as = Grade, rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes how the type of another room is written")]
enum GradeName {
    Good,
    Limited,
    Poor,
}

/// Something of the data, and which share of it is left.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Survived)]
struct SurvivedView {
    /// What: events, items, rows, cells, patterns or queries.
    what: String,
    /// The share that is left.
    share: f64,
    /// The words behind the percentage.
    about: String,
}

impl SurvivedView {
    fn of(Survived { what, share, about }: Survived) -> Self {
        SurvivedView { what, share, about }
    }
}

/// Something to change, and what came of it on a sample.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Advice)]
struct AdviceView {
    /// What to do.
    change: String,
    /// What it came to, in words.
    effect: String,
    /// The grade with the change.
    #[schema(value_type = GradeName)]
    grade: Grade,
    /// On how many people it was tried.
    people: u64,
}

impl AdviceView {
    fn of(advice: Advice) -> Self {
        AdviceView {
            change: advice.change,
            effect: advice.effect,
            grade: advice.grade,
            people: advice.people,
        }
    }
}

/// A column of a released table.
#[derive(Debug, Serialize, ToSchema)]
struct PublishedColumn {
    /// Its name.
    name: String,
    /// What it is to an attacker.
    #[schema(value_type = String)]
    role: Role,
}

/// What published columns give away.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ColumnsVerdict)]
struct ColumnsVerdictView {
    /// Whether every group is large enough, and no column names people.
    covered: bool,
    /// How large a group has to be.
    crowd: u64,
    /// People in smaller groups.
    people_below: u64,
    /// People alone in their group.
    unique: u64,
    /// Whether the publisher accepted it where it is not covered.
    accepted: bool,
    /// The verdict in plain words.
    statement: String,
}

/// Exact sizes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReleaseCounts)]
struct CountsView {
    /// People; absent where noise hides how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    subjects: Option<u64>,
    /// Records, those without events included.
    records: u64,
    /// Records of the release without events.
    empty_records: u64,
    /// Events of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    events_before: Option<u64>,
    /// Events of the release.
    events_after: u64,
    /// Distinct items of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    items_before: Option<u64>,
    /// Distinct items of the release.
    items_after: u64,
}

/// How much was taken away, and the first of the items that no longer occur.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Suppression)]
struct SuppressionView {
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
struct VerdictView {
    /// Whether it holds.
    holds: bool,
    /// The promise in plain words.
    statement: String,
    /// Cases looked at.
    checked: u64,
}

/// What attackers could do, before and after.
#[derive(Debug, Serialize, ToSchema)]
struct BeforeAfter {
    /// With the data.
    before: RiskView,
    /// With the release.
    after: RiskView,
    /// Of a table: the risks of whoever is known by all columns.
    table: Option<TableRiskView>,
    /// Of events beside published columns: what both give away together with the data, by how many columns are known.
    together_before: Vec<TogetherView>,
    /// The same with the release.
    together_after: Vec<TogetherView>,
}

/// One number of a measure.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Reading)]
struct MeasureView {
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
struct GeneralisedView {
    /// As released.
    item: String,
    /// The first of those it may stand for.
    members: Vec<String>,
    /// How many it may stand for.
    members_total: u64,
    /// People who have it.
    people: Option<u64>,
}

/// A step of the method, and the pattern that forced it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Reason)]
struct ReasonView {
    /// What was done.
    did: String,
    /// To which items.
    items: Vec<String>,
    /// The pattern that was too rare.
    pattern: Vec<String>,
    /// People who had it.
    support: u64,
    /// People it needed.
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
    samples: Samples,
    #[serde(default)]
    seconds: Vec<(String, f64)>,
}

/// An item that no longer occurs.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct LostItem {
    /// Its name.
    item: String,
    /// People who had it.
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
        verdict: VerdictView {
            holds: manifest.verdict.holds,
            statement: manifest.promise.statement.clone(),
            checked: manifest.verdict.checked.unwrap_or_default(),
        },
        reader: reader::of(folder),
        counts: counts(printed.exact.counts),
        risk: risk(&printed.exact),
        measures: measures(&printed.exact),
        suppression: printed.exact.suppression.map(|lost| SuppressionView {
            items: lost.items,
            events: lost.events,
            events_share: lost.events_share,
            emptied_records: lost.emptied_records,
            rows: lost.rows,
            first: printed.lost_items.into_iter().take(FIRST).collect(),
        }),
        survived: printed.exact.survived.into_iter().map(SurvivedView::of).collect(),
        advice: printed.exact.advice.into_iter().map(AdviceView::of).collect(),
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
        samples: printed.samples.into(),
        map_before: fs::read(folder.join(MAP)).ok().and_then(|text| serde_json::from_slice(&text).ok()),
        map_after: map_after(folder, &release, &people)?,
        notes: printed.exact.notes,
        seconds: printed.seconds,
        manifest: shown(&manifest),
    };
    Ok((view, release))
}

fn counts(counts: Counts) -> CountsView {
    let Counts { subjects, records, empty_records, events_before, events_after, items_before, items_after } =
        counts;
    CountsView { subjects, records, empty_records, events_before, events_after, items_before, items_after }
}

/// What the screens show of a manifest.
fn shown(manifest: &Manifest) -> ManifestView {
    let column = |column: &ColumnEntry| PublishedColumn { name: column.name.clone(), role: column.role };
    let useful =
        |useful: &Usefulness| UsefulnessView { grade: useful.grade, reasons: useful.reasons.clone() };
    let given_away = |columns: &ColumnsVerdict| ColumnsVerdictView {
        covered: columns.covered,
        crowd: columns.crowd,
        people_below: columns.people_below,
        unique: columns.unique,
        accepted: columns.accepted,
        statement: columns.statement.clone(),
    };
    ManifestView {
        method: manifest.method.name.clone(),
        nature: manifest.nature,
        form: manifest.form.as_ref().map(|form| form.name.clone()),
        usefulness: manifest.usefulness.as_ref().map(useful),
        table: manifest.table.iter().map(column).collect(),
        columns_verdict: manifest.columns_verdict.as_ref().map(given_away),
    }
}

fn risk(exact: &Exact) -> BeforeAfter {
    let points = |points: &[RiskPoint], after: bool| -> Vec<RiskPointView> {
        let of = |point: &RiskPoint| {
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
        };
        points.iter().map(of).collect()
    };
    let curve = |after: bool| RiskView {
        people: exact.counts.subjects.unwrap_or(0),
        targets: exact.risk.targets,
        sampled: exact.risk.sampled,
        below: 5,
        points: points(&exact.risk.points, after),
    };
    let together = |after: bool| -> Vec<TogetherView> {
        let of = |known: &TogetherRisk| TogetherView {
            columns: known.columns,
            points: points(&known.points, after),
        };
        exact.risk.together.iter().map(of).collect()
    };
    BeforeAfter {
        before: curve(false),
        after: curve(true),
        table: exact.risk.table.map(TableRiskView::from),
        together_before: together(false),
        together_after: together(true),
    }
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
        better: scale(name).map(|scale| scale.better),
    };
    exact.measures.iter().map(view).collect()
}

/// The places of the release: a hull stands for a generalised place.
fn map_after(folder: &Path, release: &Release, people: &[u64]) -> Result<Option<MapView>, Problem> {
    let path = folder.join(input_file(Input::Places));
    if !path.is_file() || !release.form.is_rows() {
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
