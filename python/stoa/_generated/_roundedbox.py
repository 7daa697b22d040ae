# Generated from spec/objects/roundedbox.json by cargo xtask gen. Do not edit.
"""`roundedbox`: A box with rounded edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundedBox(AnyObject):
    """A box with rounded edges."""

    OBJECT_TYPE: ClassVar[str] = "roundedbox"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    depth: float | None = None
    """Size along z. In metres. Range: at least 0. Default `1`."""
    height: float | None = None
    """Size along y. In metres. Range: at least 0. Default `1`."""
    radius: float | None = None
    """Radius of the rounded edges. In metres. Range: at least 0. Default `0.15`."""
    radiusSegments: int | None = None
    """Into how many parts each rounded edge is cut. Range: at least 1. Default `10`."""
    width: float | None = None
    """Size along x. In metres. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "depth": Attribute("depth", Shape("number", minimum=0)),
        "height": Attribute("height", Shape("number", minimum=0)),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "radiusSegments": Attribute("radiusSegments", Shape("integer", minimum=1)),
        "width": Attribute("width", Shape("number", minimum=0)),
    }
