//! What is affordable: the best of each crowd and each number of known events, with items as they are and coarser, on the sample.
//!
//! # Cost
//! A run on the sample for each pair and each of the best [`METHODS`] methods; then for each size of cells what was asked for, and all pairs
//! with the best method where that is asked for.

use std::time::Duration;

use serde::Serialize;
use throng_contract::{Failure, Settings};

use super::bench::Bench;
use super::candidates::{Candidate, settings_for};
use super::effort::work;
use super::trial::{Trial, attempt};
use super::{Request, rank};
use crate::advice::{Coarsening, coarsenings};
use crate::cost::prepare_command;
use throng_data::load::Loaded;
use throng_release::catalogue;
use throng_release::usefulness::Grade;
use throng_report::plot::{Axis, Chart, ChartKind, Series};

/// Crowds that are tried beside the one that was asked for.
const CROWDS: [u64; 5] = [2, 3, 5, 10, 20];
/// So many methods are tried with each pair: those that were best with what was asked.
const METHODS: usize = 2;
/// The most known events that are tried.
const MAX_KNOWN_TRIED: u64 = 4;
/// Of the work that is left, this share may go into items as they are.
const FINE: f64 = 0.4;
/// Of what is then left, this share may go into coarser items; the rest is for the nearest on all people.
const COARSE: f64 = 0.6;
/// How long a run may take at most.
const LIMIT: Duration = Duration::from_secs(10);
/// So many of the nearest are tried on all people until one is good enough.
const CONFIRMED: usize = 3;

/// A promise that was tried, and the best that keeps it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// How many people have to look alike.
    pub crowd: u64,
    /// How many events an attacker knows, where the promise speaks of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<u64>,
    /// What is done to the data first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// How coarse items are then: `cells of 500m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coarse: Option<String>,
    /// The command that does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The same for the machine, and how many finer ones were tried before.
    #[serde(skip)]
    pub(super) coarsening: Option<(usize, Coarsening)>,
    /// The best that keeps it; absent when nothing does.
    pub best: Option<Trial>,
}

impl Point {
    fn of(crowd: u64, known: Option<u64>, best: Option<Trial>) -> Self {
        Point { crowd, known, first: None, coarse: None, command: None, coarsening: None, best }
    }

    /// The grade of the best, if anything keeps it.
    pub fn grade(&self) -> Option<Grade> {
        self.best.as_ref().and_then(Trial::kept).map(|kept| kept.grade)
    }

    /// What is asked for instead, in words.
    pub fn in_words(&self) -> String {
        let known = self.known.map_or_else(String::new, |known| match known {
            1 => ", known events 1".to_owned(),
            several => format!(", known events {several}"),
        });
        let first = self.first.as_ref().map_or_else(String::new, |first| format!("; {first}"));
        format!("crowd {}{known}{first}", self.crowd)
    }

    fn is_useful(&self) -> bool {
        self.grade().is_some_and(|grade| grade < Grade::Poor)
    }
}

/// The parameters of the promise that say how large crowds are and how much is known.
struct Names {
    crowd: &'static str,
    known: Option<&'static str>,
}

