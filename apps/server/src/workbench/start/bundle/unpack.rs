//! Reads a bundle into the folder of a project that is about to be.
//!
//! What a bundle says is checked like everything that comes from outside: no name in it becomes a path, what it unpacks to is bounded, and
//! what does not fit is refused.

use crate::workbench::inputs::key::Kept as _;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use crate::platform::problem::Problem;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::home::make;
use crate::workbench::reading::Reading;
use crate::workbench::start::projects;
use crate::workbench::working_table::Edit;

pub(super) const SCHEMA: &str = "throng-project/1";
pub(super) const DESCRIPTION: &str = "project.json";
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
pub(super) struct Description {
    pub schema: String,
    pub name: String,
    /// What the data's file was called.
    pub source: String,
    /// The name under which it is kept, which tells its form.
    pub file: String,
    pub reading: Reading,
    pub edits: Vec<Edit>,
    /// How many of the edits are in force.
    pub position: u64,
    /// The inputs that are there: key, and what the file was called.
    pub inputs: Vec<(String, String)>,
}

/// Unpacks a bundle into a folder, as `POST /api/projects/bundle` does before a project exists; or the status and the reason of its answer.
pub fn unpack_bundle(bundle: File, upload: u64, folder: &Path) -> Result<(), (u16, String)> {
    unpacked(bundle, upload, folder).map(drop).map_err(|problem| (problem.status, problem.detail))
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
fn unpack(archive: &mut ZipArchive<File>, name: &str, to: &Path, room: &mut Room) -> Result<(), Problem> {
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

/// Unpacks the data and the inputs that the description names, and gives the description.
pub(super) fn unpacked(bundle: File, upload: u64, folder: &Path) -> Result<Description, Problem> {
    let mut room = Room::of(bundle.metadata()?.len(), upload);
    let mut archive = ZipArchive::new(bundle).map_err(|_| refused("it is no zip file"))?;
    let description = described(&mut archive, &room)?;
    let inputs = folder.join("inputs");
    let earlier = inputs.join("earlier");
    make(&earlier)?;
    unpack(&mut archive, &format!("data/{}", description.file), &folder.join(&description.file), &mut room)?;
    for edit in &description.edits {
        let Edit::Input { input, before, after, .. } = edit else { continue };
        known_input(input)?;
        for version in [before, after].into_iter().flatten() {
            if !is_identifier(version.id()) {
                return Err(refused("an earlier input has no name of ours"));
            }
            let place = earlier.join(version.id());
            if !place.is_file() {
                unpack(&mut archive, &format!("inputs/earlier/{}", version.id()), &place, &mut room)?;
            }
        }
    }
    for (input, _) in &description.inputs {
        let file = known_input(input)?.file();
        unpack(&mut archive, &format!("inputs/{file}"), &inputs.join(&file), &mut room)?;
    }
    Ok(description)
}

fn known_input(input: &str) -> Result<InputKey, Problem> {
    InputKey::of_text(input).map_err(|_| refused("it has an input that is not known here"))
}

fn described(archive: &mut ZipArchive<File>, room: &Room) -> Result<Description, Problem> {
    let entry = archive.by_name(DESCRIPTION).map_err(|_| refused("it does not describe a project"))?;
    let mut text = String::new();
    let most = LARGEST_DESCRIPTION.min(room.all);
    let read = entry.take(most + 1).read_to_string(&mut text);
    let read = read.map_err(|_| refused("its description is damaged, or no text"))?;
    if read as u64 > most {
        let megabytes = most.div_ceil(1_000_000);
        return Err(refused(&format!("its description is larger than {megabytes} MB, which is the limit")));
    }
    let description: Description =
        serde_json::from_str(&text).map_err(|_| refused("its description is of another version"))?;
    if description.schema != SCHEMA || !projects::is_kept_name(&description.file) {
        return Err(refused("its description is of another version"));
    }
    if description.position > description.edits.len() as u64 {
        return Err(refused("its edits do not fit"));
    }
    Ok(description)
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
