//! Items and values by part of their name, for lists that complete what is typed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Input, Progress};
use throng_data::formats::Source;
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::data::map;
use crate::workbench::project::Projects;
use crate::workbench::working_table;

/// Items in one answer.
const MAX_ITEMS: u64 = 200;

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
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(query): Query<ItemsQuery>,
) -> Result<Json<Vec<ItemHit>>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let items = &snapshot.need_data()?.items;
            let text = query.search.unwrap_or_default().to_lowercase();
            let limit = query.limit.unwrap_or(20).min(MAX_ITEMS) as usize;
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
            let places = map::places(projects, &workspace, &snapshot).ok().flatten();
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

/// Which values.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ValuesQuery {
    /// The column's name.
    column: String,
    /// Whether it is a column of the people's attributes.
    #[serde(default)]
    attribute: bool,
    /// Part of the value; case does not matter.
    #[serde(default)]
    search: String,
    /// Values to show; 200 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
}

/// A value of a column.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ValueHit {
    /// The value.
    pub value: String,
    /// Rows that have it.
    pub rows: u64,
}

/// Values of a column that hold some text: those that begin with it first, then those of more rows.
#[utoipa::path(get, path = "/api/projects/{project}/values", tag = "data", params(ValuesQuery),
    responses((status = 200, description = "Values", body = Vec<ValueHit>)))]
pub async fn values(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(query): Query<ValuesQuery>,
) -> Result<Json<Vec<ValueHit>>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let missing = || Problem::missing("column");
            let working_table = if query.attribute {
                let path = projects.home.input(&project, Input::Records);
                if !path.is_file() {
                    return Err(missing());
                }
                Arc::new(working_table::read(&Source::file(path), None, &Progress::silent()).0)
            } else {
                Arc::clone(&projects.workspace(&project)?.need_table()?.working_table)
            };
            let column = working_table.position(&query.column).ok_or_else(missing)?;
            let names = &working_table.columns[column].values;
            let text = query.search.to_lowercase();
            let mut hits: Vec<(bool, u64, u32)> = Vec::new();
            for (code, rows) in (0_u32..).zip(working_table.tally(column)).filter(|(_, rows)| *rows > 0) {
                let value = names.name(code).to_lowercase();
                if value.contains(&text) {
                    hits.push((!value.starts_with(&text), rows, code));
                }
            }
            let key = |(inside, rows, code): &(bool, u64, u32)| (*inside, u64::MAX - rows, *code);
            hits.sort_unstable_by_key(key);
            hits.truncate(query.limit.unwrap_or(20).min(MAX_ITEMS) as usize);
            let hit =
                |(_, rows, code): (bool, u64, u32)| ValueHit { value: names.name(code).to_owned(), rows };
            Ok(hits.into_iter().map(hit).collect())
        })
        .await
        .map(Json)
}
