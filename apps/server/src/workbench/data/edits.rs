//! The working table on the screen: pages of it, edits, undo and redo, export.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Body, Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::platform::streamed;
use crate::workbench::project::Projects;
use crate::workbench::reading::{Assignment, Reading};
use crate::workbench::snapshots::Table;
use crate::workbench::working_table::{Edit, Order, Window, WorkingColumn, WorkingTable, write_protected};

/// Rows in one answer.
const MAX_ROWS: u64 = 200;

/// Which rows to show.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RowsQuery {
    /// Rows to pass over.
    #[param(minimum = 0)]
    offset: Option<u64>,
    /// Rows to show; 200 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
    /// A column's name, with a minus before it for descending order.
    sort: Option<String>,
    /// Text that some cell holds, or `column=text`.
    filter: Option<String>,
}

/// A page of the working table.
#[derive(Debug, Serialize, ToSchema)]
pub struct RowsPage {
    /// Rows that the filter leaves.
    pub total: u64,
    /// Rows passed over.
    pub offset: u64,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows: the row's number, then its cells.
    pub rows: Vec<Vec<serde_json::Value>>,
}

/// A page of the working table.
#[utoipa::path(get, path = "/api/projects/{project}/rows", tag = "data", params(RowsQuery),
    responses((status = 200, description = "A page of rows", body = RowsPage)))]
pub async fn get_rows(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(query): Query<RowsQuery>,
) -> Result<Json<RowsPage>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let basis = workspace.need_table()?.basis();
            let working_table = &basis.working_table;
            let order = query.order();
            let window = workspace.window.get((basis.revision, order.clone()), || {
                Window::of(working_table, &order).ok_or_else(|| {
                    Problem::wrong("the table cannot be sorted by a column that it does not have").at("sort")
                })
            })?;
            Ok(page(working_table, &window, &query))
        })
        .await
        .map(Json)
}

impl RowsQuery {
    /// The order that is asked for.
    pub fn order(&self) -> Order {
        Order { sort: self.sort.clone(), filter: self.filter.clone() }
    }
}

/// The rows of a window that are asked for.
pub fn page(working_table: &WorkingTable, window: &Window, query: &RowsQuery) -> RowsPage {
    let offset = query.offset.unwrap_or(0).min(window.rows.len() as u64);
    let limit = query.limit.unwrap_or(100).min(MAX_ROWS);
    let page = window.rows.iter().skip(offset as usize).take(limit as usize);
    let row = |row: &u32| {
        let cells = working_table.columns.iter().map(|column| column.text(*row as usize).into());
        std::iter::once((*row).into()).chain(cells).collect()
    };
    RowsPage {
        total: window.rows.len() as u64,
        offset,
        columns: working_table.columns.iter().map(|column| column.name.clone()).collect(),
        rows: page.map(row).collect(),
    }
}

/// A change of the working table.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EditRequest {
    /// Gives a cell another value.
    Set {
        /// The row's number.
        row: u32,
        /// The column's name.
        column: String,
        /// The value.
        value: String,
    },
    /// Deletes rows.
    Delete {
        /// Numbers of the rows.
        rows: Vec<u32>,
    },
    /// Deletes all rows that a filter leaves.
    DeleteWhere {
        /// Text that some cell holds, or `column=text`.
        filter: String,
    },
    /// Gives a column another value in all rows that a filter leaves, in all rows without one.
    FillWhere {
        /// Text that some cell holds, or `column=text`.
        #[serde(default)]
        filter: String,
        /// The column's name.
        column: String,
        /// The value.
        value: String,
    },
    /// Replaces a part of a column's text in all rows that a filter leaves, in all rows without one.
    ReplaceWhere {
        /// Text that some cell holds, or `column=text`.
        #[serde(default)]
        filter: String,
        /// The column's name.
        column: String,
        /// The part, as it is written.
        find: String,
        /// What it becomes.
        with: String,
    },
    /// Adds a row at the end.
    AddRow {
        /// Values by column; cells of other columns are empty.
        cells: BTreeMap<String, String>,
    },
    /// Adds a column at the end.
    AddColumn {
        /// Its name.
        name: String,
        /// The value of all its cells.
        #[serde(default)]
        value: String,
    },
    /// Gives a column another name.
    Rename {
        /// The column's name.
        column: String,
        /// Its new name.
        name: String,
    },
    /// Gives a value of a column another name wherever it occurs.
    RenameValue {
        /// The column's name.
        column: String,
        /// The value.
        from: String,
        /// What it becomes.
        to: String,
    },
    /// Gives an item another name wherever it occurs.
    RenameItem {
        /// The item.
        from: String,
        /// Its new name.
        to: String,
    },
}

/// How far the history goes.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct History {
    /// Edits that can be taken back.
    pub undo: u64,
    /// Edits that can be carried out again.
    pub redo: u64,
    /// Rows of the working table.
    pub rows: u64,
}

/// Edits the working table.
#[utoipa::path(post, path = "/api/projects/{project}/edits", tag = "data", request_body = EditRequest,
    responses((status = 200, description = "Done", body = History)))]
pub async fn post_edit(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Body(request): Body<EditRequest>,
) -> Result<Json<History>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let mut table = workspace.need_table()?;
            let edit = located(&request, &table.working_table, &table.reading)?;
            if !table.edit(edit)? {
                return Err(Problem::wrong("this edit does not fit the table as it is now")
                    .with_help("look at the table again: a row or name it speaks of is not there"));
            }
            workspace.refresh();
            Ok(history(&table))
        })
        .await
        .map(Json)
}

