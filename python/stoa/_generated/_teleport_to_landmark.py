# Generated from spec/objects/teleport-to-landmark.json by cargo xtask gen. Do not edit.
"""`teleport-to-landmark`: A command to a person's camera: go to a landmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class TeleportToLandmark(AnyObject):
    """A command to a person's camera: go to a landmark."""

    OBJECT_TYPE: ClassVar[str] = "teleport-to-landmark"
    landmarkObj: str | None = None
    """Id of the landmark to go to."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "landmarkObj": Attribute("landmarkObj", Shape("text")),
    }
