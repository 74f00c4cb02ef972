//! A checked plan becomes a whole release in memory: rows, verdict, usefulness, measures, manifest and page.

use throng_contract::{Failure, Progress};
use throng_release::body;
use throng_release::clock::Clock;
use throng_release::identifiers;
use throng_release::judge::judged_columns;
use throng_release::manifest::{Manifest, Publication};
use throng_release::read_back::read_back;
use throng_release::spreadsheet;
use throng_release::usefulness::{Grade, judge};
use throng_release::{Checked, Exact, Made, Risk, Salt};
use throng_report as report;

use crate::advice::advise;
use crate::after::Before;
use crate::job::Job;
use crate::measures::{lengths, measure};
use crate::plan::Plan;

impl Plan<'_> {
    /// Reads, anonymises, checks and measures. Nothing is written.
    pub fn make(&self, progress: &Progress) -> Result<Made, Failure> {
        let salt = self.job.salt.map_or_else(Salt::fresh, Ok)?;
        let job = Job { salt: Some(salt), ..self.job.clone() };
        let plan = Plan { job: &job, ..self.clone() };
        let (loaded, clock) = plan.read(progress)?;
        let identifiers = identifiers::admit(&loaded, &job.files, self.method.descriptor())?;
        let mut checked = plan.checked_from(loaded, clock, progress)?;
        checked.outcome.release = match self.out.spell_out {
            true => checked.outcome.release.spelled_out(),
            false => checked.outcome.release.with_short_names(),
        };
        read_back(&checked.outcome.release)?;
        let mut clock = Clock::after(std::mem::take(&mut checked.timings));
        if !self.out.allow_empty {
            body::refuse_empty(&checked.outcome.release, &checked.loaded.data.events)?;
        }
        // What is written may be coarser than what was read: it is judged again.
        let release = &checked.outcome.release;
        let judged = judged_columns(&checked.loaded, Some(release), &job.files, checked.assumes)?;
        let judged = judged.map(|judged| judged.exposes(&checked.exposed));
        if let Some(judged) = &judged {
            judged.admit()?;
        }

        let groups = judged.as_ref().and_then(|judged| judged.groups.as_deref()).unwrap_or_default();
        let secret = self.promise.rests_on_secret_noise();
        let columns = checked.columns_beside(&job.files.publish)?;
        let (measures, risk) = match secret {
            true => (lengths(&checked, progress)?, Risk::default()),
            false => measure(&checked, &columns, groups, progress)?,
        };
        clock.lap("measure");

        let on_files = spreadsheet::warnings(release, &self.out, &columns);
        let notes = self.notes(&checked, &on_files);
        let (usefulness, survived) = judge(&checked, &job.limits, progress)?;
        let advice = match self.out.advise && !secret && usefulness.grade != Grade::Good {
            // A sample of the data has too few people of every group of an earlier release.
            true => {
                advise(self.promise, &Job { after: None, ..self.job.clone() }, &checked.loaded, progress)?
            }
            false => Vec::new(),
        };
        let exact = Exact { survived, advice, ..Exact::of(&checked, measures, risk, notes) };
        let manifest = Publication {
            made: &checked,
            method: self.method.descriptor(),
            promise: self.promise,
            variant: job.variant,
            columns: &checked.published_names(&job.files.publish),
            columns_verdict: judged.as_ref().map(|judged| &judged.verdict),
            identifiers: &identifiers,
            exact: &exact,
            usefulness: &usefulness,
            on_files: &on_files,
            salt: &salt,
            after: job.after.as_deref().map(Before::entry).as_ref(),
        }
        .manifest();
        let page = self.page(&checked, &manifest);
        let (files, variant, target) = (job.files, job.variant, self.out.clone());
        Ok(Made { checked, files, variant, target, manifest, page, exact, salt, timings: clock.laps })
    }

    /// What the publisher should know.
    fn notes(&self, checked: &Checked, on_files: &[String]) -> Vec<String> {
        let mut notes = checked.loaded.notes.clone();
        notes.extend(identifiers::warning_of_items(&checked.loaded));
        notes.extend(checked.outcome.notes.iter().cloned());
        notes.extend(checked.outcome.public_notes.iter().map(|note| (*note).to_owned()));
        notes.extend(on_files.iter().map(|note| match self.out.spreadsheet_safe {
            true => note.clone(),
            false => format!("{note}; `spreadsheet-safe` writes a copy that is safe to open"),
        }));
        notes
    }

    /// The page that may be published.
    fn page(&self, checked: &Checked, manifest: &Manifest) -> String {
        let release = &checked.outcome.release;
        let mapped = self.out.map && !self.promise.rests_on_secret_noise() && release.body.has_rows();
        let places = checked.loaded.data.places.as_ref().filter(|_| mapped);
        let atlas = places.map(|places| report::Atlas::of(release, places));
        report::publishable(&report::Evidence {
            manifest,
            exact: None,
            promise: self.promise,
            promised: &checked.promised,
            atlas: atlas.as_ref(),
            release: Some(release),
        })
    }
}
