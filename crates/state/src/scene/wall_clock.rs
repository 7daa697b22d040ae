//! Wall-clock times of stored objects: milliseconds in memory, ISO 8601 in UTC in arena-persist's records.

use core::fmt;
use core::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::time::{Time, UnixSeconds};

/// Milliseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(pub u64);

impl UnixMillis {
    /// The wall clock's reading at `now`, in a server that started at `unix_at_zero`.
    pub fn at(unix_at_zero: UnixSeconds, now: Time) -> UnixMillis {
        UnixMillis(unix_at_zero.0.saturating_mul(1_000).saturating_add(now.as_nanos() / 1_000_000))
    }

    /// Converts to the state machines' time; earlier times become the server's start.
    pub fn since(self, unix_at_zero: UnixSeconds) -> Time {
        Time::ZERO + Duration::from_millis(self.0.saturating_sub(unix_at_zero.0.saturating_mul(1_000)))
    }
}

impl fmt::Display for UnixMillis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = i64::try_from(self.0).unwrap_or(i64::MAX);
        write!(formatter, "{:.3}", Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX))
    }
}

impl Serialize for UnixMillis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for UnixMillis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UnixMillis, D::Error> {
        let text = alloc::string::String::deserialize(deserializer)?;
        let timestamp: Timestamp = text.parse().map_err(de::Error::custom)?;
        u64::try_from(timestamp.as_millisecond()).map(UnixMillis).map_err(de::Error::custom)
    }
}
