//! The rows of a released file as they are published, for the publisher to look at: a page of a table.
//!
//! Whatever form a release has, its files are tables: events, the rows of people, counts, parts of records.

use std::fs;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::Progress;
use throng_data::formats::Source;
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Path, Query};
use crate::problem::Problem;
use crate::publish;
use crate::workbench::Workbench;
use crate::working_table;

/// Rows in one answer.
const MOST: u64 = 200;
/// Bytes of a file that is looked at here: it is read for each page.
const LARGEST: u64 = 32 << 20;

/// Which rows.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ReleaseRowsQuery {
    /// The name of a file of the release that is a table in CSV.
    file: String,
    /// Rows to pass over.
    #[param(minimum = 0)]
    offset: Option<u64>,
    /// Rows to show; 200 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
}

/// A page of a released table.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReleaseRows {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// One value for each column.
    pub rows: Vec<Vec<String>>,
    /// Rows of the whole table.
    pub total: u64,
}

/// Rows of a released table.
#[utoipa::path(get, path = "/api/jobs/{job}/rows", tag = "results", params(ReleaseRowsQuery),
    responses((status = 200, description = "Rows", body = ReleaseRows)))]
pub async fn get(
    State(bench): State<Arc<Workbench>>,
    Path(job): Path<String>,
    Query(query): Query<ReleaseRowsQuery>,
) -> Result<Json<ReleaseRows>, Problem> {
    bench
        .blocking(move |bench| {
            let path = publish::table(bench, &job, &query.file)?;
            if fs::metadata(&path)?.len() > LARGEST {
                return Err(Problem::conflict("this file is too large to be looked at here")
                    .with_help("it is in the download, and the report says what is in it"));
            }
            let (table, defect) = working_table::read(&Source::file(&path), Some(b','), &Progress::silent());
            if defect.is_some() {
                return Err(Problem::internal("a file of the release cannot be read back"));
            }
            let (offset, limit) =
                (query.offset.unwrap_or(0) as usize, query.limit.unwrap_or(50).min(MOST) as usize);
            let row = |row: usize| table.columns.iter().map(|column| column.text(row).to_owned()).collect();
            Ok(ReleaseRows {
                columns: table.columns.iter().map(|column| column.name.clone()).collect(),
                rows: table.rows().skip(offset).take(limit).map(row).collect(),
                total: table.len() as u64,
            })
        })
        .await
        .map(Json)
}
