//! The meaning screen: what items and values mean, entry by entry, row by row, as a tree, or made from the data.

pub mod entries;
pub mod generate;
pub mod input_rows;
pub mod taxonomy;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// What this screen answers.
pub fn routes() -> OpenApiRouter<Arc<Workbench>> {
    OpenApiRouter::new()
        .routes(routes!(entries::get, entries::post))
        .routes(routes!(input_rows::get, input_rows::post))
        .routes(routes!(generate::post))
        .routes(routes!(taxonomy::get, taxonomy::patch))
}
