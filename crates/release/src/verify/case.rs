//! One promise before the files of a directory.

use std::collections::BTreeMap;

use throng_contract::{BodyKind, Class, DataKind, Failure, Progress, Settings};
use throng_data::{EventKind, Nature, RecodedTable, Release, Table, render_item};
use throng_models::{CheckError, Evidence, Promise, Verdict};

use super::contradictions::are_sets;
use super::spoken::{Given, PromiseInputs};
use super::taken::Taken;
use super::{JudgedPromise, Verification};
use crate::judge::check_promise;
use crate::manifest::{Manifest, PromiseEntry};
use crate::published::{People, Published, suppressed_rows};

pub(super) const NOISE: &str = "that the noise is as large as promised and was added to every count: no file can show that; only \
                     the run itself can check it, so believe the publisher or repeat the run";
const RECORDS_AS_PEOPLE: &str =
    "each record was counted as one person; whether a person has several, the files cannot show";
const ORIGINAL: &str = "what can be learned about the original data: it is not at hand; `throng anonymize` judges this \
                        before it writes a release";

/// A promise, and the directory that it is asked of.
pub(super) struct Case<'a> {
    pub promise: &'a dyn Promise,
    pub settings: &'a Settings,
    pub published: &'a Published,
    pub manifest: Option<&'a Manifest>,
    /// What the manifest claims of this promise, if it does.
    pub claim: Option<&'a PromiseEntry>,
    pub taken: &'a Taken,
    pub verification: &'a Verification,
}

