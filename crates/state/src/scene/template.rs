//! Copies of a scene's stored objects, this scene's or another's, below a container: `loadTemplate`, `spec/topics.md`
//! section 2.1.1.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::{self, Vec};

use serde_json::{Map, Value, json};
use stoa_wire::envelope::{Action, Envelope, Persist};
use stoa_wire::limits::{OBJECT_ID_BYTES_MAX, TTL_S_MAX};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{REALM_CLIENT, SceneName, TopicKind};

use super::merge::size_bytes;
use super::objects::check_scene_bytes;
use super::reserved::is_reserved_type;
use super::stored::{DEFAULT_TYPE, StoredObject, StoredObjects, parent_of};
use super::{AppliedMessage, Scene, SceneOutput};
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

/// Upper bounds of a template's size, computed without reading its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateSizeEstimate {
    /// The copies and their container.
    pub objects: usize,
    /// Bytes of their attributes and names.
    pub bytes: usize,
}

impl TemplateSizeEstimate {
    /// The size of a template of all stored objects of `source`, at most [`limits::TEMPLATE_OBJECTS_MAX`] and
    /// [`limits::TEMPLATE_BYTES_MAX`]: larger templates are refused.
    pub fn most(source: &Scene) -> TemplateSizeEstimate {
        let objects = source.stored.size().min(limits::TEMPLATE_OBJECTS_MAX) + 1;
        TemplateSizeEstimate { objects, bytes: source.stored_bytes.min(limits::TEMPLATE_BYTES_MAX) }
    }

    /// An estimate of the bytes that storing the copies writes: each with its log entry.
    pub fn bytes_to_write(self) -> usize {
        self.objects * limits::LOG_ENTRY_BYTES + 2 * self.bytes
    }
}

/// A request with the source's stored objects, which are shared with the source, not copied.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingTemplateCopy {
    request: TemplateRequest,
    source: StoredObjects,
    /// Bytes of the attributes of the objects to copy.
    bytes: usize,
}

impl PendingTemplateCopy {
    /// Takes the stored objects of `source`, except types that configure the scene itself. Errors:
    /// [`Reason::NoSuchScene`] if there are none, [`Reason::TooManyObjects`] beyond
    /// [`limits::TEMPLATE_OBJECTS_MAX`] or [`limits::TEMPLATE_BYTES_MAX`].
    pub fn new(request: TemplateRequest, source: &Scene) -> Result<PendingTemplateCopy, Refusal> {
        let (mut objects, mut bytes) = (0, 0);
        for object in source.stored.values().filter(|object| is_copied(object)) {
            if objects == limits::TEMPLATE_OBJECTS_MAX {
                let most = limits::TEMPLATE_OBJECTS_MAX;
                return Err(Refusal::beyond(Reason::TooManyObjects, most, "objects of a template"));
            }
            bytes += size_bytes(&object.attributes);
            if bytes > limits::TEMPLATE_BYTES_MAX {
                return Err(Refusal::beyond(Reason::TooManyObjects, limits::TEMPLATE_BYTES_MAX, "bytes of a template"));
            }
            objects += 1;
        }
        if objects == 0 {
            return Err(Reason::NoSuchScene.into());
        }
        Ok(PendingTemplateCopy { request, source: source.stored.clone(), bytes })
    }

    /// The create message of the container.
    fn container(&self) -> Envelope {
        let TemplateRequest { position, rotation, ttl, .. } = &self.request;
        let mut attributes = Map::from_iter([("object_type".to_string(), json!("templateContainer"))]);
        let place = [("position", position), ("rotation", rotation)];
        attributes.extend(place.into_iter().filter_map(|(key, value)| Some((key.to_string(), value.clone()?))));
        let persist = persist_of(&self.request);
        Envelope {
            ttl: *ttl,
            ..create(self.request.container_id(), DEFAULT_TYPE.to_string(), CopiedObjectState { persist, attributes })
        }
    }

    /// The copies below the container: parents before children, cycles last. Errors: [`Reason::BadValue`] where an id
    /// becomes too long.
    fn copies(self, author: Author) -> Result<RemainingTemplateCopies, Reason> {
        let PendingTemplateCopy { request, source, bytes } = self;
        let container = request.container_id();
        let objects: Vec<&StoredObject> = source.values().filter(|object| is_copied(object)).collect();
        let left = in_order(objects.iter().copied());
        let longest = left.iter().map(String::len).max().unwrap_or_default();
        if container.len() + SEPARATOR.len() + longest > OBJECT_ID_BYTES_MAX {
            return Err(Reason::BadValue);
        }
        let left = left.into_iter();
        Ok(RemainingTemplateCopies {
            author,
            container,
            persist: persist_of(&request),
            source,
            left,
            bytes,
            written_bytes: 0,
        })
    }
}