impl Names {
    fn of(request: &Request) -> Result<Option<Self>, Failure> {
        let descriptor = catalogue::promise(&request.promise)?.descriptor();
        let named =
            |names: [&'static str; 2]| names.into_iter().find(|name| descriptor.param(name).is_some());
        Ok(named(["k", "K"]).map(|crowd| Names { crowd, known: named(["m", "L"]) }))
    }
}

/// Tries crowds and numbers of known events around what was asked for, the nearest first, with the methods that were best there, and coarser
/// items with what was asked for. Nothing where the promise speaks of no crowd.
pub(super) fn search(bench: &mut Bench<'_>, ranked: &[Trial]) -> Result<Vec<Point>, Failure> {
    let (request, progress) = (bench.request, bench.progress);
    let (Some(names), asked) = (Names::of(request)?, request.asked()?) else { return Ok(Vec::new()) };
    let number = |name: &str| asked.get(name).and_then(|value| super::typed(value).parse::<u64>().ok());
    let Some(crowd) = number(names.crowd) else { return Ok(Vec::new()) };
    let known = names.known.and_then(number);
    let mut best: Vec<&Candidate> = Vec::new();
    for Trial { candidate, .. } in ranked {
        if best.len() < METHODS && best.iter().all(|other| other.method != candidate.method) {
            best.push(candidate);
        }
    }
    let mut loaded = Vec::new();
    for candidate in &best {
        loaded.push(bench.load_sample(candidate)?);
    }
    let pairs = pairs(crowd, known, request.search);
    let phase = progress.phase("search what is affordable", Some(pairs.len() as u64));
    let limit = request.limit.min(LIMIT);
    let mut effort = bench.effort.set_apart(FINE);
    let mut points = Vec::new();
    for (crowd, known) in pairs {
        let asked = with(request, &names, crowd, known);
        let mut trials = Vec::new();
        for (candidate, loaded) in best.iter().zip(&loaded) {
            let Some(candidate) = adapted(candidate, &asked)? else { continue };
            if effort.spend(work(&candidate, &loaded.data)?) {
                trials.push(attempt(&asked, &candidate, loaded.clone(), limit, progress)?);
            }
        }
        if !trials.is_empty() {
            points.push(Point::of(crowd, known, best_of(trials, request)?));
        }
        phase.advance(1)?;
    }
    bench.effort.regain(effort);
    points.sort_by_key(|point| (point.known, point.crowd));
    points.extend(coarser_points(bench, &names, &best, &loaded, &points)?);
    Ok(points)
}

/// The crowds and numbers of known events to try, the nearest to what was asked for first: what asks for less, and with `more` what asks for
/// more.
fn pairs(crowd: u64, known: Option<u64>, more: bool) -> Vec<(u64, Option<u64>)> {
    let most = if more { 4 * crowd } else { crowd };
    let mut crowds: Vec<u64> = CROWDS.into_iter().filter(|other| *other <= most).chain([crowd]).collect();
    crowds.sort_unstable();
    crowds.dedup();
    let knowns: Vec<Option<u64>> = match known {
        Some(known) if more => (1..=(known + 1).min(MAX_KNOWN_TRIED.max(known))).map(Some).collect(),
        Some(known) => (1..=known).map(Some).collect(),
        None => vec![None],
    };
    let mut pairs: Vec<(u64, Option<u64>)> = Vec::new();
    for known in knowns {
        pairs.extend(crowds.iter().map(|crowd| (*crowd, known)));
    }
    // One known event less or half the crowd are one step each; a stable sort keeps the rest in order.
    pairs.sort_by(|a, b| steps((crowd, known), *a).total_cmp(&steps((crowd, known), *b)));
    pairs
}

/// How far a crowd and a number of known events are from what was asked for.
fn steps(asked: (u64, Option<u64>), tried: (u64, Option<u64>)) -> f64 {
    let halvings = (asked.0.max(1) as f64 / tried.0.max(1) as f64).log2().abs();
    halvings + asked.1.unwrap_or(0).abs_diff(tried.1.unwrap_or(0)) as f64
}

/// The same with coarser items: what was asked for with each size until one is good; all pairs of before where a search was asked for.
fn coarser_points(
    bench: &mut Bench<'_>,
    names: &Names,
    best: &[&Candidate],
    loaded: &[Loaded],
    fine: &[Point],
) -> Result<Vec<Point>, Failure> {
    let (request, progress) = (bench.request, bench.progress);
    let limit = request.limit.min(LIMIT);
    let mut effort = bench.effort.set_apart(COARSE);
    let asked = request.asked()?;
    let number = |name: &str| asked.get(name).and_then(|value| super::typed(value).parse::<u64>().ok());
    let (crowd, known) = (number(names.crowd).unwrap_or(0), names.known.and_then(number));
    let Some(sample) = loaded.first() else { return Ok(Vec::new()) };
    let all = coarsenings(&sample.data, sample.inputs.taxonomy.as_ref());
    let phase = progress.phase("search coarser items", Some(all.len() as u64));
    let mut points = Vec::new();
    for (level, coarsening) in all.into_iter().enumerate() {
        let coarse: Vec<Option<(Loaded, String)>> =
            loaded.iter().map(|loaded| coarsening.apply(loaded)).collect();
        let Some(first) = coarse.iter().flatten().map(|(_, what)| what.clone()).next() else { continue };
        let pairs: Vec<(u64, Option<u64>)> = match request.search {
            true => fine.iter().map(|point| (point.crowd, point.known)).collect(),
            false => vec![(crowd, known)],
        };
        let mut good = false;
        for pair in pairs {
            let asked = with(request, names, pair.0, pair.1);
            let is_asked = pair == (crowd, known);
            let mut trials = Vec::new();
            // Two methods for what was asked, the better one for all else.
            for (candidate, coarse) in best.iter().zip(&coarse).take(if is_asked { METHODS } else { 1 }) {
                let (Some(candidate), Some((coarse, _))) = (adapted(candidate, &asked)?, coarse) else {
                    continue;
                };
                if effort.spend(work(&candidate, &coarse.data)?) {
                    trials.push(attempt(&asked, &candidate, coarse.clone(), limit, progress)?);
                }
            }
            if trials.is_empty() {
                continue;
            }
            let point = Point {
                first: Some(first.clone()),
                coarse: Some(coarsening.to_string()),
                command: coarsening.flags().and_then(|flags| prepare_command(&request.files, &flags)),
                coarsening: Some((level, coarsening)),
                ..Point::of(pair.0, pair.1, best_of(trials, request)?)
            };
            good |= is_asked && point.grade() == Some(Grade::Good);
            points.push(point);
        }
        phase.advance(1)?;
        if good {
            break;
        }
    }
    bench.effort.regain(effort);
    Ok(points)
}

/// The useful promise that asks for as little less as possible, tried on all people where there are more than the sample.
pub(super) fn nearest(bench: &mut Bench<'_>, points: &[Point]) -> Result<Option<Point>, Failure> {
    let (request, progress) = (bench.request, bench.progress);
    let (Some(names), asked) = (Names::of(request)?, request.asked()?) else { return Ok(None) };
    let number = |name: &str| asked.get(name).and_then(|value| super::typed(value).parse::<u64>().ok());
    let (crowd, known) = (number(names.crowd).unwrap_or(0), names.known.and_then(number));
    let mut nearer: Vec<&Point> = points
        .iter()
        .filter(|point| point.is_useful() && point.crowd <= crowd && point.known <= known)
        .collect();
    // Items coarser by two sizes are a step, too. A stable sort keeps the order of trying.
    let away = |point: &Point| {
        steps((crowd, known), (point.crowd, point.known))
            + point.coarsening.map_or(0.0, |(level, _)| 1.0 + level as f64 / 2.0)
    };
    nearer.sort_by(|a, b| away(a).total_cmp(&away(b)));
    if bench.sample.is_none() || request.sample_only {
        return Ok(nearer.first().map(|point| (*point).clone()));
    }
    for point in nearer.iter().take(CONFIRMED) {
        let Some(candidate) = point.best.as_ref().map(|trial| &trial.candidate) else { continue };
        let asked = with(request, &names, point.crowd, point.known);
        let mut loaded = bench.load(candidate)?;
        if let Some((_, coarsening)) = point.coarsening {
            let Some((coarse, _)) = coarsening.apply(&loaded) else { continue };
            loaded = coarse;
        }
        if !bench.effort.spend(work(candidate, &loaded.data)?) {
            // Too much for all people: what came of the sample is told, with how many people it was.
            return Ok(Some((*point).clone()));
        }
        let limit = request.limit.saturating_mul(super::LIMIT_ON_ALL);
        let trial = attempt(&asked, candidate, loaded, limit, progress)?;
        let confirmed = Point { best: Some(trial), ..(*point).clone() };
        if confirmed.is_useful() {
            return Ok(Some(confirmed));
        }
    }
    Ok(None)
}

/// The request with another crowd and another number of known events.
fn with(request: &Request, names: &Names, crowd: u64, known: Option<u64>) -> Request {
    let mut settings = request.settings.clone();
    let mut put = |name: &str, value: u64| {
        settings.retain(|(other, _)| other != name);
        settings.push((name.to_owned(), value.to_string()));
    };
    put(names.crowd, crowd);
    if let (Some(name), Some(known)) = (names.known, known) {
        put(name, known);
    }
    Request { settings, ..request.clone() }
}

/// The same method and choices for another promise.
fn adapted(candidate: &Candidate, asked: &Request) -> Result<Option<Candidate>, Failure> {
    let (method, promise) = (catalogue::method(&candidate.method)?, catalogue::promise(&asked.promise)?);
    let settings: Settings = asked.asked()?;
    let Some(mut promised) = settings_for(method, promise, &settings) else { return Ok(None) };
    let chosen =
        candidate.settings.iter().filter(|(name, _)| promised.iter().all(|(other, _)| other != name));
    let chosen: Vec<(String, String)> = chosen.cloned().collect();
    promised.extend(chosen);
    Ok(Some(Candidate { settings: promised, ..candidate.clone() }))
}

fn best_of(mut trials: Vec<Trial>, request: &Request) -> Result<Option<Trial>, Failure> {
    rank(&mut trials, request.scale()?, &request.promise);
    Ok(trials.into_iter().find(|trial| trial.kept().is_some()))
}

/// What is left of the data against the size of the crowd, a line for each number of known events.
pub fn chart(points: &[Point]) -> Chart {
    let mut knowns: Vec<Option<u64>> = points.iter().map(|point| point.known).collect();
    knowns.sort_unstable();
    knowns.dedup();
    let left = |point: &Point| {
        let kept = point.best.as_ref().and_then(Trial::kept).filter(|kept| !kept.survived.is_empty())?;
        Some(kept.survived.iter().map(|survived| survived.share).sum::<f64>() / kept.survived.len() as f64)
    };
    let line = |name: String, line: &dyn Fn(&Point) -> bool| {
        Series::of(
            name,
            points.iter().filter(|point| line(point)).map(|point| (point.crowd as f64, left(point))),
        )
    };
    let mut series: Vec<Series> = knowns
        .iter()
        .map(|known| {
            let name = known.map_or_else(|| "best method".to_owned(), |known| format!("{known} known"));
            line(name, &|point| point.known == *known && point.coarse.is_none())
        })
        .collect();
    // Coarser items against whom the promise was asked for, who knows most of those that all sizes were tried against.
    let mut sizes: Vec<&String> = points.iter().filter_map(|point| point.coarse.as_ref()).collect();
    sizes.dedup();
    let most = points.iter().filter(|point| point.coarse.is_some()).map(|point| point.known).max().flatten();
    for size in sizes {
        let name = most.map_or_else(|| size.clone(), |known| format!("{known} known, {size}"));
        series.push(line(name, &|point| point.known == most && point.coarse.as_ref() == Some(size)));
    }
    Chart {
        id: "affordable".to_owned(),
        title: "What is left of the data against the size of the crowd".to_owned(),
        description: "The share of the data that is left on average, by the best method. One line for each number of known events.".to_owned(),
        form: ChartKind::Lines,
        x: Axis::from_zero("people in a crowd"),
        y: Axis::share("left of the data"),
        series,
    }
}
