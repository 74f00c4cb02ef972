//! Starts the server and runs it until it is asked to stop.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use throng_contract::{Class, Failure, Progress};
use tokio::net::TcpListener;

use crate::platform::assets::{self, Assets};
use crate::platform::extract::LARGEST_BODY;
use crate::platform::handoff::{self, Handoff};
use crate::platform::jobs::Program;
use crate::platform::log::{self, LogFormat};
use crate::platform::problem::Problem;
use crate::platform::sessions::Door;
use crate::platform::{connections, guard, openapi};
use crate::workbench::ledger::Ledgers;
use crate::workbench::project::home::Home;
use crate::workbench::project::store::Store;
use crate::workbench::project::{Limits, Projects, gates};
use crate::workbench::run::Jobs;
use crate::workbench::start::{open, projects};
use crate::workbench::{self, Workbench};

/// How often the server looks whether it was asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// How to run a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address; only those of this machine are allowed.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Where projects are kept.
    pub data_directory: PathBuf,
    /// Bytes of a file that is uploaded.
    pub upload_limit: u64,
    /// The web app's files, instead of the embedded ones.
    pub web_directory: Option<PathBuf>,
    /// A file to make a project of at the start.
    pub open: Option<PathBuf>,
    /// Words for every child, in front of its command.
    pub child_words: Vec<String>,
    /// The most memory that a job may use, and half of which reading a file may, in bytes.
    pub memory: Option<u64>,
    /// How the log is written.
    pub log: LogFormat,
    /// How long the head of a request may take.
    pub head_patience: Duration,
}

/// Why an address is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// The server can be reached now.
    Started,
    /// A server ran already, and opened the file.
    Joined,
    /// A browser opened the page without a cookie; this address lets its user in.
    Asked,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The server ran until it was asked to stop.
    Served,
    /// A server ran already, and opened the file.
    Joined,
}

/// Runs a server until `progress` is cancelled. `announce` is called with the address to open, once it can be opened, and
/// with a new one when a browser has lost its cookie. A file is handed to the server that runs on the data directory already, if there is one.
pub fn serve(
    options: &Options,
    mut announce: impl FnMut(&str, Occasion),
    progress: &Progress,
) -> Result<Ended, Failure> {
    if !options.address.is_loopback() {
        let what = format!("`{}` is not an address of this machine alone", options.address);
        return Err(Failure::new(Class::Refused, what).with_help(
            "others could reach your data: that takes accounts and encryption, which are not there yet",
        ));
    }
    log::start(options.log);
    let home = Home::open(&options.data_directory)?;
    let store = match (Store::open(&home.database()), &options.open) {
        (Ok(store), _) => store,
        (Err(failure), Some(file)) if failure.class == Class::Refused => {
            let address = handoff::hand_over(home.root(), file)?.ok_or(failure)?;
            announce(&address, Occasion::Joined);
            return Ok(Ended::Joined);
        }
        (Err(failure), _) => return Err(pointed_at(failure, home.root())),
    };
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(Class::Internal, format!("the program does not find itself: {error}"))
    })?;
    let program = Program { path: program, words: options.child_words.clone(), memory: options.memory };
    let limits = Limits { upload: options.upload_limit, subjects: 2_000_000 };
    let projects = Projects::of(home, store, program, limits);
    let jobs = Jobs::of(projects.clone());
    jobs.mark_interrupted()?;
    sweep(&projects)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Class::Internal, format!("cannot start threads: {error}")))?;
    let wanted = SocketAddr::new(options.address, options.port);
    let listener = runtime.block_on(TcpListener::bind(wanted)).map_err(|error| {
        Failure::new(Class::Refused, format!("`{wanted}` cannot be used: {error}"))
            .with_help("give another port with `--port`, or 0 for any that is free")
    })?;
    let address = listener.local_addr().map_err(|error| Failure::new(Class::Internal, error.to_string()))?;
    let handoff = Arc::new(Handoff::announce(projects.home.root(), address)?);
    let door = Arc::new(Door::new(address, &projects.home.host_name()?)?);
    let page = match &options.open {
        Some(file) => Some(adopt(&projects, file)?),
        None => None,
    };
    jobs.start()?;
    let bench = Workbench {
        ledgers: Ledgers { jobs: jobs.clone() },
        door: Arc::clone(&door),
        handoff: Arc::clone(&handoff),
        assets: Arc::new(Assets::new(options.web_directory.clone())),
    };
    let app = app(bench);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), port = address.port(), "started");
    announce(&door.url(page.as_deref()), Occasion::Started);
    let stopped = async {
        while !progress.is_cancelled() {
            if let Ok(Some(address)) = door.asked() {
                announce(&address, Occasion::Asked);
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    runtime.block_on(async {
        // Connections that listen to a job stay open for as long as it runs: the server does not wait for them.
        tokio::select! {
            () = connections::answer(listener, app, options.head_patience) => {}
            () = stopped => {}
        }
    });
    handoff.withdraw();
    projects.home.sweep_ways_in();
    jobs.queue.close();
    runtime.shutdown_timeout(Duration::from_millis(500));
    tracing::info!("stopped");
    Ok(Ended::Served)
}

/// Clears what an earlier server left half done.
fn sweep(projects: &Projects) -> Result<(), Failure> {
    let (store, home) = (&projects.store, &projects.home);
    let known = |project: &str| Ok::<_, Problem>(store.project(project)?.is_some());
    let forget = |project: &str| Ok::<_, Problem>(store.remove_project(project)?);
    let swept = home.sweep(!store.is_new, known, forget).map_err(|problem| {
        let failure = Failure::new(Class::BadInput, problem.detail);
        failure
            .with_help("look at the permissions of the data directory, or give another one with `--data-dir`")
    })?;
    if swept > 0 {
        tracing::warn!(swept, "an earlier workbench left things half done");
    }
    Ok(())
}

/// Says where the server is that stands in the way.
fn pointed_at(mut failure: Failure, data_directory: &Path) -> Failure {
    if let Some(address) = handoff::running(data_directory).filter(|_| failure.class == Class::Refused) {
        failure.message = format!("{}, at http://{address}/", failure.message);
    }
    failure
}

/// Everything that is answered.
fn app(bench: Workbench) -> Router {
    let door = Arc::clone(&bench.door);
    let (routes, description) = openapi::describe(workbench::routes());
    let description = Router::new()
        .route("/api/openapi.json", axum::routing::get(openapi::serve))
        .with_state(Arc::new(description));
    Router::new()
        .merge(routes.method_not_allowed_fallback(async || Problem::method()))
        .layer(middleware::from_fn_with_state(bench.clone(), gates::answer_for_the_gone))
        .layer(DefaultBodyLimit::max(LARGEST_BODY as usize))
        .route(handoff::PATH, axum::routing::post(open::answer))
        .fallback(assets::serve)
        .with_state(bench)
        .merge(description)
        .layer(middleware::from_fn_with_state(door, guard::guard))
        .layer(middleware::from_fn(log::requests))
}

/// Makes a project of a file on this machine; returns its page.
fn adopt(projects: &Projects, file: &Path) -> Result<String, Failure> {
    let project = projects::open_file(projects, file).map_err(|problem| {
        let failure = Failure::new(Class::BadInput, problem.detail);
        match problem.help {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    })?;
    Ok(format!("#/p/{}/data", project.id))
}
