//! The risk screen: what attackers could do with the data as they are, as a curve and by trying.

pub mod curve;
pub mod play;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// What this screen answers.
pub fn routes() -> OpenApiRouter<Arc<Workbench>> {
    OpenApiRouter::new().routes(routes!(curve::get)).routes(routes!(play::post))
}
