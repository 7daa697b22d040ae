//! A small MQTT client over any transport, made of `stoa_wire`'s codec.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use stoa_net::websocket::{Role, WebSocketIo};
use stoa_wire::packet::{
    Connect, Decoder, MqttVersion, Packet, Publish, PublishProperties, Qos, ReasonCode, RetainHandling, Subscribe,
    SubscriptionRequest, encode,
};
use stoa_wire::topic::Topic;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::running::{PATIENCE, Running};

pub(crate) trait Io: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Io for T {}

pub(crate) struct Client {
    io: Box<dyn Io>,
    version: MqttVersion,
    decoder: Decoder,
}

/// Plain TCP.
pub(crate) async fn tcp(server: &Running) -> Box<dyn Io> {
    Box::new(TcpStream::connect(server.ports.mqtt.unwrap()).await.unwrap())
}

/// TLS, trusting only the realm's own authority.
pub(crate) async fn tls(server: &Running) -> Box<dyn Io> {
    tls_to(server, server.ports.mqtts.unwrap()).await
}

/// TLS to any of the server's addresses.
pub(crate) async fn tls_to(server: &Running, address: SocketAddr) -> Box<dyn Io> {
    let stream = TcpStream::connect(address).await.unwrap();
    let connector = tokio_rustls::TlsConnector::from(trusting(&server.data.join("tls/ca.pem")));
    Box::new(connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap())
}

/// WebSocket over plain HTTP.
pub(crate) async fn websocket(server: &Running) -> Box<dyn Io> {
    Box::new(WebSocketIo::over(websocket_stream(server).await, Role::Client).await)
}

/// A WebSocket after its opening handshake.
pub(crate) async fn websocket_stream(server: &Running) -> TcpStream {
    let address = server.ports.http.unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET /mqtt/ HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(timeout(PATIENCE, stream.read_u8()).await.expect("an answer in time").unwrap());
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    assert!(head.starts_with("http/1.1 101"), "{head}");
    assert!(head.contains("sec-websocket-protocol: mqtt\r\n"), "{head}");
    stream
}

fn trusting(ca: &Path) -> Arc<rustls::ClientConfig> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(ca).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_root_certificates(roots).with_no_client_auth())
}

impl Client {
    /// Connects and returns the CONNACK's code.
    pub(crate) async fn connect(io: Box<dyn Io>, who: (&str, &str), token: &str) -> (Client, ReasonCode) {
        let version = MqttVersion::V5;
        let mut client = Client { io, version, decoder: Decoder::for_client(version) };
        let (subject, client_id) = who;
        let connect = Connect {
            keep_alive_s: 60,
            ..Connect::new(version, client_id).with_credentials(subject, Bytes::from(token.to_owned()))
        };
        client.send(&Packet::Connect(connect)).await;
        let Packet::ConnAck(answer) = client.receive().await else { panic!("CONNACK comes first") };
        (client, answer.code)
    }

    pub(crate) async fn subscribe(&mut self, filter: &str) {
        let subscription = SubscriptionRequest {
            filter: filter.to_owned(),
            qos: Qos::AtMostOnce,
            no_local: true,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        self.send(&Packet::Subscribe(Subscribe {
            packet_id: 1,
            subscriptions: vec![subscription],
            subscription_id: None,
        }))
        .await;
        let Packet::SubAck(answer) = self.receive().await else { panic!("SUBACK comes next") };
        assert!(answer.codes.iter().all(|code| !code.is_error()), "{answer:?}");
    }

    /// Publishes with QoS 1 and returns the PUBACK's code.
    pub(crate) async fn publish(&mut self, topic: &str, payload: &serde_json::Value) -> ReasonCode {
        let publish = Publish {
            topic: Topic::parse(topic).unwrap(),
            payload: Bytes::from(payload.to_string()),
            qos: Qos::AtLeastOnce,
            retain: false,
            dup: false,
            packet_id: Some(7),
            properties: PublishProperties::default(),
        };
        self.send(&Packet::Publish(publish)).await;
        loop {
            if let Packet::PubAck(answer) = self.receive().await {
                return answer.code;
            }
        }
    }

    /// Topic and payload of the next message.
    pub(crate) async fn message(&mut self) -> (String, serde_json::Value) {
        loop {
            if let Packet::Publish(publish) = self.receive().await {
                return (publish.topic.to_string(), serde_json::from_slice(&publish.payload).unwrap());
            }
        }
    }

    async fn send(&mut self, packet: &Packet) {
        for part in encode(packet, self.version).parts() {
            self.io.write_all(part).await.unwrap();
        }
        self.io.flush().await.unwrap();
    }

    pub(crate) async fn receive(&mut self) -> Packet {
        loop {
            if let Some(packet) = self.decoder.next_packet().unwrap() {
                return packet;
            }
            let mut buffer = [0; 4_096];
            let length = timeout(PATIENCE, self.io.read(&mut buffer)).await.expect("a packet in time").unwrap();
            assert_ne!(length, 0, "the server ended the connection");
            self.decoder.feed(&buffer[..length]);
        }
    }
}
