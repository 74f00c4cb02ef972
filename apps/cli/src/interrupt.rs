//! Ctrl-C: the first asks the work to stop and clean up, the second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use throng_contract::{Class, Failure};

/// Lets SIGINT and SIGTERM raise the cancel flag.
pub fn raise_on_signal(cancelled: &Arc<AtomicBool>) -> Result<(), Failure> {
    let code = i32::from(Class::Interrupted.code());
    for signal in [SIGINT, SIGTERM] {
        // Order matters: the shutdown looks at the flag before this same signal raises it.
        flag::register_conditional_shutdown(signal, code, Arc::clone(cancelled))
            .and_then(|_| flag::register(signal, Arc::clone(cancelled)))
            .map_err(|error| Failure::new(Class::Internal, format!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(())
}
