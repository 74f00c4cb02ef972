//! Reads a project's file, carries out its edits, and keeps both for undo and redo.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use throng_contract::{Failure, Progress};
use throng_data::formats::{InputError, Source};

use super::answers::Answers;
use super::kept::Kept;
use super::{Watch, Workspace};
use crate::platform::jobs::Program;
use crate::platform::problem::Problem;
use crate::workbench::data::overview::DataProblem;
use crate::workbench::inputs::earlier::{EarlierInputs, Version};
use crate::workbench::project::home::Home;
use crate::workbench::project::store::{Store, StoredProject};
use crate::workbench::reading::Reading;
use crate::workbench::working_table::{Edit, Inverse, WorkingTable};

/// The working table with its history.
#[derive(Debug)]
pub struct Table {
    /// The cells.
    pub working_table: Arc<WorkingTable>,
    /// Why the file could not be read to its end.
    pub defect: Option<DataProblem>,
    /// What the user said about reading it.
    pub reading: Reading,
    /// The data's file as it came.
    source: Source,
    /// All edits; those after the inverses were undone.
    log: Vec<Edit>,
    /// One for each edit in force.
    inverses: Vec<Inverse>,
    revision: u64,
    store: Arc<Store>,
    project: String,
}

/// What a snapshot is made from.
#[derive(Debug, Clone)]
pub struct Basis {
    /// The cells.
    pub working_table: Arc<WorkingTable>,
    /// Why the file could not be read to its end.
    pub defect: Option<DataProblem>,
    /// What the user said about reading it.
    pub reading: Reading,
    /// The data's file as it came.
    pub source: Source,
    /// Whether the table differs from the file.
    pub edited: bool,
    /// Counts changes of the table.
    pub revision: u64,
}

impl Workspace {
    /// A workspace whose table is being loaded.
    pub(super) fn open(
        stored: &StoredProject,
        home: &Home,
        store: &Arc<Store>,
        program: &Program,
    ) -> Arc<Workspace> {
        let (folder, watch) = (home.project(&stored.id), Arc::new(Watch::default()));
        let workspace = Arc::new(Workspace {
            project: stored.id.clone(),
            folder,
            label: stored.source.clone(),
            progress: Progress::observed(Arc::<Watch>::clone(&watch)),
            watch,
            program: program.clone(),
            table: Mutex::new(None),
            loaded: Condvar::new(),
            snapshot: Mutex::default(),
            made: Condvar::new(),
            inputs: AtomicU64::new(0),
            answers: Answers::default(),
            window: Kept::default(),
            places: Kept::default(),
            wanted: Kept::default(),
        });
        let (loading, stored, store) = (Arc::clone(&workspace), stored.clone(), Arc::clone(store));
        thread::spawn(move || {
            let table = Table::load(&loading, &stored, store);
            loading.put(table);
        });
        workspace
    }

    /// Follows what the user says about reading the file. Another way in which it is written means reading it again: meanwhile there is
    /// no table.
    pub fn read_as(
        self: &Arc<Self>,
        said: impl FnOnce(&Table) -> Result<Reading, Problem>,
    ) -> Result<(), Problem> {
        let mut guard = self.need_table()?;
        let reading = said(&guard)?;
        guard.store.set_reading(&guard.project, &serde_json::to_string(&reading)?)?;
        let again = reading.written() != guard.reading.written();
        guard.reading = reading;
        guard.revision += 1;
        let taken = if again { guard.0.take() } else { None };
        drop(guard);
        match taken {
            None => self.refresh(),
            Some(mut table) => {
                let workspace = Arc::clone(self);
                thread::spawn(move || {
                    table.read_again(&workspace);
                    workspace.put(table);
                });
            }
        }
        Ok(())
    }

    /// The table of the file, read by a process of its own.
    fn read(&self, file: &Path, reading: &Reading) -> (WorkingTable, Option<DataProblem>) {
        let began = Instant::now();
        let (table, defect) = self.program.read_table(file, reading, &self.label, &self.progress);
        let (rows, whole) = (table.len(), defect.is_none());
        let milliseconds = began.elapsed().as_millis() as u64;
        tracing::info!(project = self.project, rows, whole, milliseconds, "data read");
        (table, defect)
    }

    fn put(self: &Arc<Self>, table: Table) {
        *self.table.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
        self.loaded.notify_all();
        self.refresh();
    }
}

