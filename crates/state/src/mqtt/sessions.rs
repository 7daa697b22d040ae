//! All sessions by number and owner. Client ids are unique within a subject, so that no subject can occupy the
//! client id of another one.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::idle_guests::IdleGuestSessions;
use super::session::{Session, SessionId};
use super::stored::SessionKey;
use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// All sessions of a realm.
#[derive(Debug, Default)]
pub struct Sessions {
    slots: Vec<Option<Session>>,
    free: Vec<usize>,
    by_name: BTreeMap<SessionKey, SessionId>,
    /// Sessions whose client id is their identity in topics, which must be unique.
    by_identity: BTreeMap<String, SessionId>,
    opened: u64,
    /// Sessions without a connection, by subject.
    idle: BTreeMap<String, SubjectIdleSessions>,
    idle_count: usize,
    /// Bytes of messages queued or in flight in all sessions without a connection.
    idle_bytes: usize,
    /// Guests' sessions without a connection, by payer.
    idle_guests: IdleGuestSessions,
    /// Remaining writes for persistent sessions, by subject.
    kept: BTreeMap<String, TokenBucket>,
}

/// One subject's sessions without a connection.
#[derive(Debug, Default)]
struct SubjectIdleSessions {
    /// Bytes queued or in flight in each session; the last session is the fullest.
    sizes: BTreeSet<(usize, SessionId)>,
    bytes: usize,
}

/// Whether a session may be without a connection, or queue bytes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdlePermission {
    /// The session may be idle, or the bytes may be queued.
    Free,
    /// Allowed once the named session ends, or drops a message if bytes are needed. It may be the same session.
    After(SessionId),
    /// Not allowed.
    Never,
}

impl Sessions {
    /// Opens a session for a client that has none. It is not idle yet.
    pub fn open(&mut self, subject: &str, client_id: &str) -> SessionId {
        self.opened += 1;
        let name = SessionKey { subject: subject.into(), client_id: client_id.into() };
        let session = Session::new(name.clone(), self.opened);
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[index] = Some(session);
        self.by_name.insert(name, SessionId(index));
        SessionId(index)
    }

    /// Ends a session.
    pub fn close(&mut self, id: SessionId) -> Option<Session> {
        self.set_busy(id);
        let session = self.slots.get_mut(id.0)?.take()?;
        self.free.push(id.0);
        self.set_identity(id, &session.name.client_id, false);
        self.by_name.remove(&*session.name);
        if self.of_subject(&session.name.subject).next().is_none() {
            self.kept.remove(&session.name.subject);
        }
        Some(session)
    }

    /// Counts a message written for a session. Returns false if its subject exceeds the rate; the message is then
    /// dropped.
    pub fn take_kept(&mut self, id: SessionId, now: Time) -> bool {
        let Some(session) = self.slots.get(id.0).and_then(Option::as_ref) else {
            return false;
        };
        let subject = &session.name.subject;
        match self.kept.get_mut(subject) {
            Some(bucket) => bucket.take(now),
            None => {
                let mut bucket = TokenBucket::new(limits::KEPT_PER_S, limits::KEPT_BURST, now);
                let taken = bucket.take(now);
                self.kept.insert(subject.clone(), bucket);
                taken
            }
        }
    }

    /// Whether a session may be idle. Its queued messages are not checked: they fit or are dropped.
    pub fn check_idle(&mut self, id: SessionId, now: Time) -> IdlePermission {
        let Some(session) = self.get(id) else {
            return IdlePermission::Never;
        };
        let of_subject = self.idle.get(&session.name.subject).map_or(0, |idle| idle.sizes.len());
        let of_members = self.idle_count - self.idle_guests.count();
        match session.guest_payer() {
            _ if of_subject >= limits::MEMBER_IDLE_SESSIONS_MAX => IdlePermission::Never,
            Some(payer) => self.idle_guests.check_session(payer, now),
            None if of_members >= limits::MEMBERS_IDLE_SESSIONS_MAX => IdlePermission::Never,
            None => IdlePermission::Free,
        }
    }

    /// Whether `bytes` more may be queued in an idle session. Only messages of the same subject are dropped for
    /// them, and messages of other guests for those of a guest.
    pub fn check_idle_space(&mut self, id: SessionId, bytes: usize, now: Time) -> IdlePermission {
        match (self.check_idle_space_of_subject(id, bytes), self.get(id).and_then(Session::guest_payer)) {
            (IdlePermission::Free, Some(payer)) => self.idle_guests.check_bytes(payer, bytes, now),
            (verdict, _) => verdict,
        }
    }

    fn check_idle_space_of_subject(&self, id: SessionId, bytes: usize) -> IdlePermission {
        let Some((session, of_subject)) =
            self.get(id).and_then(|session| Some((session, self.idle.get(&session.name.subject)?)))
        else {
            return IdlePermission::Never;
        };
        let of_class = if session.guest_payer().is_some() {
            usize::MAX
        } else {
            let of_others = self.idle_bytes - self.idle_guests.bytes() - of_subject.bytes;
            limits::MEMBERS_IDLE_BYTES_MAX.saturating_sub(of_others)
        };
        let most = limits::MEMBER_IDLE_BYTES_MAX.min(of_class);
        match of_subject.sizes.last() {
            _ if bytes > most => IdlePermission::Never,
            Some((_, fullest)) if of_subject.bytes + bytes > most => IdlePermission::After(*fullest),
            _ => IdlePermission::Free,
        }
    }

