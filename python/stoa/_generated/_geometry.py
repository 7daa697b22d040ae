# Generated from spec/objects/geometry.json by cargo xtask gen. Do not edit.
"""`geometry`: The form of an entity: a primitive and that primitive's own attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry(AttributeGroup):
    """The form of an entity: a primitive and that primitive's own attributes."""

    primitive: Literal["box", "capsule", "circle", "cone", "cylinder", "dodecahedron", "icosahedron", "octahedron", "plane", "ring", "roundedbox", "sphere", "tetrahedron", "torus", "torusKnot", "triangle"] | None = None
    """The shape. Default `"box"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "primitive": Attribute("primitive", Shape("text", values=("box", "capsule", "circle", "cone", "cylinder", "dodecahedron", "icosahedron", "octahedron", "plane", "ring", "roundedbox", "sphere", "tetrahedron", "torus", "torusKnot", "triangle",))),
    }
