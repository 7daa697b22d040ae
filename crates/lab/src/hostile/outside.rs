//! Connects clients as if outside of the realm's machine: MQTT 5 and HTTP over TLS, from a chosen address.

use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::limits;
use crate::load::packet::{self, PacketSplitter};
use crate::load::person::PersonIdentifiers;

/// Size of one read. TLS has no larger record.
const READ_BYTES: usize = 16 * 1_024;

/// The realm's encrypted endpoints.
#[derive(Clone)]
pub(super) struct EncryptedEndpoints {
    pub(super) https: SocketAddr,
    pub(super) mqtts: SocketAddr,
    pub(super) config: Arc<ClientConfig>,
}

/// A connection of one client.
pub(super) type SecureStream = TlsStream<TcpStream>;

/// How a client connects.
#[derive(Clone, Debug)]
pub(super) struct DialOptions {
    pub(super) from: Ipv6Addr,
    /// Size of the receive buffer; `None` for the kernel's.
    pub(super) receive_bytes: Option<u32>,
    /// The protocol for ALPN, if any.
    pub(super) protocol: Option<&'static str>,
}

impl DialOptions {
    pub(super) fn of(from: Ipv6Addr) -> DialOptions {
        DialOptions { from, receive_bytes: None, protocol: None }
    }
}

impl EncryptedEndpoints {
    /// Connects and completes the TLS handshake.
    pub(super) async fn dial(&self, to: SocketAddr, options: &DialOptions) -> Result<SecureStream> {
        let socket = TcpSocket::new_v6()?;
        if let Some(bytes) = options.receive_bytes {
            socket.set_recv_buffer_size(bytes)?;
        }
        socket.bind(SocketAddr::from((options.from, 0)))?;
        let config = match options.protocol {
            None => Arc::clone(&self.config),
            Some(protocol) => {
                let mut config = ClientConfig::clone(&self.config);
                config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
                Arc::new(config)
            }
        };
        let dialled = async {
            let stream = socket.connect(to).await?;
            stream.set_nodelay(true)?;
            let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
            TlsConnector::from(config).connect(name, stream).await
        };
        let stream = timeout(limits::ANSWER_TIMEOUT, dialled).await;
        Ok(stream.with_context(|| format!("{to} did not answer in {:?}", limits::ANSWER_TIMEOUT))??)
    }
}

/// A client of MQTT 5.
pub(super) struct SecureMqttClient {
    pub(super) stream: SecureStream,
    splitter: PacketSplitter,
    scratch: Vec<u8>,
}

impl SecureMqttClient {
    /// Connects with a token, and subscribes if there are filters.
    pub(super) async fn enter(
        server: &EncryptedEndpoints,
        from: Ipv6Addr,
        visitor: &ClientCredentials,
        filters: &[String],
    ) -> Result<SecureMqttClient> {
        let stream = server.dial(server.mqtts, &DialOptions::of(from)).await?;
        let mut client = SecureMqttClient { stream, splitter: PacketSplitter::default(), scratch: vec![0; READ_BYTES] };
        let ClientCredentials { name, token } = visitor;
        let mut hello = vec![packet::connect_v5(&name.user_client, &name.account, token)];
        if !filters.is_empty() {
            hello.push(packet::subscribe_v5(1, filters));
        }
        for packet in hello {
            let kind = if packet.first() == Some(&0x10) { packet::CONNACK } else { packet::SUBACK };
            client.send(&packet).await?;
            let reason = client.answer(kind, 1).await?;
            ensure!(reason < 0x80, "the server refused: {kind:#x} with reason {reason:#x}");
        }
        Ok(client)
    }

    pub(super) async fn send(&mut self, packet: &[u8]) -> Result<()> {
        self.stream.write_all(packet).await?;
        Ok(self.stream.flush().await?)
    }

    /// Publishes with QoS 1; returns the reason code of the acknowledgement.
    pub(super) async fn publish(&mut self, topic: &str, payload: &[u8], packet_id: u16) -> Result<u8> {
        self.send(&packet::publish_v5(topic, payload, Some(packet_id))).await?;
        self.answer(packet::PUBACK, packet_id).await
    }

    /// Reads until a packet of this kind answers the packet id.
    async fn answer(&mut self, kind: u8, packet_id: u16) -> Result<u8> {
        let mut reason = None;
        let reading = async {
            while reason.is_none() {
                let length = self.stream.read(&mut self.scratch).await?;
                ensure!(length > 0, "the server ended the connection");
                let bytes = self.scratch.get(..length).unwrap_or_default();
                self.splitter.feed(bytes, |packet| {
                    if packet.first() == Some(&kind) && reason.is_none() {
                        reason = packet::reason_v5(packet, packet_id);
                    }
                })?;
            }
            Ok::<(), anyhow::Error>(())
        };
        match timeout(limits::ANSWER_TIMEOUT, reading).await {
            Ok(read) => read?,
            Err(_) => bail!("no answer {kind:#x} in {:?}", limits::ANSWER_TIMEOUT),
        }
        reason.context("the loop ends with a reason")
    }
}

/// The names of a client, and its token.
#[derive(Clone, Debug)]
pub(super) struct ClientCredentials {
    pub(super) name: PersonIdentifiers,
    pub(super) token: String,
}

