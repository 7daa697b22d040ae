//! Copies of another scene's stored objects below a container: `loadTemplate`, `spec/topics.md` section 2.1.1.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};
use stoa_wire::envelope::{Action, Envelope, Persist};
use stoa_wire::limits::{OBJECT_ID_BYTES_MAX, TTL_S_MAX};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{REALM_CLIENT, SceneName, TopicKind};

use super::merge::size_bytes;
use super::objects::{check_scene_bytes, is_reserved_type};
use super::stored::{DEFAULT_TYPE, StoredObject, parent_of};
use super::{AppliedMessage, Scene};
use crate::grant::Author;
use crate::limits;
use crate::time::Time;

/// Separates the parts of a copy's id.
const SEPARATOR: &str = "::";

/// A parsed `loadTemplate` request.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateRequest {
    source: SceneName,
    instance_id: String,
    persist: bool,
    ttl: Option<f64>,
    position: Option<Value>,
    rotation: Option<Value>,
}

impl TemplateRequest {
    /// Parses the key `data`. Errors: [`Reason::MissingKey`], [`Reason::BadValue`].
    pub fn read(envelope: &Envelope) -> Result<TemplateRequest, Reason> {
        let asked = envelope.attributes.as_ref().ok_or(Reason::MissingKey)?;
        let name = |key: &str| asked.get(key).ok_or(Reason::MissingKey)?.as_str().ok_or(Reason::BadValue);
        let (namespace, scene) = (name("templateNamespace")?, name("templateSceneId")?);
        let source = SceneName::new(namespace, scene).map_err(|_| Reason::BadValue)?;
        let instance_id = name("instanceId")?.to_string();
        let is_no_token = |letter: char| letter.is_control() || matches!(letter, '/' | '+' | '#');
        if instance_id.is_empty() || instance_id.contains(is_no_token) || instance_id.contains(SEPARATOR) {
            return Err(Reason::BadValue);
        }
        let persist = optional(asked, "persist", Value::as_bool)?.unwrap_or(false);
        let ttl = optional(asked, "ttl", Value::as_f64)?.filter(|ttl| *ttl != -1.0);
        if ttl.is_some_and(|ttl| !(0.0..=TTL_S_MAX).contains(&ttl)) {
            return Err(Reason::BadValue);
        }
        let place = |key: &str| optional(asked, key, |value| value.is_object().then(|| value.clone()));
        let (position, rotation) = (place("position")?, place("rotation")?);
        Ok(TemplateRequest { source, instance_id, persist, ttl, position, rotation })
    }

    /// The source scene.
    pub fn source(&self) -> &SceneName {
        &self.source
    }

    /// Whether the copies are stored.
    pub fn persists(&self) -> bool {
        self.persist
    }

    fn container_id(&self) -> String {
        let Self { source, instance_id, .. } = self;
        format!("{}|{}{SEPARATOR}{instance_id}", source.namespace(), source.scene())
    }
}

/// Bounds of a template's size that no object must be read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateSize {
    /// The copies and their container.
    pub objects: usize,
    /// Bytes of their attributes and names.
    pub bytes: usize,
}

impl TemplateSize {
    /// The size of a template of all stored objects of `source`. Larger templates are refused.
    pub fn most(source: &Scene) -> TemplateSize {
        let objects = source.stored.size().min(limits::TEMPLATE_OBJECTS_MAX) + 1;
        TemplateSize { objects, bytes: source.stored_bytes.min(limits::TEMPLATE_BYTES_MAX) }
    }

    /// An estimate of the bytes that storing the copies writes: each with its log entry.
    pub fn bytes_to_write(self) -> usize {
        self.objects * limits::LOG_ENTRY_BYTES + 2 * self.bytes
    }
}

/// A request with the objects to copy.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    request: TemplateRequest,
    objects: Vec<StoredObject>,
}

impl Template {
    /// Collects the stored objects of `source`, except types that configure the scene itself. Errors:
    /// [`Reason::NoSuchScene`] if there are none, [`Reason::TooManyObjects`] beyond
    /// [`limits::TEMPLATE_OBJECTS_MAX`] or [`limits::TEMPLATE_BYTES_MAX`].
    pub fn new(request: TemplateRequest, source: &Scene) -> Result<Template, Refusal> {
        let mut objects = Vec::new();
        let mut bytes = 0;
        // Counts before copying: requests are cheap, and scenes are large.
        for object in source.stored.values().filter(|object| !is_reserved_type(&object.type_name)) {
            if objects.len() == limits::TEMPLATE_OBJECTS_MAX {
                let most = limits::TEMPLATE_OBJECTS_MAX;
                return Err(Refusal::beyond(Reason::TooManyObjects, most, "objects of a template"));
            }
            bytes += size_bytes(&object.attributes);
            if bytes > limits::TEMPLATE_BYTES_MAX {
                return Err(Refusal::beyond(Reason::TooManyObjects, limits::TEMPLATE_BYTES_MAX, "bytes of a template"));
            }
            objects.push(object);
        }
        if objects.is_empty() {
            return Err(Reason::NoSuchScene.into());
        }
        Ok(Template { request, objects: objects.into_iter().cloned().collect() })
    }

