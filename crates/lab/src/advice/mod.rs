//! What to change where a release is not good, each with what came of it on a sample.
//!
//! Coarser items first, an attacker who knows less, a smaller crowd, the longest records left out, fewer columns that may be known,
//! another method: each is tried alone, and told when it helps.
//!
//! # Guarantees
//! What is told was run, judged by the promise's own checker and graded like the release itself. Same data, run and seed, same
//! advice, but for what takes longer than its time.
//! # Cost
//! A run on [`PEOPLE`] people at most for each change, and for each other method.

mod coarser;

use std::time::Duration;

use throng_contract::{Class, Failure, Input, Progress, Settings};
use throng_data::Role;
use throng_methods::Method;
use throng_models::Promise;

use self::coarser::coarser;
pub(crate) use self::coarser::{Coarsening, coarsenings};
use crate::job::Job;
use crate::recommend;
use crate::time_limit::within;
use throng_data::load::Loaded;
use throng_release::clock::Clock;
use throng_release::usefulness::{Advice, Grade, Survived, judge};
use throng_release::{catalogue, promise_of, sample};

/// Changes are tried on so many people at most.
const PEOPLE: usize = 500;
/// And on so many events at most.
const EVENTS: usize = 20_000;
/// How long one change may take.
const LIMIT: Duration = Duration::from_secs(2);
/// So many changes are told.
const MAX_CHANGES: usize = 4;

/// Something to try.
struct Change {
    what: String,
    job: Job,
    loaded: Loaded,
    /// Of other methods only the best is told.
    other_method: bool,
}

/// What came of a run on the sample.
struct Came {
    grade: Grade,
    survived: Vec<Survived>,
}

impl Came {
    /// What is left on average: the more, the better.
    fn left(&self) -> f64 {
        let sum: f64 = self.survived.iter().map(|survived| survived.share).sum();
        sum / self.survived.len().max(1) as f64
    }

    fn is_better_than(&self, other: &Came) -> bool {
        // Of two with the same grade, one has to keep noticeably more.
        self.grade < other.grade || (self.grade == other.grade && self.left() > other.left() + 0.02)
    }
}

/// Tries changes to a run on a sample of its data; the best first, and only what helps.
pub(crate) fn advise(
    promise: &dyn Promise,
    job: &Job,
    loaded: &Loaded,
    progress: &Progress,
) -> Result<Vec<Advice>, Failure> {
    let events = loaded.data.events.len().max(1);
    let people = loaded.data.events.subjects();
    let most = (people.saturating_mul(EVENTS) / events).clamp(1, PEOPLE);
    let few = match sample::draw(&loaded.data, most, job.seed.unwrap_or(0)) {
        Some(drawn) => sample::restrict(loaded, &drawn),
        None => loaded.clone(),
    };
    let people = few.data.events.subjects() as u64;
    let before = attempt(job, few.clone(), progress)?;
    let mut found: Vec<(Change, Came)> = Vec::new();
    for change in changes(promise, job, &few) {
        let Some(came) = attempt(&change.job, change.loaded.clone(), progress)? else { continue };
        if before.as_ref().is_none_or(|before| came.is_better_than(before)) {
            found.push((change, came));
        }
    }
    // A stable sort: what helps as much stays in the order above.
    found.sort_by(|(_, a), (_, b)| a.grade.cmp(&b.grade).then(b.left().total_cmp(&a.left())));
    let mut other = false;
    found.retain(|(change, _)| !change.other_method || !std::mem::replace(&mut other, true));
    found.truncate(MAX_CHANGES);
    let advice = |(change, came): (Change, Came)| Advice {
        effect: effect(&came, before.as_ref(), people),
        change: change.what,
        grade: came.grade,
        survived: came.survived,
        people,
    };
    Ok(found.into_iter().map(advice).collect())
}

