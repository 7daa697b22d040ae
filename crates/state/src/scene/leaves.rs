//! A record as a set of leaves: the type, and paths to values other than non-empty objects. Last writers are tracked by
//! leaf, and an undo restores leaves.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::stored::StoredObject;

/// `["type"]`, or `["data", …]` followed by attribute keys.
pub(super) type LeafPath = Vec<String>;

/// Leaf values by path.
pub(super) type Leaves = BTreeMap<LeafPath, Value>;

const TYPE: &str = "type";
const DATA: &str = "data";

/// The type of a record, and its attribute leaves; with `keys`, only those below these top-level keys.
pub(super) fn leaves_of(record: Option<&StoredObject>, keys: Option<&BTreeSet<String>>) -> Leaves {
    let mut leaves = Leaves::new();
    let Some(record) = record else { return leaves };
    leaves.insert([TYPE.to_string()].into(), Value::String(record.type_name.clone()));
    for (key, value) in &record.attributes {
        if keys.is_none_or(|keys| keys.contains(key)) {
            add(&mut leaves, &mut Vec::from([DATA.to_string(), key.clone()]), value);
        }
    }
    leaves
}

/// Paths that an update writes.
pub(super) fn written_by(patch: &Map<String, Value>) -> impl Iterator<Item = LeafPath> {
    let mut leaves = Leaves::new();
    for (key, value) in patch {
        add(&mut leaves, &mut Vec::from([DATA.to_string(), key.clone()]), value);
    }
    leaves.into_keys()
}

fn add(leaves: &mut Leaves, path: &mut LeafPath, value: &Value) {
    match value {
        Value::Object(below) if !below.is_empty() => {
            for (key, value) in below {
                path.push(key.clone());
                add(leaves, path, value);
                path.pop();
            }
        }
        leaf => {
            leaves.insert(path.clone(), leaf.clone());
        }
    }
}

/// Leaves that differ in `after`, with their values in `before`.
pub(super) fn changed<'a>(
    before: &'a Leaves,
    after: &'a Leaves,
) -> impl Iterator<Item = (&'a LeafPath, Option<&'a Value>)> {
    let gone_or_other = before.iter().filter(|(path, value)| after.get(*path) != Some(value));
    let new = after.keys().filter(|path| !before.contains_key(*path));
    gone_or_other.map(|(path, value)| (path, Some(value))).chain(new.map(|path| (path, None)))
}

/// Whether one of `paths` equals this path, or is a prefix or extension of it.
pub(super) fn meets(paths: &BTreeSet<LeafPath>, path: &LeafPath) -> bool {
    let leads_here = (1..=path.len()).any(|length| paths.contains(&path[..length]));
    leads_here || paths.range(path.clone()..).next().is_some_and(|next| next.starts_with(path))
}

/// Sets leaves, or removes those without a value.
pub(super) fn lead<'a>(record: &mut StoredObject, back: impl IntoIterator<Item = (&'a LeafPath, Option<&'a Value>)>) {
    let (mut set, mut removed) = (Vec::new(), Vec::new());
    for (path, value) in back {
        match value {
            Some(value) => set.push((path, value)),
            None => removed.push(path),
        }
    }
    for path in removed {
        if path.first().is_some_and(|first| first == DATA) {
            remove(&mut record.attributes, &path[1..]);
        }
    }
    for (path, value) in set {
        match (path.first().map(String::as_str), value) {
            (Some(TYPE), Value::String(type_name)) => record.type_name.clone_from(type_name),
            (Some(DATA), value) => put(&mut record.attributes, &path[1..], value),
            _ => {}
        }
    }
}

/// An object that becomes empty is removed with its last key.
fn remove(attributes: &mut Map<String, Value>, path: &[String]) {
    let Some((key, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        attributes.remove(key);
    } else if let Some(Value::Object(below)) = attributes.get_mut(key) {
        remove(below, rest);
        if below.is_empty() {
            attributes.remove(key);
        }
    }
}

fn put(attributes: &mut Map<String, Value>, path: &[String], value: &Value) {
    let Some((key, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        attributes.insert(key.clone(), value.clone());
        return;
    }
    let below = attributes.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
    if !below.is_object() {
        *below = Value::Object(Map::new());
    }
    if let Value::Object(below) = below {
        put(below, rest, value);
    }
}
