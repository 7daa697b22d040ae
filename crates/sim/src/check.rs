//! Comparisons with the model: records, and at rest also the disk and the live scene. At rest, each client's replica
//! must equal a new client's snapshot.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::{Value, json};
use stoa_state::scene::StoredScene;

use crate::model::SceneModel;
use crate::replica::{SceneReplica, TypeAndAttributes};

fn differs<K: Ord + Debug, V: PartialEq + Debug>(ours: &BTreeMap<K, V>, ought: &BTreeMap<K, V>) -> Option<String> {
    let missing = ought.iter().find(|(key, value)| ours.get(key) != Some(value));
    let surplus = ours.iter().find(|(key, _)| !ought.contains_key(key));
    match (missing, surplus) {
        (Some((key, value)), _) => Some(format!("{key:?} is {:?}, but ought to be {value:?}", ours.get(key))),
        (None, Some((key, value))) => Some(format!("{key:?} is {value:?}, but ought not to be")),
        (None, None) => None,
    }
}

fn agree(what: &str, difference: Option<String>) -> Result<(), String> {
    difference.map_or(Ok(()), |difference| Err(format!("{what}: {difference}")))
}

/// Compares the disk with the model.
pub(crate) fn disk(stored: &StoredScene, model: &SceneModel) -> Result<(), String> {
    let on_disk = stored.objects.iter().map(|record| {
        let expires_ms = record.expires_at.map(|at| at.0);
        (record.object_id.clone(), (json!(record.type_name), Value::Object(record.attributes.clone()), expires_ms))
    });
    let ought = model
        .stored
        .iter()
        .map(|(id, record)| (id.clone(), (json!(record.type_name), record.attributes.clone(), record.expires_ms)));
    agree("on disk", differs(&on_disk.collect(), &ought.collect()))
}

/// Records of REST or `getPersist`, by id.
pub(crate) fn records(array: &Value) -> BTreeMap<String, TypeAndAttributes> {
    let records = array.as_array().into_iter().flatten();
    let by_id = records.map(|record| (record["object_id"].as_str().unwrap_or_default().to_string(), record));
    by_id.map(|(id, record)| (id, (record["type"].clone(), record["attributes"].clone()))).collect()
}

/// Compares records with the model's.
pub(crate) fn told(
    records: &BTreeMap<String, TypeAndAttributes>,
    ought: &BTreeMap<String, TypeAndAttributes>,
) -> Result<(), String> {
    agree("the records told", differs(records, ought))
}

/// Compares the live scene, as in a snapshot, with the model.
pub(crate) fn live(snapshot: &SceneReplica, model: &SceneModel) -> Result<(), String> {
    let objects = model.live.iter();
    let objects =
        objects.map(|(id, object)| (id.clone(), (json!(object.type_name), object.attributes.clone()))).collect();
    agree("the live scene", differs(&snapshot.objects, &objects))?;
    let parts = model.people.values().flat_map(|person| &person.parts);
    let parts = parts.map(|(id, part)| (id.clone(), part.attributes.clone())).collect();
    agree("cameras and hands", differs(&snapshot.parts, &parts))?;
    let names = model.people.iter().filter_map(|(id, person)| Some((id.clone(), person.name.clone()?))).collect();
    agree("presence", differs(&snapshot.joined, &names))
}

/// Compares a client's replica with a new client's snapshot. MQTT 3.1.1 clients get no snapshot, so only
/// the objects that were created, overwritten or removed since they entered are compared.
pub(crate) fn replica(
    who: &str,
    ours: &SceneReplica,
    present: &SceneReplica,
    knows_objects: bool,
) -> Result<(), String> {
    if ours.people() != present.people() {
        let (ours, ought) = (ours.people(), present.people());
        return Err(format!("{who} sees {ours:?}, but there are {ought:?}"));
    }
    agree(&format!("parts that {who} sees"), differs(&ours.parts, &present.parts))?;
    agree(&format!("names that {who} sees"), differs(&ours.joined, &present.joined))?;
    if !knows_objects {
        let whole = |replica: &SceneReplica| {
            let known = replica.objects.iter().filter(|(id, _)| ours.whole.contains(*id));
            known.map(|(id, (_, attributes))| (id.clone(), attributes.clone())).collect()
        };
        return agree(&format!("objects that {who} knows"), differs(&whole(ours), &whole(present)));
    }
    agree(&format!("objects that {who} sees"), differs(&ours.objects, &present.objects))?;
    let at = |replica: &SceneReplica| (replica.epoch, replica.revision);
    if at(ours) == at(present) {
        Ok(())
    } else {
        Err(format!("{who} is at {:?}, the scene at {:?}", at(ours), at(present)))
    }
}
