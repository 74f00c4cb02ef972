//! The desks that are kept: a few, the one not used for longest goes first.

use std::sync::{Arc, Mutex, PoisonError};

use super::Desk;
use crate::home::Home;
use crate::problem::Problem;
use crate::store::Store;

/// Projects kept in memory.
const MOST_DESKS: usize = 4;

/// Desks, the one used last at the end.
#[derive(Debug, Default)]
pub struct Shelf {
    desks: Mutex<Vec<Arc<Desk>>>,
}

impl Shelf {
    /// The desk of a project; loading begins if it was not there.
    pub fn desk(&self, project: &str, home: &Home, store: &Arc<Store>) -> Result<Arc<Desk>, Problem> {
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = desks.iter().position(|desk| desk.project == project) {
            let desk = desks.remove(at);
            desks.push(Arc::clone(&desk));
            return Ok(desk);
        }
        let stored = store.project(project)?.ok_or_else(|| Problem::missing("project"))?;
        if desks.len() == MOST_DESKS {
            desks.remove(0);
        }
        let desk = Desk::open(&stored, home, store);
        desks.push(Arc::clone(&desk));
        Ok(desk)
    }

    /// Forgets a project's data.
    pub fn forget(&self, project: &str) {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner).retain(|desk| desk.project != project);
    }
}
