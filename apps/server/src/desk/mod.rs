//! A project's data in memory: the working table, and everything that is derived from it.
//!
//! Loading happens on a thread of its own and reports how far it is. An edit changes the table at once; what is derived
//! (the dataset, its profile) is made anew when somebody asks for it. A few projects are kept; the one not
//! used for longest makes room.

mod load;
mod shelf;
mod snapshot;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;

pub use self::load::Table;
pub use self::shelf::Shelf;
pub use self::snapshot::{Snapshot, Tally};
pub use self::watch::{PhaseView, Watch};
use crate::problem::Problem;
use crate::risk;
use crate::sheet::{Order, Window};

/// Answers kept, of one revision of the data.
const MOST_ANSWERS: usize = 64;

/// One project's data.
#[derive(Debug)]
pub struct Desk {
    /// The project.
    pub project: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What the data's file was called.
    pub label: String,
    /// How far loading is.
    pub watch: Arc<Watch>,
    table: Mutex<Option<Table>>,
    loaded: Condvar,
    snapshot: Mutex<Option<Arc<Snapshot>>>,
    /// Counts changes of the inputs, which answers may depend on too.
    inputs: AtomicU64,
    answers: Mutex<BTreeMap<String, Bytes>>,
    window: Mutex<Option<(u64, Order, Arc<Window>)>>,
}

impl Desk {
    /// Waits for the table to be there, at most so long.
    pub fn table(&self, patience: Duration) -> Option<TableGuard<'_>> {
        let deadline = Instant::now() + patience;
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        while table.is_none() {
            let left = deadline.checked_duration_since(Instant::now())?;
            table = self.loaded.wait_timeout(table, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(TableGuard(table))
    }

    /// The table, for requests that make no sense without it.
    pub fn need_table(&self) -> Result<TableGuard<'_>, Problem> {
        self.table(Duration::from_secs(20)).ok_or_else(|| {
            Problem::conflict("the data is still being read").with_help("try again in a few seconds")
        })
    }

    /// What is derived from the table as it is now.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Problem> {
        // Taken first, so that of two askers one does the work and the other waits for it.
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let basis = self.need_table()?.basis();
        if let Some(made) = snapshot.as_ref().filter(|made| made.revision == basis.revision) {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(Snapshot::make(self, basis)?);
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        *snapshot = Some(Arc::clone(&made));
        Ok(made)
    }

    /// The rows in an order; the last one asked for is kept, since pages are asked for one after the other.
    pub fn window(
        &self,
        revision: u64,
        order: &Order,
        make: impl FnOnce() -> Option<Window>,
    ) -> Option<Arc<Window>> {
        let mut kept = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, window)) = kept.as_ref().filter(|(at, by, _)| *at == revision && by == order) {
            return Some(Arc::clone(window));
        }
        let window = Arc::new(make()?);
        *kept = Some((revision, order.clone(), Arc::clone(&window)));
        Some(window)
    }

    /// Makes what is derived from the table while nobody waits for it yet, the attacker curve last.
    pub fn refresh(self: &Arc<Self>) {
        let desk = Arc::clone(self);
        thread::spawn(move || desk.prepare());
    }

    fn prepare(&self) {
        // A problem is told to whoever asks.
        let Ok(snapshot) = self.snapshot() else { return };
        let _ = risk::today(self, &snapshot, &BTreeMap::new());
    }

    /// Says that an input changed.
    pub fn inputs_changed(&self) {
        self.inputs.fetch_add(1, Ordering::Relaxed);
    }

    /// An answer as JSON, made once for each revision of data and inputs.
    pub fn answer<T: Serialize>(
        &self,
        question: &str,
        revision: u64,
        make: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<Bytes, Problem> {
        let key = format!("{revision}/{}/{question}", self.inputs.load(Ordering::Relaxed));
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = answers().get(&key) {
            return Ok(answer.clone());
        }
        let answer = Bytes::from(serde_json::to_vec(&make()?)?);
        let mut kept = answers();
        if kept.len() >= MOST_ANSWERS {
            kept.clear();
        }
        kept.insert(key, answer.clone());
        Ok(answer)
    }
}

/// The table, locked.
#[derive(Debug)]
pub struct TableGuard<'a>(MutexGuard<'a, Option<Table>>);

impl std::ops::Deref for TableGuard<'_> {
    type Target = Table;

    fn deref(&self) -> &Table {
        self.0.as_ref().expect("a guard is made only when the table is there")
    }
}

impl std::ops::DerefMut for TableGuard<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        self.0.as_mut().expect("a guard is made only when the table is there")
    }
}
