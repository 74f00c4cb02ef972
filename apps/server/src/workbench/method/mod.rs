//! The method screen: what fits the data, whether a run makes sense, and the same as a recipe and a command.

pub mod check;
pub mod copy;
pub mod fit;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new().routes(routes!(fit::get)).routes(routes!(check::post)).routes(routes!(copy::post))
}