impl Case<'_> {
    /// The verdict, in the words of the promise.
    pub fn judge(&self, notes: &mut Vec<String>, progress: &Progress) -> Result<JudgedPromise, Failure> {
        let kind = self.kind();
        let (verdict, sensitive_items) = match self.verdict(kind, notes, progress) {
            // A claim that these files cannot even be asked about is not kept by them; a question that was typed is answered.
            Err(Failure { class: Class::Usage, message, .. }) if self.verification.promise.is_none() => {
                let name = self.promise.descriptor().name;
                (Verdict::not_judged(name, format!("all of it: {message}")), Vec::new())
            }
            verdict => verdict?,
        };
        let statement = self.promise.statement_for(self.settings, kind);
        Ok(JudgedPromise { verdict, statement, settings: self.settings.clone(), sensitive_items })
    }

    /// The verdict, and the items that must not be inferred.
    fn verdict(
        &self,
        kind: EventKind,
        notes: &mut Vec<String>,
        progress: &Progress,
    ) -> Result<(Verdict, Vec<String>), Failure> {
        let descriptor = self.promise.descriptor();
        let (files, published) = (&self.verification.files, self.published);
        if self.promise.rests_on_secret_noise() || self.promise.needs_original() {
            let why = if self.promise.rests_on_secret_noise() { NOISE } else { ORIGINAL };
            return Ok((Verdict::not_judged(descriptor.name, why.to_owned()), Vec::new()));
        }
        let body = published.body();
        if !self.promise.speaks_of(body) {
            let why = "all of it: the promise does not speak of releases of this form".to_owned();
            let note = match body {
                BodyKind::Chunks => "records were taken apart: `disassociated-km` speaks of such releases",
                BodyKind::Counts => "the release has counts of people: `k-counts` speaks of such releases",
                BodyKind::Records | BodyKind::Table | BodyKind::Mixed => {
                    "the promise is about records that were taken apart, or published otherwise"
                }
            };
            notes.push(note.to_owned());
            return Ok((Verdict::not_judged(descriptor.name, why), Vec::new()));
        }
        let mut spoken = PromiseInputs::read(files, descriptor, progress)?;
        if let Some(claim) = self.claim {
            spoken.complete_from(claim, descriptor);
        }
        let named = spoken.inputs.sensitive_items.clone();
        let given = Given::read(files, descriptor)?;
        let mut records = published.shown();
        for name in given.iter().filter_map(|given| given.records.as_ref()).flat_map(|names| names.names()) {
            records.intern(name);
        }
        let people = match &self.verification.linkage {
            Some(linkage) => People::by_linkage(&records, linkage, progress)?,
            None => People::each(records),
        };
        let attributes = given.as_ref().map(|given| given.table(files, &people, progress)).transpose()?;
        let with_attributes = |release: Release| {
            let attributes = beside(attributes.clone(), release.attributes().cloned());
            Release { body: release.body.with_attributes(attributes), ..release }
        };
        let written = with_attributes(published.release(kind, &people, |_| None, progress)?);
        let meanings = self.meanings(published);
        let meant = match meanings.is_empty() {
            true => None,
            false => {
                let meaning = |item: &str| meanings.get(item).map(|members| members.to_vec());
                Some(with_attributes(published.release(kind, &people, meaning, progress)?))
            }
        };
        let columns = self.columns(&people, progress)?;
        let rows = written.people();
        let silent = |table: &RecodedTable| (0..rows).filter(|row| table.is_suppressed(*row)).count();
        if let Some(silent) =
            columns.as_ref().filter(|_| self.reads_cells()).map(silent).filter(|rows| *rows > 0)
        {
            notes.push(format!(
                "{silent} rows have `*` in every column: they are suppressed, show nothing of their people, and count for no crowd"
            ));
        }

        let hidden = match (&given, spoken.believed) {
            // A column that is not in a file that was given for it is misspelt.
            (Some(_), false) => Vec::new(),
            _ => spoken.without_hidden_columns(written.attributes()),
        };
        spoken.without_absent(meant.as_ref().unwrap_or(&written));
        notes.extend(spoken.in_words());
        let asked = Asked { case: self, columns: columns.as_ref(), spoken: &spoken, progress };
        let mut verdict = asked.check(&written, meant.as_ref())?;
        if let Some(meant) = meant.as_ref().filter(|_| verdict.holds) {
            verdict = asked.check(meant, Some(&written))?;
            notes.push("judged as written, and with what the manifest says that names stand for".to_owned());
        }
        notes.append(&mut verdict.notes);
        if verdict.holds && !self.taken.claimed.is_empty() {
            let strict = columns.as_ref().map(|columns| self.taken.strict(columns));
            let asked = Asked { columns: strict.as_ref(), ..asked };
            let known = asked.check(&written, meant.as_ref());
            self.say_in_part(&mut verdict, self.taken.not_judged(known.is_ok_and(|known| known.holds)));
        }
        self.say_in_part(&mut verdict, self.mostly_sensitive(&spoken, &written));
        self.say_what_was_not_judged(&mut verdict, &hidden);
        let by_record = self.verification.linkage.is_none() && body.has_rows() && published.events.is_some();
        if by_record && self.several_records().is_none() {
            notes.push(RECORDS_AS_PEOPLE.to_owned());
        }
        Ok((verdict, named))
    }

    /// The published columns as this promise reads them: recoded cells where it speaks of columns, else as they are written.
    fn columns(&self, people: &People, progress: &Progress) -> Result<Option<RecodedTable>, Failure> {
        let role = |name: &str| self.taken.role(name);
        let table = match self.reads_cells() {
            true => self.published.table(people, role, |_, _| None, progress)?,
            false => self.published.columns_as_written(people, role, progress)?,
        };
        Ok(table.map(|table| self.taken.judged(table)))
    }

    /// Whether the promise speaks of columns itself, alone or beside events.
    fn reads_cells(&self) -> bool {
        let takes = self.promise.descriptor().takes;
        takes.contains(&DataKind::Mixed) || takes.contains(&DataKind::Table)
    }

    /// A list of sensitive items takes them out of what attackers know. Where only the manifest gives it, it cannot take out most.
    fn mostly_sensitive(&self, spoken: &PromiseInputs, release: &Release) -> Option<String> {
        let sensitive = spoken.inputs.sensitive_items.len();
        let items = release.base.len();
        (spoken.believed && 2 * sensitive > items).then(|| {
            format!(
                "attackers who know sensitive items: only the manifest says that {sensitive} of {items} items are sensitive; name them \
                 with `--sensitive FILE`"
            )
        })
    }

    fn say_in_part(&self, verdict: &mut Verdict, what: Option<String>) {
        if let Some(what) = what {
            if verdict.judged.is_empty() {
                verdict.judged.push("attackers who know everything else that is published".to_owned());
            }
            verdict.not_judged.push(what);
        }
    }

    /// Sets only where the manifest says so, the rows agree, and the promise speaks of sets.
    fn kind(&self) -> EventKind {
        let published = self.published;
        if published.is_table() {
            return EventKind::Absent;
        }
        if published.chunks.is_some() {
            return EventKind::Set;
        }
        let said = self.manifest.is_some_and(|manifest| manifest.kind == EventKind::Set);
        let takes = self.promise.descriptor().takes;
        let spoken_of = takes.contains(&DataKind::Sets) || takes.contains(&DataKind::Mixed);
        if said && spoken_of && are_sets(published) { EventKind::Set } else { EventKind::Sequence }
    }

    /// What the manifest or the list of items says that written items stand for, where it is not what is written.
    fn meanings<'b>(&'b self, published: &'b Published) -> BTreeMap<&'b str, &'b [String]> {
        let entries = self.manifest.iter().flat_map(|manifest| &manifest.generalised);
        let said = entries.map(|entry| (entry.item.as_str(), entry.members.as_slice()));
        said.chain(published.items.explained())
            .filter(|(item, members)| !members.is_empty() && published.data.items.find(item).is_some())
            .filter(|(item, _)| published.items.short(item).is_none())
            .filter(|(item, members)| render_item(members.iter().map(String::as_str)) != *item)
            .collect()
    }

    fn say_what_was_not_judged(&self, verdict: &mut Verdict, hidden: &[String]) {
        let takes = self.promise.descriptor().takes;
        let events = self.published.events.is_some() && self.published.chunks.is_none();
        if events && takes.iter().all(|kind| *kind == DataKind::Table) {
            verdict.judged.push("the columns".to_owned());
            verdict.not_judged.push("the events beside them: the promise speaks of columns alone".to_owned());
        }
        if !self.taken.not_known.is_empty() {
            let names = super::taken::listed(&self.taken.not_known);
            verdict.judged.push(format!("attackers who do not know {names}, as was typed"));
        }
        if !hidden.is_empty() {
            verdict.not_judged.retain(|part| !part.ends_with("none was named"));
            verdict.not_judged.push(format!(
                "what could be learned about `{}`: the column is not published; give `--records FILE`",
                hidden.join("`, `")
            ));
            if verdict.judged.is_empty() {
                verdict.judged.push("how many people fit".to_owned());
            }
        }
        if let Some((subjects, records)) = self.several_records() {
            verdict.judged.push("records, each counted as a person".to_owned());
            verdict.not_judged.push(format!(
                "people: the {records} records are of {subjects}, and nothing says which are one person's; the publisher can judge all of it with \
                 `--linkage FILE`; a release with one record a person can be judged by anyone"
            ));
        }
    }

    /// How many people have how many records, where the manifest says that a person has several and no linkage says whose they are.
    fn several_records(&self) -> Option<(u64, u64)> {
        let Manifest { counts, nature, .. } = self.manifest?;
        let subjects = counts.subjects.filter(|subjects| counts.records > *subjects)?;
        let unknown = *nature != Nature::Synthetic && self.verification.linkage.is_none();
        unknown.then_some((subjects, counts.records))
    }
}

