//! What the child prints beside the manifest: exact numbers, steps and their reasons, lost items, samples.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_lab::{Exact, Samples};
use utoipa::ToSchema;

/// A step of the method, and the pattern that forced it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reason {
    /// What was done.
    did: String,
    /// To which items.
    items: Vec<String>,
    /// The pattern that was too rare.
    pattern: Vec<String>,
    /// People who had it.
    support: u64,
    /// People it needed.
    needed: u64,
}

/// What the child prints beside the manifest.
#[derive(Debug, Deserialize)]
pub struct Printed {
    /// Exact numbers, for the publisher.
    pub exact: Exact,
    /// Steps of the method.
    #[serde(default)]
    pub reasons: Vec<Step>,
    /// Items that no longer occur.
    #[serde(default)]
    pub lost_items: Vec<LostItem>,
    /// Some records before and after.
    #[serde(default)]
    pub samples: Samples,
    /// Seconds of each step.
    #[serde(default)]
    pub seconds: Vec<(String, f64)>,
}

/// An item that no longer occurs.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct LostItem {
    /// Its name.
    item: String,
    /// People who had it.
    people: u64,
}

/// A step of the method as it is printed.
#[derive(Debug, Deserialize)]
pub struct Step {
    action: String,
    items: Vec<String>,
    pattern: Vec<String>,
    people: u64,
    needed: u64,
    #[serde(default)]
    details: BTreeMap<String, String>,
}

impl Step {
    /// As people read it: a timed visit with its time.
    pub fn view(&self) -> Reason {
        let timed = |words: &[String], times: &str| -> Vec<String> {
            let times = self.details.get(times).map(|times| times.split(' ').collect::<Vec<&str>>());
            match times {
                Some(times) if times.len() == words.len() => {
                    words.iter().zip(times).map(|(word, time)| format!("{word} at {time}")).collect()
                }
                _ => words.to_vec(),
            }
        };
        Reason {
            did: self.action.clone(),
            items: timed(&self.items, "time"),
            pattern: timed(&self.pattern, "pattern times"),
            support: self.people,
            needed: self.needed,
        }
    }
}
