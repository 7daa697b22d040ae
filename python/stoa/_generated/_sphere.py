# Generated from spec/objects/sphere.json by cargo xtask gen. Do not edit.
"""`sphere`: A sphere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere(AnyObject):
    """A sphere."""

    OBJECT_TYPE: ClassVar[str] = "sphere"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    phiLength: float | None = None
    """Angle around the vertical axis that the shape spans. In degrees. Range: at least 0. Default `360`."""
    phiStart: float | None = None
    """Angle around the vertical axis at which the shape begins. In degrees. Default `0`."""
    radius: float | None = None
    """Distance from the centre to the surface. In metres. Range: at least 0. Default `1`."""
    segmentsHeight: int | None = None
    """Into how many parts the mesh is cut from pole to pole. Range: at least 1. Default `18`."""
    segmentsWidth: int | None = None
    """Into how many parts the mesh is cut around the vertical axis. Range: at least 1. Default `36`."""
    thetaLength: float | None = None
    """Angle from pole to pole that the shape spans. In degrees. Range: at least 0. Default `180`."""
    thetaStart: float | None = None
    """Angle from the upper pole at which the shape begins. In degrees. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "phiLength": Attribute("phiLength", Shape("number", minimum=0)),
        "phiStart": Attribute("phiStart", Shape("number")),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "segmentsHeight": Attribute("segmentsHeight", Shape("integer", minimum=1)),
        "segmentsWidth": Attribute("segmentsWidth", Shape("integer", minimum=1)),
        "thetaLength": Attribute("thetaLength", Shape("number", minimum=0)),
        "thetaStart": Attribute("thetaStart", Shape("number")),
    }
