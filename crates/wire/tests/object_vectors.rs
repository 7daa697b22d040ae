//! Runs `spec/vectors/objects/`, as the TypeScript and Python tests do.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};
use stoa_wire::objects::{AttributeError, ObjectType, SceneAttributes, group};

#[derive(Deserialize)]
struct Case {
    name: String,
    json: Value,
    valid: bool,
    error_path: Option<String>,
}

/// All cases with their schemas, sorted.
fn cases() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors/objects");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it is read").path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a file has a name");
        let text = fs::read_to_string(&path).expect("it is read");
        let cases: Vec<Case> = serde_json::from_str(&text).expect("a list of cases");
        all.extend(cases.into_iter().map(|case| (stem.to_owned(), case)));
    }
    all
}

fn is_object(stem: &str) -> bool {
    stem.parse::<ObjectType>().is_ok()
}

fn check(stem: &str, json: &Value) -> Result<(), AttributeError> {
    match json {
        Value::Object(map) if is_object(stem) => SceneAttributes::decode(map).map(|_| ()),
        _ => group(stem).expect("a schema of that name").check(json),
    }
}

/// Removes `null` members and makes all numbers floats, because `1` and `1.0` are one number.
fn normal(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64()),
        Value::Array(values) => values.iter().map(normal).collect(),
        Value::Object(map) => {
            let kept = map.iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key.clone(), normal(value))).collect())
        }
        _ => value.clone(),
    }
}

#[test]
fn every_object_vector_is_accepted_or_refused_at_its_error_path() {
    let cases = cases();
    for (stem, case) in &cases {
        let found = check(stem, &case.json).err().map(|wrong| wrong.path);
        assert_eq!(found.is_none(), case.valid, "{}: {found:?}", case.name);
        assert_eq!(found, case.error_path, "{}", case.name);
    }
    println!("\nvectors objects: {} run, 0 skipped", cases.len());
    assert!(!cases.is_empty(), "no vectors found");
}

#[test]
fn valid_objects_survive_a_round_trip() {
    let objects: Vec<_> = cases().into_iter().filter(|(stem, case)| is_object(stem) && case.valid).collect();
    for (_, case) in &objects {
        let decoded = SceneAttributes::decode(case.json.as_object().unwrap()).unwrap();
        let encoded = Value::Object(decoded.encode());
        assert_eq!(normal(&encoded), normal(&case.json), "{}", case.name);
    }
    assert!(!objects.is_empty(), "negative control: something was encoded");
}

#[test]
fn every_object_type_is_read_from_its_own_name() {
    for object_type in ObjectType::ALL {
        assert_eq!(object_type.as_str().parse(), Ok(*object_type));
        let mut map = Map::new();
        map.insert("object_type".to_owned(), Value::from(object_type.as_str()));
        assert_eq!(SceneAttributes::decode(&map).unwrap().object_type(), *object_type);
    }
}

#[test]
fn the_examples_of_the_schemas_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/objects");
    let mut run = 0;
    for stem in ObjectType::ALL.iter().map(|object_type| object_type.as_str()) {
        let text = fs::read_to_string(folder.join(format!("{stem}.json"))).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        for example in schema["examples"].as_array().unwrap() {
            assert_eq!(check(stem, example), Ok(()), "{stem}");
            run += 1;
        }
    }
    assert!(run >= ObjectType::ALL.len(), "every object type has an example");
}
