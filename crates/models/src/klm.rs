//! (k, l)^m-anonymity: k^m-anonymity over the non-sensitive items, and no sensitive item is a good guess.
//!
//! A release keeps the promise if every sequence of 1 to `m` non-sensitive original items that some released record may
//! contain fits at least `k` people, of whom at most one in `l` may have any given sensitive item. People fit when a record
//! of theirs may contain the sequence (see `cover.rs`). A person may have a sensitive item if anything in any of the
//! person's records may stand for it: that is stricter than asking for the same record. A released item that may stand for
//! a sensitive item and for others counts as the sensitive one *and* fits whoever knows one of the others: nobody can rule
//! out either from the release, so the share counted is the largest that any data behind the release can have.
//!
//! # Reference
//! PSLG-SOA: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Select-Organize-Anonymize. Definition 3.
//! # Guarantees
//! Exact: all patterns of all lengths up to `m` are counted, shares are compared as whole numbers.
//! # Cost
//! Depth first over patterns, with the leftmost end of each match; first items in parallel. Released items are walked as
//! they are written first; where covers overlap, original items are walked only if that fails, or if it does not settle
//! them: it does in the form `ratio` when no person has two released items that may be the same original one, for then
//! the people of an original pattern are those of its released wordings, added up.
//! # Departs from the paper
//! The definition says "at most l people", which with larger `l` promises *less*, and speaks of patterns of exactly
//! `m` places; the text claims a probability of at most 1/l for attackers who know up to `m`. `form = "ratio"` is the
//! claim, `form = "count"` the letter.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_contract::{
    Cancelled, DataKind, Descriptor, DescriptorKind, Input, Need, Param, ParamKind, Phase, Progress, Settings,
};
use throng_data::{Events, Release};

use crate::cover::{Cover, apart_within_people};
use crate::ranges::{KNOWN, PEOPLE};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};

/// The promise `klm`.
#[derive(Debug, Clone, Copy)]
pub struct KlmAnonymity;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "klm",
    kind: DescriptorKind::Promise,
    purpose: "whoever knows up to m events of a person finds k people who fit, and cannot guess a sensitive item",
    takes: &[DataKind::Sequences],
    needs: &[Need::optional(Input::SensitiveItems)],
    params: &[
        Param {
            name: "k",
            kind: PEOPLE,
            default: None,
            help: "how many people must fit whatever an attacker knows",
        },
        Param {
            name: "l",
            kind: PEOPLE,
            default: None,
            help: "at most one in l of them may have a given sensitive item",
        },
        Param {
            name: "m",
            kind: KNOWN,
            default: None,
            help: "how many non-sensitive events of a person an attacker may know",
        },
        Param {
            name: "form",
            kind: ParamKind::Choice { words: &["ratio", "count"] },
            default: Some("ratio"),
            help: "ratio: at most one in l people; count: at most l people, the letter of the paper",
        },
    ],
    keeps: None,
    gauge: None,
    variants: false,
    paper: "PSLG-SOA",
    example: "throng verify release --promise klm -k 5 -l 2 -m 2 --sensitive city/sensitive.csv",
    notes: "Without sensitive items it is `km`. Says nothing about attackers who know a sensitive event, or more than m \
            events, or times.",
};