/// One HTTP response.
pub(super) struct HttpsAnswer {
    pub(super) status: u16,
    /// Status line and fields.
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

/// One HTTP request.
#[derive(Clone, Copy, Debug)]
pub(super) struct HttpsRequest<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// Complete lines.
    pub(super) fields: &'a str,
    pub(super) body: &'a str,
}

impl<'a> HttpsRequest<'a> {
    pub(super) fn get(path: &'a str, fields: &'a str) -> HttpsRequest<'a> {
        HttpsRequest { method: "GET", path, fields, body: "" }
    }

    pub(super) fn post(path: &'a str, fields: &'a str, body: &'a str) -> HttpsRequest<'a> {
        HttpsRequest { method: "POST", path, fields, body }
    }

    /// The request as HTTP/1.1.
    pub(super) fn text(&self, port: u16) -> String {
        let HttpsRequest { method, path, fields, body } = self;
        let content = match *method {
            "GET" => String::new(),
            _ => format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()),
        };
        format!("{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\n{fields}{content}\r\n{body}")
    }
}

/// The field of a token.
pub(super) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

/// An HTTP/1.1 connection for several requests.
pub(super) struct HttpsConnection {
    stream: BufReader<SecureStream>,
    port: u16,
}

impl HttpsConnection {
    pub(super) async fn open(server: &EncryptedEndpoints, from: Ipv6Addr) -> Result<HttpsConnection> {
        let stream = server.dial(server.https, &DialOptions::of(from)).await?;
        Ok(HttpsConnection { stream: BufReader::new(stream), port: server.https.port() })
    }

    /// Sends a request and reads its response, of any status.
    pub(super) async fn ask(&mut self, request: &HttpsRequest<'_>) -> Result<HttpsAnswer> {
        let answer = timeout(limits::ANSWER_TIMEOUT, self.exchange(request)).await;
        answer.with_context(|| format!("{} got no answer in {:?}", request.path, limits::ANSWER_TIMEOUT))?
    }

    /// Sends a request and reads its response. A status other than 2xx is an error.
    pub(super) async fn fetch(&mut self, request: &HttpsRequest<'_>) -> Result<HttpsAnswer> {
        let answer = self.ask(request).await?;
        if (200..300).contains(&answer.status) {
            return Ok(answer);
        }
        bail!("{}: status {}: {:.200}", request.path, answer.status, String::from_utf8_lossy(&answer.body))
    }

    async fn exchange(&mut self, request: &HttpsRequest<'_>) -> Result<HttpsAnswer> {
        self.stream.write_all(request.text(self.port).as_bytes()).await?;
        self.stream.flush().await?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.stream.read_line(&mut head).await?;
            ensure!(read > 0, "{}: the connection ended", request.path);
        }
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.with_context(|| format!("{}: no status: {head:.200}", request.path))?;
        let mut body = Vec::new();
        match length_of(&head) {
            BodyFraming::Bytes(length) => {
                body.resize(length, 0);
                self.stream.read_exact(&mut body).await?;
            }
            BodyFraming::Chunks => self.read_chunks(&mut body).await?,
        }
        Ok(HttpsAnswer { status, head, body })
    }

    async fn read_chunks(&mut self, body: &mut Vec<u8>) -> Result<()> {
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await?;
            let length = usize::from_str_radix(line.trim(), 16).context("a chunk without a length")?;
            let from = body.len();
            // The line end after the chunk is read with it.
            body.resize(from + length + 2, 0);
            self.stream.read_exact(body.get_mut(from..).unwrap_or_default()).await?;
            body.truncate(from + length);
            if length == 0 {
                return Ok(());
            }
        }
    }
}

/// The extent of a response's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyFraming {
    Bytes(usize),
    Chunks,
}

/// The length of a response's body, by its fields. Without such a field there is no body, since connections are kept.
fn length_of(head: &str) -> BodyFraming {
    if value_of(head, "transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        return BodyFraming::Chunks;
    }
    BodyFraming::Bytes(value_of(head, "content-length").and_then(|value| value.parse().ok()).unwrap_or(0))
}

/// The first value of a field.
pub(super) fn value_of<'a>(head: &'a str, field: &str) -> Option<&'a str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(name, _)| name.eq_ignore_ascii_case(field)).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_has_a_content_length_and_a_get_has_none() {
        assert_eq!(HttpsRequest::get("/a", "X: 1\r\n").text(7), "GET /a HTTP/1.1\r\nHost: localhost:7\r\nX: 1\r\n\r\n");
        assert!(HttpsRequest::post("/a", "", "{}").text(7).ends_with("Content-Length: 2\r\n\r\n{}"));
    }

    #[test]
    fn body_framing_is_read_from_the_response_head() {
        assert_eq!(length_of("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"), BodyFraming::Bytes(12));
        assert_eq!(length_of("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"), BodyFraming::Chunks);
        assert_eq!(length_of("HTTP/1.1 204 No Content\r\n\r\n"), BodyFraming::Bytes(0));
        assert_eq!(value_of("a\r\nSet-Cookie: x=1; Path=/\r\n", "set-cookie"), Some("x=1; Path=/"));
    }
}
