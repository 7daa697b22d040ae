//! What of a client survives a reconnect: its subscriptions, and the messages of QoS 1 and 2 under way in both directions.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::packet::{Ack, Code, Delivery, Forward, Frame, Packet, Publish, Qos, Version, encode};
use stoa_wire::topic_filter::TopicFilter;

use super::connection::Violation;
use super::routes::Wanted;
use crate::connection_id::ConnectionId;
use crate::limits;
use crate::time::Time;

/// A session's number; a later session may get it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionId(pub usize);

/// What a delivery must know of the connection that has a session, in one place: it is looked at once for each receiver.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Which.
    pub connection: ConnectionId,
    /// What it speaks.
    pub version: Version,
    /// When its grant ends, and with it all delivery.
    pub grant_ends_at: Time,
    /// The largest packet that it takes.
    pub packet_bytes_max: usize,
}

/// One client's session.
#[derive(Debug)]
pub struct Session {
    /// Whose: only the same subject may take it over.
    pub subject: String,
    /// The client's name for it.
    pub client_id: String,
    /// Different for each session ever.
    pub serial: u64,
    /// The connection that has it.
    pub attached: Option<Attachment>,
    /// How long it outlives a connection.
    pub expiry: Duration,
    /// When it ends, while it has no connection.
    pub expires_at: Option<Time>,
    /// What it wants.
    pub subscriptions: BTreeMap<TopicFilter, Wanted>,
    /// Whether one message may match two of its subscriptions. It then can't share what others get by one of them.
    pub overlaps: bool,
    /// Towards the client.
    pub outgoing: Outgoing,
    /// From the client.
    pub incoming: Incoming,
}

impl Session {
    /// A new session.
    pub fn new(subject: String, client_id: String, serial: u64) -> Session {
        Session {
            subject,
            client_id,
            serial,
            attached: None,
            expiry: Duration::ZERO,
            expires_at: None,
            subscriptions: BTreeMap::new(),
            overlaps: false,
            outgoing: Outgoing::default(),
            incoming: Incoming::default(),
        }
    }
}

impl Session {
    /// Adds or changes a subscription. True if the session did not overlap before and does now: then all its routes have to be refreshed.
    pub fn subscribe(&mut self, filter: &TopicFilter, wanted: Wanted) -> bool {
        let overlapped = self.overlaps;
        self.overlaps |= self.subscriptions.keys().any(|other| other != filter && other.overlaps(filter));
        self.subscriptions.insert(filter.clone(), wanted);
        self.overlaps && !overlapped
    }
}

/// A message of QoS 1 or 2 for one client.
#[derive(Clone, Debug)]
pub struct Queued {
    /// The message.
    pub publish: Arc<Publish>,
    /// Its bytes, where it was encoded for the version that the client speaks.
    pub forward: Option<(Version, Forward)>,
    /// At which it goes to this client.
    pub qos: Qos,
    /// With which flag.
    pub retain: bool,
}

impl Queued {
    fn frame(&mut self, version: Version, packet_id: u16, dup: bool) -> Frame {
        let delivery = Delivery { qos: self.qos, packet_id, retain: self.retain, dup };
        match &self.forward {
            Some((encoded, forward)) if *encoded == version => forward.to(delivery),
            _ => {
                let forward = Forward::new(&self.publish, version);
                let frame = forward.to(delivery);
                self.forward = Some((version, forward));
                frame
            }
        }
    }
}

#[derive(Debug)]
enum Stage {
    /// Sent; not yet acknowledged or received.
    Sent(Queued),
    /// QoS 2: received, released, not yet complete.
    Released,
}

#[derive(Debug)]
struct InFlight {
    packet_id: u16,
    stage: Stage,
}

/// The client does not keep up, and what waits for it has reached its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Messages of QoS 1 and 2 towards a client.
#[derive(Debug)]
pub struct Outgoing {
    version: Version,
    in_flight_max: usize,
    in_flight: VecDeque<InFlight>,
    pending: VecDeque<Queued>,
    pending_bytes: usize,
    last_packet_id: u16,
}

impl Default for Outgoing {
    fn default() -> Outgoing {
        Outgoing {
            version: Version::V311,
            in_flight_max: 0,
            in_flight: VecDeque::new(),
            pending: VecDeque::new(),
            pending_bytes: 0,
            last_packet_id: 0,
        }
    }
}

