//! Carries a client's MQTT over WebSocket over TLS, as cheaply as possible: one large read, and complete records are
//! opened in place.

use std::io::Read;
use std::net::TcpStream;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::unbuffered::{ConnectionState, UnbufferedStatus};
use rustls::{CipherSuite, ClientConfig, RootCertStore};

use super::connection::is_patience;

/// Maximum overhead of records, messages and their headers for one packet.
const OVERHEAD_BYTES: usize = 256;
const HANDSHAKE_BYTES: usize = 16 * 1_024;

/// One connection.
pub(crate) struct SecureWebSocket {
    stream: TcpStream,
    tls: UnbufferedClientConnection,
    /// The start of an incomplete record.
    rest: Vec<u8>,
    frames: WebSocketFrameParser,
    scratch: Vec<u8>,
}

/// The settings of TLS for every server: 1.3 with AES-128-GCM only, the cheapest cipher on this kind of processor.
pub(crate) fn client_config(ca: CertificateDer<'static>) -> Result<Arc<ClientConfig>> {
    let mut provider = rustls::crypto::aws_lc_rs::default_provider();
    provider.cipher_suites.retain(|suite| suite.suite() == CipherSuite::TLS13_AES_128_GCM_SHA256);
    let mut roots = RootCertStore::empty();
    roots.add(ca)?;
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

impl SecureWebSocket {
    /// Performs the TLS handshake and the WebSocket upgrade; blocking.
    pub(crate) fn open(stream: TcpStream, path: &str, config: Arc<ClientConfig>) -> Result<SecureWebSocket> {
        let address = stream.peer_addr()?;
        let tls = UnbufferedClientConnection::new(config, ServerName::try_from("localhost")?)?;
        let frames = WebSocketFrameParser::default();
        let mut secure = SecureWebSocket { stream, tls, rest: Vec::new(), frames, scratch: vec![0; HANDSHAKE_BYTES] };
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n",
            address.port()
        );
        secure.shake_hands()?;
        let mut sealed = Vec::new();
        secure.seal_bytes(request.as_bytes(), &mut sealed)?;
        std::io::Write::write_all(&mut secure.stream, &sealed)?;
        let mut answer = Vec::new();
        let mut scratch = vec![0; HANDSHAKE_BYTES];
        while !answer.ends_with(b"\r\n\r\n") {
            let open = secure.receive_bytes(&mut scratch, |_, bytes| {
                answer.extend_from_slice(bytes);
                Ok(())
            })?;
            if !open || answer.len() > HANDSHAKE_BYTES {
                bail!("no WebSocket: {}", String::from_utf8_lossy(&answer));
            }
        }
        if !answer.starts_with(b"HTTP/1.1 101") {
            bail!("no WebSocket: {}", String::from_utf8_lossy(&answer));
        }
        Ok(secure)
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        &self.stream
    }

    pub(crate) fn socket_mut(&mut self) -> &mut TcpStream {
        &mut self.stream
    }

    fn shake_hands(&mut self) -> Result<()> {
        let mut incoming = vec![0; HANDSHAKE_BYTES];
        let mut filled = 0;
        let mut outgoing: Vec<u8> = Vec::new();
        loop {
            let UnbufferedStatus { discard, state } = self.tls.process_tls_records(&mut incoming[..filled]);
            let mut wants_more = false;
            let mut done = false;
            match state? {
                ConnectionState::EncodeTlsData(mut data) => {
                    let length = data.encode(&mut self.scratch)?;
                    outgoing.extend_from_slice(&self.scratch[..length]);
                }
                ConnectionState::TransmitTlsData(data) => {
                    std::io::Write::write_all(&mut self.stream, &outgoing)?;
                    outgoing.clear();
                    data.done();
                }
                ConnectionState::BlockedHandshake => wants_more = true,
                ConnectionState::WriteTraffic(_) => done = true,
                other => bail!("the TLS handshake went astray: {other:?}"),
            }
            incoming.copy_within(discard..filled, 0);
            filled -= discard;
            if done {
                self.rest = incoming[..filled].to_vec();
                return Ok(());
            }
            if wants_more {
                match self.stream.read(&mut incoming[filled..]).context("TLS handshake")? {
                    0 => bail!("the server ended the TLS handshake"),
                    length => filled += length,
                }
            }
        }
    }

    /// Appends one binary message to `into`, in TLS records.
    pub(crate) fn seal(&mut self, packet: &[u8], into: &mut Vec<u8>) -> Result<()> {
        let mut message = vec![0x82];
        match packet.len() {
            short @ ..126 => message.push(0x80 | short as u8),
            long => {
                message.push(0x80 | 126);
                message.extend_from_slice(&u16::try_from(long)?.to_be_bytes());
            }
        }
        // Masking with zeros leaves the bytes unchanged.
        message.extend_from_slice(&[0; 4]);
        message.extend_from_slice(packet);
        self.seal_bytes(&message, into)
    }

    fn seal_bytes(&mut self, bytes: &[u8], into: &mut Vec<u8>) -> Result<()> {
        let UnbufferedStatus { state, .. } = self.tls.process_tls_records(&mut []);
        let ConnectionState::WriteTraffic(mut traffic) = state? else { bail!("TLS takes no data now") };
        let start = into.len();
        into.resize(start + bytes.len() + OVERHEAD_BYTES, 0);
        let length = traffic.encrypt(bytes, &mut into[start..])?;
        into.truncate(start + length);
        Ok(())
    }

    /// Reads once; `take` gets the MQTT bytes. Returns false at the stream's end.
    pub(crate) fn receive(&mut self, scratch: &mut [u8], mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<bool> {
        self.receive_bytes(scratch, |frames, bytes| frames.feed(bytes, &mut take))
    }

    fn receive_bytes(
        &mut self,
        scratch: &mut [u8],
        mut take: impl FnMut(&mut WebSocketFrameParser, &[u8]) -> Result<()>,
    ) -> Result<bool> {
        let kept = self.rest.len();
        scratch[..kept].copy_from_slice(&self.rest);
        let length = match self.stream.read(&mut scratch[kept..]) {
            Ok(length) => length,
            Err(error) if is_patience(&error) => return Ok(true),
            Err(error) => return Err(error).context("reading"),
        };
        let mut from = 0;
        let filled = kept + length;
        loop {
            let UnbufferedStatus { mut discard, state } = self.tls.process_tls_records(&mut scratch[from..filled]);
            let mut more = true;
            match state? {
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        let record = record?;
                        discard += record.discard;
                        take(&mut self.frames, record.payload)?;
                    }
                }
                ConnectionState::EncodeTlsData(mut data) => {
                    // A reply of TLS itself (a key update). It is small enough for the socket to accept.
                    let length = data.encode(&mut self.scratch)?;
                    std::io::Write::write_all(&mut self.stream, &self.scratch[..length])?;
                }
                ConnectionState::TransmitTlsData(data) => data.done(),
                ConnectionState::PeerClosed | ConnectionState::Closed => return Ok(false),
                _ => more = false,
            }
            from += discard;
            if !more {
                self.rest.clear();
                self.rest.extend_from_slice(&scratch[from..filled]);
                return Ok(length > 0);
            }
        }
    }
}

