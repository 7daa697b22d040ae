//! Compares our schemas with ARENA's tables (`spec/arena-attributes.json`). Every object type, component and
//! attribute of ARENA is in a schema, with ARENA's type, values and default.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

/// ARENA's tables with another name here.
const RENAMED: [(&str, &str); 4] =
    [("buttons", "button"), ("channels", "channel"), ("run_info", "program-run"), ("sceneHeadModels", "head-model")];

/// Intended differences, with reasons.
const DIFFERENCES: [(&str, &str); 15] = [
    ("camera.target", "of look-at alone: each of the three orders to a camera has its own keys here"),
    ("camera.landmarkObj", "of teleport-to-landmark alone"),
    ("look-at.landmarkObj", "of teleport-to-landmark alone"),
    ("teleport-to-landmark.target", "of look-at alone"),
    ("entity.position", "is not required: ARENA's clients leave it out where it is the origin"),
    ("entity.rotation", "likewise"),
    ("entity.physx-grabbable", "is a flag: there or not, so it has no default"),
    ("entity.hide-on-enter-ar", "likewise"),
    ("entity.hide-on-enter-vr", "likewise"),
    ("entity.show-on-enter-ar", "likewise"),
    ("entity.show-on-enter-vr", "likewise"),
    ("entity.submodel-parent", "names a part of a model; an empty name names none, so it has no default"),
    ("scene-options.jitsiHost", "ARENA's own server is no default of ours"),
    ("arena-message.type", "is free: events name themselves"),
    ("landmark.constrainToNavMesh", "may be a boolean too"),
];

fn read(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Properties of a schema, inherited ones included, and its required keys.
fn schema(name: &str) -> (Map<String, Value>, Vec<String>) {
    let schema = read(&format!("objects/{name}.json"));
    let others = schema["allOf"].as_array().into_iter().flatten().filter_map(|part| part["$ref"].as_str());
    let mut properties = Map::new();
    for other in others {
        properties.extend(self::schema(other.trim_end_matches(".json")).0);
    }
    properties.extend(schema["properties"].as_object().cloned().unwrap_or_default());
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    (properties, required.map(str::to_owned).collect())
}

/// Allowed types of a property; none if it refers to another schema.
fn types(property: &Value) -> Vec<&str> {
    match &property["type"] {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The first difference between our attribute and ARENA's.
fn difference(ours: Option<&Value>, is_required: bool, arenas: &Value) -> Option<String> {
    let Some(ours) = ours else { return Some("is missing".to_owned()) };
    let same =
        |left: &Value, right: &Value| left == right || left.as_f64().is_some() && left.as_f64() == right.as_f64();
    if arenas["required"] == true && !is_required {
        return Some("is not required".to_owned());
    }
    if let Some(default) = arenas.get("default").filter(|default| !same(&ours["default"], default)) {
        return Some(format!("has the default {} instead of {default}", ours["default"]));
    }
    let known: Vec<&Value> = ours["enum"].as_array().into_iter().flatten().collect();
    if let Some(value) = arenas["values"].as_array().into_iter().flatten().find(|value| !known.contains(value)) {
        return Some(format!("does not know the value {value}"));
    }
    let found = types(ours);
    let wanted = arenas["type"].as_str().filter(|wanted| !found.is_empty() && !found.contains(wanted))?;
    Some(format!("is {found:?} and not {wanted}"))
}

#[test]
fn every_attribute_of_arena_is_known_by_its_name_type_and_default() {
    let names = read("arena-attributes.json");
    let (renamed, mut expected) = (BTreeMap::from(RENAMED), BTreeMap::from(DIFFERENCES));
    let mut checked = 0;
    for (table, attributes) in names["tables"].as_object().expect("tables by name") {
        let (properties, required) = schema(renamed.get(table.as_str()).unwrap_or(&table.as_str()));
        for (key, arenas) in attributes.as_object().expect("attributes by name") {
            let found = difference(properties.get(key), required.contains(key), arenas);
            let reason = expected.remove(&*format!("{table}.{key}"));
            assert_eq!(found.is_some(), reason.is_some(), "{table}.{key} {found:?}, expected: {reason:?}");
            checked += 1;
        }
    }
    assert!(expected.is_empty(), "no longer there: {expected:?}");
    assert!(checked > 600, "{checked}");
}

#[test]
fn every_object_type_and_component_of_arena_is_known() {
    let names = read("arena-attributes.json");
    let of = |list: &str| -> Vec<String> {
        let list = names[list].as_array().expect("a list");
        list.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
    };
    for object_type in of("object_types") {
        assert!(object_type.parse::<stoa_wire::objects::ObjectType>().is_ok(), "{object_type}");
    }
    let (any_object, _) = schema("any-object");
    for component in of("components") {
        assert!(any_object.contains_key(&component), "{component}");
    }
}
