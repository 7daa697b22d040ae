"""Frozen values of a scene. Positions are in metres in scene space (y up), rotations are unit quaternions xyzw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stoa._json import Json

Vec3: TypeAlias = tuple[float, float, float]
"""x, y, z."""

Quaternion: TypeAlias = tuple[float, float, float, float]
"""x, y, z, w."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectState:
    """An object's state: its type and attributes by ARENA's names."""

    object_id: str
    attributes: Mapping[str, Json]
    type: str = "object"
    """ARENA's message type: `object`, `program`, `scene-options` …; the shape is `attributes["object_type"]`."""
    persist: bool = False

    @property
    def object_type(self) -> str | None:
        """The shape, such as `box` or `text`."""
        name = self.attributes.get("object_type")
        return name if isinstance(name, str) else None

    @property
    def parent(self) -> str | None:
        """The parent's object id."""
        parent = self.attributes.get("parent")
        return parent if isinstance(parent, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An object was created (`old` is None), changed, or removed (`new` is None)."""

    object_id: str
    old: ObjectState | None
    new: ObjectState | None
    keys: frozenset[str]
    """The top-level attributes that differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person who is present."""

    id_tag: str
    user_client: str
    display_name: str
    position: Vec3 | None = None
    rotation: Quaternion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPresenceChange:
    """A person entered or left."""

    kind: Literal["joined", "left"]
    user: User


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientEvent:
    """A person's event on an object. A click is a `mousedown`."""

    type: str
    """ARENA's name of the event: `mousedown`, `buttonClick` …"""
    target: str | None
    """The object's id."""
    id_tag: str
    """The person's id tag, the key of `scene.users`."""
    user_client: str
    position: Vec3 | None
    """The point where the ray hit the object."""
    origin: Vec3 | None
    """The origin of the ray."""
    attributes: Mapping[str, Json] = field(repr=False)
    """All of the event's data by ARENA's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A chat message."""

    text: str
    display_name: str
    id_tag: str
    user_client: str
    private: bool
    """Whether the message was sent to this program alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A tick of `Scene.every`."""

    number: int
    """Counts from 0; missed ticks leave a gap."""
    time_s: float
    """Seconds since the first tick."""


SceneEvent: TypeAlias = "Change | UserPresenceChange | ClientEvent | Chat"
"""An effect of a message or a snapshot on a scene. `Scene` turns a `UserPresenceChange` into a `User`."""
