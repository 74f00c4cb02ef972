//! Mutual information privacy: a reader who sees a published sequence learns little about which sensitive pattern occurred.
//!
//! For each person, a sensitive pattern is drawn in proportion to how often it occurs within the window in the
//! person's original sequence, and shown as it is published. The promise bounds the mutual information between
//! the two, in bits, or as a share of the entropy of the patterns.
//!
//! # Reference
//! BFJ16: Bonomi, Fan, Jin. An information theoretic approach to individual sequential data sanitization. WSDM 2016.
//! Definition 2.
//! # Guarantees
//! Exact up to rounding (a billionth of a bit). Needs the original data: the release alone does not tell how often
//! patterns occurred. A person whose symbol is published in two ways breaks the promise, since the image is then no
//! function of the pattern.
//! # Cost
//! One pass over the windows for each pattern.
//! # Departs from the paper
//! The probability of a published pattern is that of the patterns shown as it; the paper counts it in the published
//! sequence, which is no distribution of the same experiment. The average is bounded, not the worst case.
//!
//! Sensitive are the patterns of a list, for everybody, and those that a file gives for one person each. Who has neither has nothing
//! to be learned.
//!
//! A person with only one sensitive pattern leaves nothing to learn (`H(S) = 0`): by the definition it may be published
//! unchanged at any epsilon, and everybody sees it. `only = "hide"` adds the floor: such a pattern is not published as itself, at
//! least one of its items stands for something else, too.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use throng_contract::{
    Cancelled, DataKind, Descriptor, DescriptorKind, Input, Key, Need, OverParts, Progress, Settings,
    choices, settings,
};
use throng_data::{Dataset, ItemId, Release};

use crate::{CheckError, Evidence, Promise, Verdict, Violation};

/// The promise `mi`.
#[derive(Debug, Clone, Copy)]
pub struct MutualInformation;

/// Information below this many bits is rounding.
const ROUNDING: f64 = 1e-9;

/// How much may be learned. Methods that keep the promise take the same parameters.
pub const EPSILON: Key<f64> = Key::number(
    "epsilon",
    0.0..=64.0,
    "what may be learned: a share of the patterns' entropy, or bits (see `unit`)",
);

choices! {
    /// What `epsilon` is measured in.
    pub enum Unit {
        /// As a share of what there is to learn.
        Relative = "relative",
        /// In bits.
        Bits = "bits",
    }
}

/// What `epsilon` is measured in.
pub const UNIT: Key<Unit> =
    Key::choice("unit", "relative: epsilon is a share of what there is to learn; bits: it is absolute")
        .or("relative");

/// When a pattern counts as occurring.
pub const WINDOW: Key<u64> = Key::integer(
    "window",
    1..=1_000_000,
    "events after the first within which a pattern counts as occurring",
)
.or("10");

choices! {
    /// What becomes of a pattern that is a person's only one.
    pub enum Only {
        /// It may be published as itself, as the definition has it.
        Keep = "keep",
        /// It is not published as itself.
        Hide = "hide",
    }
}

/// What becomes of a pattern that is a person's only one.
pub const ONLY: Key<Only> =
    Key::choice(
        "only",
        "a person's only sensitive pattern: keep, as the definition has it, or hide, so that it is not published as itself",
    )
    .or("keep");

