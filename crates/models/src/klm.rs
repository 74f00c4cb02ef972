//! (k, l)^m-anonymity: k^m-anonymity over the non-sensitive items, and no sensitive item is a good guess.
//!
//! A release keeps the promise if every sequence (of unordered events: every set) of 1 to `m` non-sensitive original items
//! that some released record may contain fits at least `k` people, of whom at most one in `l` may have any given sensitive item. People fit when a record
//! of theirs may contain the sequence (see `cover.rs`). A person may have a sensitive item if anything in any of the
//! person's records may stand for it: that is stricter than asking for the same record. A released item that may stand for
//! a sensitive item and for others counts as the sensitive one *and* fits an attacker who knows one of the others: no reader can rule
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

mod search;
mod words;

use throng_contract::{
    Cancelled, DataKind, Descriptor, DescriptorKind, Input, Key, Need, OverParts, Progress, Settings,
    settings,
};
use throng_data::{EventKind, Release};

pub(crate) use self::search::Found;
use self::search::Judge;
use self::words::{Secrets, Words};
use crate::choices::SecretForm;
use crate::cover::{Cover, apart_within_people};
use crate::ranges::{KNOWN, PEOPLE, who_fit};
use crate::{Assumes, CheckError, Evidence, Promise, Verdict};

/// The promise `klm`.
#[derive(Debug, Clone, Copy)]
pub struct KlmAnonymity;

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "how many people must fit whatever an attacker knows"),
        l: u64 = Key::integer("l", PEOPLE, "at most one in l of them may have a given sensitive item"),
        m: u64 = Key::integer("m", KNOWN, "how many non-sensitive events of a person an attacker may know"),
        form: SecretForm = Key::choice(
            "form",
            "ratio: at most one in l people; count: at most l people, the letter of the paper",
        )
        .or("ratio"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "klm",
    purpose: "an attacker who knows up to m events of a person finds k people who fit, and cannot guess a sensitive item",
    takes: &[DataKind::Sequences, DataKind::Sets],
    needs: &[Need::optional(Input::SensitiveItems)],
    params: Asked::ALL,
    paper: "PSLG-SOA",
    example: "throng verify release --promise klm -k 5 -l 2 -m 2 --sensitive city/sensitive.csv",
    notes: "Without sensitive items it is `km`. Says nothing about attackers who know a sensitive event, or more than m \
            events, or times.",
    over_parts: Some(OverParts::FollowsWithSame("list of sensitive items")),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for KlmAnonymity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        self.statement_for(settings, EventKind::Sequence)
    }

    fn statement_for(&self, settings: &Settings, kind: EventKind) -> String {
        let asked = Asked::of(settings);
        let (l, m) = (asked.l, asked.m);
        let found = who_fit(asked.k);
        let sequences = kind == EventKind::Sequence;
        let (event, known) = if sequences { ("event", "in order and") } else { ("item", "") };
        let events = if m == 1 { format!("one {event}") } else { format!("up to {m} {event}s") };
        let known = format!("{known} none of them sensitive");
        let secret = match asked.form {
            SecretForm::Count => format!("at most {l} of whom may have"),
            SecretForm::Ratio if l == 1 => "any number of whom may have".to_owned(),
            SecretForm::Ratio => format!("at most one in {l} of whom may have"),
        };
        format!(
            "An attacker who knows {events} of a person, {}, finds {found}, {secret} any given sensitive \
             item.",
            known.trim_start()
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let (k, l, m) = (asked.k, asked.l, asked.m);
        let bound = match asked.form {
            SecretForm::Count => l.to_string(),
            SecretForm::Ratio => format!("|P(s)| / {l}"),
        };
        format!(
            "∀ s, 1 ≤ |s| ≤ {m}, with P(s) = {{p : s ⊑ R(p)}} ≠ ∅: |P(s)| ≥ {k}, and ∀ a ∈ A: |{{p ∈ P(s) : a ∈ R(p)}}| ≤ {bound}, \
             where s is a sequence (or set) of original items outside A, A are the sensitive items, R(p) are the released records of \
             person p, s ⊑ R(p) says that one of them may contain s, and a ∈ R(p) that one of them may contain a"
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
        let bounds =
            Bounds { k: asked.k, l: asked.l, counts: asked.form == SecretForm::Count, m: asked.m as usize };
        let sensitive = sensitive_items(evidence)?;
        let found = judge(evidence.release, &sensitive, bounds, list, progress)?;
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

/// What is asked of everybody who fits what an attacker knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// How many people have to fit.
    pub k: u64,
    /// At most one in so many of them may have a secret; with `counts`, at most so many.
    pub l: u64,
    /// The letter of the paper.
    pub counts: bool,
    /// How many items are known.
    pub m: usize,
}

/// Counts the people of every pattern of a release. With `list == 0` what is broken is counted once.
pub(crate) fn judge(
    release: &Release,
    sensitive: &[bool],
    bounds: Bounds,
    list: usize,
    progress: &Progress,
) -> Result<Found, Cancelled> {
    let as_written = Cover::as_written(release, |item| sensitive[item as usize]);
    let mut judge = Judge {
        words: Words::of(release, as_written),
        bounds,
        secrets: Secrets::of(release, sensitive),
        keep: list.max(1),
    };
    let original = Cover::in_original_words(release, |item| sensitive[item as usize]);
    let mut found = judge.walk(progress)?;
    let settled =
        original.is_partition() || (found.total == 0 && !bounds.counts && apart_within_people(release));
    if !settled {
        judge.words = Words::of(release, original);
        found = judge.walk(progress)?;
    }
    if list == 0 {
        found.total = found.total.min(1);
    }
    Ok(found)
}

/// The secret that most people of a release may have, and how many they are; nothing where no person has one.
pub(crate) fn likeliest_secret(release: &Release, sensitive: &[bool]) -> Option<(String, u64)> {
    let secrets = Secrets::of(release, sensitive);
    let mut carriers = vec![0_u64; secrets.words.len()];
    secrets.carried.iter().for_each(|secret| carriers[*secret as usize] += 1);
    let most =
        (0_u32..).zip(carriers).max_by_key(|(secret, carriers)| (*carriers, std::cmp::Reverse(*secret)))?;
    Some((secrets.words.name(most.0).to_owned(), most.1))
}

/// Which original items are sensitive.
pub(crate) fn sensitive_items(evidence: &Evidence<'_>) -> Result<Vec<bool>, CheckError> {
    let base = &evidence.release.base;
    let mut sensitive = vec![false; base.len()];
    let mut known = false;
    for item in evidence.inputs.sensitive_items.iter().filter_map(|name| base.find(name)) {
        sensitive[item as usize] = true;
        known = true;
    }
    match evidence.inputs.sensitive_items.first() {
        // A list may name items that no person has; a list of which nothing occurs is more likely misspelt.
        Some(name) if !known => Err(CheckError::Unknown { what: "sensitive item", name: name.clone() }),
        _ => Ok(sensitive),
    }
}