/// Copies that are still to be made, in pieces.
#[derive(Debug)]
pub(super) struct RemainingTemplateCopies {
    author: Author,
    container: String,
    persist: Persist,
    source: StoredObjects,
    /// Ids in the source of the objects that are not yet copied.
    left: vec::IntoIter<String>,
    /// Bytes of the attributes of all objects to copy, the copied ones included.
    bytes: usize,
    /// Bytes that the copies have written to the store since [`Scene::load_template`] returned.
    written_bytes: u64,
}

impl RemainingTemplateCopies {
    fn copy_id(&self, id: &str) -> String {
        format!("{}{SEPARATOR}{id}", self.container)
    }

    /// The create message of a copy.
    fn create(&self, object: &StoredObject) -> Envelope {
        let mut attributes = object.attributes.clone();
        let is_known = |parent: &&str| self.source.get(*parent).is_some_and(is_copied);
        let parent = parent_of(&attributes).filter(is_known).map(|parent| self.copy_id(parent));
        attributes.insert("parent".to_string(), json!(parent.unwrap_or_else(|| self.container.clone())));
        let state = CopiedObjectState { persist: self.persist, attributes };
        create(self.copy_id(&object.object_id), object.type_name.clone(), state)
    }
}

/// Whether a stored object is part of a template.
fn is_copied(object: &StoredObject) -> bool {
    !is_reserved_type(&object.type_name)
}

fn persist_of(request: &TemplateRequest) -> Persist {
    if request.persist { Persist::True } else { Persist::False }
}

struct CopiedObjectState {
    persist: Persist,
    attributes: Map<String, Value>,
}

fn create(object_id: String, type_name: String, state: CopiedObjectState) -> Envelope {
    let CopiedObjectState { persist, attributes } = state;
    Envelope {
        object_id,
        action: Some(Action::Create),
        type_name: Some(type_name),
        persist,
        attributes: Some(attributes),
        ..Envelope::default()
    }
}

