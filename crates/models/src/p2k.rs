//! P2k: no sequence of visits that can be found in the release belongs to fewer than `k` people.
//!
//! # Reference
//! \[PMPG08\] Pensa, Monreale, Pinelli, Pedreschi. Pattern-Preserving k-Anonymization of Sequences and its Application
//! to Mobility Data Mining. PiLBA 2008. Definition 1, condition 1.
//! # Guarantees
//! Two forms. *Release*: every sequence of original items that a released record may contain, however long, fits at
//! least `k` people of the release, each with a record that may contain it (see `cover.rs`).
//! *Original*: every subsequence of a released record is held by at least `k` people of the original data, which is the
//! paper's condition. A person holds a sequence when one of their records does; sequences that no single record holds are not
//! spoken of. With `form = "both"` the release form is always judged, the original form when the original data is at
//! hand; the verdict says when it was not.
//! # Cost
//! A subsequence has at least the support of the record it comes from, so only whole records are judged, each
//! distinct one once. Records with `k` equals need no search; others walk the list of records with their rarest item,
//! until `k` people are found. A record whose items, as they are written, are not held by enough people may still be
//! safe where released items overlap: then everything it may have been is counted, and a record that may have been more
//! than [`READINGS`] sequences is reported as broken.
//! # Departs from the paper
//! The paper counts in the original data only. A release that keeps that promise can still show a record that is
//! unique in it: of `APR, A, PR, PR` with `k = 2` the paper publishes `A, PR, PR, PR`.

mod holders;
mod readings;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use throng_contract::{
    Cancelled, Choice, DataKind, Descriptor, DescriptorKind, Key, OverParts, Phase, Progress, Settings,
    choices, settings,
};
use throng_data::{Dataset, ItemId, Release};

use crate::cover::Cover;
use crate::ranges::PEOPLE;
use crate::{Assumes, CheckError, Evidence, Promise, Verdict, Violation};
use holders::Holders;
use readings::{READINGS, Readings};

/// The promise `p2k`.
pub struct P2k;

const NAME: &str = "p2k";

choices! {
    /// Where people are counted.
    enum Form {
        /// In the release and, where it is at hand, in the original data.
        Both = "both",
        /// In the release.
        Release = "release",
        /// In the original data.
        Original = "original",
    }
}

settings! {
    /// What the promise is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "how many people must share every sequence of visits"),
        form: Form = Key::choice(
            "form",
            "where to count the people: in the release, in the original data, or in both",
        )
        .or("both"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: NAME,
    purpose: "Every sequence of visits found in the release, however long, belongs to at least k people",
    takes: &[DataKind::Sequences],
    params: Asked::ALL,
    paper: "PMPG08",
    example: "throng verify release --promise p2k -k 10",
    notes: "Sequences are those within one record: what an attacker learns by linking several records of one person \
            is not covered. A release directory is judged in the form `release` unless another one is asked for; without the \
            original data `both` is judged in part.",
    over_parts: Some(OverParts::Follows),
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for P2k {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn statement(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let k = asked.k;
        let people = if k == 1 { "one person".to_owned() } else { format!("{k} people") };
        let place = match asked.form {
            Form::Release => "of the release",
            Form::Original => "of the original data",
            Form::Both => "of the release, and of the original data",
        };
        format!(
            "Any visits in their order that one released record shows are shared by at least {people} {place}."
        )
    }

    fn symbols(&self, settings: &Settings) -> String {
        let asked = Asked::of(settings);
        let k = asked.k;
        let (place, records) = match asked.form {
            Form::Release => (format!("|{{p : s ⊑ R(p)}}| ≥ {k}"), ""),
            Form::Original => (format!("|{{p : s ⊑ D(p)}}| ≥ {k}"), " and D(p) the original ones"),
            Form::Both => (
                format!("|{{p : s ⊑ R(p)}}| ≥ {k} and |{{p : s ⊑ D(p)}}| ≥ {k}"),
                " and D(p) the original ones",
            ),
        };
        format!(
            "∀ s ≠ () with s ⊑ R(q) for some q: {place}, where s is a sequence of items, R(p) are the released records of \
             person p{records}, and s ⊑ R(p) says that one of them may contain s"
        )
    }

    fn assumes(&self, settings: &Settings) -> Assumes {
        let asked = Asked::of(settings);
        Assumes { crowd: Some(asked.k), known: Some(u64::MAX) }
    }

    fn without_original(&self) -> &'static [(&'static str, &'static str)] {
        &[("form", "release")]
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
        let (in_release, in_original) = match asked.form {
            Form::Release => (true, None),
            Form::Original => match evidence.original {
                Some(original) => (false, Some(original)),
                None => {
                    return Err(CheckError::Missing {
                        promise: NAME,
                        what: "the original data for its form `original`",
                        help: "check while anonymising, or use {form release}",
                    });
                }
            },
            Form::Both => (true, evidence.original),
        };

        let release = evidence.release;
        let released = Holders::collect(release.events(), release.alphabet.len());
        let mut findings = Findings::default();
        if in_release {
            let itself: Vec<Vec<ItemId>> =
                (0..release.alphabet.len() as ItemId).map(|item| vec![item]).collect();
            let original = Cover::in_original_words(release, |_| false);
            let readings = (!original.is_partition()).then(|| Readings::of(release, original));
            let form = Form::Release;
            let (released, readings) = (&released, readings.as_ref());
            let judge = Judge { released, among: released, covers: &itself, readings, k, form };
            judge.run(list, &mut findings, progress)?;
        }
        if let Some(original) = in_original
            && (list > 0 || findings.broken.is_empty())
        {
            let holders = Holders::collect(&original.events, original.items.len());
            let covers = members_in(original, release);
            let (among, covers, form) = (&holders, &covers[..], Form::Original);
            let judge = Judge { released: &released, among, covers, readings: None, k, form };
            judge.run(list, &mut findings, progress)?;
        }
        let mut verdict = findings.verdict(&released, release, k, list);
        if asked.form == Form::Both && in_original.is_none() {
            verdict.judged.push("the people of the release (form `release`)".to_owned());
            verdict.not_judged.push(
                "the people of the original data (form `original`): the original data is not at hand"
                    .to_owned(),
            );
        }
        Ok(verdict)
    }
}

/// For each released item, the original data's numbers of the items it may stand for.
fn members_in(original: &Dataset, release: &Release) -> Vec<Vec<ItemId>> {
    let same = Arc::ptr_eq(&original.items, &release.base);
    let number =
        |member: &ItemId| if same { Some(*member) } else { original.items.find(release.base.name(*member)) };
    let members = release.alphabet.iter().map(|item| item.members.iter().filter_map(number).collect());
    members
        .map(|mut numbers: Vec<ItemId>| {
            numbers.sort_unstable();
            numbers
        })
        .collect()
}

/// Counts the people of one dataset for each released record.
struct Judge<'a> {
    released: &'a Holders,
    among: &'a Holders,
    covers: &'a [Vec<ItemId>],
    /// What released items may have been, where that is not settled by how they are written.
    readings: Option<&'a Readings>,
    k: u64,
    form: Form,
}

