# Generated from spec/objects/seat.json by cargo xtask gen. Do not edit.
"""`seat`: A place to sit: who presses the object sits down there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat(AttributeGroup):
    """A place to sit: who presses the object sits down there."""

    facing: float | None = None
    """Where people look, about the upward axis; 0 is along the object's -z. In degrees. Range: -360 to 360. Default `0`."""
    offsetPosition: Vector3 | None = None
    """Middle of what one sits on, seen from the object. In metres. Default `{"x":0,"y":0.45,"z":0}`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "facing": Attribute("facing", Shape("number", minimum=-360, maximum=360)),
        "offsetPosition": Attribute("offsetPosition", VECTOR3),
    }
