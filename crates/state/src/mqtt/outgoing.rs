//! QoS 1 and 2 messages to a client: in flight until acknowledged, and repeated in order after a reconnect.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::Bytes;
use stoa_wire::packet::{
    DeliveryOptions, EncodedPacket, EncodedPublish, MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode,
    ReceiverProperties, encode, encode_continued,
};

use super::stored::{SessionWrite, StoredDelivery, StoredMessage};
use crate::limits;
use crate::time::{Time, UnixSeconds};

/// A QoS 1 or 2 message for one client.
#[derive(Clone, Debug)]
pub struct QueuedMessage {
    pub publish: Arc<Publish>,
    /// The message's encoding for the client's protocol version, if made. Receivers share its bytes.
    pub forward: Option<EncodedPublish>,
    /// QoS of the delivery.
    pub qos: Qos,
    /// Retain flag of the delivery.
    pub retain: bool,
    /// MQTT 5: identifiers of the matching subscriptions.
    pub subscription_ids: Vec<u32>,
    /// Time of arrival, from which MQTT 5's expiry counts.
    pub taken_at: Time,
    /// Greater than that of every earlier delivery.
    pub number: u64,
    /// The message for the store, if the session survives a restart.
    pub kept: Option<StoredMessage>,
}

/// Adds a client's subscription identifiers and the remaining expiry to a message. `None` if it needs neither.
pub(crate) fn personal(publish: &Publish, subscription_ids: &[u32], waited_s: u64) -> Option<Publish> {
    let expiry_s = publish.properties.message_expiry_s;
    if subscription_ids.is_empty() && (expiry_s.is_none() || waited_s == 0) {
        return None;
    }
    let mut own = publish.clone();
    own.properties.subscription_ids = subscription_ids.to_vec();
    // A delivery that has begun continues after its expiry.
    own.properties.message_expiry_s =
        expiry_s.map(|seconds| seconds.saturating_sub(u32::try_from(waited_s).unwrap_or(u32::MAX)));
    Some(own)
}

/// Whether a message that arrived at `taken_at` has expired.
pub(crate) fn is_over(publish: &Publish, taken_at: Time, now: Time) -> bool {
    publish.properties.message_expiry_s.is_some_and(|seconds| now.since(taken_at).as_secs() >= u64::from(seconds))
}

impl QueuedMessage {
    /// The message's packet, which shares the payload with other receivers.
    fn frame(&self, version: MqttVersion, packet_id: u16, dup: bool, now: Time) -> EncodedPacket {
        let QueuedMessage { qos, retain, subscription_ids, .. } = self;
        let waited_s = now.since(self.taken_at).as_secs();
        match &self.forward {
            Some(forward) if forward.version() == version => {
                let delivery = DeliveryOptions { qos: *qos, packet_id, retain: *retain, dup };
                forward.to_subscriber(delivery, ReceiverProperties { subscription_ids, waited_s })
            }
            _ => {
                let own = personal(&self.publish, subscription_ids, waited_s);
                let own = own.unwrap_or_else(|| (*self.publish).clone());
                let (payload, packet_id) = (self.publish.payload.clone(), Some(packet_id));
                let begun = Publish { payload: Bytes::new(), qos: *qos, retain: *retain, dup, packet_id, ..own };
                encode_continued(&begun, payload, version)
            }
        }
    }

    fn size(&self) -> usize {
        self.publish.size_bytes()
    }
}

#[derive(Debug)]
enum DeliveryStage {
    /// Sent, without PUBACK or PUBREC.
    Sent(QueuedMessage),
    /// QoS 2: PUBREC arrived, PUBREL sent, without PUBCOMP.
    Released,
}

impl DeliveryStage {
    fn queued(&self) -> Option<&QueuedMessage> {
        match self {
            DeliveryStage::Sent(queued) => Some(queued),
            DeliveryStage::Released => None,
        }
    }
}

#[derive(Debug)]
struct InFlightMessage {
    packet_id: u16,
    number: u64,
    stage: DeliveryStage,
}

/// The client reads too slowly and its queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull;