impl Promise for KlmAnonymity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let (k, l, m) = (settings.integer("k"), settings.integer("l"), settings.integer("m"));
        let events = if m == 1 { "one event".to_owned() } else { format!("up to {m} events") };
        let secret = match settings.choice("form") {
            "count" => format!("at most {l} of whom may have"),
            _ => format!("at most one in {l} of whom may have"),
        };
        format!(
            "Whoever knows {events} of a person, in order and none of them sensitive, finds at least {k} people who fit, \
             {secret} any given sensitive item."
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let (k, l, m) = (settings.integer("k"), settings.integer("l"), settings.integer("m"));
        let bound = match settings.choice("form") {
            "count" => l.to_string(),
            _ => format!("|P(s)| / {l}"),
        };
        format!(
            "∀ s, 1 ≤ |s| ≤ {m}, with P(s) = {{p : s ⊑ R(p)}} ≠ ∅: |P(s)| ≥ {k}, and ∀ a ∈ A: |{{p ∈ P(s) : a ∈ R(p)}}| ≤ {bound}, \
             where s is a sequence of original items outside A, A are the sensitive items, R(p) are the released records of \
             person p, s ⊑ R(p) says that one of them may contain s, and a ∈ R(p) that one of them may contain a"
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        Assumes { crowd: Some(settings.integer("k")), known: Some(settings.integer("m")) }
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let release = evidence.release;
        let sensitive = sensitive_items(evidence)?;
        let mut judge = Judge {
            release,
            words: Cover::as_written(release, |item| sensitive[item as usize]),
            k: settings.integer("k"),
            l: settings.integer("l"),
            counts: settings.choice("form") == "count",
            secrets: Secrets::of(release, &sensitive),
            keep: list.max(1),
        };
        let m = settings.integer("m") as usize;
        let original = Cover::in_original_words(release, |item| sensitive[item as usize]);
        let mut found = judge.walk(m, progress)?;
        let settled =
            original.is_partition() || (found.total == 0 && !judge.counts && apart_within_people(release));
        if !settled {
            judge.words = original;
            found = judge.walk(m, progress)?;
        }
        if list == 0 {
            found.total = found.total.min(1);
        }
        Ok(Verdict {
            promise: DESCRIPTOR.name,
            holds: found.total == 0,
            checked: found.checked,
            violations: found.worst,
            violations_total: found.total,
            ..Verdict::default()
        })
    }
}

/// Which original items are sensitive.
fn sensitive_items(evidence: &Evidence<'_>) -> Result<Vec<bool>, CheckError> {
    let base = &evidence.release.base;
    let mut sensitive = vec![false; base.len()];
    let mut known = false;
    for item in evidence.inputs.sensitive_items.iter().filter_map(|name| base.find(name)) {
        sensitive[item as usize] = true;
        known = true;
    }
    match evidence.inputs.sensitive_items.first() {
        // A list may name items nobody has; a list of which nothing occurs is more likely misspelt.
        Some(name) if !known => Err(CheckError::Unknown { what: "sensitive item", name: name.clone() }),
        _ => Ok(sensitive),
    }
}

/// Which sensitive items each person may have.
struct Secrets {
    words: Cover,
    offsets: Vec<u32>,
    carried: Vec<u32>,
}

impl Secrets {
    fn of(release: &Release, sensitive: &[bool]) -> Self {
        let words = Cover::in_original_words(release, |item| !sensitive[item as usize]);
        let (mut offsets, mut carried) = (vec![0], Vec::new());
        for subject in 0..release.events.subjects() {
            let records = release.events.records_of(subject);
            let items = records.flat_map(|record| release.events.record(record));
            let mut own: Vec<u32> = items.flat_map(|item| words.of(*item)).copied().collect();
            own.sort_unstable();
            own.dedup();
            carried.extend(own);
            offsets.push(carried.len() as u32);
        }
        Secrets { words, offsets, carried }
    }

    fn of_person(&self, person: usize) -> &[u32] {
        &self.carried[self.offsets[person] as usize..self.offsets[person + 1] as usize]
    }
}

/// Where the leftmost match of a pattern ends in a record of a person.
#[derive(Clone, Copy)]
struct Match {
    person: u32,
    record: u32,
    end: u32,
}

struct Judge<'a> {
    release: &'a Release,
    /// What patterns are made of.
    words: Cover,
    k: u64,
    l: u64,
    counts: bool,
    secrets: Secrets,
    keep: usize,
}

#[derive(Default)]
struct Found {
    checked: u64,
    total: u64,
    worst: Vec<Violation>,
}

