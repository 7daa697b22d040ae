"""What a scene tells: frozen values. Positions are metres in scene space (y up), rotations unit quaternions xyzw."""

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
    """An object as it is: its type and attributes by ARENA's names."""

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
        """The object it hangs on."""
        parent = self.attributes.get("parent")
        return parent if isinstance(parent, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An object came (`old` is None), changed, or went (`new` is None)."""

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
class UserChange:
    """Somebody came or went."""

    kind: Literal["joined", "left"]
    user: User


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientEvent:
    """Somebody did something to an object: a click is a `mousedown`."""

    type: str
    """ARENA's name of it: `mousedown`, `buttonClick` …"""
    target: str | None
    """The object's id."""
    id_tag: str
    """Whose event it is; look into `scene.users` for the name."""
    user_client: str
    position: Vec3 | None
    """Where the object was met."""
    origin: Vec3 | None
    """Where the ray came from."""
    attributes: Mapping[str, Json] = field(repr=False)
    """All of the event's data by ARENA's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """Something said."""

    text: str
    display_name: str
    id_tag: str
    user_client: str
    private: bool
    """Said to this program alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A beat of `Scene.every`."""

    number: int
    """From 0; beats that the program was too slow for are left out."""
    time_s: float
    """Since the first beat."""


Happening: TypeAlias = "Change | UserChange | ClientEvent | Chat"
