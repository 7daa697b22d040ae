//! Connects one person by MQTT over plain TCP, or over a WebSocket with TLS.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rustls::ClientConfig;
use serde::Serialize;

use super::packet::{self, PacketSplitter};
use super::secure::SecureWebSocket;
use crate::limits;
use crate::search::LoadNotCarried;

/// The transport to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MqttTransport {
    /// Plain TCP
    Tcp,
    /// Secure WebSocket
    Wss,
}

/// A server's address for one transport.
#[derive(Clone, Debug)]
pub(crate) enum MqttEndpoint {
    /// MQTT over TCP.
    Plain(SocketAddr),
    /// MQTT over a secure WebSocket at this path.
    Secure { address: SocketAddr, path: &'static str, config: Arc<ClientConfig> },
}

enum ConnectionStream {
    Plain(TcpStream),
    Secure(Box<SecureWebSocket>),
}

/// A connection that sends bytes and receives packets.
pub(crate) struct MqttConnection {
    stream: ConnectionStream,
    splitter: PacketSplitter,
    unsent: Vec<u8>,
}

impl MqttConnection {
    /// Connects, sends the `hello` packets and waits for each answer. Blocking; afterwards the socket is
    /// non-blocking.
    pub(crate) fn enter(endpoint: &MqttEndpoint, hello: &[Vec<u8>]) -> Result<MqttConnection> {
        let stream = match endpoint {
            MqttEndpoint::Plain(address) => ConnectionStream::Plain(open(*address)?),
            MqttEndpoint::Secure { address, path, config } => {
                ConnectionStream::Secure(Box::new(SecureWebSocket::open(open(*address)?, path, Arc::clone(config))?))
            }
        };
        let mut connection = MqttConnection { stream, splitter: PacketSplitter::default(), unsent: Vec::new() };
        let mut scratch = vec![0; limits::READ_BYTES];
        for packet in hello {
            connection.send(packet)?;
            let answer = match packet.first() {
                Some(0x10) => packet::CONNACK,
                _ => packet::SUBACK,
            };
            connection.await_answer(answer, &mut scratch)?;
        }
        connection.socket().set_nonblocking(true)?;
        Ok(connection)
    }

    fn await_answer(&mut self, kind: u8, scratch: &mut [u8]) -> Result<()> {
        let (mut answered, asked_at) = (None, Instant::now());
        while answered.is_none() {
            if asked_at.elapsed() >= limits::ANSWER_TIMEOUT {
                bail!(LoadNotCarried(format!("the server did not answer {kind:#x} in {:?}", limits::ANSWER_TIMEOUT)));
            }
            let open = self.receive(scratch, |packet| {
                if packet.first() == Some(&kind) {
                    answered = Some(packet.to_vec());
                }
            })?;
            if !open {
                bail!(LoadNotCarried(format!("the server closed the connection instead of answering {kind:#x}")));
            }
        }
        // The last byte of CONNACK and SUBACK is the code. 0x80 and above are refusals, and so is any nonzero code
        // of a CONNACK.
        match answered.as_deref() {
            Some([.., code]) if *code < 0x80 && (kind != packet::CONNACK || *code == 0) => Ok(()),
            refused => bail!("the server refused: {refused:02x?}"),
        }
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        match &self.stream {
            ConnectionStream::Plain(stream) => stream,
            ConnectionStream::Secure(secure) => secure.socket(),
        }
    }

    /// Sends a packet. Bytes that the socket does not accept are kept for the next call.
    pub(crate) fn send(&mut self, packet: &[u8]) -> Result<()> {
        match &mut self.stream {
            ConnectionStream::Secure(secure) => secure.seal(packet, &mut self.unsent)?,
            ConnectionStream::Plain(stream) if self.unsent.is_empty() => {
                let taken = written(stream, packet)?;
                self.unsent.extend_from_slice(&packet[taken..]);
                return Ok(());
            }
            ConnectionStream::Plain(_) => self.unsent.extend_from_slice(packet),
        }
        self.flush()
    }

    /// Sends the kept bytes.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if self.unsent.is_empty() {
            return Ok(());
        }
        let taken = match &mut self.stream {
            ConnectionStream::Plain(stream) => written(stream, &self.unsent)?,
            ConnectionStream::Secure(secure) => written(secure.socket_mut(), &self.unsent)?,
        };
        self.unsent.drain(..taken);
        if self.unsent.len() > limits::UNSENT_BYTES_MAX {
            bail!(LoadNotCarried("the server no longer reads".to_owned()));
        }
        Ok(())
    }

    /// Reads once; returns false at the stream's end. `take` gets each complete packet.
    pub(crate) fn receive(&mut self, scratch: &mut [u8], mut take: impl FnMut(&[u8])) -> Result<bool> {
        let splitter = &mut self.splitter;
        match &mut self.stream {
            ConnectionStream::Plain(stream) => match stream.read(scratch) {
                Ok(0) => Ok(false),
                Ok(length) => splitter.feed(&scratch[..length], take).map(|()| true),
                Err(error) if is_patience(&error) => Ok(true),
                Err(error) => Err(error).context("reading"),
            },
            ConnectionStream::Secure(secure) => secure.receive(scratch, |bytes| splitter.feed(bytes, &mut take)),
        }
    }
}

fn open(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, limits::ANSWER_TIMEOUT)
        .with_context(|| format!("connecting to {address}"))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(limits::ANSWER_TIMEOUT))?;
    Ok(stream)
}

/// Whether the error only means that nothing can be read or written now.
pub(super) fn is_patience(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock || error.kind() == io::ErrorKind::Interrupted
}

fn written(stream: &mut TcpStream, bytes: &[u8]) -> Result<usize> {
    match stream.write(bytes) {
        Ok(taken) => Ok(taken),
        Err(error) if is_patience(&error) => Ok(0),
        Err(error) => Err(error).context("writing"),
    }
}