/// Parser state of the WebSocket stream.
#[derive(Debug, Default)]
struct WebSocketFrameParser {
    left: u64,
    binary: bool,
    head: Vec<u8>,
}

impl WebSocketFrameParser {
    fn feed(&mut self, mut bytes: &[u8], take: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        while !bytes.is_empty() {
            if self.left > 0 {
                let length = bytes.len().min(usize::try_from(self.left)?);
                if self.binary {
                    take(&bytes[..length])?;
                }
                bytes = &bytes[length..];
                self.left -= length as u64;
                continue;
            }
            self.head.push(bytes[0]);
            bytes = &bytes[1..];
            let (wanted, short) = match self.head.get(1).map(|byte| byte & 0x7f) {
                None => continue,
                Some(126) => (4, 0),
                Some(127) => (10, 0),
                Some(short) => (2, u64::from(short)),
            };
            if self.head.len() == wanted {
                let long = self.head[2..].iter().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
                self.left = if wanted == 2 { short } else { long };
                // Continuation frames count as binary too: MQTT servers send no text, and pings carry nothing
                // relevant.
                self.binary = self.head[0] & 0x08 == 0;
                self.head.clear();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn websocket_payloads_are_parsed_from_a_stream_split_at_any_size() {
        let mut stream = vec![0x82, 3, 1, 2, 3, 0x89, 1, 9, 0x82, 126, 1, 0];
        stream.extend([7; 256]);
        stream.extend([0x82, 127, 0, 0, 0, 0, 0, 0, 0, 2, 8, 8]);
        let expected = [vec![1, 2, 3], vec![7; 256], vec![8, 8]].concat();
        for cut in 1..stream.len() {
            let (mut frames, mut found) = (WebSocketFrameParser::default(), Vec::new());
            for piece in stream.chunks(cut) {
                let mut take = |bytes: &[u8]| {
                    found.extend_from_slice(bytes);
                    Ok(())
                };
                frames.feed(piece, &mut take).expect("well-formed");
            }
            assert_eq!(found, expected, "in pieces of {cut}");
        }
    }
}
