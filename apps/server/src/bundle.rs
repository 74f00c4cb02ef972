//! A project as one file for a colleague: the data as it came, what was said of it, every edit, the inputs and what they were before.
//!
//! What a bundle says is checked like everything that comes from outside: no name in it becomes a path, and what does not fit is
//! refused before a project exists. Runs and releases stay where they are.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::Json;
use axum::body::Body as RawBody;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::extract::Path;
use crate::home::make;
use crate::input_key::InputKey;
use crate::inputs;
use crate::jobs::{self, RUN, Setting};
use crate::problem::Problem;
use crate::projects::{self, Project};
use crate::reading::Reading;
use crate::session::identifier;
use crate::store::StoredProject;
use crate::streamed;
use crate::upload;
use crate::workbench::Workbench;
use crate::working_table::Edit;

const SCHEMA: &str = "throng-project/1";
const DESCRIPTION: &str = "project.json";
/// How much larger than an upload may be all that is packed in a bundle: the data, its inputs, and what these were before.
const UPLOADS: u64 = 2;
/// How much larger than the bundle itself: tables are packed to a tenth, and seldom to less than a fiftieth.
const DENSEST: u64 = 100;
/// What any bundle may unpack to, however tightly it is packed.
const SMALL: u64 = 64 << 20;
/// The description of a project with all its edits.
const LARGEST_DESCRIPTION: u64 = 256 << 20;

/// What a bundle says of its project.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    schema: String,
    name: String,
    /// What the data's file was called.
    source: String,
    /// The name under which it is kept, which tells its form.
    file: String,
    reading: Reading,
    edits: Vec<Edit>,
    /// How many of the edits are in force.
    position: u64,
    /// The inputs that are there: key, and what the file was called.
    inputs: Vec<(String, String)>,
}

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
            Packed::Bytes(bytes) => io::copy(&mut bytes.as_slice(), &mut archive)?,
        };
    }
    archive.finish()?;
    Ok(())
}

/// What goes into a zip.
enum Packed {
    File(std::path::PathBuf),
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
    State(bench): State<Arc<Workbench>>,
    Path(project): Path<String>,
) -> Result<Response, Problem> {
    bench
        .blocking(move |bench| {
            let stored = bench.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
            let (edits, position) = bench.store.edits(&project)?;
            let edits = edits.iter().map(|edit| serde_json::from_str(edit)).collect::<Result<_, _>>()?;
            let inputs = bench.store.inputs(&project)?;
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
                    Packed::File(bench.home.project(&project).join(&stored.file)),
                ),
            ];
            for input in inputs {
                let key = InputKey::parse(&input.input)?;
                let path = bench.home.input(&project, key.clone());
                entries.push((format!("inputs/{}", key.file()), Packed::File(path)));
            }
            let earlier = bench.home.inputs(&project).join("earlier");
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
    State(bench): State<Arc<Workbench>>,
    Path(project): Path<String>,
) -> Result<Response, Problem> {
    bench
        .blocking(move |bench| {
            let workspace = bench.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let setting = Setting::of(bench, &project, &workspace.label, &snapshot)?;
            let data = match snapshot.file() {
                Some(file) => Packed::File(file.to_owned()),
                None => Packed::Bytes(snapshot.rendered()),
            };
            let mut entries = vec![(setting.data_label(), data)];
            for key in &setting.inputs {
                entries.push((key.label(), Packed::File(bench.home.input(&project, key.clone()))));
            }
            Ok(zip("files.zip", entries))
        })
        .await
}

/// The files that the command or recipe of a run names, as they were when it was asked for.
#[utoipa::path(get, path = "/api/jobs/{job}/inputs", tag = "jobs",
    responses((status = 200, description = "A zip file", content_type = "application/zip", body = String)))]
