//! A project as one file for a colleague: the data as it came, what was said of it, every edit, the inputs and what they were before.
//!
//! Runs and releases stay where they are. [`unpack`] reads a bundle, which may come from anyone.

mod unpack;

use crate::workbench::inputs::key::Kept as _;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path as FilePath, PathBuf};

use axum::Json;
use axum::body::Body as RawBody;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use throng_contract::Input;
use throng_data::formats::Frame;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub use self::unpack::unpack_bundle;
use self::unpack::{DESCRIPTION, Description, SCHEMA, unpacked};
use crate::platform::extract::Path;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::secrets::identifier;
use crate::platform::service::Service;
use crate::platform::{streamed, upload};
use crate::workbench::inputs;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::Projects;
use crate::workbench::project::home::input_file;
use crate::workbench::project::store::StoredProject;
use crate::workbench::run::{Jobs, NAMES, ProjectInputs};
use crate::workbench::snapshots::FRAME;
use crate::workbench::start::projects::{self, Project};

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true)
}

/// Puts files into a zip as they are read.
fn pack(entries: Vec<(String, Packed)>, out: &mut streamed::Outlet) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(out);
    for (name, content) in entries {
        archive.start_file(name, options())?;
        match content {
            Packed::File(path) => io::copy(&mut File::open(path)?, &mut archive)?,
            Packed::Columns(path) => {
                let frame = Frame::read(BufReader::new(File::open(path)?))?;
                io::copy(&mut frame.to_csv().as_slice(), &mut archive)?
            }
            Packed::Bytes(bytes) => io::copy(&mut bytes.as_slice(), &mut archive)?,
        };
    }
    archive.finish()?;
    Ok(())
}

/// What goes into a zip.
enum Packed {
    File(PathBuf),
    /// The columns of an edited table, as CSV.
    Columns(PathBuf),
    Bytes(Vec<u8>),
}

fn zip(name: &str, entries: Vec<(String, Packed)>) -> Response {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).take(100).collect();
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, streamed::body(move |out| pack(entries, out))).into_response()
}

/// The project as one file.
#[utoipa::path(get, path = "/api/projects/{project}/bundle", tag = "projects",
    responses((status = 200, description = "A zip file that `POST /api/projects/bundle` opens", content_type = "application/zip", body = String)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Response, Problem> {
    projects
        .ask(&principal, move |projects| {
            let stored = projects.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
            let (edits, position) = projects.store.edits(&project)?;
            let edits = edits.iter().map(|edit| serde_json::from_str(edit)).collect::<Result<_, _>>()?;
            let inputs = projects.store.inputs(&project)?;
            let description = Description {
                schema: SCHEMA.to_owned(),
                name: stored.name.clone(),
                source: stored.source,
                file: stored.file.clone(),
                reading: serde_json::from_str(&stored.reading)?,
                edits,
                position,
                inputs: inputs.iter().map(|input| (input.input.clone(), input.name.clone())).collect(),
            };
            let mut entries = vec![
                (DESCRIPTION.to_owned(), Packed::Bytes(serde_json::to_vec_pretty(&description)?)),
                (
                    format!("data/{}", stored.file),
                    Packed::File(projects.home.project(&project).join(&stored.file)),
                ),
            ];
            for input in inputs {
                let key = InputKey::of_text(&input.input)?;
                let path = projects.home.input(&project, key.clone());
                entries.push((format!("inputs/{}", key.file()), Packed::File(path)));
            }
            let earlier = projects.home.inputs(&project).join("earlier");
            for entry in fs::read_dir(&earlier).into_iter().flatten() {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                entries.push((format!("inputs/earlier/{name}"), Packed::File(entry.path())));
            }
            Ok(zip(&format!("{}.throng.zip", stored.name), entries))
        })
        .await
}

/// The files that a copied command or recipe names, by the names it gives them.
#[utoipa::path(get, path = "/api/projects/{project}/files", tag = "projects",
    responses((status = 200, description = "A zip file", content_type = "application/zip", body = String)))]
pub async fn files(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Response, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let setting = ProjectInputs::of(projects, &project, &workspace.label, &snapshot)?;
            let data = match snapshot.file() {
                Some(file) => Packed::File(file.to_owned()),
                None => Packed::Bytes(snapshot.rendered()),
            };
            let mut entries = vec![(setting.data_label(), data)];
            for key in &setting.inputs {
                entries.push((key.label(), Packed::File(projects.home.input(&project, key.clone()))));
            }
            Ok(zip("files.zip", entries))
        })
        .await
}

