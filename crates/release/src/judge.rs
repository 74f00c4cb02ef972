//! What checkers say of a release before it is written: as it was made, as it will be read, and with every column that is published
//! beside it.

use throng_contract::{Class, Failure, Progress, Settings};
use throng_data::{Column, EventKind, Nature, RecodedColumn, RecodedTable, Release, Role, Table};
use throng_methods::{Method, Outcome, Variant};
use throng_models::{Assumes, CheckError, Evidence, Promise, Verdict, check_beside};

use crate::as_written::{as_written, inputs_for};
use crate::columns::Judged;
use crate::directory::published_columns;
use throng_data::load::Files;
use throng_data::load::Loaded;

/// Puts a release before the checkers: as the method made it, and with the columns that are published as they are.
pub struct Judge<'a> {
    /// The data it was made from.
    pub loaded: &'a Loaded,
    /// What the method made.
    pub outcome: &'a Outcome,
    /// The columns that lie beside the events as they are; a release with a table has them in it.
    pub as_they_are: Option<&'a RecodedTable>,
    /// Judging takes long, and can be stopped.
    pub progress: &'a Progress,
}

impl Judge<'_> {
    /// The verdict on what the method made, and whether the promise holds, too, for attackers who know every published column.
    pub fn both(&self, promise: &dyn Promise, settings: &Settings) -> Result<(Verdict, bool), Failure> {
        let release = &self.outcome.release;
        if !promise.speaks_of(release.body.kind()) {
            let message = format!("`{}` does not speak of releases of this form", promise.descriptor().name);
            return Err(Failure::new(Class::Usage, message)
                .with_help("ask for the promise that the method keeps; see {throng methods}"));
        }
        let evidence = Evidence {
            release,
            original: Some(&self.loaded.data),
            inputs: &self.loaded.inputs,
            ledger: self.outcome.ledger.as_ref(),
        };
        let insensitive =
            release.table().is_some_and(|table| table.with_role(Role::Insensitive).next().is_some());
        if insensitive {
            let body = release.body.clone().with_table(|table| table.without_role(Role::Insensitive));
            let covered = Release { body, ..release.clone() };
            let method = Evidence { release: &covered, ..evidence };
            let verdict = self.as_made_and_as_written(promise, &method, settings)?;
            let whole = check_promise(promise, &evidence, None, settings, 0, self.progress)?;
            return Ok((verdict, whole.holds));
        }
        let verdict = self.as_made_and_as_written(promise, &evidence, settings)?;
        let holds = match self.as_they_are {
            Some(columns) if verdict.holds => {
                check_promise(promise, &evidence, Some(columns), settings, 0, self.progress)?.holds
            }
            _ => true,
        };
        Ok((verdict, holds))
    }

    /// What `verify` judges by the files alone is judged here in the same way, before anything is written.
    fn as_made_and_as_written(
        &self,
        promise: &dyn Promise,
        evidence: &Evidence<'_>,
        settings: &Settings,
    ) -> Result<Verdict, Failure> {
        let verdict = check_promise(promise, evidence, None, settings, 1, self.progress)?;
        let alone = !promise.needs_original() && !promise.rests_on_secret_noise();
        let Some(written) = (verdict.holds && alone).then(|| as_written(evidence.release)).flatten() else {
            return Ok(verdict);
        };
        let inputs = inputs_for(&written, evidence.inputs);
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&written) };
        let read = check_promise(promise, &evidence, None, settings, 1, self.progress)?;
        Ok(if read.holds { verdict } else { read })
    }
}

/// Asks a checker, for attackers who know the columns that are published beside events as well. A promise that says nothing of a
/// release of that form is not kept by it: there is nothing in it that could break it.
pub fn check_promise(
    promise: &dyn Promise,
    evidence: &Evidence<'_>,
    columns: Option<&RecodedTable>,
    settings: &Settings,
    list: usize,
    progress: &Progress,
) -> Result<Verdict, CheckError> {
    let body = evidence.release.body.kind();
    match promise.speaks_of(body) {
        true => match columns {
            Some(columns) => check_beside(promise, evidence, columns, settings, list, progress),
            None => promise.check(evidence, settings, list, progress),
        },
        false => Err(CheckError::OtherForm { promise: promise.descriptor().name, form: body.form() }),
    }
}

