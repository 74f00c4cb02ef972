//! LKC-privacy: an attacker who knows up to `L` timed visits of a person finds at least `K` people that fit, and cannot be
//! surer than `C` of any sensitive value.
//!
//! # Reference
//! \[MFD\] Mohammed, Fung, Debbabi. Preserving Privacy and Utility in RFID Data Publishing. Definition 1.
//! # Guarantees
//! Every sequence `q` of at most `L` doublets (original item and time) that some released record may contain fits the
//! records of at least `K` people, and among those people each sensitive value is held by a share of at most `C`. The same
//! is asked of the empty `q`: at least `K` people in all, and no sensitive value above `C` overall. A person fits `q`
//! when one of their records may contain it (see `cover.rs`). A person whose value in a sensitive column is missing may have any of its values:
//! such people count as holders of each, the worst it can be. With `missing = value` they hold none of those that are named.
//! # Cost
//! Every occurrence of every sequence of up to `L` doublets is walked once: for `L = 3` and records of eight events,
//! 92 steps a record. Deeper walks skip doublets that everybody in a group shares. Where released items overlap and
//! the walk over them does not settle what original ones do, those are walked too (`possible.rs`).
//! # Departs from the paper
//! The paper leaves the empty sequence out; an attacker who knows nothing at all must not be surer than `C` either. It
//! also takes K-anonymity for the case of unlimited `L`, but that needs whole records to be equal: in `ade, ade, ad`
//! every sequence is shared by two people, and the third record is still unique as a record.

mod possible;
mod visits;
mod walk;

use std::collections::BTreeMap;

use throng_contract::{
    DataKind, Descriptor, DescriptorKind, Fraction, Input, Key, Need, OverParts, Progress, Settings,
    SettingsError, settings,
};

use crate::choices::MissingSecret;
use crate::cover::{Cover, apart_within_people};
use crate::ranges::{KNOWN_OR_ALL, PEOPLE, who_fit};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};
use possible::{Possible, repeats_ambiguous_events};
use visits::{Sensitive, Visits};
use walk::{Bounds, Finding, Findings};

/// The promise `lkc`.
pub struct Lkc;

const NAME: &str = "lkc";

/// The part of the promise that needs no sensitive values.
const NUMBER_OF_PEOPLE: &str = "how many people fit (L and K)";

