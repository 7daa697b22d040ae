//! People present in a scene, with their connections, cameras, hands and faces. Source: `spec/topics.md` section
//! 2.2.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Map, Value};
use stoa_wire::reason::{Reason, Refusal};

use super::conflation::ObjectConflationKeys;
use crate::connection_id::ConnectionId;
use crate::limits::{DEPARTED_MAX, PEOPLE_BYTES_MAX, PEOPLE_MAX};

/// A person present in the scene.
#[derive(Clone, Debug)]
pub(super) struct PresentPerson {
    pub(super) connection: ConnectionId,
    /// Number of this presence; it only grows.
    pub(super) generation: u64,
    /// User client (token 5 of topics).
    pub(super) user_client: String,
    /// The person's last `join` with later `update`s merged, without id and action.
    pub(super) joined: Option<Map<String, Value>>,
    /// Camera, hands and face by id.
    pub(super) parts: BTreeMap<String, AvatarPartObject>,
}

/// A camera, a hand or a face.
#[derive(Clone, Debug, Default)]
pub(super) struct AvatarPartObject {
    pub(super) type_name: Option<String>,
    pub(super) attributes: Map<String, Value>,
    /// Size of the attributes.
    pub(super) bytes: usize,
    pub(super) user_client: String,
    /// Seconds without a message until it expires.
    pub(super) ttl: Option<f64>,
    pub(super) streams: ObjectConflationKeys,
}

impl PresentPerson {
    /// Returns the display names of its camera and its join.
    pub(super) fn names(&self, id_tag: &str) -> impl Iterator<Item = &str> {
        let camera = self.parts.get(id_tag).and_then(|part| part.attributes.get("arena-user")?.get("displayName"));
        let joined = self.joined.as_ref().and_then(|joined| joined.get("dn"));
        [camera, joined].into_iter().flatten().filter_map(Value::as_str).filter(|name| !name.is_empty())
    }

    /// Bytes of all its parts' attributes.
    pub(super) fn bytes(&self) -> usize {
        self.parts.values().map(|part| part.bytes).sum()
    }

    /// Returns camera, hands, face in this order.
    pub(super) fn parts_in_order(&self, id_tag: &str) -> Vec<(&str, &AvatarPartObject)> {
        let rank = |id: &str| match id {
            _ if id == id_tag => 0,
            _ if id.starts_with("hand") => 1,
            _ => 2,
        };
        let mut parts: Vec<(&str, &AvatarPartObject)> =
            self.parts.iter().map(|(id, part)| (id.as_str(), part)).collect();
        parts.sort_by_key(|(id, _)| rank(id));
        parts
    }
}

/// A connection's relation to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionPresenceStatus {
    /// The person is present by this connection.
    Present,
    /// The person left, or another connection took over. Only a new generation brings it back.
    Departed,
    /// The connection never had this person, or had it before the last [`DEPARTED_MAX`] departures.
    Unknown,
}

#[derive(Debug, Default)]
struct ConnectionPeople {
    present: BTreeSet<String>,
    departed: VecDeque<String>,
}

/// All people in the scene.
#[derive(Debug, Default)]
pub(super) struct PresentPeople {
    by_id_tag: BTreeMap<Arc<str>, Arc<PresentPerson>>,
    by_connection: BTreeMap<ConnectionId, ConnectionPeople>,
    generations: u64,
    /// Bytes of all people's parts.
    bytes: usize,
}

impl PresentPeople {
    pub(super) fn len(&self) -> usize {
        self.by_id_tag.len()
    }

    pub(super) fn get(&self, id_tag: &str) -> Option<&PresentPerson> {
        self.by_id_tag.get(id_tag).map(Arc::as_ref)
    }

    pub(super) fn get_mut(&mut self, id_tag: &str) -> Option<&mut PresentPerson> {
        self.by_id_tag.get_mut(id_tag).map(Arc::make_mut)
    }

    /// All people at present, as shared references.
    pub(super) fn all(&self) -> Vec<(Arc<str>, Arc<PresentPerson>)> {
        self.by_id_tag.iter().map(|(id_tag, person)| (Arc::clone(id_tag), Arc::clone(person))).collect()
    }

