//! Counts in place of records, for readers who want no more than counts.
//!
//! A release of counts has no records in which anybody could be looked for. It keeps a promise of its own, `k-counts`, so it is
//! an answer only where no promise was named. It is preferred where it is of more use than the best records. Moves are far
//! more numerous than places, so fewer people share each: where too few moves are left, visits are counted alone.

use throng_contract::{DataKind, Failure, Settings};

use super::bench::Bench;
use super::candidates::Candidate;
use super::effort::work;
use super::trial::{Trial, attempt};
use super::{Keep, Recommendation};
use throng_release::catalogue;
use throng_release::usefulness::Survived;

const METHOD: &str = "counts";
const PROMISE: &str = "k-counts";
const VISITS: &str = "visits";

/// Counts of the same crowd, tried on everybody (on the sample, when no more was asked); nothing where records were asked for.
pub(super) fn instead(bench: &mut Bench<'_>, asked: &Settings) -> Result<Option<Trial>, Failure> {
    let request = bench.request;
    let records = request.keep != Keep::Counts || request.truthful || request.goal.is_none();
    let fits = catalogue::method(METHOD)?.descriptor().fits(&request.files.probable_shape()).is_ok();
    let crowd = ["k", "K"].into_iter().find_map(|name| asked.get(name));
    let Some(crowd) = crowd.filter(|_| fits && !records && request.also.is_empty()) else { return Ok(None) };
    let all = counting(super::typed(crowd));
    let tried = tried(bench, &all)?;
    let without_order = matches!(request.files.probable_shape().kind(), DataKind::Sets | DataKind::Mixed);
    if tried.is_useful() || without_order {
        return Ok(Some(tried));
    }
    let visits = self::tried(bench, &visits_alone(all))?;
    Ok(Some(if visits.is_useful() { visits } else { tried }))
}

/// Everything that can be counted.
fn counting(crowd: String) -> Candidate {
    Candidate {
        method: METHOD.to_owned(),
        keeps: PROMISE.to_owned(),
        settings: vec![("k".to_owned(), crowd)],
    }
}

fn visits_alone(mut counting: Candidate) -> Candidate {
    counting.settings.push(("tables".to_owned(), VISITS.to_owned()));
    counting
}

fn counts_moves(candidate: &Candidate) -> bool {
    candidate.settings.iter().all(|(_, value)| value != VISITS)
}

fn tried(bench: &mut Bench<'_>, candidate: &Candidate) -> Result<Trial, Failure> {
    let request = bench.request;
    let loaded = match request.sample_only {
        true => bench.load_sample(candidate)?,
        false => bench.load(candidate)?,
    };
    bench.effort.owe(work(candidate, &loaded.data)?);
    attempt(request, candidate, loaded, request.limit, bench.progress)
}

/// Whether the promise of counts is the one to judge by.
pub(super) fn is_counts(candidate: &Candidate) -> bool {
    candidate.keeps == PROMISE
}

/// Whether counts are of more use than the best records: graded better, or as good with more left of what can be counted.
pub(super) fn is_preferred(counted: &Trial, records: Option<&Trial>) -> bool {
    let Some(counts) = counted.kept().filter(|_| counted.is_useful()) else { return false };
    let Some(records) = records.filter(|trial| trial.is_useful()).and_then(Trial::kept) else { return true };
    let mean = |survived: &[Survived]| {
        survived.iter().map(|survived| survived.share).sum::<f64>() / survived.len().max(1) as f64
    };
    let answered = records.survived.iter().find(|survived| survived.what == "queries");
    let answered = answered.map_or_else(|| mean(&records.survived), |survived| survived.share);
    counts.grade < records.grade
        || (counts.grade == records.grade && mean(&counts.survived) > answered && records.score > 0.1)
}

/// Why counts are recommended, in a few sentences.
pub(super) fn reasons(of: &Recommendation, chosen: &Trial) -> Vec<String> {
    let Some(kept) = chosen.kept() else { return Vec::new() };
    let left: Vec<String> = kept.survived.iter().map(Survived::in_words).collect();
    let counted = match of.kind {
        DataKind::Sets | DataKind::Mixed => "have an item, where enough do",
        _ if counts_moves(&chosen.candidate) => {
            "were at an item or went from one to another, where enough did"
        }
        _ => "were at an item, where enough were (moves between two are too many for so few people)",
    };
    let mut reasons = vec![
        format!(
            "Where only counts matter, `{METHOD}` says more: it publishes how many people {counted}, and no records in which \
             anybody could be looked for."
        ),
        format!(
            "It keeps `{PROMISE}` in place of `{}`, and is {}: {}.",
            of.promise,
            kept.grade.name(),
            left.join(", ")
        ),
    ];
    let best = if of.on_all.is_empty() { &of.trials } else { &of.on_all };
    reasons.push(match best.iter().find_map(|trial| Some((trial, trial.kept()?))) {
        Some((trial, kept)) => format!(
            "The best records that keep `{}`, by `{}`, are {}: {}. `--truthful` asks for records.",
            of.promise,
            trial.candidate.method,
            kept.grade.name(),
            kept.because.join("; ")
        ),
        None => format!("No records that were tried keep `{}`.", of.promise),
    });
    reasons
}
