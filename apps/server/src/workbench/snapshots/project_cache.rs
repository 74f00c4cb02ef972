//! A cache of open projects: a few are kept, the one not used for longest goes first.

use std::sync::{Arc, Mutex, PoisonError};

use super::Workspace;
use crate::platform::jobs::Program;
use crate::platform::problem::Problem;
use crate::workbench::project::home::Home;
use crate::workbench::project::store::Store;

/// Projects kept in memory.
const MOST_WORKSPACES: usize = 4;

/// Workspaces, the one used last at the end.
#[derive(Debug, Default)]
pub struct ProjectCache {
    workspaces: Mutex<Vec<Arc<Workspace>>>,
}

impl ProjectCache {
    /// The workspace of a project; loading begins if it was not there.
    pub fn workspace(
        &self,
        project: &str,
        home: &Home,
        store: &Arc<Store>,
        program: &Program,
    ) -> Result<Arc<Workspace>, Problem> {
        let mut workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = workspaces.iter().position(|workspace| workspace.project == project) {
            let workspace = workspaces.remove(at);
            workspaces.push(Arc::clone(&workspace));
            return Ok(workspace);
        }
        let stored = store.project(project)?.ok_or_else(|| Problem::missing("project"))?;
        if workspaces.len() == MOST_WORKSPACES {
            workspaces.remove(0);
        }
        let workspace = Workspace::open(&stored, home, store, program);
        workspaces.push(Arc::clone(&workspace));
        Ok(workspace)
    }

    /// Forgets a project's data, and stops whatever is being read or computed of them.
    pub fn forget(&self, project: &str) {
        let mut workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        let at = workspaces.iter().position(|workspace| workspace.project == project);
        if let Some(workspace) = at.map(|at| workspaces.remove(at)) {
            workspace.stop();
        }
    }
}
