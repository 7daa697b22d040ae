//! Merging of attributes: an update replaces leaves, arrays as a whole, and a `null` leaf removes its key. Source:
//! arena-persist's behaviour.

use alloc::string::String;

use serde_json::{Map, Value};

/// The way a message changes attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldMode {
    /// The message's attributes replace all attributes.
    Replace,
    /// The message's attributes are merged leaf by leaf.
    Merge,
}

impl FoldMode {
    /// Applies `patch` to `target`.
    pub(super) fn apply(self, target: &mut Map<String, Value>, patch: Map<String, Value>) {
        match self {
            FoldMode::Replace => *target = patch,
            FoldMode::Merge => merge(target, patch),
        }
    }
}

// Depth is bounded by the envelope's check (`JSON_DEPTH_MAX`), and merging adds none.
fn merge(target: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (key, value) in patch {
        match value {
            Value::Null => {
                target.remove(&key);
            }
            Value::Object(patch) => match target.get_mut(&key) {
                Some(Value::Object(below)) => merge(below, patch),
                _ => {
                    let mut below = Map::new();
                    merge(&mut below, patch);
                    target.insert(key, Value::Object(below));
                }
            },
            leaf => {
                target.insert(key, leaf);
            }
        }
    }
}

/// Bytes by which merging `patch` changes the size of `target`, as [`size_bytes`] counts. It walks the patch and the
/// values that it replaces, and copies nothing.
fn growth(target: &Map<String, Value>, patch: &Map<String, Value>) -> isize {
    let (mut entries, mut bytes) = (target.len(), -signed(map_bytes(target.len())));
    for (key, value) in patch {
        let before = target.get(key);
        let after = match (value, before) {
            (Value::Null, _) => None,
            (Value::Object(patch), Some(Value::Object(below))) => {
                bytes += growth(below, patch);
                continue;
            }
            (Value::Object(patch), _) => Some(signed(map_bytes(0)) + growth(&Map::new(), patch)),
            (leaf, _) => Some(signed(value_bytes(leaf))),
        };
        let named = signed(key.len() + ENTRY_BYTES);
        bytes += after.map_or(0, |after| named + after);
        bytes -= before.map_or(0, |before| named + signed(value_bytes(before)));
        entries = entries + usize::from(after.is_some()) - usize::from(before.is_some());
    }
    bytes + signed(map_bytes(entries))
}

/// Bytes of `target`, which has `bytes` now, after merging `patch`.
pub(super) fn merged_bytes(target: &Map<String, Value>, bytes: usize, patch: &Map<String, Value>) -> usize {
    bytes.saturating_add_signed(growth(target, patch))
}

fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).expect("no allocation is larger")
}

/// Combines the updates `below` and `above` into one with the same effect on any attributes. `None` if that is
/// impossible: `above` writes an object to a key that `below` removed or made a leaf. One update can't do that, because
/// it merges an object into an existing one.
pub(super) fn composed(below: &Map<String, Value>, above: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut both = below.clone();
    for (key, above) in above {
        let value = match (both.get(key), above) {
            (Some(Value::Object(below)), Value::Object(above)) => Value::Object(composed(below, above)?),
            (Some(_), Value::Object(_)) => return None,
            (_, above) => above.clone(),
        };
        both.insert(key.clone(), value);
    }
    Some(both)
}

/// Approximate bytes of a record: its attributes and names.
pub(super) fn record_bytes(id: &str, type_name: &str, attributes: &Map<String, Value>) -> usize {
    id.len() + type_name.len() + size_bytes(attributes)
}

/// Approximate bytes of `attributes` as JSON (escapes count as one byte), with [`MAP_BYTES`] for each map that is not
/// empty. The memory used is then at most some six times as much.
pub(super) fn size_bytes(attributes: &Map<String, Value>) -> usize {
    let own = map_bytes(attributes.len());
    attributes.iter().fold(own, |sum, (key, value)| sum + key.len() + ENTRY_BYTES + value_bytes(value))
}

fn map_bytes(entries: usize) -> usize {
    if entries == 0 { 2 } else { MAP_BYTES }
}

/// Counted for each map that is not empty: one with a single entry takes over 600 bytes of memory, but as few as 6 of
/// JSON.
const MAP_BYTES: usize = 96;

/// Quotes, colon and comma of an entry.
const ENTRY_BYTES: usize = 4;

/// Counted for each string besides its text: an empty string takes as much memory as any other value.
const TEXT_BYTES: usize = 8;

/// Approximate bytes of a value as JSON text. Escapes count as one byte.
pub(super) fn text_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 5,
        Value::String(text) => text.len() + 2,
        Value::Array(values) => values.iter().fold(2, |sum, value| sum + 1 + text_bytes(value)),
        Value::Object(attributes) => attributes_bytes(attributes),
    }
}

