# Generated from spec/objects/ring.json by cargo xtask gen. Do not edit.
"""`ring`: A flat ring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring(AnyObject):
    """A flat ring."""

    OBJECT_TYPE: ClassVar[str] = "ring"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    radiusInner: float | None = None
    """Radius of the hole. In metres. Range: at least 0. Default `0.8`."""
    radiusOuter: float | None = None
    """Radius of the outer edge. In metres. Range: at least 0. Default `1.2`."""
    segmentsPhi: int | None = None
    """Into how many rings the mesh is cut from the inner to the outer edge. Range: at least 1. Default `10`."""
    segmentsTheta: int | None = None
    """Into how many parts the mesh is cut around. Range: at least 1. Default `32`."""
    thetaLength: float | None = None
    """Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`."""
    thetaStart: float | None = None
    """Angle at which the shape begins. In degrees. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "radiusInner": Attribute("radiusInner", Shape("number", minimum=0)),
        "radiusOuter": Attribute("radiusOuter", Shape("number", minimum=0)),
        "segmentsPhi": Attribute("segmentsPhi", Shape("integer", minimum=1)),
        "segmentsTheta": Attribute("segmentsTheta", Shape("integer", minimum=1)),
        "thetaLength": Attribute("thetaLength", Shape("number", minimum=0)),
        "thetaStart": Attribute("thetaStart", Shape("number")),
    }
