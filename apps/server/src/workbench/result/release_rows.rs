//! The rows of a released file as they are published, for the publisher to look at: a page of a table.
//!
//! Whatever form a release has, its files are tables: events, the rows of people, counts, parts of records. A file may be far larger than memory, so
//! that a page is read past, and nothing but the page is kept.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_data::formats::{BLOCK, Blocks, Framing, Header, Layout, Source};
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::publish;
use crate::workbench::run::Jobs;

/// Rows in one answer.
const MAX_ROWS: u64 = 200;

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
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
    Query(query): Query<ReleaseRowsQuery>,
) -> Result<Json<ReleaseRows>, Problem> {
    jobs.ask(&principal, move |jobs| {
        let path = publish::table(jobs, &job, &query.file)?;
        read(&Source::file(path), query.offset.unwrap_or(0), query.limit.unwrap_or(50).min(MAX_ROWS))
            .ok_or_else(|| Problem::internal("a file of the release cannot be read back"))
    })
    .await
    .map(Json)
}

/// Reads past `offset` rows, keeps `limit` of them, and counts the rest; `None` where the file is none that we wrote.
fn read(source: &Source, offset: u64, limit: u64) -> Option<ReleaseRows> {
    let mut blocks = Blocks::new(source.open().ok()?, source.name(), BLOCK, true).ok()?;
    let framing = Framing { delimiter: Some(b','), header: true, ..Framing::default() };
    let (header, first) = Header::read_as(&mut blocks, framing).ok()?;
    let layout = Layout::all(b',', header.names.len());
    let page = offset..offset.saturating_add(limit);
    let (mut kept, mut total) = (Vec::new(), 0);
    let mut next = Some(first);
    while let Some(block) = next {
        let mut rows = block.rows(&header.file, &layout).ok()?;
        while rows.advance().ok()? {
            if page.contains(&total) {
                kept.push((0..header.names.len()).map(|column| rows.field(column).to_owned()).collect());
            }
            total += 1;
        }
        blocks.recycle(block);
        next = blocks.next_block().ok()?;
    }
    Some(ReleaseRows { columns: header.names.clone(), rows: kept, total })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cut_from_a_file_of_many_blocks() {
        // Longer than a block, with a line end inside a field.
        let text: String = (0..60_000).map(|row| format!("{row},\"place\n{}\"\n", row % 7)).collect();
        assert!(text.len() > BLOCK / 2);
        let source = Source::memory("release.csv", format!("record,item\n{text}{text}").into_bytes());
        let page = read(&source, 60_001, 2).unwrap();
        assert_eq!((page.columns, page.total), (vec!["record".to_owned(), "item".to_owned()], 120_000));
        assert_eq!(page.rows, [["1", "place\n1"], ["2", "place\n2"]]);
        assert!(read(&source, 120_000, 2).unwrap().rows.is_empty());
        let none = read(&Source::memory("release.csv", b"record,item\n".to_vec()), 0, 5).unwrap();
        assert_eq!((none.total, none.rows.len()), (0, 0));
    }
}
