//! The release of a job as a reader of the published files judges it.

use std::ffi::OsString;
use std::path::Path;

use super::command::RELEASE;
use crate::platform::jobs::{Live, Program, child};
use crate::platform::problem::Problem;
use crate::workbench::result::reader;

/// What `throng verify` prints of a finished release, in the job's folder.
pub const VERIFIED: &str = "verified.json";

/// Has the program judge the release of a job. What it answers is no reason for the job to fail: the job's own verdict was given with
/// the data at hand.
pub fn verify(program: &Program, folder: &Path, live: &Live) -> Result<(), Problem> {
    // The whole path tells whose process it is, should the server crash.
    let mut arguments: Vec<OsString> = vec!["verify".into(), folder.join(RELEASE).into()];
    arguments.extend(reader::roles(folder).into_iter().map(OsString::from));
    arguments.push("--json".into());
    child::print(program, &arguments, &folder.join(VERIFIED), live)
}