settings! {
    /// What the promise is asked for.
    struct Asked {
        epsilon: f64 = EPSILON,
        unit: Unit = UNIT,
        window: u64 = WINDOW,
        only: Only = ONLY,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "mi",
    purpose: "a reader who sees a person's sequence learns at most epsilon about which sensitive pattern occurred in it",
    takes: &[DataKind::Sequences],
    needs: &[Need::either(Input::Patterns, Input::PersonPatterns), Need::optional(Input::PersonPatterns)],
    params: Asked::ALL,
    paper: "BFJ16",
    example: "throng verify clicks/events.csv --promise mi --epsilon 0.5 --window 10 --patterns clicks/patterns.csv",
    notes: "Can only be judged with the original data at hand, so it is judged when a release is made. Bounds the average \
            over patterns, not the surest guess, and says nothing about who a sequence belongs to. Where a person has only one \
            of the patterns, it is published as it is at any epsilon, unless `only = hide` is promised.",
    over_parts: Some(OverParts::FollowsWithSame("lists of patterns")),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for MutualInformation {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let amount = match asked.unit {
            Unit::Bits => format!("at most {} bits", asked.epsilon),
            Unit::Relative => format!("at most {}% of what there is to learn", asked.epsilon * 100.0),
        };
        let only = match asked.only {
            Only::Hide => "Where a person has only one of them, it is not published as itself.",
            Only::Keep => {
                "Where a person has only one of them, it may be published as it is, for everybody to see."
            }
        };
        format!(
            "A reader who sees a person's published sequence learns, on average, {amount} about which sensitive pattern \
             occurred within {} events in the original one. {only}",
            asked.window
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let epsilon = asked.epsilon;
        let bound = match asked.unit {
            Unit::Bits => format!("{epsilon} bits"),
            Unit::Relative => format!("{epsilon} · H(S)"),
        };
        let only = if asked.only == Only::Hide { ", and G(S) ≠ S where H(S) = 0" } else { "" };
        format!(
            "∀ p: I(S; G(S)) ≤ {bound}{only}, where S is a sensitive pattern drawn as often as it occurs within {} events in the \
             original records of person p, G(S) is how the release shows it, H is entropy and I mutual information",
            asked.window
        )
    }

    fn needs_original(&self) -> bool {
        true
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        let missing = |what, help| CheckError::Missing { promise: DESCRIPTOR.name, what, help };
        let Some(original) = evidence.original else {
            return Err(missing(
                "the original data",
                "it is judged by {throng anonymize} before the release is written; see the verdict in manifest.json",
            ));
        };
        let own = evidence.inputs.person_patterns.as_ref();
        if evidence.inputs.patterns.is_empty() && own.is_none() {
            return Err(missing("a list of patterns", "add {patterns FILE} or {person-patterns FILE}"));
        }
        let patterns = known_patterns(original, &evidence.inputs.patterns);
        let window = asked.window as usize;
        let relative = asked.unit == Unit::Relative;
        let subjects = original.events.subjects();
        let phase = progress.phase("check each person's sequence", Some(subjects as u64));
        let mut verdict = Verdict { promise: DESCRIPTOR.name, holds: true, ..Verdict::default() };
        for subject in 0..subjects {
            phase.advance(1)?;
            verdict.checked += 1;
            let theirs = own.and_then(|own| own.get(original.subjects.name(subject as u32)));
            let theirs = with_own(original, &patterns, theirs);
            let finding = judge(original, evidence.release, subject, &theirs, window, progress)?;
            let limit = if relative { asked.epsilon * finding.entropy } else { asked.epsilon };
            let shown = finding.only_is_shown && asked.only == Only::Hide;
            if !finding.ambiguous && !shown && finding.information <= limit + ROUNDING {
                continue;
            }
            verdict.violations_total += 1;
            if verdict.violations.len() < list.max(1) {
                let mut details = BTreeMap::from([
                    ("bits", format!("{:.6}", finding.information)),
                    ("allowed", format!("{limit:.6}")),
                ]);
                let reason = match (finding.ambiguous, shown) {
                    (true, _) => Some("an item is published in two ways, or events are missing"),
                    (false, true) => Some("the only sensitive pattern is published as itself"),
                    (false, false) => None,
                };
                details.extend(reason.map(|reason| ("reason", reason.to_owned())));
                verdict.violations.push(Violation { pattern: Vec::new(), support: 1, needed: 1, details });
            }
            if list == 0 {
                break;
            }
        }
        verdict.holds = verdict.violations_total == 0;
        Ok(verdict)
    }
}

/// The patterns whose items all occur; the others occur in no person's sequence.
fn known_patterns(original: &Dataset, patterns: &[Vec<String>]) -> Vec<Vec<ItemId>> {
    patterns
        .iter()
        .filter_map(|pattern| pattern.iter().map(|name| original.items.find(name)).collect())
        .collect()
}

/// What must be hidden of one person: the patterns of everybody, and those that are theirs alone.
fn with_own<'a>(
    original: &Dataset,
    everybody: &'a [Vec<ItemId>],
    own: Option<&Vec<Vec<String>>>,
) -> Cow<'a, [Vec<ItemId>]> {
    let Some(own) = own else { return Cow::Borrowed(everybody) };
    let mut all = everybody.to_vec();
    for pattern in known_patterns(original, own) {
        if !all.contains(&pattern) {
            all.push(pattern);
        }
    }
    Cow::Owned(all)
}

