# Generated from spec/objects/cylinder.json by cargo xtask gen. Do not edit.
"""`cylinder`: A cylinder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder(AnyObject):
    """A cylinder."""

    OBJECT_TYPE: ClassVar[str] = "cylinder"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    height: float | None = None
    """Size along y. In metres. Range: at least 0. Default `1`."""
    openEnded: bool | None = None
    """Whether the ends are left open, so that only the mantle is drawn. Default `false`."""
    radius: float | None = None
    """Distance from the centre to the surface. In metres. Range: at least 0. Default `1`."""
    segmentsHeight: int | None = None
    """Into how many parts the mesh is cut along y. Range: at least 1. Default `18`."""
    segmentsRadial: int | None = None
    """Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`."""
    thetaLength: float | None = None
    """Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`."""
    thetaStart: float | None = None
    """Angle at which the shape begins. In degrees. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "height": Attribute("height", Shape("number", minimum=0)),
        "openEnded": Attribute("openEnded", Shape("boolean")),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "segmentsHeight": Attribute("segmentsHeight", Shape("integer", minimum=1)),
        "segmentsRadial": Attribute("segmentsRadial", Shape("integer", minimum=1)),
        "thetaLength": Attribute("thetaLength", Shape("number", minimum=0)),
        "thetaStart": Attribute("thetaStart", Shape("number")),
    }
