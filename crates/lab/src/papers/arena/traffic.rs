//! Reads the bytes and segments that TCP sent, by the program `ss`. The kernel counts them for each connection
//! (`TCP_INFO`).

use std::net::SocketAddr;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// Bytes of a segment's headers: IPv4, TCP, and the time stamps that Linux adds; Ethernet headers are not included.
/// Segments longer than Ethernet's count once: the loopback network takes 64 KiB at a time.
pub(crate) const SEGMENT_BYTES: u64 = 20 + 20 + 12;
/// Bytes of a datagram's headers: IPv4 and UDP.
pub(crate) const UDP_BYTES: u64 = 20 + 8;

/// Traffic to clients of all connections to a server's port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SentTcpTraffic {
    pub(crate) sent_bytes: u64,
    pub(crate) sent_segments: u64,
}

impl SentTcpTraffic {
    /// Reads the counters.
    pub(crate) fn of(server: SocketAddr) -> Result<SentTcpTraffic> {
        let filter = format!("sport = :{}", server.port());
        let output = Command::new("ss").args(["-tinHO", &filter]).output().context("the program ss (iproute2)")?;
        ensure!(output.status.success(), "ss: {}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(SentTcpTraffic::read(&String::from_utf8_lossy(&output.stdout)))
    }

    /// Sums one line for each connection.
    fn read(lines: &str) -> SentTcpTraffic {
        let mut sum = SentTcpTraffic::default();
        for word in lines.split_whitespace() {
            let Some((name, count)) = word.split_once(':') else { continue };
            let counter = match name {
                "bytes_sent" => &mut sum.sent_bytes,
                "segs_out" => &mut sum.sent_segments,
                _ => continue,
            };
            *counter += count.parse().unwrap_or(0);
        }
        sum
    }

    pub(crate) fn since(self, before: SentTcpTraffic) -> SentTcpTraffic {
        SentTcpTraffic {
            sent_bytes: self.sent_bytes - before.sent_bytes,
            sent_segments: self.sent_segments - before.sent_segments,
        }
    }

    /// Bytes of IP packets, with empty acknowledgements.
    pub(crate) fn sent_ip_bytes(self) -> u64 {
        self.sent_bytes + self.sent_segments * SEGMENT_BYTES
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;

    #[test]
    fn sent_bytes_and_segments_of_all_connections_are_added_up() {
        let lines = "ESTAB 0 0 127.0.0.1:1 127.0.0.1:2 bbr bytes_sent:2044 bytes_acked:2000 bytes_received:1520 segs_out:7 segs_in:10 data_segs_out:6\n\
                     ESTAB 0 0 127.0.0.1:1 127.0.0.1:3 cubic bytes_sent:6 segs_out:3 segs_in:2";
        let sum = SentTcpTraffic::read(lines);
        let expected = SentTcpTraffic { sent_bytes: 2_050, sent_segments: 10 };
        assert_eq!((sum, sum.sent_ip_bytes()), (expected, 2_050 + 520));
        assert_eq!(SentTcpTraffic::read(""), SentTcpTraffic::default());
    }

    #[test]
    fn sent_bytes_are_read_from_the_kernels_counters() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("its address");
        let mut client = TcpStream::connect(address).expect("it listens");
        let (mut server, _) = listener.accept().expect("somebody comes");
        // Without `ss` the experiment fails with an error, and there is nothing to test.
        let Ok(before) = SentTcpTraffic::of(address) else { return };
        server.write_all(&[7; 1_000]).expect("it is open");
        client.read_exact(&mut [0; 1_000]).expect("it comes");
        let sent = SentTcpTraffic::of(address).expect("as before").since(before);
        assert_eq!(sent.sent_bytes, 1_000);
        assert!(sent.sent_segments >= 1, "{sent:?}");
    }
}