impl Outgoing {
    /// A connection is there: what was under way is sent again, then what waited.
    pub fn resume(&mut self, version: Version, receive_max: Option<u16>) -> Vec<Frame> {
        self.version = version;
        self.in_flight_max = receive_max.map_or(limits::IN_FLIGHT_MAX, usize::from).min(limits::IN_FLIGHT_MAX);
        let again = |sent: &mut InFlight| match &mut sent.stage {
            Stage::Sent(queued) => queued.frame(version, sent.packet_id, true),
            Stage::Released => encode(&Packet::PubRel(Ack::success(sent.packet_id)), version),
        };
        let mut frames: Vec<Frame> = self.in_flight.iter_mut().map(again).collect();
        self.send_pending(&mut frames);
        frames
    }

    /// The connection is gone: everything waits.
    pub fn pause(&mut self) {
        self.in_flight_max = 0;
    }

    /// Forgets the messages that the client may not have any more.
    pub fn retain(&mut self, may_receive: impl Fn(&Publish) -> bool) {
        self.in_flight.retain(|sent| match &sent.stage {
            Stage::Sent(queued) => may_receive(&queued.publish),
            Stage::Released => true,
        });
        self.pending.retain(|queued| may_receive(&queued.publish));
        self.pending_bytes = self.pending.iter().map(|queued| queued.publish.payload.len()).sum();
    }

    /// Takes a message. `None` where it waits. Errors: [`Full`], if `connected`; else the oldest gives way.
    pub fn push(&mut self, mut queued: Queued, connected: bool) -> Result<Option<Frame>, Full> {
        if self.in_flight.len() < self.in_flight_max && self.pending.is_empty() {
            let packet_id = self.next_packet_id();
            let frame = queued.frame(self.version, packet_id, false);
            self.in_flight.push_back(InFlight { packet_id, stage: Stage::Sent(queued) });
            return Ok(Some(frame));
        }
        let size = queued.publish.payload.len();
        while self.pending.len() >= limits::PENDING_MAX || self.pending_bytes + size > limits::PENDING_BYTES_MAX {
            if connected {
                return Err(Full);
            }
            let oldest = self.pending.pop_front().ok_or(Full)?;
            self.pending_bytes -= oldest.publish.payload.len();
        }
        self.pending_bytes += size;
        self.pending.push_back(queued);
        Ok(None)
    }

    fn next_packet_id(&mut self) -> u16 {
        loop {
            self.last_packet_id = self.last_packet_id.checked_add(1).unwrap_or(1);
            let taken = self.in_flight.iter().any(|sent| sent.packet_id == self.last_packet_id);
            if !taken {
                return self.last_packet_id;
            }
        }
    }

    fn send_pending(&mut self, frames: &mut Vec<Frame>) {
        while self.in_flight.len() < self.in_flight_max {
            let Some(mut queued) = self.pending.pop_front() else {
                return;
            };
            self.pending_bytes -= queued.publish.payload.len();
            let packet_id = self.next_packet_id();
            frames.push(queued.frame(self.version, packet_id, false));
            self.in_flight.push_back(InFlight { packet_id, stage: Stage::Sent(queued) });
        }
    }

    /// PUBACK, or PUBCOMP: the message has arrived. What may follow now is returned.
    pub fn handle_done(&mut self, packet_id: u16) -> Vec<Frame> {
        self.in_flight.retain(|sent| sent.packet_id != packet_id);
        let mut frames = Vec::new();
        self.send_pending(&mut frames);
        frames
    }

    /// PUBREC.
    pub fn handle_received(&mut self, ack: &Ack) -> Vec<Frame> {
        if ack.code.is_error() {
            return self.handle_done(ack.packet_id);
        }
        let known = self.in_flight.iter_mut().find(|sent| sent.packet_id == ack.packet_id);
        let code = if known.is_some() { Code::SUCCESS } else { Code::PACKET_IDENTIFIER_NOT_FOUND };
        if let Some(sent) = known {
            sent.stage = Stage::Released;
        }
        let release = Packet::PubRel(Ack { packet_id: ack.packet_id, code, reason: None });
        alloc::vec![encode(&release, self.version)]
    }
}

/// Where a message of QoS 1 or 2 from the client stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    /// Its acknowledgement waits for the store.
    Held,
    /// QoS 2: PUBREC is sent.
    Received,
}

/// Messages of QoS 1 and 2 from a client.
#[derive(Debug, Default)]
pub struct Incoming {
    taken: BTreeMap<u16, Taken>,
}

/// What to do with a PUBLISH of QoS 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is new.
    New,
    /// It was taken and its acknowledgement is on its way.
    Ignore,
    /// QoS 2: it was received; say so again.
    ReceivedAgain,
}

