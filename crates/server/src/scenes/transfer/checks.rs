//! Checks an import before anything is stored. Contents that a realm can't hold are errors; contents that a page
//! can't show are warnings.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use stoa_state::limits::{OBJECT_BYTES_MAX, OBJECTS_MAX, SCENE_BYTES_MAX};
use stoa_state::scene::StoredObject;
use stoa_wire::envelope::Envelope;
use stoa_wire::objects::attribute::AttributeError;
use stoa_wire::objects::{ObjectType, group};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{Topic, TopicKind};

use super::arena::shown;
use crate::limits;

/// Problems of an import. Each text names the object, the key and the value, as far as one is at fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ImportFindings {
    /// The realm can't hold the contents, so nothing is imported.
    pub errors: Vec<String>,
    /// The value is imported unchanged; a page may show it differently.
    pub warnings: Vec<String>,
}

/// Checks all objects.
pub(crate) fn check(objects: &[StoredObject]) -> ImportFindings {
    let mut findings = ImportFindings { errors: unfit(objects), warnings: Vec::new() };
    let ids: BTreeSet<&str> = objects.iter().map(|object| object.object_id.as_str()).collect();
    for object in objects {
        warn(object, &mut findings.warnings);
    }
    for object in objects {
        let parent = object.attributes.get("parent").and_then(Value::as_str);
        if let Some(parent) = parent.filter(|parent| !ids.contains(parent)) {
            findings
                .warnings
                .push(format!("object {:?}: parent {parent:?} is not among the objects", object.object_id));
        }
    }
    findings
}

/// Reasons why a scene can't hold the objects, by the realm's own measure: an exported scene always passes.
pub(crate) fn unfit(objects: &[StoredObject]) -> Vec<String> {
    let mut errors = Vec::new();
    let (mut ids, mut bytes) = (BTreeSet::new(), 0);
    for object in objects {
        if !ids.insert(object.object_id.as_str()) {
            errors.push(format!("object {:?} is there twice", object.object_id));
        }
        bytes += object.size_bytes();
        if let Err(why) = check_object(object) {
            errors.push(format!("object {:?}: {why}", object.object_id));
        }
    }
    if objects.len() > OBJECTS_MAX {
        errors.push(format!("{} objects; a scene holds at most {OBJECTS_MAX}", objects.len()));
    }
    if bytes > SCENE_BYTES_MAX {
        errors.push(format!("attributes of {bytes} bytes; a scene holds at most {SCENE_BYTES_MAX}"));
    }
    errors
}

/// Whether messages could have created the object.
fn check_object(object: &StoredObject) -> Result<(), String> {
    let (id, size) = (&object.object_id, object.size_bytes());
    Topic::parse(&format!("realm/s/n/s/o/u/{id}"))
        .ok()
        .filter(|_| !id.contains('/'))
        .ok_or("its id is not valid in a topic")?;
    if size > OBJECT_BYTES_MAX {
        return Err(format!("attributes of {size} bytes; an object holds at most {OBJECT_BYTES_MAX}"));
    }
    let shape: Map<String, Value> =
        object.attributes.iter().map(|(key, value)| (key.clone(), shape_of(value))).collect();
    let message = json!({"object_id": id, "action": "create", "type": object.type_name, "data": shape});
    match Envelope::parse(TopicKind::O, id, message.to_string().as_bytes()) {
        // The object may be the merge of many messages; its size is already checked.
        Ok(_) | Err(Refusal { reason: Reason::TooLarge, .. }) => Ok(()),
        Err(refused) => Err(refused.to_string()),
    }
}

/// The value without its strings' contents, which make it large.
fn shape_of(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::String(String::new()),
        Value::Array(items) => items.iter().map(shape_of).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), shape_of(value))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Reports a missing or unknown `object_type`, or else values that break their schema, up to a limit.
fn warn(object: &StoredObject, warnings: &mut Vec<String>) {
    let table = match object.type_name.as_str() {
        "object" => object.attributes.get("object_type").and_then(Value::as_str),
        kind => Some(kind),
    };
    let unknown = |table: &str| table.parse::<ObjectType>().is_err() && group(table).is_none();
    let id = &object.object_id;
    let Some(table) = table else {
        return warnings.push(format!("object {id:?}: object_type is missing: no page shows it"));
    };
    if object.type_name == "object" && unknown(table) {
        return warnings.push(format!("object {id:?}: object_type is {table:?}, which no page shows"));
    }
    let Some(group) = group(table) else { return };
    let mut left = Value::Object(object.attributes.clone());
    for _ in 0..limits::IMPORT_WARNINGS_MAX {
        let Err(AttributeError { path, reason }) = group.check(&left) else { return };
        let value = take(&mut left, &path);
        let shown = value.as_ref().map_or_else(String::new, |value| format!(" = {}", shown(value)));
        warnings.push(format!("object {id:?}: {path}{shown}: {reason}"));
        if value.is_none() {
            return;
        }
    }
}

