//! The state that a change replaced. The log keeps it with the change, so history is walked backwards from the
//! present: going back an hour costs that hour's entries, however long the log is. Source: `spec/history.md`
//! section 1.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::merge::{FoldMode, attributes_bytes, composed};
use super::stored::StoredObject;

/// The replaced state: in JSON an array of records, or an object of attributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ReplacedState {
    /// The previous records. The changed object did not exist if it is not among them.
    Objects(Vec<StoredObject>),
    /// The update that restores the changed object's attributes.
    Attributes(Map<String, Value>),
}

impl ReplacedState {
    /// For a change of a whole object.
    pub(super) fn of(record: Option<&StoredObject>) -> ReplacedState {
        ReplacedState::Objects(record.into_iter().cloned().collect())
    }

    /// For an update of `record` by `patch` that keeps its expiry.
    pub(super) fn of_update(record: &StoredObject, patch: &Map<String, Value>) -> ReplacedState {
        inverse(&record.attributes, patch).map_or_else(|| ReplacedState::of(Some(record)), ReplacedState::Attributes)
    }

    /// Approximate bytes in the log.
    pub(super) fn row_bytes(&self) -> usize {
        match self {
            ReplacedState::Objects(records) => records.iter().map(StoredObject::row_bytes).sum(),
            ReplacedState::Attributes(attributes) => attributes_bytes(attributes),
        }
    }

    /// Combines the replaced states of two adjacent changes of one object. `None` if that is impossible.
    pub fn composed(below: &ReplacedState, above: &ReplacedState) -> Option<ReplacedState> {
        match (below, above) {
            (ReplacedState::Objects(_), _) => Some(below.clone()),
            (ReplacedState::Attributes(below), ReplacedState::Attributes(above)) => {
                composed(above, below).map(ReplacedState::Attributes)
            }
            (ReplacedState::Attributes(inverse), ReplacedState::Objects(records)) => {
                let [record] = &records[..] else { return None };
                let mut record = record.clone();
                FoldMode::Merge.apply(&mut record.attributes, inverse.clone());
                Some(ReplacedState::Objects(Vec::from([record])))
            }
        }
    }
}

/// Returns the update that undoes `patch`. `None` if none can: an update can't restore a null.
fn inverse(attributes: &Map<String, Value>, patch: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut back = Map::new();
    for (key, patched) in patch {
        let value = match (attributes.get(key), patched) {
            (None, _) => Value::Null,
            (Some(Value::Object(below)), Value::Object(patch)) => Value::Object(inverse(below, patch)?),
            (Some(value), _) if holds_null(value) => return None,
            (Some(value), _) => value.clone(),
        };
        back.insert(key.clone(), value);
    }
    Some(back)
}

/// Whether it contains a null that an update would take for the removal of a key.
pub(super) fn holds_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(below) => below.values().any(holds_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::UnixMillis;
    use crate::scene::merge::tests::attributes;
    use proptest::prelude::proptest;
    use serde_json::json;

    fn record(attributes: Map<String, Value>) -> StoredObject {
        StoredObject {
            object_id: "lamp".into(),
            type_name: "object".into(),
            attributes,
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        }
    }

    fn updated(record: &StoredObject, patch: &Map<String, Value>) -> StoredObject {
        let mut record = record.clone();
        FoldMode::Merge.apply(&mut record.attributes, patch.clone());
        record
    }

    fn taken_back(record: &StoredObject, before: &ReplacedState) -> Map<String, Value> {
        match before {
            ReplacedState::Objects(records) => records[0].attributes.clone(),
            ReplacedState::Attributes(back) => updated(record, back).attributes,
        }
    }

    #[test]
    fn the_replaced_state_of_an_update_has_only_the_updated_leaves() {
        let Value::Object(attributes) = json!({"a": {"x": 1, "y": 2}, "b": "long"}) else { panic!("is an object") };
        let Value::Object(patch) = json!({"a": {"y": 5, "z": 7}, "c": true, "b": null}) else { panic!("is an object") };
        let Value::Object(back) = json!({"a": {"y": 2, "z": null}, "c": null, "b": "long"}) else {
            panic!("is an object")
        };
        assert_eq!(ReplacedState::of_update(&record(attributes), &patch), ReplacedState::Attributes(back));
    }

    #[test]
    fn an_update_of_a_null_attribute_logs_the_whole_previous_record() {
        let before = record(Map::from_iter([("parent".into(), Value::Null)]));
        let patch = Map::from_iter([("parent".into(), json!("table"))]);
        assert_eq!(ReplacedState::of_update(&before, &patch), ReplacedState::Objects(alloc::vec![before]));
    }

    proptest! {
        #[test]
        fn an_undone_update_restores_the_exact_previous_attributes(attributes in attributes(), patch in attributes()) {
            let before = record(attributes);
            let after = updated(&before, &patch);
            assert_eq!(taken_back(&after, &ReplacedState::of_update(&before, &patch)), before.attributes);
        }

        #[test]
        fn a_combined_replaced_state_undoes_both_updates(attributes in attributes(), first in attributes(), second in attributes()) {
            let start = record(attributes);
            let middle = updated(&start, &first);
            let end = updated(&middle, &second);
            let both = ReplacedState::composed(&ReplacedState::of_update(&start, &first), &ReplacedState::of_update(&middle, &second));
            if let Some(both) = both {
                assert_eq!(taken_back(&end, &both), start.attributes);
            }
        }
    }
}
