# Generated from spec/objects/torusKnot.json by cargo xtask gen. Do not edit.
"""`torusKnot`: A knotted tube."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class TorusKnot(AnyObject):
    """A knotted tube."""

    OBJECT_TYPE: ClassVar[str] = "torusKnot"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    p: float | None = None
    """Turns of the knot around its axis of rotation. Range: at least 1. Default `2`."""
    q: float | None = None
    """Turns of the knot around the inside of its ring. Range: at least 1. Default `3`."""
    radius: float | None = None
    """Radius of the knot, up to the middle of the tube. In metres. Range: at least 0. Default `1`."""
    radiusTubular: float | None = None
    """Radius of the tube itself. In metres. Range: at least 0. Default `0.2`."""
    segmentsRadial: int | None = None
    """Into how many parts the mesh is cut around its axis. Range: at least 1. Default `8`."""
    segmentsTubular: int | None = None
    """Into how many parts the tube is cut along its way. Range: at least 1. Default `100`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "p": Attribute("p", Shape("number", minimum=1)),
        "q": Attribute("q", Shape("number", minimum=1)),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "radiusTubular": Attribute("radiusTubular", Shape("number", minimum=0)),
        "segmentsRadial": Attribute("segmentsRadial", Shape("integer", minimum=1)),
        "segmentsTubular": Attribute("segmentsTubular", Shape("integer", minimum=1)),
    }
