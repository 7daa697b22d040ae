//! One connection, as the realm sees it: its protocol state and, once it is admitted, its rights and activity.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;

use stoa_wire::packet::Connect;
use stoa_wire::topic::SceneName;

use super::network_graph::ClientTraffic;
use super::refusing::RefusalNoticeThrottle;
use super::{ConnectionId, Realm};
use crate::grant::{Author, Grant};
use crate::ledger::Payer;
use crate::limits;
use crate::mqtt::client_rate_limiter::{ClientRateLimiter, GrantSubjectKey};
use crate::mqtt::connection::ConnectionStateMachine;
use crate::mqtt::session::SessionId;
use crate::origin::ConnectionOrigin;
use crate::time::Time;

/// One connection, from its opening to its end.
#[derive(Debug)]
pub(super) struct ClientConnection {
    pub(super) origin: ConnectionOrigin,
    pub(super) protocol: ConnectionStateMachine,
    /// Whether the realm assigned its client id.
    pub(super) has_assigned_id: bool,
    /// The CONNECT packet, while its token is being verified.
    pub(super) connect: Option<Connect>,
    /// `Some` once the client is admitted.
    pub(super) access: Option<ClientAccess>,
    /// When the client's timer fires.
    pub(super) armed: Option<Time>,
}

/// Rights and activity of an admitted client.
#[derive(Debug)]
pub(super) struct ClientAccess {
    pub(super) grant: Grant,
    pub(super) session: SessionId,
    pub(super) ends_at: Time,
    pub(super) allowance: ClientRateLimiter,
    /// The party that pays for all costs of the client.
    pub(super) payer: Payer,
    /// Bytes of the client's will, which count until the connection ends.
    pub(super) will_bytes: usize,
    pub(super) notice: RefusalNoticeThrottle,
    /// Scenes in which the client published. These scenes are notified when the connection ends.
    pub(super) scenes: BTreeSet<SceneName>,
    /// When the client last published in a scene.
    pub(super) spoke_at: Option<Time>,
    /// The client as an author in the scene of its last message, which is nearly always the scene of the next one.
    pub(super) author: Option<(SceneName, Author)>,
    /// The client's part of the network graph. Only clients that ping have one.
    pub(super) traffic: Option<Box<ClientTraffic>>,
    /// MQTT 3.1.1: whether presence messages were already replayed to the client.
    pub(super) was_told_presence: bool,
    /// MQTT 5: whether the client accepts reason strings (Request Problem Information, by default 1).
    pub(super) wants_reasons: bool,
}

/// Returns the holder of a client's allowance.
pub(super) fn holder(grant: &Grant) -> GrantSubjectKey {
    GrantSubjectKey { guest: grant.claims().guest, subject: grant.subject().into() }
}

impl ClientAccess {
    pub(super) fn author(&mut self, connection: ConnectionId, scene: &SceneName) -> &Author {
        if self.author.as_ref().is_none_or(|(name, _)| name != scene) {
            let author = Author { payer: Some(self.payer), ..self.grant.author(connection, scene) };
            self.author = Some((scene.clone(), author));
        }
        &self.author.as_ref().expect("was just set").1
    }

    /// Charges for an object that an accepted or refused message walked: a small change of a large object walks all of
    /// it.
    pub(super) fn pay_for_walk(&mut self, walked_bytes: usize, payload_bytes: usize, now: Time) {
        let unpaid = walked_bytes.saturating_sub(limits::UNPAID_OBJECT_BYTES + payload_bytes);
        if unpaid > 0 {
            self.allowance.spend_walk(unpaid, now);
        }
    }
}

impl ClientConnection {
    pub(super) fn new(origin: ConnectionOrigin, now: Time) -> ClientConnection {
        ClientConnection {
            origin,
            protocol: ConnectionStateMachine::new(now),
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
