//! The release that was looked at last, in memory.

use std::sync::{Arc, Mutex, PoisonError};

use throng_contract::Progress;
use throng_data::formats::Source;
use throng_data::{Dictionary, GeneralisedItem, Release};
use throng_lab::{Manifest, read_release};

use crate::jobs::{self, LINKAGE, RELEASE};
use crate::problem::Problem;
use crate::store::JobState;
use crate::workbench::Workbench;

/// Keeps one release: people who play the attacker ask the same one again and again.
#[derive(Debug, Default)]
pub struct Releases {
    last: Mutex<Option<(String, Arc<Release>)>>,
}

impl Releases {
    /// The release of a finished job, its members numbered as the items of the data.
    pub fn get(
        &self,
        bench: &Workbench,
        project: &str,
        job: &str,
        items: &Dictionary,
    ) -> Result<Arc<Release>, Problem> {
        let stored = jobs::need(bench, job).map_err(|problem| problem.at("release"))?;
        if stored.project != project || stored.kind != "anonymize" || stored.state != JobState::Done {
            return Err(Problem::wrong("this job of the project has no release").at("release"));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, release)) = last.as_ref().filter(|(known, _)| known == job) {
            return Ok(Arc::new(renumbered(release, items)));
        }
        let folder = bench.home.job(&stored.project, &stored.id);
        let directory = folder.join(RELEASE);
        let manifest = Manifest::read(&directory)?;
        let linkage = folder.join(LINKAGE);
        let linkage = linkage.is_file().then(|| Source::file(linkage));
        let release = read_release(&directory, manifest.as_ref(), linkage.as_ref(), &Progress::silent())?;
        let release = Arc::new(release);
        *last = Some((job.to_owned(), Arc::clone(&release)));
        Ok(Arc::new(renumbered(&release, items)))
    }
}

/// Items that the data no longer has get numbers behind its own.
fn renumbered(release: &Release, items: &Dictionary) -> Release {
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
