//! The grade of a release whose records were taken apart.
//!
//! Pairs and queries are answered from the chunks: what averages over many possible datasets come to. They are drawn from a few
//! people, and counted among all.

use throng_contract::{Cancelled, Failure, Progress};
use throng_data::{ChunkKind, Chunks, Dataset, ItemId, Query};
use throng_measure::chunk_supports::{Support, supports};
use throng_measure::counting::{Meaning, count};

use super::{Aspect, COARSE, Grade, Limits, Survived, in_words};
use crate::made::Checked;

/// What is left of some frequent pairs and of some queries.
pub(super) fn survived(
    made: &Checked,
    chunks: &Chunks,
    pairs: &[Vec<ItemId>],
    queries: &[Query],
    progress: &Progress,
) -> Result<Vec<Survived>, Failure> {
    let mut found = Vec::new();
    let answered = answered(made, chunks, pairs, progress)?;
    if let Some(share) = share(&answered, |people, support| 2.0 * support.estimate >= people) {
        found.push(Survived::new("patterns", share, "of frequent pairs are still found"));
    }
    let items = &made.loaded.data.items;
    let set = |query: &Query| query.items.iter().map(|item| items.find(item)).collect::<Option<Vec<_>>>();
    let sets: Vec<Vec<ItemId>> =
        queries.iter().filter(|query| query.cells.is_empty()).filter_map(set).collect();
    let answered = self::answered(made, chunks, &sets, progress)?;
    let within = |people: f64, answer: f64| 2.0 * (people - answer).abs() <= people;
    if let Some(share) = share(&answered, |people, support| within(people, support.estimate)) {
        found.push(Survived::new("queries", share, "of COUNT queries are answered to within half"));
    }
    let sure = |people: f64, support: &Support| {
        [support.lower, support.upper].into_iter().all(|limit| within(people, limit as f64))
    };
    if let Some(share) = share(&answered, sure) {
        let about = "of COUNT queries are answered to within half in every possible dataset";
        found.push(Survived::new("limits", share, about));
    }
    Ok(found)
}

/// How many people have each set, and what the chunks say; sets that no person has are left out.
fn answered(
    made: &Checked,
    chunks: &Chunks,
    sets: &[Vec<ItemId>],
    progress: &Progress,
) -> Result<Vec<(f64, Support)>, Cancelled> {
    let data = &made.loaded.data;
    let people = count(&data.events, &Meaning::identity(data.items.len()), sets, progress)?;
    let supports = supports(&made.outcome.release, chunks, sets, progress)?;
    let both = people.into_iter().map(|people| people.expected).zip(supports);
    Ok(both.filter(|(people, _)| *people > 0.0).collect())
}

fn share(answered: &[(f64, Support)], is: impl Fn(f64, &Support) -> bool) -> Option<f64> {
    let kept = answered.iter().filter(|(people, support)| is(*people, support)).count();
    (!answered.is_empty()).then(|| kept as f64 / answered.len() as f64)
}

/// What it is graded by: how much of what people have stands in term chunks, and what possible datasets still answer. All of it needs the
/// data, and is told in steps.
pub(super) fn graded(
    chunks: &Chunks,
    data: &Dataset,
    survived: &[Survived],
    limits: &Limits,
) -> Vec<(Grade, String)> {
    let about = |share: f64| (share / COARSE).round() * COARSE;
    let stepped = |aspect: Aspect, lost: f64, what: &str| {
        (limits.grade(aspect, about(lost)), format!("{} of the {what}", in_words(about(lost))))
    };
    let counted = (0..chunks.len()).filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term);
    let counted: usize =
        counted.flat_map(|chunk| chunks.parts(chunk)).map(|part| chunks.part(part).len()).sum();
    let mut held = 0_u64;
    let mut last = vec![usize::MAX; data.items.len()];
    for subject in 0..data.events.subjects() {
        for item in data.events.records_of(subject).flat_map(|record| data.events.record(record)) {
            held += u64::from(std::mem::replace(&mut last[*item as usize], subject) != subject);
        }
    }
    let lost = 1.0 - counted as f64 / held.max(1) as f64;
    let mut found = vec![stepped(
        Aspect::Events,
        lost.clamp(0.0, 1.0),
        "items of people stand in term chunks, without how often",
    )];
    for survived in survived {
        let (aspect, what) = match survived.what.as_str() {
            "patterns" => (Aspect::Patterns, "frequent pairs are lost"),
            "queries" => (Aspect::Queries, "COUNT queries are answered wrongly by more than half"),
            _ => continue,
        };
        found.push(stepped(aspect, 1.0 - survived.share, what));
    }
    found
}