/// The new connection of a session.
#[derive(Clone, Copy, Debug)]
pub struct ResumptionParameters {
    /// The client's protocol version.
    pub version: MqttVersion,
    /// MQTT 5: the client's Receive Maximum.
    pub receive_max: Option<u16>,
    /// Largest packet that the client accepts.
    pub packet_bytes_max: usize,
    /// Present time.
    pub now: Time,
}

/// QoS 1 and 2 messages to a client.
#[derive(Debug)]
pub struct OutboundMessages {
    version: MqttVersion,
    packet_bytes_max: usize,
    /// 0 while there is no connection.
    in_flight_max: usize,
    in_flight: VecDeque<InFlightMessage>,
    pending: VecDeque<QueuedMessage>,
    pending_bytes: usize,
    in_flight_bytes: usize,
    last_packet_id: u16,
    /// Whether changes are written to the store.
    is_kept: bool,
    writes: Vec<SessionWrite>,
}

impl Default for OutboundMessages {
    fn default() -> OutboundMessages {
        OutboundMessages {
            version: MqttVersion::V311,
            packet_bytes_max: usize::MAX,
            in_flight_max: 0,
            in_flight: VecDeque::new(),
            pending: VecDeque::new(),
            pending_bytes: 0,
            in_flight_bytes: 0,
            last_packet_id: 0,
            is_kept: false,
            writes: Vec::new(),
        }
    }
}

impl OutboundMessages {
    /// Restores the stored state. `deliveries` come by number, each with its message; an expired one has none.
    pub fn restored(deliveries: Vec<(StoredDelivery, Option<Publish>)>, now: Time) -> OutboundMessages {
        let mut outgoing = OutboundMessages { is_kept: true, ..OutboundMessages::default() };
        for (kept, publish) in deliveries {
            let StoredDelivery { number, qos, retain, subscription_ids, packet_id, released, .. } = kept;
            let queued = publish.map(|publish| QueuedMessage {
                publish: Arc::new(publish),
                forward: None,
                qos,
                retain,
                subscription_ids,
                taken_at: now,
                number,
                kept: None,
            });
            match (packet_id, queued) {
                (Some(packet_id), _) if released => {
                    outgoing.in_flight.push_back(InFlightMessage { packet_id, number, stage: DeliveryStage::Released });
                }
                (Some(packet_id), Some(queued)) => {
                    outgoing.in_flight_bytes += queued.size();
                    outgoing.in_flight.push_back(InFlightMessage {
                        packet_id,
                        number,
                        stage: DeliveryStage::Sent(queued),
                    });
                }
                (None, Some(queued)) => {
                    outgoing.pending_bytes += queued.size();
                    outgoing.pending.push_back(queued);
                }
                (_, None) => outgoing.note_arrived(number),
            }
        }
        outgoing
    }

    /// Returns all deliveries for the store.
    pub(crate) fn to_kept(&self, unix: impl Fn(Time) -> UnixSeconds) -> impl Iterator<Item = StoredDelivery> {
        let kept = move |queued: &QueuedMessage, packet_id: Option<u16>| StoredDelivery {
            number: queued.number,
            message: StoredMessage::new(&queued.publish, unix(queued.taken_at)),
            qos: queued.qos,
            retain: queued.retain,
            subscription_ids: queued.subscription_ids.clone(),
            packet_id,
            released: false,
        };
        let sent = self.in_flight.iter().map(|sent| (sent.number, Some(sent.packet_id), sent.stage.queued()));
        let pending = self.pending.iter().map(|queued| (queued.number, None, Some(queued)));
        sent.chain(pending).map(move |(number, packet_id, queued)| match queued {
            Some(queued) => kept(queued, packet_id),
            None => StoredDelivery::released(number, packet_id),
        })
    }

    /// Sets whether changes are written to the store.
    pub fn set_kept(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
    }

    /// Returns the writes since the last call.
    pub fn take_writes(&mut self) -> Vec<SessionWrite> {
        core::mem::take(&mut self.writes)
    }

    fn note(&mut self, write: SessionWrite) {
        if self.is_kept {
            self.writes.push(write);
        }
    }

