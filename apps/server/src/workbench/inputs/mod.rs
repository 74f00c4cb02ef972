//! Files beside the data: places, records, taxonomy, item lists.

mod attributes;
mod change;
pub mod earlier;
pub mod files;
pub mod hierarchies;
mod judge;
pub mod key;
pub mod people;
pub mod taken;

use crate::workbench::inputs::key::Kept as _;
use std::time::{Duration, Instant};

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::change::stored;
use self::key::InputKey;
use self::taken::TakenColumns;
use crate::platform::principal::Right;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::Workbench;
use crate::workbench::project::Projects;
use crate::workbench::snapshots::LONG_PATIENCE;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(files::list))
        .routes(routes!(files::get, files::put, files::delete))
        .routes(routes!(files::download))
}

/// The files beside the data of all projects.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The projects.
    pub projects: Projects,
}

impl Service for Inputs {
    const RIGHT: Right = Right::Projects;
}

/// A file beside the data.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = InputView)]
pub struct InputFile {
    /// Which input: the name of its flag, and for a column `hierarchy:COLUMN`.
    pub input: String,
    /// What the file was called.
    pub name: String,
    /// Lines with content, but for a header.
    pub rows: u64,
    /// Why it cannot be used with the data as it is now.
    pub problem: Option<String>,
    /// What the publisher should know of an input that was just made from the data.
    pub note: Option<String>,
    /// The columns of the data that it was taken from, where they say something else by now.
    pub outdated: Option<TakenColumns>,
}

impl Inputs {
    /// All inputs of a project, validated against the data as far as that is done within the time given.
    pub fn all(&self, project: &str, patience: Duration) -> Result<Vec<InputFile>, Problem> {
        let deadline = Instant::now() + patience;
        let workspace = self.projects.workspace(project)?;
        let snapshot = workspace.snapshot_within(patience);
        let mut views = Vec::new();
        for stored in self.projects.store.inputs(project)? {
            let key = InputKey::of_text(&stored.input)?;
            let left = deadline.saturating_duration_since(Instant::now());
            let problem = match &snapshot {
                Some(snapshot) => self.judgement(&workspace, snapshot, &key, left)?,
                None => None,
            };
            let outdated = match &snapshot {
                Some(snapshot) => self.outdated(&workspace, snapshot, &key)?,
                None => None,
            };
            views.push(InputFile {
                input: stored.input,
                name: stored.name,
                rows: stored.rows,
                problem: problem.map(|problem| format!("{}. {}", problem.detail, problem.help)),
                note: None,
                outdated,
            });
        }
        Ok(views)
    }

    /// One input of a project.
    pub fn one(&self, project: &str, key: &InputKey) -> Result<InputFile, Problem> {
        let (views, wanted) = (self.all(project, LONG_PATIENCE)?, key.to_string());
        views.into_iter().find(|view| view.input == wanted).ok_or_else(|| Problem::missing("input"))
    }
}
