//! How far loading is, for requests that ask.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use throng_contract::Observer;
use utoipa::ToSchema;

/// The phase under way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PhaseView)]
pub struct PhaseNow {
    /// Its name.
    pub phase: String,
    /// How much was done.
    pub done: u64,
    /// Of how much, if that is known.
    pub total: Option<u64>,
}

/// Remembers the phase under way.
#[derive(Debug, Default)]
pub struct Watch {
    now: Mutex<PhaseNow>,
}

impl Watch {
    /// The phase under way.
    pub fn now(&self) -> PhaseNow {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Observer for Watch {
    fn began(&self, phase: &str, total: Option<u64>) {
        let now = PhaseNow { phase: phase.to_owned(), done: 0, total };
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    fn advanced(&self, done: u64) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.done = now.done.max(done);
    }

    fn ended(&self) {}
}