    fn note_arrived(&mut self, number: u64) {
        self.note(SessionWrite::Arrived { number });
    }

    /// Bytes of the messages queued and in flight.
    pub fn bytes(&self) -> usize {
        self.pending_bytes + self.in_flight_bytes
    }

    /// Resumes on a new connection. Returns the in-flight packets again, then queued ones.
    pub fn resume(&mut self, resumption: ResumptionParameters) -> Vec<EncodedPacket> {
        let ResumptionParameters { version, receive_max, packet_bytes_max, now } = resumption;
        self.version = version;
        self.packet_bytes_max = packet_bytes_max;
        self.in_flight_max = receive_max.map_or(limits::IN_FLIGHT_MAX, usize::from).min(limits::IN_FLIGHT_MAX);
        let mut frames = Vec::new();
        for sent in core::mem::take(&mut self.in_flight) {
            let frame = match &sent.stage {
                DeliveryStage::Sent(queued) => queued.frame(version, sent.packet_id, true, now),
                DeliveryStage::Released => encode(&Packet::PubRel(PublishAck::success(sent.packet_id)), version),
            };
            if frame.len() > packet_bytes_max {
                self.forget(&sent);
                continue;
            }
            frames.push(frame);
            self.in_flight.push_back(sent);
        }
        self.send_pending(now, &mut frames);
        frames
    }

    /// Pauses at the end of a connection: new messages are queued.
    pub fn pause(&mut self) {
        self.in_flight_max = 0;
    }

    /// Drops messages that the client may no longer receive.
    pub fn retain(&mut self, may_receive: impl Fn(&Publish) -> bool) {
        for sent in core::mem::take(&mut self.in_flight) {
            match &sent.stage {
                DeliveryStage::Sent(queued) if !may_receive(&queued.publish) => self.forget(&sent),
                _ => self.in_flight.push_back(sent),
            }
        }
        for queued in core::mem::take(&mut self.pending) {
            if may_receive(&queued.publish) {
                self.pending.push_back(queued);
            } else {
                self.pending_bytes -= queued.size();
                self.note_arrived(queued.number);
            }
        }
    }

    /// Removes a message that is no longer in flight.
    fn forget(&mut self, sent: &InFlightMessage) {
        if let DeliveryStage::Sent(queued) = &sent.stage {
            self.in_flight_bytes -= queued.size();
        }
        self.note_arrived(sent.number);
    }

    /// Adds a message. Returns its packet, or `None` if it is queued. Errors: [`QueueFull`] with a connection;
    /// without one, the oldest message is dropped.
    pub fn push(&mut self, mut queued: QueuedMessage, now: Time) -> Result<Option<EncodedPacket>, QueueFull> {
        if self.pending.is_empty() && self.may_send(&queued) {
            return Ok(self.send(queued, now));
        }
        let size = queued.size();
        while self.pending.len() >= limits::PENDING_MAX || self.pending_bytes + size > limits::PENDING_BYTES_MAX {
            if self.in_flight_max > 0 || !self.drop_oldest() {
                return Err(QueueFull);
            }
        }
        self.note_queued(&mut queued, None);
        self.pending_bytes += size;
        self.pending.push_back(queued);
        Ok(None)
    }

    /// Drops a message of a session without a connection: the oldest queued one, else the oldest in flight. Returns
    /// false if there is none. A QoS 2 message in flight is released instead, so that its packet id remains in use
    /// until PUBCOMP.
    pub fn give_way(&mut self) -> bool {
        if self.drop_oldest() {
            return true;
        }
        let Some(place) = self.in_flight.iter().position(|sent| sent.stage.queued().is_some()) else {
            return false;
        };
        let InFlightMessage { packet_id, stage, .. } = &self.in_flight[place];
        if stage.queued().is_some_and(|queued| queued.qos == Qos::ExactlyOnce) {
            let packet_id = *packet_id;
            self.handle_received(packet_id);
        } else if let Some(sent) = self.in_flight.remove(place) {
            self.forget(&sent);
        }
        true
    }

