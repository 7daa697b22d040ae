"""Local model of a scene. Turns messages into events. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from stoa._envelope import Action, Persist
from stoa._json import is_object
from stoa._limits import DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX
from stoa._merge import changed_keys, merged, without_nulls
from stoa._topic import TopicKind
from stoa._values import Change, Chat, ClientEvent, ObjectState, Quaternion, SceneEvent, User, UserPresenceChange, Vec3

if TYPE_CHECKING:
    from stoa._envelope import Envelope
    from stoa._json import Json, JsonObject
    from stoa._topic import SceneTopic

# These types address a person, not an object of the scene.
_NOT_OBJECTS = {"camera-override", "rig"}


@dataclass(slots=True)
class SceneState:
    """Objects and people of one scene."""

    objects: dict[str, ObjectState] = field(default_factory=dict[str, ObjectState])
    users: dict[str, User] = field(default_factory=dict[str, User])

    # Each return is one row of the contract's tables.
    def apply(self, topic: SceneTopic, envelope: Envelope) -> list[SceneEvent]:  # noqa: PLR0911
        """Apply one accepted message."""
        match topic.kind, envelope.action:
            case ((TopicKind.USER | TopicKind.OBJECT), Action.CLIENT_EVENT):
                return [_event(topic, envelope)]
            case TopicKind.OBJECT, Action.CREATE | Action.UPDATE if envelope.type not in _NOT_OBJECTS:
                return self._put(envelope)
            case TopicKind.OBJECT, Action.DELETE:
                return self._remove(topic.uuid)
            case TopicKind.USER, Action.CREATE | Action.UPDATE if _is_camera(envelope):
                return self._see(topic, _pose(envelope), _camera_name(envelope))
            case TopicKind.PRESENCE, Action.JOIN | Action.UPDATE:
                return self._see(topic, {}, _text(envelope.keys.get("dn")))
            case (TopicKind.PRESENCE, Action.LEAVE) | (TopicKind.USER, Action.DELETE):
                return self._forget(topic.uuid)
            case TopicKind.CHAT, _ if envelope.type == "chat":
                return [_chat(topic, envelope)]
            case _:
                return []

    def differences(self, newer: SceneState) -> list[SceneEvent]:
        """Return the events that lead from this model to a newer one."""
        events: list[SceneEvent] = []
        for object_id in sorted(self.objects.keys() | newer.objects.keys()):
            events += _change(object_id, self.objects.get(object_id), newer.objects.get(object_id))
        for id_tag in sorted(self.users.keys() | newer.users.keys()):
            old, new = self.users.get(id_tag), newer.users.get(id_tag)
            if new is None and old is not None:
                events.append(UserPresenceChange(kind="left", user=old))
            elif old is None and new is not None:
                events.append(UserPresenceChange(kind="joined", user=new))
        return events

    def _put(self, envelope: Envelope) -> list[SceneEvent]:
        object_id, patch = envelope.object_id, envelope.attributes
        if object_id is None or patch is None:
            return []
        old = self.objects.get(object_id)
        merges = old is not None and envelope.action is not Action.CREATE and not envelope.overwrite
        attributes = merged(dict(old.attributes), patch) if old is not None and merges else without_nulls(patch)
        created = envelope.action is Action.CREATE
        persist = envelope.persist is Persist.TRUE if created else old is not None and old.persist
        type_name = old.type if old is not None and (merges or envelope.type is None) else envelope.type or "object"
        new = ObjectState(object_id=object_id, attributes=MappingProxyType(attributes), type=type_name, persist=persist)
        self.objects[object_id] = new
        return _change(object_id, old, new)

    def _remove(self, object_id: str) -> list[SceneEvent]:
        events: list[SceneEvent] = []
        for each in self._with_descendants(object_id):
            events += _change(each, self.objects.pop(each, None), None)
        return events

    def _with_descendants(self, object_id: str) -> list[str]:
        """Search breadth first. Ids in `found` are not visited again, so the search ends in a cycle of parents."""
        children: dict[str, list[str]] = {}
        for each in self.objects.values():
            if each.parent is not None:
                children.setdefault(each.parent, []).append(each.object_id)
        found = {object_id: None}
        level = [object_id]
        for _ in range(DESCENDANT_DEPTH_MAX):
            level = [child for parent in level for child in children.get(parent, []) if child not in found]
            found |= dict.fromkeys(level[: DESCENDANTS_MAX + 1 - len(found)])
        return list(found)

    def _see(self, topic: SceneTopic, pose: dict[str, Vec3 | Quaternion | None], name: str | None) -> list[SceneEvent]:
        old = self.users.get(topic.uuid)
        user = old or User(id_tag=topic.uuid, user_client=topic.user_client, display_name=name or topic.uuid)
        self.users[topic.uuid] = new = replace(user, display_name=name or user.display_name, **pose)
        return [UserPresenceChange(kind="joined", user=new)] if old is None else []

    def _forget(self, id_tag: str) -> list[SceneEvent]:
        user = self.users.pop(id_tag, None)
        return [] if user is None else [UserPresenceChange(kind="left", user=user)]


def _change(object_id: str, old: ObjectState | None, new: ObjectState | None) -> list[SceneEvent]:
    keys = changed_keys(dict(old.attributes) if old else {}, dict(new.attributes) if new else {})
    if old is not None and new is not None and not keys:
        return []
    return [Change(object_id=object_id, old=old, new=new, keys=keys)] if old is not None or new is not None else []


def _event(topic: SceneTopic, envelope: Envelope) -> ClientEvent:
    attributes: JsonObject = envelope.attributes or {}
    return ClientEvent(
        type=envelope.type or "",
        target=_text(attributes.get("target")),
        id_tag=topic.uuid,
        user_client=topic.user_client,
        position=_vec3(attributes.get("targetPosition")),
        origin=_vec3(attributes.get("originPosition")),
        attributes=MappingProxyType(attributes),
    )


def _chat(topic: SceneTopic, envelope: Envelope) -> Chat:
    return Chat(
        text=_text(envelope.keys.get("text")) or "",
        display_name=_text(envelope.keys.get("dn")) or topic.uuid,
        id_tag=topic.uuid,
        user_client=topic.user_client,
        private=topic.to_uid is not None,
    )


def _is_camera(envelope: Envelope) -> bool:
    return envelope.attributes is not None and envelope.attributes.get("object_type") == "camera"


def _pose(envelope: Envelope) -> dict[str, Vec3 | Quaternion | None]:
    attributes: JsonObject = envelope.attributes or {}
    found = {"position": _vec3(attributes.get("position")), "rotation": _quaternion(attributes.get("rotation"))}
    return {key: value for key, value in found.items() if value is not None}


def _camera_name(envelope: Envelope) -> str | None:
    user = (envelope.attributes or {}).get("arena-user")
    return _text(user.get("displayName")) if is_object(user) else None


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None


def _numbers(value: Json, keys: str) -> list[float]:
    found = [value.get(key) for key in keys] if is_object(value) else []
    return [float(each) for each in found if isinstance(each, (int, float))]


def _vec3(value: Json) -> Vec3 | None:
    match _numbers(value, "xyz"):
        case [x, y, z]:
            return (x, y, z)
        case _:
            return None


def _quaternion(value: Json) -> Quaternion | None:
    match _numbers(value, "xyzw"):
        case [x, y, z, w]:
            return (x, y, z, w)
        case _:
            return None
