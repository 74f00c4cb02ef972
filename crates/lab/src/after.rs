//! A second release of a table that is safe together with the first.
//!
//! [`Before`] is the first release with the names of its people. [`Before::strata`] says to the method which rows of the data were in which
//! of its groups; [`check`] judges what came of it, and knows nothing of how it was made: the rows of both releases are put beside each
//! other, and the promises' own checkers judge the wider table, in which being absent from a release is a value like any other.
//!
//! # Guarantees
//! A release that was made after another one and fails the check is never written.

use std::collections::BTreeMap;
use std::path::Path;

use throng_contract::{Class, Failure, Progress, Settings};
use throng_data::formats::Source;
use throng_data::{
    ColumnKind, Cover, Dataset, Dictionary, Inputs, RecodedColumn, RecodedTable, Release, Role,
};
use throng_methods::Also;
use throng_methods::table::after::Strata;
use throng_models::{Evidence, Promise};

use throng_ledger::{Entry, Ledger, LinkedRelease};
use throng_release::catalogue;
use throng_release::judge::check_promise;
use throng_release::manifest::{AfterEntry, Manifest};

/// The release that another one is made after.
#[derive(Debug)]
pub struct Before {
    /// Who is in it.
    pub names: Dictionary,
    /// Its rows, in the order of the names.
    pub table: RecodedTable,
    /// SHA-256 of its rows as they were published.
    pub sha256: String,
}

impl Before {
    /// Reads a release directory. Whose its rows are is in a linkage file, or follows from the ledger and the data it was made from; `data` are
    /// those of the new release.
    pub fn read(
        directory: &Path,
        linkage: Option<&Source>,
        ledger: Option<&Ledger>,
        data: &Source,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let name = directory.display();
        let manifest = Manifest::read(directory)?.ok_or_else(|| {
            Failure::new(Class::BadInput, format!("`{name}` has no manifest"))
                .with_help("give a directory that {throng anonymize} wrote to {after}")
        })?;
        let sha256 = manifest.output("records").and_then(|file| file.sha256.clone());
        let Some(sha256) = sha256.filter(|_| manifest.output("release").is_none()) else {
            return Err(Failure::new(Class::Usage, format!("`{name}` is not a table")).with_help(
                "{after} is for tables; other releases are compared with {throng ledger attack}",
            ));
        };
        let linked = match (linkage, ledger) {
            (Some(linkage), _) => LinkedRelease::read_table_by_linkage(directory, linkage, progress)?,
            (None, Some(ledger)) => {
                let chain = ledger.read()?;
                let published = |entry: &&Entry| entry.release.sha256.as_ref() == Some(&sha256);
                let entry =
                    chain.entries.iter().rev().find(published).ok_or_else(|| no_link_to_people(directory))?;
                refuse_nameless(entry, data)?;
                let entry = Entry { directory: absolute(directory), ..entry.clone() };
                entry.linked(ledger, progress).map_err(|failure| match failure.class {
                    Class::Interrupted => failure,
                    _ => Failure::new(
                        Class::BadInput,
                        format!("whose the rows of `{name}` are cannot be told: {}", failure.message),
                    )
                    .with_help("give the linkage file that was written with it: {after-linkage FILE}"),
                })?
            }
            (None, None) => return Err(no_link_to_people(directory)),
        };
        let table = linked.release.table().cloned().ok_or_else(|| no_link_to_people(directory))?;
        Ok(Before { names: linked.data.subjects.clone(), table, sha256 })
    }

    /// Refuses to ask for larger groups than the earlier release has: what it gave away by itself cannot be taken back.
    pub(crate) fn refuse_more(
        &self,
        promise: &dyn Promise,
        promised: &Settings,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let mut table = self.table.clone();
        // Published columns are known, whatever their role is called.
        for column in table.columns.iter_mut().filter(|column| column.role != Role::Sensitive) {
            column.role = Role::QuasiIdentifying;
        }
        let release = Release::of_table(table, self.names.len());
        if holds(promise, promised, &release, progress)? {
            return Ok(());
        }
        Err(Failure::new(
            Class::Infeasible,
            "the earlier release has groups of fewer people than are asked for now, and what it gave away cannot be taken back",
        )
        .with_help("ask for the `k` of the earlier release, or for less"))
    }

