//! All members of a released item that stands for many: page by page, by part of their name.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_lab::Manifest;
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::run::{Jobs, RELEASE};

/// Members in one answer.
const MAX_MEMBERS: u64 = 200;

/// Which members.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct MembersQuery {
    /// Which of the generalised items of the result: the first is 0.
    #[param(minimum = 0)]
    at: u64,
    /// Part of the name; case does not matter.
    search: Option<String>,
    /// Members to pass over.
    #[param(minimum = 0)]
    offset: Option<u64>,
    /// Members to show; 200 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
}

/// A part of the members of a released item.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MembersPage {
    /// The item as it is released.
    pub item: String,
    /// Original items that it may stand for.
    pub members: Vec<String>,
    /// How many fit what was searched.
    pub total: u64,
}

/// The members of a released item that stands for several.
#[utoipa::path(get, path = "/api/jobs/{job}/members", tag = "results", params(MembersQuery),
    responses((status = 200, description = "Members", body = MembersPage)))]
pub async fn get(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
    Query(query): Query<MembersQuery>,
) -> Result<Json<MembersPage>, Problem> {
    jobs.ask(&principal, move |jobs| {
        let stored = jobs.need(&job)?;
        let directory = jobs.folder(&stored).join(RELEASE);
        let manifest =
            Manifest::read(&directory)?.ok_or_else(|| Problem::conflict("this job has no release"))?;
        let at = usize::try_from(query.at).ok();
        let entry = at.and_then(|at| manifest.generalised.into_iter().nth(at));
        let entry = entry.ok_or_else(|| Problem::missing("released item"))?;
        let text = query.search.unwrap_or_default().to_lowercase();
        let fits = |member: &String| text.is_empty() || member.to_lowercase().contains(&text);
        let found: Vec<String> = entry.members.into_iter().filter(fits).collect();
        let total = found.len() as u64;
        let (offset, limit) =
            (query.offset.unwrap_or(0).min(total), query.limit.unwrap_or(50).min(MAX_MEMBERS) as usize);
        let members = found.into_iter().skip(offset as usize).take(limit).collect();
        Ok(MembersPage { item: entry.item, members, total })
    })
    .await
    .map(Json)
}
