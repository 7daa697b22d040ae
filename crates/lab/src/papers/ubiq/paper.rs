//! Reads Ubiq's Table I, and computes the load of its rows.

use anyhow::Result;
use serde::Deserialize;

use crate::papers::numbers;

/// A row of Table I, with the columns used here.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct MessageRow {
    pub(super) peers: u32,
    pub(super) rate_hz: u32,
    pub(super) padding_bytes: u32,
    /// Traffic of all peers, as the paper's server counted it.
    messages_per_s: f64,
    in_mb_per_s: f64,
    /// Sent to all peers.
    pub(super) out_mb_per_s: f64,
}

/// One person's load in a row: messages a second, and their size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OfferedLoadPerPeer {
    pub(super) messages_per_s: f64,
    pub(super) bytes: usize,
}

/// A message of Ubiq without padding: bytes received over messages received, in the rows without padding (48 to 66
/// B).
const MESSAGE_BYTES: f64 = 50.0;

/// All rows of Table I.
pub(super) fn rows() -> Result<Vec<MessageRow>> {
    numbers::UBIQ_ROWS.read()
}

impl MessageRow {
    /// The load of each peer: at least as many messages and bytes as the row's parameters require, and as the paper's
    /// server counted. (At 10 and 60 Hz that server counted 1.5 to 3.5 times as many messages as updates. At 1,000 Hz
    /// the peers did not reach the rate.)
    pub(super) fn work(self) -> OfferedLoadPerPeer {
        let (peers, rate_hz) = (f64::from(self.peers), f64::from(self.rate_hz));
        let messages_per_s = rate_hz.max(self.messages_per_s / peers);
        let asked_per_s = rate_hz * (MESSAGE_BYTES + f64::from(self.padding_bytes));
        let bytes_per_s = asked_per_s.max(self.in_mb_per_s * 1e6 / peers);
        OfferedLoadPerPeer { messages_per_s, bytes: (bytes_per_s / messages_per_s).ceil() as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_of_every_row_is_at_least_that_of_the_paper() {
        let rows = rows().expect("they are there");
        assert_eq!(rows.len(), 12);
        for row in &rows {
            let OfferedLoadPerPeer { messages_per_s, bytes } = row.work();
            assert!(
                messages_per_s >= f64::from(row.rate_hz) && messages_per_s >= row.messages_per_s / f64::from(row.peers)
            );
            let bytes_per_s = messages_per_s * bytes as f64;
            assert!(bytes_per_s >= row.in_mb_per_s * 1e6 / f64::from(row.peers) - 1e-6, "{row:?}");
            assert!(bytes_per_s >= f64::from(row.rate_hz * (50 + row.padding_bytes)) - 1e-6, "{row:?}");
        }
        assert_eq!(rows[11].work(), OfferedLoadPerPeer { messages_per_s: 1_000.0, bytes: 1_550 });
    }
}
