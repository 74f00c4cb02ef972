//! What changed in a project since one of its releases was made.
//!
//! A job's folder holds everything that its run read, as links: files are replaced, never written over. So the question is
//! answered from the files themselves, after any number of edits, undone or not, and after a restart.
//!
//! # Guarantees
//! A release is current only while the same run would read the same data and inputs in the same way. A person who was in
//! the data of the run and is not in the data now counts as removed, and their release cannot be published any more.

use crate::workbench::inputs::key::Kept as _;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path as FilePath;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Failure, Input, Progress};
use throng_data::Dataset;
use throng_data::formats::read_dataset;
use throng_lab::{Files, catalogue};
use utoipa::ToSchema;

use crate::platform::extract::Path;
use crate::platform::jobs::JobState;
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::format::{count, counted};
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::home::input_file;
use crate::workbench::project::store::StoredJob;
use crate::workbench::run::{JobSpec, Jobs, ProjectInputs, own_recipe, plan};
use crate::workbench::snapshots::{Snapshot, Workspace};

/// What differs between the data that a release was made from and the data now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Differences {
    /// Whether the same run would read the same today.
    pub current: bool,
    /// Whether the release may be published all the same, if that is asked for: not when people were removed.
    pub may_be_published: bool,
    /// People who were in the data then and are not now.
    pub people_removed: u64,
    /// People who are in the data now and were not then.
    pub people_added: u64,
    /// People whose events are others now.
    pub people_changed: u64,
    /// Events then.
    pub events_then: u64,
    /// Events now.
    pub events_now: u64,
    /// Inputs beside the data that were changed, added or removed since, by the name of their flag.
    pub inputs: Vec<String>,
    /// Whether roles of columns, or how the file is read, changed.
    pub reading: bool,
    /// All of it in plain words, one sentence each.
    pub words: Vec<String>,
}

/// What differs between the data of a finished release and the data now; found out once for each state of the data.
pub fn of(jobs: &Jobs, job: &StoredJob) -> Result<Differences, Problem> {
    let workspace = jobs.projects.workspace(&job.project)?;
    let snapshot = workspace.snapshot()?;
    let question = format!("differences/{}", job.id);
    let found = workspace.answer(&question, snapshot.revision, || find(jobs, &workspace, &snapshot, job))?;
    Ok(serde_json::from_slice(&found)?)
}

fn find(
    jobs: &Jobs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    job: &StoredJob,
) -> Result<Differences, Problem> {
    let JobSpec::Anonymize(spec) = serde_json::from_str(&job.spec)? else {
        return Err(Problem::conflict("this job makes no release"));
    };
    let folder = jobs.folder(job);
    let then = plan::recipe(&folder)?.data.files;
    let Some(data) = snapshot.data.as_ref().map(|read| &read.dataset) else {
        let unreadable = "The data cannot be read as it is now, so nothing can be compared.";
        return Ok(Differences { words: vec![unreadable.to_owned()], ..Differences::default() });
    };
    let setting = ProjectInputs::of(&jobs.projects, &job.project, &workspace.label, snapshot)?;
    let method = catalogue::method(&spec.method).map_err(problem::of)?.descriptor();
    let now = own_recipe(&setting, method, &spec).data.files;

    let mut found = people(&then, data)?;
    found.inputs = inputs(jobs, job, &folder, &then, &now)?;
    found.reading = reading(&then) != reading(&now);
    found.current = found.people_removed + found.people_added + found.people_changed == 0
        && found.inputs.is_empty()
        && !found.reading;
    found.may_be_published = found.people_removed == 0;
    found.words = in_words(&found);
    Ok(found)
}

/// Compares everybody's events, by the names that the files have.
fn people(then: &Files, now: &Dataset) -> Result<Differences, Problem> {
    let earlier = read_dataset(&then.data, &then.read, &Progress::silent()).map_err(Failure::from)?.dataset;
    let mut found = Differences {
        events_then: earlier.events.len() as u64,
        events_now: now.events.len() as u64,
        ..Differences::default()
    };
    let items: Vec<Option<u32>> = earlier.items.names().map(|name| now.items.find(name)).collect();
    for (person, name) in earlier.subjects.names().enumerate() {
        match now.subjects.find(name) {
            None => found.people_removed += 1,
            Some(other)
                if !same_events(&earlier, person, now, other as usize, &items)
                    || !same_attributes(&earlier, person, now, other as usize) =>
            {
                found.people_changed += 1;
            }
            Some(_) => {}
        }
    }
    let stayed = earlier.subjects.len() as u64 - found.people_removed;
    found.people_added = now.subjects.len() as u64 - stayed;
    Ok(found)
}

