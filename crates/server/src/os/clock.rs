//! The clocks that the server reads nowhere else: the wall's, and that of a thread's own work.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use stoa_state::time::UnixTime;

/// Now, in seconds since 1970. A machine whose clock stands before 1970 is taken to be there.
#[must_use]
pub fn unix_now() -> UnixTime {
    UnixTime(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// What the calling thread has had of a processor: others on the machine are not its doing.
pub(crate) fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
