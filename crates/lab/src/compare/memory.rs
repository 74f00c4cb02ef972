//! How the memory of the machine is shared by the cells that run at once.
//!
//! A comparison never takes more than the machine has: with a limit for each cell, no more of them run at once than fit; without one, each may
//! take its share, and a cell that needs more runs again alone, when the others are done. What is decided does not depend on it.

use super::limits::Limits;

/// What is left to the system and to the program that waits for the cells: one part in so many.
const RESERVE: u64 = 10;

/// How many cells run at once, and what each may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// Cells at once.
    pub jobs: usize,
    /// What each may cost.
    pub limits: Limits,
    /// Whether the limit of memory is a share: a cell that reaches it may have as much as there is, alone.
    pub shared: bool,
}

impl Share {
    /// As asked, within the memory of the machine, if that is known.
    pub fn of(limits: &Limits, machine: Option<u64>) -> Self {
        let asked = limits.jobs.unwrap_or(1).max(1);
        let unlimited = Share { jobs: asked, limits: *limits, shared: false };
        let Some(memory) = machine.map(|memory| memory - memory / RESERVE) else { return unlimited };
        match limits.memory {
            Some(each) => {
                let fit = usize::try_from(memory / each.max(1)).unwrap_or(usize::MAX);
                Share { jobs: asked.min(fit.max(1)), ..unlimited }
            }
            None if asked == 1 => unlimited,
            None => {
                let limits = Limits { memory: Some(memory / asked as u64), ..*limits };
                Share { limits, shared: true, ..unlimited }
            }
        }
    }

    /// One cell after another, each as asked.
    pub fn alone(limits: &Limits) -> Self {
        Share { jobs: 1, limits: *limits, shared: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn limits(memory: Option<u64>, jobs: usize) -> Limits {
        Limits { memory, jobs: Some(jobs), ..Limits::default() }
    }

    #[test]
    fn no_more_cells_run_at_once_than_fit() {
        let jobs = |memory, asked| Share::of(&limits(Some(memory), asked), Some(10 * GIB)).jobs;
        assert_eq!([jobs(2 * GIB, 8), jobs(GIB, 8), jobs(20 * GIB, 8), jobs(GIB, 2)], [4, 8, 1, 2]);
    }

    #[test]
    fn without_a_limit_each_has_a_share_and_one_alone_has_all() {
        let two = Share::of(&limits(None, 2), Some(10 * GIB));
        assert_eq!((two.jobs, two.limits.memory, two.shared), (2, Some(9 * GIB / 2), true));
        assert_eq!(Share::of(&limits(None, 1), Some(10 * GIB)), Share::alone(&limits(None, 1)));
        assert!(!Share::of(&limits(None, 4), None).shared);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_this_machine_is_known() {
        assert!(throng_data::memory::machine().is_some_and(|memory| memory > 64 << 20));
    }
}
