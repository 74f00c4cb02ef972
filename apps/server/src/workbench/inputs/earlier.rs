//! What lay in the places of inputs before they were changed: every change of an input can be undone.
//!
//! Each state is kept once, as a link, under an identifier of ours. The log of edits says which state follows which.

use crate::workbench::inputs::key::Kept as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::platform::problem::Problem;
use crate::platform::secrets::identifier;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::inputs::stored;
use crate::workbench::project::home::make_one;
use crate::workbench::project::store::Store;

/// A state of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Where its file is kept.
    id: String,
    /// What the file was called.
    name: String,
}

impl Version {
    /// Where its file is kept.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// The folder of earlier states.
#[derive(Debug)]
pub struct EarlierInputs {
    inputs: PathBuf,
}

impl EarlierInputs {
    /// That of a project, by the folder of its inputs.
    pub fn of(inputs: &Path) -> io::Result<Self> {
        let earlier = EarlierInputs { inputs: inputs.to_owned() };
        // Never the folders above it: those go with their project.
        make_one(&earlier.folder())?;
        Ok(earlier)
    }

    fn folder(&self) -> PathBuf {
        self.inputs.join("earlier")
    }

    /// Keeps a file as it is now.
    pub fn keep(&self, file: &Path, name: &str) -> Result<Version, Problem> {
        let id = identifier()?;
        // Files are replaced, never written over, so that a link keeps what was there.
        let place = self.folder().join(&id);
        if fs::hard_link(file, &place).is_err() {
            fs::copy(file, &place)?;
        }
        Ok(Version { id, name: name.to_owned() })
    }

    /// Puts a state in the input's place again; nothing is there when it is none.
    pub fn restore(
        &self,
        store: &Store,
        project: &str,
        input: &str,
        version: Option<&Version>,
    ) -> Result<(), Problem> {
        let key = InputKey::of_text(input)?;
        let place = self.inputs.join(key.file());
        let Some(Version { id, name }) = version else {
            if place.is_file() {
                fs::remove_file(&place)?;
            }
            store.remove_input(project, input)?;
            return Ok(());
        };
        let temporary = tempfile::Builder::new().prefix(".input-").tempfile_in(&self.inputs)?;
        fs::copy(self.folder().join(id), temporary.path())?;
        temporary.persist(&place).map_err(|error| error.error)?;
        store.set_input(project, &stored(&place, &key, name)?)?;
        Ok(())
    }
}
