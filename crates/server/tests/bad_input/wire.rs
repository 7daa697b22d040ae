//! A client that sends any packet, in MQTT 3.1.1 or 5.

use bytes::Bytes;
use stoa_wire::packet::{
    ConnAck, Connect, Decoder, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, ReasonCode,
    RetainHandling, Subscribe, SubscriptionRequest, encode,
};
use stoa_wire::topic::Topic;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::client::Io;
use crate::running::PATIENCE;

/// A client's credentials and the ids in its topics.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(crate) username: String,
    pub(crate) client_id: String,
    pub(crate) token: String,
    /// Tokens 5 and 6 of the topics it publishes to.
    pub(crate) user_client: String,
    pub(crate) id_tag: String,
}

pub(crate) struct Wire {
    io: Box<dyn Io>,
    version: MqttVersion,
    decoder: Decoder,
}

impl Wire {
    /// A client over a transport on which nothing was sent yet.
    pub(crate) fn over(io: Box<dyn Io>, version: MqttVersion) -> Wire {
        Wire { io, version, decoder: Decoder::for_client(version) }
    }

    pub(crate) async fn connect(io: Box<dyn Io>, version: MqttVersion, credentials: &Credentials) -> (Wire, ConnAck) {
        let mut wire = Wire::over(io, version);
        wire.send(&Packet::Connect(connect(version, credentials))).await;
        let Some(Packet::ConnAck(answer)) = wire.next().await else { panic!("CONNACK comes first") };
        (wire, answer)
    }

    pub(crate) async fn send(&mut self, packet: &Packet) {
        let frame = encode(packet, self.version);
        self.send_bytes(&frame.parts().concat()).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.io.write_all(bytes).await.unwrap();
        self.io.flush().await.unwrap();
    }

    /// The next packet; `None` if the server closed the connection.
    pub(crate) async fn next(&mut self) -> Option<Packet> {
        loop {
            if let Some(packet) = self.decoder.next_packet().unwrap() {
                return Some(packet);
            }
            let mut buffer = [0; 4_096];
            match timeout(PATIENCE, self.io.read(&mut buffer)).await.expect("something in time") {
                Ok(length @ 1..) => self.decoder.feed(&buffer[..length]),
                Ok(0) | Err(_) => return None,
            }
        }
    }

    /// Subscribes and returns the SUBACK's code.
    pub(crate) async fn subscribe(&mut self, filter: &str) -> ReasonCode {
        let subscription = SubscriptionRequest {
            filter: filter.to_owned(),
            qos: Qos::AtMostOnce,
            no_local: false,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        let subscriptions = vec![subscription];
        self.send(&Packet::Subscribe(Subscribe { packet_id: 1, subscriptions, subscription_id: None })).await;
        let Some(Packet::SubAck(answer)) = self.next().await else { panic!("SUBACK comes next") };
        answer.codes[0]
    }

    /// Sends a message of QoS 1 and returns its PUBACK.
    pub(crate) async fn publish(&mut self, topic: &str, payload: &[u8]) -> PublishAck {
        self.send(&publish(topic, payload, Qos::AtLeastOnce)).await;
        loop {
            match self.next().await {
                Some(Packet::PubAck(ack)) => return ack,
                Some(_) => {}
                None => panic!("the server ended the connection"),
            }
        }
    }

    /// Topic and payload of the next message.
    pub(crate) async fn message(&mut self) -> (String, String) {
        loop {
            match self.next().await {
                Some(Packet::Publish(publish)) => {
                    return (publish.topic.to_string(), String::from_utf8_lossy(&publish.payload).into_owned());
                }
                Some(_) => {}
                None => panic!("the server ended the connection"),
            }
        }
    }
}

pub(crate) fn publish(topic: &str, payload: &[u8], qos: Qos) -> Packet {
    Packet::Publish(Publish {
        topic: Topic::parse(topic).unwrap(),
        payload: Bytes::copy_from_slice(payload),
        qos,
        retain: false,
        dup: false,
        packet_id: (qos != Qos::AtMostOnce).then_some(7),
        properties: PublishProperties::default(),
    })
}

pub(crate) fn connect(version: MqttVersion, credentials: &Credentials) -> Connect {
    Connect {
        keep_alive_s: 60,
        ..Connect::new(version, credentials.client_id.clone())
            .with_credentials(credentials.username.clone(), Bytes::from(credentials.token.clone()))
    }
}
