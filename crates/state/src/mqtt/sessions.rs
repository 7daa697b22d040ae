//! All sessions, by number and by whose they are. Client ids are counted for each subject, so that nobody keeps another out by being there first
//! under its client id.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::session::{Session, SessionId};

/// All sessions.
#[derive(Debug, Default)]
pub struct Sessions {
    slots: Vec<Option<Session>>,
    free: Vec<usize>,
    /// By subject, then by client id.
    by_client: BTreeMap<(String, String), SessionId>,
    /// Those whose client id is their identity in topics, by it: no two may have the same.
    by_identity: BTreeMap<String, SessionId>,
    opened: u64,
}

impl Sessions {
    /// A new session for a client that has none.
    pub fn open(&mut self, subject: &str, client_id: &str) -> SessionId {
        self.opened += 1;
        let session = Session::new(subject.into(), client_id.into(), self.opened);
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[index] = Some(session);
        self.by_client.insert((subject.into(), client_id.into()), SessionId(index));
        SessionId(index)
    }

    /// Ends a session.
    pub fn close(&mut self, id: SessionId) -> Option<Session> {
        let session = self.slots.get_mut(id.0)?.take()?;
        self.free.push(id.0);
        self.set_identity(id, &session.client_id, false);
        self.by_client.remove(&(session.subject.clone(), session.client_id.clone()));
        Some(session)
    }

    /// The session of a subject's client.
    pub fn of_client(&self, subject: &str, client_id: &str) -> Option<SessionId> {
        self.by_client.get(&(subject.into(), client_id.into())).copied()
    }

    /// How many a subject has.
    pub fn count_of(&self, subject: &str) -> usize {
        let from = (String::from(subject), String::new());
        self.by_client.range(from..).take_while(|((owner, _), _)| owner == subject).count()
    }

    /// The session whose client id is its identity, and is this one.
    pub fn of_identity(&self, client_id: &str) -> Option<SessionId> {
        self.by_identity.get(client_id).copied()
    }

    /// Says whether a session's client id is its identity.
    pub fn set_identity(&mut self, id: SessionId, client_id: &str, is_identity: bool) {
        if is_identity {
            self.by_identity.insert(client_id.into(), id);
        } else if self.by_identity.get(client_id) == Some(&id) {
            self.by_identity.remove(client_id);
        }
    }

    /// A session.
    pub fn get(&self, id: SessionId) -> Option<&Session> {
        self.slots.get(id.0)?.as_ref()
    }

    /// A session.
    pub fn get_mut(&mut self, id: SessionId) -> Option<&mut Session> {
        self.slots.get_mut(id.0)?.as_mut()
    }

    /// How many there are, with and without a connection.
    pub fn len(&self) -> usize {
        self.by_client.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_client.is_empty()
    }
}
