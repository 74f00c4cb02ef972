//! (k, k^m)-anonymity: an attacker who knows a person's quasi-identifiers and up to `m` of their items finds at least `k` people who fit.
//!
//! A release keeps the promise if every group of people whose rows show the same has at least `k` people, and its events are
//! k^m-anonymous by themselves: every set of up to `m` items, or every sequence of up to `m` events known in order, fits at least `k`
//! people of that group, or no person of it. Why that is enough against an attacker who knows original values and items is argued in `mixed.rs`.
//!
//! # Reference
//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. Anonymizing data with relational and transaction attributes.
//! ECML/PKDD 2013. Definition 2; what counts as a group follows its text, for the printed Definition 1 is not at hand.
//! # Guarantees
//! Exact: every group, and in it every set (of ordered events: every sequence) of up to `m` items.
//! # Cost
//! That of `km` on each group; groups in parallel.
//! # Departs from the paper
//! Support counts people, not records. Items are counted in original words: a record fits what it may contain. Events may be ordered.

use throng_contract::{
    DataKind, Descriptor, DescriptorKind, Input, Need, OverParts, Progress, Settings, settings,
};
use throng_data::EventKind;

use super::{Inside, K, M, judge};
use crate::ranges::who_fit;
use crate::{Assumes, CheckError, Evidence, KmAnonymity, Promise, Verdict};

/// The promise `kkm`.
#[derive(Debug, Clone, Copy)]
pub struct KkmAnonymity;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = K,
        m: u64 = M,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "kkm",
    purpose: "an attacker who knows a person's quasi-identifiers and up to m items finds at least k people who fit",
    takes: &[DataKind::Mixed],
    needs: &[Need::optional(Input::Records)],
    params: Asked::ALL,
    paper: "PGLS13",
    example: "throng verify release --promise kkm -k 5 -m 2",
    notes: "Events may be sets or sequences; in sequences an attacker knows the order. Implies `k` for the columns and `km` for the events; \
            the two together do not imply it. Says nothing about attackers who know \
            more than m items, and nothing about what is learned of people who are in a crowd: ask for `klm-diverse` besides.",
    over_parts: Some(OverParts::Follows),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for KkmAnonymity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        self.statement_for(settings, EventKind::Set)
    }

    fn statement_for(&self, settings: &Settings, kind: EventKind) -> String {
        let asked = Asked::of(settings);
        let known = known(asked.m, kind);
        let found = who_fit(asked.k);
        format!("An attacker who knows the quasi-identifying values of a person and {known} finds {found}.")
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let (k, m) = (asked.k, asked.m);
        format!(
            "∀ p, ∀ s ⊑ R(p), 0 ≤ |s| ≤ {m}: |{{q : Q(q) = Q(p) and s ⊑ R(q)}}| ≥ {k}, where Q(p) are the released quasi-identifying \
             cells of person p, R(p) the released records, s is a set (or sequence) of original items, and s ⊑ R(p) says that one of the \
             records may contain s"
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
        let km = settings.for_promise(KmAnonymity.descriptor())?;
        judge(DESCRIPTOR.name, evidence, asked.k, list, progress, |group, quiet| {
            let found = KmAnonymity.check(&Evidence::of(&group.release), &km, list, quiet)?;
            Ok(Inside { checked: found.checked, broken: found.violations_total, worst: found.violations })
        })
    }
}

/// What is known of the events, for a sentence.
pub(super) fn known(m: u64, kind: EventKind) -> String {
    match (m, kind) {
        (1, EventKind::Sequence) => "one of their events".to_owned(),
        (m, EventKind::Sequence) => format!("up to {m} of their events, in order,"),
        (1, EventKind::Set | EventKind::Absent) => "one of their items".to_owned(),
        (m, EventKind::Set | EventKind::Absent) => format!("up to {m} of their items"),
    }
}
