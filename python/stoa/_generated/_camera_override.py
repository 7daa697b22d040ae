# Generated from spec/objects/camera-override.json by cargo xtask gen. Do not edit.
"""`camera-override`: A command to a person's camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._position import POSITION, Position
from stoa._generated._rotation import ROTATION, Rotation
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraOverride(AttributeGroup):
    """A command to a person's camera."""

    landmarkObj: str | None = None
    """Id of the landmark to go to."""
    object_type: Literal["camera", "look-at", "teleport-to-landmark"] | None = None
    """The command, one of three."""
    position: Position | None = None
    """New position of the person's camera. In metres."""
    rotation: Rotation | None = None
    """New rotation of the person's camera."""
    target: str | Vector3 | None = None
    """Id of the object, or the place, to look at."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "landmarkObj": Attribute("landmarkObj", Shape("text")),
        "object_type": Attribute("object_type", Shape("text", values=("camera", "look-at", "teleport-to-landmark",))),
        "position": Attribute("position", POSITION),
        "rotation": Attribute("rotation", ROTATION),
        "target": Attribute("target", Shape("choice", shapes=(Shape("text"), VECTOR3,))),
    }