/// Approximate bytes of `attributes` as JSON text.
pub(super) fn attributes_bytes(attributes: &Map<String, Value>) -> usize {
    attributes.iter().fold(2, |sum, (key, value)| sum + key.len() + 4 + text_bytes(value))
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 10,
        Value::String(text) => text.len() + TEXT_BYTES,
        Value::Array(values) => values.iter().fold(2, |sum, value| sum + 1 + value_bytes(value)),
        Value::Object(attributes) => size_bytes(attributes),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::limits;
    use alloc::vec::Vec;
    use proptest::collection::vec;
    use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
    use serde_json::json;

    fn folded(fold: FoldMode, target: Value, patch: Value) -> Value {
        let (Value::Object(mut target), Value::Object(patch)) = (target, patch) else { panic!("two objects") };
        fold.apply(&mut target, patch);
        Value::Object(target)
    }

    #[test]
    fn small_maps_count_for_more_than_their_json_size() {
        // A B-tree's smallest leaf has room for eleven entries: 24 bytes a key, 32 a value.
        let tree = Value::Array((0..1_900).map(|_| json!({"": 0})).collect());
        let attributes = Map::from_iter([("x".into(), tree)]);
        assert!(size_bytes(&attributes) > 200_000, "some 630 bytes each, six times of what they count for");
        let plain =
            json!({"object_type": "box", "position": {"x": 1, "y": 1.6, "z": -2}, "material": {"color": "#ff0000"}});
        let Value::Object(plain) = plain else { panic!("is an object") };
        assert!(size_bytes(&plain) < limits::OBJECT_BYTES_TYPICAL, "negative control");
    }

    #[test]
    fn an_update_merges_leaf_by_leaf() {
        let target =
            json!({"position": {"x": 1, "y": 2}, "list": [1, 2, 3], "material": {"color": "#f00", "opacity": 1}});
        let patch = json!({"position": {"y": 5}, "list": [4], "material": {"color": null}, "gone": null});
        let merged = json!({"position": {"x": 1, "y": 5}, "list": [4], "material": {"opacity": 1}});
        assert_eq!(folded(FoldMode::Merge, target, patch), merged);
    }

    #[test]
    fn an_update_replaces_a_leaf_by_an_object_and_vice_versa() {
        assert_eq!(
            folded(FoldMode::Merge, json!({"a": 1}), json!({"a": {"b": {"c": null, "d": 1}}})),
            json!({"a": {"b": {"d": 1}}})
        );
        assert_eq!(folded(FoldMode::Merge, json!({"a": {"b": 1}}), json!({"a": "x"})), json!({"a": "x"}));
        assert_eq!(folded(FoldMode::Merge, json!({"a": {"b": 1}}), json!({"a": {}})), json!({"a": {"b": 1}}));
    }

    fn two_maps(below: Value, above: Value) -> Option<Value> {
        let (Value::Object(below), Value::Object(above)) = (below, above) else { panic!("two objects") };
        composed(&below, &above).map(Value::Object)
    }

    #[test]
    fn updates_that_no_single_update_can_express_are_not_combined() {
        assert_eq!(two_maps(json!({"material": null}), json!({"material": {"color": "red"}})), None);
        assert_eq!(two_maps(json!({"a": {"b": 5}}), json!({"a": {"b": {}}})), None);
        let said = two_maps(json!({"a": {"b": 5, "c": null}, "d": 1}), json!({"a": {"b": null}, "e": {"f": 1}}));
        assert_eq!(said, Some(json!({"a": {"b": null, "c": null}, "d": 1, "e": {"f": 1}})));
    }

    // Few keys and few leaves, so that patches often overlap.
    pub(in super::super) fn attributes() -> impl Strategy<Value = Map<String, Value>> {
        let map = |entries: Vec<(&'static str, Value)>| {
            entries.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map<String, Value>>()
        };
        let key = || prop_oneof![Just("a"), Just("b")];
        let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::Bool), Just(json!([1]))];
        let value =
            leaf.prop_recursive(3, 12, 3, move |inner| vec((key(), inner), 0..3).prop_map(map).prop_map(Value::Object));
        vec((key(), value), 0..3).prop_map(map)
    }

    fn applied(target: &Map<String, Value>, patch: &Map<String, Value>) -> Map<String, Value> {
        let mut target = target.clone();
        FoldMode::Merge.apply(&mut target, patch.clone());
        target
    }

    proptest! {
        #[test]
        fn a_combined_update_has_the_effect_of_both_updates_in_sequence(
            target in attributes(), below in attributes(), above in attributes()
        ) {
            if let Some(both) = composed(&below, &above) {
                assert_eq!(applied(&applied(&target, &below), &above), applied(&target, &both));
            }
        }
    }

    proptest! {
        #[test]
        fn the_predicted_size_of_a_merge_equals_its_actual_size(target in attributes(), patch in attributes()) {
            let after = size_bytes(&applied(&target, &patch));
            assert_eq!(merged_bytes(&target, size_bytes(&target), &patch), after);
        }
    }

    #[test]
    fn a_replacement_keeps_nulls_and_drops_old_attributes() {
        assert_eq!(folded(FoldMode::Replace, json!({"a": 1}), json!({"parent": null})), json!({"parent": null}));
    }
}
