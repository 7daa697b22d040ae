//! Instances of templates, for the model: ids joined by `::`, in no order. Shares no code with `state`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::record::{ModelStoredObject, ModelStoredObjects};

/// Id of the container for a `loadTemplate`.
pub(crate) fn container(asked: &Value) -> String {
    let text = |key: &str| asked[key].as_str().unwrap_or_default();
    format!("{}|{}::{}", text("templateNamespace"), text("templateSceneId"), text("instanceId"))
}

/// All objects of the instance, by id, without expiry. Errors: the reason of the refusal.
pub(crate) fn copies(
    asked: &Value,
    source: Option<&ModelStoredObjects>,
) -> Result<BTreeMap<String, ModelStoredObject>, &'static str> {
    if ["templateNamespace", "templateSceneId", "instanceId"].iter().any(|key| asked.get(key).is_none()) {
        return Err("missing_key");
    }
    if !asked["instanceId"].is_string() {
        return Err("bad_value");
    }
    let container = container(asked);
    let source = source.into_iter().flatten();
    let copied: ModelStoredObjects = source
        .filter(|(_, record)| record.type_name != "program" && record.type_name != "scene-options")
        .map(|(id, record)| (id.clone(), record.clone()))
        .collect();
    if copied.is_empty() {
        return Err("no_such_scene");
    }
    let mut place = json!({"object_type": "templateContainer"});
    for key in ["position", "rotation"] {
        if asked[key].is_object() {
            place[key] = asked[key].clone();
        }
    }
    let record = |type_name: &str, attributes| ModelStoredObject {
        type_name: type_name.to_string(),
        attributes,
        expires_ms: None,
    };
    let mut made = BTreeMap::from([(container.clone(), record("object", place))]);
    for (id, original) in &copied {
        let mut attributes = original.attributes.clone();
        let above = attributes["parent"].as_str().filter(|parent| copied.contains_key(*parent));
        attributes["parent"] = json!(above.map_or(container.clone(), |above| format!("{container}::{above}")));
        made.insert(format!("{container}::{id}"), record(&original.type_name, attributes));
    }
    if made.keys().any(|id| id.len() > 256) { Err("bad_value") } else { Ok(made) }
}

/// Whether `id` was created together with `container`, if that is a template's container.
pub(crate) fn is_instance_of(id: &str, container: &str) -> bool {
    let parts: Vec<&str> = container.split("::").collect();
    parts.len() == 2 && parts[0].contains('|') && id.strip_prefix(container).is_some_and(|rest| rest.starts_with("::"))
}
