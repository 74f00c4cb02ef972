//! The workbench of one user: a folder for each screen, and those that several screens share.
//!
//! * Screens: [`start`], [`data`], [`meaning`], [`risk`], [`patterns`], [`method`], [`run`], [`result`], [`publish`], [`ledger`].
//! * Shared: [`project`] (what is kept of a project), [`inputs`] (files beside the data), [`reading`] (what columns are),
//!   [`working_table`] (the cells that people edit), [`snapshots`] (what is derived from them), [`described`] and [`format`](mod@format)
//!   (words and numbers).

pub mod data;
pub mod described;
pub mod format;
pub mod inputs;
pub mod ledger;
pub mod meaning;
pub mod method;
pub mod patterns;
pub mod project;
pub mod publish;
pub mod reading;
pub mod result;
pub mod risk;
pub mod run;
pub mod snapshots;
pub mod start;
pub mod working_table;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::assets::Assets;
use crate::platform::handoff::Handoff;
use crate::platform::problem::Problem;
use crate::platform::sessions::Door;
use crate::workbench::project::gates::Gates;
use crate::workbench::project::home::Home;
use crate::workbench::project::store::Store;
use crate::workbench::result::releases::Releases;
use crate::workbench::run::Jobs;
use crate::workbench::snapshots::{ProjectCache, Workspace};
use crate::workbench::working_table::Program;

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

/// Everything that the workbench answers under `/api/`.
pub fn routes() -> OpenApiRouter<Arc<Workbench>> {
    OpenApiRouter::new()
        .merge(start::routes())
        .merge(data::routes())
        .merge(inputs::routes())
        .merge(meaning::routes())
        .merge(risk::routes())
        .merge(patterns::routes())
        .merge(method::routes())
        .merge(run::routes())
        .merge(result::routes())
        .merge(publish::routes())
        .merge(ledger::routes())
}
