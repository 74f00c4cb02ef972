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

impl Made {
    /// Writes the rows of the release and lists them in the manifest, and beside the place of the release the linkage, which gets its name
    /// behind it.
    pub fn write_rows(
        &mut self,
        staged: &StagedDir,
        linkage: Option<&Path>,
        progress: &Progress,
    ) -> Result<Option<LinkageFile>, DirectoryError> {
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
        linkage.map(written).transpose()
    }

    /// Writes the page about the release, and last the manifest that lists everything. Gives back the fingerprint of the manifest, by which
    /// the release is told from any other.
    pub fn write_evidence(
        &mut self,
        staged: &StagedDir,
        page: String,
        progress: &Progress,
    ) -> Result<String, DirectoryError> {
        self.page = page;
        let sha256 = Some(write_text(&staged.path().join(REPORT), &self.page)?);
        let entry = FileEntry { role: "report".to_owned(), name: REPORT.to_owned(), sha256 };
        self.manifest.outputs.push(entry);
        let manifest_sha256 = write_text(&staged.path().join(MANIFEST), &self.manifest.to_json())?;
        progress.check()?;
        Ok(manifest_sha256)
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
