//! Counters of a UDP socket, including the drops that only the kernel counts.

use std::fs;
use std::os::fd::AsRawFd;

/// Monotonic counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketCounts {
    /// Datagrams received.
    pub received: u64,
    /// Bytes received.
    pub received_bytes: u64,
    /// System calls that received them.
    pub receive_calls: u64,
    /// Datagrams dropped because the socket's receive buffer was full.
    pub overflowed: u64,
    /// Datagrams sent.
    pub sent: u64,
    /// Bytes sent.
    pub sent_bytes: u64,
    /// System calls that sent them.
    pub send_calls: u64,
    /// Datagrams dropped because the socket's send buffer stayed full.
    pub unsent_full: u64,
    /// Datagrams that the system refused, for instance without a route or above the path's MTU; or whose receiver has
    /// port 0.
    pub unsent_refused: u64,
}

impl SocketCounts {
    /// Sum of two counts, field by field.
    pub(super) fn plus(self, other: SocketCounts) -> SocketCounts {
        SocketCounts {
            received: self.received + other.received,
            received_bytes: self.received_bytes + other.received_bytes,
            receive_calls: self.receive_calls + other.receive_calls,
            overflowed: self.overflowed + other.overflowed,
            sent: self.sent + other.sent,
            sent_bytes: self.sent_bytes + other.sent_bytes,
            send_calls: self.send_calls + other.send_calls,
            unsent_full: self.unsent_full + other.unsent_full,
            unsent_refused: self.unsent_refused + other.unsent_refused,
        }
    }
}

/// Reads a socket's receive drops from `/proc/self/net/udp` and `udp6`, by its inode. Doesn't keep the socket open.
#[derive(Clone, Debug)]
pub(crate) struct ReceiveDropReader {
    inode: String,
}

impl ReceiveDropReader {
    /// `None` if the system doesn't report it.
    pub(crate) fn of(socket: &impl AsRawFd) -> Option<ReceiveDropReader> {
        let link = fs::read_link(format!("/proc/self/fd/{}", socket.as_raw_fd())).ok()?;
        let inode = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned();
        Some(ReceiveDropReader { inode })
    }

    /// Drops so far; 0 if the system doesn't report them. The file is read because quinn-udp doesn't pass on the
    /// per-datagram count (`SO_RXQ_OVFL`), and once a second is enough.
    pub(crate) fn count(&self) -> u64 {
        let tables = ["/proc/self/net/udp6", "/proc/self/net/udp"];
        tables.iter().filter_map(|table| drops(&fs::read_to_string(table).ok()?, &self.inode)).sum()
    }
}

pub(super) fn overflowed(socket: &impl AsRawFd) -> u64 {
    ReceiveDropReader::of(socket).map_or(0, |overflow| overflow.count())
}

/// Reads the last column of the socket's line.
fn drops(table: &str, inode: &str) -> Option<u64> {
    let line = table.lines().skip(1).find(|line| line.split_whitespace().nth(9) == Some(inode))?;
    line.split_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_are_the_last_column_of_the_sockets_own_line() {
        let table = "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n\
            1: 0100007F:20FC 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4242 2 0000000000000000 17\n\
            2: 0100007F:20FD 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4243 2 0000000000000000 0\n";
        assert_eq!(drops(table, "4242"), Some(17));
        assert_eq!(drops(table, "4243"), Some(0));
        assert_eq!(drops(table, "424"), None, "not a part of a number");
    }
}
