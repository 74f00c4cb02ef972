//! A privacy policy: no set of items that it names is held by fewer than `k` people, unless by none.
//!
//! A policy is a list of constraints, each a set of items that an attacker may know. A release keeps it if every non-empty part
//! of every constraint may be contained in the records of no person, or of at least `k` people. An item `{a|b}` of a set may be
//! `a`, `b` or both; what is known are original items (see `cover.rs`). Without a policy, `m` stands for one: all sets of up to
//! `m` items, which is k^m-anonymity.
//!
//! # Reference
//! LGM11: Loukides, Gkoulalas-Divanis, Malin. COAT: COnstraint-based Anonymization of Transactions. KAIS 28(2), 2011.
//! # Guarantees
//! Exact, without going through the parts. What a record may hold of a constraint is its *share* of it. Every part that
//! a person may hold lies within a person's share, and the larger a set the fewer people hold it: so the policy is kept when
//! every share is held by `k` people, and a share that is not is itself a broken part. Broken cases are such shares: each
//! stands for itself and for whatever smaller parts of it are broken.
//! # Cost
//! For each constraint one look at the records that may hold something of it, and for each different share one intersection
//! of lists of people.
//! # Departs from the paper
//! Support counts people. The paper asks for a constraint's support and for its parts where that is 0; here both are asked, since a
//! part of a constraint that no person holds may identify a person.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashSet;
use rayon::prelude::*;
use throng_contract::{
    Cancelled, DataKind, Descriptor, DescriptorKind, Input, Key, Need, OverParts, Progress, Settings,
    settings,
};
use throng_data::{EventKind, Release, render_item};

use crate::cover::Cover;
use crate::ranges::{KNOWN_OR_NOT_SAID, PEOPLE, who_fit};
use crate::{Assumes, CheckError, Evidence, KmAnonymity, Promise, Verdict, Violation};

