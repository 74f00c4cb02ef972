//! Reads a project's file, carries out its edits, and keeps both for undo and redo.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use throng_contract::{Failure, Progress};
use throng_data::formats::{InputError, Source};

use super::{Desk, Watch};
use crate::data_view::DataProblem;
use crate::home::Home;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::sheet::{self, Edit, Inverse, Sheet};
use crate::store::{Store, StoredProject};

/// The working table with its history.
#[derive(Debug)]
pub struct Table {
    /// The cells.
    pub sheet: Arc<Sheet>,
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
    pub sheet: Arc<Sheet>,
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

impl Desk {
    /// A desk whose table is being loaded.
    pub(super) fn open(stored: &StoredProject, home: &Home, store: &Arc<Store>) -> Arc<Desk> {
        let folder = home.project(&stored.id);
        let desk = Arc::new(Desk {
            project: stored.id.clone(),
            folder,
            label: stored.source.clone(),
            watch: Arc::new(Watch::default()),
            table: Mutex::new(None),
            loaded: Condvar::new(),
            snapshot: Mutex::new(None),
            inputs: AtomicU64::new(0),
            answers: Mutex::new(BTreeMap::new()),
            window: Mutex::new(None),
        });
        let (loading, stored, store) = (Arc::clone(&desk), stored.clone(), Arc::clone(store));
        thread::spawn(move || {
            let table = Table::load(&loading, &stored, store);
            *loading.table.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
            loading.loaded.notify_all();
            loading.prepare();
        });
        desk
    }
}

impl Table {
    fn load(desk: &Desk, stored: &StoredProject, store: Arc<Store>) -> Self {
        let progress = Progress::observed(desk.watch.clone());
        let reading: Reading = serde_json::from_str(&stored.reading).unwrap_or_default();
        let path = desk.folder.join(&stored.file);
        let source = Source::file(&path);
        let (sheet, defect) = sheet::read(&source, delimiter(&reading), &progress);
        let mut table = Table {
            sheet: Arc::new(sheet),
            defect: defect.map(|error| DataProblem::of(error, &path, &stored.source)),
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
        let sheet = Arc::make_mut(&mut self.sheet);
        for edit in self.log.iter().take(position as usize) {
            let Some(inverse) = sheet.apply(edit) else { break };
            self.inverses.push(inverse);
        }
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
        let Some(inverse) = Arc::make_mut(&mut self.sheet).apply(&edit) else { return Ok(false) };
        let position = self.inverses.len();
        if let Err(error) =
            self.store.add_edit(&self.project, position as u64, &serde_json::to_string(&edit)?)
        {
            Arc::make_mut(&mut self.sheet).revert(inverse);
            return Err(error.into());
        }
        self.log.truncate(position);
        self.log.push(edit);
        self.inverses.push(inverse);
        self.revision += 1;
        Ok(true)
    }

    /// Takes the last edit back, if there is one.
    pub fn undo(&mut self) -> Result<(), Problem> {
        if let Some(inverse) = self.inverses.pop() {
            Arc::make_mut(&mut self.sheet).revert(inverse);
            self.revision += 1;
            self.store.set_position(&self.project, self.inverses.len() as u64)?;
        }
        Ok(())
    }

    /// Carries out the last edit taken back, if there is one.
    pub fn redo(&mut self) -> Result<(), Problem> {
        if let Some(edit) = self.log.get(self.inverses.len()) {
            let Some(inverse) = Arc::make_mut(&mut self.sheet).apply(edit) else { return Ok(()) };
            self.inverses.push(inverse);
            self.revision += 1;
            self.store.set_position(&self.project, self.inverses.len() as u64)?;
        }
        Ok(())
    }

    /// Follows what the user says about reading the file; another delimiter means reading it again.
    pub fn read_as(&mut self, reading: Reading, label: &str) -> Result<(), Problem> {
        self.store.set_reading(&self.project, &serde_json::to_string(&reading)?)?;
        let again = reading.delimiter != self.reading.delimiter;
        self.reading = reading;
        self.revision += 1;
        if again {
            let (sheet, defect) = sheet::read(&self.source, delimiter(&self.reading), &Progress::silent());
            let path = self.source.path().unwrap_or(Path::new("")).to_owned();
            self.sheet = Arc::new(sheet);
            self.defect = defect.map(|error| DataProblem::of(error, &path, label));
            self.replay();
        }
        Ok(())
    }

    /// What a snapshot is made from.
    pub fn basis(&self) -> Basis {
        Basis {
            sheet: Arc::clone(&self.sheet),
            defect: self.defect.clone(),
            reading: self.reading.clone(),
            source: self.source.clone(),
            edited: !self.inverses.is_empty(),
            revision: self.revision,
        }
    }
}

fn delimiter(reading: &Reading) -> Option<u8> {
    reading.delimiter.and_then(|c| u8::try_from(c).ok()).filter(u8::is_ascii)
}

impl DataProblem {
    /// A defect of a file, told with the name that the user knows.
    pub fn of(error: InputError, path: &Path, label: &str) -> Self {
        let (line, column) = (error.place.line, error.place.column.clone());
        let failure = Failure::from(error);
        let detail = failure.message.replace(&path.display().to_string(), label);
        DataProblem { detail, help: failure.help.unwrap_or_default(), line, column }
    }
}
