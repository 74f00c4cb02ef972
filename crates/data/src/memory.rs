//! How much memory there is, so that work that could hold without end stops with a word before the system ends it.

/// Memory of the machine, or of the container the program runs in, in bytes.
#[cfg(target_os = "linux")]
#[allow(clippy::useless_conversion, reason = "a machine's word is narrower on 32 bits")]
pub fn machine() -> Option<u64> {
    let info = rustix::system::sysinfo();
    let total = u64::from(info.totalram).checked_mul(u64::from(info.mem_unit))?;
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    Some(container.map_or(total, |limit: u64| limit.min(total)))
}

/// Memory of the machine, in bytes.
#[cfg(not(target_os = "linux"))]
pub fn machine() -> Option<u64> {
    None
}

/// Data and heap of this process may not grow beyond this from now on. Address space alone is not counted: allocators reserve
/// much of it and use little.
#[cfg(unix)]
pub fn limit(bytes: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Data, Rlimit { current: Some(bytes), maximum: Some(bytes) }).map_err(Into::into)
}

/// Data and heap of this process may not grow beyond this: not on this system.
#[cfg(not(unix))]
pub fn limit(_: u64) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// This process may compute for so many seconds from now on, and ends then.
#[cfg(unix)]
pub fn limit_seconds(seconds: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // Beyond the first limit the process is told to end, beyond the second it is ended.
    let limit = Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) };
    setrlimit(Resource::Cpu, limit).map_err(Into::into)
}

/// This process may compute for so many seconds from now on: not on this system.
#[cfg(not(unix))]
pub fn limit_seconds(_: u64) -> std::io::Result<()> {
    Ok(())
}

/// Ends this process when the one that started it ends.
#[cfg(target_os = "linux")]
pub fn end_with_parent() -> std::io::Result<()> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(Into::into)
}

/// Ends this process when the one that started it ends: not on this system.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent() -> std::io::Result<()> {
    Ok(())
}

/// What this process may use of it: a job has a limit of its own.
#[cfg(target_os = "linux")]
pub fn of_process() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let own = getrlimit(Resource::Data).current;
    match (machine(), own) {
        (Some(machine), Some(own)) => Some(machine.min(own)),
        (known, other) => known.or(other),
    }
}

/// What this process may use of it.
#[cfg(not(target_os = "linux"))]
pub fn of_process() -> Option<u64> {
    None
}
