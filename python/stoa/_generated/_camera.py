# Generated from spec/objects/camera.json by cargo xtask gen. Do not edit.
"""`camera`: A person's view: where the head is and how it is turned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject
from stoa._generated._arena_user import ArenaUser
from stoa._generated._stoa_user import StoaUser


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera(AnyObject):
    """A person's view: where the head is and how it is turned."""

    OBJECT_TYPE: ClassVar[str] = "camera"
    arena_user: ArenaUser | None = None
    """The person's identity."""
    holds: Sequence[str] | None = None
    """Ids of the objects in the person's selection, shown to other editors. Default `[]`."""
    stoa_user: StoaUser | None = None
    """The person's gestures."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "arena-user": Attribute("arena_user", Shape("group", group=ArenaUser)),
        "holds": Attribute("holds", Shape("array", items=Shape("text"))),
        "stoa-user": Attribute("stoa_user", Shape("group", group=StoaUser)),
    }
