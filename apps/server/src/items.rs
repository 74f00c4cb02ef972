//! Items by part of their name, for lists that complete what is typed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Path, Query};
use crate::map;
use crate::problem::Problem;
use crate::workbench::Workbench;

/// Items in one answer.
const MOST: u64 = 200;

/// An item.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ItemHit {
    /// Its name.
    pub item: String,
    /// Number of people.
    pub people: u64,
    /// What kind of place it is, if places say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
}

/// Which items.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ItemsQuery {
    /// Part of the name; case does not matter.
    search: Option<String>,
    /// Items to show; 200 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
}

/// Items whose name holds some text: names that begin with it first, then those that more people have.
#[utoipa::path(get, path = "/api/projects/{project}/items", tag = "data", params(ItemsQuery),
    responses((status = 200, description = "Items", body = Vec<ItemHit>)))]
pub async fn get(
    State(bench): State<Arc<Workbench>>,
    Path(project): Path<String>,
    Query(query): Query<ItemsQuery>,
) -> Result<Json<Vec<ItemHit>>, Problem> {
    bench
        .blocking(move |bench| {
            let workspace = bench.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let items = &snapshot.need_data()?.items;
            let text = query.search.unwrap_or_default().to_lowercase();
            let limit = query.limit.unwrap_or(20).min(MOST) as usize;
            let mut hits: Vec<(bool, u32)> = Vec::new();
            for item in &snapshot.frequent {
                let name = items.name(*item).to_lowercase();
                if name.contains(&text) {
                    hits.push((!name.starts_with(&text), *item));
                }
            }
            // Stable: within each half the most frequent come first.
            hits.sort_by_key(|(inside, _)| *inside);
            hits.truncate(limit);
            let places = map::places(bench, &workspace, &snapshot).ok().flatten();
            let categories = places.as_ref().and_then(|places| places.categories.as_ref());
            let hit = |(_, item): (bool, u32)| ItemHit {
                item: items.name(item).to_owned(),
                people: snapshot.tally[item as usize].people,
                category: categories.map(|categories| categories[item as usize].clone()),
            };
            Ok(hits.into_iter().map(hit).collect())
        })
        .await
        .map(Json)
}
