//! The target that the environment variable `TARGET` names, under libFuzzer: `make fuzz TARGET=events-csv`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use throng_fuzz::{TARGETS, Target, find};

static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    find(&name).unwrap_or_else(|| panic!("TARGET={name:?} is none of {}", names.join(", ")))
});

fuzz_target!(|bytes: &[u8]| CHOSEN(bytes));
