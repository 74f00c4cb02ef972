//! Makes what is derived from the table on a thread of its own, once for each state of the table.

use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Desk, LONG_PATIENCE, Snapshot, late};
use crate::problem::Problem;
use crate::risk;

/// How long the table must rest after an edit before the attacker curve is prepared.
const REST: Duration = Duration::from_millis(600);

/// What was derived, and whether somebody is at it.
#[derive(Debug, Default)]
pub struct Making {
    made: Option<Arc<Snapshot>>,
    under_way: bool,
}

impl Desk {
    /// What is derived from the table as it is now, for requests that make no sense without it.
    pub fn snapshot(self: &Arc<Self>) -> Result<Arc<Snapshot>, Problem> {
        self.snapshot_within(LONG_PATIENCE).ok_or_else(late)
    }

    /// The same, if it is there before somebody loses patience.
    pub fn snapshot_within(self: &Arc<Self>, patience: Duration) -> Option<Arc<Snapshot>> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.checked_duration_since(Instant::now())?;
            let revision = self.table(left)?.revision();
            let mut making = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(made) = making.made.as_ref().filter(|made| made.revision == revision) {
                return Some(Arc::clone(made));
            }
            if !making.under_way {
                making.under_way = true;
                let desk = Arc::clone(self);
                thread::spawn(move || desk.make());
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            drop(self.made.wait_timeout(making, left).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Makes what is derived from the table while nobody waits for it yet, and the attacker curve when the table rests.
    pub fn refresh(self: &Arc<Self>) {
        let desk = Arc::clone(self);
        thread::spawn(move || {
            let Some(snapshot) = desk.snapshot_within(LONG_PATIENCE) else { return };
            thread::sleep(REST);
            if desk.table(Duration::ZERO).is_some_and(|table| table.revision() == snapshot.revision) {
                risk::prepare(&desk, &snapshot);
            }
        });
    }

    fn make(self: &Arc<Self>) {
        // Whoever waits must be told even if this thread dies.
        struct Done<'a>(&'a Desk);
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
