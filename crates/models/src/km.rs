//! k^m-anonymity: an attacker who knows up to `m` events of a person finds at least `k` people who fit.
//!
//! A release keeps the promise if every sequence of 1 to `m` original items that some released record may contain
//! may be contained in records of at least `k` distinct people; for unordered events, every set of 1 to `m` items. An event
//! `{a|b}` of a sequence may be `a` or `b`, one of them; an item `{a|b}` of a set may be `a`, `b` or both. What patterns
//! are spoken of, and why these are enough, is argued in `cover.rs`.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Definition 4, after
//! Terrovitis, Mamoulis, Kalnis (VLDB 2008) for sets.
//! # Guarantees
//! The answer is exact: every pattern of every size up to `m` is counted, and all broken ones are counted, not only
//! the smallest. With `list == 0` the check ends at the first broken pattern; `checked` and `violations_total` are
//! then both 1, for the one pattern that decided.
//! # Cost
//! Depth first over patterns, each with the positions where its leftmost matches end, so memory holds one path of the
//! search. The last level is counted without positions, and only until every possible next item has `k` people. A
//! pattern whose matches all continue alike is not walked further: the rest is counted by dynamic programming.
//!
//! Released items are counted as they are written first. If each of their patterns has `k` people, so has every original
//! pattern, for a person who shows one of its wordings fits it. Only where that fails, and some original item is covered by two
//! released ones, are patterns of original items walked.
//! # Departs from the paper
//! Support counts people, not trajectories: a person with three trips is one person.

mod continuations;
mod long_record;
mod records;
mod tally;
mod walk;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;
use throng_contract::{
    Cancelled, DataKind, Descriptor, DescriptorKind, Key, OverParts, Phase, Progress, Settings, settings,
};

use throng_data::EventKind;

use self::records::Records;
use self::tally::Tally;
use self::walk::{Child, Halt, Level, Search, Walk};
use crate::cover::Cover;
use crate::ranges::{KNOWN, PEOPLE, who_fit};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};

/// The promise `km`.
#[derive(Debug, Clone, Copy)]
pub struct KmAnonymity;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "how many people must fit whatever an attacker knows"),
        m: u64 = Key::integer("m", KNOWN, "how many events of a person an attacker may know"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "km",
    purpose: "an attacker who knows up to m events of a person finds at least k people who fit",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: Asked::ALL,
    paper: "PSLG14",
    example: "throng verify release --promise km -k 5 -m 2",
    notes: "Says nothing about attackers who know more than m events, who know that a person did nothing else, or who \
            know times.",
    over_parts: Some(OverParts::Follows),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for KmAnonymity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        self.statement_for(settings, EventKind::Sequence)
    }

    fn statement_for(&self, settings: &Settings, kind: EventKind) -> String {
        let asked = Asked::of(settings);
        let known = match (asked.m, kind) {
            (1, EventKind::Sequence) => "one event of a person".to_owned(),
            (m, EventKind::Sequence) => format!("up to {m} events of a person, in order,"),
            (1, EventKind::Set | EventKind::Absent) => "one item of a person".to_owned(),
            (m, EventKind::Set | EventKind::Absent) => format!("up to {m} items of a person"),
        };
        let found = who_fit(asked.k);
        format!("An attacker who knows {known} finds {found}.")
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let (k, m) = (asked.k, asked.m);
        format!(
            "∀ s, 1 ≤ |s| ≤ {m}: |{{p : s ⊑ R(p)}}| = 0 or ≥ {k}, where s is a sequence (or set) of original items, R(p) are \
             the released records of person p, and s ⊑ R(p) says that one of them may contain s"
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.k), known: Some(asked.m) }
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        let too_large = |events: usize| CheckError::TooLarge {
            promise: DESCRIPTOR.name,
            what: format!("{events} events"),
            limit: format!("{} events and records", u32::MAX),
        };
        let k = u32::try_from(asked.k).unwrap_or(u32::MAX);
        let m = asked.m as usize;
        let release = evidence.release;
        let mut records = Records::of(release, Cover::as_written(release, |_| false)).map_err(too_large)?;
        let mut judged = judge(&records, k, m, list, progress)?;
        if judged.as_ref().is_none_or(|tally| tally.broken > 0) {
            let original = Cover::in_original_words(release, |_| false);
            if !original.is_partition() {
                records = Records::of(release, original).map_err(too_large)?;
                judged = judge(&records, k, m, list, progress)?;
            }
        }
        let Some(tally) = judged else {
            return Ok(Verdict {
                promise: DESCRIPTOR.name,
                holds: false,
                checked: 1,
                violations: Vec::new(),
                violations_total: 1,
                ..Verdict::default()
            });
        };
        let (checked, violations_total) = (tally.checked, tally.broken);
        let violations = tally.into_listed().into_iter().map(|broken| Violation {
            pattern: broken.pattern.iter().map(|symbol| records.name(*symbol).to_owned()).collect(),
            support: u64::from(broken.support),
            needed: u64::from(k),
            details: Default::default(),
        });
        Ok(Verdict {
            promise: DESCRIPTOR.name,
            holds: violations_total == 0,
            checked,
            violations: violations.collect(),
            violations_total,
            ..Verdict::default()
        })
    }
}

/// Counts all patterns; `None` when asked to stop at the first broken one and there is one.
fn judge(
    records: &Records,
    k: u32,
    m: usize,
    list: usize,
    progress: &Progress,
) -> Result<Option<Tally>, Cancelled> {
    let found = AtomicBool::new(false);
    let search = Search { records, k, m, list, progress, found: &found };
    let mut root = Walk::new(search);
    let first = match root.first_items() {
        Ok(first) => first,
        Err(Halt::Cancelled) => return Err(Cancelled),
        Err(Halt::Found) => return Ok(None),
    };
    let mut tally = root.into_tally();
    if m == 1 || first.children.is_empty() {
        return Ok(Some(tally));
    }
    let phase = progress.phase("check patterns", Some(first.entries.len() as u64));
    let walked = walk_below(&first, search, &phase);
    for part in walked {
        match part {
            Ok(part) => tally.merge(part),
            Err(Halt::Cancelled) => return Err(Cancelled),
            Err(Halt::Found) => {}
        }
    }
    Ok(if list == 0 && found.into_inner() { None } else { Some(tally) })
}

/// Walks the patterns that begin with each first item. Workers draw first items from one queue, longest first; what
/// they find is merged by a total order, so that the answer does not depend on who walked what.
fn walk_below(first: &Level, search: Search<'_>, phase: &Phase<'_>) -> Vec<Result<Tally, Halt>> {
    let mut queue: Vec<&Child> = first.children.iter().collect();
    queue.sort_by_key(|child| std::cmp::Reverse(child.entries.len()));
    let next = AtomicUsize::new(0);
    let workers = rayon::current_num_threads().min(queue.len());
    (0..workers)
        .into_par_iter()
        .map(|_| {
            let mut walk = Walk::new(search);
            while let Some(child) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
                walk.below(child, first)?;
                phase.advance(child.entries.len() as u64).map_err(|Cancelled| Halt::Cancelled)?;
            }
            Ok(walk.into_tally())
        })
        .collect()
}

#[cfg(test)]
mod tests;
