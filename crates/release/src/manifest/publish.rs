//! The list of what may be published.
//!
//! A manifest is written field by field, each with the reason why it may be told; a field that is not written here is not in
//! it. There are two lists: a short one for promises that rest on secret noise, and one for the others.

use std::collections::BTreeMap;

use throng_contract::{Descriptor, Scale, Settings};
use throng_data::{EventKind, Nature, Release};
use throng_methods::Variant;
use throng_models::Promise;

use super::generalised::generalised;
use super::table::columns;
use super::{
    AfterEntry, AlsoEntry, Counts, FormEntry, InputEntry, Manifest, MethodEntry, PromiseEntry, SCHEMA,
    SuppressionEntry, VerdictEntry, parameters,
};
use crate::columns::ColumnsVerdict;
use crate::exact::Exact;
use crate::identifiers::AcceptedIdentifier;
use crate::made::{AlsoKept, Checked};
use crate::risk::Risk;
use crate::rounding::Rounding;
use crate::usefulness::Usefulness;
use crate::{Salt, catalogue};
use throng_data::load::ReadFile;

/// Scales whose readings follow from the released files alone.
const COUNTED_IN_THE_RELEASE: [&str; 5] = [
    "members_per_event",
    "intact_items",
    "generalised_items",
    "members_per_generalised_item",
    "largest_generalised_item",
];

/// Everything a manifest may be made from.
pub struct Publication<'a> {
    /// The release, and how it came about.
    pub made: &'a Checked,
    /// How it was made.
    pub method: &'a Descriptor,
    /// What it promises.
    pub promise: &'a dyn Promise,
    /// Sound, or as printed.
    pub variant: Variant,
    /// Attribute columns that are published.
    pub columns: &'a [String],
    /// What these columns give away.
    pub columns_verdict: Option<&'a ColumnsVerdict>,
    /// Columns that identify people directly, as their publisher accepted.
    pub identifiers: &'a [AcceptedIdentifier],
    /// Exact numbers, which are rounded here.
    pub exact: &'a Exact,
    /// The second verdict.
    pub usefulness: &'a Usefulness,
    /// What the released files themselves give reason to say.
    pub on_files: &'a [String],
    /// Keys the fingerprints of inputs.
    pub salt: &'a Salt,
    /// The release it was made after: what is told of it was published before.
    pub after: Option<&'a AfterEntry>,
}

