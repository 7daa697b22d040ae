//! The wall clock: the one place of the server that reads it.

use std::time::{SystemTime, UNIX_EPOCH};

use stoa_state::time::UnixTime;

/// Now, in seconds since 1970. A machine whose clock stands before 1970 is taken to be there.
#[must_use]
pub fn unix_now() -> UnixTime {
    UnixTime(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}
