# Generated from spec/objects/capsule.json by cargo xtask gen. Do not edit.
"""`capsule`: A cylinder with rounded ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule(AnyObject):
    """A cylinder with rounded ends."""

    OBJECT_TYPE: ClassVar[str] = "capsule"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    length: float | None = None
    """Length of the straight part between the two caps. In metres. Range: at least 0. Default `1`."""
    radius: float | None = None
    """Distance from the centre to the surface. In metres. Range: at least 0. Default `1`."""
    segmentsCap: int | None = None
    """Into how many parts each rounded end is cut. Range: at least 1. Default `18`."""
    segmentsRadial: int | None = None
    """Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "length": Attribute("length", Shape("number", minimum=0)),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "segmentsCap": Attribute("segmentsCap", Shape("integer", minimum=1)),
        "segmentsRadial": Attribute("segmentsRadial", Shape("integer", minimum=1)),
    }