/// Ids with parents before children; cycles come last.
pub(super) fn in_order<'a>(objects: impl IntoIterator<Item = &'a StoredObject> + Clone) -> Vec<String> {
    let ids: BTreeSet<&str> = objects.clone().into_iter().map(|object| object.object_id.as_str()).collect();
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
    /// revision of its own, announced by the realm itself; the request has none. A guest's copies are made at once.
    /// Beyond [`limits::COPIED_AT_ONCE_MAX`] copies, or behind an unfinished template, an account's copies are made in
    /// pieces by [`Scene::handle_timeout`], within capacity that is reserved for them; [`SceneOutput::TemplateCopied`]
    /// follows the last one. Once the container is deleted, or queued for it, no further copies are made.
    ///
    /// Errors: [`Reason::BadValue`] if an id becomes too long, [`Reason::AlreadyThere`] if an id exists, else the
    /// errors of the create messages.
    pub fn load_template(
        &mut self,
        author: &Author,
        template: PendingTemplateCopy,
        now: Time,
    ) -> Result<AppliedMessage, Refusal> {
        let container = template.container();
        let copies = template.copies(author.clone())?;
        self.finish_deletion_of(&container.object_id, now);
        self.check_copies(&copies, &container)?;
        self.live.reserve(copies.left.len(), copies.bytes);
        self.put_announced(author, container, now);
        // A guest's template is small, and made at once, so that no part of the guests' bound is reserved.
        if author.guest {
            self.copies.push_front(copies);
            self.make_copies(now);
            return Ok(AppliedMessage::default());
        }
        self.copies.push_back(copies);
        if self.copies.len() == 1 {
            self.make_copies(now);
        }
        // The caller charges for the first piece.
        if let Some(copies) = self.copies.back_mut() {
            copies.written_bytes = 0;
        }
        Ok(AppliedMessage::default())
    }

    /// Number of templates of which copies are still to be made.
    pub fn unfinished_templates(&self) -> usize {
        self.copies.len()
    }

    /// When further copies are due.
    pub(super) fn copies_due_at(&self) -> Option<Time> {
        (!self.copies.is_empty()).then_some(self.copies_resume_at)
    }

    /// Makes further copies of the first template and reports its end.
    pub(super) fn continue_copies(&mut self, now: Time) {
        if self.copies_due_at().is_some_and(|at| at <= now)
            && let Some(RemainingTemplateCopies { written_bytes, .. }) = self.make_copies(now)
        {
            self.outputs.push_back(SceneOutput::TemplateCopied { written_bytes });
        }
    }

    /// Makes a piece of the first template's copies. Returns the template after its last one.
    fn make_copies(&mut self, now: Time) -> Option<RemainingTemplateCopies> {
        let mut copies = self.copies.pop_front()?;
        let written_before = self.written_bytes;
        let is_there = self.is_there(&copies.container) && !self.is_leaving(&copies.container);
        let is_divided = is_there && !copies.author.guest;
        let most = if is_divided { limits::COPIED_AT_ONCE_MAX } else { copies.left.len() };
        for id in copies.left.by_ref().take(most).collect::<Vec<_>>() {
            let Some(object) = copies.source.get(&id) else { continue };
            self.live.release(1, size_bytes(&object.attributes));
            if is_there {
                self.put_announced(&copies.author, copies.create(object), now);
            }
        }
        copies.written_bytes += self.written_bytes - written_before;
        self.copies_resume_at = now + limits::COPIES_PAUSE;
        if copies.left.as_slice().is_empty() {
            return Some(copies);
        }
        self.copies.push_front(copies);
        None
    }

    fn put_announced(&mut self, author: &Author, create: Envelope, now: Time) {
        let announced = announcement(&create);
        let topic = self.topic(TopicKind::O, REALM_CLIENT, &create.object_id);
        self.finish_deletions_for(&create.object_id, create.attributes.as_ref().and_then(parent_of), now);
        let put = self.plan(author, create, REALM_CLIENT).expect("a create has attributes");
        let applied = self.put(put, now);
        self.publish(topic, &announced, applied.revision);
    }

    fn check_copies(&self, copies: &RemainingTemplateCopies, container: &Envelope) -> Result<(), Refusal> {
        let prefix = format!("{}{SEPARATOR}", copies.container);
        let is_copy =
            |id: &&String| id.strip_prefix(&prefix).and_then(|id| copies.source.get(id)).is_some_and(is_copied);
        let is_taken = |id: &String| is_copy(&id) && !self.is_leaving(id);
        if self.is_there(&copies.container) || self.ids_from(&prefix).any(is_taken) {
            return Err(Reason::AlreadyThere.into());
        }
        let (author, objects) = (&copies.author, copies.left.len() + 1);
        self.live.check_capacity(objects)?;
        self.check_stored_capacity(objects)?;
        self.guests.check_capacity(author, objects)?;
        let container_bytes = container.attributes.as_ref().map_or(0, size_bytes);
        check_scene_bytes(self.live.size_bytes().max(self.stored_bytes) + copies.bytes + container_bytes)?;
        self.check_capacity(&self.plan(author, container.clone(), REALM_CLIENT)?)?;
        // Only the parent of a copy differs from its source.
        let most = if author.guest { limits::GUEST_OBJECT_BYTES_MAX } else { limits::OBJECT_BYTES_MAX };
        let may_be_large = |object: &&StoredObject| size_bytes(&object.attributes) + 2 * OBJECT_ID_BYTES_MAX > most;
        for object in copies.source.values().filter(|object| is_copied(object)).filter(may_be_large) {
            self.check_capacity(&self.plan(author, copies.create(object), REALM_CLIENT)?)?;
        }
        Ok(())
    }

    /// Ids that begin with `prefix`, of live objects, then of stored ones. An object in both states is listed twice.
    fn ids_from<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a String> {
        let begins = move |id: &&'a String| id.starts_with(prefix);
        let stored = self.stored.range(prefix.to_string()..).map(|(id, _)| id);
        self.live.ids_from(prefix).take_while(begins).chain(stored.take_while(begins))
    }

    pub(super) fn is_there(&self, id: &str) -> bool {
        self.live.get(id).is_some() || self.stored.contains_key(id)
    }

    /// Ids of the objects of a template's instance with the container `id`, live ones, then stored ones. An object in
    /// both states is listed twice. Empty if `id` is no container's.
    pub(super) fn instance_ids(&self, id: &str) -> impl Iterator<Item = &String> {
        let prefix = Scene::instance_prefix(id).map(alloc::sync::Arc::<str>::from);
        prefix.into_iter().flat_map(|prefix| {
            let first = prefix.to_string();
            let begins = move |id: &&String| id.starts_with(&*prefix);
            let stored = self.stored.range(first.clone()..).map(|(id, _)| id);
            self.live.ids_from(&first).take_while(begins.clone()).chain(stored.take_while(begins))
        })
    }

    /// The beginning of the ids of a template's instance with the container `id`. `None` if `id` is no container's.
    pub(super) fn instance_prefix(id: &str) -> Option<String> {
        let (source, instance) = id.split_once(SEPARATOR)?;
        (source.contains('|') && !instance.contains(SEPARATOR)).then(|| format!("{id}{SEPARATOR}"))
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