/// The files that the command or recipe of a run names, as they were when it was asked for.
#[utoipa::path(get, path = "/api/jobs/{job}/inputs", tag = "jobs",
    responses((status = 200, description = "A zip file", content_type = "application/zip", body = String)))]
pub async fn run_files(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Response, Problem> {
    jobs.ask(&principal, move |jobs| {
        let stored = jobs.need(&job)?;
        let folder = jobs.folder(&stored);
        let names: Vec<(String, String)> = match fs::read(folder.join(NAMES)) {
            Ok(names) => serde_json::from_slice(&names)?,
            Err(_) => earlier_names(&folder, &stored.recipe),
        };
        let there = names.into_iter().map(|(own, known)| (known, folder.join(own)));
        let entries = there.filter(|(_, path)| path.is_file()).map(|(known, path)| (known, as_file(path)));
        Ok(zip("files.zip", entries.collect()))
    })
    .await
}

/// A file of a job's folder, as people get it.
fn as_file(path: PathBuf) -> Packed {
    match path.extension().is_some_and(|extension| extension == FRAME) {
        true => Packed::Columns(path),
        false => Packed::File(path),
    }
}

/// The files of a job of an earlier version of the program, which did not write their names down: the recipe says what the data are called.
fn earlier_names(folder: &FilePath, recipe: &str) -> Vec<(String, String)> {
    let recipe: toml::Table = recipe.parse().unwrap_or_default();
    let data = recipe.get("data").and_then(|data| data.get("events").or_else(|| data.get("table")));
    let label = data.and_then(toml::Value::as_str).unwrap_or("data.csv");
    let listed = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = listed.filter_map(|entry| entry.file_name().into_string().ok());
    let inputs = Input::ALL.map(input_file);
    let known = names.filter_map(|own| match own.starts_with("data.") {
        true => Some((own, label.to_owned())),
        false => inputs.contains(&own).then(|| (own.clone(), own)),
    });
    known.collect()
}

/// Opens a bundle as a project of its own.
#[utoipa::path(post, path = "/api/projects/bundle", tag = "projects",
    request_body(content = String, content_type = "application/octet-stream", description = "The bundle"),
    responses((status = 201, description = "The project", body = Project)))]
pub async fn post(
    principal: Principal,
    State(projects): State<Projects>,
    body: RawBody,
) -> Result<(StatusCode, Json<Project>), Problem> {
    // Before a byte of the body is kept.
    principal.need(Projects::RIGHT)?;
    let (temporary, _) =
        upload::receive(body, &projects.home.root().join("projects"), projects.limits.upload).await?;
    let project = projects
        .ask(&principal, move |projects| {
            let id = identifier()?;
            let folder = projects.home.project(&id);
            projects.making(&id, || {
                let opened = open(projects, &id, temporary.reopen()?);
                if opened.is_err() {
                    // Half of a bundle makes no project.
                    let _ = projects.store.remove_project(&id);
                    let _ = fs::remove_dir_all(&folder);
                }
                opened?;
                projects.workspace(&id)?;
                projects::one(projects, &id)
            })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(project)))
}

/// Makes a project of a bundle, in the folder that is there for it.
fn open(projects: &Projects, id: &str, file: File) -> Result<(), Problem> {
    projects.home.begin(id)?;
    let description = unpacked(file, projects.limits.upload, &projects.home.project(id))?;
    let position = description.position;
    projects::add_stored(
        projects,
        StoredProject {
            reading: serde_json::to_string(&description.reading)?,
            ..projects::fresh(
                id.to_owned(),
                projects::name(&description.name)?,
                projects::name(&description.source)?,
                description.file,
            )
        },
    )?;
    for (place, edit) in description.edits.iter().enumerate() {
        projects.store.add_edit(id, place as u64, &serde_json::to_string(edit)?)?;
    }
    projects.store.set_position(id, position)?;
    for (input, name) in &description.inputs {
        let key = InputKey::of_text(input)?;
        let place = projects.home.input(id, key.clone());
        let label: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        projects.store.set_input(id, &inputs::stored(&place, &key, &label)?)?;
    }
    Ok(())
}
