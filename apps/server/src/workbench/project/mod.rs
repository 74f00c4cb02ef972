//! A project as it is kept: its folder, its rows in the database, its data in memory, and the lock that keeps writing and deletion
//! apart.

pub mod gates;
pub mod home;
pub mod store;

use std::sync::Arc;

use self::gates::Gates;
use self::home::Home;
use self::store::{Store, StoredProject};
use crate::platform::jobs::Program;
use crate::platform::principal::Right;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::inputs::Inputs;
use crate::workbench::snapshots::{ProjectCache, Workspace};

/// Limits of one server.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a file that is uploaded.
    pub upload: u64,
    /// People of a generated world.
    pub subjects: u64,
}

/// All projects.
#[derive(Debug, Clone)]
pub struct Projects {
    /// Where their files are.
    pub home: Arc<Home>,
    /// The database.
    pub store: Arc<Store>,
    /// The program that reads files and runs jobs.
    pub program: Arc<Program>,
    /// Limits.
    pub limits: Limits,
    gates: Arc<Gates>,
    cache: Arc<ProjectCache>,
}

impl Service for Projects {
    const RIGHT: Right = Right::Projects;
}

impl Projects {
    /// The projects of a data directory.
    pub fn of(home: Home, store: Store, program: Program, limits: Limits) -> Self {
        Projects {
            home: Arc::new(home),
            store: Arc::new(store),
            program: Arc::new(program),
            limits,
            gates: Arc::default(),
            cache: Arc::default(),
        }
    }

    /// The project with that identifier.
    pub fn need(&self, project: &str) -> Result<StoredProject, Problem> {
        self.store.project(project)?.ok_or_else(|| Problem::missing("project"))
    }

    /// The data of a project.
    pub fn workspace(&self, project: &str) -> Result<Arc<Workspace>, Problem> {
        self.cache.workspace(project, &self.home, &self.store, &self.program)
    }

    /// The files beside their data.
    pub fn inputs(&self) -> Inputs {
        Inputs { projects: self.clone() }
    }

    /// Forgets the data of a project that was deleted.
    pub fn forget(&self, project: &str) {
        self.cache.forget(project);
    }
}
