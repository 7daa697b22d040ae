# Generated from spec/objects/torus.json by cargo xtask gen. Do not edit.
"""`torus`: A ring with a round section."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Torus(AnyObject):
    """A ring with a round section."""

    OBJECT_TYPE: ClassVar[str] = "torus"
    arc: float | None = None
    """Angle that the ring spans; less than a full turn leaves a gap. In degrees. Default `360`."""
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    radius: float | None = None
    """Radius of the ring, up to the middle of the tube. In metres. Range: at least 0. Default `1`."""
    radiusTubular: float | None = None
    """Radius of the tube itself. In metres. Range: at least 0. Default `0.2`."""
    segmentsRadial: int | None = None
    """Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`."""
    segmentsTubular: int | None = None
    """Into how many parts the tube is cut along its way. Range: at least 1. Default `32`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "arc": Attribute("arc", Shape("number")),
        "color": Attribute("color", Shape("text")),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "radiusTubular": Attribute("radiusTubular", Shape("number", minimum=0)),
        "segmentsRadial": Attribute("segmentsRadial", Shape("integer", minimum=1)),
        "segmentsTubular": Attribute("segmentsTubular", Shape("integer", minimum=1)),
    }
