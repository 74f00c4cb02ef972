//! Comparisons without processes: outcomes of every kind, and what is used again.

#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use throng_contract::{Cancelled, Class, Progress};
use throng_lab::compare::{
    Cell, CellJob, CellRunner, Comparing, InProcess, Limits, Numbers, Outcome, Planned, SoFar, Sweep,
    SweepDirectory, Swept, WAITING, plan, write,
};

const RECIPE: &str = "\
schema = \"throng-compare/1\"
data = { world = \"city\", seed = 1 }
vary = { k = { from = 2, to = 4, step = 1 }, subjects = [50, 100] }
methods = [{ name = \"seqanon\", m = 1 }, { name = \"bf-p2ka\" }]
measures = [\"distance\"]
attack = { known = 1, targets = 20 }
seeds = [0, 1]
";

/// Has an outcome of its own for each value of k, and counts how often it was asked.
struct Scripted {
    asked: AtomicUsize,
    script: fn(k: &str) -> Outcome,
}

impl CellRunner for Scripted {
    fn run(
        &self,
        job: &CellJob,
        _: &Limits,
        _: &(dyn Fn(&str) + Sync),
        _: &Progress,
    ) -> Result<Outcome, Cancelled> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let k = job.recipe.lines().find_map(|line| line.strip_prefix("k = ")).unwrap_or_default();
        Ok((self.script)(k))
    }
}

struct Desk {
    home: tempfile::TempDir,
    comparing: Comparing,
}

impl Desk {
    fn new() -> Self {
        let comparing = Comparing::parse("compare.toml", RECIPE, Path::new("")).unwrap();
        Desk { home: tempfile::tempdir().unwrap(), comparing }
    }

    fn open(&self, name: &str) -> (SweepDirectory, Vec<Planned>) {
        let directory = SweepDirectory::open(&self.home.path().join(name)).unwrap();
        let planned = plan(&self.comparing, &directory, &Progress::silent()).unwrap();
        (directory, planned)
    }

    fn sweep(
        &self,
        name: &str,
        runner: &dyn CellRunner,
        limits: Limits,
        retry: bool,
        stop_after: Option<usize>,
    ) -> Result<Swept, Class> {
        let (directory, planned) = self.open(name);
        let sweep = Sweep {
            comparing: &self.comparing,
            planned: &planned,
            directory: &directory,
            runner,
            limits,
            retry,
            stop_after,
        };
        let swept = sweep.run(&Progress::silent()).map_err(|failure| failure.class)?;
        write(&self.comparing, &planned, &swept.cells, &directory).unwrap();
        Ok(swept)
    }

    fn table(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.path().join(name).join("table.csv")).unwrap()
    }
}

const JOBS: Limits = Limits { time: None, memory: None, jobs: Some(3) };

#[test]
fn a_sweep_in_pieces_and_one_in_one_go_give_the_same_table() {
    let desk = Desk::new();
    let whole = desk.sweep("whole", &InProcess, JOBS, false, None).unwrap();
    // Two methods, three values of k, two sizes, two seeds.
    assert_eq!((whole.cells.len(), whole.reused), (24, 0));
    for _ in 0..3 {
        let stopped = desk.sweep("pieces", &InProcess, Limits::default(), false, Some(5)).unwrap_err();
        assert_eq!(stopped, Class::Interrupted);
    }
    let rest = desk.sweep("pieces", &InProcess, JOBS, false, None).unwrap();
    assert_eq!(rest.reused, 15);
    assert_eq!(desk.table("whole"), desk.table("pieces"));
    assert!(desk.table("whole").contains("city,seqanon,4,100,1,done"));
}

#[test]
fn who_follows_a_sweep_sees_what_is_decided_and_at_the_end_the_table() {
    let desk = Desk::new();
    let follow = || SoFar::of(&desk.comparing, &SweepDirectory::follow(&desk.home.path().join("followed")));
    assert_eq!(follow(), None);
    desk.sweep("followed", &InProcess, JOBS, false, Some(5)).unwrap_err();
    let so_far = follow().unwrap();
    assert_eq!((so_far.decided, so_far.results.rows.len()), (5, 24));
    let outcome = so_far.results.columns.iter().position(|name| name == "outcome").unwrap();
    let waiting = so_far.results.rows.iter().filter(|row| row[outcome] == WAITING).count();
    assert_eq!(waiting, 19);
    assert!(so_far.results.rows.iter().all(|row| row.len() == so_far.results.columns.len()));
    desk.sweep("followed", &InProcess, JOBS, false, None).unwrap();
    assert_eq!(follow().unwrap().results.csv(), desk.table("followed"));
}

#[test]
fn every_outcome_is_a_row_that_says_so() {
    let desk = Desk::new();
    let script = |k: &str| match k {
        "2" => Outcome::Failed { code: 4, reason: "it cannot be done, \"alas\"".to_owned() },
        "3" => Outcome::TimedOut { seconds: 1.5 },
        _ => Outcome::Crashed { reason: "the cell ended with signal: 9".to_owned() },
    };
    let runner = Scripted { asked: AtomicUsize::new(0), script };
    let swept = desk.sweep("out", &runner, JOBS, false, None).unwrap();
    let reasons: Vec<Option<String>> = swept.cells.iter().map(|cell: &Cell| cell.outcome.reason()).collect();
    assert!(reasons.iter().all(Option::is_some));
    let table = desk.table("out");
    for row in [
        "city,seqanon,2,50,0,infeasible,\"it cannot be done, \"\"alas\"\"\"",
        "city,seqanon,3,50,0,timed-out,not done after 1.5 seconds",
        "city,bf-p2ka,4,100,1,crashed,the cell ended with signal: 9",
    ] {
        assert!(table.contains(row), "{table}");
    }
}

#[test]
fn what_ran_out_of_time_runs_again_with_more_and_what_failed_only_when_asked() {
    let desk = Desk::new();
    let script = |k: &str| match k {
        "2" => Outcome::Failed { code: 4, reason: "no".to_owned() },
        "3" => Outcome::TimedOut { seconds: 10.0 },
        _ => Outcome::Done(Numbers::default()),
    };
    let runner = Scripted { asked: AtomicUsize::new(0), script };
    let limits = |seconds| Limits { time: Some(Duration::from_secs(seconds)), ..JOBS };
    let asked = |limits, retry| {
        let before = runner.asked.load(Ordering::Relaxed);
        desk.sweep("out", &runner, limits, retry, None).unwrap();
        runner.asked.load(Ordering::Relaxed) - before
    };
    assert_eq!(asked(limits(10), false), 24);
    assert_eq!(asked(limits(10), false), 0);
    assert_eq!(asked(limits(5), false), 0);
    assert_eq!(asked(limits(11), false), 8);
    assert_eq!(asked(JOBS, false), 8);
    assert_eq!(asked(limits(10), true), 16);
}

#[test]
fn other_numbers_have_other_keys_and_the_same_have_the_same() {
    let desk = Desk::new();
    let (_, planned) = desk.open("here");
    let (_, elsewhere) = desk.open("there");
    let keys = |planned: &[Planned]| planned.iter().map(|cell| cell.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&planned), keys(&elsewhere));
    let mut distinct = keys(&planned);
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), planned.len());
}

