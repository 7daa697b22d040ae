//! The realm as one machine: connections, sessions, routes, scenes and grants put together. The server drives it with sockets, the simulator with a
//! queue and a virtual clock: one input, drain [`Realm::poll_output`] to `None`, sleep until [`Realm::poll_timeout`].

use alloc::{string::String, vec::Vec};

use bytes::Bytes;
use stoa_wire::packet::{DecodeError, Frame, Packet};
use stoa_wire::topic::SceneName;

use crate::grant::{Claims, SceneSettings};
use crate::scene::{Change, Snapshot, StoredScene};
use crate::time::{Time, UnixTime};

/// A transport conversation's number, given by the caller; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// A command's number, given by the caller; comes back in [`Output::Answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u64);

/// What the server's own doors (HTTP, control socket, start) ask of the realm.
#[derive(Debug)]
pub enum Command {
    /// A scene comes to be, or is restored at start with what was stored.
    OpenScene { name: SceneName, settings: SceneSettings, stored: StoredScene },
    /// Grants already issued keep their filters; rights that follow from settings at publish time change at once.
    ChangeSettings { name: SceneName, settings: SceneSettings },
    /// Ends the scene: people are told, nothing of it stays in memory.
    CloseScene { name: SceneName },
    /// Deletes every object, stored ones too.
    ClearScene { name: SceneName, author: String },
    /// Answered by [`Answer::Snapshot`].
    Snapshot { name: SceneName },
    /// arena-persist's records; answered by [`Answer::Records`].
    Records { name: SceneName, object_id: Option<String>, object_type: Option<String> },
    /// Answered by [`Answer::People`]: how many are present in each open scene.
    People,
    /// Ends every connection whose grant has this `jti`.
    Revoke { jti: String },
}

/// Answers to commands.
#[derive(Debug)]
pub enum Answer {
    Done,
    NoSuchScene,
    Snapshot(Snapshot),
    /// A JSON array, as REST serves it.
    Records(Bytes),
    People(Vec<(SceneName, usize)>),
}

/// How an outbox may treat a frame when its connection falls behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// Protocol answers: never dropped.
    Control,
    /// Events, chat: queued up to a limit.
    Event,
    /// Replaces an older frame of the same key that still waits.
    State(ConflationKey),
}

/// Two state messages with the same key: the newer one makes the older one pointless.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConflationKey(pub u64);

/// What the caller must do.
#[derive(Debug)]
pub enum Output {
    /// Into the connection's outbox.
    Send { connection: ConnectionId, frame: Frame, class: Class },
    /// Verify the password's signature (a JWT), then call [`Realm::handle_authenticated`].
    Authenticate { connection: ConnectionId, client_id: String, username: String, password: Bytes },
    /// After what is in the outbox is written, close.
    Close { connection: ConnectionId },
    /// Append to the log and fold; later [`Realm::handle_stored`] with `sequence` (everything up to it is on disk).
    Store { sequence: u64, change: Change },
    /// The answer to a command.
    Answer { command: CommandId, answer: Answer },
    /// Something worth counting in `/metrics`.
    Count { counter: Counter, reason: Option<&'static str> },
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counter {
    Accepted,
    Delivered,
    Encoded,
    Refused,
    Connected,
    ConnectRefused,
    Overflowed,
}
