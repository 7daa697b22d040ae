//! The wall clock and the processor time of a thread. Intervals are measured by `Instant`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use stoa_state::time::UnixSeconds;

/// Seconds since 1970, or 0 if the machine's clock is before 1970.
#[must_use]
pub fn unix_now() -> UnixSeconds {
    UnixSeconds(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// Processor time of the calling thread, which excludes the other work of the machine.
pub(crate) fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
