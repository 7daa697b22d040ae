//! The stored state: what a scene is after a restart. The effects are arena-persist's, see `spec/topics.md` section 2.1.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rpds::RedBlackTreeMapSync;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use stoa_wire::topic::SceneName;

use super::merge::{composed, record_bytes, size_bytes};
use super::replaced_state::ReplacedState;
use super::wall_clock::UnixMillis;
use crate::time::Time;

/// The type of an object whose messages never named one.
pub const DEFAULT_TYPE: &str = "object";

/// A stored object, in memory, in the store and as arena-persist's REST gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredObject {
    /// Unique in its scene.
    pub object_id: String,
    /// `object`, `program`, `scene-options`, …
    #[serde(rename = "type")]
    pub type_name: String,
    /// ARENA's `data`.
    pub attributes: Map<String, Value>,
    /// When it goes by itself.
    #[serde(rename = "expireAt", default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<UnixMillis>,
    /// When it first was stored.
    #[serde(rename = "createdAt")]
    pub created_at: UnixMillis,
    /// When it last changed.
    #[serde(rename = "updatedAt")]
    pub updated_at: UnixMillis,
}

impl StoredObject {
    /// About how long its attributes are as JSON: what limits of objects count.
    pub fn size_bytes(&self) -> usize {
        size_bytes(&self.attributes)
    }

    /// The same with its names: what limits of scenes count.
    pub(super) fn weight_bytes(&self) -> usize {
        record_bytes(&self.object_id, &self.type_name, &self.attributes)
    }
}

/// What the store has of a scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredScene {
    /// The last stored change.
    pub revision: u64,
    /// In any order.
    pub objects: Vec<StoredObject>,
}

/// One entry of the log: what the store must append, and fold into the present state. No two of an epoch of a scene have the same revision.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredChange {
    /// The scene that changed.
    pub scene: SceneName,
    /// The scene's. What a scene was told under another epoch is not its own, though it has the same name.
    pub epoch: u64,
    /// The revision it made.
    pub revision: u64,
    /// When, since the server's start.
    pub at: Time,
    /// When, by the wall clock.
    pub unix_at: UnixMillis,
    /// The subject who asked for it; `stoa` for the realm itself.
    pub author: String,
    /// What it is about.
    pub object_id: String,
    /// What the fold does.
    pub kind: StoredChangeKind,
    /// What was asked for: `action` and, where there were any, `type`, `ttl`, `data`.
    pub patch: Value,
    /// The state that the change replaced.
    pub before: Box<ReplacedState>,
    /// What a guest calls itself. An account is called by its name.
    pub guest_name: Option<Box<str>>,
}

/// What a [`StoredChange`] does to the present state.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredChangeKind {
    /// The object is like this now.
    Put(StoredObject),
    /// The object is gone, and these with it.
    Delete {
        /// Objects below it, without itself.
        descendants: Vec<String>,
    },
}

/// The one [`StoredChange::patch`] that does what `below` and then `above` do to an object, if nothing but they happened in between. `None` where they must
/// stay two: only updates merge.
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

/// Some of what a scene has stored, as it was when it was asked for: arena-persist's records, as JSON an array, roots first.
#[derive(Clone, Debug)]
pub struct StoredRecords {
    pub(super) stored: StoredObjects,
    /// One object only.
    pub(super) object_id: Option<String>,
    /// One type only.
    pub(super) type_name: Option<String>,
}

impl StoredRecords {
    /// How many there are.
    pub fn count(&self) -> usize {
        match (&self.object_id, &self.type_name) {
            (None, None) => self.stored.size(),
            _ => self.wanted().len(),
        }
    }

    /// The records themselves, roots first. Takes its time where they are many.
    pub fn to_objects(&self) -> Vec<StoredObject> {
        self.objects().cloned().collect()
    }

    /// The same, none of them copied.
    pub fn objects(&self) -> impl Iterator<Item = &StoredObject> {
        self.wanted().into_iter()
    }

    /// The same in order of their ids, each copied when it is asked for.
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

impl Serialize for StoredRecords {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.wanted())
    }
}

/// Stored objects by id. A clone costs nothing and stays as it is.
pub(super) type StoredObjects = RedBlackTreeMapSync<String, StoredObject>;

/// The id of the object above, as `data.parent` names it.
pub(super) fn parent_of(attributes: &Map<String, Value>) -> Option<&str> {
    attributes.get("parent").and_then(Value::as_str)
}

/// All, or those of one type, sorted by parent (roots first), then by id.
pub(super) fn records<'a>(stored: &'a StoredObjects, type_filter: Option<&str>) -> Vec<&'a StoredObject> {
    let wanted = |record: &&StoredObject| type_filter.is_none_or(|type_name| record.type_name == type_name);
    let mut records: Vec<&StoredObject> = stored.values().filter(wanted).collect();
    records.sort_by_key(|record| parent_of(&record.attributes).map(ToString::to_string));
    records
}