#[test]
fn every_recipe_of_the_papers_can_be_read() {
    let recipes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/recipes");
    let files = std::fs::read_dir(recipes).unwrap().map(|entry| entry.unwrap().path());
    let read: Vec<Comparing> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| Comparing::read(&path).unwrap())
        .collect();
    assert!(!read.is_empty());
}

/// Fits into memory only when nothing runs beside it.
struct Large {
    beside_others: AtomicUsize,
}

impl CellRunner for Large {
    fn run(
        &self,
        _: &CellJob,
        limits: &Limits,
        _: &(dyn Fn(&str) + Sync),
        _: &Progress,
    ) -> Result<Outcome, Cancelled> {
        Ok(match limits.memory {
            Some(bytes) => {
                self.beside_others.fetch_add(1, Ordering::Relaxed);
                Outcome::OutOfMemory { bytes }
            }
            None => Outcome::Done(Numbers::default()),
        })
    }
}

#[cfg(target_os = "linux")]
#[test]
fn cells_that_do_not_fit_beside_others_run_again_alone() {
    let desk = Desk::new();
    let large = Large { beside_others: AtomicUsize::new(0) };
    let swept = desk.sweep("large", &large, JOBS, false, None).unwrap();
    assert!(swept.cells.iter().all(|cell| matches!(cell.outcome, Outcome::Done(_))));
    assert_eq!(large.beside_others.into_inner(), swept.cells.len());
    // A limit that was asked for is no share.
    let limits = Limits { memory: Some(1 << 20), ..JOBS };
    let large = Large { beside_others: AtomicUsize::new(0) };
    let swept = desk.sweep("limited", &large, limits, false, None).unwrap();
    assert!(swept.cells.iter().all(|cell| matches!(cell.outcome, Outcome::OutOfMemory { .. })));
}