fn history(table: &Table) -> History {
    History { undo: table.undo_count(), redo: table.redo_count(), rows: table.working_table.len() as u64 }
}

/// The edit with columns by number.
pub fn located(
    request: &EditRequest,
    working_table: &WorkingTable,
    reading: &Reading,
) -> Result<Edit, Problem> {
    let column = |name: &str| {
        working_table
            .position(name)
            .ok_or_else(|| Problem::wrong("the table has no such column").at("column"))
    };
    Ok(match request {
        EditRequest::Set { row, column: name, value } => {
            Edit::Set { row: *row, column: column(name)?, value: value.clone() }
        }
        EditRequest::Delete { rows } => {
            let mut rows = rows.clone();
            rows.sort_unstable();
            rows.dedup();
            if rows.is_empty() {
                return Err(Problem::wrong("no row was named").at("rows"));
            }
            Edit::Delete { rows }
        }
        EditRequest::DeleteWhere { filter } => {
            if filter.trim().is_empty() {
                return Err(Problem::wrong("a filter is needed to delete rows").at("filter"));
            }
            Edit::Delete { rows: fitting(working_table, filter)? }
        }
        EditRequest::FillWhere { filter, column: name, value } => {
            Edit::Fill { rows: fitting(working_table, filter)?, column: column(name)?, value: value.clone() }
        }
        EditRequest::ReplaceWhere { filter, column: name, find, with } => {
            let (column, rows) = (column(name)?, fitting(working_table, filter)?);
            let cells = &working_table.columns[column];
            if find.is_empty() || !rows.iter().any(|row| cells.text(*row as usize).contains(find.as_str())) {
                return Err(Problem::wrong("no cell of these rows holds this text").at("find"));
            }
            Edit::ReplaceText { rows, column, find: find.clone(), with: with.clone() }
        }
        EditRequest::AddRow { cells } => {
            for name in cells.keys() {
                column(name)?;
            }
            let cell = |column: &WorkingColumn| cells.get(&column.name).cloned().unwrap_or_default();
            Edit::AddRow { cells: working_table.columns.iter().map(cell).collect() }
        }
        EditRequest::AddColumn { name, value } => {
            free(working_table, name)?;
            Edit::AddColumn { name: name.clone(), value: value.clone() }
        }
        EditRequest::Rename { column: name, name: new } => {
            free(working_table, new)?;
            Edit::Rename { column: column(name)?, name: new.clone() }
        }
        EditRequest::RenameValue { column: name, from, to } => {
            let column = column(name)?;
            if working_table.columns[column].values.find(from).is_none() {
                return Err(Problem::wrong("the column has no such value").at("from"));
            }
            Edit::RenameValue { column, from: from.clone(), to: to.clone() }
        }
        EditRequest::RenameItem { from, to } => {
            let assignment = Assignment::of(working_table, reading);
            if assignment.is_wide() {
                return Err(Problem::wrong("items can be renamed only where each has a row of its own"));
            }
            let item = assignment.item().ok_or_else(|| Problem::wrong("no column is the item"))?;
            if to.is_empty() {
                return Err(Problem::wrong("an item needs a name").at("to"));
            }
            if working_table.columns[item].values.find(from).is_none() {
                return Err(Problem::wrong("there is no such item").at("from"));
            }
            Edit::RenameValue { column: item, from: from.clone(), to: to.clone() }
        }
    })
}

/// Refuses a name that no column can get.
fn free(working_table: &WorkingTable, name: &str) -> Result<(), Problem> {
    if name.trim().is_empty() {
        return Err(Problem::wrong("a column needs a name").at("name"));
    }
    match working_table.position(name) {
        Some(_) => Err(Problem::wrong("another column has this name already").at("name")),
        None => Ok(()),
    }
}

/// The rows that a filter leaves; at least one.
fn fitting(working_table: &WorkingTable, filter: &str) -> Result<Vec<u32>, Problem> {
    let order = Order { sort: None, filter: Some(filter.to_owned()) };
    let rows = Window::of(working_table, &order).map(|window| window.rows).unwrap_or_default();
    match rows.is_empty() {
        true => Err(Problem::wrong("no row fits").with_help("change the filter").at("filter")),
        false => Ok(rows),
    }
}

/// Takes the last edit back; nothing happens when there is none.
#[utoipa::path(post, path = "/api/projects/{project}/undo", tag = "data",
    responses((status = 200, description = "Done", body = History)))]
pub async fn post_undo(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Json<History>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let mut table = workspace.need_table()?;
            projects.writing(&project, || table.undo())?;
            workspace.inputs_changed();
            workspace.refresh();
            Ok(history(&table))
        })
        .await
        .map(Json)
}

/// Carries out the last edit taken back; nothing happens when there is none.
#[utoipa::path(post, path = "/api/projects/{project}/redo", tag = "data",
    responses((status = 200, description = "Done", body = History)))]
pub async fn post_redo(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Json<History>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let mut table = workspace.need_table()?;
            projects.writing(&project, || table.redo())?;
            workspace.inputs_changed();
            workspace.refresh();
            Ok(history(&table))
        })
        .await
        .map(Json)
}

/// The working table as a file that is safe to open in a spreadsheet.
#[utoipa::path(get, path = "/api/projects/{project}/export", tag = "data",
    responses((status = 200, description = "A CSV file", content_type = "text/csv", body = String)))]
pub async fn get_export(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Response, Problem> {
    let working_table = projects
        .ask(&principal, move |projects| {
            Ok(Arc::clone(&projects.workspace(&project)?.need_table()?.working_table))
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"working-data.csv\""),
    ];
    Ok((headers, streamed::body(move |out| write_protected(out, &working_table))).into_response())
}
