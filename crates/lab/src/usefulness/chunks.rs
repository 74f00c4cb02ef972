//! The grade of a release whose records were taken apart.

use throng_data::{ChunkKind, Chunks, Dataset};

use super::{Aspect, COARSE, Grade, Limits, Survived, in_words};

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
            "patterns" => (Aspect::Patterns, "frequent pairs are lost in a possible dataset"),
            "queries" => (Aspect::Queries, "COUNT queries are answered wrongly by more than half"),
            _ => continue,
        };
        found.push(stepped(aspect, 1.0 - survived.share, what));
    }
    found
}