impl Judge<'_> {
    fn run(&self, list: usize, findings: &mut Findings, progress: &Progress) -> Result<(), Cancelled> {
        let records = self.released.len();
        let phase = progress.phase("counting the people of each record", Some(records as u64));
        let judge = |record: usize| self.judge(record, &phase);
        if list == 0 {
            // Whichever thread is fastest, the first broken record in order is the one reported.
            let first = (0..records).into_par_iter().find_map_first(|record| judge(record).transpose());
            let first: Option<Broken> = first.transpose()?;
            findings.checked += first.as_ref().map_or(records, |broken| broken.record + 1) as u64;
            findings.broken.extend(first);
            return Ok(());
        }
        let broken: Vec<Option<Broken>> =
            (0..records).into_par_iter().map(judge).collect::<Result<_, Cancelled>>()?;
        findings.checked += records as u64;
        findings.broken.extend(broken.into_iter().flatten());
        Ok(())
    }

    /// The record if it is broken.
    fn judge(&self, record: usize, phase: &Phase<'_>) -> Result<Option<Broken>, Cancelled> {
        let support = self.support(record, phase)?;
        if support >= self.k {
            return Ok(None);
        }
        let broken = Broken { form: self.form, record, support, reading: None, unsettled: false };
        let Some(readings) = self.readings else { return Ok(Some(broken)) };
        Ok(match readings.rarest(self.released, record, self.k, phase)? {
            Some((reading, support)) if support < self.k => {
                Some(Broken { support, reading: Some(reading), ..broken })
            }
            Some(_) => None,
            None => Some(Broken { unsettled: true, ..broken }),
        })
    }

    /// People that hold the record; exact below `k`.
    fn support(&self, record: usize, phase: &Phase<'_>) -> Result<u64, Cancelled> {
        if record % 1024 == 1023 {
            phase.advance(1024)?;
        }
        if self.form == Form::Release && self.released.people(record).len() as u64 >= self.k {
            return Ok(self.k);
        }
        let pattern: Vec<&[ItemId]> = self
            .released
            .sequence(record)
            .iter()
            .map(|item| self.covers[*item as usize].as_slice())
            .collect();
        self.among.count(&pattern, self.k, phase)
    }
}

/// A released record that is not held by enough people.
struct Broken {
    form: Form,
    record: usize,
    support: u64,
    /// What it may have been, in original words, where that tells more than the record.
    reading: Option<Vec<String>>,
    /// There are too many things it may have been to say that all are safe.
    unsettled: bool,
}

/// Broken records of both forms.
#[derive(Default)]
struct Findings {
    checked: u64,
    broken: Vec<Broken>,
}

impl Findings {
    fn verdict(self, released: &Holders, release: &Release, k: u64, list: usize) -> Verdict {
        let total = self.broken.len() as u64;
        let names = release.names();
        let mut violations: Vec<Violation> = Vec::new();
        if list > 0 {
            violations.extend(self.broken.into_iter().map(|broken| {
                let as_released = || {
                    let items = released.sequence(broken.record).iter();
                    items.map(|item| names[*item as usize].clone()).collect()
                };
                let mut details = BTreeMap::from([("counted-in", broken.form.word().to_owned())]);
                if broken.unsettled {
                    let reason = format!("it may have been more than {READINGS} sequences");
                    details.insert("not-settled", reason);
                }
                let pattern = broken.reading.unwrap_or_else(as_released);
                Violation { pattern, support: broken.support, needed: k, details }
            }));
            violations.sort_by(|a, b| {
                let by_size = a.pattern.len().cmp(&b.pattern.len()).then(a.support.cmp(&b.support));
                by_size.then_with(|| a.pattern.cmp(&b.pattern)).then_with(|| b.details.cmp(&a.details))
            });
            violations.truncate(list);
        }
        Verdict {
            promise: NAME,
            holds: total == 0,
            checked: self.checked,
            violations,
            violations_total: total,
            ..Verdict::default()
        }
    }
}
