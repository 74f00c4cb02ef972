//! The workbench of one user: a folder for each screen, and those that several screens share.
//!
//! * Screens: [`start`], [`data`], [`meaning`], [`risk`], [`patterns`], [`method`], [`run`], [`result`], [`compare`],
//!   [`publish`], [`ledger`].
//! * Shared: [`project`] (what is kept of a project), [`inputs`] (files beside the data), [`reading`] (what columns are),
//!   [`working_table`] (the cells that people edit), [`snapshots`] (what is derived from them), [`described`] and [`format`](mod@format)
//!   (words and numbers).
//!
//! A new endpoint is a handler in the folder of its screen, a line in that folder's `routes()`, and a test. A handler takes the
//! [`Principal`](crate::platform::principal::Principal) who asks and the [service](crate::platform::service::Service) that is asked.

// Screens.
pub mod compare;
pub mod data;
pub mod ledger;
pub mod meaning;
pub mod method;
pub mod patterns;
pub mod publish;
pub mod result;
pub mod risk;
pub mod run;
pub mod start;

// What several screens share.
pub mod described;
pub mod format;
pub mod inputs;
pub mod project;
pub mod reading;
pub mod snapshots;
pub mod working_table;

use std::sync::Arc;

use axum::extract::FromRef;
use utoipa_axum::router::OpenApiRouter;

use self::inputs::Inputs;
use self::ledger::Ledgers;
use self::project::Projects;
use self::run::Jobs;
use crate::platform::assets::Assets;
use crate::platform::handoff::Handoff;
use crate::platform::sessions::Door;

/// One running workbench. Handlers take the part that they ask, never the whole.
#[derive(Debug, Clone)]
pub struct Workbench {
    /// Projects, jobs and the ledger.
    pub ledgers: Ledgers,
    /// Who is let in.
    pub door: Arc<Door>,
    /// How another command reaches this server.
    pub handoff: Arc<Handoff>,
    /// The web app.
    pub assets: Arc<Assets>,
}

/// Makes a part of the workbench a state of handlers.
macro_rules! part {
    ($type:ty, $bench:ident => $part:expr) => {
        impl FromRef<Workbench> for $type {
            fn from_ref($bench: &Workbench) -> Self {
                $part
            }
        }
    };
}

part!(Ledgers, bench => bench.ledgers.clone());
part!(Jobs, bench => bench.ledgers.jobs.clone());
part!(Projects, bench => bench.ledgers.jobs.projects.clone());
part!(Inputs, bench => bench.ledgers.jobs.projects.inputs());
part!(Arc<Door>, bench => Arc::clone(&bench.door));
part!(Arc<Handoff>, bench => Arc::clone(&bench.handoff));
part!(Arc<Assets>, bench => Arc::clone(&bench.assets));

/// Everything that the workbench answers under `/api/`.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .merge(start::routes())
        .merge(data::routes())
        .merge(inputs::routes())
        .merge(meaning::routes())
        .merge(risk::routes())
        .merge(patterns::routes())
        .merge(method::routes())
        .merge(run::routes())
        .merge(result::routes())
        .merge(publish::routes())
        .merge(ledger::routes())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// The handlers of a folder, as they are written: from their attribute to their body.
    fn handlers(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                handlers(&path, found);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                let written = text.split("\n#[utoipa::path(").skip(1);
                found.extend(written.map(|written| {
                    let signature = written.split(" {\n").next().unwrap_or_default();
                    format!("{}: {signature}", path.display())
                }));
            }
        }
    }

    #[test]
    fn every_handler_takes_a_principal() {
        let mut found = Vec::new();
        handlers(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workbench"), &mut found);
        assert!(found.len() > 60, "{} handlers were found", found.len());
        let without: Vec<&String> =
            found.iter().filter(|signature| !signature.contains(": Principal")).collect();
        assert!(without.is_empty(), "handlers that do not say who asks: {without:#?}");
        let whole: Vec<&String> = found.iter().filter(|signature| signature.contains("Workbench")).collect();
        assert!(whole.is_empty(), "handlers that take the whole state: {whole:#?}");
    }
}
