//! A project's data in memory: the working table, and everything that is derived from it.
//!
//! Loading happens on a thread of its own and reports how far it is. An edit changes the table at once; what is derived
//! (the dataset, its profile) is computed in the background, and a request waits for it only as long as it wants to.
//! A few projects are kept; the one not used for longest makes room.

mod answers;
mod background;
mod kept;
mod load;
mod project_cache;
mod snapshot;
mod watch;

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use throng_contract::Progress;
use throng_data::Places;

use self::answers::Answers;
pub use self::answers::{Answer, TIMELESS};
use self::background::Background;
use self::kept::Kept;
pub use self::load::Table;
pub use self::project_cache::ProjectCache;
pub use self::snapshot::{FRAME, Snapshot, Tally};
pub use self::watch::{PhaseNow, Watch};
use crate::platform::jobs::Program;
use crate::platform::problem::Problem;
use crate::workbench::risk::play::Wanted;
use crate::workbench::working_table::{Order, Window};

/// How long a screen is kept waiting before it is told how far things are.
pub const PATIENCE: Duration = Duration::from_millis(150);
/// How long those wait who cannot be told anything before the data is there: longer than reading takes, on any machine.
pub const LONG_PATIENCE: Duration = Duration::from_secs(600);

/// One project's data.
#[derive(Debug)]
pub struct Workspace {
    /// The project.
    pub project: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What the data's file was called.
    pub label: String,
    /// How far loading is.
    pub watch: Arc<Watch>,
    /// Stops it.
    progress: Progress,
    /// What reads the file.
    program: Program,
    table: Mutex<Option<Table>>,
    loaded: Condvar,
    snapshot: Mutex<Background>,
    made: Condvar,
    /// Counts changes of the inputs, which answers may depend on too.
    inputs: AtomicU64,
    answers: Answers,
    /// The rows in an order, by revision: pages are asked for one after the other.
    pub window: Kept<(u64, Order), Window>,
    /// The places of the items, by version of the inputs and names of the items.
    pub places: Kept<(u64, u64), Places>,
    /// What attackers want to learn, by revision and version of the inputs.
    pub wanted: Kept<(u64, u64), Wanted>,
}

impl Workspace {
    /// Stops whatever is being read or computed: the project goes.
    pub fn stop(&self) {
        self.progress.cancel();
        self.answers.stop();
    }

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
        self.table(LONG_PATIENCE).ok_or_else(late)
    }
}

fn late() -> Problem {
    Problem::conflict("the data is still being read").with_help("try again in a few seconds")
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
