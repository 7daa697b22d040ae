# Generated from spec/objects/triangle.json by cargo xtask gen. Do not edit.
"""`triangle`: A flat triangle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class Triangle(AnyObject):
    """A flat triangle."""

    OBJECT_TYPE: ClassVar[str] = "triangle"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    vertexA: Vector3 | None = None
    """First corner. In metres. Default `{"x":0,"y":0.5,"z":0}`."""
    vertexB: Vector3 | None = None
    """Second corner. In metres. Default `{"x":-0.5,"y":-0.5,"z":0}`."""
    vertexC: Vector3 | None = None
    """Third corner. In metres. Default `{"x":0.5,"y":-0.5,"z":0}`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "vertexA": Attribute("vertexA", VECTOR3),
        "vertexB": Attribute("vertexB", VECTOR3),
        "vertexC": Attribute("vertexC", VECTOR3),
    }
