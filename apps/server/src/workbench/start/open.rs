//! A file that another command on this machine hands over: it becomes a project.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};

use super::projects;
use crate::platform::connections::Peer;
use crate::platform::extract::Body;
use crate::platform::handoff::{Handoff, Handover, Opened};
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::platform::sessions::Door;
use crate::workbench::project::Projects;

/// Makes a project of a file on this machine, for a command that has the key.
pub async fn answer(
    State(handoff): State<Arc<Handoff>>,
    State(door): State<Arc<Door>>,
    State(projects): State<Projects>,
    Extension(peer): Extension<Arc<Peer>>,
    headers: HeaderMap,
    Body(handover): Body<Handover>,
) -> Result<Json<Opened>, Problem> {
    let principal = handoff.principal(&headers).ok_or_else(Problem::stranger)?;
    peer.is_known();
    projects
        .ask(&principal, move |projects| {
            let project = projects::open_file(projects, &handover.file)?;
            door.renew()?;
            Ok(Opened { address: door.url(Some(&format!("#/p/{}/data", project.id))) })
        })
        .await
        .map(Json)
}
