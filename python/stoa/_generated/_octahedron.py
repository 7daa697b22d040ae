# Generated from spec/objects/octahedron.json by cargo xtask gen. Do not edit.
"""`octahedron`: A solid of eight faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Octahedron(AnyObject):
    """A solid of eight faces."""

    OBJECT_TYPE: ClassVar[str] = "octahedron"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    detail: int | None = None
    """Subdivisions of each face; more makes it rounder. Range: at least 0. Default `0`."""
    radius: float | None = None
    """Distance from the centre to the surface. In metres. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "detail": Attribute("detail", Shape("integer", minimum=0)),
        "radius": Attribute("radius", Shape("number", minimum=0)),
    }
