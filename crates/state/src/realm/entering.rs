//! CONNECT: authenticates a client, admits it, and finds or opens its session.

use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::limits::PACKET_BYTES_MAX;
use stoa_wire::packet::{ConnAck, ConnAckProperties, Connect, MqttVersion, Packet, ReasonCode};
use stoa_wire::reason::Reason;
use stoa_wire::topic_filter::TopicFilter;

use super::clients::{ClientAccess, holder};
use super::ending::DisconnectCause;
use super::people_inside::{Entrant, SceneAccessId};
use super::refusing::RefusalNoticeThrottle;
use super::timers::TimerKey;
use super::{AuthError, ConnectionId, Realm, RealmCounter, RealmOutput, costs, wills};
use crate::grant::{Claims, Grant};
use crate::limits;
use crate::mqtt::aliases::OutgoingTopicAliases;
use crate::mqtt::connection::{ProtocolViolation, assigned_client_id};
use crate::mqtt::outgoing::ResumptionParameters;
use crate::mqtt::received_packet::ReceivedPacket;
use crate::mqtt::session::{AttachedConnection, SessionId};
use crate::mqtt::stored::SessionWrite;
use crate::time::Time;

const fn refuse(code: ReasonCode, reason: &'static str) -> ProtocolViolation {
    ProtocolViolation { code, reason }
}

/// Returns a token's rejection in MQTT's terms.
pub(super) fn refusal(error: AuthError) -> ProtocolViolation {
    match error {
        AuthError::BadToken => {
            refuse(ReasonCode::BAD_USER_NAME_OR_PASSWORD, "the password is not a token of this realm")
        }
        AuthError::Expired => refuse(ReasonCode::NOT_AUTHORIZED, "the token has expired"),
        AuthError::Revoked => refuse(ReasonCode::NOT_AUTHORIZED, "the token was revoked"),
        AuthError::BorrowedName => {
            refuse(ReasonCode::CLIENT_IDENTIFIER_NOT_VALID, "the client id is the name of another account")
        }
    }
}

impl Realm {
    pub(super) fn enter(&mut self, connection: ConnectionId, mut connect: Connect, now: Time) {
        let mut is_assigned = false;
        if connect.client_id.is_empty() {
            self.assigned_ids += 1;
            is_assigned = true;
            connect.client_id = assigned_client_id(self.start.seed, self.assigned_ids);
        }
        let (Some(_), Some(password)) = (&connect.username, connect.password.take()) else {
            let violation =
                refuse(ReasonCode::BAD_USER_NAME_OR_PASSWORD, "user name and password (a token) are required");
            self.end(connection, DisconnectCause::Because(violation), now);
            return;
        };
        if let Some(client) = self.clients.get_mut(&connection) {
            client.has_assigned_id = is_assigned;
            let client_id = connect.client_id.clone();
            client.connect = Some(connect);
            self.outputs.push_back(RealmOutput::Authenticate {
                connection,
                origin: client.origin,
                client_id,
                password,
            });
        }
    }

    /// Admits a client and returns the packets it sent before the verdict. Errors: the reason for refusing it.
    pub(super) fn admit_client(
        &mut self,
        connection: ConnectionId,
        claims: Claims,
        now: Time,
    ) -> Result<Vec<ReceivedPacket>, ProtocolViolation> {
        let Some(connect) = self.clients.get_mut(&connection).and_then(|client| client.connect.take()) else {
            // The connection ended while its token was being verified.
            return Ok(Vec::new());
        };
        if connect.username.as_deref() != Some(claims.sub.as_str()) {
            return Err(refuse(
                ReasonCode::BAD_USER_NAME_OR_PASSWORD,
                "the user name differs from the token's subject",
            ));
        }
        let grant = Grant::new(claims, &connect.client_id).map_err(|reason| match reason {
            Reason::WrongIdentity => refuse(
                ReasonCode::CLIENT_IDENTIFIER_NOT_VALID,
                "the client id is reserved or was issued to another account",
            ),
            _ => refuse(ReasonCode::NOT_AUTHORIZED, "the token is not for the scene plane"),
        })?;
        if grant.is_expired(self.unix(now)) {
            return Err(refusal(AuthError::Expired));
        }
        if !self.is_still_granted(grant.claims()) {
            return Err(super::revocation::OUTDATED);
        }
        self.check_will(connection, &connect, &grant, now)?;
        let network = self.clients.get(&connection).and_then(|client| client.origin.network());
        let Some(scene) = grant.claims().scene.clone() else {
            let session = self.take_session(&connect, &grant, now)?;
            self.note_roaming(connection);
            return Ok(self.finish_admission(connection, AdmittedClient { connect, grant, session }, now));
        };
        let evicted = match self.check_admission(&scene, grant.claims(), network, now) {
            Ok(evicted) => evicted,
            Err(refused) if refused.reason == Reason::NoSuchScene => None,
            Err(refused) => return Err(super::scene_admission::violation(refused)),
        };
        let (entrant, bearer) = (Entrant::new(grant.claims(), network), SceneAccessId::Connection(connection));
        // The new connection counts before the session's last one ends, so the person's time inside doesn't restart.
        self.bearers.insert(&scene, entrant.clone(), bearer, now);
        let session = match self.take_session(&connect, &grant, now) {
            Ok(session) => session,
            Err(violation) => {
                self.bearers.remove(&scene, &entrant.who, bearer);
                return Err(violation);
            }
        };
        let early = self.finish_admission(connection, AdmittedClient { connect, grant, session }, now);
        if let Some(evicted) = evicted {
            self.evict(&scene, evicted, entrant.network, now);
        }
        Ok(early)
    }

