//! Writes a whole release under a hidden name.

use std::path::Path;

use throng_contract::Progress;
use throng_data::{Column, StagedDir};

use crate::body::{self, OutputFiles};
use crate::directory::{
    DirectoryError, LinkageFile, MANIFEST, REPORT, Shuffle, published_columns, write_text,
};
use crate::judge::published_table;
use crate::made::{Checked, Made};
use crate::manifest::{FileEntry, parameters};

/// What lies beside a release whose directory has no name yet.
#[derive(Debug)]
pub struct Written {
    /// The file that says whose each record is, if it was asked for; it gets its name behind the release.
    pub linkage: Option<LinkageFile>,
    /// The fingerprint of the manifest, by which the release is told from any other.
    pub manifest_sha256: String,
}

impl Made {
    /// Writes the files of the release, the linkage beside the place of the release, the page about it, and last the manifest that lists
    /// everything.
    pub fn write(
        &mut self,
        staged: &StagedDir,
        linkage: Option<&Path>,
        progress: &Progress,
    ) -> Result<Written, DirectoryError> {
        let Made { checked, files, manifest, .. } = self;
        let release = &checked.outcome.release;
        let key = self.salt.order_key(
            &manifest.method.name,
            &parameters(&checked.settings),
            self.variant,
            checked.seed,
        );
        let shuffle = Shuffle::new(key, release.records());
        let generalised = manifest.generalised.clone();
        let mut output = OutputFiles {
            staged,
            target: &self.target,
            key,
            shuffle: &shuffle,
            columns: &checked.columns_beside(&files.publish)?,
            generalised: &generalised,
            written: Vec::new(),
            progress,
        };
        body::write(release, &mut output)?;
        manifest.outputs.append(&mut output.written);
        let data = &checked.loaded.data;
        let written = |path| LinkageFile::write(path, &self.target, data, &shuffle, progress);
        let linkage = linkage.map(written).transpose()?;
        let sha256 = Some(write_text(&staged.path().join(REPORT), &self.page)?);
        manifest.outputs.push(FileEntry { role: "report".to_owned(), name: REPORT.to_owned(), sha256 });
        let manifest_sha256 = write_text(&staged.path().join(MANIFEST), &manifest.to_json())?;
        progress.check()?;
        Ok(Written { linkage, manifest_sha256 })
    }
}

impl Checked {
    /// The attribute columns that are published as they are, beside events.
    pub fn columns_beside(&self, publish: &[String]) -> Result<Vec<&Column>, DirectoryError> {
        match self.outcome.release.table() {
            Some(_) => Ok(Vec::new()),
            None => {
                let given = self.loaded.data.attributes.as_ref();
                published_columns(published_table(&self.outcome.release, given), publish)
            }
        }
    }

    /// The names of all columns that are published.
    pub fn published_names(&self, asked: &[String]) -> Vec<String> {
        match self.outcome.release.table() {
            Some(table) => table.columns.iter().map(|column| column.name.clone()).collect(),
            None => asked.to_vec(),
        }
    }
}
