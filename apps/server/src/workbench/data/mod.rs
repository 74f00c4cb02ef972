//! The data screen: the file, its columns and their roles, rows and edits, maps, points that become places.

pub mod columns;
pub mod edits;
pub mod flows;
pub mod histogram;
pub mod items;
pub mod map;
pub mod overview;
pub mod points;
pub mod summary;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(overview::get_data))
        .routes(routes!(overview::get_histogram))
        .routes(routes!(columns::put))
        .routes(routes!(edits::get_rows))
        .routes(routes!(edits::post_edit))
        .routes(routes!(edits::post_undo))
        .routes(routes!(edits::post_redo))
        .routes(routes!(edits::get_export))
        .routes(routes!(map::get))
        .routes(routes!(flows::get))
        .routes(routes!(items::get))
        .routes(routes!(items::values))
        .routes(routes!(points::get, points::post))
}
