//! The risk screen: what attackers could do with the data as they are, as a curve and by trying.

pub mod curve;
pub mod play;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new().routes(routes!(curve::get)).routes(routes!(play::post))
}