impl Judge<'_> {
    fn walk(&self, m: usize, progress: &Progress) -> Result<Found, Cancelled> {
        let events = &self.release.events;
        let mut firsts: Vec<Vec<Match>> = vec![Vec::new(); self.words.len()];
        for person in 0..events.subjects() {
            for record in events.records_of(person) {
                self.extend(
                    events,
                    Match { person: person as u32, record: record as u32, end: 0 },
                    &mut firsts,
                );
            }
        }
        let total = firsts.iter().map(|matches| matches.len() as u64).sum();
        let phase = progress.phase("check patterns", Some(total));
        let parts: Result<Vec<Found>, Cancelled> = firsts
            .into_par_iter()
            .enumerate()
            .map(|(class, matches)| {
                let mut found = Found::default();
                self.descend(&mut vec![class as u32], &matches, m, &mut found, &phase)?;
                phase.advance(matches.len() as u64)?;
                Ok(found)
            })
            .collect();
        let mut all = Found::default();
        for part in parts? {
            all.checked += part.checked;
            all.total += part.total;
            all.worst.extend(part.worst);
        }
        self.cut(&mut all.worst);
        Ok(all)
    }

    /// Adds the match of each class that can come next to that class's matches; the leftmost one only.
    fn extend(&self, events: &Events, from: Match, next: &mut [Vec<Match>]) {
        let record = events.record(from.record as usize);
        for (at, item) in record.iter().enumerate().skip(from.end as usize) {
            for class in self.words.of(*item) {
                let matches = &mut next[*class as usize];
                if matches.last().is_none_or(|last| last.record != from.record) {
                    matches.push(Match { end: at as u32 + 1, ..from });
                }
            }
        }
    }

    fn descend(
        &self,
        pattern: &mut Vec<u32>,
        matches: &[Match],
        m: usize,
        found: &mut Found,
        phase: &Phase<'_>,
    ) -> Result<(), Cancelled> {
        if matches.is_empty() {
            return Ok(());
        }
        phase.advance(0)?;
        found.checked += 1;
        if let Some(violation) = self.judge(pattern, matches) {
            found.total += 1;
            found.worst.push(violation);
            if found.worst.len() >= 2 * self.keep {
                self.cut(&mut found.worst);
            }
        }
        if pattern.len() == m {
            return Ok(());
        }
        let mut next: Vec<Vec<Match>> = vec![Vec::new(); self.words.len()];
        for from in matches {
            self.extend(&self.release.events, *from, &mut next);
        }
        for (class, matches) in next.into_iter().enumerate() {
            pattern.push(class as u32);
            self.descend(pattern, &matches, m, found, phase)?;
            pattern.pop();
        }
        Ok(())
    }

    fn judge(&self, pattern: &[u32], matches: &[Match]) -> Option<Violation> {
        let mut people = 0;
        let mut carriers = vec![0_u64; self.secrets.words.len()];
        let mut last = None;
        // Matches are in order of people, so a person's matches are next to each other.
        for found in matches {
            if last.replace(found.person) != Some(found.person) {
                people += 1;
                for secret in self.secrets.of_person(found.person as usize) {
                    carriers[*secret as usize] += 1;
                }
            }
        }
        let likeliest =
            (0..carriers.len()).max_by_key(|secret| (carriers[*secret], std::cmp::Reverse(*secret)));
        let leak = likeliest.filter(|secret| match self.counts {
            true => carriers[*secret] > self.l,
            false => carriers[*secret] * self.l > people,
        });
        if people >= self.k && leak.is_none() {
            return None;
        }
        let mut details = BTreeMap::new();
        if let Some(secret) = leak {
            details.insert("sensitive", self.secrets.words.name(secret as u32).to_owned());
            details.insert("confidence", format!("{}/{people}", carriers[secret]));
        }
        let pattern = pattern.iter().map(|class| self.words.name(*class).to_owned()).collect();
        Some(Violation { pattern, support: people, needed: self.k, details })
    }

    fn cut(&self, violations: &mut Vec<Violation>) {
        violations.sort_by(|a, b| {
            (a.pattern.len(), a.support, &a.pattern).cmp(&(b.pattern.len(), b.support, &b.pattern))
        });
        violations.truncate(self.keep);
    }
}
