//! Which change of the code is switched on. `trials/mutants` adds this file to the crate whose tests it judges.
//!
//! `THRONG_MUTANT` is the number of the change; without it the code is as written. `THRONG_MUTANT_CALLS` ends the process
//! with a code of its own after as many calls: a change that makes a loop endless is told from a slow machine by counting.
//! `THRONG_MUTANT_REACHED` is a file to which the number of every place is written when the run comes by for the first time.

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// The exit code of a run that made too many calls.
const TOO_MANY: i32 = 86;

/// Places are numbered below this.
const PLACES: usize = 65_536;

/// How often the number of calls is written down.
const STEP: u64 = 32_768;

static ACTIVE: AtomicU32 = AtomicU32::new(u32::MAX);
static CALLS: AtomicU64 = AtomicU64::new(0);
/// From this number of calls on, every call is looked at: from the first one until the environment was read.
static LOOK: AtomicU64 = AtomicU64::new(0);
static REACHED: [AtomicBool; PLACES] = [const { AtomicBool::new(false) }; PLACES];
static RECORD: OnceLock<Option<Mutex<File>>> = OnceLock::new();

/// Which change of the place that begins with this number is on: 0 for its first one; a number beyond the last for none.
#[inline]
pub fn at(place: u32) -> u32 {
    // Not one atomic step: with one thread it is exact, with more it counts a little less, and it costs next to nothing.
    let calls = CALLS.load(Relaxed) + 1;
    CALLS.store(calls, Relaxed);
    if calls >= LOOK.load(Relaxed) {
        look(place, calls);
    }
    ACTIVE.load(Relaxed).wrapping_sub(place)
}

#[cold]
#[inline(never)]
fn look(place: u32, calls: u64) {
    let record = RECORD.get_or_init(|| {
        let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        ACTIVE.store(number("THRONG_MUTANT").map_or(u32::MAX, |active| active as u32), Relaxed);
        let file = std::env::var_os("THRONG_MUTANT_REACHED");
        let limit = number("THRONG_MUTANT_CALLS").unwrap_or(u64::MAX);
        LOOK.store(if file.is_some() { 0 } else { limit }, Relaxed);
        file.map(|path| Mutex::new(File::create(path).expect("the record can be written")))
    });
    match record {
        Some(file) => {
            let seen = &REACHED[place as usize];
            if !seen.load(Relaxed) && !seen.swap(true, Relaxed) {
                writeln!(file.lock().expect("no writer panics"), "{place}").expect("the record can be written");
            }
            if calls % STEP == 0 {
                writeln!(file.lock().expect("no writer panics"), "calls {calls}").expect("the record can be written");
            }
        }
        None => {
            if calls >= LOOK.load(Relaxed) {
                std::process::exit(TOO_MANY);
            }
        }
    }
}
