//! Acknowledgements and answers to commands, sent at once or when their changes are on disk.

use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::packet::{EncodedPacket, MqttVersion, Packet, PublishAck, Qos, ReasonCode, SubscribeAck};
use stoa_wire::reason::Reason;

use super::{CommandAnswer, CommandId, PacketClass, Realm, RealmOutput};
use crate::connection_id::ConnectionId;
use crate::mqtt::session::SessionId;
use crate::time::Time;

/// The acknowledgement due to the sender of a QoS 1 or 2 message.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublishAckTarget {
    pub(super) session: SessionId,
    /// Session ids are reused, serials never.
    pub(super) serial: u64,
    pub(super) packet_id: u16,
    pub(super) qos: Qos,
}

/// An acknowledgement, another packet or an answer to a command that waits for the store.
#[derive(Debug)]
pub(super) struct DeferredAck {
    owed: DeferredAckPayload,
    sequence: u64,
}

#[derive(Debug)]
enum DeferredAckPayload {
    /// PUBACK or PUBREC.
    Receipt(PublishAckTarget),
    /// SUBACK.
    Subscribed(DeferredSubAck),
    /// Another packet. It has no code for a failure, so it is sent only after a successful write.
    Answer(ConnectionId, EncodedPacket),
    /// Answer to a command.
    Command(CommandId, CommandAnswer),
}

/// A SUBACK, and the subscriptions to undo if the write fails.
#[derive(Debug)]
pub(super) struct DeferredSubAck {
    pub(super) connection: ConnectionId,
    pub(super) session: SessionId,
    pub(super) serial: u64,
    pub(super) acks: SubscribeAck,
    /// Filters that were not subscribed before.
    pub(super) fresh: Vec<String>,
}

impl DeferredAck {
    pub(super) fn subscribed(subscribed: DeferredSubAck, sequence: u64) -> DeferredAck {
        DeferredAck { owed: DeferredAckPayload::Subscribed(subscribed), sequence }
    }

    /// Lets the acknowledgement wait until the write `sequence` is stored.
    pub(super) fn until(self, sequence: u64) -> DeferredAck {
        DeferredAck { sequence, ..self }
    }

    pub(super) fn answer(connection: ConnectionId, frame: EncodedPacket, sequence: u64) -> DeferredAck {
        DeferredAck { owed: DeferredAckPayload::Answer(connection, frame), sequence }
    }

    pub(super) fn command(id: CommandId, answer: CommandAnswer, sequence: u64) -> DeferredAck {
        DeferredAck { owed: DeferredAckPayload::Command(id, answer), sequence }
    }
}

impl Realm {
    pub(super) fn hold(&mut self, receipt: PublishAckTarget, sequence: u64) {
        self.deferred_acks.push_back(DeferredAck { owed: DeferredAckPayload::Receipt(receipt), sequence });
    }

    /// Sends the acknowledgements and answers up to `through`, as successes or as `refused`. After a failure, packets
    /// without a failure code wait for the repair.
    pub(super) fn release_acks(&mut self, through: u64, refused: Option<Reason>, now: Time) {
        while self.deferred_acks.front().is_some_and(|held| held.sequence <= through) {
            let Some(DeferredAck { owed, sequence }) = self.deferred_acks.pop_front() else {
                return;
            };
            match (owed, refused) {
                (DeferredAckPayload::Answer(connection, frame), None) => self.answer(connection, frame),
                (DeferredAckPayload::Answer(connection, frame), Some(_)) => {
                    self.repairs.defer(DeferredAck::answer(connection, frame, sequence));
                }
                (DeferredAckPayload::Subscribed(subscribed), None) => {
                    if self.clients.contains_key(&subscribed.connection) {
                        self.control(subscribed.connection, &Packet::SubAck(subscribed.acks));
                    }
                }
                (DeferredAckPayload::Subscribed(subscribed), Some(reason)) => {
                    self.refuse_subscribed(subscribed, reason)
                }
                (DeferredAckPayload::Command(command, answer), refused) => {
                    let answer = if refused.is_some() { CommandAnswer::NotStored } else { answer };
                    self.outputs.push_back(RealmOutput::Answer { command, answer });
                }
                (DeferredAckPayload::Receipt(receipt), None) => self.acknowledge(receipt, ReasonCode::SUCCESS, None),
                (DeferredAckPayload::Receipt(receipt), Some(reason)) => self.refuse_receipt(receipt, reason, now),
            }
        }
    }

    /// Undoes new subscriptions, and refuses the whole SUBACK. Earlier subscriptions keep their changed options.
    fn refuse_subscribed(&mut self, subscribed: DeferredSubAck, reason: Reason) {
        let DeferredSubAck { connection, session, serial, mut acks, fresh } = subscribed;
        self.count_refused(reason);
        if self.sessions.get(session).is_some_and(|session| session.serial == serial) {
            for text in &fresh {
                self.unsubscribe(session, text);
            }
        }
        acks.codes.iter_mut().filter(|code| !code.is_error()).for_each(|code| *code = reason.code());
        if self.clients.contains_key(&connection) {
            self.control(connection, &Packet::SubAck(acks));
        }
    }

    pub(super) fn refuse_receipt(&mut self, receipt: PublishAckTarget, reason: Reason, now: Time) {
        self.count_refused(reason);
        let session = self.sessions.get(receipt.session).filter(|session| session.serial == receipt.serial);
        match session.and_then(|session| session.attached) {
            Some(attachment) if attachment.version == MqttVersion::V311 => {
                // MQTT 3.1.1 has no code for a failure, so no PUBACK or PUBREC is sent. A repeated message counts as a
                // new one.
                if let Some(session) = self.sessions.get_mut(receipt.session) {
                    session.incoming.acknowledge(receipt.packet_id, Qos::AtLeastOnce, reason.code());
                }
                self.notify_store_failure(attachment.connection, now);
            }
            _ => self.acknowledge(receipt, reason.code(), Some(reason.as_str().into())),
        }
    }

    /// Sends an acknowledgement if its session still exists. MQTT 3.1.1 has no reason codes.
    pub(super) fn acknowledge(&mut self, receipt: PublishAckTarget, code: ReasonCode, reason: Option<String>) {
        let PublishAckTarget { session, serial, packet_id, qos } = receipt;
        let Some(session) = self.sessions.get_mut(session).filter(|session| session.serial == serial) else {
            return;
        };
        let sent_code = if session.attached.is_some_and(|attachment| attachment.version == MqttVersion::V311) {
            ReasonCode::SUCCESS
        } else {
            code
        };
        if !session.incoming.acknowledge(packet_id, qos, sent_code) {
            return;
        }
        let Some(attachment) = session.attached else {
            return;
        };
        let ack = PublishAck { packet_id, code: sent_code, reason };
        let packet = if qos == Qos::ExactlyOnce { Packet::PubRec(ack) } else { Packet::PubAck(ack) };
        let frame = stoa_wire::packet::encode(&packet, attachment.version);
        self.outputs.push_back(RealmOutput::Send {
            connection: attachment.connection,
            frame,
            class: PacketClass::Control,
        });
    }
}
