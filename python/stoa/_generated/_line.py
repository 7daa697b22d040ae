# Generated from spec/objects/line.json by cargo xtask gen. Do not edit.
"""`line`: A thin straight line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(AnyObject):
    """A thin straight line."""

    OBJECT_TYPE: ClassVar[str] = "line"
    color: str | None = None
    """Colour of the line. Default `"#74BEC1"`."""
    end: Vector3 | None = None
    """End of the line, relative to the object. In metres. Default `{"x":-0.5,"y":-0.5,"z":0}`."""
    opacity: float | None = None
    """Opacity of the line: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`."""
    start: Vector3 | None = None
    """Start of the line, relative to the object. In metres. Default `{"x":0,"y":0.5,"z":0}`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "end": Attribute("end", VECTOR3),
        "opacity": Attribute("opacity", Shape("number", minimum=0, maximum=1)),
        "start": Attribute("start", VECTOR3),
    }
