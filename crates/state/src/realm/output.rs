//! What the realm asks of its caller.

use alloc::string::String;
use alloc::sync::Arc;

use stoa_wire::motion::ObjectKind as Part;
use stoa_wire::packet::{EncodedPacket, SecretBytes};
use stoa_wire::topic::SceneName;

use super::{BridgedPose, CommandAnswer, CommandId, ConnectionId, MotionGrant, MotionGrantId};
use crate::motion::MotionSettings;
use crate::mqtt::audience::ReceiverGroup;
use crate::mqtt::stored::BrokerWrite;
use crate::origin::Origin;
use crate::packet_class::PacketClass;
use crate::scene::StoredChange;

/// What the caller must do.
#[derive(Debug)]
pub enum RealmOutput {
    /// Into the connection's outbox.
    Send {
        /// The receiving connection.
        connection: ConnectionId,
        /// The packet's bytes.
        frame: EncodedPacket,
        /// How it may be treated.
        class: PacketClass,
    },
    /// Into the outbox of every member of a group: the same bytes for all. [`crate::round`] keeps it once until the round ends.
    Share {
        /// The receiving connections.
        group: Arc<ReceiverGroup>,
        /// The packet's bytes.
        frame: EncodedPacket,
        /// How it may be treated.
        class: PacketClass,
    },
    /// Verify the password's signature (a JWT), then call [`super::Realm::handle_authenticated`].
    Authenticate {
        /// The connection that sent the password.
        connection: ConnectionId,
        /// Where that comes from.
        origin: Origin,
        /// A secret: never logged.
        password: SecretBytes,
    },
    /// After what is in the outbox is written, close.
    Close {
        /// The connection to close.
        connection: ConnectionId,
    },
    /// Write it down; later [`super::Realm::handle_stored`] with `sequence` (everything up to it is on disk).
    Store {
        /// Grows by one.
        sequence: u64,
        /// The write.
        write: StoreWrite,
    },
    /// The answer to a command.
    Answer {
        /// The command's number.
        command: CommandId,
        /// The answer.
        answer: CommandAnswer,
    },
    /// A connection asked for a ticket and may have one: make it, then call [`super::Realm::handle_ticket`].
    MotionGranted {
        /// The connection that asked.
        connection: ConnectionId,
        /// Where that comes from.
        origin: Origin,
        /// What the ticket is for.
        motion_grant: MotionGrant,
    },
    /// A motion grant that was not given back is no longer good: its tickets, and whoever came in by one, end.
    MotionGrantEnded {
        /// The motion grant that ended.
        motion_grant: MotionGrantId,
        /// Where it was good.
        scene: SceneName,
    },
    /// Somebody who is not on the motion plane is there for those who are.
    BridgedPose {
        /// The scene that the person is in.
        scene: SceneName,
        /// Who, and where.
        placed: BridgedPose,
    },
    /// Somebody of those is there no more.
    BridgedPoseEnded {
        /// The scene that the person was in.
        scene: SceneName,
        /// The person's idTag.
        id_tag: String,
        /// What of theirs; `None`: all.
        part: Option<Part>,
    },
    /// Whether anybody hears by MQTT what a scene's motion plane tells; until it is said, somebody does.
    Followed {
        /// Which scene's.
        scene: SceneName,
        /// Nobody: what is told seldom does.
        is_followed: bool,
    },
    /// A scene's motion is shared in another way from now on.
    MotionChanged {
        /// Which scene's.
        scene: SceneName,
        /// The settings from now on.
        settings: MotionSettings,
    },
    /// Something worth counting in `/metrics`.
    Count {
        /// The counter to increase.
        counter: RealmCounter,
        /// Of refusals: why.
        reason: Option<&'static str>,
        /// How often it happened.
        times: u64,
    },
}

/// What is to be kept over a restart.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreWrite {
    /// Of a scene: append to its log and fold.
    Change(StoredChange),
    /// Of MQTT: retained messages, sessions.
    Broker(BrokerWrite),
}

/// The counters of a realm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RealmCounter {
    /// Messages from clients that were accepted.
    Accepted,
    /// Messages handed to outboxes.
    Delivered,
    /// Messages turned into bytes: at most once for each protocol version, however many receive them.
    Encoded,
    /// Messages and filters that were refused.
    Refused,
    /// Clients that were let in.
    Connected,
    /// Clients that were not.
    ConnectRefused,
    /// Clients that fell too far behind.
    Overflowed,
    /// Connections that ended because their bytes were no packet, or a packet out of place.
    ProtocolError,
}
