//! k-anonymity: an attacker who knows a person's quasi-identifiers finds at least `k` people who fit.
//!
//! A release keeps the promise if every row that is not suppressed shows the same as at least `k` people in all its
//! quasi-identifying cells. Why equal cells are enough against an attacker who knows original values is argued in `table.rs`.
//!
//! # Reference
//! SS98: Samarati, Sweeney. Protecting Privacy when Disclosing Information. 1998.
//! # Guarantees
//! Exact, over all classes.
//! # Cost
//! One look-up for each row and quasi-identifying column.
//! # Departs from the paper
//! A suppressed row shows nothing at all, its sensitive cells included, and is left out; the paper leaves open what stays in it.

use std::collections::BTreeMap;

use throng_contract::{DataKind, Descriptor, DescriptorKind, Key, OverParts, Progress, Settings, settings};

use super::classes::Classes;
use super::{Broken, table_of, verdict};
use crate::ranges::{PEOPLE, who_fit};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict};

/// The promise `k`.
#[derive(Debug, Clone, Copy)]
pub struct KAnonymity;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer(
            "k",
            PEOPLE,
            "how many people must look alike in all quasi-identifying columns",
        ),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "k",
    purpose: "an attacker who knows a person's quasi-identifiers finds at least k people who fit",
    takes: &[DataKind::Table],
    params: Asked::ALL,
    paper: "SS98",
    example: "throng verify release --promise k -k 5 --sensitive-attribute diagnosis",
    notes: "Says nothing about what is learned of a person who is in a crowd: if all of it has the same diagnosis, that is \
            known. Ask for `l-diversity` or `t-closeness` besides. Columns without a role are not published; insensitive \
            ones are, and attackers are taken to know them like quasi-identifiers.",
    over_parts: Some(OverParts::Follows),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for KAnonymity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let found = who_fit(asked.k);
        format!(
            "An attacker who knows all quasi-identifying values of a person, or some of them, finds {found}."
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "∀ p: |{{q : Q(q) = Q(p)}}| ≥ {}, where Q(p) are the released quasi-identifying cells of person p, for all people whose \
             rows are not suppressed",
            asked.k
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.k), known: Some(u64::MAX) }
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let asked = Asked::of(settings);
        let k = asked.k;
        let classes = Classes::of(table_of(evidence, DESCRIPTOR.name)?, progress)?;
        let broken = (0..classes.len() as u32)
            .filter(|class| classes.size(*class) < k)
            .map(|class| Broken { class, details: BTreeMap::new() })
            .collect();
        Ok(verdict(DESCRIPTOR.name, &classes, classes.len() as u64, broken, k, list))
    }
}
