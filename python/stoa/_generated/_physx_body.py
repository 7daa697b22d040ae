# Generated from spec/objects/physx-body.json by cargo xtask gen. Do not edit.
"""`physx-body`: Makes the object a body of the physics engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysxBody(AttributeGroup):
    """Makes the object a body of the physics engine."""

    angularDamping: float | None = None
    """Damping of its rotation. Range: at least 0. Default `0`."""
    emitCollisionEvents: bool | None = None
    """Whether it reports collisions. Default `false`."""
    highPrecision: bool | None = None
    """Whether the collision mesh is exact. Default `false`."""
    linearDamping: float | None = None
    """Damping of its motion. Range: at least 0. Default `0`."""
    mass: float | None = None
    """Mass. In kg. Range: at least 0. Default `1`."""
    shapeOffset: Vector3 | None = None
    """Offset of the collision mesh. In metres. Default `{"x":0,"y":0,"z":0}`."""
    type: Literal["dynamic", "static", "kinematic"] | None = None
    """Whether it moves freely, never, or by animation only. Default `"dynamic"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "angularDamping": Attribute("angularDamping", Shape("number", minimum=0)),
        "emitCollisionEvents": Attribute("emitCollisionEvents", Shape("boolean")),
        "highPrecision": Attribute("highPrecision", Shape("boolean")),
        "linearDamping": Attribute("linearDamping", Shape("number", minimum=0)),
        "mass": Attribute("mass", Shape("number", minimum=0)),
        "shapeOffset": Attribute("shapeOffset", VECTOR3),
        "type": Attribute("type", Shape("text", values=("dynamic", "static", "kinematic",))),
    }
