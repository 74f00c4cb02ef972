//! Computes what is derived from the table in the background, once for each state of the table.

use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{LONG_PATIENCE, Snapshot, Workspace, late};
use crate::platform::problem::Problem;
use crate::workbench::risk::curve;

/// How long the table must rest after an edit before the attacker curve is prepared.
const REST: Duration = Duration::from_millis(600);

/// What was derived, and whether it is being computed.
#[derive(Debug, Default)]
pub struct Background {
    made: Option<Arc<Snapshot>>,
    under_way: bool,
}

impl Workspace {
    /// What is derived from the table as it is now, for requests that make no sense without it.
    pub fn snapshot(self: &Arc<Self>) -> Result<Arc<Snapshot>, Problem> {
        self.snapshot_within(LONG_PATIENCE).ok_or_else(late)
    }

    /// The same, if it is there within the time given.
    pub fn snapshot_within(self: &Arc<Self>, patience: Duration) -> Option<Arc<Snapshot>> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.checked_duration_since(Instant::now())?;
            let revision = self.table(left)?.revision();
            let mut background = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(made) = background.made.as_ref().filter(|made| made.revision == revision) {
                return Some(Arc::clone(made));
            }
            if !background.under_way {
                background.under_way = true;
                let workspace = Arc::clone(self);
                thread::spawn(move || workspace.make());
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            drop(self.made.wait_timeout(background, left).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Computes what is derived from the table before it is asked for, and the attacker curve when the table rests.
    pub fn refresh(self: &Arc<Self>) {
        let workspace = Arc::clone(self);
        thread::spawn(move || {
            let Some(snapshot) = workspace.snapshot_within(LONG_PATIENCE) else { return };
            thread::sleep(REST);
            if workspace.table(Duration::ZERO).is_some_and(|table| table.revision() == snapshot.revision) {
                curve::prepare(&workspace, &snapshot);
            }
        });
    }

    fn make(self: &Arc<Self>) {
        // Requests that wait must be told even if this thread dies.
        struct Done<'a>(&'a Workspace);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.snapshot.lock().unwrap_or_else(PoisonError::into_inner).under_way = false;
                self.0.made.notify_all();
            }
        }
        let done = Done(self);
        let Some(basis) = self.table(LONG_PATIENCE).map(|table| table.basis()) else { return };
        let earlier = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).made.clone();
        let made = Arc::new(Snapshot::make(self, basis, earlier.as_deref()));
        self.answers.forget();
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).made = Some(made);
        drop(done);
    }
}
