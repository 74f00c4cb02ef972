//! The method screen: what fits the data, whether a run makes sense, and the same as a recipe and a command.

pub mod check;
pub mod copy;
pub mod fit;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// What this screen answers.
pub fn routes() -> OpenApiRouter<Arc<Workbench>> {
    OpenApiRouter::new().routes(routes!(fit::get)).routes(routes!(check::post)).routes(routes!(copy::post))
}