settings! {
    /// What the promise is asked for.
    struct Asked {
        length: u64 = Key::integer_or_max(
            "L",
            KNOWN_OR_ALL,
            "how many timed visits an attacker may know; `max` for all of a record",
        ),
        people: u64 = Key::integer("K", PEOPLE, "how many people must fit whatever the attacker knows"),
        share: Fraction = Key::share(
            "C",
            "how sure the attacker may be of a sensitive value, above 0",
        )
        .or("1"),
        missing: MissingSecret = Key::choice(
            "missing",
            "people whose sensitive value is missing: worst: they may have any; value: they have none of those named",
        )
        .or("worst"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: NAME,
    purpose: "Up to L timed visits fit at least K people, and no sensitive value is surer than C among them",
    takes: &[DataKind::Timed],
    needs: &[Need::optional(Input::Records), Need::optional(Input::SensitiveValues)],
    params: Asked::ALL,
    paper: "MFD",
    example: "throng verify release --promise lkc --L 3 --K 30 --C 0.6 --sensitive-values status=on-welfare",
    notes: "Without sensitive values only the number of people is checked. `L = max` with `C = 1` is close to \
            K-anonymity and `L = max, K = 1` to confidence bounding, but neither is the same: sequences are shared, \
            whole records need not be, so someone who knows that a person made no further visit, or that they are \
            not in the data, is not covered. Nor is anyone who knows more than L visits.",
    over_parts: Some(OverParts::FollowsWithSame("sensitive values")),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for Lkc {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let known = match asked.length {
            u64::MAX => "any number of a person's visits".to_owned(),
            1 => "one of a person's visits".to_owned(),
            limit => format!("up to {limit} of a person's visits"),
        };
        let (people, share) = (asked.people, asked.share);
        let mut text = format!("An attacker who knows {known}, with their times, finds {}", who_fit(people));
        if share < Fraction::ONE {
            text.push_str(&format!(
                ", and cannot conclude a sensitive value with more than {} % certainty",
                share.to_f64() * 100.0
            ));
        }
        text.push('.');
        text
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let known = match asked.length {
            u64::MAX => "∀ q".to_owned(),
            limit => format!("∀ q, |q| ≤ {limit}"),
        };
        let (people, share) = (asked.people, asked.share);
        let (surest, values) = if share < Fraction::ONE {
            let surest = format!(", and ∀ v ∈ V: |{{p ∈ P(q) : p has v}}| ≤ {} · |P(q)|", share.to_f64());
            (surest, " V are the sensitive values,")
        } else {
            (String::new(), "")
        };
        format!(
            "{known}, with P(q) = {{p : q ⊑ R(p)}} ≠ ∅: |P(q)| ≥ {people}{surest}, where q is a sequence of visits, each an \
             original item and its time,{values} R(p) are the released records of person p, and q ⊑ R(p) says that one of them \
             may contain q"
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.people), known: Some(asked.length) }
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        let bounds = Bounds {
            length: usize::try_from(asked.length).unwrap_or(usize::MAX),
            people: asked.people,
            share: asked.share,
        };
        if bounds.share == Fraction::ZERO {
            return Err(CheckError::Settings(SettingsError::Wrong {
                owner: NAME,
                name: "C",
                wanted: "a share above 0, up to 1".to_owned(),
                given: bounds.share.to_string(),
            }));
        }
        let sensitive = Sensitive::collect(NAME, evidence, asked.missing == MissingSecret::Worst)?;
        let release = evidence.release;
        let visits = Visits::collect(NAME, release, progress)?;
        let mut findings = Findings::keeping(list);
        judge_everyone(&visits, &sensitive, &bounds, &mut findings);
        let everyone = findings.clone();
        if list > 0 || findings.broken == 0 {
            findings = walk::explore(&visits, &sensitive, &bounds, findings, progress)?;
        }
        let original = Cover::in_original_words(release, |_| false);
        let settled = !repeats_ambiguous_events(release)
            && (original.is_partition()
                || (findings.broken == 0 && (sensitive.names.is_empty() || apart_within_people(release))));
        let possible = (!settled).then(|| Possible::collect(release, original));
        if let Some(possible) = &possible {
            findings = everyone;
            possible.explore(&sensitive, &bounds, &mut findings, progress)?;
        }
        let written = |doublet: &u32| match &possible {
            Some(possible) => possible.written(*doublet),
            None => visits.written(*doublet, release),
        };
        let describe = |finding: Finding| Violation {
            pattern: finding.doublets.iter().map(written).collect(),
            support: finding.support,
            needed: bounds.people,
            details: finding.learned.map_or_else(BTreeMap::new, |(value, holders)| {
                let confidence = Fraction::new(holders, finding.support).unwrap_or(Fraction::ZERO);
                BTreeMap::from([
                    ("sensitive", sensitive.names[value].clone()),
                    ("confidence", confidence.to_string()),
                    ("allowed", bounds.share.to_string()),
                ])
            }),
        };
        let mut verdict = Verdict {
            promise: NAME,
            holds: findings.broken == 0,
            checked: findings.looked_at,
            violations_total: findings.broken,
            violations: findings.finish().into_iter().map(describe).collect(),
            ..Verdict::default()
        };
        if bounds.share < Fraction::ONE && sensitive.names.is_empty() {
            verdict.judged.push(NUMBER_OF_PEOPLE.to_owned());
            verdict
                .not_judged
                .push("how sure anyone can be of a sensitive value (C): none was named".to_owned());
        }
        Ok(verdict)
    }
}

/// The empty sequence: an attacker who knows nothing but that the person is in the data.
fn judge_everyone(visits: &Visits, sensitive: &Sensitive, bounds: &Bounds, findings: &mut Findings) {
    if visits.people == 0 {
        return;
    }
    let mut holders = vec![0_u32; sensitive.names.len()];
    for person in 0..visits.people {
        for value in sensitive.of(person) {
            holders[*value as usize] += 1;
        }
    }
    findings.judge(bounds, &[], visits.people as u32, &holders);
}
