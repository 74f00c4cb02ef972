//! Decides all cells, several at once, and keeps each as soon as it is decided.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use throng_contract::{Cancelled, Class, Failure, Phase, Progress, help};
use throng_data::memory::machine;

use super::cell::{self, Cell, Outcome};
use super::directory::SweepDirectory;
use super::grid::Planned;
use super::limits::Limits;
use super::memory::Share;
use super::recipe::Comparing;
use super::runner::CellRunner;

/// How a comparison is run.
pub struct Sweep<'a> {
    /// What is compared.
    pub comparing: &'a Comparing,
    /// Its cells.
    pub planned: &'a [Planned],
    /// Where answers are kept.
    pub directory: &'a SweepDirectory,
    /// Who does the work.
    pub runner: &'a dyn CellRunner,
    /// What a cell may cost, and how many run at once.
    pub limits: Limits,
    /// Whether cells that failed before are tried again.
    pub retry: bool,
    /// Stops, as if interrupted, after so many cells; for tests.
    pub stop_after: Option<usize>,
}

/// All cells, decided.
#[derive(Debug)]
pub struct Swept {
    /// One for each that was planned, in order.
    pub cells: Vec<Cell>,
    /// How many were decided before.
    pub reused: usize,
}

impl Sweep<'_> {
    /// Decides all cells. When it is interrupted, what was decided is kept.
    pub fn run(&self, progress: &Progress) -> Result<Swept, Failure> {
        let mut cells: Vec<Option<Cell>> = self
            .planned
            .iter()
            .map(|cell| self.directory.find(&cell.key, &self.limits, self.retry))
            .collect();
        let reused = cells.iter().flatten().count();
        let mut open: Vec<usize> = (0..cells.len()).filter(|at| cells[*at].is_none()).collect();
        if let Some(most) = self.stop_after {
            open.truncate(most);
        }
        self.directory.keep_plan(self.planned)?;
        let phase = progress.phase("cells", Some(self.planned.len() as u64));
        phase.advance(reused as u64)?;
        let decided = self.decide(&open, &phase, progress)?;
        drop(phase);
        for (at, cell) in decided {
            cells[at] = Some(cell);
        }
        let total = cells.len();
        let cells: Vec<Cell> = cells.into_iter().flatten().collect();
        if cells.len() < total {
            return Err(interrupted(cells.len(), total));
        }
        Ok(Swept { cells, reused })
    }

    /// Decides cells within the memory of the machine; those that did not fit beside others come last, one by one.
    fn decide(
        &self,
        open: &[usize],
        phase: &Phase<'_>,
        progress: &Progress,
    ) -> Result<Vec<(usize, Cell)>, Failure> {
        let mut decided = Vec::new();
        let share = Share::of(&self.limits, machine());
        let crowded = self.decide_some(open, &share, &mut decided, phase, progress)?;
        self.decide_some(&crowded, &Share::alone(&self.limits), &mut decided, phase, progress)?;
        Ok(decided)
    }

    /// Decides cells, and returns those that need more memory than their share.
    fn decide_some(
        &self,
        open: &[usize],
        share: &Share,
        decided: &mut Vec<(usize, Cell)>,
        phase: &Phase<'_>,
        progress: &Progress,
    ) -> Result<Vec<usize>, Failure> {
        let next = AtomicUsize::new(0);
        let before = decided.len();
        let answers = Mutex::new(decided);
        let crowded = Mutex::new(Vec::new());
        let failed = Mutex::new(None);
        let now = Now { phase, running: Mutex::new(Vec::new()) };
        let work = || {
            while let Some(at) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.one(&self.planned[*at], share, &now, progress) {
                    Ok(Some(cell)) => held(&answers).push((*at, cell)),
                    Ok(None) => {
                        held(&crowded).push(*at);
                        continue;
                    }
                    Err(failure) => {
                        held(&failed).get_or_insert(failure);
                    }
                }
                // The cancel flag is looked at in `one`; a full disk stops everybody too.
                let stop = held(&failed).is_some() || phase.advance(1).is_err();
                // After it was counted: an observer that is told of its end finds it among the finished ones.
                now.tell(&self.planned[*at].words(self.comparing), None);
                if stop {
                    break;
                }
            }
        };
        let jobs = share.jobs.min(open.len());
        thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
        let done = held(&answers).len();
        let mut crowded = crowded.into_inner().unwrap_or_else(PoisonError::into_inner);
        crowded.sort_unstable();
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(crowded),
            Some(failure) if failure.class == Class::Interrupted => {
                let earlier = self.planned.len() - open.len();
                Err(interrupted(earlier + done - before, self.planned.len()))
            }
            Some(failure) => Err(failure),
        }
    }

    /// Same cells asked for twice are decided twice, with the same answer. `None` for a cell that needs more than its share of memory.
    fn one(
        &self,
        planned: &Planned,
        share: &Share,
        now: &Now<'_>,
        progress: &Progress,
    ) -> Result<Option<Cell>, Failure> {
        progress.check()?;
        let words = planned.words(self.comparing);
        now.tell(&words, Some(""));
        let tell = |phase: &str| now.tell(&words, Some(phase));
        let outcome = self.runner.run(&planned.job, &share.limits, &tell, progress);
        let mut outcome = outcome.map_err(|Cancelled| Failure::from(Cancelled))?;
        if share.shared && matches!(outcome, Outcome::OutOfMemory { .. }) {
            now.tell(&words, None);
            return Ok(None);
        }
        if let Outcome::Failed { reason, .. } | Outcome::Crashed { reason } = &mut outcome {
            // Where the made-up worlds lie is no part of the answer.
            let worlds = self.directory.worlds();
            let worlds = std::path::absolute(&worlds).unwrap_or(worlds);
            *reason = reason.replace(&format!("{}/", worlds.display()), "");
        }
        let cell = Cell { schema: cell::SCHEMA.to_owned(), job: planned.job.clone(), outcome };
        self.directory.keep(&planned.key, &cell)?;
        Ok(Some(cell))
    }
}

fn interrupted(done: usize, total: usize) -> Failure {
    Failure::new(Class::Interrupted, "interrupted").with_help(help!(
        "$ of $ cells are kept; the same command goes on from there",
        done,
        total
    ))
}

/// What runs now.
struct Now<'a> {
    phase: &'a Phase<'a>,
    running: Mutex<Vec<(String, String)>>,
}

impl Now<'_> {
    /// A cell is in a phase, or over.
    fn tell(&self, cell: &str, phase: Option<&str>) {
        let mut running = held(&self.running);
        match (running.iter().position(|(known, _)| known == cell), phase) {
            (Some(at), Some(phase)) => running[at].1 = phase.to_owned(),
            (Some(at), None) => drop(running.remove(at)),
            (None, Some(phase)) => running.push((cell.to_owned(), phase.to_owned())),
            (None, None) => {}
        }
        let words = running.iter().map(|(cell, phase)| match phase.as_str() {
            "" => cell.clone(),
            phase => format!("{cell}: {phase}"),
        });
        self.phase.now(&words.collect::<Vec<_>>().join("; "));
    }
}

fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
