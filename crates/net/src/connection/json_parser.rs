//! Parses the JSON of long messages on a thread of low priority, so that they don't delay the realm's task.
//!
//! A reader handles one packet at a time and waits here for its turn, so a connection with long messages is read more
//! slowly. Addresses take turns. Messages without long JSON wait for no turn.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, PayerClass, PayerClassBounds, Resource};
use stoa_state::mqtt::received_packet::ReceivedPacket;
use stoa_state::time::Time;
use stoa_wire::envelope::{ParsedPayload, parsed_bytes_max, structural_characters};
use stoa_wire::packet::Packet;
use stoa_wire::reason::Refusal;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::{LargePacketQueuePermit, SourceConnection};
use crate::background::{BackgroundThreads, ComputationPayer};
use crate::limits;

/// The bound of all connections. A reader doesn't know the client of its connection, so all of them are one class, in
/// which addresses share.
const BOUNDS: [PayerClassBounds; 1] = [PayerClassBounds {
    resource: Resource::JsonStructure,
    class: PayerClass::Guests,
    own: None,
    shared: Bound::Rate { per_s: limits::JSON_STRUCTURE_PER_S, burst: limits::JSON_STRUCTURE_BURST },
    of: "structural characters of JSON a second in long messages of all clients",
}];

/// A packet whose payload takes long to parse.
pub(super) struct LongPayloadPacket {
    pub(super) packet: Packet,
    /// The payload, shared with the packet.
    pub(super) payload: Bytes,
    /// Bytes of the packet.
    pub(super) size_bytes: usize,
}

/// Parses one payload at a time for all connections.
#[derive(Debug)]
pub(super) struct LongPayloadParser {
    zero: Instant,
    ledger: Mutex<Ledger>,
    threads: BackgroundThreads,
    /// KiB of parsed payloads that may be queued.
    pub(super) permits: Arc<Semaphore>,
}

impl LongPayloadParser {
    pub(super) fn new(threads: BackgroundThreads) -> LongPayloadParser {
        LongPayloadParser {
            zero: Instant::now(),
            ledger: Mutex::new(Ledger::new(&BOUNDS, Time::ZERO)),
            threads,
            permits: Arc::new(Semaphore::new(limits::PARSED_KIB_MAX)),
        }
    }

    /// Parses a payload, and takes its packet's share of the queue's `permits`. A payload above the fair share of its
    /// connection is refused unparsed.
    pub(super) async fn parse(
        &self,
        source: SourceConnection,
        long: LongPayloadPacket,
        permits: &Arc<Semaphore>,
    ) -> (ReceivedPacket, LargePacketQueuePermit) {
        let LongPayloadPacket { packet, payload, size_bytes } = long;
        if let Some(refusal) = self.charge(source, structural_characters(&payload)) {
            let parsed = Some(ParsedPayload::refused(refusal));
            return (ReceivedPacket { packet, parsed }, LargePacketQueuePermit::take(permits, size_bytes).await);
        }
        let packet_permit = LargePacketQueuePermit::take(permits, size_bytes).await;
        let (permits, runtime) = (Arc::clone(&self.permits), Handle::current());
        let payer = ComputationPayer::of(source.origin.network(), &source.connection.0.to_string());
        // Only a payload whose turn it is waits for the large share that it may need, and keeps the turn meanwhile. The
        // packet may then wait for long, if the realm pauses its connection, and holds what it needs.
        let parsing = self.threads.run(payer, move || {
            let kib = |bytes: usize| bytes.div_ceil(1_024);
            let most = u32::try_from(kib(parsed_bytes_max(&payload))).unwrap_or(u32::MAX);
            let mut share = runtime.block_on(permits.acquire_many_owned(most)).ok();
            let parsed = ParsedPayload::of(&payload);
            if let Some(share) = &mut share {
                let excess = share.num_permits().saturating_sub(kib(parsed.size_bytes()));
                drop(share.split(excess));
            }
            (parsed, share)
        });
        let (parsed, share) = parsing.await;
        let permit = LargePacketQueuePermit { _parsed: share, ..packet_permit };
        (ReceivedPacket { packet, parsed: Some(parsed) }, permit)
    }