    /// Drops the oldest queued message; false if there is none.
    fn drop_oldest(&mut self) -> bool {
        let Some(oldest) = self.pending.pop_front() else {
            return false;
        };
        self.pending_bytes -= oldest.size();
        self.note_arrived(oldest.number);
        true
    }

    fn note_queued(&mut self, queued: &mut QueuedMessage, packet_id: Option<u16>) {
        let Some(message) = queued.kept.take() else {
            return;
        };
        self.note(SessionWrite::Queued(StoredDelivery {
            number: queued.number,
            message,
            qos: queued.qos,
            retain: queued.retain,
            subscription_ids: queued.subscription_ids.clone(),
            packet_id,
            released: false,
        }));
    }

    /// Sends a message. `None` if it exceeds the client's largest packet, which counts as delivered (MQTT 5 section
    /// 3.1.2.11.4).
    fn send(&mut self, mut queued: QueuedMessage, now: Time) -> Option<EncodedPacket> {
        let packet_id = self.next_packet_id();
        let frame = queued.frame(self.version, packet_id, false, now);
        let was_written = queued.kept.is_none();
        if frame.len() > self.packet_bytes_max {
            if was_written {
                self.note_arrived(queued.number);
            }
            return None;
        }
        self.note_queued(&mut queued, Some(packet_id));
        if was_written {
            self.note(SessionWrite::Sent { number: queued.number, packet_id });
        }
        self.in_flight_bytes += queued.size();
        self.in_flight.push_back(InFlightMessage {
            packet_id,
            number: queued.number,
            stage: DeliveryStage::Sent(queued),
        });
        Some(frame)
    }

    /// Whether a message fits into the in-flight window. Of any size it fits while no other bytes are in flight.
    fn may_send(&self, queued: &QueuedMessage) -> bool {
        self.in_flight.len() < self.in_flight_max
            && (self.in_flight_bytes == 0 || self.in_flight_bytes + queued.size() <= limits::IN_FLIGHT_BYTES_MAX)
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

    fn send_pending(&mut self, now: Time, frames: &mut Vec<EncodedPacket>) {
        while self.pending.front().is_some_and(|queued| self.may_send(queued)) {
            let Some(queued) = self.pending.pop_front() else {
                return;
            };
            self.pending_bytes -= queued.size();
            if is_over(&queued.publish, queued.taken_at, now) {
                self.note_arrived(queued.number);
                continue;
            }
            frames.extend(self.send(queued, now));
        }
    }

    /// PUBACK or PUBCOMP: completes a delivery. Returns the packets that may follow.
    pub fn handle_done(&mut self, packet_id: u16, now: Time) -> Vec<EncodedPacket> {
        if let Some(place) = self.in_flight.iter().position(|sent| sent.packet_id == packet_id) {
            let sent = self.in_flight.remove(place).expect("was just found there");
            self.forget(&sent);
        }
        let mut frames = Vec::new();
        self.send_pending(now, &mut frames);
        frames
    }

    /// PUBREC: returns the PUBREL.
    pub fn handle_received(&mut self, packet_id: u16) -> Packet {
        let Some(sent) = self.in_flight.iter_mut().find(|sent| sent.packet_id == packet_id) else {
            return Packet::PubRel(PublishAck {
                packet_id,
                code: ReasonCode::PACKET_IDENTIFIER_NOT_FOUND,
                reason: None,
            });
        };
        let number = sent.number;
        if let DeliveryStage::Sent(queued) = core::mem::replace(&mut sent.stage, DeliveryStage::Released) {
            self.in_flight_bytes -= queued.size();
            self.note(SessionWrite::Released { number });
        }
        Packet::PubRel(PublishAck::success(packet_id))
    }
}

/// Restores stored deliveries, with their remaining expiry.
pub(crate) fn restored(kept: Vec<StoredDelivery>, unix: UnixSeconds, now: Time) -> OutboundMessages {
    let with_message = |delivery: StoredDelivery| {
        let publish = delivery.message.restore(unix);
        (delivery, publish)
    };
    OutboundMessages::restored(kept.into_iter().map(with_message).collect(), now)
}

#[cfg(test)]
mod tests {
    use stoa_wire::packet::PublishProperties;
    use stoa_wire::topic::Topic;