/// The promise `policy`.
#[derive(Debug, Clone, Copy)]
pub struct Policy;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "how many people must fit what the policy names"),
        m: u64 = Key::integer_or_max(
            "m",
            KNOWN_OR_NOT_SAID,
            "without a policy: every set of up to so many items is protected",
        )
        .or("max"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "policy",
    purpose: "an attacker who knows items that the policy names together finds no one, or at least k people who fit",
    takes: &[DataKind::Sets],
    needs: &[Need::optional(Input::Policy)],
    params: Asked::ALL,
    paper: "LGM11",
    example: "throng verify release --promise policy -k 5 --policy baskets/policy.csv",
    notes: "Says nothing about attackers who know items that no constraint names together.",
    over_parts: Some(OverParts::Follows),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for Policy {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let otherwise = match asked.m {
            u64::MAX => String::new(),
            1 => " (without a policy: one item of a person)".to_owned(),
            m => format!(" (without a policy: up to {m} items of a person)"),
        };
        let found = who_fit(asked.k);
        format!(
            "An attacker who knows items that the policy names together{otherwise} finds no one, or {found}."
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        format!(
            "∀ c ∈ C, ∀ s ⊆ c, s ≠ ∅: |{{p : s ⊑ R(p)}}| = 0 or ≥ {}, where C are the constraints of the policy, each a set of \
             original items, R(p) are the released records of person p, and s ⊑ R(p) says that one of them may contain s",
            asked.k
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.k), known: None }
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
        let Some(constraints) = &evidence.inputs.policy else {
            return without_policy(evidence, settings, list, progress);
        };
        let release = evidence.release;
        let records = Records::of(release);
        let constraints: BTreeSet<Constraint> =
            constraints.iter().map(|names| records.constraint(release, names)).collect();
        let phase = progress.phase("check the policy", Some(constraints.len() as u64));
        let found: Vec<(u64, Vec<Case>)> = constraints
            .into_par_iter()
            .map(|constraint| {
                phase.advance(1)?;
                Ok(records.judge(&constraint, k))
            })
            .collect::<Result<_, Cancelled>>()?;
        let checked = found.iter().map(|(checked, _)| checked).sum();
        // Constraints may share parts: a broken one is one case.
        let broken: BTreeSet<Case> = found.into_iter().flat_map(|(_, broken)| broken).collect();
        let mut violations_total = broken.len() as u64;
        if list == 0 {
            violations_total = violations_total.min(1);
        }
        let violations = broken.into_iter().take(list).map(|case| Violation {
            pattern: case.names,
            support: case.support,
            needed: k,
            details: BTreeMap::new(),
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

/// All sets of up to `m` items.
fn without_policy(
    evidence: &Evidence<'_>,
    settings: &Settings,
    list: usize,
    progress: &Progress,
) -> Result<Verdict, CheckError> {
    let asked = Asked::of(settings);
    let m = asked.m;
    if m == u64::MAX {
        return Err(CheckError::Missing {
            promise: DESCRIPTOR.name,
            what: "a policy: sets of items that an attacker may know",
            help: "give it with {policy FILE}, or protect every set of up to so many items with {m}",
        });
    }
    let settings = settings.for_promise(KmAnonymity.descriptor())?;
    let verdict = KmAnonymity.check(evidence, &settings, list, progress)?;
    Ok(Verdict { promise: DESCRIPTOR.name, ..verdict })
}

/// Classes of original items, ascending, each with the names of those of its items that a constraint has.
type Constraint = BTreeMap<u32, BTreeSet<String>>;

/// A set that is held by too few people. Compares as violations are listed: size, support, names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    size: usize,
    support: u64,
    names: Vec<String>,
}

/// Which records may hold which classes of original items.
struct Records {
    cover: Cover,
    /// `holders[starts[c]..starts[c + 1]]` are the records that may hold class `c`, ascending.
    starts: Vec<usize>,
    holders: Vec<u32>,
    subject_of: Vec<u32>,
}

impl Records {
    fn of(release: &Release) -> Self {
        let (cover, events) = (Cover::in_original_words(release, |_| false), release.events());
        debug_assert!(events.kind() != EventKind::Sequence, "the order of events is not looked at");
        let mut starts = vec![0; cover.len() + 1];
        let mut last = vec![u32::MAX; cover.len()];
        let mut held: Vec<(u32, u32)> = Vec::with_capacity(events.len());
        let mut subject_of = Vec::with_capacity(events.records());
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                subject_of.push(subject as u32);
                for class in events.record(record).iter().flat_map(|item| cover.of(*item)) {
                    if std::mem::replace(&mut last[*class as usize], record as u32) != record as u32 {
                        held.push((*class, record as u32));
                        starts[*class as usize + 1] += 1;
                    }
                }
            }
        }
        for class in 0..cover.len() {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut holders = vec![0; held.len()];
        for (class, record) in held {
            holders[next[class as usize]] = record;
            next[class as usize] += 1;
        }
        Records { cover, starts, holders, subject_of }
    }

    /// A constraint as classes. Items that no person may have are held by none, alone or with others.
    fn constraint(&self, release: &Release, names: &[String]) -> Constraint {
        let mut constraint = Constraint::new();
        for name in names {
            let item = release.base.find(name);
            if let Some(class) = item.and_then(|item| self.cover.class_of(item)) {
                constraint.entry(class).or_default().insert(render_item([name.as_str()]));
            }
        }
        constraint
    }

    fn holders(&self, class: u32) -> &[u32] {
        &self.holders[self.starts[class as usize]..self.starts[class as usize + 1]]
    }

    /// How many different shares of a constraint there are, and those that too few people hold.
    fn judge(&self, constraint: &Constraint, k: u64) -> (u64, Vec<Case>) {
        let classes: Vec<u32> = constraint.keys().copied().collect();
        // Whatever is held together by enough people is held apart by as many.
        if self.support(&classes, k) == k {
            return (1, Vec::new());
        }
        let shares = self.shares(&classes);
        let mut broken = Vec::new();
        for share in &shares {
            let support = self.support(share, k);
            if support < k {
                let mut names: Vec<String> =
                    share.iter().flat_map(|class| &constraint[class]).cloned().collect();
                names.sort_unstable();
                broken.push(Case { size: names.len(), support, names });
            }
        }
        (shares.len() as u64, broken)
    }

    /// What records may hold of some classes, each different share once.
    fn shares(&self, classes: &[u32]) -> HashSet<Vec<u32>, foldhash::fast::FixedState> {
        let mut held: Vec<(u32, u32)> = Vec::new();
        for class in classes {
            held.extend(self.holders(*class).iter().map(|record| (*record, *class)));
        }
        held.sort_unstable();
        let mut shares: HashSet<Vec<u32>, foldhash::fast::FixedState> = HashSet::default();
        let mut share = Vec::new();
        for of_record in held.chunk_by(|a, b| a.0 == b.0) {
            share.clear();
            share.extend(of_record.iter().map(|(_, class)| *class));
            if !shares.contains(&share) {
                shares.insert(share.clone());
            }
        }
        shares
    }

    /// How many people may hold all the classes, counted up to `enough`.
    fn support(&self, classes: &[u32], enough: u64) -> u64 {
        let mut by_size: Vec<&[u32]> = classes.iter().map(|class| self.holders(*class)).collect();
        by_size.sort_unstable_by_key(|holders| holders.len());
        let Some((rarest, others)) = by_size.split_first() else { return 0 };
        let (mut people, mut last) = (0, u32::MAX);
        for record in *rarest {
            let subject = self.subject_of[*record as usize];
            if subject != last && others.iter().all(|holders| holders.binary_search(record).is_ok()) {
                (people, last) = (people + 1, subject);
                if people == enough {
                    break;
                }
            }
        }
        people
    }
}
