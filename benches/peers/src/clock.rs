//! The processor time of the process, of all its threads: mpatch has several.

use std::time::Duration;

/// Returns the processor time that the process has taken.
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
