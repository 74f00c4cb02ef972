//! Ctrl-C: the work is asked to stop and clean up, and the process ends within a second whatever it waits for.
//!
//! Work looks at the cancel flag often. What cannot look, because it waits for a pipe, a lock held elsewhere or a disk, is ended from here: what it has
//! under hidden names is cleared first, and a run that is just giving its results their names comes to its end, and has succeeded. A second Ctrl-C
//! does the same at once; it waits for clearing that has begun. A file that grows beyond the limit of file sizes is an error of the write, as
//! on a full disk: its signal (SIGXFSZ) ends nothing.
//! For a child of the workbench, the end of its standard input means the same: the workbench is gone, however it ended.

use std::io::{self, Read};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use throng_contract::{Cancelled, Class, Failure};
use throng_data::{Ended, abandon};

use crate::failure::report;

/// How long work has to come to its own end.
const GRACE: Duration = Duration::from_millis(800);

/// Lets SIGINT and SIGTERM raise the cancel flag, and end the process where that is not enough. `patient` work is ended by the second signal only: a
/// server sees its jobs off first. Work `with_parent` ends when standard input does, too.
pub fn raise_on_signal(cancelled: Arc<AtomicBool>, patient: bool, with_parent: bool) -> Result<(), Failure> {
    let fail = |error| Failure::new(Class::Internal, format!("cannot listen for Ctrl-C: {error}"));
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(fail)?;
    // Caught, it is an error of the write.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(fail)?;
    let (told, tell) = channel();
    if with_parent {
        let (told, watch) = (told.clone(), thread::Builder::new().name("parent".to_owned()));
        watch.spawn(move || watch_parent(&told)).map_err(fail)?;
    }
    let watch = thread::Builder::new().name("ctrl-c".to_owned());
    // The receiver is gone only when the process is ending.
    watch.spawn(move || signals.forever().for_each(|_| told.send(()).unwrap_or_default())).map_err(fail)?;
    let end = thread::Builder::new().name("ctrl-c-end".to_owned());
    end.spawn(move || {
        if tell.recv().is_err() {
            return;
        }
        cancelled.store(true, Ordering::Relaxed);
        let again = match patient {
            true => tell.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => tell.recv_timeout(GRACE),
        };
        if again != Err(RecvTimeoutError::Disconnected) {
            if abandon() == Ended::Finished {
                // What is left is to print the result. Where that waits, too, one more signal ends it.
                let _ = tell.recv();
                process::exit(0);
            }
            report(&Cancelled.into());
            process::exit(i32::from(Class::Interrupted.code()));
        }
    })
    .map_err(fail)?;
    Ok(())
}

/// Nothing is ever sent: reading ends when the other end is closed.
fn watch_parent(told: &Sender<()>) {
    let mut input = io::stdin().lock();
    while matches!(input.read(&mut [0]), Ok(1..)) {}
    told.send(()).unwrap_or_default();
}
