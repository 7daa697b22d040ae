# Generated from spec/objects/image.json by cargo xtask gen. Do not edit.
"""`image`: A picture on a flat rectangle; `url` names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Image(AnyObject):
    """A picture on a flat rectangle; `url` names it."""

    OBJECT_TYPE: ClassVar[str] = "image"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    height: float | None = None
    """Size along y. In metres. Range: at least 0. Default `1`."""
    segmentsHeight: int | None = None
    """Into how many parts the mesh is cut along y. Range: at least 1. Default `1`."""
    segmentsWidth: int | None = None
    """Into how many parts the mesh is cut along x. Range: at least 1. Default `1`."""
    width: float | None = None
    """Size along x. In metres. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "height": Attribute("height", Shape("number", minimum=0)),
        "segmentsHeight": Attribute("segmentsHeight", Shape("integer", minimum=1)),
        "segmentsWidth": Attribute("segmentsWidth", Shape("integer", minimum=1)),
        "width": Attribute("width", Shape("number", minimum=0)),
    }
