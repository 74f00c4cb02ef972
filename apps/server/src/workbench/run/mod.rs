//! The run screen: what a job is asked for, as arguments, as a command and as a recipe; jobs listed, started, followed, stopped, deleted.
//!
//! Jobs that were running when a server stopped are marked as interrupted by the next one.

mod command;
pub mod plan;
mod routes;
mod service;
mod spec;
mod verified;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;
pub use command::{
    COMPARISON, Commands, ENTRY, LINKAGE, MAP, NAMES, ProjectInputs, RECIPE, RELEASE,
    anonymize as anonymize_commands, is_synthetic, own_recipe, parameter_texts,
};
pub use plan::{PLAN, Plan};
pub use routes::*;
pub use service::Jobs;
pub use spec::{AnonymizeSpec, CompareSpec, JobSpec, MethodSpec, RecommendSpec, Scalar, Vary};
pub use verified::VERIFIED;

pub use crate::platform::jobs::child::OUTPUT;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(get, annotate, delete))
        .routes(routes!(cancel))
        .routes(routes!(events))
}
