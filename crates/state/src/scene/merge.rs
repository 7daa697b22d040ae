//! How attributes are folded: an update's leaves replace, arrays whole, and a `null` leaf removes its key. Source: arena-persist's behaviour.

use alloc::string::String;

use serde_json::{Map, Value};

/// How a message changes attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// What was there is gone.
    Replace,
    /// Leaf by leaf.
    Merge,
}

impl Fold {
    /// Changes `target` by `patch`.
    pub(super) fn apply(self, target: &mut Map<String, Value>, patch: Map<String, Value>) {
        match self {
            Fold::Replace => *target = patch,
            Fold::Merge => merge(target, patch),
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

/// About how long `attributes` are as JSON; escapes count as one byte.
pub(super) fn size_bytes(attributes: &Map<String, Value>) -> usize {
    attributes.iter().fold(2, |sum, (key, value)| sum + key.len() + 4 + value_bytes(value))
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 10,
        Value::String(text) => text.len() + 2,
        Value::Array(values) => values.iter().fold(2, |sum, value| sum + 1 + value_bytes(value)),
        Value::Object(attributes) => size_bytes(attributes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folded(fold: Fold, target: Value, patch: Value) -> Value {
        let (Value::Object(mut target), Value::Object(patch)) = (target, patch) else { panic!("two objects") };
        fold.apply(&mut target, patch);
        Value::Object(target)
    }

    #[test]
    fn an_update_merges_leaf_by_leaf() {
        let target =
            json!({"position": {"x": 1, "y": 2}, "list": [1, 2, 3], "material": {"color": "#f00", "opacity": 1}});
        let patch = json!({"position": {"y": 5}, "list": [4], "material": {"color": null}, "gone": null});
        let merged = json!({"position": {"x": 1, "y": 5}, "list": [4], "material": {"opacity": 1}});
        assert_eq!(folded(Fold::Merge, target, patch), merged);
    }

    #[test]
    fn an_update_of_another_shape_replaces() {
        assert_eq!(
            folded(Fold::Merge, json!({"a": 1}), json!({"a": {"b": {"c": null, "d": 1}}})),
            json!({"a": {"b": {"d": 1}}})
        );
        assert_eq!(folded(Fold::Merge, json!({"a": {"b": 1}}), json!({"a": "x"})), json!({"a": "x"}));
        assert_eq!(folded(Fold::Merge, json!({"a": {"b": 1}}), json!({"a": {}})), json!({"a": {"b": 1}}));
    }

    #[test]
    fn a_replacement_keeps_nulls_and_nothing_of_the_old() {
        assert_eq!(folded(Fold::Replace, json!({"a": 1}), json!({"parent": null})), json!({"parent": null}));
    }
}
