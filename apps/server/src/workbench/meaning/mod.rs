//! The meaning screen: what items and values mean, entry by entry, row by row, as a tree, or made from the data.

pub mod entries;
pub mod generate;
pub mod input_rows;
pub mod taxonomy;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(entries::get, entries::post))
        .routes(routes!(input_rows::get, input_rows::post))
        .routes(routes!(generate::post))
        .routes(routes!(taxonomy::get, taxonomy::patch))
}
