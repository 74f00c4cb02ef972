//! Puts a file in an input's place, or takes away what is there, so that it can be undone.

use crate::workbench::inputs::key::Kept as _;
use std::fs;
use std::path::Path as FilePath;

use tempfile::NamedTempFile;
use throng_contract::Input;
use throng_data::formats::CUT_FROM_DATA;

use super::Inputs;
use super::earlier::EarlierInputs;
use super::judge::fitting;
use super::key::InputKey;
use crate::platform::problem::Problem;
use crate::workbench::project::store::StoredInput;
use crate::workbench::snapshots::{Snapshot, Table};
use crate::workbench::working_table::Edit;

/// What the database says of a file that lies in an input's place.
pub fn stored(path: &FilePath, key: &InputKey, name: &str) -> std::io::Result<StoredInput> {
    let is_row = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(CUT_FROM_DATA.as_bytes());
    let lines = fs::read(path)?.split(|byte| *byte == b'\n').filter(is_row).count() as u64;
    let header = u64::from(matches!(key.input, Input::Places | Input::Records | Input::PersonPatterns));
    let rows = lines.saturating_sub(header);
    Ok(StoredInput { input: key.to_string(), name: name.to_owned(), rows, problem: None })
}

impl Inputs {
    /// Enters the file that lies in an input's place into the database.
    pub fn register(&self, project: &str, key: &InputKey, name: &str) -> Result<(), Problem> {
        self.projects
            .store
            .set_input(project, &stored(&self.projects.home.input(project, key.clone()), key, name)?)?;
        self.projects.workspace(project)?.inputs_changed();
        Ok(())
    }

    /// Takes away the file in an input's place, so that it can be undone.
    pub fn remove(&self, project: &str, key: &InputKey) -> Result<(), Problem> {
        if !self.projects.home.input(project, key.clone()).is_file() {
            return Err(Problem::missing("input of this project"));
        }
        self.replace(project, key, None)
    }

    /// Writes an input that was edited here, unless it cannot be used with the data. It keeps the name of its file.
    pub fn write_judged(
        &self,
        project: &str,
        key: &InputKey,
        snapshot: &Snapshot,
        text: &str,
    ) -> Result<(), Problem> {
        let temporary =
            tempfile::Builder::new().prefix(".input-").tempfile_in(self.projects.home.inputs(project))?;
        fs::write(temporary.path(), text)?;
        fitting(snapshot, key, temporary.path())?;
        let known =
            self.projects.store.inputs(project)?.into_iter().find(|stored| stored.input == key.to_string());
        let name = known.map_or_else(|| key.label(), |stored| stored.name);
        self.replace(project, key, Some((temporary, &name)))
    }

    /// Writes an input that was made here.
    pub fn write(&self, project: &str, key: &InputKey, text: &str) -> Result<(), Problem> {
        let temporary =
            tempfile::Builder::new().prefix(".input-").tempfile_in(self.projects.home.inputs(project))?;
        fs::write(temporary.path(), text)?;
        self.replace(project, key, Some((temporary, &key.label())))
    }

    /// Puts a file in an input's place, or takes away what is there, so that it can be undone.
    pub(super) fn replace(
        &self,
        project: &str,
        key: &InputKey,
        with: Option<(NamedTempFile, &str)>,
    ) -> Result<(), Problem> {
        let workspace = self.projects.workspace(project)?;
        let mut table = workspace.need_table()?;
        self.projects.writing(project, || self.put_in_place(project, key, with, &mut table))?;
        drop(table);
        workspace.inputs_changed();
        Ok(())
    }

    fn put_in_place(
        &self,
        project: &str,
        key: &InputKey,
        with: Option<(NamedTempFile, &str)>,
        table: &mut Table,
    ) -> Result<(), Problem> {
        let earlier = EarlierInputs::of(&self.projects.home.inputs(project))?;
        let place = self.projects.home.input(project, key.clone());
        let known =
            self.projects.store.inputs(project)?.into_iter().find(|stored| stored.input == key.to_string());
        let before = match known.filter(|_| place.is_file()) {
            Some(stored) => Some(earlier.keep(&place, &stored.name)?),
            None => None,
        };
        let after = match &with {
            Some((temporary, label)) => Some(earlier.keep(temporary.path(), label)?),
            None => None,
        };
        match with {
            Some((temporary, label)) => {
                temporary.persist(&place).map_err(|error| error.error)?;
                self.projects.store.set_input(project, &stored(&place, key, label)?)?;
            }
            None => {
                fs::remove_file(&place)?;
                self.projects.store.remove_input(project, &key.to_string())?;
            }
        }
        table.edit(Edit::Input { input: key.to_string(), before, after })?;
        Ok(())
    }
}
