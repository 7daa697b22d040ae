//! An MQTT client inside the realm's process. It publishes with QoS 1 over a pipe, under the same rules as any client.

use bytes::Bytes;
use stoa_net::connection::MqttConnectionService;
use stoa_state::origin::ConnectionOrigin;
use stoa_wire::packet::{Connect, Decoder, MqttVersion, Packet, Publish, PublishProperties, Qos, ReasonCode, encode};
use stoa_wire::topic::Topic;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

/// A failed publish.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoopbackError {
    /// The pipe is closed: the realm is shutting down.
    #[error("the realm ended the conversation: {0}")]
    Broken(#[from] std::io::Error),
    /// The realm sent an invalid packet, or our topic is invalid.
    #[error("the conversation with the realm failed: {0}")]
    Malformed(String),
    /// The realm refused the message.
    #[error("the realm refused with {code} {reason}")]
    Refused {
        /// MQTT 5's reason code.
        code: ReasonCode,
        /// Its reason string.
        reason: String,
    },
}

/// A connected client.
pub(super) struct Loopback {
    io: DuplexStream,
    decoder: Decoder,
    packet_id: u16,
}

impl Loopback {
    /// Runs `conversation` with a client that is connected under `token`.
    ///
    /// # Errors
    /// [`LoopbackError`].
    pub(super) async fn with<T>(
        intake: &MqttConnectionService,
        (client_id, subject, token): (&str, &str, String),
        conversation: impl AsyncFnOnce(&mut Loopback) -> Result<T, LoopbackError>,
    ) -> Result<T, LoopbackError> {
        let (ours, theirs) = tokio::io::duplex(64 * 1_024);
        let talking = async {
            let mut client = Loopback { io: ours, decoder: Decoder::for_client(MqttVersion::V5), packet_id: 0 };
            client.connect(client_id, subject, token).await?;
            conversation(&mut client).await
        };
        let (result, ()) = tokio::join!(talking, intake.serve(ConnectionOrigin::Here, theirs));
        result
    }

    async fn connect(&mut self, client_id: &str, subject: &str, token: String) -> Result<(), LoopbackError> {
        let connect = Connect::new(MqttVersion::V5, client_id).with_credentials(subject, Bytes::from(token));
        self.send(&Packet::Connect(connect)).await?;
        match self.receive().await? {
            Packet::ConnAck(answer) if answer.code == ReasonCode::SUCCESS => Ok(()),
            Packet::ConnAck(answer) => {
                Err(LoopbackError::Refused { code: answer.code, reason: answer.properties.reason.unwrap_or_default() })
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Publishes and awaits the acknowledgement, which for persistent objects means that they are on disk.
    ///
    /// # Errors
    /// [`LoopbackError`].
    pub(super) async fn publish(&mut self, topic: &str, payload: Bytes) -> Result<(), LoopbackError> {
        self.send_message(topic, payload).await?;
        self.receive_acknowledgement().await
    }

    async fn send_message(&mut self, topic: &str, payload: Bytes) -> Result<(), LoopbackError> {
        self.packet_id = self.packet_id % u16::MAX + 1;
        let publish = Publish {
            topic: Topic::parse(topic).map_err(|_| LoopbackError::Malformed(format!("{topic:?} is no topic")))?,
            payload,
            qos: Qos::AtLeastOnce,
            retain: false,
            dup: false,
            packet_id: Some(self.packet_id),
            properties: PublishProperties::default(),
        };
        self.send(&Packet::Publish(publish)).await
    }

    async fn receive_acknowledgement(&mut self) -> Result<(), LoopbackError> {
        match self.receive().await? {
            Packet::PubAck(answer) if !answer.code.is_error() => Ok(()),
            Packet::PubAck(answer) => {
                Err(LoopbackError::Refused { code: answer.code, reason: answer.reason.unwrap_or_default() })
            }
            other => Err(unexpected(&other)),
        }
    }

    async fn send(&mut self, packet: &Packet) -> Result<(), LoopbackError> {
        for part in encode(packet, MqttVersion::V5).parts() {
            self.io.write_all(part).await?;
        }
        Ok(())
    }

    async fn receive(&mut self) -> Result<Packet, LoopbackError> {
        loop {
            let decoded = self.decoder.next_packet().map_err(|error| LoopbackError::Malformed(error.to_string()))?;
            if let Some(packet) = decoded {
                return Ok(packet);
            }
            let mut buffer = [0; 1_024];
            let length = self.io.read(&mut buffer).await?;
            if length == 0 {
                return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
            }
            self.decoder.feed(&buffer[..length]);
        }
    }
}

fn unexpected(packet: &Packet) -> LoopbackError {
    LoopbackError::Malformed(format!("unexpected {packet:?}"))
}