pub async fn run_files(
    State(bench): State<Arc<Workbench>>,
    Path(job): Path<String>,
) -> Result<Response, Problem> {
    bench
        .blocking(move |bench| {
            let stored = jobs::need(bench, &job)?;
            let folder = bench.home.job(&stored.project, &stored.id);
            let read = |text: &str| {
                let table: Result<toml::Table, _> = text.parse();
                table.map_err(|error| Problem::internal(format!("a recipe cannot be read back: {error}")))
            };
            let own = read(&fs::read_to_string(folder.join(RUN))?)?;
            let mut entries = Vec::new();
            named(&own.into(), &read(&stored.recipe)?.into(), &folder, &mut entries);
            Ok(zip("files.zip", entries))
        })
        .await
}

/// The files of a job's folder, by the names that people know: two recipes say the same of one run, in other words.
fn named(own: &toml::Value, known: &toml::Value, folder: &FilePath, entries: &mut Vec<(String, Packed)>) {
    match (own, known) {
        (toml::Value::Table(own), toml::Value::Table(known)) => {
            for (key, own) in own {
                known.get(key).into_iter().for_each(|known| named(own, known, folder, entries));
            }
        }
        (toml::Value::Array(own), toml::Value::Array(known)) => {
            own.iter().zip(known).for_each(|(own, known)| named(own, known, folder, entries));
        }
        (toml::Value::String(own), toml::Value::String(known)) => {
            // Only a plain name is a file of the folder; whatever else the recipe says is not.
            let plain = |name: &str| FilePath::new(name).file_name().is_some_and(|file| file == name);
            let path = folder.join(own);
            if plain(own) && plain(known) && path.is_file() && entries.iter().all(|(name, _)| name != known) {
                entries.push((known.clone(), Packed::File(path)));
            }
        }
        _ => {}
    }
}

/// Opens a bundle as a project of its own.
#[utoipa::path(post, path = "/api/projects/bundle", tag = "projects",
    request_body(content = String, content_type = "application/octet-stream", description = "The bundle"),
    responses((status = 201, description = "The project", body = Project)))]
pub async fn post(
    State(bench): State<Arc<Workbench>>,
    body: RawBody,
) -> Result<(StatusCode, Json<Project>), Problem> {
    let (temporary, _) =
        upload::receive(body, &bench.home.root().join("projects"), bench.limits.upload).await?;
    let project = bench
        .blocking(move |bench| {
            let id = identifier()?;
            let folder = bench.home.project(&id);
            bench.making(&id, || {
                let opened = open(bench, &id, temporary.reopen()?);
                if opened.is_err() {
                    // Half of a bundle makes no project.
                    let _ = bench.store.remove_project(&id);
                    let _ = fs::remove_dir_all(&folder);
                }
                opened?;
                bench.workspace(&id)?;
                projects::one(bench, &id)
            })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(project)))
}

fn refused(detail: &str) -> Problem {
    Problem::wrong(format!("this is no bundle of a project: {detail}"))
        .with_help("choose a file that was saved with “Save the project as one file”")
}

/// Letters and digits, as identifiers of ours are: nothing else becomes a name of a file.
fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// What may still be unpacked.
struct Room {
    all: u64,
    left: u64,
}

impl Room {
    fn of(packed: u64, upload: u64) -> Self {
        let all = upload.saturating_mul(UPLOADS).min(packed.saturating_mul(DENSEST).max(SMALL));
        Room { all, left: all }
    }

    fn take(&mut self, bytes: u64) -> Result<(), Problem> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            let megabytes = self.all.div_ceil(1_000_000);
            refused(&format!(
                "it unpacks to more than {megabytes} MB, which is the limit for a file of its size"
            ))
            .with_help("save the project again in the workbench, or upload its data as a file of its own")
        })?;
        Ok(())
    }
}