impl Publication<'_> {
    /// The manifest, without the files of the release, which are not written yet.
    pub fn manifest(&self) -> Manifest {
        if self.promise.rests_on_secret_noise() { self.behind_noise() } else { self.plain() }
    }

    /// For promises that rest on secret noise: parameters, words of the program, and what follows from the released
    /// files. Nothing that was counted in the data, be it rounded, and no fingerprint of it.
    fn behind_noise(&self) -> Manifest {
        let release = &self.made.outcome.release;
        Manifest {
            schema: SCHEMA.to_owned(),
            program: program(),
            promise: self.promised(),
            method: MethodEntry { seed: None, ..self.method_entry() },
            verdict: VerdictEntry { holds: self.made.verdict.holds, checked: None },
            also: self.also(),
            after: self.after.cloned(),
            usefulness: Some(self.usefulness.clone()),
            counts: Counts { subjects: None, events_before: None, items_before: None, ..self.exact.counts },
            suppression: None,
            form: form(release),
            kind: release.event_kind(),
            nature: release.nature,
            columns: self.columns.to_vec(),
            table: columns(release, &self.made.loaded, self.made.assumes.crowd()),
            columns_verdict: self.columns_verdict.cloned(),
            accepted_identifiers: self.identifiers.to_vec(),
            generalised: generalised(release),
            rounding: None,
            measures: BTreeMap::new(),
            risk: Risk::default(),
            notes: self.notes(),
            // The alphabet is public by its own definition.
            inputs: self.inputs(|role| role == "alphabet"),
            outputs: Vec::new(),
        }
    }

    /// For the other promises: the same, how many people there are, and coarse readings of the data.
    fn plain(&self) -> Manifest {
        let (release, data) = (&self.made.outcome.release, &self.made.loaded.data);
        let rounding = Rounding::of(&data.events);
        let suppression = self.exact.suppression.as_ref().map(|lost| SuppressionEntry {
            any: lost.events > 0 || lost.items > 0 || lost.rows > 0,
            events_share: rounding
                .share(lost.events_share)
                .filter(|_| release.event_kind() != EventKind::Absent),
            rows: lost.rows,
        });
        Manifest {
            schema: SCHEMA.to_owned(),
            program: program(),
            promise: self.promised(),
            method: self.method_entry(),
            verdict: VerdictEntry {
                holds: self.made.verdict.holds,
                checked: Some(self.made.verdict.checked),
            },
            also: self.also(),
            after: self.after.cloned(),
            usefulness: Some(self.usefulness.clone()),
            counts: Counts {
                // Beside counts, how many people there are would tell how many are in the withheld ones.
                subjects: self.exact.counts.subjects.filter(|_| release.body.counts().is_none()),
                events_before: None,
                items_before: None,
                ..self.exact.counts
            },
            suppression,
            form: form(release),
            kind: release.event_kind(),
            nature: release.nature,
            columns: self.columns.to_vec(),
            table: columns(release, &self.made.loaded, self.made.assumes.crowd()),
            columns_verdict: self.columns_verdict.cloned(),
            accepted_identifiers: self.identifiers.to_vec(),
            generalised: generalised(release),
            // Beside counts, which share of them is published would tell how many people are in the withheld ones.
            measures: match release.body.counts() {
                Some(_) => BTreeMap::new(),
                None => readings(&self.exact.measures, &rounding),
            },
            risk: self.exact.risk.rounded(&rounding),
            rounding: Some(rounding),
            notes: self.notes(),
            inputs: self.inputs(|_| true),
            outputs: Vec::new(),
        }
    }

    /// What the files were used as, and fingerprints that tell nothing without the salt.
    fn inputs(&self, told: impl Fn(&str) -> bool) -> Vec<InputEntry> {
        let entry = |file: &ReadFile| InputEntry {
            role: file.role.clone(),
            fingerprint: file.digest.map(|digest| self.salt.fingerprint(&digest)),
            cut_from_data: file.cut_from_data,
            name: None,
            sha256: None,
        };
        self.made.loaded.files.iter().filter(|file| told(&file.role)).map(entry).collect()
    }

    /// The publisher's own words: parameters, and what must not be inferred.
    fn promised(&self) -> PromiseEntry {
        let loaded = &self.made.loaded;
        PromiseEntry {
            name: self.promise.descriptor().name.to_owned(),
            parameters: parameters(&self.made.promised),
            sensitive_items: loaded.inputs.sensitive_items.clone(),
            sensitive_values: loaded.inputs.sensitive_values.clone(),
            statement: stated(self.promise, &self.made.promised, &self.made.outcome.release),
        }
    }

    /// Further promises, with their parameters.
    fn also(&self) -> Vec<AlsoEntry> {
        let entry = |kept: &AlsoKept| AlsoEntry {
            promise: PromiseEntry {
                name: kept.promise.descriptor().name.to_owned(),
                parameters: parameters(&kept.settings),
                sensitive_items: Vec::new(),
                sensitive_values: Vec::new(),
                statement: stated(kept.promise, &kept.settings, &self.made.outcome.release),
            },
            verdict: VerdictEntry {
                holds: kept.verdict.holds && !self.made.exposed.contains(&kept.promise.descriptor().name),
                checked: Some(kept.verdict.checked),
            },
        };
        self.made.also.iter().map(entry).collect()
    }

    fn method_entry(&self) -> MethodEntry {
        MethodEntry {
            name: self.method.name.to_owned(),
            paper: self.method.paper.to_owned(),
            parameters: parameters(&self.made.settings),
            variant: self.variant,
            seed: Some(self.made.seed),
        }
    }

    /// Constants of the method, and what follows from the released files. What else a method or a reader noted may hold
    /// exact counts, and is the publisher's alone.
    fn notes(&self) -> Vec<String> {
        let constant = self.made.outcome.public_notes.iter().map(|note| (*note).to_owned());
        constant.chain(self.on_files.iter().cloned()).collect()
    }
}

/// A promise in words, with what a reader of this release has to know about it: what suppressed rows are, and that what is known is of one record.
pub fn stated(promise: &dyn Promise, settings: &Settings, release: &Release) -> String {
    let mut statement = promise.statement_for(settings, release.event_kind());
    if release.table().is_some() && release.suppression.rows > 0 {
        statement.push_str(
            " A row with `*` in every column is suppressed: it shows nothing of its person, and counts for no crowd.",
        );
    }
    let several = release.records() > release.people();
    if several
        && release.body.has_rows()
        && release.nature != Nature::Synthetic
        && release.event_kind() != EventKind::Absent
    {
        statement.push_str(
            " People have several records here: what is known of a person is taken from one of them.",
        );
    }
    statement
}

/// What the rows are; anyone can count them.
fn form(release: &Release) -> Option<FormEntry> {
    let rows = release.body.counts()?.cells.len() as u64;
    Some(FormEntry { name: release.body.kind().form().to_owned(), rows })
}

fn program() -> String {
    concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// Readings by the rule of [`crate::rounding`].
fn readings(exact: &BTreeMap<String, f64>, rounding: &Rounding) -> BTreeMap<String, f64> {
    let told = |name: &str, value: f64| {
        if COUNTED_IN_THE_RELEASE.contains(&name) {
            return Some(value);
        }
        let scale: &Scale = catalogue::measures()
            .filter_map(|measure| measure.descriptor().gauge)
            .flat_map(|gauge| gauge.scales)
            .find(|scale| scale.name == name)?;
        if (scale.min, scale.max) == (0.0, 1.0) { rounding.share(value) } else { None }
    };
    exact.iter().filter_map(|(name, value)| Some((name.clone(), told(name, *value)?))).collect()
}