impl Incoming {
    /// Errors: more is under way than the server said it takes. To 3.1.1 it can't say it; there the packet ids are the bound.
    pub fn handle_publish(&mut self, packet_id: u16, version: Version) -> Result<Arrival, Violation> {
        match self.taken.get(&packet_id) {
            Some(Taken::Held) => Ok(Arrival::Ignore),
            Some(Taken::Received) => Ok(Arrival::ReceivedAgain),
            None if version == Version::V5 && self.taken.len() >= usize::from(limits::RECEIVE_MAX) => Err(Violation {
                code: Code::RECEIVE_MAXIMUM_EXCEEDED,
                reason: "more messages under way than the receive maximum",
            }),
            None => {
                self.taken.insert(packet_id, Taken::Held);
                Ok(Arrival::New)
            }
        }
    }

    /// The acknowledgement goes out; false where the message is no longer known (the session was cleared).
    pub fn acknowledge(&mut self, packet_id: u16, qos: Qos, code: Code) -> bool {
        let known = self.taken.remove(&packet_id).is_some();
        if known && qos == Qos::ExactlyOnce && !code.is_error() {
            self.taken.insert(packet_id, Taken::Received);
        }
        known
    }

    /// PUBREL. The answer's code.
    pub fn handle_release(&mut self, packet_id: u16) -> Code {
        match self.taken.get(&packet_id) {
            Some(Taken::Received) => {
                self.taken.remove(&packet_id);
                Code::SUCCESS
            }
            _ => Code::PACKET_IDENTIFIER_NOT_FOUND,
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use stoa_wire::packet::PublishProperties;
    use stoa_wire::topic::Topic;

    use super::*;

    fn queued(text: &'static str) -> Queued {
        let publish = Publish {
            topic: Topic::parse("a").unwrap(),
            payload: Bytes::from_static(text.as_bytes()),
            qos: Qos::AtLeastOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties::default(),
        };
        Queued { publish: Arc::new(publish), forward: None, qos: Qos::AtLeastOnce, retain: false }
    }

    #[test]
    fn what_was_not_acknowledged_is_sent_again_as_duplicate() {
        let mut outgoing = Outgoing::default();
        outgoing.resume(Version::V5, None);
        let first = outgoing.push(queued("x"), true).unwrap().expect("goes out at once");
        outgoing.pause();
        assert_eq!(outgoing.push(queued("y"), false), Ok(None), "negative control: nothing goes out while away");
        let again = outgoing.resume(Version::V5, None);
        assert_eq!(again.len(), 2);
        assert_eq!(first.parts()[0][0] & 8, 0);
        assert_eq!(again[0].parts()[0][0] & 8, 8);
        assert_eq!(again[1].parts()[0][0] & 8, 0);
        assert!(outgoing.handle_done(1).is_empty());
        outgoing.pause();
        assert_eq!(outgoing.resume(Version::V5, None).len(), 1, "the acknowledged one does not come again");
    }

    #[test]
    fn no_more_than_the_receive_maximum_is_under_way() {
        let mut outgoing = Outgoing::default();
        outgoing.resume(Version::V5, Some(1));
        assert!(outgoing.push(queued("x"), true).unwrap().is_some());
        assert!(outgoing.push(queued("y"), true).unwrap().is_none());
        assert_eq!(outgoing.handle_done(1).len(), 1);
    }

    #[test]
    fn a_client_away_loses_the_oldest_and_one_that_is_there_is_told() {
        let mut outgoing = Outgoing::default();
        for _ in 0..limits::PENDING_MAX {
            outgoing.push(queued("x"), false).unwrap();
        }
        assert_eq!(outgoing.push(queued("y"), true), Err(Full));
        assert_eq!(outgoing.push(queued("y"), false), Ok(None));
        assert_eq!(outgoing.pending.len(), limits::PENDING_MAX);
    }

    #[test]
    fn a_message_of_qos_2_is_taken_once() {
        let mut incoming = Incoming::default();
        assert_eq!(incoming.handle_publish(5, Version::V5), Ok(Arrival::New));
        assert_eq!(incoming.handle_publish(5, Version::V5), Ok(Arrival::Ignore), "while the store has not answered");
        assert!(incoming.acknowledge(5, Qos::ExactlyOnce, Code::SUCCESS));
        assert_eq!(incoming.handle_publish(5, Version::V5), Ok(Arrival::ReceivedAgain));
        assert_eq!(incoming.handle_release(5), Code::SUCCESS);
        assert_eq!(incoming.handle_release(5), Code::PACKET_IDENTIFIER_NOT_FOUND);
        assert_eq!(incoming.handle_publish(5, Version::V5), Ok(Arrival::New), "the id is free again");
    }
}