/// Takes out the value at a path such as `material.opacity` or `buttons.0.size` and leaves null, so that the next wrong
/// value is found.
fn take(value: &mut Value, path: &str) -> Option<Value> {
    let (first, rest) = match value {
        // A key may contain dots, so the longest matching key wins.
        Value::Object(map) => {
            let key = longest_key(map, path)?;
            let rest = path.get(key.len() + 1..).map(str::to_owned);
            (key, rest)
        }
        Value::Array(_) => match path.split_once('.') {
            Some((first, rest)) => (first.to_owned(), Some(rest.to_owned())),
            None => (path.to_owned(), None),
        },
        _ => return None,
    };
    let slot = match value {
        Value::Object(map) => map.get_mut(&first)?,
        Value::Array(items) => items.get_mut(first.parse::<usize>().ok()?)?,
        _ => return None,
    };
    match rest {
        Some(rest) => take(slot, &rest),
        None => Some(std::mem::take(slot)),
    }
}

fn longest_key(map: &Map<String, Value>, path: &str) -> Option<String> {
    let fits =
        |key: &&String| path.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    map.keys().filter(fits).max_by_key(|key| key.len()).cloned()
}

#[cfg(test)]
mod tests {
    use stoa_state::scene::UnixMillis;

    use super::*;

    fn object(id: &str, attributes: Value) -> StoredObject {
        StoredObject {
            object_id: id.into(),
            type_name: "object".into(),
            attributes: attributes.as_object().cloned().unwrap(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        }
    }

    #[test]
    fn each_import_warning_names_its_object_key_and_value() {
        let findings = check(&[
            object("lamp", json!({"object_type": "box", "width": "wide", "material": {"opacity": 3, "color": "red"}})),
            object("thing", json!({"object_type": "sofa"})),
            object("bare", json!({"position": {"x": 0, "y": 0, "z": 0}})),
            object("child", json!({"object_type": "box", "parent": "nobody"})),
            object("good", json!({"object_type": "box", "parent": "lamp"})),
        ]);
        assert_eq!(findings.errors, Vec::<String>::new());
        assert_eq!(
            findings.warnings,
            [
                "object \"lamp\": material.opacity = 3: out of range",
                "object \"lamp\": width = \"wide\": wrong type",
                "object \"thing\": object_type is \"sofa\", which no page shows",
                "object \"bare\": object_type is missing: no page shows it",
                "object \"child\": parent \"nobody\" is not among the objects",
            ]
        );
    }

    #[test]
    fn duplicate_invalid_and_oversized_objects_are_import_errors() {
        let errors = |objects: &[StoredObject]| check(objects).errors.join("; ");
        let plain = |id: &str| object(id, json!({"object_type": "box"}));
        assert_eq!(errors(&[plain("a"), plain("a")]), "object \"a\" is there twice");
        for id in ["", "a/b", "a#", "+", &"x".repeat(300)] {
            assert!(!errors(&[plain(id)]).is_empty(), "{id:?}");
        }
        let large = object("large", json!({"object_type": "text", "value": "x".repeat(300_000)}));
        assert!(errors(&[large]).contains("large"), "too large");
        let mut deep = json!(1);
        for _ in 0..100 {
            deep = json!({ "a": deep });
        }
        assert!(!errors(&[object("deep", json!({"object_type": "box", "deep": deep}))]).is_empty());
    }

    #[test]
    fn a_full_scene_fits_into_an_import_and_one_more_object_does_not() {
        // Twice the size as JSON: larger than any message.
        let full = |id: usize| object(&id.to_string(), json!({"text": "\"".repeat(OBJECT_BYTES_MAX - 120)}));
        let objects: Vec<_> = (0..SCENE_BYTES_MAX / OBJECT_BYTES_MAX).map(full).collect();
        assert_eq!(unfit(&objects), Vec::<String>::new());
        let more: Vec<_> = objects.into_iter().chain([full(1_000)]).collect();
        assert_eq!(unfit(&more).len(), 1, "negative control: one more is too many");
    }
}