    /// Which rows of the data were in which group, and what was published of the people who are not in the data any more.
    pub(crate) fn strata(
        &self,
        data: &Dataset,
        also: &[Also],
        progress: &Progress,
    ) -> Result<Strata, Failure> {
        let mut numbers: BTreeMap<Vec<String>, u32> = BTreeMap::new();
        let group_of: Vec<Option<u32>> = (0..self.names.len())
            .map(|row| {
                let next = numbers.len() as u32;
                let shown = self.shown(row)?;
                Some(*numbers.entry(shown).or_insert(next))
            })
            .collect();
        let sensitive: Vec<&RecodedColumn> = self.table.with_role(Role::Sensitive).collect();
        let value = |column: &RecodedColumn, row: usize| match column.cover(row) {
            Cover::Value(value) if value.is_empty() => None,
            Cover::Suppressed => None,
            _ => Some(column.cells[row]),
        };
        let rows: Vec<Option<usize>> =
            data.subjects.names().map(|name| self.names.find(name).map(|row| row as usize)).collect();
        let mut strata = Strata {
            group: rows.iter().map(|row| row.and_then(|row| group_of[row])).collect(),
            values: sensitive
                .iter()
                .map(|column| rows.iter().map(|row| row.and_then(|row| value(column, row))).collect())
                .collect(),
            gone: BTreeMap::new(),
            diverse: self.keeps(also, progress)?,
        };
        for (row, group) in group_of.iter().enumerate() {
            let Some(group) = group.filter(|_| data.subjects.find(self.names.name(row as u32)).is_none())
            else {
                continue;
            };
            let values = sensitive.iter().map(|column| value(column, row)).collect();
            strata.gone.entry(group).or_default().push(values);
        }
        Ok(strata)
    }