/// Unpacks one entry; what is packed tightly must not fill the disk.
fn unpack(archive: &mut ZipArchive<File>, name: &str, to: &FilePath, room: &mut Room) -> Result<(), Problem> {
    let entry = archive.by_name(name).map_err(|_| refused("a file that it speaks of is missing"))?;
    // The size that it claims is refused before anything is written; the size that it has is counted all the same.
    let left = room.left;
    if entry.size() > left {
        return room.take(entry.size());
    }
    let (mut entry, mut out) = (entry.take(left + 1), File::create(to)?);
    let mut part = vec![0; 1 << 16];
    loop {
        // A checksum that does not fit is found at the end of the entry.
        let read = entry.read(&mut part).map_err(|_| refused("a file in it is damaged"))?;
        if read == 0 {
            return Ok(());
        }
        room.take(read as u64)?;
        out.write_all(&part[..read])?;
    }
}

fn open(bench: &Workbench, id: &str, file: File) -> Result<(), Problem> {
    let mut room = Room::of(file.metadata()?.len(), bench.limits.upload);
    let mut archive = ZipArchive::new(file).map_err(|_| refused("it is no zip file"))?;
    let description: Description = {
        let entry = archive.by_name(DESCRIPTION).map_err(|_| refused("it does not describe a project"))?;
        let mut text = String::new();
        let most = LARGEST_DESCRIPTION.min(room.all);
        let read = entry.take(most + 1).read_to_string(&mut text);
        let read = read.map_err(|_| refused("its description is damaged, or no text"))?;
        if read as u64 > most {
            let megabytes = most.div_ceil(1_000_000);
            return Err(refused(&format!(
                "its description is larger than {megabytes} MB, which is the limit"
            )));
        }
        serde_json::from_str(&text).map_err(|_| refused("its description is of another version"))?
    };
    if description.schema != SCHEMA || !projects::is_kept_name(&description.file) {
        return Err(refused("its description is of another version"));
    }
    if description.position > description.edits.len() as u64 {
        return Err(refused("its edits do not fit"));
    }
    let folder = bench.home.project(id);
    bench.home.begin(id)?;
    make(&bench.home.inputs(id).join("earlier"))?;
    unpack(&mut archive, &format!("data/{}", description.file), &folder.join(&description.file), &mut room)?;
    let versions = description.edits.iter().flat_map(|edit| match edit {
        Edit::Input { before, after, .. } => [before.as_ref(), after.as_ref()],
        _ => [None, None],
    });
    for version in versions.flatten() {
        if !is_identifier(version.id()) {
            return Err(refused("an earlier input has no name of ours"));
        }
        let place = bench.home.inputs(id).join("earlier").join(version.id());
        if !place.is_file() {
            unpack(&mut archive, &format!("inputs/earlier/{}", version.id()), &place, &mut room)?;
        }
    }
    for edit in &description.edits {
        if let Edit::Input { input, .. } = edit {
            InputKey::parse(input).map_err(|_| refused("it has an input that is not known here"))?;
        }
    }
    let position = description.position;
    projects::add_stored(
        bench,
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
        bench.store.add_edit(id, place as u64, &serde_json::to_string(edit)?)?;
    }
    bench.store.set_position(id, position)?;
    for (input, name) in &description.inputs {
        let key = InputKey::parse(input).map_err(|_| refused("it has an input that is not known here"))?;
        let place = bench.home.input(id, key.clone());
        unpack(&mut archive, &format!("inputs/{}", key.file()), &place, &mut room)?;
        let label: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        bench.store.set_input(id, &inputs::stored(&place, &key, &label)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_unpacks_to_a_hundred_times_its_size_and_never_beyond_two_uploads() {
        let left = |packed, upload| Room::of(packed, upload).left;
        assert_eq!(left(2_600_000, 1_000_000_000), 260_000_000);
        assert_eq!(left(900_000_000, 1_000_000_000), 2_000_000_000);
        assert_eq!(left(10_000, 1_000_000_000), SMALL);
        assert_eq!(left(10_000, 5_000_000), 10_000_000);
        let mut room = Room { all: 10, left: 10 };
        assert!(room.take(10).is_ok());
        assert_eq!(room.take(1).unwrap_err().status, 422);
    }

    #[test]
    fn only_names_of_ours_become_files() {
        assert!(is_identifier("abc234"));
        for name in ["", "../x", "a/b", "a.b", &"a".repeat(65)] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