fn same_events(earlier: &Dataset, person: usize, now: &Dataset, other: usize, items: &[Option<u32>]) -> bool {
    let (then, now) = (&earlier.events, &now.events);
    let (own, others) = (then.records_of(person), now.records_of(other));
    own.len() == others.len()
        && own.zip(others).all(|(own, other)| {
            then.record(own).iter().map(|item| items[*item as usize]).eq(now
                .record(other)
                .iter()
                .copied()
                .map(Some))
                && then.times_of(own) == now.times_of(other)
        })
}

/// Whether a person of a table has the same values in the columns that both states have.
fn same_attributes(earlier: &Dataset, person: usize, now: &Dataset, other: usize) -> bool {
    let (Some(then), Some(now)) = (&earlier.attributes, &now.attributes) else { return true };
    then.columns
        .iter()
        .all(|column| now.column(&column.name).is_none_or(|now| now.text(other) == column.text(person)))
}

/// The inputs that the run used, or would use now, and that are not what they were.
fn inputs(
    jobs: &Jobs,
    job: &StoredJob,
    folder: &FilePath,
    then: &Files,
    now: &Files,
) -> Result<Vec<String>, Problem> {
    let mut changed = Vec::new();
    for input in Input::ALL {
        let same = match input {
            Input::SensitiveValues => then.sensitive_values == now.sensitive_values,
            Input::Hierarchies => same_hierarchies(jobs, job, folder, then, now)?,
            input => match (then.source(input), now.source(input)) {
                (None, None) => true,
                (Some(_), Some(_)) => same_bytes(
                    &folder.join(input_file(input)),
                    &jobs.projects.home.input(&job.project, input),
                )?,
                _ => false,
            },
        };
        if !same {
            changed.push(input.flag().to_owned());
        }
    }
    Ok(changed)
}

/// Whether the same columns have the same hierarchies.
fn same_hierarchies(
    jobs: &Jobs,
    job: &StoredJob,
    folder: &FilePath,
    then: &Files,
    now: &Files,
) -> io::Result<bool> {
    let columns =
        |files: &Files| -> Vec<String> { files.hierarchies().map(|(column, _)| column.to_owned()).collect() };
    if columns(then) != columns(now) {
        return Ok(false);
    }
    for column in columns(now) {
        let key = InputKey::hierarchy(&column);
        if !same_bytes(&folder.join(key.file()), &jobs.projects.home.input(&job.project, key))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How columns are read and what they are; not the form of the file, which an edit changes.
fn reading(files: &Files) -> impl PartialEq + use<> {
    let read = &files.read;
    let columns = [&read.subject, &read.record, &read.item, &read.time, &read.time_format, &read.wide];
    (columns.map(Clone::clone), read.sets, read.types.clone(), files.roles.clone())
}

fn same_bytes(one: &FilePath, other: &FilePath) -> io::Result<bool> {
    let (Ok(first), Ok(second)) = (fs::metadata(one), fs::metadata(other)) else { return Ok(false) };
    if first.len() != second.len() {
        return Ok(false);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (first.dev(), first.ino()) == (second.dev(), second.ino()) {
            return Ok(true);
        }
    }
    let mut first = BufReader::new(File::open(one)?).bytes();
    for byte in BufReader::new(File::open(other)?).bytes() {
        if first.next().transpose()? != Some(byte?) {
            return Ok(false);
        }
    }
    Ok(first.next().is_none())
}

fn in_words(found: &Differences) -> Vec<String> {
    let mut words = Vec::new();
    if found.people_removed > 0 {
        let who = counted(found.people_removed, "person was", "people were");
        words.push(format!("{who} removed from the data since, and this release still holds their records."));
    }
    if found.people_changed > 0 {
        let who = counted(found.people_changed, "person has", "people have");
        words.push(format!("{who} other events now."));
    }
    if found.people_added > 0 {
        let who = counted(found.people_added, "person was", "people were");
        words.push(format!("{who} added since, and this release does not hold them."));
    }
    if found.events_then != found.events_now {
        words.push(format!(
            "The data had {} events then and has {} now.",
            count(found.events_then),
            count(found.events_now)
        ));
    }
    if !found.inputs.is_empty() {
        words.push(format!("Changed since: {}.", found.inputs.join(", ")));
    }
    if found.reading {
        words.push("Roles of columns, or how the file is read, changed since.".to_owned());
    }
    words
}

/// What changed in the data since a release was made.
#[utoipa::path(get, path = "/api/jobs/{job}/differences", tag = "results",
    responses((status = 200, description = "What changed", body = Differences)))]
pub async fn get(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Json<Differences>, Problem> {
    jobs.ask(&principal, move |jobs| {
        let stored = jobs.need(&job)?;
        if stored.state != JobState::Done || stored.kind != "anonymize" {
            return Err(Problem::conflict("this job has no release"));
        }
        of(jobs, &stored)
    })
    .await
    .map(Json)
}