/// What the columns that are to be published give away; nothing where none is.
pub fn judged_columns(
    loaded: &Loaded,
    release: Option<&Release>,
    files: &Files,
    assumes: Assumes,
) -> Result<Option<Judged>, Failure> {
    let people = loaded.data.events.subjects();
    let recoded = release.is_some_and(|release| release.table().is_some());
    if loaded.data.events.kind() == EventKind::Absent || recoded {
        // A table is recoded before it is published: only its release can be judged.
        return Ok(release
            .and_then(|release| release.table())
            .and_then(|table| Judged::of_table(table, people, assumes, files.accept_exposed_columns)));
    }
    let given = loaded.data.attributes.as_ref();
    let table = match release {
        Some(release) => published_table(release, given),
        None => given,
    };
    let columns = published_columns(table, &files.publish)?;
    Ok(Judged::of(&columns, people, assumes, files.accept_exposed_columns))
}

/// The columns that these files publish as they are beside the events, as attackers read them; nothing where none is.
pub fn as_they_are(
    loaded: &Loaded,
    release: &Release,
    files: &Files,
) -> Result<Option<RecodedTable>, Failure> {
    if release.table().is_some() || release.nature == Nature::Synthetic || !release.body.has_rows() {
        return Ok(None);
    }
    let table = published_table(release, loaded.data.attributes.as_ref());
    let columns = published_columns(table, &files.publish)?;
    let intact = |column: &&Column| RecodedColumn::intact(column, column.role.unwrap_or(Role::Insensitive));
    let columns: Vec<RecodedColumn> = columns.iter().map(intact).collect();
    Ok((!columns.is_empty()).then_some(RecodedTable { columns }))
}

/// The names of the known columns that the method did not make safe.
pub fn columns_as_they_are(release: &Release, files: &Files) -> Vec<String> {
    match release.table() {
        Some(table) => table.with_role(Role::Insensitive).map(|column| column.name.clone()).collect(),
        None => files.publish.clone(),
    }
}

/// The attributes of a release: a method that recodes them publishes its own; the others publish what was given, unless
/// records are no person's.
pub fn published_table<'a>(release: &'a Release, given: Option<&'a Table>) -> Option<&'a Table> {
    release.attributes().or(given.filter(|_| release.nature != Nature::Synthetic))
}

/// A truthful release has the records of the data: the linkage and the published attributes rely on it.
pub fn check_shape(method: &dyn Method, loaded: &Loaded, release: &Release) -> Result<(), Failure> {
    let same = !release.body.has_rows()
        || release.events().subject_offsets() == loaded.data.events.subject_offsets();
    let said = method.descriptor().product.is_none_or(|product| product.body == release.body.kind());
    if said && (release.nature == Nature::Synthetic || same) {
        return Ok(());
    }
    let other = if said { "other records than the data" } else { "another body than it says" };
    let message = format!("`{}` gave a release with {other}", method.descriptor().name);
    Err(Failure::new(Class::Internal, message).with_help("this is a defect of the program; please report it"))
}

/// The message says how many cases are broken, not which: logs are kept longer than secrets.
pub fn not_verified(
    method: &dyn Method,
    promise: &dyn Promise,
    variant: Variant,
    verdict: &Verdict,
) -> Failure {
    let (method, promise) = (method.descriptor().name, promise.descriptor().name);
    let cases = match verdict.violations_total {
        1 => "1 broken case".to_owned(),
        total => format!("{total} broken cases"),
    };
    match variant {
        Variant::Sound => Failure::new(
            Class::NotVerified,
            format!("nothing was written: the release of `{method}` does not keep `{promise}` ({cases})"),
        )
        .with_help("this is a defect of the program, not of your data; please report it"),
        Variant::AsPrinted => Failure::new(
            Class::NotVerified,
            format!(
                "nothing was written: followed to the letter, the paper's `{method}` does not keep `{promise}` on \
                 this data ({cases})"
            ),
        )
        .with_help("use {variant sound}, which closes the gap"),
    }
}
