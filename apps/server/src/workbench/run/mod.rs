//! Jobs: runs of the same program as child processes, one at a time, with a queue.
//!
//! # Guarantees
//! A job is stopped within a second: its process group is asked to end, then killed. A crash loses one job and is told
//! as its failure. Jobs go on when every browser is closed. When the server stops, children are stopped too; when it
//! starts, jobs that were running are marked as interrupted.

mod child;
mod command;
mod compare;
mod live;
mod queue;
mod routes;
mod spec;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::workbench::Workbench;
pub use child::{OUTPUT, VERIFIED};
pub use command::{
    COMPARISON, Commands, ENTRY, LINKAGE, MAP, RELEASE, RUN, Setting, anonymize as anonymize_commands,
    is_synthetic, parameter_texts,
};
pub use compare::{compare as compare_commands, recommend as recommend_commands};
pub use live::{Event, Live, ProgressView};
pub use queue::Jobs;
pub use routes::*;
pub use spec::{AnonymizeSpec, CompareSpec, JobSpec, RecommendSpec, Scalar};

/// What jobs answers.
pub fn routes() -> OpenApiRouter<Arc<Workbench>> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(get, annotate, delete))
        .routes(routes!(cancel))
        .routes(routes!(events))
}
