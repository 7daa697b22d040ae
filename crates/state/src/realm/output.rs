//! Outputs of the realm to its caller.

use alloc::string::String;
use alloc::sync::Arc;
use core::time::Duration;

use stoa_wire::motion::MotionObjectKind as Part;
use stoa_wire::packet::{EncodedPacket, SecretBytes};
use stoa_wire::topic::SceneName;

use super::{
    CommandAnswer, CommandId, ConnectionId, MotionGrant, MotionGrantId, PoseFromMqtt, RecordsSerializationJob,
};
use crate::motion::MotionSettings;
use crate::mqtt::audience::ReceiverGroup;
use crate::mqtt::stored::BrokerWrite;
use crate::origin::ConnectionOrigin;
use crate::packet_class::PacketClass;
use crate::scene::PendingLogEntry;

/// An action that the caller must carry out.
#[derive(Debug)]
pub enum RealmOutput {
    /// Push a frame into the connection's outbox.
    Send {
        /// The receiving connection.
        connection: ConnectionId,
        /// The packet's bytes.
        frame: EncodedPacket,
        /// Its treatment while the connection falls behind.
        class: PacketClass,
    },
    /// Push a frame into the outbox of each member of a group: the same bytes for all. [`crate::round`] keeps one
    /// copy until the round ends.
    Share {
        /// The receiving connections.
        group: Arc<ReceiverGroup>,
        /// The packet's bytes.
        frame: EncodedPacket,
        /// Its treatment while a connection falls behind.
        class: PacketClass,
    },
    /// Verify the password (a JWT), then call [`super::Realm::handle_authenticated`].
    Authenticate {
        /// The connection that sent the password.
        connection: ConnectionId,
        /// The client's origin.
        origin: ConnectionOrigin,
        /// The client id. It is the client's identity if the token names none.
        client_id: String,
        /// The password. Never log it.
        password: SecretBytes,
    },
    /// Close the connection after writing its outbox.
    Close {
        /// The connection to close.
        connection: ConnectionId,
    },
    /// Handle no further input of the connection for a time. A shared bound is reached and the client used more than
    /// half of its fair share, or the client used up its own rate for long inputs or its share of processor time.
    SlowReading {
        /// The connection.
        connection: ConnectionId,
        /// Length of the pause from now on, up to [`crate::limits::LONG_INPUT_PAUSE_MAX`].
        pause: Duration,
    },
    /// Handle no further input of the connection until [`RealmOutput::ResumeReading`]: its last message takes several
    /// rounds.
    PauseReading {
        /// The connection.
        connection: ConnectionId,
    },
    /// Handle the connection's inputs again, in their order. The connection may have ended.
    ResumeReading {
        /// The connection.
        connection: ConnectionId,
    },
    /// Write to disk, then call [`super::Realm::handle_stored`] with the `sequence` up to which everything is on
    /// disk.
    Store {
        /// Grows by one with each write.
        sequence: u64,
        /// The write.
        write: StoreWrite,
        /// The write's approximate size in memory.
        bytes: usize,
    },
    /// The answer to a command.
    Answer {
        /// The command's number.
        command: CommandId,
        /// The answer.
        answer: CommandAnswer,
    },
    /// Write stored objects as JSON: call [`super::RecordsSerializationJob::write`] on another thread, then
    /// [`super::Realm::handle_records`]. There is at most one at a time for each scene and type of object.
    WriteRecords {
        /// The objects.
        job: RecordsSerializationJob,
    },
    /// A connection is permitted to get a motion ticket. Make the ticket, then call [`super::Realm::handle_ticket`].
    MotionGranted {
        /// The requesting connection.
        connection: ConnectionId,
        /// The client's origin.
        origin: ConnectionOrigin,
        /// The grant that the ticket conveys.
        motion_grant: MotionGrant,
    },
    /// The realm ended a motion grant. End the tickets and the motion session that were made for it.
    MotionGrantEnded {
        /// The motion grant that ended.
        motion_grant: MotionGrantId,
        /// The grant's scene.
        scene: SceneName,
    },
    /// Publish, on the motion plane, a pose of a person that is connected by MQTT alone.
    PoseFromMqtt {
        /// The scene that the person is in.
        scene: SceneName,
        /// The person and the pose.
        bridged_pose: PoseFromMqtt,
    },
    /// Remove a person who is connected by MQTT alone, or one part of that person, from the motion plane.
    BridgedPoseEnded {
        /// The scene that the person was in.
        scene: SceneName,
        /// The person's idTag.
        id_tag: String,
        /// The part that disappeared, or all parts for `None`.
        part: Option<Part>,
    },
    /// Remember whether MQTT clients receive a scene's motion poses. Before the first such output, assume that they do.
    Followed {
        /// The scene.
        scene: SceneName,
        /// Whether any MQTT client receives the poses. If none does, report poses to the realm rarely.
        is_followed: bool,
    },
    /// A scene's motion settings changed.
    MotionChanged {
        /// The scene.
        scene: SceneName,
        /// The settings from now on.
        settings: MotionSettings,
    },
    /// Increase a counter of `/metrics`.
    Count {
        /// The counter to increase.
        counter: RealmCounter,
        /// The reason of a refusal.
        reason: Option<&'static str>,
        /// The increase.
        times: u64,
    },
}

/// A write that survives a restart.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreWrite {
    /// A change of a scene: append it to the log, and apply it to the stored scene.
    Change(PendingLogEntry),
    /// MQTT state: retained messages and sessions.
    Broker(BrokerWrite),
}

/// The counters of a realm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RealmCounter {
    /// Messages accepted from clients.
    Accepted,
    /// Messages put into outboxes at their publication or for a request. Messages that waited in a session don't count.
    Delivered,
    /// Encodings of messages. A published message is encoded at most once for each protocol version, however many
    /// clients receive it.
    Encoded,
    /// Messages and filters refused.
    Refused,
    /// Clients admitted.
    Connected,
    /// Clients refused at CONNECT.
    ConnectRefused,
    /// Clients disconnected because they fell too far behind.
    Overflowed,
    /// Connections ended because of undecodable bytes or an unexpected packet.
    ProtocolError,
}
