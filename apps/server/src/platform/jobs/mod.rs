//! Jobs: runs of the same program as child processes, one at a time, with a queue.
//!
//! What a job does, and where it is kept, is for the [`Work`] to say that a queue is started with.
//!
//! # Guarantees
//! A job is stopped within a second: its process group is asked to end, then killed. A crash loses one job and is told
//! as its failure. Jobs go on when every browser is closed. When the server stops, children are stopped too.

pub mod child;
mod live;
mod program;
mod queue;
mod state;

pub use live::{Event, JobProgress, Live};
pub use program::Program;
pub use queue::{Outcome, Queue, Work, interrupted};
pub use state::JobState;
