//! The stored state, from which a scene restarts. It behaves as arena-persist's, see `spec/topics.md` section 2.1.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rpds::RedBlackTreeMapSync;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use stoa_wire::topic::SceneName;

use super::merge::{attributes_bytes, composed, record_bytes, size_bytes};
use super::replaced_state::ReplacedState;
use super::wall_clock::UnixMillis;
use crate::time::Time;

/// Type of an object that was created without one.
pub const DEFAULT_TYPE: &str = "object";

/// A stored object: in memory, in the store, and in arena-persist's REST API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredObject {
    /// Unique in its scene.
    pub object_id: String,
    /// `object`, `program`, `scene-options`, …
    #[serde(rename = "type")]
    pub type_name: String,
    /// The attributes, ARENA's `data`.
    pub attributes: Map<String, Value>,
    /// When it expires.
    #[serde(rename = "expireAt", default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<UnixMillis>,
    /// When it was first stored.
    #[serde(rename = "createdAt")]
    pub created_at: UnixMillis,
    /// When it last changed.
    #[serde(rename = "updatedAt")]
    pub updated_at: UnixMillis,
}

impl StoredObject {
    /// Approximate bytes of its attributes as JSON, for limits of objects.
    pub fn size_bytes(&self) -> usize {
        size_bytes(&self.attributes)
    }

    /// Approximate bytes of its row in the store.
    pub(super) fn row_bytes(&self) -> usize {
        self.object_id.len() + self.type_name.len() + attributes_bytes(&self.attributes)
    }

    /// Approximate bytes of its attributes and names as JSON, for limits of scenes.
    pub(super) fn weight_bytes(&self) -> usize {
        record_bytes(&self.object_id, &self.type_name, &self.attributes)
    }
}

/// A scene in the store.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredScene {
    /// Revision of the last stored change.
    pub revision: u64,
    /// The stored objects, in any order.
    pub objects: Vec<StoredObject>,
}

/// An entry of the log, which the store must append and fold into the present state. Revisions are unique within an
/// epoch of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingLogEntry {
    /// The scene that changed.
    pub scene: SceneName,
    /// The scene's epoch. Changes of another epoch belong to another scene of the same name.
    pub epoch: u64,
    /// The revision of the change.
    pub revision: u64,
    /// Time since the server's start.
    pub at: Time,
    /// Wall-clock time.
    pub unix_at: UnixMillis,
    /// The requesting subject; `stoa` for the realm itself.
    pub author: String,
    /// The changed object.
    pub object_id: String,
    /// The change of the present state.
    pub kind: StoredObjectEffect,
    /// The request: `action` and, if present, `type`, `ttl`, `data`.
    pub patch: Value,
    /// The replaced state.
    pub before: Box<ReplacedState>,
    /// A guest's display name. Accounts are named by `author`.
    pub guest_name: Option<Box<str>>,
}

/// The effect of a [`PendingLogEntry`] on the present state.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredObjectEffect {
    /// The object's new state.
    Put(StoredObject),
    /// The object and these descendants are deleted.
    Delete {
        /// Descendants, without the object itself.
        descendants: Vec<String>,
    },
}

/// Combines two adjacent patches of one object into one [`PendingLogEntry::patch`]. `None` where that is impossible:
/// only updates combine.
pub fn composed_patch(below: &Value, above: &Value) -> Option<Value> {
    let is_update = |patch: &&Value| patch["action"] == "update";
    let (below, above) = (Some(below).filter(is_update)?.as_object()?, Some(above).filter(is_update)?.as_object()?);
    // A ttl counts from the time of its own entry.
    if below.contains_key("ttl") && !above.contains_key("ttl") {
        return None;
    }
    let attributes = composed(below.get("data")?.as_object()?, above.get("data")?.as_object()?)?;
    let mut patch = below.clone();
    patch.extend(above.clone());
    patch.insert("data".to_string(), Value::Object(attributes));
    Some(Value::Object(patch))
}

/// Stored objects of a scene at the time of the request: arena-persist's records. They serialize as a JSON array,
/// roots first.
#[derive(Clone, Debug)]
pub struct RecordsSnapshot {
    pub(super) stored: StoredObjects,
    /// Only this object.
    pub(super) object_id: Option<String>,
    /// Only this type.
    pub(super) type_name: Option<String>,
}

impl RecordsSnapshot {
    /// Number of records.
    pub fn count(&self) -> usize {
        match (&self.object_id, &self.type_name) {
            (None, None) => self.stored.size(),
            _ => self.wanted().len(),
        }
    }

    /// The JSON array. Slow for many records.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("records are JSON already, with string keys")
    }

    /// The JSON array in pieces of one record, roots first. The call itself is slow for many records.
    pub fn into_json(self) -> impl Iterator<Item = Vec<u8>> + Send {
        let ids: Vec<String> = self.objects().map(|record| record.object_id.clone()).collect();
        let records = ids.into_iter().enumerate().map(move |(index, id)| {
            let mut piece = if index == 0 { Vec::new() } else { Vec::from(b",") };
            let record = self.stored.get(&id).expect("ids of stored objects");
            piece.extend(serde_json::to_vec(record).expect("records are JSON already, with string keys"));
            piece
        });
        core::iter::once(b"[".to_vec()).chain(records).chain(core::iter::once(b"]".to_vec()))
    }

    /// Copies the records, roots first. Slow for many records.
    pub fn to_objects(&self) -> Vec<StoredObject> {
        self.objects().cloned().collect()
    }

    /// The records, roots first.
    pub fn objects(&self) -> impl Iterator<Item = &StoredObject> {
        self.wanted().into_iter()
    }

    /// The records in order of id, each copied when it is requested.
    pub fn into_objects(self) -> impl Iterator<Item = StoredObject> + Send {
        let mut ids: Vec<String> = self.objects().map(|record| record.object_id.clone()).collect();
        ids.sort_unstable();
        ids.into_iter().filter_map(move |id| self.stored.get(&id).cloned())
    }

    fn wanted(&self) -> Vec<&StoredObject> {
        let type_filter = self.type_name.as_deref();
        match &self.object_id {
            None => records(&self.stored, type_filter),
            Some(id) => {
                let is_wanted = |record: &&StoredObject| type_filter.is_none_or(|wanted| record.type_name == wanted);
                self.stored.get(id).filter(is_wanted).into_iter().collect()
            }
        }
    }
}

impl Serialize for RecordsSnapshot {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.wanted())
    }
}

/// Stored objects by id. Clones are cheap and independent.
pub(super) type StoredObjects = RedBlackTreeMapSync<String, StoredObject>;

/// The parent's id, from `data.parent`.
pub(super) fn parent_of(attributes: &Map<String, Value>) -> Option<&str> {
    attributes.get("parent").and_then(Value::as_str)
}

/// All records, or those of one type, sorted by parent (roots first), then by id.
pub(super) fn records<'a>(stored: &'a StoredObjects, type_filter: Option<&str>) -> Vec<&'a StoredObject> {
    let wanted = |record: &&StoredObject| type_filter.is_none_or(|type_name| record.type_name == type_name);
    let mut records: Vec<&StoredObject> = stored.values().filter(wanted).collect();
    records.sort_by(|one, other| parent_of(&one.attributes).cmp(&parent_of(&other.attributes)));
    records
}