    /// Whether the earlier release alone is as diverse as is asked for now.
    fn keeps(&self, also: &[Also], progress: &Progress) -> Result<bool, Failure> {
        let release = Release::of_table(self.table.clone(), self.names.len());
        for also in also.iter().filter(|also| also.promise == "l-diversity") {
            let (promise, settings) = promise_of(also)?;
            if self.table.with_role(Role::Sensitive).next().is_none()
                || !holds(promise, &settings, &release, progress)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What a row shows in its known columns; `None` where it says nothing.
    fn shown(&self, row: usize) -> Option<Vec<String>> {
        (!self.table.is_suppressed(row)).then(|| shown(&self.table, row))
    }

    /// What the manifest says.
    pub(crate) fn entry(&self) -> AfterEntry {
        AfterEntry {
            sha256: self.sha256.clone(),
            statement: "The promises above hold together with the earlier release, too: for all people who are in one group of that release and in \
                        one group of this one, or in a group of the one and not in the other."
                .to_owned(),
        }
    }
}

/// What a release is to keep: its promise, and what else was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub promise: &'a dyn Promise,
    pub promised: &'a Settings,
    pub also: &'a [Also],
}

/// Judges a release together with the earlier one: `k`, and what else was asked for, of all people in one group of each.
pub(crate) fn check(
    before: &Before,
    data: &Dataset,
    release: &Release,
    asked: Asked<'_>,
    progress: &Progress,
) -> Result<(), Failure> {
    let Asked { promise, promised, also } = asked;
    let Some(table) = release.table() else { return Ok(()) };
    let broken = || {
        Failure::new(
            Class::NotVerified,
            "nothing was written: together with the earlier release this one does not keep what was asked for",
        )
        .with_help("a published column that is not made coarser may split groups; otherwise this is a defect of the program, please report it")
    };
    let now = beside(table, data, |name| {
        let row = before.names.find(name)? as usize;
        before.shown(row)
    });
    let then = beside(&before.table, &names_only(&before.names), |name| {
        let row = data.subjects.find(name)? as usize;
        (!table.is_suppressed(row)).then(|| shown(table, row))
    });
    let was_diverse = before.keeps(also, progress)?;
    for (wide, is_new) in [(now, true), (then, false)] {
        let rows = wide.people();
        if rows == 0 {
            continue;
        }
        if !holds(promise, promised, &wide, progress)? {
            return Err(broken());
        }
        for also in also {
            // What the earlier release gave away by itself cannot be taken back, and closeness is to what is released now.
            let judged = is_new || (was_diverse && also.promise == "l-diversity");
            let (promise, settings) = promise_of(also)?;
            if judged && !holds(promise, &settings, &wide, progress)? {
                return Err(broken());
            }
        }
    }
    Ok(())
}

/// A table with one more column: what the other release shows of the same person, or that it shows nothing.
fn beside(table: &RecodedTable, data: &Dataset, other: impl Fn(&str) -> Option<Vec<String>>) -> Release {
    let published: Vec<u32> =
        (0..data.subjects.len() as u32).filter(|row| !table.is_suppressed(*row as usize)).collect();
    let mut wide = table.pick(&published);
    // Published columns are known, whatever their role is called.
    for column in wide.columns.iter_mut().filter(|column| column.role != Role::Sensitive) {
        column.role = Role::QuasiIdentifying;
    }
    let mut numbers: BTreeMap<Option<Vec<String>>, u32> = BTreeMap::new();
    let cells: Vec<u32> = published
        .iter()
        .map(|row| {
            let next = numbers.len() as u32;
            *numbers.entry(other(data.subjects.name(*row))).or_insert(next)
        })
        .collect();
    let covers = (0..numbers.len()).map(|number| Cover::Value(format!("group {number}"))).collect();
    let name =
        std::iter::successors(Some("in the other release".to_owned()), |name| Some(format!("{name}'")))
            .find(|name| wide.column(name).is_none())
            .unwrap_or_default();
    wide.columns.push(RecodedColumn {
        name,
        role: Role::QuasiIdentifying,
        kind: ColumnKind::Category,
        covers,
        cells,
    });
    Release::of_table(wide, published.len())
}

fn names_only(names: &Dictionary) -> Dataset {
    Dataset::from_table(names.clone(), throng_data::Table::default())
}

fn shown(table: &RecodedTable, row: usize) -> Vec<String> {
    let known = table.columns.iter().filter(|column| column.role != Role::Sensitive);
    known.map(|column| column.cover(row).render()).collect()
}

fn holds(
    promise: &dyn Promise,
    settings: &Settings,
    release: &Release,
    progress: &Progress,
) -> Result<bool, Failure> {
    let evidence = Evidence { release, original: None, inputs: Inputs::NONE, ledger: None };
    Ok(check_promise(promise, &evidence, None, settings, 0, progress)?.holds)
}

fn promise_of(also: &Also) -> Result<(&'static dyn Promise, Settings), Failure> {
    let promise = catalogue::promise(also.promise)?;
    let given = also.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok((promise, Settings::parse(promise.descriptor(), given)?))
}

/// Rows without names are the same people only in the same file.
fn refuse_nameless(entry: &Entry, data: &Source) -> Result<(), Failure> {
    let same = data.path().map(absolute) == entry.data().and_then(|file| file.path.clone());
    if entry.sketch.is_some() || same {
        return Ok(());
    }
    Err(Failure::new(Class::BadInput, "the rows of the earlier release have no names, and the data are another file: who is who cannot be told")
        .with_help("name the column that tells people apart with {id COLUMN}, in both releases"))
}

fn no_link_to_people(directory: &Path) -> Failure {
    Failure::new(Class::BadInput, format!("nothing at hand says whose the rows of `{}` are", directory.display()))
        .with_help("give the linkage file that was written with it with {after-linkage FILE}, or the ledger in which it was recorded")
}

fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().into_owned()
}