    /// Finds or opens the client's session. Errors: the client id is another subject's identity, or a guest has too
    /// many sessions.
    fn take_session(
        &mut self,
        connect: &Connect,
        grant: &Grant,
        now: Time,
    ) -> Result<AttachedSession, ProtocolViolation> {
        let (subject, client_id) = (grant.subject(), connect.client_id.as_str());
        let is_identity = grant.claims().user_client.is_none();
        let holder = self.sessions.of_identity(client_id).and_then(|id| self.sessions.get(id));
        if is_identity && holder.is_some_and(|holder| holder.name.subject != subject) {
            return Err(refuse(ReasonCode::CLIENT_IDENTIFIER_NOT_VALID, "the client id is in use by another account"));
        }
        let taken = self.take_own_session(connect, grant, now)?;
        self.sessions.set_identity(taken.id, client_id, is_identity);
        Ok(taken)
    }

    fn take_own_session(
        &mut self,
        connect: &Connect,
        grant: &Grant,
        now: Time,
    ) -> Result<AttachedSession, ProtocolViolation> {
        let (subject, client_id) = (grant.subject(), connect.client_id.as_str());
        let Some(id) = self.sessions.of_client(subject, client_id) else {
            if grant.claims().guest && self.sessions.count_of(subject) >= limits::GUEST_SESSIONS_MAX {
                return Err(refuse(ReasonCode::QUOTA_EXCEEDED, "this guest has too many connections"));
            }
            return Ok(AttachedSession { id: self.sessions.open(subject, client_id), present: false });
        };
        let session = self.sessions.get(id).expect("the index by client id is kept with the sessions");
        if let Some(attachment) = session.attached {
            let violation = refuse(ReasonCode::SESSION_TAKEN_OVER, "another connection took the session over");
            self.end(attachment.connection, DisconnectCause::Because(violation), now);
        }
        // The session may have ended with its connection.
        let lives = self.sessions.of_client(subject, client_id) == Some(id);
        if lives && !connect.clean_start {
            return Ok(AttachedSession { id, present: true });
        }
        if lives {
            self.close_session(id, now);
        }
        Ok(AttachedSession { id: self.sessions.open(subject, client_id), present: false })
    }

    fn finish_admission(
        &mut self,
        connection: ConnectionId,
        entrant: AdmittedClient,
        now: Time,
    ) -> Vec<ReceivedPacket> {
        let AdmittedClient { connect, grant, session: AttachedSession { id, present } } = entrant;
        let (guest, ends_at) = (grant.claims().guest, self.end_of(&grant));
        let client = self.clients.get_mut(&connection).expect("its CONNECT was just taken from it");
        let (early, assigned) = (client.protocol.accept(), client.has_assigned_id);
        let mut expiry = client.protocol.session_expiry();
        if guest {
            expiry = expiry.min(limits::GUEST_SESSION_EXPIRY_MAX);
        }
        let aliases_max = connect.topic_alias_max.unwrap_or(0).min(limits::TOPIC_ALIASES_MAX);
        let attachment = AttachedConnection {
            connection,
            version: connect.version,
            grant_ends_at: ends_at,
            packet_bytes_max: client.protocol.packet_bytes_max(),
            takes_aliases: aliases_max > 0,
        };
        let keep_alive_s = client.protocol.keep_alive_s(&connect);
        let payer = costs::payer(&mut self.ledger, &grant, client.origin.network(), now);
        let will_bytes = wills::will_bytes(&connect);
        wills::count(&mut self.ledger, payer, will_bytes, now);
        client.access = Some(ClientAccess {
            session: id,
            ends_at,
            allowance: self.remembered.begin(&holder(&grant), now),
            payer,
            will_bytes,
            notice: RefusalNoticeThrottle::default(),
            scenes: alloc::collections::BTreeSet::new(),
            spoke_at: None,
            author: None,
            traffic: None,
            was_told_presence: false,
            wants_reasons: connect.problem_information,
            grant: grant.clone(),
        });
        self.sessions.set_busy(id);
        self.stop_session_timers(id);
        let session = self.sessions.get_mut(id).expect("was just opened or found");
        session.expiry = expiry;
        session.last_grant = None;
        session.attached = Some(attachment);
        session.aliases = OutgoingTopicAliases::new(aliases_max, attachment.packet_bytes_max);
        session.subscriptions.keys().for_each(|filter| self.routes.refresh(filter));
        self.shares.refresh(id, session);
        self.keep_session(id, guest, now);
        let resumption = ResumptionParameters {
            version: attachment.version,
            receive_max: connect.receive_max,
            packet_bytes_max: attachment.packet_bytes_max,
            now,
        };
        let frames = self.change_outgoing(id, |outgoing| {
            // Queued messages were accepted under the old grant, but are delivered under the new one.
            outgoing.retain(|publish| grant.may_receive(publish.topic.as_str()));
            outgoing.resume(resumption)
        });
        self.drop_subscriptions(id, |filter| grant.may_subscribe(filter));
        let properties = ConnAckProperties {
            assigned_client_id: assigned.then(|| connect.client_id.clone()),
            response_information: response_information(&connect, &grant),
            ..own_properties(&connect, keep_alive_s, expiry.as_secs())
        };
        let properties = Some(properties).filter(|_| connect.version == MqttVersion::V5).unwrap_or_default();
        self.control(
            connection,
            &Packet::ConnAck(ConnAck { session_present: present, code: ReasonCode::SUCCESS, properties }),
        );
        self.send_all(connection, frames.unwrap_or_default());
        self.count(RealmCounter::Connected, 1);
        self.arm_client(connection);
        early
    }

