//! Work that is given so much time and no more.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use throng_contract::{Failure, Progress};

/// How often running work is looked after.
const TICK: Duration = Duration::from_millis(20);

/// Runs work that is cancelled when the time is over, or when the whole is.
pub(crate) fn within<T: Send>(
    limit: Duration,
    outer: &Progress,
    work: impl FnOnce(&Progress) -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let inner = Progress::silent();
    let (done, watched) = channel::<()>();
    let stop = inner.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            let end = Instant::now() + limit;
            let over = |watched| matches!(watched, Err(RecvTimeoutError::Timeout));
            while over(watched.recv_timeout(TICK)) {
                if outer.is_cancelled() || Instant::now() >= end {
                    stop.cancel();
                }
            }
        });
        let result = work(&inner);
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use throng_contract::Class;

    use super::*;

    /// Work that ends only when it is told to.
    fn endless(progress: &Progress) -> Result<(), Failure> {
        loop {
            progress.check()?;
            thread::yield_now();
        }
    }

    #[test]
    fn what_takes_too_long_is_stopped_and_the_whole_goes_on() {
        let outer = Progress::silent();
        let stopped = within(Duration::from_millis(1), &outer, endless).unwrap_err();
        assert_eq!((stopped.class, outer.is_cancelled()), (Class::Interrupted, false));
        assert_eq!(within(Duration::from_secs(60), &outer, |_| Ok(7)), Ok(7));
    }

    #[test]
    fn cancelling_the_whole_stops_what_runs() {
        let outer = Progress::silent();
        outer.cancel();
        assert!(within(Duration::from_secs(600), &outer, endless).is_err());
    }
}
