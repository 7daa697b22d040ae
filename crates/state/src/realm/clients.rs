//! What the realm knows of one connection.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;

use stoa_wire::packet::Connect;
use stoa_wire::topic::SceneName;

use super::network::ClientTraffic;
use super::refusing::RefusalNotice;
use super::{ConnectionId, Realm};
use crate::grant::{Author, Grant};
use crate::mqtt::allowance::{AllowanceHolder, MessageAllowance};
use crate::mqtt::connection::ProtocolState;
use crate::mqtt::session::SessionId;
use crate::origin::Origin;
use crate::time::Time;

/// One connection, from its opening to its end.
#[derive(Debug)]
pub(super) struct Client {
    /// Where it comes from.
    pub(super) origin: Origin,
    pub(super) protocol: ProtocolState,
    /// Whether the realm chose its client id.
    pub(super) has_assigned_id: bool,
    /// Kept while the token is being verified.
    pub(super) connect: Option<Connect>,
    /// There once it is.
    pub(super) access: Option<ClientAccess>,
    /// When its timer fires.
    pub(super) armed: Option<Time>,
}

/// What a client that is in may do, and what it has begun.
#[derive(Debug)]
pub(super) struct ClientAccess {
    pub(super) grant: Grant,
    pub(super) session: SessionId,
    pub(super) ends_at: Time,
    pub(super) allowance: MessageAllowance,
    pub(super) notice: RefusalNotice,
    /// Scenes it has published in: they are told when it ends.
    pub(super) scenes: BTreeSet<SceneName>,
    /// Whom it is in the scene where it last published: nearly always the next one too.
    pub(super) author: Option<(SceneName, Author)>,
    /// What the graph of the network says of it; only those are in there who ping.
    pub(super) traffic: Option<Box<ClientTraffic>>,
    /// MQTT 3.1.1: whether it was told who is there.
    pub(super) was_told_presence: bool,
    /// MQTT 5: whether it wants reasons in words.
    pub(super) wants_reasons: bool,
}

/// Whose its allowance is.
pub(super) fn holder(grant: &Grant) -> AllowanceHolder {
    AllowanceHolder { guest: grant.claims().guest, subject: grant.subject().into() }
}

impl ClientAccess {
    pub(super) fn author(&mut self, connection: ConnectionId, scene: &SceneName) -> &Author {
        if self.author.as_ref().is_none_or(|(name, _)| name != scene) {
            self.author = Some((scene.clone(), self.grant.author(connection, scene)));
        }
        &self.author.as_ref().expect("was just set").1
    }
}

impl Client {
    pub(super) fn new(origin: Origin, now: Time) -> Client {
        Client {
            origin,
            protocol: ProtocolState::new(now),
            has_assigned_id: false,
            connect: None,
            access: None,
            armed: None,
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Time> {
        let access = self.access.as_ref();
        let deadlines = [
            self.protocol.poll_timeout(),
            access.map(|access| access.ends_at),
            access.and_then(|access| access.notice.poll_timeout()),
        ];
        deadlines.into_iter().flatten().min()
    }
}

impl Realm {
    pub(super) fn access_mut(&mut self, connection: ConnectionId) -> Option<&mut ClientAccess> {
        self.clients.get_mut(&connection)?.access.as_mut()
    }

    pub(super) fn access(&self, connection: ConnectionId) -> Option<&ClientAccess> {
        self.clients.get(&connection)?.access.as_ref()
    }
}
