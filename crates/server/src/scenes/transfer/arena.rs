//! Reads records of arena-persist: from its REST interface, and from MongoDB's export tools, which wrap numbers and
//! dates. The objects in Stoa's exports are such records too.

use serde_json::{Map, Number, Value};
use stoa_state::scene::{StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;

/// An object and the scene that the record names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ArenaRecord {
    pub(super) object: StoredObject,
    pub(super) scene: Option<SceneName>,
}

/// Reads a record. The error names the wrong key.
pub(super) fn record(value: Value, now: UnixMillis) -> Result<ArenaRecord, String> {
    let Value::Object(mut keys) = plain(value) else { return Err("a record is not an object".to_owned()) };
    let object_id = text(&keys, "object_id")?.ok_or("a record has no object_id")?.to_owned();
    let of = |what: &str| format!("object {object_id:?}: {what}");
    let attributes = match keys.remove("attributes").or_else(|| keys.remove("data")) {
        Some(Value::Object(attributes)) => attributes,
        Some(_) => return Err(of("attributes is not an object")),
        None => return Err(of("attributes is missing")),
    };
    let type_name = text(&keys, "type").map_err(|why| of(&why))?.unwrap_or("object").to_owned();
    let at = |key: &str| time(keys.get(key)).map_err(|()| of(&format!("{key} is no time: {}", shown(&keys[key]))));
    let (created, updated, expires_at) = (at("createdAt")?, at("updatedAt")?, at("expireAt")?);
    let created_at = created.or(updated).unwrap_or(now);
    let updated_at = updated.unwrap_or(created_at);
    let scene = match (text(&keys, "namespace"), text(&keys, "sceneId")) {
        (Ok(Some(namespace)), Ok(Some(scene))) => SceneName::new(namespace, scene).ok(),
        _ => None,
    };
    Ok(ArenaRecord {
        object: StoredObject { object_id, type_name, attributes, expires_at, created_at, updated_at },
        scene,
    })
}

fn text<'a>(keys: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, String> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("{key} is not a text: {}", shown(other))),
    }
}

fn time(value: Option<&Value>) -> Result<Option<UnixMillis>, ()> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(millis)) => millis.as_u64().map(|millis| Some(UnixMillis(millis))).ok_or(()),
        Some(text) => serde_json::from_value(text.clone()).map(Some).map_err(drop),
    }
}

/// Unwraps MongoDB's extended JSON: `{"$date": …}`, `{"$numberInt": "1"}`, `{"$oid": "…"}`.
fn plain(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(map) => match wrapped(&map) {
            Some(inner) => plain(inner),
            None => map.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        },
        other => other,
    }
}

fn wrapped(map: &Map<String, Value>) -> Option<Value> {
    let (key, value) = map.iter().next().filter(|_| map.len() == 1)?;
    match (key.as_str(), value) {
        ("$date" | "$oid", value) => Some(value.clone()),
        ("$numberInt" | "$numberLong", Value::String(text)) => text.parse::<i64>().ok().map(Value::from),
        ("$numberDouble" | "$numberDecimal", Value::String(text)) => {
            text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number)
        }
        _ => None,
    }
}

/// A value as text for messages, cut to 80 characters.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: UnixMillis = UnixMillis(5_000);

    #[test]
    fn an_arena_database_record_is_unwrapped_and_keeps_its_times() {
        let read = record(
            json!({
                "_id": {"$oid": "64b0c0ffee"}, "object_id": "lamp", "type": "object", "realm": "realm",
                "namespace": "alice", "sceneId": "den", "__v": {"$numberInt": "0"},
                "attributes": {"object_type": "box", "width": {"$numberDouble": "1.5"}, "depth": {"$numberInt": "2"}},
                "createdAt": {"$date": "2023-07-14T03:29:17.123Z"},
                "updatedAt": {"$date": {"$numberLong": "1689305360000"}}
            }),
            NOW,
        );
        let read = read.unwrap();
        assert_eq!(read.scene, Some("alice/den".parse().unwrap()));
        assert_eq!(Value::Object(read.object.attributes), json!({"object_type": "box", "width": 1.5, "depth": 2}));
        assert_eq!((read.object.created_at.0, read.object.updated_at.0), (1_689_305_357_123, 1_689_305_360_000));
        assert_eq!(read.object.expires_at, None);
    }

    #[test]
    fn an_arena_rest_record_needs_only_an_id_and_attributes() {
        let read = record(json!({"object_id": "lamp", "attributes": {"object_type": "box"}}), NOW).unwrap();
        assert_eq!((read.object.type_name.as_str(), read.object.created_at, read.scene), ("object", NOW, None));
    }

    #[test]
    fn a_bad_arena_record_is_refused_with_its_object_and_key() {
        let why = |value: Value| record(value, NOW).unwrap_err();
        assert_eq!(why(json!({"attributes": {}})), "a record has no object_id");
        assert_eq!(why(json!({"object_id": "lamp"})), "object \"lamp\": attributes is missing");
        assert_eq!(
            why(json!({"object_id": "lamp", "attributes": [1]})),
            "object \"lamp\": attributes is not an object"
        );
        let late = json!({"object_id": "lamp", "attributes": {}, "createdAt": "yesterday"});
        assert_eq!(why(late), "object \"lamp\": createdAt is no time: \"yesterday\"");
    }
}