    use super::*;

    const NOW: Time = Time::ZERO;

    fn queued(text: &'static str) -> QueuedMessage {
        let publish = Publish {
            topic: Topic::parse("a").unwrap(),
            payload: Bytes::from_static(text.as_bytes()),
            qos: Qos::AtLeastOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties::default(),
        };
        QueuedMessage {
            publish: Arc::new(publish),
            forward: None,
            qos: Qos::AtLeastOnce,
            retain: false,
            subscription_ids: Vec::new(),
            taken_at: NOW,
            number: 1,
            kept: None,
        }
    }

    fn resumption(receive_max: Option<u16>, now: Time) -> ResumptionParameters {
        ResumptionParameters { version: MqttVersion::V5, receive_max, packet_bytes_max: usize::MAX, now }
    }

    fn expiring(seconds: u32) -> QueuedMessage {
        let mut queued = queued("x");
        Arc::get_mut(&mut queued.publish).unwrap().properties.message_expiry_s = Some(seconds);
        queued
    }

    #[test]
    fn unacknowledged_messages_are_resent_as_duplicates_on_resume() {
        let mut outgoing = OutboundMessages::default();
        outgoing.resume(resumption(None, NOW));
        let first = outgoing.push(queued("x"), NOW).unwrap().expect("goes out at once");
        outgoing.pause();
        assert_eq!(outgoing.push(queued("y"), NOW), Ok(None), "negative control: nothing goes out while away");
        let again = outgoing.resume(resumption(None, NOW));
        assert_eq!(again.len(), 2);
        assert_eq!(first.parts()[0][0] & 8, 0);
        assert_eq!(again[0].parts()[0][0] & 8, 8);
        assert_eq!(again[1].parts()[0][0] & 8, 0);
        assert!(outgoing.handle_done(1, NOW).is_empty());
        outgoing.pause();
        assert_eq!(outgoing.resume(resumption(None, NOW)).len(), 1, "the acknowledged one does not come again");
        outgoing.handle_done(2, NOW);
        assert_eq!(outgoing.bytes(), 0);
    }

    #[test]
    fn sessions_that_resume_share_the_payload_of_a_message() {
        let message = queued("a payload that no receiver copies");
        let resumed = |id: u32| {
            let mut outgoing = OutboundMessages::default();
            let queued = QueuedMessage { subscription_ids: alloc::vec![id], ..message.clone() };
            outgoing.push(queued, NOW).unwrap();
            outgoing.resume(resumption(None, Time::from_secs(1)))[0].parts()[1].as_ptr()
        };
        assert_eq!(resumed(1), message.publish.payload.as_ptr());
        assert_eq!(resumed(2), message.publish.payload.as_ptr());
    }

    #[test]
    fn in_flight_messages_do_not_exceed_the_receive_maximum() {
        let mut outgoing = OutboundMessages::default();
        outgoing.resume(resumption(Some(1), NOW));
        assert!(outgoing.push(queued("x"), NOW).unwrap().is_some());
        assert!(outgoing.push(queued("y"), NOW).unwrap().is_none());
        assert_eq!(outgoing.handle_done(1, NOW).len(), 1);
    }

    #[test]
    fn a_full_queue_drops_the_oldest_when_offline_and_errors_when_connected() {
        let mut outgoing = OutboundMessages::default();
        for _ in 0..limits::PENDING_MAX {
            outgoing.push(queued("x"), NOW).unwrap();
        }
        assert_eq!(outgoing.push(queued("y"), NOW), Ok(None));
        let each = queued("x").publish.size_bytes();
        assert_eq!((outgoing.pending.len(), outgoing.bytes()), (limits::PENDING_MAX, each * limits::PENDING_MAX));
        outgoing.resume(resumption(Some(1), NOW));
        outgoing.push(queued("y"), NOW).unwrap();
        assert_eq!(outgoing.push(queued("y"), NOW), Err(QueueFull));
    }

