//! The start screen: what there is to choose from, and projects: made, opened, listed, renamed, deleted, packed.

pub mod bundle;
pub mod catalogue;
pub mod open;
pub mod projects;
pub mod samples;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(catalogue::get))
        .routes(routes!(catalogue::session))
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::upload))
        .routes(routes!(projects::get, projects::rename, projects::delete))
        .routes(routes!(bundle::post))
        .routes(routes!(bundle::get))
        .routes(routes!(bundle::files))
        .routes(routes!(bundle::run_files))
}