/// Everything that may be tried, in the order in which it would be recommended.
fn changes(promise: &dyn Promise, job: &Job, few: &Loaded) -> Vec<Change> {
    let mut all = Vec::new();
    let with = |what: String, settings: Vec<(String, String)>, loaded: Loaded| Change {
        what,
        job: Job { settings, ..job.clone() },
        loaded,
        other_method: false,
    };
    if let Some((loaded, what)) = coarser(few) {
        all.push(with(what, job.settings.clone(), loaded));
    }
    // Who knows fewer events, then who is content with a smaller crowd; by the names that promises give them.
    for names in [["m", "L"], ["k", "K"]] {
        let set = job.settings.iter().position(|(name, _)| names.contains(&name.as_str()));
        let Some((at, value)) = set.and_then(|at| Some((at, job.settings[at].1.parse::<u64>().ok()?))) else {
            continue;
        };
        let smaller = if names[0] == "m" { value.saturating_sub(1) } else { value.div_ceil(2) };
        let least = if names[0] == "m" { 1 } else { 2 };
        if smaller < least || smaller == value {
            continue;
        }
        let mut settings = job.settings.clone();
        settings[at].1 = smaller.to_string();
        let flag = if names[0] == settings[at].0 {
            format!("-{}", settings[at].0)
        } else {
            format!("--{}", settings[at].0)
        };
        let whom = match (names[0], smaller) {
            ("m", 1) => "an attacker who knows 1 event".to_owned(),
            ("m", several) => format!("an attacker who knows {several} events"),
            (_, people) => format!("a crowd of {people}"),
        };
        all.push(with(format!("ask for {whom} (`{flag} {smaller}`)"), settings, few.clone()));
    }
    if let Some(shorter) = without_longest(few) {
        all.push(with(
            "leave out the people with the longest 1% of records".to_owned(),
            job.settings.clone(),
            shorter,
        ));
    }
    if let Some((column, narrower)) = without_finest_column(few) {
        let what = format!("publish the table without the column `{column}`");
        all.push(with(what, job.settings.clone(), narrower));
    }
    all.extend(other_methods(promise, job, few));
    all
}

/// Everybody but those with the longest hundredth of the records.
fn without_longest(few: &Loaded) -> Option<Loaded> {
    let events = &few.data.events;
    let mut lengths: Vec<usize> = (0..events.records()).map(|record| events.span(record).len()).collect();
    lengths.sort_unstable();
    let longest = *lengths.last()?;
    let limit = lengths[lengths.len() - lengths.len().div_ceil(100)];
    if longest < 3 || lengths.len() < 10 {
        return None;
    }
    let short =
        |person: &u32| events.records_of(*person as usize).all(|record| events.span(record).len() < limit);
    let people: Vec<u32> = (0..events.subjects() as u32).filter(short).collect();
    // Where many records are as long as the longest, they are no exceptions.
    (people.len() * 10 >= events.subjects() * 9).then(|| sample::restrict(few, &people))
}

/// A table without the quasi-identifying column that has most values.
fn without_finest_column(few: &Loaded) -> Option<(String, Loaded)> {
    let table = few.data.attributes.as_ref()?;
    let known: Vec<usize> = (0..table.columns.len())
        .filter(|at| table.columns[*at].role == Some(Role::QuasiIdentifying))
        .collect();
    if known.len() < 2 || !few.data.events.is_empty() {
        return None;
    }
    let values =
        |at: &usize| throng_data::Domain::of(&table.columns[*at], None).map_or(0, |domain| domain.len());
    // Of columns with as many values the first.
    let finest = *known.iter().rev().max_by_key(|at| values(at))?;
    let mut narrower = few.clone();
    let columns = &mut narrower.data.attributes.as_mut()?.columns;
    let removed = columns.remove(finest);
    narrower.inputs.hierarchies.remove(&removed.name);
    Some((removed.name, narrower))
}

