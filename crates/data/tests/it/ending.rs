//! A process that has to end at once: what it began is cleared whole, and what it finished stays.
//!
//! Ending is for good, so each case runs in a process of its own: this program again, with one test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use throng_contract::Progress;
use throng_data::{Ended, Finishing, StagedDir, abandon};

const CASE: &str = "THRONG_CASE";

/// Runs a case in a process of its own.
fn apart(name: &str, case: fn(&Path)) {
    if std::env::var_os(CASE).is_some() {
        let home = tempfile::tempdir().unwrap();
        case(home.path());
        return;
    }
    let program = std::env::current_exe().unwrap();
    let output =
        Command::new(program).args(["--exact", &format!("ending::{name}")]).env(CASE, "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

/// A second Ctrl-C comes while the run clears what it began.
#[test]
fn clearing_that_has_begun_is_not_cut_short() {
    apart("clearing_that_has_begun_is_not_cut_short", |home| {
        let staged = StagedDir::create(&home.join("out"), false, &[]).unwrap();
        let place = staged.path().to_owned();
        (0..3_000).for_each(|number| fs::write(place.join(number.to_string()), "x").unwrap());
        thread::scope(|scope| {
            scope.spawn(move || drop(staged));
            // Until clearing has begun: the folder lost its name, or a file.
            while fs::read_dir(&place).is_ok_and(|entries| entries.count() == 3_000) {
                thread::yield_now();
            }
            assert_eq!(abandon(), Ended::Cleared);
            assert!(names(home).is_empty(), "{} are left", names(home).len());
        });
    });
}

/// Files that each writer makes at most: none goes on for ever, whatever else fails.
const FILES: u64 = 100_000;

/// The process is ended from a thread of its own while others still write.
#[test]
fn a_folder_into_which_files_are_still_written_is_cleared() {
    apart("a_folder_into_which_files_are_still_written_is_cleared", |home| {
        // Never dropped: clearing holds its lock for good, and a test that fails would wait for it without end.
        let staged = ManuallyDrop::new(StagedDir::create(&home.join("deep/out"), false, &[]).unwrap());
        let place = staged.path().to_owned();
        // Counted, not listed: in some file systems a listing does not end while files are added.
        let (written, refused) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for writer in 0..3 {
                let (place, written, refused) = (&place, &written, &refused);
                scope.spawn(move || {
                    for number in 0..FILES {
                        match fs::write(place.join(format!("{writer}-{number}")), "x") {
                            Ok(()) => written.fetch_add(1, Ordering::Relaxed),
                            Err(_) => return refused.fetch_add(1, Ordering::Relaxed),
                        };
                    }
                    0
                });
            }
            while written.load(Ordering::Relaxed) < 300 && refused.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            assert_eq!(abandon(), Ended::Cleared);
        });
        assert_eq!(refused.load(Ordering::Relaxed), 3, "each writer lost the folder");
        assert!(names(home).is_empty(), "{:?}", names(home));
    });
}

#[test]
fn a_run_that_gives_names_comes_to_its_end() {
    apart("a_run_that_gives_names_comes_to_its_end", |home| {
        let progress = Progress::silent();
        let staged = StagedDir::create(&home.join("out"), false, &[]).unwrap();
        let finishing = Finishing::begin(&progress).unwrap();
        let ended = thread::spawn(abandon);
        // Asked to stop: too late.
        progress.cancel();
        staged.publish().unwrap();
        StagedDir::create(&home.join("kept"), false, &[]).unwrap().publish().unwrap();
        finishing.is_done();
        assert_eq!(ended.join().unwrap(), Ended::Finished);
        let mut found = names(home);
        found.sort();
        assert_eq!(found, ["kept", "out"]);
        assert!(Finishing::begin(&progress).is_err(), "one that was asked to stop before does not begin");
    });
}
