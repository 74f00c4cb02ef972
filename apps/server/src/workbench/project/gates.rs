//! One lock for each project: what is written into its folder, and its deletion, never happen at the same time.
//!
//! # Guarantees
//! When a project was deleted, nothing writes into its folder any more, and nothing makes that folder again: a writer holds the
//! project's gate and looks whether the project is still there, and deletion waits for all writers.
//!
//! # Order
//! A thread that needs a project's table as well locks the table first. No thread enters the same gate twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Projects;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;

/// The gates of all projects that are being written to or deleted.
#[derive(Debug, Default)]
pub struct Gates {
    gates: Mutex<HashMap<String, Arc<RwLock<()>>>>,
}

impl Gates {
    fn of(&self, project: &str) -> Arc<RwLock<()>> {
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        // One that no thread holds says nothing.
        gates.retain(|_, gate| Arc::strong_count(gate) > 1);
        Arc::clone(gates.entry(project.to_owned()).or_default())
    }
}

impl Projects {
    /// Writes into the folder of a project, which stays there meanwhile.
    pub fn writing<T>(&self, project: &str, work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
        let gate = self.gates.of(project);
        let _open = gate.read().unwrap_or_else(PoisonError::into_inner);
        self.need(project)?;
        work()
    }

    /// Makes a project: until that is done, nothing can delete it.
    pub fn making<T>(&self, project: &str, work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
        let gate = self.gates.of(project);
        let _open = gate.read().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Deletes a project, when nothing writes into its folder any more.
    pub fn deleting<T>(
        &self,
        project: &str,
        work: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let gate = self.gates.of(project);
        let _closed = gate.write().unwrap_or_else(PoisonError::into_inner);
        self.need(project)?;
        work()
    }

    /// The project or job that an address names, if it is not there. A deletion that is under way is waited for: its folder goes before
    /// its rows do.
    fn gone(&self, matched: &str, path: &str) -> Result<Option<Problem>, Problem> {
        let Some(id) = path.split('/').nth(3) else { return Ok(None) };
        let wait =
            |project: &str| drop(self.gates.of(project).read().unwrap_or_else(PoisonError::into_inner));
        Ok(if matched.starts_with("/api/projects/{project}") {
            wait(id);
            self.store.project(id)?.is_none().then(|| Problem::missing("project"))
        } else if matched.starts_with("/api/jobs/{job}") {
            if let Some(job) = self.store.job(id)? {
                wait(&job.project);
            }
            self.store.job(id)?.is_none().then(|| Problem::missing("job"))
        } else {
            None
        })
    }
}

/// Answers a request about a project or job that was deleted while it was worked on as if it had come afterwards: whatever it
/// failed with, the reason is that files and rows are gone.
pub async fn answer_for_the_gone(
    principal: Principal,
    State(projects): State<Projects>,
    request: Request,
    next: Next,
) -> Response {
    let matched = request.extensions().get::<MatchedPath>().map(|matched| matched.as_str().to_owned());
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let status = response.status();
    let failed = status.is_server_error() || status.is_client_error();
    match matched.filter(|_| failed) {
        None => response,
        Some(matched) => match projects.ask(&principal, move |projects| projects.gone(&matched, &path)).await
        {
            Ok(Some(problem)) => problem.into_response(),
            _ => response,
        },
    }
}
