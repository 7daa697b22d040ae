//! All sessions, by number and by client id.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::session::{Session, SessionId};

/// All sessions.
#[derive(Debug, Default)]
pub struct Sessions {
    slots: Vec<Option<Session>>,
    free: Vec<usize>,
    by_client: BTreeMap<String, SessionId>,
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
        self.by_client.insert(client_id.into(), SessionId(index));
        SessionId(index)
    }

    /// Ends a session.
    pub fn close(&mut self, id: SessionId) -> Option<Session> {
        let session = self.slots.get_mut(id.0)?.take()?;
        self.free.push(id.0);
        self.by_client.remove(&session.client_id);
        Some(session)
    }

    /// The session of a client.
    pub fn of_client(&self, client_id: &str) -> Option<SessionId> {
        self.by_client.get(client_id).copied()
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
