//! Where a job is in its life.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Waits for the jobs before it.
    Queued,
    /// Runs.
    Running,
    /// Came to its end.
    Done,
    /// Ended with an error.
    Failed,
    /// Was stopped by the user.
    Cancelled,
    /// Was running when the server stopped.
    Interrupted,
}

impl JobState {
    const ALL: [JobState; 6] = [
        JobState::Queued,
        JobState::Running,
        JobState::Done,
        JobState::Failed,
        JobState::Cancelled,
        JobState::Interrupted,
    ];

    /// The word that is stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
            JobState::Interrupted => "interrupted",
        }
    }

    /// Whether nothing more will happen.
    pub const fn is_over(self) -> bool {
        !matches!(self, JobState::Queued | JobState::Running)
    }

    /// The state that a word stands for; a word that is none stands for a failure.
    pub fn parse(word: &str) -> Self {
        JobState::ALL.into_iter().find(|state| state.word() == word).unwrap_or(JobState::Failed)
    }
}
