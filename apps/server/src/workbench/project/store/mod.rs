//! The database of projects, edits, inputs and jobs: one file in the data directory, behind the [storage]
//! trait.

mod edits;
mod inputs;
mod jobs;
mod migrations;
mod projects;

use std::path::Path;

use throng_contract::{Class, Failure};

pub use inputs::StoredInput;
pub use jobs::{JobEnd, StoredJob};
pub use projects::StoredProject;

use crate::platform::storage::{self, Connection, Database, Sqlite, StorageError, StorageFault, Value};

/// The database.
#[derive(Debug)]
pub struct Store {
    database: Box<dyn Database>,
    /// Whether this server made the database: then it says nothing about folders that are there.
    pub is_new: bool,
}

impl Store {
    /// Opens the database, makes it if it is not there, and brings it to the present form.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let database = Sqlite::open(path, migrations::STEPS).map_err(|error| refused(path, &error))?;
        Ok(Store { is_new: database.is_new(), database: Box::new(database) })
    }

    fn read<T>(
        &self,
        work: impl FnOnce(&mut dyn Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        storage::read(&*self.database, work)
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&mut dyn Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        storage::write(&*self.database, work)
    }

    /// One statement that writes.
    fn execute(&self, statement: &str, values: &[Value]) -> Result<(), StorageError> {
        self.write(|connection| connection.execute(statement, values)).map(drop)
    }
}

/// Why the database cannot be opened, with a way out.
fn refused(path: &Path, error: &StorageError) -> Failure {
    let path = path.display();
    let (class, what, help) = match error.fault {
        StorageFault::InUse => (
            Class::Refused,
            format!("`{path}` is in use: another workbench runs on this data directory"),
            "use the one that runs, or give this one a directory of its own with `--data-dir`",
        ),
        StorageFault::Later => (
            Class::Refused,
            format!("`{path}` was written by a later version of the program"),
            "use that version, or give this one a directory of its own with `--data-dir`",
        ),
        StorageFault::Damaged => (
            Class::BadInput,
            format!("`{path}` is damaged: it is not a database of projects"),
            "put a copy of it back, or begin anew with another directory, given with `--data-dir`",
        ),
        StorageFault::Full | StorageFault::Other => (
            Class::BadInput,
            format!("`{path}` cannot be used: {error}"),
            "give another directory with `--data-dir`",
        ),
    };
    Failure::new(class, what).with_help(help)
}

/// The time now, as it is stored and shown: ISO-8601, UTC, milliseconds.
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    let whole = jiff::Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
    format!("{whole:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::jobs::JobState;

    fn project(id: &str) -> StoredProject {
        StoredProject {
            id: id.to_owned(),
            name: format!("{id} of a town"),
            created: now(),
            opened: now(),
            source: "trips.csv".to_owned(),
            file: "data.csv".to_owned(),
            reading: "{}".to_owned(),
            subjects: None,
            events: Some(12),
            position: 0,
        }
    }

    fn job(id: &str, method: &str) -> StoredJob {
        StoredJob {
            id: id.to_owned(),
            project: "one".to_owned(),
            kind: "anonymize".to_owned(),
            state: JobState::Queued,
            created: format!("2026-01-01T00:00:00.00{}Z", id.len()),
            started: None,
            finished: None,
            spec: format!(r#"{{"kind":"anonymize","method":"{method}"}}"#),
            recipe: String::new(),
            command: String::new(),
            progress: "{}".to_owned(),
            problem: None,
            pinned: false,
            note: String::new(),
            events: 100,
            seconds: None,
            process: None,
            published: None,
        }
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("workbench.sqlite")).unwrap();
        store.add_project(&project("one")).unwrap();
        (folder, store)
    }

    #[test]
    fn projects_come_back_as_they_were_stored_and_changed() {
        let (_folder, store) = store();
        store.add_project(&project("two")).unwrap();
        assert!(store.add_project(&project("two")).is_err());
        store.rename_project("one", "another").unwrap();
        store.set_size("one", Some(3), None).unwrap();
        store.set_reading("one", r#"{"sets":true}"#).unwrap();
        let found = store.project("one").unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.subjects, found.events), ("another", Some(3), None));
        assert_eq!(found.reading, r#"{"sets":true}"#);
        assert_eq!(store.projects().unwrap().len(), 2);
        assert!(store.project("three").unwrap().is_none());
    }

    #[test]
    fn an_edit_forgets_what_had_been_undone() {
        let (_folder, store) = store();
        for (place, edit) in ["a", "b", "c"].into_iter().enumerate() {
            store.add_edit("one", place as u64, edit).unwrap();
        }
        store.set_position("one", 1).unwrap();
        assert_eq!(store.edits("one").unwrap().1, 1);
        store.add_edit("one", 1, "d").unwrap();
        assert_eq!(store.edits("one").unwrap(), (vec!["a".to_owned(), "d".to_owned()], 2));
    }

    #[test]
    fn an_input_is_replaced_by_the_next_one_in_its_place() {
        let (_folder, store) = store();
        let mut input =
            StoredInput { input: "places".to_owned(), name: "a.csv".to_owned(), rows: 2, problem: None };
        store.set_input("one", &input).unwrap();
        (input.name, input.rows) = ("b.csv".to_owned(), 3);
        store.set_input("one", &input).unwrap();
        let found = store.inputs("one").unwrap();
        assert_eq!(
            found.iter().map(|input| (input.name.as_str(), input.rows)).collect::<Vec<_>>(),
            [("b.csv", 3)]
        );
        store.remove_input("one", "places").unwrap();
        assert!(store.inputs("one").unwrap().is_empty());
    }

    #[test]
    fn a_job_ends_once_and_tells_how_long_its_method_takes() {
        let (_folder, store) = store();
        for (id, method) in [("j", "seqanon"), ("jj", "apriori"), ("jjj", "seqanon")] {
            store.add_job(&job(id, method)).unwrap();
        }
        let ids = |jobs: Vec<StoredJob>| jobs.into_iter().map(|job| job.id).collect::<Vec<_>>();
        assert_eq!(ids(store.jobs_in(JobState::Queued).unwrap()), ["j", "jj", "jjj"]);
        assert_eq!(ids(store.jobs_of("one").unwrap()), ["jjj", "jj", "j"]);
        store.start_job("j", Some(77)).unwrap();
        assert_eq!(store.job("j").unwrap().unwrap().process, Some(77));
        let end = |state, seconds| JobEnd { state, progress: "{}", problem: None, seconds };
        store.end_job("j", &end(JobState::Done, Some(1.5))).unwrap();
        store.end_job("j", &end(JobState::Failed, None)).unwrap();
        let ended = store.job("j").unwrap().unwrap();
        assert_eq!((ended.state, ended.seconds, ended.process), (JobState::Done, Some(1.5), None));
        assert_eq!(store.timings("seqanon").unwrap(), [(100, 1.5)]);
        assert!(store.timings("apriori").unwrap().is_empty());
        store.annotate_job("jj", Some(true), None).unwrap();
        store.annotate_job("jj", None, Some("a note")).unwrap();
        let noted = store.job("jj").unwrap().unwrap();
        assert_eq!((noted.pinned, noted.note.as_str()), (true, "a note"));
    }

    #[test]
    fn a_project_goes_with_everything_that_belongs_to_it() {
        let (_folder, store) = store();
        store.add_job(&job("j", "seqanon")).unwrap();
        store.add_edit("one", 0, "{}").unwrap();
        store.remove_project("one").unwrap();
        assert!(store.projects().unwrap().is_empty() && store.job("j").unwrap().is_none());
    }
}
