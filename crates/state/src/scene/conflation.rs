//! Conflation keys of updates. A queued update may be dropped for a newer one of the same object that names the same
//! type and sets exactly the same leaves.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};
use stoa_wire::topic::SceneName;

use crate::limits::CONFLATION_SETS_MAX;
use crate::packet_class::ConflationKey;

/// Issues keys that are unique among scenes and epochs.
#[derive(Debug)]
pub(super) struct ConflationKeyIssuer {
    salt: u64,
    given: u64,
}

impl ConflationKeyIssuer {
    /// Creates the issuer of one scene.
    pub(super) fn new(name: &SceneName, epoch: u64) -> ConflationKeyIssuer {
        let namespace = fnv(FNV_OFFSET, name.namespace().as_bytes());
        let scene = fnv(fnv(namespace, b"/"), name.scene().as_bytes());
        ConflationKeyIssuer { salt: fnv(scene, &epoch.to_le_bytes()), given: 0 }
    }

    fn next_key(&mut self) -> ConflationKey {
        self.given += 1;
        ConflationKey(fnv(self.salt, &self.given.to_le_bytes()))
    }
}

/// The conflation keys of one object's updates, one for each set of attributes that are updated together.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectConflationKeys {
    open: Vec<AttributeSetConflationKey>,
}

#[derive(Clone, Debug)]
struct AttributeSetConflationKey {
    shape: u64,
    key: ConflationKey,
}

impl ObjectConflationKeys {
    /// Returns the key of an update. An update can create an object and give it a type, so the type counts too.
    pub(super) fn key_of(
        &mut self,
        patch: &Map<String, Value>,
        type_name: Option<&str>,
        keys: &mut ConflationKeyIssuer,
    ) -> ConflationKey {
        let start = fnv(FNV_OFFSET, type_name.unwrap_or_default().as_bytes());
        let shape = patch.iter().fold(start, |hash, (key, value)| shape_of(fnv(hash, key.as_bytes()), value));
        if let Some(stream) = self.open.iter().find(|stream| stream.shape == shape) {
            return stream.key;
        }
        if self.open.len() == CONFLATION_SETS_MAX {
            self.open.remove(0);
        }
        let key = keys.next_key();
        self.open.push(AttributeSetConflationKey { shape, key });
        key
    }

    /// Starts new keys: later updates don't supersede earlier ones.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }
}

// Hashes the set of leaves without their values.
fn shape_of(hash: u64, value: &Value) -> u64 {
    let Value::Object(attributes) = value else { return fnv(hash, b".") };
    let below =
        attributes.iter().fold(fnv(hash, b"{"), |hash, (key, value)| shape_of(fnv(hash, key.as_bytes()), value));
    fnv(below, b"}")
}

// FNV-1a (Fowler, Noll, Vo), 64 bits. It need not resist adversaries: a forged collision only drops queued updates of
// an object that the forger may change anyway.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    // The length prefix distinguishes "ab" + "c" from "a" + "bc".
    bytes.iter().fold(step(hash, bytes.len() as u8), |hash, byte| step(hash, *byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object() -> (ObjectConflationKeys, ConflationKeyIssuer) {
        (ObjectConflationKeys::default(), ConflationKeyIssuer::new(&SceneName::new("public", "lobby").unwrap(), 7))
    }

    fn key((streams, keys): &mut (ObjectConflationKeys, ConflationKeyIssuer), patch: Value) -> ConflationKey {
        let Value::Object(patch) = patch else { panic!("an object") };
        streams.key_of(&patch, Some("object"), keys)
    }

    #[test]
    fn two_updates_of_the_same_leaves_share_a_key() {
        let mut object = object();
        let first = key(&mut object, json!({"object_type": "box", "position": {"x": 1, "y": 1}, "list": [1]}));
        let second = key(&mut object, json!({"object_type": "box", "position": {"x": 2, "y": null}, "list": [2, 3]}));
        assert_eq!(first, second);
    }

    #[test]
    fn updates_of_different_leaves_have_different_keys() {
        let mut object = object();
        let patches = [
            json!({"position": {"x": 1}}),
            json!({"position": {"y": 1}}),
            json!({"position": {"x": 1, "y": 1}}),
            json!({"position": 1}),
            json!({"position": {"x": {}}}),
            json!({"x": {"position": 1}}),
            json!({"position": {"x": 1}, "visible": true}),
        ];
        let keys: Vec<ConflationKey> = patches.iter().map(|patch| key(&mut object, patch.clone())).collect();
        let distinct: alloc::collections::BTreeSet<ConflationKey> = keys.iter().copied().collect();
        assert_eq!(distinct.len(), patches.len());
        assert_eq!(key(&mut object, patches[0].clone()), keys[0], "they run side by side");
    }

    #[test]
    fn keys_differ_between_objects_scenes_and_epochs() {
        let (mut first, mut keys) = object();
        let mut second = ObjectConflationKeys::default();
        let patch = Map::new();
        assert_ne!(first.key_of(&patch, None, &mut keys), second.key_of(&patch, None, &mut keys));
        let mut elsewhere = ConflationKeyIssuer::new(&SceneName::new("public", "sandbox").unwrap(), 7);
        assert_ne!(object().1.next_key(), elsewhere.next_key());
        let mut made_again = ConflationKeyIssuer::new(&SceneName::new("public", "lobby").unwrap(), 8);
        assert_ne!(object().1.next_key(), made_again.next_key());
        assert_eq!(object().1.next_key(), object().1.next_key(), "negative control");
    }

    #[test]
    fn the_same_leaves_get_a_new_key_after_a_close() {
        let mut object = object();
        let before = key(&mut object, json!({"position": {"x": 1}}));
        object.0.close();
        assert_ne!(key(&mut object, json!({"position": {"x": 2}})), before);
    }
}