    pub(super) fn status_of(&self, connection: ConnectionId, id_tag: &str) -> ConnectionPresenceStatus {
        match self.by_connection.get(&connection) {
            Some(presence) if presence.present.contains(id_tag) => ConnectionPresenceStatus::Present,
            Some(presence) if presence.departed.iter().any(|departed| departed == id_tag) => {
                ConnectionPresenceStatus::Departed
            }
            _ => ConnectionPresenceStatus::Unknown,
        }
    }

    /// Whether any person is present by this connection.
    pub(super) fn has_present(&self, connection: ConnectionId) -> bool {
        self.by_connection.get(&connection).is_some_and(|presence| !presence.present.is_empty())
    }

    /// Whether one more person fits.
    pub(super) fn has_room(&self) -> bool {
        self.by_id_tag.len() < PEOPLE_MAX
    }

    /// Whether a part of a person may grow by the bytes of an update. If all people's parts exceed
    /// [`PEOPLE_BYTES_MAX`] with it, the person's parts may reach an even share of this limit. Errors:
    /// [`Reason::TooLarge`], with the share.
    pub(super) fn check_growth(&self, id_tag: &str, growth: usize) -> Result<(), Refusal> {
        if self.bytes + growth <= PEOPLE_BYTES_MAX {
            return Ok(());
        }
        let share = PEOPLE_BYTES_MAX / self.by_id_tag.len().max(1);
        if self.get(id_tag).map_or(0, PresentPerson::bytes) + growth <= share {
            return Ok(());
        }
        let of = "bytes of one person's cameras, hands and face in a scene whose people share the limit of all";
        Err(Refusal::beyond(Reason::TooLarge, share, of))
    }

    /// Bytes of all parts.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts the new size of a part instead of its old one.
    pub(super) fn resize_part(&mut self, before: usize, after: usize) {
        self.bytes = self.bytes + after - before;
    }

    /// Makes a person present. If the person is present by another connection, this connection takes the person over.
    pub(super) fn make_present(&mut self, connection: ConnectionId, id_tag: &str, user_client: &str) {
        self.generations += 1;
        let generation = self.generations;
        let fresh = || {
            Arc::new(PresentPerson {
                connection,
                generation,
                user_client: user_client.to_string(),
                joined: None,
                parts: BTreeMap::new(),
            })
        };
        let person = Arc::make_mut(self.by_id_tag.entry(id_tag.into()).or_insert_with(fresh));
        let before = core::mem::replace(&mut person.connection, connection);
        person.generation = generation;
        person.user_client = user_client.to_string();
        if before != connection {
            self.mark_departed(before, id_tag);
        }
        let presence = self.by_connection.entry(connection).or_default();
        presence.departed.retain(|departed| departed != id_tag);
        presence.present.insert(id_tag.to_string());
    }

    /// Ends a person's presence by a connection, and remembers the departure even if the person was not present.
    pub(super) fn depart(&mut self, connection: ConnectionId, id_tag: &str) -> Option<PresentPerson> {
        self.mark_departed(connection, id_tag);
        let entry = self.by_id_tag.remove(id_tag).map(Arc::unwrap_or_clone);
        self.bytes -= entry.as_ref().map_or(0, PresentPerson::bytes);
        assert!(
            entry.as_ref().is_none_or(|person| person.connection == connection),
            "only its own connection ends a presence"
        );
        entry
    }

    /// Forgets a connection and returns the people that were present by it.
    pub(super) fn end(&mut self, connection: ConnectionId) -> Vec<(String, PresentPerson)> {
        let presence = self.by_connection.remove(&connection).unwrap_or_default();
        let gone = presence.present.into_iter().filter_map(|id_tag| {
            let person = self.by_id_tag.remove(id_tag.as_str())?;
            self.bytes -= person.bytes();
            Some((id_tag, Arc::unwrap_or_clone(person)))
        });
        gone.collect()
    }

    fn mark_departed(&mut self, connection: ConnectionId, id_tag: &str) {
        let presence = self.by_connection.entry(connection).or_default();
        presence.present.remove(id_tag);
        presence.departed.retain(|departed| departed != id_tag);
        if presence.departed.len() == DEPARTED_MAX {
            presence.departed.pop_front();
        }
        presence.departed.push_back(id_tag.to_string());
    }
}
