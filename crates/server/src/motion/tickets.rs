//! Tickets: random bytes that let in by each of the three ways once, for a few seconds. In memory alone: a server that starts anew knows none of them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use stoa_state::motion::MotionSettings;
use stoa_state::realm::{MotionGrant, MotionGrantId};
use stoa_wire::topic::SceneName;

use crate::limits;

/// How many random bytes a ticket is.
const TICKET_BYTES: usize = 24;

/// By which way somebody comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// netcode over UDP.
    Netcode,
    /// WebTransport.
    WebTransport,
    /// WebSocket.
    WebSocket,
}

/// A secret: never logged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket([u8; TICKET_BYTES]);

/// All tickets that are good, and the passes that somebody came in by.
#[derive(Debug, Default)]
pub(super) struct Tickets {
    held: BTreeMap<MotionGrantId, Held>,
    /// By what they say; as many as those.
    by_ticket: BTreeMap<Ticket, MotionGrantId>,
}

#[derive(Debug)]
struct Held {
    pass: MotionGrant,
    ticket: Ticket,
    ends_at: Instant,
    /// A bit for each way that it was taken by.
    taken: u8,
    /// How many are in by it.
    stays: usize,
}

impl fmt::Debug for Ticket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Ticket")
    }
}

impl Ticket {
    fn fresh() -> Ticket {
        Ticket(rand::random())
    }

    /// As it stands in a URL.
    pub(super) fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// From a URL; `None` where it is none.
    pub(super) fn from_text(text: &str) -> Option<Ticket> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Ticket)
    }

    /// From the user data of a connect token, which begin with it.
    pub(super) fn from_user_data(bytes: &[u8]) -> Option<Ticket> {
        bytes.first_chunk().copied().map(Ticket)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Tickets {
    /// Makes a ticket for a pass.
    pub(super) fn issue(&mut self, pass: MotionGrant, now: Instant) -> Ticket {
        let ticket = Ticket::fresh();
        self.by_ticket.insert(ticket, pass.id);
        let ends_at = now + limits::MOTION_TICKET_TTL;
        self.held.insert(pass.id, Held { pass, ticket, ends_at, taken: 0, stays: 0 });
        ticket
    }

    /// The ticket of a pass; `None` where it has ended.
    pub(super) fn of(&self, pass: MotionGrantId) -> Option<(Ticket, &MotionGrant)> {
        self.held.get(&pass).map(|held| (held.ticket, &held.pass))
    }

    /// What a ticket is for, without taking it.
    pub(super) fn peek(&self, ticket: Ticket) -> Option<&MotionGrant> {
        Some(&self.held.get(self.by_ticket.get(&ticket)?)?.pass)
    }

    /// A scene's motion is shared in another way: whoever comes in first makes its room by what its pass says.
    pub(super) fn change(&mut self, scene: &SceneName, settings: MotionSettings) {
        let inside = self.held.values_mut().filter(|held| held.pass.scene == *scene);
        inside.for_each(|held| held.pass.settings = settings);
    }

    /// Somebody comes in by it. `None`: it is not good, or not any more.
    pub(super) fn take(&mut self, ticket: Ticket, by: By, now: Instant) -> Option<MotionGrant> {
        let held = self.held.get_mut(self.by_ticket.get(&ticket)?)?;
        let bit = 1 << by as u8;
        if now >= held.ends_at || held.taken & bit != 0 {
            return None;
        }
        held.taken |= bit;
        held.stays += 1;
        Some(held.pass.clone())
    }

    /// One of those who came in by it has gone.
    pub(super) fn leave(&mut self, pass: MotionGrantId) {
        if let Some(held) = self.held.get_mut(&pass) {
            held.stays = held.stays.saturating_sub(1);
        }
    }

    /// It is no longer good.
    pub(super) fn end(&mut self, pass: MotionGrantId) {
        if let Some(held) = self.held.remove(&pass) {
            self.by_ticket.remove(&held.ticket);
        }
    }

    /// Those by which nobody is in, and nobody can come in any more: they are forgotten.
    pub(super) fn sweep(&mut self, now: Instant) -> Vec<MotionGrantId> {
        let is_over = |held: &Held| held.stays == 0 && now >= held.ends_at;
        let over: Vec<MotionGrantId> = self.held.iter().filter(|(_, held)| is_over(held)).map(|(id, _)| *id).collect();
        over.iter().for_each(|id| self.end(*id));
        over
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;

    const BYS: [By; 3] = [By::Netcode, By::WebTransport, By::WebSocket];

    /// Ada's, for the lobby.
    pub(in crate::motion) fn pass(id: u64) -> MotionGrant {
        MotionGrant {
            id: MotionGrantId(id),
            scene: "public/lobby".parse().unwrap(),
            user_client: "ada_1_web".into(),
            id_tag: "ada_1".into(),
            may_show: true,
            may_track: false,
            settings: MotionSettings::default(),
        }
    }

    #[test]
    fn each_way_takes_a_ticket_once_while_it_is_good() {
        let (mut tickets, now) = (Tickets::default(), Instant::now());
        let ticket = tickets.issue(pass(1), now);
        for by in BYS {
            assert_eq!(tickets.take(ticket, by, now), Some(pass(1)));
            assert_eq!(tickets.take(ticket, by, now), None, "{by:?}, a second time");
        }
        let late = tickets.issue(pass(2), now);
        let just = now + limits::MOTION_TICKET_TTL - Duration::from_millis(1);
        assert!(tickets.take(late, By::Netcode, just).is_some(), "negative control");
        assert_eq!(tickets.take(late, By::WebSocket, now + limits::MOTION_TICKET_TTL), None);
        assert_eq!(tickets.take(Ticket([7; TICKET_BYTES]), By::Netcode, now), None);
    }

    #[test]
    fn what_has_ended_lets_nobody_in() {
        let (mut tickets, now) = (Tickets::default(), Instant::now());
        let ticket = tickets.issue(pass(1), now);
        tickets.end(MotionGrantId(1));
        assert_eq!(tickets.take(ticket, By::Netcode, now), None);
        assert!(tickets.of(MotionGrantId(1)).is_none() && tickets.by_ticket.is_empty());
    }

    #[test]
    fn a_pass_is_given_back_when_its_ticket_has_ended_and_nobody_is_in_by_it() {
        let (mut tickets, now) = (Tickets::default(), Instant::now());
        let ticket = tickets.issue(pass(1), now);
        tickets.issue(pass(2), now);
        tickets.take(ticket, By::Netcode, now);
        assert_eq!(tickets.sweep(now), [], "they are good");
        let later = now + limits::MOTION_TICKET_TTL;
        assert_eq!(tickets.sweep(later), [MotionGrantId(2)], "by the other, somebody is in");
        tickets.leave(MotionGrantId(1));
        assert_eq!(tickets.sweep(later), [MotionGrantId(1)]);
        assert_eq!(tickets.sweep(later), []);
    }

    #[test]
    fn a_ticket_survives_the_url_and_nothing_else_is_one() {
        let ticket = Ticket::fresh();
        assert_eq!(Ticket::from_text(&ticket.to_text()), Some(ticket));
        for text in ["", "abc", "A", &"A".repeat(31), &"A".repeat(33), &"!".repeat(32)] {
            assert_eq!(Ticket::from_text(text), None, "{text}");
        }
        assert_eq!(format!("{ticket:?}"), "Ticket");
    }
}
