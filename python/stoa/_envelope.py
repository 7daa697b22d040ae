"""The envelope of a scene message.

Source: spec/topics.md section 2. The checks run in the order of `crates/wire/src/envelope.rs`, but `program_id` comes
after `data`. Display names and the numbers of keys and values are not checked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from stoa._json import JsonObject, is_object, parse
from stoa._limits import CHAT_BYTES_MAX, OBJECT_ID_BYTES_MAX, PAYLOAD_BYTES_MAX, TTL_S_MAX, TYPE_BYTES_MAX
from stoa._reason import ContractViolationError, Reason
from stoa._topic import TopicKind

if TYPE_CHECKING:
    from stoa._json import Json

NO_TTL = -1
"""ARENA's `ttl` for an object that never expires."""


class Action(StrEnum):
    """The action of a message, by ARENA's name."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    CLIENT_EVENT = "clientEvent"
    JOIN = "join"
    LEAVE = "leave"
    RELOCALIZED = "relocalized"
    GET_PERSIST = "getPersist"
    LOAD_TEMPLATE = "loadTemplate"
    GET_MOTION_TICKET = "getMotionTicket"


class Persist(StrEnum):
    """The value of `persist`: a create is stored only with `true`, an update with any truthy value."""

    FALSE = "false"
    TRUTHY = "truthy"
    TRUE = "true"


_ACTIONS = {
    TopicKind.PRESENCE: {Action.JOIN, Action.UPDATE, Action.LEAVE, Action.RELOCALIZED},
    TopicKind.USER: {Action.CREATE, Action.UPDATE, Action.DELETE, Action.CLIENT_EVENT},
    TopicKind.OBJECT: set(Action) - {Action.JOIN, Action.LEAVE, Action.RELOCALIZED, Action.GET_MOTION_TICKET},
}
_WITH_ID = {TopicKind.PRESENCE, TopicKind.USER, TopicKind.OBJECT, TopicKind.CHAT}
_NEED_ATTRIBUTES = {Action.CREATE, Action.UPDATE, Action.CLIENT_EVENT, Action.LOAD_TEMPLATE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A checked envelope. `keys` holds the whole JSON object."""

    object_id: str | None = None
    action: Action | None = None
    type: str | None = None
    persist: Persist = Persist.FALSE
    ttl_s: float | None = None
    overwrite: bool = False
    private: bool = False
    attributes: JsonObject | None = None
    keys: JsonObject = field(default_factory=dict[str, "Json"])

    @classmethod
    def parse(cls, kind: TopicKind, uuid: str, payload: bytes) -> Envelope:
        """Check a payload of `kind`, with `uuid` as token 6 of its topic. Raises `ContractViolationError`.

        Environment payloads are MessagePack, so only their size is checked.
        """
        if len(payload) > PAYLOAD_BYTES_MAX:
            raise ContractViolationError(Reason.TOO_LARGE)
        if kind is TopicKind.ENVIRONMENT:
            return cls()
        keys = parse(payload)
        if not is_object(keys):
            raise ContractViolationError(Reason.NOT_AN_OBJECT)
        return cls.of(kind, uuid, keys)

    @classmethod
    def of(cls, kind: TopicKind, uuid: str, keys: JsonObject) -> Envelope:
        """Check a decoded payload. Raises `ContractViolationError`."""
        object_id = _object_id(kind, uuid, keys)
        action = _action(kind, keys)
        envelope = cls(
            object_id=object_id,
            action=action,
            type=_text(keys, "type", TYPE_BYTES_MAX),
            persist=_persist(keys.get("persist")),
            ttl_s=_ttl_s(keys),
            overwrite=_flag(keys, "overwrite"),
            private=_flag(keys, "private"),
            attributes=_attributes(kind, action, keys),
            keys=keys,
        )
        program_id = keys.get("program_id")
        if kind is TopicKind.OBJECT and isinstance(program_id, str) and len(program_id.encode()) > OBJECT_ID_BYTES_MAX:
            raise ContractViolationError(Reason.BAD_VALUE)
        if kind is TopicKind.CHAT:
            _check_chat(keys)
        return envelope


def _text(keys: JsonObject, key: str, bytes_max: int = PAYLOAD_BYTES_MAX) -> str | None:
    value = keys.get(key)
    if value is None or (isinstance(value, str) and len(value.encode()) <= bytes_max):
        return value
    raise ContractViolationError(Reason.BAD_VALUE)


def _flag(keys: JsonObject, key: str) -> bool:
    value = keys.get(key)
    if value is None or isinstance(value, bool):
        return value is True
    raise ContractViolationError(Reason.BAD_VALUE)


def _object_id(kind: TopicKind, uuid: str, keys: JsonObject) -> str | None:
    object_id = keys.get("object_id")
    if kind not in _WITH_ID:
        return object_id if isinstance(object_id, str) else None
    if "object_id" not in keys:
        raise ContractViolationError(Reason.MISSING_KEY)
    if not isinstance(object_id, str) or not 1 <= len(object_id.encode()) <= OBJECT_ID_BYTES_MAX:
        raise ContractViolationError(Reason.BAD_VALUE)
    if object_id != uuid:
        raise ContractViolationError(Reason.ID_MISMATCH)
    return object_id


def _action(kind: TopicKind, keys: JsonObject) -> Action | None:
    named = keys.get("action")
    action = Action(named) if isinstance(named, str) and named in set(Action) else None
    if kind not in _ACTIONS:
        return action
    if "action" not in keys:
        raise ContractViolationError(Reason.MISSING_KEY)
    if action not in _ACTIONS[kind]:
        raise ContractViolationError(Reason.BAD_VALUE)
    return action


def _persist(value: Json) -> Persist:
    if value is True:
        return Persist.TRUE
    # JavaScript's rule: an empty array or object is truthy.
    return Persist.TRUTHY if isinstance(value, (list, dict)) or value else Persist.FALSE


def _ttl_s(keys: JsonObject) -> float | None:
    ttl_s = keys.get("ttl")
    if ttl_s is None:
        return None
    if isinstance(ttl_s, bool) or not isinstance(ttl_s, (int, float)):
        raise ContractViolationError(Reason.BAD_VALUE)
    if ttl_s == NO_TTL:
        return None
    if not 0 <= ttl_s <= TTL_S_MAX:
        raise ContractViolationError(Reason.BAD_VALUE)
    return float(ttl_s)


def _attributes(kind: TopicKind, action: Action | None, keys: JsonObject) -> JsonObject | None:
    attributes = keys.get("data")
    if is_object(attributes):
        return attributes
    if kind in {TopicKind.USER, TopicKind.OBJECT} and action in _NEED_ATTRIBUTES:
        raise ContractViolationError(Reason.MISSING_KEY if attributes is None else Reason.BAD_VALUE)
    return None


def _check_chat(keys: JsonObject) -> None:
    # arena-py 1.6.0 passes keys as keyword arguments and would crash on `self`.
    if "self" in keys:
        raise ContractViolationError(Reason.RESERVED_KEY)
    if len((_text(keys, "text") or "").encode()) > CHAT_BYTES_MAX:
        raise ContractViolationError(Reason.TOO_LARGE)
