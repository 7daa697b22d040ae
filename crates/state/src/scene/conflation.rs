//! Which updates of one object make older ones pointless. An outbox puts the newer one in the place of the older one, so two updates may share a
//! key only if the newer one sets all that the older one sets, and nothing between them touches the same attributes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};
use stoa_wire::topic::SceneName;

use crate::limits::CONFLATION_SETS_MAX;
use crate::realm::ConflationKey;

/// Gives out keys that no other scene gives out.
#[derive(Debug)]
pub(super) struct Keys {
    salt: u64,
    given: u64,
}

impl Keys {
    /// The keys of one scene.
    pub(super) fn new(name: &SceneName) -> Keys {
        let namespace = fnv(FNV_OFFSET, name.namespace().as_bytes());
        Keys { salt: fnv(fnv(namespace, b"/"), name.scene().as_bytes()), given: 0 }
    }

    fn next_key(&mut self) -> ConflationKey {
        self.given += 1;
        ConflationKey(fnv(self.salt, &self.given.to_le_bytes()))
    }
}

/// The sets of attributes of one object that are being updated over and over.
#[derive(Debug, Default)]
pub(super) struct Streams {
    open: Vec<Stream>,
}

#[derive(Debug)]
struct Stream {
    shape: u64,
    top_keys: Vec<String>,
    key: ConflationKey,
}

impl Streams {
    /// The key of an update by `patch` of an object that has `attributes` before it.
    pub(super) fn key_of(
        &mut self,
        patch: &Map<String, Value>,
        attributes: &Map<String, Value>,
        keys: &mut Keys,
    ) -> Option<ConflationKey> {
        // arena-py says the type with every update; it counts only when it changes.
        let counts = |key: &str| key != "object_type" || attributes.get(key) != patch.get(key);
        if counts("object_type") && patch.contains_key("object_type") {
            self.open.clear();
            return None;
        }
        let shape = patch
            .iter()
            .filter(|(key, _)| counts(key))
            .fold(FNV_OFFSET, |hash, (key, value)| shape_of(fnv(hash, key.as_bytes()), value));
        if let Some(stream) = self.open.iter().find(|stream| stream.shape == shape) {
            return Some(stream.key);
        }
        self.open.retain(|stream| !stream.top_keys.iter().any(|key| patch.contains_key(key)));
        if self.open.len() == CONFLATION_SETS_MAX {
            self.open.remove(0);
        }
        let top_keys = patch.keys().filter(|key| counts(key)).map(ToString::to_string).collect();
        let key = keys.next_key();
        self.open.push(Stream { shape, top_keys, key });
        Some(key)
    }

    /// What was sent until now must not be overtaken.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }
}

// Which leaves there are, not what they say.
fn shape_of(hash: u64, value: &Value) -> u64 {
    let Value::Object(attributes) = value else { return fnv(hash, b".") };
    let below =
        attributes.iter().fold(fnv(hash, b"{"), |hash, (key, value)| shape_of(fnv(hash, key.as_bytes()), value));
    fnv(below, b"}")
}

// Fowler, Noll, Vo: FNV-1a, 64 bits. Not against adversaries, and it needs not be: who can forge a collision can only shadow its own updates.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    // The length in front keeps "ab" + "c" and "a" + "bc" apart.
    bytes.iter().fold(step(hash, bytes.len() as u8), |hash, byte| step(hash, *byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Object {
        streams: Streams,
        keys: Keys,
    }

    impl Object {
        fn key(&mut self, patch: Value) -> Option<ConflationKey> {
            let attributes = json!({"object_type": "box"});
            let (Value::Object(patch), Value::Object(attributes)) = (patch, attributes) else { panic!("two objects") };
            self.streams.key_of(&patch, &attributes, &mut self.keys)
        }
    }

    fn object() -> Object {
        let name = SceneName::new("public", "lobby").unwrap();
        Object { streams: Streams::default(), keys: Keys::new(&name) }
    }

    #[test]
    fn two_updates_of_the_same_leaves_share_a_key() {
        let mut object = object();
        let first = object.key(json!({"object_type": "box", "position": {"x": 1, "y": 1}}));
        assert!(first.is_some());
        assert_eq!(object.key(json!({"position": {"x": 2, "y": 2}})), first);
    }

    #[test]
    fn updates_of_separate_attributes_run_side_by_side() {
        let mut object = object();
        let position = object.key(json!({"position": {"x": 1}}));
        let rotation = object.key(json!({"rotation": {"w": 1}}));
        assert_ne!(position, rotation);
        assert_eq!(object.key(json!({"position": {"x": 2}})), position);
        assert_eq!(object.key(json!({"rotation": {"w": 0}})), rotation);
    }

    #[test]
    fn an_update_is_not_overtaken_by_one_that_sets_less_or_more() {
        let mut object = object();
        let both = object.key(json!({"position": {"x": 1}, "visible": true}));
        let one = object.key(json!({"position": {"x": 2}}));
        assert_ne!(both, one);
        let other = object.key(json!({"position": {"y": 2}}));
        assert_ne!(one, other);
        assert_ne!(object.key(json!({"position": {"x": 3}, "visible": true})), both);
    }

    #[test]
    fn a_change_of_type_closes_all() {
        let mut object = object();
        let before = object.key(json!({"position": {"x": 1}}));
        assert_eq!(object.key(json!({"object_type": "sphere", "position": {"x": 1}})), None);
        assert_ne!(object.key(json!({"position": {"x": 2}})), before);
    }
}
