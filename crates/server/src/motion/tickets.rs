//! Tickets: random bytes that admit a client once by each transport, for a few seconds. Kept in memory only: a
//! restarted server accepts no earlier ticket.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use stoa_state::motion::MotionSettings;
use stoa_state::realm::{MotionGrant, MotionGrantId};
use stoa_wire::topic::SceneName;

use crate::limits;

/// Random bytes of a ticket.
const TICKET_BYTES: usize = 24;

/// The transport of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionTransportKind {
    /// netcode over UDP.
    Netcode,
    /// WebTransport.
    WebTransport,
    /// WebSocket.
    WebSocket,
}

/// A ticket: a secret, never logged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TicketBytes([u8; TICKET_BYTES]);

/// The motion grants that have not ended, each with its ticket.
#[derive(Debug, Default)]
pub(super) struct MotionGrantRegistry {
    issued: BTreeMap<MotionGrantId, IssuedTicketRecord>,
    /// The ids of the motion grants, by ticket.
    by_ticket: BTreeMap<TicketBytes, MotionGrantId>,
}

#[derive(Debug)]
struct IssuedTicketRecord {
    grant: MotionGrant,
    ticket: TicketBytes,
    ends_at: Instant,
    /// One bit for each transport that was used.
    taken: u8,
    /// Number of sessions with this grant.
    sessions: usize,
}

impl fmt::Debug for TicketBytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Ticket")
    }
}

impl TicketBytes {
    fn fresh() -> TicketBytes {
        TicketBytes(rand::random())
    }

