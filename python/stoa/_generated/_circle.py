# Generated from spec/objects/circle.json by cargo xtask gen. Do not edit.
"""`circle`: A flat disc."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle(AnyObject):
    """A flat disc."""

    OBJECT_TYPE: ClassVar[str] = "circle"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    radius: float | None = None
    """Distance from the centre to the edge. In metres. Range: at least 0. Default `1`."""
    segments: int | None = None
    """Into how many triangles the disc is cut. Range: at least 1. Default `32`."""
    thetaLength: float | None = None
    """Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`."""
    thetaStart: float | None = None
    """Angle at which the shape begins. In degrees. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "segments": Attribute("segments", Shape("integer", minimum=1)),
        "thetaLength": Attribute("thetaLength", Shape("number", minimum=0)),
        "thetaStart": Attribute("thetaStart", Shape("number")),
    }
