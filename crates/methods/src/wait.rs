//! A method that releases nothing: it waits until it is cancelled.
//!
//! Tests of everything around a run (progress, cancel, restarts, several listeners) need one that is still running when they
//! look, on any machine. It can be named, and is listed nowhere.

use std::thread;
use std::time::Duration;

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Key, Product};

use crate::{Method, MethodError, Outcome, Task};

/// How often the cancel flag is looked at.
const LOOK: Duration = Duration::from_millis(10);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "wait-for-cancel",
    purpose: "wait until it is cancelled, for tests",
    takes: &[DataKind::Sequences, DataKind::Timed, DataKind::Sets],
    // What its promise needs to be spoken of.
    params: &[Key::integer("k", 1..=1_000_000_000, "people who must share every sequence of visits")
        .or("5")
        .setting],
    keeps: Some("p2k"),
    product: Some(Product::of(BodyKind::Records)),
    paper: "",
    example: "",
    notes: "Never gives a release.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Waits.
#[derive(Debug, Clone, Copy)]
pub struct WaitForCancel;

impl Method for WaitForCancel {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let _phase = task.progress.phase("wait for cancel", None);
        loop {
            task.progress.check()?;
            thread::sleep(LOOK);
        }
    }
}