    /// The form used in URLs.
    pub(super) fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Parses the form used in URLs.
    pub(super) fn from_text(text: &str) -> Option<TicketBytes> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(TicketBytes)
    }

    /// Reads the ticket from the start of a connect token's user data.
    pub(super) fn from_user_data(bytes: &[u8]) -> Option<TicketBytes> {
        bytes.first_chunk().copied().map(TicketBytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl MotionGrantRegistry {
    /// Creates a ticket for a motion grant.
    pub(super) fn issue(&mut self, grant: MotionGrant, now: Instant) -> TicketBytes {
        let ticket = TicketBytes::fresh();
        self.by_ticket.insert(ticket, grant.id);
        let ends_at = now + limits::MOTION_TICKET_TTL;
        self.issued.insert(grant.id, IssuedTicketRecord { grant, ticket, ends_at, taken: 0, sessions: 0 });
        ticket
    }

    /// The ticket and content of a motion grant; `None` if the grant has ended.
    pub(super) fn of(&self, grant: MotionGrantId) -> Option<(TicketBytes, &MotionGrant)> {
        self.issued.get(&grant).map(|issued| (issued.ticket, &issued.grant))
    }

    /// The grant of a ticket, without using it.
    pub(super) fn peek(&self, ticket: TicketBytes) -> Option<&MotionGrant> {
        Some(&self.issued.get(self.by_ticket.get(&ticket)?)?.grant)
    }

    /// Changes the motion settings in a scene's grants, because the first session creates the scene from its grant.
    pub(super) fn change(&mut self, scene: &SceneName, settings: MotionSettings) {
        let inside = self.issued.values_mut().filter(|issued| issued.grant.scene == *scene);
        inside.for_each(|issued| issued.grant.settings = settings);
    }

    /// Uses a ticket for a session. `None` if it is invalid, used or expired.
    pub(super) fn take(
        &mut self,
        ticket: TicketBytes,
        transport: MotionTransportKind,
        now: Instant,
    ) -> Option<MotionGrant> {
        let issued = self.issued.get_mut(self.by_ticket.get(&ticket)?)?;
        let bit = 1 << transport as u8;
        if now >= issued.ends_at || issued.taken & bit != 0 {
            return None;
        }
        issued.taken |= bit;
        issued.sessions += 1;
        Some(issued.grant.clone())
    }

    /// Counts the end of a session.
    pub(super) fn leave(&mut self, grant: MotionGrantId) {
        if let Some(issued) = self.issued.get_mut(&grant) {
            issued.sessions = issued.sessions.saturating_sub(1);
        }
    }

    /// Removes a grant and its ticket.
    pub(super) fn end(&mut self, grant: MotionGrantId) {
        if let Some(issued) = self.issued.remove(&grant) {
            self.by_ticket.remove(&issued.ticket);
        }
    }

    /// Removes the grants without sessions whose tickets have expired, and returns their ids.
    pub(super) fn sweep(&mut self, now: Instant) -> Vec<MotionGrantId> {
        let is_over = |issued: &IssuedTicketRecord| issued.sessions == 0 && now >= issued.ends_at;
        let over: Vec<MotionGrantId> =
            self.issued.iter().filter(|(_, issued)| is_over(issued)).map(|(id, _)| *id).collect();
        over.iter().for_each(|id| self.end(*id));
        over
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use stoa_state::motion::MotionRights;

    use super::*;

    const TRANSPORTS: [MotionTransportKind; 3] =
        [MotionTransportKind::Netcode, MotionTransportKind::WebTransport, MotionTransportKind::WebSocket];

    /// A grant for Ada in the lobby.
    pub(in crate::motion) fn grant(id: u64) -> MotionGrant {
        MotionGrant {
            id: MotionGrantId(id),
            scene: "public/lobby".parse().unwrap(),
            user_client: "ada_1_web".into(),
            id_tag: "ada_1".into(),
            rights: MotionRights { may_track: false, ..MotionRights::ALL },
            settings: MotionSettings::default(),
        }
    }

    #[test]
    fn a_ticket_is_accepted_once_per_transport_until_it_expires() {
        let (mut tickets, now) = (MotionGrantRegistry::default(), Instant::now());
        let ticket = tickets.issue(grant(1), now);
        for transport in TRANSPORTS {
            assert_eq!(tickets.take(ticket, transport, now), Some(grant(1)));
            assert_eq!(tickets.take(ticket, transport, now), None, "{transport:?}, a second time");
        }
        let late = tickets.issue(grant(2), now);
        let just = now + limits::MOTION_TICKET_TTL - Duration::from_millis(1);
        assert!(tickets.take(late, MotionTransportKind::Netcode, just).is_some(), "negative control");
        assert_eq!(tickets.take(late, MotionTransportKind::WebSocket, now + limits::MOTION_TICKET_TTL), None);
        assert_eq!(tickets.take(TicketBytes([7; TICKET_BYTES]), MotionTransportKind::Netcode, now), None);
    }

    #[test]
    fn a_ticket_of_an_ended_grant_is_refused() {
        let (mut tickets, now) = (MotionGrantRegistry::default(), Instant::now());
        let ticket = tickets.issue(grant(1), now);
        tickets.end(MotionGrantId(1));
        assert_eq!(tickets.take(ticket, MotionTransportKind::Netcode, now), None);
        assert!(tickets.of(MotionGrantId(1)).is_none() && tickets.by_ticket.is_empty());
    }

    #[test]
    fn a_grant_without_a_session_is_swept_after_its_ticket_expires() {
        let (mut tickets, now) = (MotionGrantRegistry::default(), Instant::now());
        let ticket = tickets.issue(grant(1), now);
        tickets.issue(grant(2), now);
        tickets.take(ticket, MotionTransportKind::Netcode, now);
        assert_eq!(tickets.sweep(now), [], "they are good");
        let later = now + limits::MOTION_TICKET_TTL;
        assert_eq!(tickets.sweep(later), [MotionGrantId(2)], "by the other, somebody is in");
        tickets.leave(MotionGrantId(1));
        assert_eq!(tickets.sweep(later), [MotionGrantId(1)]);
        assert_eq!(tickets.sweep(later), []);
    }

    #[test]
    fn a_ticket_survives_a_url_round_trip_and_other_texts_are_refused() {
        let ticket = TicketBytes::fresh();
        assert_eq!(TicketBytes::from_text(&ticket.to_text()), Some(ticket));
        for text in ["", "abc", "A", &"A".repeat(31), &"A".repeat(33), &"!".repeat(32)] {
            assert_eq!(TicketBytes::from_text(text), None, "{text}");
        }
        assert_eq!(format!("{ticket:?}"), "Ticket");
    }
}
