//! A scene at one revision, as messages that make it. Source: `spec/topics.md` section 4.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Messages that, applied in order to an empty scene, make it as it is at `revision`.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Of the scene's writer.
    pub epoch: u64,
    /// Everything up to it is in here, nothing after it.
    pub revision: u64,
    /// Topic and payload. People first (camera, hands, face, join), for objects may hang on them; then objects, parents before children.
    pub messages: Vec<(String, Value)>,
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Message<'a> {
            topic: &'a str,
            payload: &'a Value,
        }
        let messages: Vec<Message<'_>> =
            self.messages.iter().map(|(topic, payload)| Message { topic, payload }).collect();
        let mut snapshot = serializer.serialize_struct("Snapshot", 3)?;
        snapshot.serialize_field("epoch", &self.epoch)?;
        snapshot.serialize_field("revision", &self.revision)?;
        snapshot.serialize_field("messages", &messages)?;
        snapshot.end()
    }
}
