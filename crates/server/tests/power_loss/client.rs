//! A small MQTT 5 client that records acknowledgements.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use stoa_wire::packet::{
    Connect, Decoder, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, RetainHandling, Subscribe,
    SubscriptionRequest, Will, encode,
};
use stoa_wire::topic::Topic;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A longer wait means that the server hangs.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Client {
    io: TcpStream,
    decoder: Decoder,
    next_id: u16,
    /// Unacknowledged messages by packet id.
    pub(crate) unsure: BTreeMap<u16, (String, u64)>,
    /// The greatest acknowledged number by topic.
    pub(crate) sure: BTreeMap<String, u64>,
    /// QoS 2: packet ids that the server has received.
    pub(crate) received: BTreeSet<u16>,
    pub(crate) session_present: bool,
}

/// A message of QoS 1 or 2.
pub(crate) struct Said<'a> {
    pub(crate) topic: &'a str,
    pub(crate) payload: String,
    pub(crate) qos: Qos,
    pub(crate) retain: bool,
}

/// A message for a client that may be offline.
pub(crate) fn letter(text: impl ToString, qos: Qos) -> Said<'static> {
    Said { topic: "mail/cy", payload: text.to_string(), qos, retain: false }
}

impl Client {
    /// Connects with a persistent session. The client id is the name.
    pub(crate) async fn connect(address: SocketAddr, (name, token): (&str, &str), will: Option<Will>) -> Client {
        let connect = Connect {
            clean_start: false,
            keep_alive_s: 60,
            will,
            session_expiry_s: Some(3_600),
            ..Connect::new(MqttVersion::V5, name).with_credentials(name, Bytes::from(token.to_owned()))
        };
        let mut client = Client {
            io: TcpStream::connect(address).await.unwrap(),
            decoder: Decoder::for_client(MqttVersion::V5),
            next_id: 0,
            unsure: BTreeMap::new(),
            sure: BTreeMap::new(),
            received: BTreeSet::new(),
            session_present: false,
        };
        client.send(&Packet::Connect(connect)).await;
        let Packet::ConnAck(answer) = client.receive().await else { panic!("CONNACK comes first") };
        assert!(!answer.code.is_error(), "{answer:?}");
        client.session_present = answer.session_present;
        client
    }

    pub(crate) async fn subscribe(&mut self, filter: &str) {
        let (qos, retain_handling) = (Qos::ExactlyOnce, RetainHandling::Send);
        let filter = filter.to_owned();
        let subscription =
            SubscriptionRequest { filter, qos, no_local: false, retain_as_published: false, retain_handling };
        let subscriptions = vec![subscription];
        self.send(&Packet::Subscribe(Subscribe { packet_id: 60_000, subscriptions, subscription_id: None })).await;
        while !matches!(self.receive().await, Packet::SubAck(_)) {}
    }

    /// Sends a message without waiting for an answer.
    pub(crate) async fn say(&mut self, said: Said<'_>, number: u64) {
        self.next_id += 1;
        self.unsure.insert(self.next_id, (said.topic.to_owned(), number));
        self.publish(said, self.next_id, false).await;
    }

    pub(crate) async fn publish(&mut self, said: Said<'_>, id: u16, dup: bool) {
        let Said { topic, payload, qos, retain } = said;
        let (topic, payload, properties) =
            (Topic::parse(topic).unwrap(), Bytes::from(payload), PublishProperties::default());
        self.send(&Packet::Publish(Publish { topic, payload, qos, retain, dup, packet_id: Some(id), properties }))
            .await;
    }

    /// QoS 2: lets the server forget a packet id.
    pub(crate) async fn release(&mut self, id: u16) {
        self.send(&Packet::PubRel(PublishAck::success(id))).await;
        while !matches!(self.receive().await, Packet::PubComp(_)) {}
    }

    /// The next packet. Acknowledgements are recorded.
    pub(crate) async fn receive(&mut self) -> Packet {
        let packet = self.read().await;
        let known = match &packet {
            Packet::PubAck(ack) => self.unsure.remove(&ack.packet_id),
            Packet::PubRec(ack) => {
                self.received.insert(ack.packet_id);
                self.unsure.remove(&ack.packet_id)
            }
            _ => None,
        };
        if let (
            Some((topic, number)),
            Packet::PubAck(PublishAck { code, .. }) | Packet::PubRec(PublishAck { code, .. }),
        ) = (known, &packet)
        {
            assert!(!code.is_error(), "{topic}: {packet:?}");
            let sure = self.sure.entry(topic).or_default();
            *sure = number.max(*sure);
        }
        packet
    }

    pub(crate) async fn send(&mut self, packet: &Packet) {
        for part in encode(packet, MqttVersion::V5).parts() {
            self.io.write_all(part).await.unwrap();
        }
    }

    async fn read(&mut self) -> Packet {
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
