//! What all requests share.

use std::sync::Arc;

use crate::assets::Assets;
use crate::gates::Gates;
use crate::handoff::Handoff;
use crate::home::Home;
use crate::jobs::Jobs;
use crate::problem::Problem;
use crate::releases::Releases;
use crate::session::Door;
use crate::store::Store;
use crate::working_table::Program;
use crate::workspace::{ProjectCache, Workspace};

/// Limits of one server.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a file that is uploaded.
    pub upload: u64,
    /// People of a generated world.
    pub subjects: u64,
}

/// One running server.
#[derive(Debug)]
pub struct Workbench {
    /// Where files are.
    pub home: Home,
    /// The database.
    pub store: Arc<Store>,
    /// Who writes into projects, and who deletes them.
    pub gates: Gates,
    /// Who is let in.
    pub door: Door,
    /// How another command reaches this server.
    pub handoff: Handoff,
    /// Data in memory.
    pub project_cache: ProjectCache,
    /// Jobs.
    pub jobs: Jobs,
    /// Releases in memory.
    pub releases: Releases,
    /// Limits.
    pub limits: Limits,
    /// The web app.
    pub assets: Assets,
    /// The program that reads files and runs jobs.
    pub program: Program,
}

impl Workbench {
    /// The data of a project.
    pub fn workspace(&self, project: &str) -> Result<Arc<Workspace>, Problem> {
        self.project_cache.workspace(project, &self.home, &self.store, &self.program)
    }

    /// Does work that waits for disks or computes, on a thread where that does no harm.
    pub async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<Workbench>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let bench = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&bench))
            .await
            .unwrap_or_else(|_| Err(Problem::internal("the request could not be worked on")))
    }
}
