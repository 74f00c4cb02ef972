//! (k, l^m)-diversity: (k, k^m)-anonymity over the non-sensitive items, and no sensitive item is a good guess.
//!
//! A release keeps the promise if every group of people whose rows show the same has at least `k` people, of whom at most one in
//! `l` may have any given sensitive item, and the same holds for those of the group who fit any set of up to `m` non-sensitive
//! items that a record of the group may contain. See `mixed.rs` for why groups are enough, and `klm.rs` for what "may" means.
//!
//! # Reference
//! PGLS13: Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos. Anonymizing data with relational and transaction attributes.
//! ECML/PKDD 2013. Section 5, preventing both identity and attribute disclosure.
//! # Guarantees
//! Exact; shares are compared as whole numbers. A combination of sensitive items is never likelier than one of them alone.
//! # Cost
//! That of `klm` on each group; groups in parallel.
//! # Departs from the paper
//! Support counts people, not records. An attacker may also know no item at all.

use std::collections::BTreeMap;

use throng_contract::{
    DataKind, Descriptor, DescriptorKind, Input, Key, Need, OverParts, Progress, Settings, settings,
};
use throng_data::EventKind;

use super::groups::Group;
use super::kkm::known;
use super::{Inside, K, M, judge};
use crate::klm::{self, Bounds, likeliest_secret, sensitive_items};
use crate::ranges::{PEOPLE, who_fit};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};

/// The promise `klm-diverse`.
#[derive(Debug, Clone, Copy)]
pub struct KlmDiversity;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = K,
        l: u64 = Key::integer(
            "l",
            PEOPLE,
            "at most one in l of those who fit may have a given sensitive item",
        ),
        m: u64 = M,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "klm-diverse",
    purpose: "like kkm over the other items, and at most one in l of those who fit may have a sensitive item",
    takes: &[DataKind::Mixed],
    needs: &[Need::optional(Input::Records), Need::optional(Input::SensitiveItems)],
    params: Asked::ALL,
    paper: "PGLS13",
    example: "throng verify release --promise klm-diverse -k 5 -l 2 -m 2 --sensitive patients/codes-sensitive.csv",
    notes: "Without sensitive items it is `kkm`. Says nothing about attackers who know a sensitive item, or more than m items, and \
            nothing about sensitive columns.",
    over_parts: Some(OverParts::FollowsWithSame("list of sensitive items")),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for KlmDiversity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        self.statement_for(settings, EventKind::Set)
    }

    fn statement_for(&self, settings: &Settings, kind: EventKind) -> String {
        let asked = Asked::of(settings);
        let (found, l) = (who_fit(asked.k), asked.l);
        let known = known(asked.m, kind);
        // One in one is everyone.
        let share = match l {
            1 => String::new(),
            l => format!(", at most one in {l} of whom may have any given sensitive item"),
        };
        format!(
            "An attacker who knows the quasi-identifying values of a person and {}, none of them sensitive, finds {found}{share}.",
            known.trim_end_matches(',')
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let (k, l, m) = (asked.k, asked.l, asked.m);
        format!(
            "∀ p, ∀ s ⊑ R(p), 0 ≤ |s| ≤ {m}, with P = {{q : Q(q) = Q(p) and s ⊑ R(q)}}: |P| ≥ {k}, and ∀ a ∈ A: |{{q ∈ P : a ∈ R(q)}}| ≤ \
             |P| / {l}, where Q(p) are the released quasi-identifying cells of person p, R(p) the released records, A are the sensitive \
             items, s is a set (or sequence) of original items outside A, s ⊑ R(p) says that one of the records may contain s, and \
             a ∈ R(p) that one of them may contain a"
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
        let sensitive = sensitive_items(evidence)?;
        let bounds = Bounds { k: asked.k, l: asked.l, counts: false, m: asked.m as usize };
        judge(DESCRIPTOR.name, evidence, bounds.k, list, progress, |group, quiet| {
            let names = group.release.base.names();
            let is_secret =
                |name: &str| evidence.release.base.find(name).is_some_and(|item| sensitive[item as usize]);
            let own: Vec<bool> = names.map(is_secret).collect();
            let found = klm::judge(&group.release, &own, bounds, list, quiet)?;
            let mut inside = Inside { checked: found.checked, broken: found.total, worst: found.worst };
            if let Some(leak) = unknowing(group, &own, bounds) {
                inside.broken += 1;
                inside.worst.push(leak);
            }
            Ok(inside)
        })
    }
}

/// A secret that is likely for an attacker who knows the columns alone.
fn unknowing(group: &Group, sensitive: &[bool], bounds: Bounds) -> Option<Violation> {
    let people = group.people();
    let (secret, carriers) = likeliest_secret(&group.release, sensitive)?;
    // A group that is too small is listed as such.
    if carriers * bounds.l <= people || people < bounds.k {
        return None;
    }
    let details = BTreeMap::from([("sensitive", secret), ("confidence", format!("{carriers}/{people}"))]);
    Some(Violation { pattern: Vec::new(), support: people, needed: bounds.k, details })
}
