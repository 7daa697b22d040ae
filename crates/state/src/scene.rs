//! One scene: its single writer. Takes messages, decides what they change, numbers the changes, and keeps what is stored and what is live side by
//! side. Source: `spec/topics.md` sections 2 and 4. Who may send what is [`crate::grant`]'s matter.

mod snapshot;
mod stored;
mod wall_clock;

pub use snapshot::Snapshot;
pub use stored::{Change, ChangeKind, DEFAULT_TYPE, StoredObject, StoredScene};
pub use wall_clock::UnixMillis;

use alloc::string::String;
use alloc::vec::Vec;

use bytes::Bytes;
use stoa_wire::envelope::Envelope;
use stoa_wire::reason::Reason;
use stoa_wire::topic::{SceneName, SceneTopic};

use crate::realm::{ConflationKey, ConnectionId};
use crate::time::{Time, UnixTime};

/// Who sends a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// By which connection.
    pub connection: ConnectionId,
    /// Token 5.
    pub user_client: String,
    /// Its own token 6.
    pub id_tag: String,
    /// The account, or the guest.
    pub subject: String,
    /// Has no account.
    pub guest: bool,
    /// Editor or owner.
    pub moderator: bool,
}

/// A message in a scene, envelope checked.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    /// Who sends it.
    pub author: &'a Author,
    /// On which topic.
    pub topic: &'a SceneTopic,
    /// What it says.
    pub envelope: Envelope,
}

/// What an accepted message did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The revision it made; `None` where it changed nothing.
    pub revision: Option<u64>,
    /// A message with the same key that still waits somewhere is made pointless by this one, which may take its place.
    pub conflation: Option<ConflationKey>,
    /// The stored state changes: acknowledge only once it is on disk.
    pub stored: bool,
}

/// What the caller must do.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// The scene itself says something to everybody.
    Publish {
        /// Where.
        topic: String,
        /// JSON.
        payload: Bytes,
        /// The revision that it tells.
        revision: Option<u64>,
    },
    /// An answer to one connection alone.
    Reply {
        /// To whom.
        connection: ConnectionId,
        /// Where.
        topic: String,
        /// JSON.
        payload: Bytes,
    },
    /// Append and fold.
    Store(Change),
}

/// One scene's state.
#[derive(Debug)]
pub struct Scene {
    name: SceneName,
}

#[expect(unused_variables, reason = "signatures first")]
impl Scene {
    /// An empty scene. `unix_at_zero` is the wall clock at [`Time::ZERO`].
    pub fn new(name: SceneName, epoch: u64, unix_at_zero: UnixTime) -> Scene {
        Scene { name }
    }

    /// Fills a new scene with what was stored. What has expired meanwhile goes at the next [`Scene::handle_timeout`].
    pub fn restore(&mut self, stored: StoredScene, now: Time) {
        todo!()
    }

    /// Takes one message, whose topic and sender the caller has checked against the grant. Where it is accepted, the caller forwards its bytes.
    pub fn handle_message(&mut self, message: Message<'_>, now: Time) -> Result<Applied, Reason> {
        todo!()
    }

    /// Ends whatever that connection raised. Call it again after a delayed will: nothing that a will raises may stay.
    pub fn handle_connection_ended(&mut self, connection: ConnectionId, now: Time) {
        todo!()
    }

    /// Removes what has expired. Late is safe; early does nothing.
    pub fn handle_timeout(&mut self, now: Time) {
        todo!()
    }

    /// When the next object expires.
    pub fn poll_timeout(&self) -> Option<Time> {
        todo!()
    }

    /// What is to be done, in order.
    pub fn poll_output(&mut self) -> Option<Output> {
        todo!()
    }

    /// Deletes every object, stored ones too; people stay.
    pub fn clear(&mut self, author: &str, now: Time) {
        todo!()
    }

    /// Everything at the present revision.
    pub fn snapshot(&self, now: Time) -> Snapshot {
        todo!()
    }

    /// Who is there, for one joiner: for each person camera, hands, face, then join.
    pub fn presence(&self) -> Vec<(String, Bytes)> {
        todo!()
    }

    /// How many are there.
    pub fn people(&self) -> usize {
        todo!()
    }

    /// The stored objects, all or those of one type, roots first.
    pub fn stored_objects(&self, type_filter: Option<&str>) -> Vec<&StoredObject> {
        todo!()
    }

    /// One stored object.
    pub fn stored_object(&self, object_id: &str) -> Option<&StoredObject> {
        todo!()
    }

    /// Its name.
    pub fn name(&self) -> &SceneName {
        &self.name
    }

    /// New at every start of its writer.
    pub fn epoch(&self) -> u64 {
        todo!()
    }

    /// The last accepted change.
    pub fn revision(&self) -> u64 {
        todo!()
    }
}