    /// Stops the timers of a session whose client returned. Its will is not published.
    fn stop_session_timers(&mut self, id: SessionId) {
        let will = self.take_will(id, |_| true);
        let Some(session) = self.sessions.get_mut(id) else { return };
        self.timers.cancel(TimerKey::Session(id, session.serial), session.expires_at.take());
        self.timers.cancel(TimerKey::Will(id, session.serial), will.map(|will| will.due_at));
    }

    /// Makes a member's session with an expiry survive a restart. A guest's identity doesn't survive one.
    fn keep_session(&mut self, id: SessionId, guest: bool, now: Time) {
        let connection = self.sessions.get(id).and_then(|session| session.attached).map(|attached| attached.connection);
        let payer = connection.and_then(|connection| self.access(connection)).map(|access| access.payer);
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        session.payer = payer;
        // A stored session that is to end with this connection is kept in the store until then. A crash could restore
        // it, and it must then know its packet ids.
        let was_kept = session.is_kept;
        let is_kept = !guest && (was_kept || !session.expiry.is_zero());
        if was_kept && !is_kept {
            self.keep(id, SessionWrite::Ended);
        }
        if let Some(session) = self.sessions.get_mut(id) {
            session.will_is_kept &= is_kept;
            session.is_kept = is_kept;
            session.outgoing.set_kept(is_kept);
        }
        self.keep_lasting(id);
        let will = self.will_to_keep(id, now);
        self.keep_will(id, will);
    }

    /// Returns the time at which a grant ends.
    pub(super) fn end_of(&self, grant: &Grant) -> Time {
        let left = (grant.expires_at().0 + limits::GRANT_LEEWAY_S).saturating_sub(self.start.unix_at_zero.0);
        Time::from_secs(left.min(u64::MAX / 1_000_000_000))
    }
}

/// A client's session.
struct AttachedSession {
    id: SessionId,
    present: bool,
}

struct AdmittedClient {
    connect: Connect,
    grant: Grant,
    session: AttachedSession,
}

/// Returns the response topic prefix, if the client requests one and its grant covers it.
fn response_information(connect: &Connect, grant: &Grant) -> Option<String> {
    let beginning = alloc::format!("reply/{}/{}", grant.subject(), connect.client_id);
    let below = TopicFilter::parse(&alloc::format!("{beginning}/#"));
    let is_asked = connect.response_information;
    below.is_ok_and(|below| is_asked && grant.may_subscribe(&below)).then_some(beginning)
}

fn own_properties(connect: &Connect, keep_alive_s: u16, expiry_s: u64) -> ConnAckProperties {
    let expiry_s = u32::try_from(expiry_s).unwrap_or(u32::MAX);
    ConnAckProperties {
        session_expiry_s: (connect.session_expiry_s.unwrap_or(0) != expiry_s).then_some(expiry_s),
        receive_max: Some(limits::RECEIVE_MAX),
        packet_bytes_max: Some(u32::try_from(PACKET_BYTES_MAX).expect("is far below 4 GiB")),
        assigned_client_id: None,
        topic_alias_max: Some(limits::TOPIC_ALIASES_MAX),
        response_information: None,
        reason: None,
        keep_alive_s: (keep_alive_s != connect.keep_alive_s).then_some(keep_alive_s),
        subscription_ids: None,
        shared_subscriptions: None,
    }
}