    /// Marks a session as idle, without a connection.
    pub fn set_idle(&mut self, id: SessionId) {
        if let Some(session) = self.slots.get_mut(id.0).and_then(Option::as_mut).filter(|session| !session.is_idle) {
            session.is_idle = true;
            self.idle_count += 1;
            let bytes = session.outgoing.bytes();
            self.idle_bytes += bytes;
            let of_subject = self.idle.entry(session.name.subject.clone()).or_default();
            of_subject.sizes.insert((bytes, id));
            of_subject.bytes += bytes;
            if let Some(payer) = session.guest_payer() {
                self.idle_guests.add(payer, id, bytes);
            }
        }
    }

    /// Unmarks a session that got a connection or ends.
    pub fn set_busy(&mut self, id: SessionId) {
        let Some(session) = self.slots.get_mut(id.0).and_then(Option::as_mut).filter(|session| session.is_idle) else {
            return;
        };
        session.is_idle = false;
        self.idle_count -= 1;
        let bytes = session.outgoing.bytes();
        self.idle_bytes -= bytes;
        if let Some(payer) = session.guest_payer() {
            self.idle_guests.remove(payer, id, bytes);
        }
        let of_subject = self.idle.get_mut(&session.name.subject).expect("an idle session counts for its subject");
        of_subject.sizes.remove(&(bytes, id));
        of_subject.bytes -= bytes;
        if of_subject.sizes.is_empty() {
            self.idle.remove(&session.name.subject);
        }
    }

    /// Changes a session's queues and updates the byte counts.
    pub fn change<T>(&mut self, id: SessionId, change: impl FnOnce(&mut Session) -> T) -> Option<T> {
        let session = self.slots.get_mut(id.0)?.as_mut()?;
        let before = session.outgoing.bytes();
        let result = change(session);
        let after = session.outgoing.bytes();
        if session.is_idle && after != before {
            self.idle_bytes = self.idle_bytes - before + after;
            if let Some(payer) = session.guest_payer() {
                self.idle_guests.change(payer, id, before, after);
            }
            let of_subject = self.idle.get_mut(&session.name.subject).expect("an idle session counts for its subject");
            of_subject.bytes = of_subject.bytes - before + after;
            of_subject.sizes.remove(&(before, id));
            of_subject.sizes.insert((after, id));
        }
        Some(result)
    }

    /// Finds the session of a subject's client id.
    pub fn of_client(&self, subject: &str, client_id: &str) -> Option<SessionId> {
        self.by_name.get(&SessionKey { subject: subject.into(), client_id: client_id.into() }).copied()
    }

    /// Number of a subject's sessions.
    pub fn count_of(&self, subject: &str) -> usize {
        self.of_subject(subject).count()
    }

    /// All sessions of a subject.
    pub fn ids_of(&self, subject: &str) -> Vec<SessionId> {
        self.of_subject(subject).collect()
    }

    fn of_subject(&self, subject: &str) -> impl Iterator<Item = SessionId> {
        let from = SessionKey { subject: subject.into(), client_id: String::new() };
        self.by_name.range(from..).take_while(move |(name, _)| name.subject == subject).map(|(_, id)| *id)
    }

    /// Finds the session whose identity in topics is this client id.
    pub fn of_identity(&self, client_id: &str) -> Option<SessionId> {
        self.by_identity.get(client_id).copied()
    }

    /// Sets whether a session's client id is its identity.
    pub fn set_identity(&mut self, id: SessionId, client_id: &str, is_identity: bool) {
        if is_identity {
            self.by_identity.insert(client_id.into(), id);
        } else if self.by_identity.get(client_id) == Some(&id) {
            self.by_identity.remove(client_id);
        }
    }

    /// Returns a session.
    pub fn get(&self, id: SessionId) -> Option<&Session> {
        self.slots.get(id.0)?.as_ref()
    }

    /// Returns a session. Change an idle session's queues with [`Sessions::change`] only.
    pub fn get_mut(&mut self, id: SessionId) -> Option<&mut Session> {
        self.slots.get_mut(id.0)?.as_mut()
    }