    /// Charges a connection before its payload is parsed. Returns the refusal if it is above its fair share.
    fn charge(&self, source: SourceConnection, structure: usize) -> Option<Refusal> {
        let now = Time::ZERO + self.zero.elapsed();
        let mut ledger = self.ledger.lock().expect("no code panics while it holds this lock");
        let network = source.origin.network();
        let payer = ledger.address_payer(&source.connection.0.to_string(), network, now);
        let cost = Cost { resource: Resource::JsonStructure, amount: structure as u64 };
        match ledger.charge(now, payer, cost) {
            ChargeVerdict::Pass | ChargeVerdict::Slow(_) => None,
            ChargeVerdict::Refuse(refusal) => Some(refusal),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use stoa_state::connection_id::ConnectionId;
    use stoa_wire::envelope::Envelope;
    use stoa_wire::packet::{Publish, PublishProperties, Qos};
    use stoa_wire::reason::Reason;
    use stoa_wire::topic::{SceneTopic, Topic};

    use super::*;

    #[test]
    fn a_flood_of_one_network_is_refused_while_other_networks_are_served() {
        let parser = LongPayloadParser::new(BackgroundThreads::start(1).unwrap());
        let source = |id: u64, address: [u8; 4]| SourceConnection {
            connection: ConnectionId(id),
            origin: IpAddr::from(address).into(),
        };
        let flood = source(1, [192, 0, 2, 1]);
        let accepted = (0..10_000).take_while(|_| parser.charge(flood, 10_000).is_none()).count();
        assert!((1_800..10_000).contains(&accepted), "the burst, and then it is refused: {accepted}");
        assert!(parser.charge(flood, 10_000).is_some());
        assert!(parser.charge(source(2, [198, 51, 100, 7]), 10_000).is_none());
    }

    #[tokio::test]
    async fn a_payload_above_the_fair_share_is_refused_without_waiting_for_the_parser() {
        let parser = LongPayloadParser::new(BackgroundThreads::start(1).unwrap());
        let source = SourceConnection { connection: ConnectionId(1), origin: IpAddr::from([192, 0, 2, 1]).into() };
        let topic = Topic::parse("realm/s/public/lobby/o/ada_0123456789_web/any").unwrap();
        let scene_topic = SceneTopic::parse(topic.as_str()).unwrap().unwrap();
        let payload = Bytes::from("[".repeat(10_000));
        let permits = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        let refusal = async || {
            let publish = Publish {
                topic: topic.clone(),
                payload: payload.clone(),
                qos: Qos::AtMostOnce,
                retain: false,
                dup: false,
                packet_id: None,
                properties: PublishProperties::default(),
            };
            let size_bytes = payload.len();
            let long = LongPayloadPacket { packet: Packet::Publish(publish), payload: payload.clone(), size_bytes };
            let (received, _permit) = parser.parse(source, long, &permits).await;
            Envelope::on_parsed(&scene_topic, &payload, received.parsed).unwrap_err().reason
        };
        assert_eq!(refusal().await, Reason::TooDeep, "negative control: it is parsed");
        while parser.charge(source, 10_000).is_none() {}
        let (end, wait) = std::sync::mpsc::channel::<()>();
        let mut parsing =
            Box::pin(parser.threads.run(ComputationPayer::of(None, "other"), move || wait.recv().is_err()));
        let is_parsing = tokio::time::timeout(std::time::Duration::ZERO, parsing.as_mut()).await.is_err();
        let refused = tokio::time::timeout(std::time::Duration::ZERO, refusal()).await;
        assert!(is_parsing);
        assert_eq!(refused.expect("it needs no turn"), Reason::Flood);
        drop(end);
        assert!(parsing.await);
    }
}