    /// Returns the create messages: the container first, parents before children, cycles last. Errors:
    /// [`Reason::BadValue`] where an id becomes too long.
    fn creates(self) -> Result<Vec<Envelope>, Reason> {
        let Template { request, objects } = self;
        let container = request.container_id();
        let order = in_order(&objects);
        let mut by_id: BTreeMap<String, StoredObject> =
            objects.into_iter().map(|object| (object.object_id.clone(), object)).collect();
        let copy_of = |id: &str| format!("{container}{SEPARATOR}{id}");
        let known: BTreeSet<String> = by_id.keys().cloned().collect();
        let persist = if request.persist { Persist::True } else { Persist::False };
        let create = |object_id: String, type_name: String, attributes: Map<String, Value>| Envelope {
            object_id,
            action: Some(Action::Create),
            type_name: Some(type_name),
            persist,
            attributes: Some(attributes),
            ..Envelope::default()
        };
        let mut attributes = Map::from_iter([("object_type".to_string(), json!("templateContainer"))]);
        let place = [("position", request.position), ("rotation", request.rotation)];
        attributes.extend(place.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))));
        let first = create(container.clone(), DEFAULT_TYPE.to_string(), attributes);
        let mut creates = Vec::from([Envelope { ttl: request.ttl, ..first }]);
        for object in order.iter().filter_map(|id| by_id.remove(id)) {
            let StoredObject { object_id, type_name, mut attributes, .. } = object;
            let parent = parent_of(&attributes).filter(|parent| known.contains(*parent)).map(copy_of);
            attributes.insert("parent".to_string(), json!(parent.unwrap_or_else(|| container.clone())));
            creates.push(create(copy_of(&object_id), type_name, attributes));
        }
        let is_long = |create: &Envelope| create.object_id.len() > OBJECT_ID_BYTES_MAX;
        if creates.iter().any(is_long) { Err(Reason::BadValue) } else { Ok(creates) }
    }
}

/// Ids with parents before children; cycles come last.
pub(super) fn in_order(objects: &[StoredObject]) -> Vec<String> {
    let ids: BTreeSet<&str> = objects.iter().map(|object| object.object_id.as_str()).collect();
    let mut below: BTreeMap<Option<&str>, Vec<&str>> = BTreeMap::new();
    for object in objects {
        let parent = parent_of(&object.attributes).filter(|parent| ids.contains(parent));
        below.entry(parent).or_default().push(&object.object_id);
    }
    let mut order = below.remove(&None).unwrap_or_default();
    let mut next = 0;
    while let Some(id) = order.get(next).copied() {
        order.extend(below.remove(&Some(id)).unwrap_or_default());
        next += 1;
    }
    let reached: BTreeSet<&str> = order.iter().copied().collect();
    order.extend(ids.difference(&reached));
    order.into_iter().map(ToString::to_string).collect()
}

fn optional<T>(asked: &Map<String, Value>, key: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, Reason> {
    match asked.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value).map(Some).ok_or(Reason::BadValue),
    }
}

impl Scene {
    /// Instantiates a template, all or nothing; the caller has checked the right to read it. Each copy is a
    /// revision of its own, announced by the realm itself; the request has none. Errors: [`Reason::AlreadyThere`]
    /// if an id exists, else the errors of the create messages.
    pub fn load_template(&mut self, author: &Author, template: Template, now: Time) -> Result<AppliedMessage, Refusal> {
        let creates = template.creates()?;
        if creates.iter().any(|create| self.is_there(&create.object_id)) {
            return Err(Reason::AlreadyThere.into());
        }
        self.check_room_for(author, &creates)?;
        let announced: Vec<Value> = creates.iter().map(announcement).collect();
        let plan = |create: Envelope| self.plan(author, create, REALM_CLIENT);
        let puts = creates.into_iter().map(plan).collect::<Result<Vec<_>, Reason>>()?;
        puts.iter().try_for_each(|put| self.check_room(put))?;
        for (put, payload) in puts.into_iter().zip(announced) {
            let id = payload["object_id"].as_str().expect("announcements name their object");
            let topic = self.topic(TopicKind::O, REALM_CLIENT, id);
            let applied = self.put(put, now);
            self.publish(topic, &payload, applied.revision);
        }
        Ok(AppliedMessage::default())
    }

    fn is_there(&self, id: &str) -> bool {
        self.live.get(id).is_some() || self.stored.contains_key(id)
    }

    fn check_room_for(&self, author: &Author, creates: &[Envelope]) -> Result<(), Refusal> {
        let bytes: usize = creates.iter().filter_map(|create| create.attributes.as_ref()).map(size_bytes).sum();
        self.live.check_room(creates.len())?;
        self.check_stored_room(creates.len())?;
        self.guests.check_room(author, creates.len())?;
        check_scene_bytes(self.live.size_bytes().max(self.stored_bytes) + bytes)
    }

    /// Objects of a template's instance that are no longer descendants of its container `id`. Empty for other
    /// objects.
    pub(super) fn left_by_instance(&self, id: &str) -> BTreeSet<String> {
        let is_container = id
            .split_once(SEPARATOR)
            .is_some_and(|(source, instance)| source.contains('|') && !instance.contains(SEPARATOR));
        if !is_container {
            return BTreeSet::new();
        }
        let prefix = format!("{id}{SEPARATOR}");
        let live = self.live.ids_from(&prefix);
        let stored = self.stored.range(prefix.clone()..).map(|(id, _)| id);
        let begins = |id: &&String| id.starts_with(&prefix);
        live.take_while(begins).chain(stored.take_while(begins)).cloned().collect()
    }
}

fn announcement(create: &Envelope) -> Value {
    let mut payload = json!({
        "object_id": create.object_id,
        "action": "create",
        "type": create.type_name,
        "persist": create.persist == Persist::True,
        "data": create.attributes,
    });
    if let Some(ttl) = create.ttl {
        payload["ttl"] = json!(ttl);
    }
    payload
}
