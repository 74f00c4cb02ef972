//! The release that was looked at last, in memory.

use crate::workbench::inputs::key::Kept as _;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use throng_contract::Progress;
use throng_data::formats::{Source, read_hierarchy};
use throng_data::{Dictionary, GeneralisedItem, Hierarchy, Nature, RecodedColumn, Release};
use throng_lab::{Manifest, explain_cells, read_release};

use crate::platform::jobs::JobState;
use crate::platform::problem::Problem;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::run::{Jobs, LINKAGE, RELEASE};

/// Keeps one release: people who play the attacker ask the same one again and again.
#[derive(Debug, Default)]
pub struct Releases {
    last: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    job: String,
    release: Arc<Release>,
    /// The same with its members numbered as the items of some data.
    renumbered: Option<(Arc<Dictionary>, Arc<Release>)>,
}

impl Releases {
    /// Keeps a release that was just made.
    pub fn keep(&self, job: &str, release: Release) {
        let kept = Kept { job: job.to_owned(), release: Arc::new(release), renumbered: None };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    /// The release of a finished job, its members numbered as the items of the data.
    pub fn get(
        &self,
        jobs: &Jobs,
        project: &str,
        job: &str,
        items: &Arc<Dictionary>,
    ) -> Result<Arc<Release>, Problem> {
        let stored = jobs.need(job).map_err(|problem| problem.at("release"))?;
        if stored.project != project || stored.kind != "anonymize" || stored.state != JobState::Done {
            return Err(Problem::wrong("this job of the project has no release").at("release"));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match last.as_mut().filter(|kept| kept.job == job) {
            Some(kept) => kept,
            None => {
                let release = Arc::new(read(&jobs.folder(&stored))?);
                last.insert(Kept { job: job.to_owned(), release, renumbered: None })
            }
        };
        if let Some((_, release)) = kept.renumbered.as_ref().filter(|(known, _)| Arc::ptr_eq(known, items)) {
            return Ok(Arc::clone(release));
        }
        let release = Arc::new(renumbered(&kept.release, items));
        kept.renumbered = Some((Arc::clone(items), Arc::clone(&release)));
        Ok(release)
    }
}

/// The release in a job's folder.
pub fn read(folder: &Path) -> Result<Release, Problem> {
    let directory = folder.join(RELEASE);
    let manifest = Manifest::read(&directory)?;
    let linkage = folder.join(LINKAGE);
    // The records of a synthetic release belong to no person.
    let synthetic = manifest.as_ref().is_some_and(|manifest| manifest.nature == Nature::Synthetic);
    let linkage = (!synthetic && linkage.is_file()).then(|| Source::file(linkage));
    let mut release = read_release(&directory, manifest.as_ref(), linkage.as_ref(), &Progress::silent())?;
    let hierarchies = hierarchies(folder, &release);
    explain_cells(&mut release, &hierarchies);
    Ok(release)
}

/// The hierarchies that the job used, by column.
fn hierarchies(folder: &Path, release: &Release) -> BTreeMap<String, Hierarchy> {
    let columns = release.table().into_iter().flat_map(|table| &table.columns);
    let read = |column: &RecodedColumn| {
        let path = folder.join(InputKey::hierarchy(&column.name).file());
        let source = path.is_file().then(|| Source::file(path))?;
        Some((column.name.clone(), read_hierarchy(&source, &Progress::silent()).ok()?))
    };
    columns.filter_map(read).collect()
}

/// Items that the data no longer has get numbers behind its own.
pub fn renumbered(release: &Release, items: &Dictionary) -> Release {
    let mut base = items.clone();
    let numbers: Vec<u32> = release.base.names().map(|name| base.intern(name)).collect();
    let renumber = |item: &GeneralisedItem| {
        let members = item.members.iter().map(|member| numbers[*member as usize]).collect();
        GeneralisedItem { label: item.label.clone(), ..GeneralisedItem::of(members) }
    };
    Release {
        alphabet: release.alphabet.iter().map(renumber).collect(),
        base: Arc::new(base),
        ..release.clone()
    }
}