struct Finding {
    entropy: f64,
    information: f64,
    ambiguous: bool,
    /// One pattern occurred and no other, and each of its items is published as itself.
    only_is_shown: bool,
}

fn judge(
    original: &Dataset,
    release: &Release,
    subject: usize,
    patterns: &[Vec<ItemId>],
    window: usize,
    progress: &Progress,
) -> Result<Finding, Cancelled> {
    let mut published: BTreeMap<ItemId, ItemId> = BTreeMap::new();
    let mut ambiguous = false;
    for record in original.events.records_of(subject) {
        let (before, after) = (original.events.record(record), release.events().record(record));
        ambiguous |= before.len() != after.len();
        for (item, image) in before.iter().zip(after) {
            ambiguous |= *published.entry(*item).or_insert(*image) != *image;
        }
    }
    let mut occurred: Vec<f64> = Vec::new();
    let mut seen: BTreeMap<Vec<Option<ItemId>>, f64> = BTreeMap::new();
    let mut kinds: BTreeSet<&[ItemId]> = BTreeSet::new();
    for pattern in patterns {
        let mut count = 0.0;
        for record in original.events.records_of(subject) {
            progress.check()?;
            count += occurrences(original.events.record(record), pattern, window);
        }
        occurred.push(count);
        if count > 0.0 {
            kinds.insert(pattern);
        }
        let image = pattern.iter().map(|item| published.get(item).copied()).collect();
        *seen.entry(image).or_default() += count;
    }
    let as_itself = |item: &ItemId| {
        published.get(item).is_some_and(|image| release.alphabet[*image as usize].is_intact())
    };
    let only_is_shown = match kinds.first() {
        Some(only) if kinds.len() == 1 => only.iter().all(as_itself),
        _ => false,
    };
    Ok(Finding {
        entropy: entropy(&occurred),
        information: entropy(&seen.into_values().collect::<Vec<_>>()),
        ambiguous,
        only_is_shown,
    })
}

/// Occurrences that end at each position, found by looking back: the number of ways to match `pattern[..=j]` with its
/// last symbol here, kept separately for each beginning within the window.
fn occurrences(record: &[ItemId], pattern: &[ItemId], window: usize) -> f64 {
    let Some((last, front)) = pattern.split_last() else { return 0.0 };
    let mut total = 0.0;
    for end in (0..record.len()).filter(|at| record[*at] == *last) {
        let start = end.saturating_sub(window);
        // Every beginning counts only what fits between it and the end.
        total += match front {
            [] => 1.0,
            _ => ways(&record[start..end], front),
        };
    }
    total
}

/// The number of ways to find the symbols in the stretch, in order.
fn ways(stretch: &[ItemId], symbols: &[ItemId]) -> f64 {
    let mut table = vec![0.0; symbols.len() + 1];
    table[0] = 1.0;
    for item in stretch {
        for at in (0..symbols.len()).rev() {
            if symbols[at] == *item {
                table[at + 1] += table[at];
            }
        }
    }
    table[symbols.len()]
}

fn entropy(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let shares = weights.iter().filter(|weight| **weight > 0.0).map(|weight| weight / total);
    shares.map(|share| -share * share.log2()).sum::<f64>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_all_ways_within_the_window() {
        let record = [1, 2, 1, 2, 3, 2];
        assert_eq!(occurrences(&record, &[1], 3), 2.0);
        // 1 at 0 or 2, then 2 at 1, 3 or 5, not more than three events later.
        assert_eq!(occurrences(&record, &[1, 2], 3), 4.0);
        assert_eq!(occurrences(&record, &[1, 2], 1), 2.0);
        assert_eq!(occurrences(&record, &[1, 2, 2], 5), 4.0);
        assert_eq!(occurrences(&record, &[3, 1], 5), 0.0);
        assert_eq!(occurrences(&record, &[], 5), 0.0);
    }

    #[test]
    fn entropy_is_in_bits_and_leaves_out_what_does_not_occur() {
        assert_eq!(entropy(&[2.0, 2.0, 0.0, 2.0, 2.0]), 2.0);
        assert_eq!(entropy(&[7.0]), 0.0);
        assert_eq!(entropy(&[]), 0.0);
    }
}
