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
