//! Attributes as paths and leaves. ARENA's store treats an update this way, `state` deliberately doesn't: two
//! methods that must agree.

use serde_json::{Map, Value};

/// Every leaf with its path. Lists and empty objects are leaves.
fn leaves(value: &Value, path: &[String], found: &mut Vec<(Vec<String>, Value)>) {
    match value {
        Value::Object(below) if !below.is_empty() => {
            for (key, value) in below {
                leaves(value, &[path, std::slice::from_ref(key)].concat(), found);
            }
        }
        leaf => found.push((path.to_vec(), leaf.clone())),
    }
}

/// Changes `target` by an update's `data`: each leaf is set, each `null` removes its key.
pub(crate) fn update(target: &mut Value, data: &Value) {
    if data.as_object().is_some_and(Map::is_empty) {
        return;
    }
    let mut found = Vec::new();
    leaves(data, &[], &mut found);
    for (path, leaf) in found {
        let (last, parents) = path.split_last().expect("data is an object with a key");
        let mut place = &mut *target;
        for key in parents {
            place = below(place).entry(key).or_insert(Value::Null);
        }
        let place = below(place);
        match leaf {
            Value::Null => {
                place.remove(last);
            }
            Value::Object(_) if place.get(last).is_some_and(Value::is_object) => {}
            leaf => {
                place.insert(last.clone(), leaf);
            }
        }
    }
}

fn below(place: &mut Value) -> &mut Map<String, Value> {
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    place.as_object_mut().expect("was just made one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_update_sets_leaves_and_removes_nulls() {
        let mut target = json!({"a": {"b": 1, "c": 2}, "d": 3, "e": [1]});
        update(&mut target, &json!({"a": {"b": null, "x": {"y": 1}}, "d": {"z": 1}, "e": [], "f": {}, "a2": {}}));
        assert_eq!(target, json!({"a": {"c": 2, "x": {"y": 1}}, "d": {"z": 1}, "e": [], "f": {}, "a2": {}}));
    }
}
