# Generated from spec/objects/arena-message.json by cargo xtask gen. Do not edit.
"""`arena-message`: The envelope of a message about objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaMessage(AttributeGroup):
    """The envelope of a message about objects."""

    action: Literal["create", "delete", "update", "clientEvent"] | None = None
    """The action on it. Default `"create"`."""
    data: Mapping[str, object] | None = None
    """The attributes."""
    object_id: str | None = None
    """Id of the object or person; equals token 6 of the topic."""
    override: bool | None = None
    """Whether an update replaces instead of merging; write `overwrite` instead. Default `false`. Deprecated."""
    overwrite: bool | None = None
    """Whether an update replaces instead of merging. Default `false`."""
    persist: bool | None = None
    """Whether it is stored. Default `true`."""
    private: bool | None = None
    """Whether events on the object go to its program alone. Default `false`."""
    program_id: str | None = None
    """Id of the program that gets those events."""
    timestamp: str | None = None
    """Time of sending, by the sender's clock; not parsed."""
    ttl: float | None = None
    """Lifetime; -1 is for ever. In seconds. Range: at least -1."""
    type: str | None = None
    """Kind of message."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "action": Attribute("action", Shape("text", values=("create", "delete", "update", "clientEvent",))),
        "data": Attribute("data", Shape("object")),
        "object_id": Attribute("object_id", Shape("text")),
        "override": Attribute("override", Shape("boolean")),
        "overwrite": Attribute("overwrite", Shape("boolean")),
        "persist": Attribute("persist", Shape("boolean")),
        "private": Attribute("private", Shape("boolean")),
        "program_id": Attribute("program_id", Shape("text")),
        "timestamp": Attribute("timestamp", Shape("text")),
        "ttl": Attribute("ttl", Shape("number", minimum=-1)),
        "type": Attribute("type", Shape("text")),
    }