    pub fn ids(&self) -> impl Iterator<Item = SessionId> {
        self.by_name.values().copied()
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;
    use alloc::vec;

    use stoa_wire::packet::{Publish, PublishProperties, Qos};
    use stoa_wire::topic::Topic;

    use super::*;
    use crate::ledger::{Ledger, PayerClass};
    use crate::mqtt::outgoing::QueuedMessage;
    use crate::time::Time;

    /// This many fill a session, and twice as many fill a subject's quota.
    const EACH_BYTES: usize = 64 * 1_024;
    const FULL: usize = limits::PENDING_BYTES_MAX / EACH_BYTES;

    fn message(bytes: usize) -> QueuedMessage {
        let publish = |payload: usize| Publish {
            topic: Topic::parse("a/b").unwrap(),
            payload: vec![b'x'; payload].into(),
            qos: Qos::AtLeastOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties::default(),
        };
        let publish = publish(bytes - publish(0).size_bytes());
        let (publish, subscription_ids) = (Arc::new(publish), Vec::new());
        let (qos, taken_at) = (Qos::AtLeastOnce, Time::ZERO);
        QueuedMessage { publish, forward: None, qos, retain: false, subscription_ids, taken_at, number: 1, kept: None }
    }

    fn wait(sessions: &mut Sessions, id: SessionId, bytes: usize) {
        sessions.change(id, |session| session.outgoing.push(message(bytes), Time::ZERO).unwrap());
    }

    fn bytes_of(sessions: &Sessions, id: SessionId) -> usize {
        sessions.get(id).unwrap().outgoing.bytes()
    }

    /// Two idle sessions that fill their subject's quota.
    fn full() -> (Sessions, [SessionId; 2]) {
        let mut sessions = Sessions::default();
        let ids = ["one", "two"].map(|client_id| sessions.open("ada", client_id));
        for id in ids {
            sessions.set_idle(id);
            (0..FULL).for_each(|_| wait(&mut sessions, id, EACH_BYTES));
        }
        assert_eq!(bytes_of(&sessions, ids[0]) + bytes_of(&sessions, ids[1]), limits::MEMBER_IDLE_BYTES_MAX);
        (sessions, ids)
    }

    #[test]
    fn a_message_dropped_from_the_fullest_session_frees_room_for_its_subject() {
        let (mut sessions, [one, two]) = full();
        assert_eq!(sessions.check_idle_space(one, 1, Time::ZERO), IdlePermission::After(two), "which came later");
        sessions.change(two, |session| assert!(session.outgoing.give_way()));
        assert_eq!(sessions.check_idle_space(one, EACH_BYTES, Time::ZERO), IdlePermission::Free);
        assert_eq!(
            sessions.check_idle_space(two, EACH_BYTES + 1, Time::ZERO),
            IdlePermission::After(one),
            "which is the fullest now"
        );
    }

    #[test]
    fn no_message_is_dropped_for_one_that_exceeds_the_whole_quota() {
        let (mut sessions, [one, _]) = full();
        assert_eq!(
            sessions.check_idle_space(one, limits::MEMBER_IDLE_BYTES_MAX + 1, Time::ZERO),
            IdlePermission::Never
        );
        let of_another = sessions.open("bo", "one");
        assert_eq!(sessions.check_idle_space(of_another, 1, Time::ZERO), IdlePermission::Never, "it is not idle");
    }

    #[test]
    fn idle_sessions_of_members_leave_a_share_to_guests() {
        let mut sessions = Sessions::default();
        let accounts = limits::MEMBERS_IDLE_SESSIONS_MAX / limits::MEMBER_IDLE_SESSIONS_MAX + 1;
        let mut idle = 0;
        for number in 0..accounts * limits::MEMBER_IDLE_SESSIONS_MAX {
            let subject = alloc::format!("account-{}", number % accounts);
            let id = sessions.open(&subject, &alloc::format!("client-{number}"));
            if sessions.check_idle(id, Time::ZERO) == IdlePermission::Free {
                sessions.set_idle(id);
                idle += 1;
                if idle <= limits::MEMBERS_IDLE_BYTES_MAX / EACH_BYTES + 10 {
                    let room = sessions.check_idle_space(id, EACH_BYTES, Time::ZERO);
                    assert_eq!(
                        room == IdlePermission::Free,
                        idle <= limits::MEMBERS_IDLE_BYTES_MAX / EACH_BYTES,
                        "{idle}"
                    );
                    if room == IdlePermission::Free {
                        wait(&mut sessions, id, EACH_BYTES);
                    }
                }
            }
        }
        assert_eq!(idle, limits::MEMBERS_IDLE_SESSIONS_MAX);
        let guest = sessions.open("anonymous-ada", "ada");
        let payer = Ledger::new(&[], Time::ZERO).payer(PayerClass::Guests, "anonymous-ada", None, Time::ZERO);
        sessions.get_mut(guest).unwrap().payer = Some(payer);
        assert_eq!(sessions.check_idle(guest, Time::ZERO), IdlePermission::Free);
        sessions.set_idle(guest);
        assert_eq!(sessions.check_idle_space(guest, EACH_BYTES, Time::ZERO), IdlePermission::Free);
    }

    #[test]
    fn queued_bytes_of_a_connected_session_do_not_count_until_it_is_idle_again() {
        let (mut sessions, [one, two]) = full();
        sessions.set_busy(one);
        assert_eq!(sessions.check_idle_space(two, limits::PENDING_BYTES_MAX, Time::ZERO), IdlePermission::Free);
        sessions.set_idle(one);
        assert_eq!(sessions.check_idle_space(two, 1, Time::ZERO), IdlePermission::After(two));
    }
}