    #[test]
    fn expired_messages_are_not_sent_and_live_ones_carry_their_remaining_expiry() {
        let mut outgoing = OutboundMessages::default();
        outgoing.push(expiring(1), NOW).unwrap();
        outgoing.push(expiring(6), NOW).unwrap();
        let frames = outgoing.resume(resumption(None, Time::from_secs(2)));
        let [frame] = &frames[..] else { panic!("one is left: {frames:?}") };
        let mut decoder = stoa_wire::packet::Decoder::for_client(MqttVersion::V5);
        frame.parts().iter().for_each(|part| decoder.feed(part));
        let Ok(Some(Packet::Publish(publish))) = decoder.next_packet() else { panic!("is a message") };
        assert_eq!(publish.properties.message_expiry_s, Some(4));
        assert_eq!(outgoing.handle_done(1, NOW).len(), 0);
        assert_eq!(outgoing.bytes(), 0);
    }

    #[test]
    fn a_resumed_client_gets_only_messages_within_its_smaller_packet_maximum() {
        let mut outgoing = OutboundMessages::default();
        outgoing.resume(resumption(None, NOW));
        for text in ["a message that is rather long", "x"] {
            outgoing.push(queued(text), NOW).unwrap();
        }
        outgoing.pause();
        outgoing.push(queued("another message that is long"), NOW).unwrap();
        let small = ResumptionParameters { packet_bytes_max: 16, ..resumption(None, NOW) };
        assert_eq!(outgoing.resume(small).len(), 1);
        assert_eq!(outgoing.bytes(), queued("x").publish.size_bytes());
    }

    #[test]
    fn each_step_of_a_persistent_delivery_is_written_to_the_store() {
        let mut outgoing = OutboundMessages::default();
        outgoing.set_kept(true);
        let kept = |number, qos| {
            let message = StoredMessage { packet: Bytes::new(), taken_at: UnixSeconds(7) };
            QueuedMessage { qos, number, kept: Some(message), ..queued("x") }
        };
        outgoing.push(kept(1, Qos::ExactlyOnce), NOW).unwrap();
        let writes = outgoing.take_writes();
        let [SessionWrite::Queued(delivery)] = &writes[..] else { panic!("{writes:?}") };
        assert_eq!((delivery.number, delivery.packet_id), (1, None));
        outgoing.resume(resumption(None, NOW));
        assert_eq!(outgoing.take_writes(), [SessionWrite::Sent { number: 1, packet_id: 1 }]);
        outgoing.push(kept(2, Qos::AtLeastOnce), NOW).unwrap();
        let writes = outgoing.take_writes();
        let [SessionWrite::Queued(delivery)] = &writes[..] else { panic!("{writes:?}") };
        assert_eq!((delivery.number, delivery.packet_id), (2, Some(2)));
        outgoing.handle_received(1);
        outgoing.handle_received(1);
        assert_eq!(outgoing.take_writes(), [SessionWrite::Released { number: 1 }], "once");
        outgoing.handle_done(1, NOW);
        outgoing.handle_done(2, NOW);
        assert_eq!(outgoing.take_writes(), [1, 2].map(|number| SessionWrite::Arrived { number }));
    }

    #[test]
    fn queued_messages_are_dropped_before_sent_ones_and_qos_2_keeps_its_packet_id() {
        let mut outgoing = OutboundMessages::default();
        outgoing.set_kept(true);
        outgoing.resume(resumption(Some(2), NOW));
        for (number, qos) in [(1, Qos::AtLeastOnce), (2, Qos::ExactlyOnce), (3, Qos::AtLeastOnce)] {
            outgoing.push(QueuedMessage { qos, number, ..queued("x") }, NOW).unwrap();
        }
        outgoing.pause();
        outgoing.take_writes();
        assert_eq!((0..5).filter(|_| outgoing.give_way()).count(), 3, "negative control: then nothing is left");
        assert_eq!(outgoing.bytes(), 0);
        let expected = [
            SessionWrite::Arrived { number: 3 },
            SessionWrite::Arrived { number: 1 },
            SessionWrite::Released { number: 2 },
        ];
        assert_eq!(outgoing.take_writes(), expected);
        assert_eq!(outgoing.resume(resumption(None, NOW)).len(), 1, "PUBREL");
    }
}
