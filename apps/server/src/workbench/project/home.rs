//! Where things lie in the data directory.
//!
//! ```text
//! workbench.sqlite            projects, edits, inputs, jobs
//! workbench.lock              held by the server that uses the directory
//! host-name                   the name of our pages under .localhost
//! projects/ID/data.csv        the data as it came
//!             unfinished      until the database knows the project
//!             inputs/         places, taxonomy, ...
//!             inputs/earlier/ what was there before a change, for undo
//!             jobs/ID/        what a job was given, its release, its result
//! ```
//!
//! # Guarantees
//! Every part of a path is a word of ours or an identifier that the database knows: names that users give are labels and
//! never reach a path. What is made here is its owner's alone; a directory that was there keeps its permissions. What a
//! server that was killed left half done is [swept](Home::sweep) by the next one, and so is a folder with an identifier of ours that
//! the database does not know: a deleted project. A folder with any other name is left alone, and so is every folder where the
//! database itself is new.

use crate::workbench::inputs::key::Kept as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use throng_contract::{Class, Failure, Input};

use crate::platform::secrets::{host_name, is_host_name, is_identifier};
use crate::platform::upload::UPLOAD;
use crate::workbench::inputs::key::InputKey;

/// Marks the folder of a project that the database does not know yet.
const UNFINISHED: &str = "unfinished";
/// Begins the name of a folder whose project is being deleted.
const DELETED: &str = ".deleted-";
/// Begins the name of a folder in which points become events.
pub const POINTS: &str = ".points-";
/// Begins the name of a page that leads a browser to the one-time address.
const WAY_IN: &str = ".open-";

/// The data directory.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// Opens the directory, or makes it for the eyes of its owner only.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        let above = root.parent().map_or(Ok(()), make);
        let made = above.and_then(|()| make_own(root)).and_then(|()| make_own(&root.join("projects")));
        made.map_err(|error| {
            let what = format!("the data directory `{}` cannot be made: {error}", root.display());
            Failure::new(Class::BadInput, what).with_help("give another one with `--data-dir`")
        })?;
        Ok(Home { root: root.to_owned() })
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.root.join("workbench.sqlite")
    }

    /// The name of our pages under `.localhost`, made once: a tab that stays open finds the next server. Only the owner can read it.
    pub fn host_name(&self) -> Result<String, Failure> {
        let path = self.root.join("host-name");
        if let Some(known) = fs::read_to_string(&path).ok().filter(|name| is_host_name(name)) {
            return Ok(known);
        }
        let name = host_name()?;
        let write = || -> io::Result<()> {
            // A temporary file is its owner's alone, and stays so under its new name.
            let file = tempfile::Builder::new().prefix(".host-").tempfile_in(&self.root)?;
            fs::write(file.path(), &name)?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map_err(|error| {
            Failure::new(Class::BadInput, format!("`{}` cannot be written: {error}", path.display()))
                .with_help("look at the space left on the disk, or give another directory with `--data-dir`")
        })?;
        Ok(name)
    }

    /// The folder of a project.
    pub fn project(&self, project: &str) -> PathBuf {
        self.root.join("projects").join(project)
    }

    /// Makes the folder of a project that is about to be; [`Home::finish`] ends that.
    pub fn begin(&self, project: &str) -> io::Result<()> {
        make(&self.project(project))?;
        fs::write(self.project(project).join(UNFINISHED), "")?;
        make(&self.inputs(project))
    }

    /// The database knows the project.
    pub fn finish(&self, project: &str) -> io::Result<()> {
        match fs::remove_file(self.project(project).join(UNFINISHED)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Says that a project is to go, before the database forgets it.
    pub fn condemn(&self, project: &str) -> io::Result<()> {
        fs::rename(self.project(project), self.condemned(project))
    }

    /// Deletes the folder of a project that was condemned.
    pub fn clear(&self, project: &str) -> io::Result<()> {
        fs::remove_dir_all(self.condemned(project))
    }

    fn condemned(&self, project: &str) -> PathBuf {
        self.root.join("projects").join(format!("{DELETED}{project}"))
    }

    /// Removes what an earlier server left half done: uploads that broke off, projects that were never entered into the
    /// database, projects whose deletion had begun, which `forget` takes out of the database, and, where the database is `complete`,
    /// those that it does not know. Returns how many there were.
    pub fn sweep<E: From<io::Error>>(
        &self,
        complete: bool,
        known: impl Fn(&str) -> Result<bool, E>,
        forget: impl Fn(&str) -> Result<(), E>,
    ) -> Result<usize, E> {
        self.sweep_ways_in();
        let mut swept = 0;
        for entry in fs::read_dir(self.root.join("projects"))?.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if let Some(project) = name.strip_prefix(DELETED) {
                forget(project)?;
                fs::remove_dir_all(&path)?;
            } else if name.starts_with(POINTS) && path.is_dir() {
                fs::remove_dir_all(&path)?;
            } else if name.starts_with(UPLOAD) && path.is_file() {
                fs::remove_file(&path)?;
            } else if path.join(UNFINISHED).is_file() && known(&name)? {
                self.finish(&name)?;
                continue;
            } else if path.join(UNFINISHED).is_file()
                || (complete && is_identifier(&name) && path.is_dir() && !known(&name)?)
            {
                fs::remove_dir_all(&path)?;
            } else {
                continue;
            }
            swept += 1;
        }
        Ok(swept)
    }

    /// Removes pages with one-time addresses, which end with the server that gave them.
    pub fn sweep_ways_in(&self) {
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(WAY_IN) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The folder of a project's inputs.
    pub fn inputs(&self, project: &str) -> PathBuf {
        self.project(project).join("inputs")
    }

    /// The file of an input.
    pub fn input(&self, project: &str, key: impl Into<InputKey>) -> PathBuf {
        self.inputs(project).join(key.into().file())
    }

    /// Makes the folder of a job in that of its project, which is there.
    pub fn begin_job(&self, project: &str, job: &str) -> io::Result<()> {
        make_one(&self.project(project).join("jobs"))?;
        make_one(&self.job(project, job))
    }

    /// The folder of a job.
    pub fn job(&self, project: &str, job: &str) -> PathBuf {
        self.project(project).join("jobs").join(job)
    }
}

/// The name of an input's file.
pub fn input_file(input: Input) -> String {
    format!("{}.csv", input.flag())
}

/// Makes a directory and those above it.
pub fn make(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Makes a directory, where the one above it is there.
pub fn make_one(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}

/// Makes a directory that only its owner may look into; one that is there stays as it is.
#[cfg(unix)]
fn make_own(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}

#[cfg(not(unix))]
fn make_own(path: &Path) -> io::Result<()> {
    make(path)
}

/// A page that leads a browser to an address, in a file that only its owner can read: whatever opens it is told the name of the
/// file, and the list of processes, which everybody may read, shows no token.
pub fn way_in(data_directory: &Path, address: &str) -> io::Result<PathBuf> {
    use std::io::Write;
    let mut page = tempfile::Builder::new().prefix(WAY_IN).suffix(".html").tempfile_in(data_directory)?;
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Throng</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <p><a href=\"{address}\">Open the workbench</a></p></html>\n"
    )?;
    let (_, path) = page.keep().map_err(|error| error.error)?;
    Ok(path)
}

/// The data directory when none is given: where the system keeps data of its user.
pub fn usual() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = folder("XDG_DATA_HOME").filter(|path| path.is_absolute());
    Some(base.or_else(|| Some(folder("HOME")?.join(".local/share")))?.join("throng"))
}