impl Table {
    fn load(workspace: &Workspace, stored: &StoredProject, store: Arc<Store>) -> Self {
        let reading: Reading = serde_json::from_str(&stored.reading).unwrap_or_default();
        let path = workspace.folder.join(&stored.file);
        let source = Source::file(&path);
        let (working_table, defect) = workspace.read(&path, &reading);
        let mut table = Table {
            working_table: Arc::new(working_table),
            defect,
            reading,
            source,
            log: Vec::new(),
            inverses: Vec::new(),
            revision: 1,
            store,
            project: stored.id.clone(),
        };
        table.replay();
        table
    }

    /// Carries out the stored edits. An edit that no longer fits ends the history there.
    fn replay(&mut self) {
        let Ok((edits, position)) = self.store.edits(&self.project) else { return };
        self.log = edits.iter().map_while(|edit| serde_json::from_str(edit).ok()).collect();
        self.inverses.clear();
        let working_table = Arc::make_mut(&mut self.working_table);
        for edit in self.log.iter().take(position as usize) {
            let Some(inverse) = working_table.apply(edit) else { break };
            self.inverses.push(inverse);
        }
    }

    /// Counts changes of the table.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How many edits can be taken back.
    pub fn undo_count(&self) -> u64 {
        self.inverses.len() as u64
    }

    /// How many edits can be carried out again.
    pub fn redo_count(&self) -> u64 {
        (self.log.len() - self.inverses.len()) as u64
    }

    /// Carries out an edit and stores it; `false` when it does not fit the table.
    pub fn edit(&mut self, edit: Edit) -> Result<bool, Problem> {
        let Some(inverse) = Arc::make_mut(&mut self.working_table).apply(&edit) else { return Ok(false) };
        let position = self.inverses.len();
        if let Err(error) =
            self.store.add_edit(&self.project, position as u64, &serde_json::to_string(&edit)?)
        {
            Arc::make_mut(&mut self.working_table).revert(inverse);
            return Err(error.into());
        }
        self.log.truncate(position);
        // What is derived from the cells does not depend on inputs.
        self.revision += u64::from(!matches!(edit, Edit::Input { .. }));
        self.log.push(edit);
        self.inverses.push(inverse);
        Ok(true)
    }

    /// Takes the last edit back, if there is one.
    pub fn undo(&mut self) -> Result<(), Problem> {
        if let Some(inverse) = self.inverses.pop() {
            match &inverse {
                Inverse::Input(input, before) => self.restore(input, before.as_ref())?,
                _ => self.revision += 1,
            }
            Arc::make_mut(&mut self.working_table).revert(inverse);
            self.store.set_position(&self.project, self.inverses.len() as u64)?;
        }
        Ok(())
    }

    /// Carries out the last edit taken back, if there is one.
    pub fn redo(&mut self) -> Result<(), Problem> {
        if let Some(edit) = self.log.get(self.inverses.len()) {
            let Some(inverse) = Arc::make_mut(&mut self.working_table).apply(edit) else { return Ok(()) };
            match edit {
                Edit::Input { input, after, .. } => self.restore(input, after.as_ref())?,
                _ => self.revision += 1,
            }
            self.inverses.push(inverse);
            self.store.set_position(&self.project, self.inverses.len() as u64)?;
        }
        Ok(())
    }

    fn restore(&self, input: &str, version: Option<&Version>) -> Result<(), Problem> {
        let folder = self.source.path().and_then(Path::parent).unwrap_or(Path::new("")).join("inputs");
        EarlierInputs::of(&folder)?.restore(&self.store, &self.project, input, version)
    }

    /// Reads the file again and carries out the edits.
    fn read_again(&mut self, workspace: &Workspace) {
        let path = self.source.path().unwrap_or(Path::new("")).to_owned();
        let (working_table, defect) = workspace.read(&path, &self.reading);
        self.working_table = Arc::new(working_table);
        self.defect = defect;
        self.replay();
    }

    /// What a snapshot is made from.
    pub fn basis(&self) -> Basis {
        Basis {
            working_table: Arc::clone(&self.working_table),
            defect: self.defect.clone(),
            reading: self.reading.clone(),
            source: self.source.clone(),
            edited: self.inverses.iter().any(|inverse| !matches!(inverse, Inverse::Input(..))),
            revision: self.revision,
        }
    }
}

impl DataProblem {
    /// A defect of a file, told with the name that the user knows.
    pub fn of(mut error: InputError, path: &Path, label: &str) -> Self {
        let path = path.display().to_string();
        let (line, column) = (error.place.line, error.place.column.clone());
        // Before the sentence is made: in a sentence, a long path is shortened.
        if error.place.file == path {
            error.place.file = label.to_owned();
        }
        let failure = Failure::from(error);
        let detail = failure.message.replace(&path, label);
        DataProblem { detail, help: failure.help.unwrap_or_default(), line, column }
    }
}