/// A question that is asked of several readings of the same files.
#[derive(Clone, Copy)]
struct Asked<'a> {
    case: &'a Case<'a>,
    columns: Option<&'a RecodedTable>,
    spoken: &'a PromiseInputs,
    progress: &'a Progress,
}

impl Asked<'_> {
    /// Judges one reading of the release. Names that must not be inferred may occur in the other reading alone.
    fn check(&self, release: &Release, other: Option<&Release>) -> Result<Verdict, CheckError> {
        let Asked { case, columns, spoken, progress } = *self;
        let occurs = |release: &Release, name: &String| release.base.find(name).is_some();
        let elsewhere =
            other.is_some_and(|other| spoken.inputs.sensitive_items.iter().any(|name| occurs(other, name)));
        let mut inputs = spoken.inputs.clone();
        if elsewhere {
            inputs.sensitive_items.retain(|name| occurs(release, name));
        }
        let mut release = release.clone();
        let beside = match (case.reads_cells(), columns) {
            (true, Some(table)) => {
                release.body = release.body.beside(table.clone());
                release.suppression.rows = suppressed_rows(&release);
                None
            }
            (_, columns) => columns,
        };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        check_promise(case.promise, &evidence, beside, case.settings, case.verification.list, progress)
    }
}

/// The columns that were given, and those published columns that were not.
fn beside(given: Option<Table>, published: Option<Table>) -> Option<Table> {
    match (given, published) {
        (Some(mut given), Some(published)) => {
            let others = published.columns.into_iter().filter(|column| given.column(&column.name).is_none());
            let others: Vec<_> = others.collect();
            given.columns.extend(others);
            Some(given)
        }
        (given, published) => given.or(published),
    }
}