/// Other methods that keep the promise with what is there.
fn other_methods(promise: &dyn Promise, job: &Job, few: &Loaded) -> Vec<Change> {
    let Some(asked) = promised(promise, job) else { return Vec::new() };
    let shape = few.data.shape();
    let usable = |method: &&'static dyn Method| {
        let descriptor = method.descriptor();
        descriptor.name != job.method
            && descriptor.fits(&shape).is_ok()
            && descriptor.lacking(|input| is_there(input, few)).next().is_none()
            && promise_of(*method).is_ok_and(|promise| !promise.rests_on_secret_noise())
    };
    let change = |method: &'static dyn Method| {
        let name = method.descriptor().name;
        let settings = recommend::settings_for(method, promise, &asked)?;
        let job = Job { method: name.to_owned(), settings, ..job.clone() };
        Some(Change { what: format!("use `--method {name}`"), job, loaded: few.clone(), other_method: true })
    };
    catalogue::methods().filter(usable).filter_map(change).collect()
}

/// The parameters of the promise, as the run had them.
fn promised(promise: &dyn Promise, job: &Job) -> Option<Settings> {
    let descriptor = promise.descriptor();
    let known = job.settings.iter().filter(|(name, _)| descriptor.param(name).is_some());
    Settings::parse(descriptor, known.map(|(name, value)| (name.as_str(), value.as_str()))).ok()
}

/// Whether an input was read.
fn is_there(input: Input, few: &Loaded) -> bool {
    let given = &few.inputs;
    match input {
        Input::Places => few.data.places.is_some(),
        Input::Records => few.data.attributes.is_some(),
        Input::Taxonomy => given.taxonomy.is_some(),
        Input::Hierarchies => !given.hierarchies.is_empty(),
        Input::SensitiveItems => !given.sensitive_items.is_empty(),
        Input::SensitiveValues => !given.sensitive_values.is_empty(),
        Input::Constraints => given.constraints.is_some(),
        Input::Policy => given.policy.is_some(),
        Input::Patterns => !given.patterns.is_empty(),
        Input::PersonPatterns => given.person_patterns.is_some(),
        Input::Alphabet => given.alphabet.is_some(),
        Input::Costs => given.costs.is_some(),
        Input::Queries => given.queries.is_some(),
    }
}

/// Runs, judges and grades; `None` when that cannot be done, or not in time.
fn attempt(job: &Job, loaded: Loaded, progress: &Progress) -> Result<Option<Came>, Failure> {
    let run = |inner: &Progress| {
        let made = job.plan()?.checked_from(loaded, Clock::after(Vec::new()), inner)?;
        let (usefulness, survived) = judge(&made, &job.limits, inner)?;
        Ok(Came { grade: usefulness.grade, survived })
    };
    match within(LIMIT, progress, run) {
        Ok(came) => Ok(Some(came)),
        Err(failure) => {
            if failure.class == Class::Interrupted {
                progress.check()?;
            }
            Ok(None)
        }
    }
}

/// What a change came to, next to the run as it was.
fn effect(came: &Came, before: Option<&Came>, people: u64) -> String {
    let mut text = match before {
        Some(before) if before.grade != came.grade => {
            format!("{} instead of {}", came.grade.name(), before.grade.name())
        }
        _ => came.grade.name().to_owned(),
    };
    let mut told: Vec<String> = Vec::new();
    for survived in &came.survived {
        let earlier =
            before.and_then(|before| before.survived.iter().find(|other| other.what == survived.what));
        match earlier {
            Some(earlier) if (earlier.share - survived.share).abs() >= 0.01 => {
                told.push(format!("{} ({:.0}% without it)", survived.in_words(), earlier.share * 100.0));
            }
            Some(_) => {}
            None => told.push(survived.in_words()),
        }
    }
    if !told.is_empty() {
        text.push_str(": ");
        text.push_str(&told.join(", "));
    }
    text.push_str(&format!("; tried on {people} people"));
    text
}
