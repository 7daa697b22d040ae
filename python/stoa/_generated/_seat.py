# Generated from spec/objects/seat.json by cargo xtask gen. Do not edit.
"""`seat`: A place to sit: press the object to sit down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat(AttributeGroup):
    """A place to sit: press the object to sit down."""

    facing: float | None = None
    """Viewing direction about the upward axis; 0 is along the object's -z. In degrees. Range: -360 to 360. Default `0`."""
    offsetPosition: Vector3 | None = None
    """Centre of the seat, relative to the object. In metres. Default `{"x":0,"y":0.45,"z":0}`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "facing": Attribute("facing", Shape("number", minimum=-360, maximum=360)),
        "offsetPosition": Attribute("offsetPosition", VECTOR3),
    }
